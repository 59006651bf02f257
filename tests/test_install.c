/* test_install.c - what is installed works from elsewhere and goes away without a trace; the library from a
 * program of its own; the static program where there is nothing but itself.
 */
#include "terminal_support.h"

#include <stdlib.h>
#include <string.h>

static char top[] = "/tmp/lanescope-install-XXXXXX";

/* What the make around this test was told is not for this one. */
#define MAKE                                                                                                 \
    "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MODE -u CC -u CFLAGS -u LDFLAGS make -s "

/* A line of shell in which $T is the test's folder. It must succeed and say nothing on the standard error. */
static struct run shell(const char *line)
{
    char whole[2000];
    (void)snprintf(whole, sizeof whole, "T=%s; %s", top, line);
    struct run run = run_shell(whole);
    if (run.code != 0 || *run.err)
        fail_msg("%s: exit code %d\n%s%s", line, run.code, run.out, run.err);
    return run;
}

static void quiet(const char *line)
{
    struct run run = shell(line);
    run_free(&run);
}

#define TREE "(cd $T/root && find . -printf '%p %y %m\\n' | LC_ALL=C sort)"

/* Once, below $T/prefix. */
static void install(void)
{
    static bool done;
    if (!done)
        quiet(MAKE "install PREFIX=$T/prefix");
    done = true;
}

static void skip_where_instrumented(void)
{
    if (!is_sanitized())
        return;
    print_message("note: installing is tried with a build without sanitizers\n");
    skip();
}

/* Also where an older one is installed, of which a file is no longer there. */
static void uninstall_leaves_what_was_there_before(void **state)
{
    (void)state;
    skip_where_instrumented();
    quiet("mkdir -p $T/root/usr/bin $T/root/usr/share/doc/other && echo x >$T/root/usr/share/doc/other/file");
    quiet(TREE " >$T/before");
    quiet(MAKE "install DESTDIR=$T/root PREFIX=/usr");
    quiet("! " TREE " | cmp -s - $T/before");
    quiet("touch $T/root/usr/share/doc/lanescope/gone.md && "
          "echo /usr/share/doc/lanescope/gone.md >>$T/root/usr/share/lanescope/installed");
    quiet(MAKE "install DESTDIR=$T/root PREFIX=/usr");
    quiet("[ ! -e $T/root/usr/share/doc/lanescope/gone.md ]");
    struct run run = shell(TREE);
    static const char *const there[] = {
        "./usr/bin/lanescope f 755",
        "./usr/include/lanescope.h f 644",
        "./usr/lib/liblanescope.a f 644",
        "./usr/lib/pkgconfig/lanescope.pc f 644",
        "./usr/share/bash-completion/completions/lanescope f 644",
        "./usr/share/doc/lanescope/README.md f 644",
        "./usr/share/doc/lanescope/docs/tui.md f 644",
        "./usr/share/doc/lanescope/docs/examples/counts.c f 644",
        "./usr/share/doc/lanescope/cuda/zoo/pad-unused.cu f 644",
        "./usr/share/fish/vendor_completions.d/lanescope.fish f 644",
        "./usr/share/man/man1/lanescope.1 f 644",
        "./usr/share/zsh/site-functions/_lanescope f 644",
    };
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        if (!strstr(run.out, there[i]))
            fail_msg("%s is not in\n%s", there[i], run.out);
    run_free(&run);
    quiet(MAKE "uninstall DESTDIR=$T/root PREFIX=/usr");
    quiet(TREE " | diff $T/before -");
    run = shell(MAKE "uninstall DESTDIR=$T/root PREFIX=/usr");
    assert_non_null(strstr(run.out, "no lanescope is installed in"));
    run_free(&run);
}

static void what_is_installed_works_from_elsewhere(void **state)
{
    (void)state;
    skip_where_instrumented();
    install();
    quiet("cp cuda/ladder/padded.cu $T/mine.cu");
    struct run here = shell("${LANESCOPE:-./lanescope} ladder padded -f csv | tail -n 1 | cut -d, -f2-");
    struct run there =
        shell("cd $T && env -i prefix/bin/lanescope ladder mine.cu -f csv | tail -n 1 | cut -d, -f2-");
    assert_string_equal(there.out, here.out);
    assert_true(strlen(here.out) > 20);
    run_free(&here);
    run_free(&there);
    quiet("man -M $T/prefix/share/man lanescope 2>/dev/null | grep -q 'what a CUDA kernel asks'");
}

