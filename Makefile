# lanescope - GNU make. `make help` lists what can be asked for.
#
# Switches: CC=gcc|clang  MODE=release|debug|sanitize|thread|planted|coverage  V=1 (show commands)  PREFIX, DESTDIR (install)
#           CAIRO=draw|stub (PNG and PDF; default: draw where Cairo's headers are)
#           LIBDIR (install; default: PREFIX/lib)
#           CUDA=toolkit|stub (default: toolkit where CUDA_HOME has cuda.h and nvrtc.h)  CUDA_HOME
#           CFLAGS, LDFLAGS (added to ours)  JOBS (of `make test` and `make run`; default: one a processor)
#           ONLY=test_NAME (of `make test`; several in quotes)
# Every switch that changes objects is part of the build folder's name, and objects depend on this file and on
# compile_flags.txt, so that nothing stale is linked.

VERSION := $(shell sed -n 's/^.define LANESCOPE_VERSION "\(.*\)"/\1/p' base/version.h)
CC      ?= cc
ifeq ($(origin CC),default)
CC      := gcc
endif
MODE    ?= release
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
CUDA_HOME ?= /usr/local/cuda
CUDA    ?= $(if $(and $(wildcard $(CUDA_HOME)/include/cuda.h),$(wildcard $(CUDA_HOME)/include/nvrtc.h)),toolkit,stub)

# The terminal UI needs the ncurses headers; without them a file that says so takes its place. The static archives
# are preferred: the program then also runs where the library is not installed. \043 is #, which makes differ on how to write.
CURSES  := $(if $(shell printf '\043include <curses.h>\n' | $(CC) $(CFLAGS) -E -xc - >/dev/null 2>&1 && echo yes),curses,stub)
# Pictures as PNG and PDF need Cairo's headers where they are built; its library is opened where the program runs.
CAIRO_CFLAGS := $(patsubst -I%,-isystem %,$(or $(shell pkg-config --cflags-only-I cairo 2>/dev/null),-I/usr/include/cairo))
CAIRO   ?= $(if $(shell printf '\043include <cairo-pdf.h>\n' | $(CC) $(CFLAGS) $(CAIRO_CFLAGS) -E -xc - >/dev/null 2>&1 && echo yes),draw,stub)
# Flags of your own are in the folder's name as a checksum: build/gcc-release-1234567890.
quoted   = '$(subst ','\'',$(1))'
OWN_FLAGS := $(strip $(CFLAGS) $(LDFLAGS) $(filter-out /usr/local/cuda,$(CUDA_HOME)))
BUILD   := build/$(notdir $(CC))-$(MODE)$(if $(filter stub,$(CURSES)),-no-curses)$(if $(filter stub,$(CAIRO)),-no-cairo)$(if $(filter stub,$(CUDA)),-no-cuda)
ifneq ($(OWN_FLAGS),)
BUILD   := $(BUILD)-$(firstword $(shell printf '%s' $(call quoted,$(OWN_FLAGS)) | cksum))
endif
archive  = $(filter /%,$(shell $(CC) -print-file-name=lib$(1).a))

comma   := ,
# The dialect, the warnings and what is asked of the C library: also read by tests/check.sh and by editors (clangd).
FLAGS   := $(shell cat compile_flags.txt)
# SLP vectorisation builds small structs in vector registers and stalls on reading them back: 5 to 10 % slower here.
CFLAGS_release  := -O2 -g -DNDEBUG $(if $(findstring clang,$(CC)),-fno-slp-vectorize,-fno-tree-slp-vectorize)
CFLAGS_debug    := -O0 -g
CFLAGS_planted  := -O2 -g
CFLAGS_coverage := -Og -g --coverage
CFLAGS_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
# Data races; a build of its own, since it cannot be had together with the other sanitizers.
CFLAGS_thread   := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
ifeq ($(CFLAGS_$(MODE)),)
$(error MODE is release, debug, sanitize, thread, planted or coverage, not '$(MODE)')
endif
ALL_CFLAGS := $(FLAGS) $(CFLAGS_$(MODE)) $(CFLAGS)
LDLIBS  := -lm -ldl -pthread
ifeq ($(filter $(CUDA),toolkit stub),)
$(error CUDA is toolkit or stub, not '$(CUDA)')
endif
ifeq ($(CURSES),curses)
LDLIBS  += $(or $(call archive,ncursesw),-lncursesw) $(or $(call archive,tinfo),-ltinfo)
endif

