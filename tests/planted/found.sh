#!/bin/sh
# The program with the planted bug (planted.c) is told by every check that has no other way to go wrong: found.sh PROGRAM
set -u
program=$1
store=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
fail() {
    echo "planted: $1" >&2
    cat "$out" >&2
    exit 1
}

"$program" owners tiled -m 96 -n 96 >"$out" 2>&1
[ $? -eq 1 ] || fail "owners should exit 1: a cell of each store of the lane is missing"
grep -q 'it leaves 4 cells missing, 4 cells with writers that disagree$' "$out" ||
    fail "owners should name the 4 cells that the lane misses and the 4 that it takes"

# What a GPU counted differs from the bent stores in their sectors, and in nothing else: all other counters, those of
# instructions that a warp passes with no lane among them, come through the planted layer as they were.
"$program" compare tests/data/confirmed_launches.csv >"$out" 2>&1
[ $? -eq 1 ] || fail "compare should exit 1: store sectors differ"
grep -q "^line .*: $store: predicted" "$out" || fail "compare should find store sectors that differ"
grep '^line ' "$out" | grep -v ": $store: predicted" >"$out.other"
mv "$out.other" "$out"
[ -s "$out" ] && fail "compare should find differences in store sectors only"

"$program" confirm tiled -m 96 -n 96 >"$out" 2>&1
case $? in
    1) grep -q 'wrong owners 12, wrong addresses 4' "$out" || fail "confirm should find 12 owners and 4 addresses" ;;
    3) echo "note: no GPU, so confirm was not tried" ;;
    *) fail "confirm should exit 1: something differs, or 3: no GPU" ;;
esac
echo "the planted bug is found, and nothing else"