/* The part of a document's text in its block marked `text`. */
static char *shown_in(const char *path)
{
    char *document = read_file(path), *begin = strstr(document, "```text\n");
    assert_non_null(begin);
    begin += strlen("```text\n");
    *strstr(begin, "```") = '\0';
    memmove(document, begin, strlen(begin) + 1);
    return document;
}

/* As docs/library.md says it, with no other means than what is installed; and as the program counts. */
static void the_library_serves_a_program_of_its_own(void **state)
{
    (void)state;
    skip_where_instrumented();
    install();
    quiet("cd $T && cp prefix/share/doc/lanescope/docs/examples/counts.c . && "
          "export PKG_CONFIG_PATH=$T/prefix/lib/pkgconfig && pkg-config --modversion lanescope >version && "
          "${CC:-cc} -std=c11 -Wall -Wextra -Werror counts.c -o counts $(pkg-config --cflags --libs "
          "lanescope)");
    quiet("${LANESCOPE:-./lanescope} --version | sed 's/lanescope //' | cmp - $T/version");
    struct run run = shell("cd $T && ./counts >out 2>err; cat out err");
    char *shown = shown_in("docs/library.md");
    if (!text_matches(shown, run.out))
        fail_msg("docs/library.md shows\n%s\nit is\n%s", shown, run.out);
    free(shown);
    run_free(&run);
    quiet("cd $T && sed -n '/^static const char kernel/,/;$/s/^[^\"]*\"\\(.*\\)\\\\n\".*/\\1/p' counts.c "
          ">flip.cu");
    run = shell("cd $T && ./counts 2>/dev/null | sed -n '2,5s/^ *\\([0-9]*\\):.* \\([0-9]*\\) [a-z]*, ideal "
                "\\([0-9]*\\)$/\\1,\\2,\\3/p' | sort");
    struct run program =
        shell("cd $T && prefix/bin/lanescope lines flip.cu -m 1000 -n 700 --block 32x32 --grid 22x32 "
              "-D PITCH=32 -f csv | tail -n +2 | sed 's/\"[^\"]*\"//' | cut -d, -f1,10,11 | sort");
    assert_string_equal(run.out, program.out);
    assert_non_null(strstr(run.out, "10,700000,22400\n"));
    run_free(&run);
    run_free(&program);
}

static void no_name_of_the_library_clashes(void **state)
{
    (void)state;
    skip_where_instrumented();
    install();
    struct run run = shell(
        "nm -g --defined-only $T/prefix/lib/liblanescope.a | sed -n 's/^[0-9a-f]* . //p' | LC_ALL=C sort");
    assert_string_equal(run.out,
                        "lanescope_audit\nlanescope_audit_free\nlanescope_count\nlanescope_counts_free\n"
                        "lanescope_version\n");
    run_free(&run);
    FILE *out;
    char path[100];
    (void)snprintf(path, sizeof path, "%s/own.c", top);
    assert_non_null(out = fopen(path, "w"));
    (void)fputs("#include <lanescope.h>\n"
                "#include <stdio.h>\n"
                "int rungs, zoo, devices;\n"
                "void table_new(void) { puts(\"mine\"); }\n"
                "void scenario_open(void) { puts(\"mine\"); }\n"
                "void memory_take(void) { puts(\"mine\"); }\n"
                "int main(void)\n"
                "{\n"
                "    struct lanescope_question q = {.name = \"zoo:pad-unused\"};\n"
                "    struct lanescope_error e;\n"
                "    struct lanescope_audit *a = lanescope_audit(&q, &e);\n"
                "    table_new(), scenario_open(), memory_take();\n"
                "    for (size_t i = 0; a && i < a->finding_count; i++)\n"
                "        printf(\"%d %s line %d\\n\", a->findings[i].is_fault, a->findings[i].kind, "
                "a->findings[i].line);\n"
                "    lanescope_audit_free(a);\n"
                "    q = (struct lanescope_question){.text = \"__global__ void f(int *p)\\n{\\n    p[q] = "
                "1;\\n}\\n\"};\n"
                "    if (!lanescope_count(&q, &e))\n"
                "        printf(\"%s|%s|%d|%d\\n\", e.message, e.file, e.line, e.column);\n"
                "    return lanescope_count(&(struct lanescope_question){0}, NULL) != NULL;\n"
                "}\n",
                out);
    assert_int_equal(fclose(out), 0);
    quiet("cd $T && export PKG_CONFIG_PATH=$T/prefix/lib/pkgconfig && "
          "${CC:-cc} own.c -o own $(pkg-config --cflags --libs lanescope)");
    run = shell("$T/own");
    assert_memory_equal(run.out, "mine\nmine\nmine\n", 15);
    assert_non_null(strstr(run.out, "1 pad-unused line "));
    assert_non_null(strstr(run.out, "q is not declared|kernel.cu|3|7\n"));
    run_free(&run);
}

