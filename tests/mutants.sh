#!/bin/sh
# Would the tests see it? Makes one-line mistakes in a copy of the tree, one at a time, builds, and runs the tests that
# should fail: mutants.sh [WORD], WORD choosing those whose name has it. A mutant that no test sees has survived; one
# whose line is no longer there must be rewritten. Exit code 1 in both cases. Takes minutes, so it is not in CI.
set -u
cd "$(dirname "$0")/.." || exit 2
word=${1:-}
jobs=${JOBS:-2}
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT
trap 'exit 130' INT TERM HUP
killed=0 survived=0 stale=0

cp -Rp Makefile compile_flags.txt README.md .ci .clang-format base cuda docs sim src tests wasm "$copy" && cd "$copy" || exit 2
build=$(make -s print-folder)
echo "building the copy"
make -s -j"$jobs" lanescope test-programs || exit 2

tell() {
    printf '%-10s %s\n' "$1" "$2"
}

# mutant NAME FILE SED TEST ...: TEST is a test program, or several as a pattern of the shell
mutant() {
    name=$1 file=$2 expression=$3
    shift 3
    case $name in *"$word"*) ;; *) return ;; esac
    cp -p "$file" original
    sed -i "$expression" "$file"
    if cmp -s "$file" original; then
        stale=$((stale + 1))
        tell "no line" "$name ($file)"
        return
    fi
    if ! make -s -j"$jobs" lanescope test-programs >log 2>&1; then
        stale=$((stale + 1))
        tell "no build" "$name ($file)"
        grep -m 3 error log
    elif seen_by=$(first_failure "$@"); then
        killed=$((killed + 1))
        tell "killed" "$name: $seen_by"
    else
        survived=$((survived + 1))
        tell "SURVIVED" "$name ($file)"
    fi
    cp original "$file" # newer than what was built of the mutant
}

# mistake NAME FILE SED: found by random kernels against a compiler (tests/fuzz/semantic)
mistake() {
    name=$1 file=$2
    case $name in *"$word"*) ;; *) return ;; esac
    cp -p "$file" original
    sed -i "$3" "$file"
    if cmp -s "$file" original; then
        stale=$((stale + 1))
        tell "no line" "$name ($file)"
        return
    fi
    if ! make -s -j"$jobs" build/fuzz/semantic >log 2>&1; then
        stale=$((stale + 1))
        tell "no build" "$name ($file)"
    elif mkdir -p build/fuzz/semantic.found && build/fuzz/semantic --kernels 2000 --reduce 0 >log 2>&1; then
        survived=$((survived + 1))
        tell "SURVIVED" "$name ($file)"
    else
        killed=$((killed + 1))
        tell "killed" "$name: $(sed -n 's/^differs: [^:]*: //p;s/^refused *[0-9]* //p' log | head -n 1 | cut -c 1-100)"
    fi
    cp original "$file"
}

# The first test that fails, by program and name.
first_failure() {
    for pattern in "$@"; do
        for program in "$build"/tests/$pattern; do
            case $program in *.o | *.d) continue ;; esac
            LANESCOPE=$build/lanescope timeout 300 "$program" >log 2>&1 && continue
            echo "$(basename "$program"): $(sed -n 's/^\[  FAILED  \] \([a-z_0-9]*\)$/\1/p' log | head -n 1)"
            return 0
        done
    done
    return 1
}

mutant "a tally's memo does not tell loads from stores" sim/count/tally.c \
    's/(uint32_t)(site->op == ACCESS_LOAD) << 15/0u/' test_tally
mutant "a tally's memo does not tell shared from global" sim/count/tally.c \
    's/(uint32_t)shared << 16/0u/' test_tally
mutant "a tally's memo does not tell widths" sim/count/tally.c \
    's/site->lane_bytes << 8/0u/' test_tally
mutant "a tally's memo does not tell alignments" sim/count/tally.c \
    's/(shared ? 3u : 31u)/0u/' test_tally
mutant "registers are not given out by partition" sim/model/occupancy.c \
    's:SM_REGISTERS / PARTITIONS / per_warp \* PARTITIONS:SM_REGISTERS / per_warp:' test_device
mutant "a barrier waits for returned warps" sim/exec/block.c \
    's/if (warp->state != WARP_WAITING)/if (warp->state == WARP_DONE) return execution_fail(e, e->program->code, "no"); else if (0)/' test_exec
mutant "a barrier waits for returned lanes" sim/exec/warp.c \
    's/warp->active != warp_alive(warp))$/warp->active != warp->present)/' test_exec
mutant "a signed shift past the width loses the sign" sim/exec/number.c \
    's/(a < 0 ? -1 : 0)/0/' test_exec
mutant "a left shift past the width turns round" sim/exec/number.c \
    's/ub >= bits ? 0 : (int64_t)(ua << ub)/(int64_t)(ua << (ub % bits))/' test_exec
mutant "a lane's second word is asked of no bank" sim/model/bank.c \
    's/int64_t last = unit_of(.*/int64_t last = unit_of(address(lanes, i), BANK_BYTES);/' test_bank
mutant "a wavefront does not name the lane of a second word" sim/model/bank.c \
    's/word >= begin && word <= end/word == begin \&\& end >= begin/' test_bank
