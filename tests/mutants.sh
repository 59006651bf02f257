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

cp -Rp Makefile compile_flags.txt CHANGELOG.md CONTRIBUTING.md LICENSE README.md .ci .clang-format base cuda debian docs lib packaging sim src tests wasm "$copy" && cd "$copy" || exit 2
build=$(make -s print-folder)
echo "building the copy"
make -s -j"$jobs" lanescope || exit 2

# The names of the test programs that patterns of the shell mean: those alone are built of a mutant.
programs_of() {
    for pattern in "$@"; do
        for source in tests/$pattern.c; do
            printf '%s ' "$(basename "$source" .c)"
        done
    done
}

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
    if ! make -s -j"$jobs" lanescope test-programs ONLY="$(programs_of "$@")" >log 2>&1; then
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

mutant "a tally's memo does not tell kinds of access" sim/count/tally.c \
    's/(uint32_t)site->kind->id << 15/0u/' test_tally
mutant "a tally's memo does not tell widths" sim/count/tally.c \
    's/site->lane_bytes << 8/0u/' test_tally
mutant "a tally's memo does not tell alignments" sim/count/tally.c \
    's/(shared ? 3u : 31u)/0u/' test_tally
mutant "registers are not given out by partition" sim/model/occupancy.c \
    's:SM_REGISTERS / PARTITIONS / per_warp \* PARTITIONS:SM_REGISTERS / per_warp:' test_device
mutant "a barrier waits for returned warps" sim/exec/block.c \
    's/if (warp->state != WARP_WAITING)/if (warp->state == WARP_DONE) return execution_fail(e, e->program->code, "no"); else if (0)/' test_exec
mutant "a barrier waits for returned lanes" sim/exec/warp.c \
    's/missing = warp_alive(warp) \& ~warp->active/missing = warp->present \& ~warp->active/' test_exec test_findings
mutant "a signed shift past the width loses the sign" sim/exec/number.c \
    's/(a < 0 ? -1 : 0)/0/' test_exec
mutant "a left shift past the width turns round" sim/exec/number.c \
    's/ub >= bits ? 0 : (int64_t)(ua << ub)/(int64_t)(ua << (ub % bits))/' test_exec
mutant "a lane's second word is asked of no bank" sim/model/bank.c \
    's/int64_t last = unit_of(.*/int64_t last = unit_of(address(lanes, i), BANK_BYTES);/' test_bank
mutant "a wavefront does not name the lane of a second word" sim/model/bank.c \
    's/word >= begin && word <= end/word == begin \&\& end >= begin/' test_bank
mutant "misaligned lanes are no fault in the ladder" src/cmd_ladder.c \
    's/row->totals.out_of_bounds || row->totals.misaligned/row->totals.out_of_bounds/' test_faults
mutant "lanes out of bounds are no fault in the ladder" src/cmd_ladder.c \
    's/row->totals.out_of_bounds || row->totals.misaligned/row->totals.misaligned/' test_faults
mutant "a race is no fault in a trace" src/cmd_trace.c \
    's/access->misaligned | access->hazard) != 0/access->misaligned) != 0/' test_faults
mutant "faults of a trace do not reach the exit code" src/cmd_trace.c \
    's/overflow || trace->faults ? EXIT_NO/overflow ? EXIT_NO/' test_faults
mutant "judgements are painted the other way round" base/table.c \
    's/good ? CELL_GOOD : CELL_BAD/good ? CELL_BAD : CELL_GOOD/' test_faults test_output
mutant "good cells are not painted" base/table.c \
    's/good ? CELL_GOOD : CELL_BAD/good ? CELL_PLAIN : CELL_BAD/' test_faults test_output
mutant "low efficiency is painted as good" src/ladder_row.c \
    's/tally_efficiency(tally) >= 75.0/tally_efficiency(tally) >= 5.0/' test_faults
