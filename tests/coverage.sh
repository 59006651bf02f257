#!/bin/sh
# How much of each source the tests ran: coverage.sh FOLDER, the folder of a MODE=coverage build whose tests have run.
# A line a file, least covered first, then the sum. $GCOV is the gcov of the compiler that built it.
set -u
folder=$1
find "$folder" -name '*.gcda' ! -path '*/tests/*' | sort | while read -r counts; do
    source=${counts#"$folder"/}
    "${GCOV:-gcov}" -n "$counts" 2>/dev/null | awk -v source="${source%.gcda}.c" '
        /^File / { wanted = $0 == "File \x27" source "\x27" }
        wanted && sub(/^Lines executed:/, "") { split($0, part, "% of "); print source, part[1], part[2]; exit }'
done | sort -k2n | awk '
    { printf "%-32s %6.1f %% of %4d lines\n", $1, $2, $3; ran += $2 * $3 / 100; lines += $3 }
    END {
        if (!lines) { print "no counts: the tests of a MODE=coverage build have not run"; exit 1 }
        printf "%-32s %6.1f %% of %4d lines\n", "all", 100 * ran / lines, lines
    }'
