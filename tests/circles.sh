#!/bin/sh
# Whose symbols each object of a folder uses: circles.sh FOLDER prints the objects, users first, and fails if they
# use each other in a circle, which it names.
set -eu
nm -A "$1"/*.o | awk '
    { file = $1; sub(/:.*/, "", file); sub(/.*\//, "", file); symbol = $NF }
    $(NF - 1) == "U" { uses[file " " symbol] }
    $(NF - 1) ~ /^[TDRBC]$/ { owner[symbol] = file }
    END {
        for (use in uses) {
            split(use, part, " ")
            if (owner[part[2]] != "" && owner[part[2]] != part[1])
                print part[1], owner[part[2]]
        }
    }' | sort -u | tsort