mutant "lines of a headnote keep their carriage return" sim/report/headnote.c \
    "s/(line\\[size - 1\\] == '.r' || line\\[size - 1\\] == ' ')/line[size - 1] == ' '/" test_headnote
mutant "a wrong write after two right ones leaves them right" sim/audit/judge.c \
    's/\[CELL_RIGHT_TWICE\] = {CELL_DISAGREE, CELL_RIGHT_TWICE}/[CELL_RIGHT_TWICE] = {CELL_RIGHT_TWICE, CELL_RIGHT_TWICE}/' 'test_*'
mutant "patterns keep their generation when collected" sim/exec/pattern.c \
    's/fresh.generation = table->generation + 1/fresh.generation = table->generation/' 'test_*'
mutant "the race bookkeeping knows one reader" sim/exec/order.c \
    's/use->read = read ? many : self/use->read = self/' 'test_*'
mutant "the owners' fingerprint is of the first component" sim/audit/judge.c \
    's/c < write->first + write->parts/c < write->first + 1/' 'test_*'
mutant "a third pointer has the input's offset" sim/report/scenario_arguments.c \
    's/^            offset = 0;/            (void)0;/' 'test_*'
mutant "a token's parts count downwards" sim/exec/data.h \
    's/token + (int64_t)(i \* e->program->granule) : token/token - (int64_t)(i * e->program->granule) : token/' 'test_*'
mutant "a loaded number that may change leaves the loop's proof" sim/exec/state.h \
    's/    if (snapshot->warp == warp->index)$/    if (snapshot->warp == warp->index + 99)/' test_data
mutant "a block that runs alone goes on with others' writes" sim/exec/block.c \
    '/^bool execution_run_block(/,/^}/s/    cells_rewind(execution);//' test_data
mutant "a number in shared memory has any width" sim/exec/memory.c \
    's/if (e->held\[at + i\] != (HELD_PART(width, i) | real))/if (!e->held[at + i])/' test_data
mutant "the second cell of a wide load is the first" sim/exec/contents.c \
    's/ << 8 \* done;/;/' test_data
mutant "what shared memory decides is not followed in a count" sim/exec/execution.c \
    's/!follow_shared(e->program, e->cells != NULL, cells_have_reals(e))/true/' test_data
mutant "a break does not keep its if from being passed" sim/lang/quiet.c \
    's/op == OP_BREAK || op == OP_CONTINUE || op == OP_LEAVE/op == OP_CONTINUE || op == OP_LEAVE/' test_data
mutant "what a passed condition assigns is still known" sim/exec/quiet.c \
    's/at->op == OP_PUT ? at->extra + 1 :/at->op == OP_PUT ? 0 :/' test_data
mutant "a floating product that rounds is a number" sim/exec/real.c \
    's/fma(a, b, -\*x) == 0/true/; s/ldexp(mantissa, 24) == rint(ldexp(mantissa, 24))/true/; s/return (double)(float)x == x/return true/' test_data
mutant "an index of constant data is not read" sim/lang/code_memory.c \
    's/^        code_steps(coder, e->a);$//' test_dialect
mutant "<= holds like < for a region's blocks" sim/exec/affine_compare.c \
    's/int128 below = op == OP_LE ? 1 : 0;/int128 below = 0;/' test_census
mutant "a residue has a block less" sim/census/count.c \
    's|(count - 1 - i) / LINE_BYTES + 1|(count - 1 - i) / LINE_BYTES|' test_census
mutant "boxes of cells that meet are apart" sim/census/cover.c \
    's/    if (row_end <= both.row || /    if (row_end <= both.row + 1 || /' test_census
mutant "thinned blocks lie closer" sim/exec/region.c \
    's/axis->step \*= count > 1 ? (uint32_t)every : 1/axis->step += count > 1 ? (uint32_t)every : 0/' test_region