mutant "misaligned lanes are no fault in the ladder" src/cmd_ladder.c \
    's/row->out_of_bounds || row->misaligned || row->overflow/row->out_of_bounds || row->overflow/' test_faults
mutant "lanes out of bounds are no fault in the ladder" src/cmd_ladder.c \
    's/row->out_of_bounds || row->misaligned || row->overflow/row->misaligned || row->overflow/' test_faults
mutant "a race is no fault in a trace" src/cmd_trace.c \
    's/access->misaligned | access->hazard) != 0/access->misaligned) != 0/' test_faults
mutant "faults of a trace do not reach the exit code" src/cmd_trace.c \
    's/overflow || trace->faults ? EXIT_NO/overflow ? EXIT_NO/' test_faults
mutant "judgements are painted the other way round" base/table.c \
    's/good ? CELL_GOOD : CELL_BAD/good ? CELL_BAD : CELL_GOOD/' test_faults test_output
mutant "good cells are not painted" base/table.c \
    's/good ? CELL_GOOD : CELL_BAD/good ? CELL_PLAIN : CELL_BAD/' test_faults test_output
mutant "low efficiency is painted as good" src/cmd_ladder.c \
    's/tally_efficiency(tally) >= 75.0/tally_efficiency(tally) >= 5.0/' test_faults
mutant "lines of a headnote keep their carriage return" sim/report/headnote.c \
    "s/(line\\[size - 1\\] == '.r' || line\\[size - 1\\] == ' ')/line[size - 1] == ' '/" test_headnote
mutant "a wrong write after two right ones leaves them right" sim/audit/owners.c \
    's/\[CELL_RIGHT_TWICE\] = {CELL_DISAGREE, CELL_RIGHT_TWICE}/[CELL_RIGHT_TWICE] = {CELL_RIGHT_TWICE, CELL_RIGHT_TWICE}/' 'test_*'
mutant "patterns keep their generation when collected" sim/exec/pattern.c \
    's/fresh.generation = table->generation + 1/fresh.generation = table->generation/' 'test_*'
mutant "the race bookkeeping knows one reader" sim/exec/order.c \
    's/use->read = read ? phase \* USE_WARPS + USE_MANY : self/use->read = self/' 'test_*'
mutant "the owners' fingerprint is of the first component" sim/audit/owners.c \
    's/c < first + count/c < first + 1/' 'test_*'
mutant "a third pointer has the input's offset" sim/report/scenario_arguments.c \
    's/^            offset = 0;/            (void)0;/' 'test_*'
mutant "a token's parts count downwards" sim/exec/data.h \
    's/token + (int64_t)(i \* e->program->granule) : token/token - (int64_t)(i * e->program->granule) : token/' 'test_*'
mutant "a loaded number that may change leaves the loop's proof" sim/exec/state.h \
    's/    if (snapshot->warp == warp->index)$/    if (snapshot->warp == warp->index + 99)/' test_data
mutant "a block that runs alone goes on with others' writes" sim/exec/block.c \
    '/^bool execution_run_block(/,/^}/s/    cells_rewind(execution);//' test_data
mutant "a number in shared memory has any width" sim/exec/memory.c \
    's/if (e->held\[at + i\] != HELD_PART(width, i))/if (!e->held[at + i])/' test_data
mutant "the second cell of a wide load is the first" sim/exec/contents.c \
    's/ << 8 \* done;/;/' test_data
mutant "what shared memory decides is not followed in a count" sim/exec/execution.c \
    's/!follow_shared(e->program, e->cells != NULL)/true/' test_data

mistake "random: a return inside a function is its end" sim/lang/function.c \
    's/e->value = call.returns - ends_so;/e->value = 0;/'
mistake "random: a type behind an arrow is not seen" sim/lang/function.c \
    "s/if (behind < function->end \&\& token_is_punct(behind, PUNCT2('-', '>'))) {/if (0) {/"
mistake "random: an index of an array is computed twice" sim/lang/build.c 's/build_is_indexed(a))/false)/'
mistake "random: a reference moves with its index" sim/lang/parse_statement.c \
    's/value = build_fixed(parser, value, &end);/(void)end;/'
mistake "random: a union's int is its unsigned" sim/lang/build.c \
    's/part->is_other = part->kind == EXPR_COMPONENT;/part->is_other = false;/'
mistake "random: members of a struct lie on each other" sim/lang/record.c \
    's/.slot = record->is_union ? 0 : record->slots/.slot = 0/'
mistake "random: static members are members" sim/lang/record.c 's/if (is_static ? /if (false ? /'
mistake "random: an enum class counts from 1" sim/lang/parse_type.c \
    's/^    symbol->value = value;/    symbol->value = value + (of != NULL);/'
mistake "random: all lanes agree where one does not" sim/exec/shuffle.c 's/: yes == lanes;/: yes != 0;/'
mistake "random: an atomic is a store" sim/lang/code_intrinsic.c 's/ACCESS_ATOMIC)/ACCESS_STORE)/'
mistake "random: a block keeps what the one before made of its parameters" sim/lang/code.c \
    's/return at->extra + 1;/return 0;/'


echo "$killed killed, $survived survived, $stale without their line"
[ "$survived" = 0 ] && [ "$stale" = 0 ] && [ "$killed" -gt 0 ]