# Sources are found by place: a new file needs no line here. src/main.c is the program, the rest is a library that
# the tests link too.
LIBRARY_SOURCES := $(sort $(wildcard base/*.c sim/*/*.c lib/*.c cuda/*.c cuda/$(CUDA)/*.c src/*.c src/*/*.c))
LIBRARY_SOURCES := $(filter-out src/main.c src/tui/screen_$(if $(filter stub,$(CURSES)),curses,stub).c src/picture/cairo_$(if $(filter stub,$(CAIRO)),draw,stub).c,$(LIBRARY_SOURCES))
LIBRARY_OBJECTS := $(LIBRARY_SOURCES:%.c=$(BUILD)/%.o) $(BUILD)/rungs.o $(BUILD)/door_texts.o $(BUILD)/bench_texts.o
ifeq ($(CURSES),curses)
LIBRARY_OBJECTS += $(BUILD)/terminal_types.o
endif
TEST_SOURCES    := $(sort $(wildcard tests/test_*.c))
# ONLY='test_bank test_docs' builds and runs no others.
TESTS           := $(TEST_SOURCES:tests/%.c=$(BUILD)/tests/%)
TESTS           := $(if $(ONLY),$(filter $(ONLY:%=$(BUILD)/tests/%),$(TESTS)),$(TESTS))
# Two files need CUDA's own headers; they come after ours and are no business of our warnings.
$(BUILD)/cuda/toolkit/%.o: ALL_CFLAGS += -isystem $(CUDA_HOME)/include
$(BUILD)/src/picture/cairo_draw.o: ALL_CFLAGS += $(CAIRO_CFLAGS)
HEADERS         := $(sort $(wildcard base/*.h sim/*/*.h lib/*.h cuda/*.h cuda/*/*.h src/*.h src/*/*.h tests/*.h))

Q := $(if $(V),,@)
# Nothing is said under V=1, where make shows the commands, and under make -s.
SAY = $(if $(V)$(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS)))),@:,@printf '  %-7s %s\n')

.DEFAULT_GOAL := all
.PHONY: help all run test check planted mutants bench fuzz wasm coverage dist install uninstall clean setup-run setup-test setup-check
.DELETE_ON_ERROR:

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null || \
	  sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1  \2/p' $(MAKEFILE_LIST)

all: lanescope ## build the program as ./lanescope

# Without a -j of yours, builds that a person waits for use every processor.
JOBS ?= $(or $(shell nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null),1)
PARALLEL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))

run: setup-run ## install what is missing, build, and open the terminal UI (no terminal: ladder and banks)
	@$(MAKE) --no-print-directory $(PARALLEL) lanescope
	@if [ -t 0 ] && [ -t 1 ]; then exec ./lanescope; fi; ./lanescope ladder && echo && ./lanescope banks --pitch 32,33

test: setup-test ## install what is missing, build, and run all tests
	@$(MAKE) --no-print-directory $(PARALLEL) lanescope test-programs $(if $(filter %/test_wasm,$(TESTS)),$(if $(WASM_TOOLS),$(WASM)))
	@LANESCOPE=$(BUILD)/lanescope sh tests/run.sh $(JOBS) $(TESTS)

setup-run setup-test setup-check:
	@bash .ci/setup $(@:setup-%=%)

.PHONY: test-programs
test-programs: $(TESTS)

# All that can be compiled, for the check of warnings; ./lanescope is left alone. The stub of the terminal is compiled
# where ncurses takes its place, too.
.PHONY: compiled
compiled: $(BUILD)/lanescope $(TESTS) $(BUILD)/bench $(BUILD)/src/tui/screen_stub.o $(BUILD)/src/picture/cairo_stub.o $(BUILD)/wasm/main.o
compiled: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/fuzz/*.c tests/planted/*.c))

# Always linked anew: after a build with other switches ./lanescope is another folder's program.
.PHONY: lanescope
lanescope: $(BUILD)/lanescope
	$(Q)ln -f $< $@ 2>/dev/null || cp -f $< $@

# MODE=planted is the program with a bug in its simulator, to show that confirm finds it: docs/confirmation.md.
PLANTED := $(if $(filter planted,$(MODE)),$(BUILD)/tests/planted/planted.o)
$(BUILD)/lanescope: LDFLAGS += $(if $(PLANTED),-Wl$(comma)--wrap=execution_run_block$(comma)--wrap=execution_run_blocks$(comma)--wrap=census_run)
$(BUILD)/lanescope: $(BUILD)/src/main.o $(PLANTED) $(BUILD)/liblanescope.a
	$(SAY) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/liblanescope.a: $(LIBRARY_OBJECTS)
	$(SAY) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/%.o: %.c Makefile compile_flags.txt
	$(SAY) CC $<
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/rungs.c: cuda/ladder/embed.sh cuda/zoo/embed.sh $(wildcard cuda/ladder/*.cu cuda/zoo/*.cu)
	$(SAY) EMBED $@
	@mkdir -p $(@D)
	$(Q)sh cuda/ladder/embed.sh >$@ && sh cuda/zoo/embed.sh >>$@

$(BUILD)/rungs.o: $(BUILD)/rungs.c Makefile compile_flags.txt
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-overlength-strings -Isim/report -MMD -MP -c -o $@ $<

$(BUILD)/terminal_types.c: src/tui/embed_terminfo.sh
	$(SAY) EMBED $@
	@mkdir -p $(@D)
	$(Q)sh $< >$@

$(BUILD)/terminal_types.o: $(BUILD)/terminal_types.c Makefile compile_flags.txt
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-overlength-strings -Isrc/tui -MMD -MP -c -o $@ $<

# The texts of a folder of cuda, as C.
TEXTS_OF_door  := cuh
TEXTS_OF_bench := cu
$(BUILD)/door_texts.c: $(wildcard cuda/door/*.cuh)
$(BUILD)/bench_texts.c: $(wildcard cuda/bench/*.cu)
$(BUILD)/%_texts.c: cuda/embed_texts.sh
	$(SAY) EMBED $@
	@mkdir -p $(@D)
	$(Q)sh $< $* $(TEXTS_OF_$*) >$@

$(BUILD)/%_texts.o: $(BUILD)/%_texts.c Makefile compile_flags.txt
	$(SAY) CC $<
	$(Q)$(CC) $(ALL_CFLAGS) -Wno-overlength-strings -Icuda -MMD -MP -c -o $@ $<

# A static pattern: its objects are then no intermediate files, which make would delete and build anew each time.
$(TESTS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(BUILD)/tests/support.o $(BUILD)/liblanescope.a
	$(SAY) TEST $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) -lcmocka $(LDLIBS)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

bench: $(BUILD)/bench $(BUILD)/lanescope ## lane-addresses a second beside a hand-written loop; how fast the terminal UI answers
	LANESCOPE=$(BUILD)/lanescope $(BUILD)/bench
	@sh tests/bench/instructions.sh $(BUILD)/bench

$(BUILD)/bench: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/*.c)) $(BUILD)/liblanescope.a
	$(SAY) LINK $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The simulator and the UI's state and panes without a machine around them, and a front door: wasm/main.c. What needs
# signals, files or a terminal stays out. A size_t has 32 bits there: a 64-bit number that becomes one is an error.
WASM := build/wasm/lanescope.wasm
WASM_SOURCES := $(filter-out base/output_file.c base/pages.c src/tui/tui.c src/tui/live.c src/tui/loop.c src/tui/background.c src/tui/screen_%,$(LIBRARY_SOURCES))
WASM_SOURCES := wasm/main.c wasm/pages.c $(filter base/% sim/% src/tui/%,$(WASM_SOURCES))
WASM_OBJECTS := $(WASM_SOURCES:%.c=build/wasm/%.o) build/wasm/rungs.o
WASM_CC := clang --target=wasm32-wasi
WASM_CFLAGS := $(FLAGS) -O2 -ffunction-sections -Werror=shorten-64-to-32 -Werror=sign-conversion -Isim/report
# The linker's own stack is 64 KiB, and too much on it would overwrite the data behind: ours is as large as a Linux
# program's, and comes first, so that too much is an error.
WASM_LDFLAGS := -Wl,--gc-sections,--strip-debug,--stack-first,-z,stack-size=8388608
# Is there a compiler, a library and a linker for it? Asked only by `make test`.
WASM_TOOLS = $(shell folder=$$(mktemp -d) && printf '\043include <stdio.h>\nint main(void) { return puts(""); }\n' | \
  $(WASM_CC) -xc - -o $$folder/it 2>/dev/null && echo yes; rm -rf "$$folder")

wasm: setup-check ## compile the simulator to WebAssembly: build/wasm/lanescope.wasm
	@$(MAKE) --no-print-directory $(PARALLEL) $(WASM)
	@printf '%s: %s bytes; node wasm/run.mjs %s ladder 1000 700\n' $(WASM) "$$(wc -c <$(WASM))" $(WASM)

$(WASM): $(WASM_OBJECTS) Makefile
	$(SAY) LINK $@
	$(Q)$(WASM_CC) $(WASM_LDFLAGS) -o $@ $(WASM_OBJECTS)

build/wasm/%.o: %.c Makefile compile_flags.txt
	$(SAY) WASM $<
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_CFLAGS) -MMD -MP -c -o $@ $<

build/wasm/rungs.o: $(BUILD)/rungs.c Makefile compile_flags.txt
	$(SAY) WASM $<
	@mkdir -p $(@D)
	$(Q)$(WASM_CC) $(WASM_CFLAGS) -Wno-overlength-strings -c -o $@ $<

-include $(shell find build/wasm -name '*.d' 2>/dev/null)

# Two kinds: random bytes against crashes (libFuzzer), and random kernels and audits against independent oracles.
FUZZ_SECONDS ?= 60
FUZZ_KERNELS ?= 2000
FUZZ_AUDITS  ?= 2000
FUZZ_COMPILED ?= 200 # of the same kernels as PTX by clang
FUZZ_PTX     ?= 40 # kernels through nvcc, which takes most of a second for each
FUZZ_SEED    ?= 1
FUZZERS := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_CENSUS  ?= 2000
ORACLES := build/fuzz/semantic build/fuzz/audit build/fuzz/census build/fuzz/ptx
fuzz: setup-check $(FUZZERS) $(ORACLES) ## random kernels and audits against oracles, random bytes for FUZZ_SECONDS; needs clang
	build/fuzz/semantic --seed $(FUZZ_SEED) --kernels $(FUZZ_KERNELS)
	build/fuzz/semantic --seed $(FUZZ_SEED) --kernels $(FUZZ_COMPILED) --batch 100 --ptx clang
	build/fuzz/audit --seed $(FUZZ_SEED) --audits $(FUZZ_AUDITS)
	build/fuzz/census --seed $(FUZZ_SEED) --ladder $(FUZZ_CENSUS) --kernels $(FUZZ_CENSUS) --language $(FUZZ_CENSUS)
	@if [ -x $(CUDA_HOME)/bin/nvcc ]; then build/fuzz/ptx --seed $(FUZZ_SEED) --kernels $(FUZZ_PTX); \
	  else echo "note: skipped: PTX against nvcc, which is not in $(CUDA_HOME)/bin"; fi
	@for f in $(FUZZERS); do echo "== $$f"; mkdir -p $$f.corpus; \
	  $$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	    -verbosity=0 -dict=tests/fuzz/cuda.dict $$f.corpus tests/fuzz/seeds || exit 1; done

build/fuzz/%: tests/fuzz/%.c $(LIBRARY_SOURCES) $(BUILD)/rungs.c $(HEADERS) Makefile compile_flags.txt
	$(SAY) FUZZ $@
	@mkdir -p $(@D)
	$(Q)clang $(FLAGS) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Wno-overlength-strings \
	  -Isim/report -o $@ $< $(wildcard base/*.c sim/*/*.c) $(BUILD)/rungs.c $(LDLIBS)

planted: setup-test ## build with a bug in the simulator (MODE=planted) and see that it is found
	@$(MAKE) --no-print-directory $(PARALLEL) MODE=planted planted-is-found

.PHONY: planted-is-found
planted-is-found: $(BUILD)/lanescope
	@sh tests/planted/found.sh $<

mutants: setup-test ## make mistakes in a copy of the sources and see which no test notices; takes minutes
	@JOBS=$(JOBS) sh tests/mutants.sh

coverage: setup-test ## run the tests on a build that counts lines; how much of each file they ran (gcc, gcov)
	@find build/gcc-coverage* -name '*.gcda' -delete 2>/dev/null || true
	@$(MAKE) --no-print-directory CC=gcc MODE=coverage test; code=$$?; \
	  sh tests/coverage.sh "$$($(MAKE) --no-print-directory -s CC=gcc MODE=coverage print-folder)" && exit $$code

# The same files give the same bytes: sorted, of nobody, as old as the last commit.
DIST := build/lanescope-$(VERSION).tar.gz
dist: ## what git has of this folder, as build/lanescope-VERSION.tar.gz
	@git rev-parse --is-inside-work-tree >/dev/null 2>&1 || \
	  { echo "make dist packs the files that git knows: it needs git and a clone of the repository" >&2; exit 1; }
	@mkdir -p build
	@git ls-files -z | tar --null --files-from=- --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
	  --mtime="@$$(git log -1 --format=%ct)" --transform='s,^,lanescope-$(VERSION)/,' -cf - | gzip -n >$(DIST)
	@echo $(DIST)

.PHONY: print-folder
print-folder:
	@echo $(BUILD)

build/fuzz/semantic: $(wildcard tests/fuzz/semantic/*.[ch]) $(wildcard tests/fuzz/semantic/*.hpp) $(BUILD)/liblanescope.a
	$(SAY) FUZZ $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)

build/fuzz/audit: tests/fuzz/audit/audit.c $(BUILD)/liblanescope.a
	$(SAY) FUZZ $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)

build/fuzz/census: tests/fuzz/census/census.c $(wildcard tests/fuzz/semantic/gen_*.c) $(BUILD)/liblanescope.a
	$(SAY) FUZZ $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)
build/fuzz/audit build/fuzz/census: tests/census_support.h tests/proof_support.h tests/fuzz/census/affine.h

build/fuzz/ptx: tests/fuzz/ptx/differential.c $(BUILD)/liblanescope.a
	$(SAY) FUZZ $@
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

check: setup-check ## format, headers alone, warnings with gcc and clang, static analysis
	@bash tests/check.sh $(HEADERS)

# For other people's programs: one object of which only lanescope_... is seen, so that no name of theirs clashes.
PUBLIC := $(BUILD)/public
$(PUBLIC)/liblanescope.a: $(BUILD)/lib/lanescope.o $(BUILD)/liblanescope.a
	$(SAY) AR $@
	@mkdir -p $(@D)
	$(Q)$(CC) -r -nostdlib -o $(@D)/whole.o $^
	$(Q)objcopy --wildcard --keep-global-symbol='lanescope_*' --strip-debug $(@D)/whole.o $(@D)/liblanescope.o
	$(Q)rm -f $@ && $(AR) rcs $@ $(@D)/liblanescope.o

# Printed by the program itself, from the tables behind --help.
SHELLS := bash zsh fish
$(PUBLIC)/lanescope.1: $(BUILD)/lanescope
	@mkdir -p $(@D)
	$(Q)$< --man >$@

$(SHELLS:%=$(PUBLIC)/lanescope.%): $(PUBLIC)/lanescope.%: $(BUILD)/lanescope
	@mkdir -p $(@D)
	$(Q)$< --completion $* >$@

.PHONY: library
library: $(PUBLIC)/liblanescope.a ## the C library, as build/COMPILER-MODE/public/liblanescope.a; its header is lib/lanescope.h

install: lanescope library $(PUBLIC)/lanescope.1 $(SHELLS:%=$(PUBLIC)/lanescope.%) ## program, manual, library, docs to DESTDIR/PREFIX
	@sh packaging/install.sh install '$(DESTDIR)' '$(PREFIX)' '$(LIBDIR)' $(BUILD) $(VERSION)

uninstall: ## remove all of that, whichever version is there
	@sh packaging/install.sh uninstall '$(DESTDIR)' '$(PREFIX)'

# One file that needs no library and no terminfo; what dlopen() would bring, a GPU, is left out of it.
.PHONY: static static-program
STATIC := build/static/lanescope
static: setup-run ## a program that runs on any Linux of this architecture: build/static/lanescope
	@$(MAKE) --no-print-directory $(PARALLEL) CUDA=stub CAIRO=stub static-program
	@echo $(STATIC)

static-program: $(BUILD)/src/main.o $(BUILD)/liblanescope.a
	$(SAY) LINK $(STATIC)
	@mkdir -p $(dir $(STATIC))
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -static -s -o $(STATIC) $^ $(LDLIBS)

.PHONY: deb setup-deb
setup-deb:
	@bash .ci/setup deb
deb: setup-deb dist ## Debian packages in build/deb, and what lintian says of them
	@sh packaging/deb.sh $(DIST) build/deb

clean: ## remove everything that was built
	rm -rf build lanescope