# Threads
mutant "threads: the first finding is the last worker's" sim/exec/noticed.c \
    's/if (from->lanes && (!to->lanes || launch_block_before(from->block, to->block)))/if (from->lanes)/' test_threads
mutant "threads: a race is placed by the worker that comes first" sim/audit/owners.c \
    's/if (from->site && (!to->site || launch_block_before(from->block, to->block)))/if (from->site \&\& !to->site)/' test_threads
mutant "threads: a part's cells are not added" sim/audit/owners.c 's/owners->counts\[i\] += part->counts\[i\];//' test_threads
mutant "threads: blocks that see each other's writes run in any order" src/run.c 's/return known && writes;/return false;/' test_threads
mutant "threads: audits of atomics run in any order" sim/audit/owners.c 's/kind->id == GLOBAL_ATOMIC/kind->id == ACCESS_KINDS/' test_threads
mutant "threads: the problem is that of the first that failed in time" src/crew.c \
    's/!crew->failed || first < queue->end/!crew->failed/' test_threads
mutant "threads: the problem is worker 0's" src/run.c 's/gang.runners\[crew.failed_worker\].problem;/gang.runners[0].problem;/' test_threads
mutant "threads: a worker's sums are lost" src/totals.c 's/    tally_add(&whole->tally, &part->tally);//' test_threads
mutant "threads: a barrier that was missed is placed by any worker" src/totals.c \
    's/(!totals->missed || launch_block_before(block, totals->barrier_block))/true/' test_threads
mutant "threads: Ctrl-C is not asked about" src/crew.c 's/queue->next < queue->end && interrupt_asked()/false/' test_threads
mutant "threads: Ctrl-C waits for a warp" src/patience.c 's/if (interrupt_asked())/if (0)/' test_threads

# Sweeps
mutant "sweep: the first axis varies fastest" src/sweep/axes.c \
    's/for (unsigned i = axes->count; --i > axis;)/for (unsigned i = 0; i < axis; i++)/' test_sweep
mutant "sweep: a range ends before its last number" src/sweep/axes.c 's/value <= range\[1\]; value/value < range[1]; value/' test_sweep
mutant "sweep: commas in parentheses part values" src/sweep/axes.c "s/ || depth > 0);/);/" test_sweep
mutant "sweep: a refused row ends it" src/sweep/sweep.c 's/^    row->state = SWEEP_REFUSED;/    exit(2);/' test_sweep
mutant "sweep: stores' wavefronts are left out" src/sweep/sweep.c 's/= {SHARED_LOAD, SHARED_STORE, /= {SHARED_LOAD, SHARED_LOAD, /' test_sweep
mutant "sweep: equal rows change places" src/sweep/rows.c 's/compare(order, &rows\[a\], &rows\[b\]) <= 0/compare(order, \&rows[a], \&rows[b]) < 0/' test_sweep
mutant "sweep: the largest comes first" src/sweep/rows.c 's/(x < y) == !key->largest_first/(x < y) == key->largest_first/' test_sweep
mutant "sweep: a rung has rows for a macro that it does not use" src/sweep/sweep.c 's/source_mentions(source, axis->name)/true/' test_sweep
mutant "sweep: a faulty row is no answer" src/sweep/sweep.c "s/row->faulty = text\[0\] != '.0';/row->faulty = false;/" test_sweep

# Advice
mutant "advise: faults of a candidate are forgiven" src/advise/layout.c 's/candidate->sample.cost.faults <= l->before.cost.faults/true/' test_advise
mutant "advise: what a candidate stores is not compared" src/advise/layout.c \
    's/candidate->sample.fingerprint == l->before.fingerprint/true/' test_advise
