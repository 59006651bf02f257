#!/bin/sh
# How many instructions the three of tests/bench/bench.c take, by callgrind: a figure that no other load on the machine
# changes. Given the bench.
bench=$1
command -v valgrind >/dev/null || { echo "bench: valgrind is not installed: no instructions are counted" && exit 0; }
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$@" 2>&1 | sed -n 's/.*refs: *//p' | tr -d ,
}
printf 'million instructions        by hand    blocks  ratio   census\n'
for row in "1024 1024 32" "1000 700 33" "4096 4096 32" "4096 4096 33" "8191 8193 33"; do
    # shellcheck disable=SC2086 # three operands
    set -- $row
    hand=$(count hand "$@") blocks=$(count blocks "$@") census=$(count census "$@")
    awk -v h="$hand" -v b="$blocks" -v c="$census" -v m="$1 x $2, pitch $3" \
        'BEGIN { printf "%-24s  %9.1f  %8.1f  %5.2f  %7.2f\n", m, h / 1e6, b / 1e6, b / h, c / 1e6 }'
done
count sweep | awk '{ printf "%-24s  %9.1f\n", "sweep of 1,000", $1 / 1e6 }'