static void the_tarball_is_the_same_each_time(void **state)
{
    (void)state;
    skip_where_instrumented();
    struct run git = run_shell("git rev-parse --is-inside-work-tree 2>/dev/null");
    bool has_git = git.code == 0;
    run_free(&git);
    if (!has_git) {
        print_message("note: the tarball needs git\n");
        skip();
    }
    quiet(MAKE "dist >$T/name && cp $(cat $T/name) $T/first && touch README.md && " MAKE
               "dist && cmp $(cat $T/name) $T/first");
    struct run run = shell("tar -tvzf $T/first | sed 's/ .*//' | sort -u");
    assert_string_equal(run.out, "-rw-r--r--\n-rwxr-xr-x\n"); /* whoever cloned it */
    run_free(&run);
}

/* A root in which there is nothing else: no libraries, no terminfo, no locales. */
static void the_static_program_needs_nothing(void **state)
{
    struct terminal *t = *state;
    skip_where_instrumented();
    if (geteuid() != 0) {
        print_message("note: an empty root needs a superuser\n");
        skip();
    }
    quiet(MAKE
          "static-program CUDA=stub CAIRO=stub && mkdir -p $T/empty && cp build/static/lanescope $T/empty/");
    struct run here = shell("${LANESCOPE:-./lanescope} ladder -f csv"),
               there = shell("chroot $T/empty /lanescope ladder -f csv");
    assert_string_equal(there.out, here.out);
    run_free(&here);
    run_free(&there);
    char line[300];
    (void)snprintf(line, sizeof line, "chroot %s/empty /lanescope confirm", top);
    expect_run(run_shell(line), 3, "", "built without CUDA");
    begin(t, 100, 40);
    (void)snprintf(line, sizeof line,
                   "-l 'env -i TERM=screen LANG=C.UTF-8 $(command -v chroot) %s/empty /lanescope tui padded'",
                   top);
    keys(t, line);
    keys(t, "Enter");
    expect(t, "padded.cu --"); /* no locale, no lines of UTF-8 */
    keys(t, "Right");
    keys(t, "q");
    expect(t, "ready.");
    (void)snprintf(line, sizeof line,
                   "-l 'clear; env -i TERM=nobody $(command -v chroot) %s/empty /lanescope tui padded'", top);
    keys(t, line);
    keys(t, "Enter");
    expect(t, "TERM=nobody is not known here");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(top) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char line[100];
    (void)snprintf(line, sizeof line, "rm -rf %s", top);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uninstall_leaves_what_was_there_before),
        cmocka_unit_test(what_is_installed_works_from_elsewhere),
        cmocka_unit_test(the_library_serves_a_program_of_its_own),
        cmocka_unit_test(no_name_of_the_library_clashes),
        cmocka_unit_test(the_tarball_is_the_same_each_time),
        cmocka_unit_test_setup_teardown(the_static_program_needs_nothing, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