mutant "advise: the fingerprint does not see data" src/advise/trial.c 's/mix(hash, stores ? /mix(hash, false ? /' test_advise
mutant "advise: half a period of pads is tried" src/advise/layout.c 's/pad <= period; pad/2 * pad <= period; pad/' test_advise
mutant "advise: a swizzle shifts by one bit less" src/advise/layout.c 's/unsigned down = w->m + w->s - bits;/unsigned down = w->m + w->s - bits + 1;/' test_advise
mutant "advise: a swizzle's bits do not come to their place" src/advise/layout.c 's/"%s ^ ((%s%s & %u) << %u)"/"%s ^ ((%s%s \& %u) << 0 * %u)"/' test_advise
mutant "advise: a subscript that changes something is written twice" src/advise/uses.c 's/else if (has_effects(name + 1, end->begin))/else if (false)/' test_advise
mutant "advise: a use without its subscripts is passed over" src/advise/uses.c 's/        refuse(uses, name, "without all its subscripts");/        (void)0;/' test_advise
mutant "advise: any sites are neighbours" src/advise/global.c 's/ && stream->first - of->first == apart)/)/' test_advise
mutant "advise: a vector need not be aligned" src/advise/global.c 's/stream->offsets % (width \* site->lane_bytes) ||//' test_advise
mutant "advise: longer rows are as short" src/advise/global.c 's/        if (change->remap->from\[i\])$/        if (false)/' test_advise
mutant "advise: a diff has one line too few" src/advise/edit.c 's/lines += bytes\[i\] == /lines = bytes[i] == /' test_advise

mutant "a text that never ran is not run when it is mended" src/tui/reload.c \
    's/    if (!state->sides) {/    if (false) {/' test_tui_live
mutant "a place in a line counts bytes" src/tui/pane.c \
    's/TAB_COLS : glyph_cols(glyph)/1 : (int)bytes/' test_tui_live
mutant "compiled code: any branch keeps a lane away" sim/session/lane_compiled.c \
    's/        return goes;$/        return true;/' test_session
mutant "compiled code: operands of a comparison stay exchanged" sim/session/lane_compiled.c \
    's/place_has(place, ".ge")/false/' test_session
mutant "the last line does not name the findings" src/tui/bar.c \
    's/action->run == list_findings ? 0 : action->rank/false ? 0 : action->rank/' test_tui_panes
mutant "half of a wide glyph stays" src/tui/canvas.c \
    's/if (cell->glyph == GLYPH_BEHIND \&\& index)/if (false)/' test_tui_canvas

mistake "random: a return inside a function is its end" sim/lang/inline.c \
    's/e->value = call.returns - ends_so;/e->value = 0;/'
mistake "random: a type behind an arrow is not seen" sim/lang/inline.c \
    "s/if (behind < function->end \&\& token_is_punct(behind, PUNCT2('-', '>'))) {/if (0) {/"
mistake "random: an index of an array is computed twice" sim/lang/build.c 's/build_is_indexed(a))/false)/'
mistake "random: a reference moves with its index" sim/lang/parse_statement.c \
    's/value = build_fixed(parser, value, &end);/(void)end;/'
mistake "random: a union's int is its unsigned" sim/lang/build.c \
    's/part->is_other = part->kind == EXPR_COMPONENT;/part->is_other = false;/'
mistake "random: members of a struct lie on each other" sim/lang/record.c \
    's/.slot = record->is_union ? 0 : record->slots/.slot = 0/'
mistake "random: an enum class counts from 1" sim/lang/parse_type.c \
    's/^    symbol->value = value;/    symbol->value = value + (of != NULL);/'
mistake "random: all lanes agree where one does not" sim/exec/shuffle.c 's/: yes == lanes;/: yes != 0;/'
mistake "random: an atomic is a store" sim/lang/code_intrinsic.c 's/ACCESS_ATOMIC)/ACCESS_STORE)/'
mistake "random: a block keeps what the one before made of its parameters" sim/lang/code.c \
    's/return at->extra + 1;/return 0;/'


echo "$killed killed, $survived survived, $stale without their line"
[ "$survived" = 0 ] && [ "$stale" = 0 ] && [ "$killed" -gt 0 ]
