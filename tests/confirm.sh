#!/bin/sh
# What does `lanescope confirm` take of people's kernels, and do the lanes' addresses agree?
#
#   tests/confirm.sh collect FOLDER OUT [N [SEED]]   N kernels (default 300) drawn from the .cu files of FOLDER that
#                                                    the built-in language takes: OUT/list, and their files beside it
#   tests/confirm.sh dry OUT                         are they compiled with every access recorded? No GPU is needed
#   tests/confirm.sh run OUT                         on a GPU: every lane's address
#
# A line of OUT/list: a file in OUT, then the options of its kernel, with tabs between. Every scalar that is asked
# for gets 64, a template what the complaint shows, a buffer whose contents decide random:0..63. OUT/result gets a
# line a kernel: the first words of what was said, file and options. At most 12 lines of it are shown.
# LANESCOPE names the program, CONFIRM_SECONDS the time a kernel may take (default 60), CONFIRM_JOBS how many run at a
# time (default 2, on a GPU 12).
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
lanescope=${LANESCOPE:-$here/lanescope}
tab=$(printf '\t')
usage() {
    sed -n '3,7s/^# *//p' "$0" >&2
    exit 2
}

if [ "${CONFIRM_ONE:-}" ]; then # one line of a list, for xargs
    line=$2
    how=$3
    cd "$1" || exit 2
    old=$IFS
    IFS=$tab
    # shellcheck disable=SC2086
    set -- $line
    IFS=$old
    message=$(timeout "${CONFIRM_SECONDS:-60}" "$lanescope" confirm "$@" --addresses ${how:+"$how"} -f csv 2>&1 </dev/null)
    code=$?
    lanes=$(printf '%s\n' "$message" | awk -F, '/^kernel,/ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        at["lane_addresses"] && $at["configurations"] == "1" { n += $at["lane_addresses"]; w += $at["wrong_addresses"] } END { print n + 0, w + 0 }')
    said=$(printf '%s\n' "$message" | grep -v ' passed over: ' | grep -e 'first:' -e 'error' -e 'lanescope: ' -e '\.cu:' | head -1 | tr '\t' ' ')
    case $code in
    0) said=yes ;;
    1) said="DIFFERS $said" ;;
    124) said="takes longer than ${CONFIRM_SECONDS:-60} seconds" ;;
    *) [ "$said" ] || said="ended with $code" ;;
    esac
    printf '%s\t%s\t%s\n' "$said" "$lanes" "$line"
    exit 0
fi

[ $# -ge 2 ] || usage
case $1 in
collect)
    if [ $# -lt 3 ] || [ ! -d "$2" ]; then
        usage
    fi
    mkdir -p "$3/files" || exit 2
    CORPUS_PICK=${4:-300} CORPUS_SEED=${5:-1} CORPUS_FLAGS="$3/flags" sh "$here/tests/corpus.sh" "$2" "$3/tried" >/dev/null
    sort -u "$3/flags" | awk -F '\t' -v out="$3" '
        { # a folder a file, with the headers that lie beside it
            if (!($1 in folder)) {
                folder[$1] = "files/" ++n
                path = $1; sub(/\/[^\/]*$/, "", path)
                printf "mkdir -p \"%s/%s\" && cp \"%s\" \"%s/%s/\" && find \"%s\" -maxdepth 1 -size -200k \\( -name \"*.h\" -o -name \"*.cuh\" -o -name \"*.hpp\" -o -name \"*.inl\" \\) -exec cp {} \"%s/%s/\" \\;\n", out, folder[$1], $1, out, folder[$1], path, out, folder[$1] > (out "/copy")
            }
            file = $1; sub(/.*\//, "", file)
            line = folder[$1] "/" file
            for (i = 2; i <= NF; i++) line = line "\t" $i
            print line > (out "/list")
        }'
    sh "$3/copy"
    rm -f "$3/copy" "$3/flags"
    echo "$(wc -l <"$3/list") kernels in $3/list"
    ;;
dry | run)
    [ -f "$2/list" ] || usage
    how=
    jobs=${CONFIRM_JOBS:-12}
    if [ "$1" = dry ]; then
        how=--dry-run
        jobs=${CONFIRM_JOBS:-2}
    fi
    export LANESCOPE="$lanescope"
    tr '\n' '\0' <"$2/list" | xargs -0 -I '{}' -P "$jobs" env CONFIRM_ONE=1 sh "$here/tests/confirm.sh" "$2" '{}' "$how" >"$2/result"
    awk -F '\t' '
        { kernels++; split($2, n, " "); lanes += n[1]; wrong += n[2] }
        $1 == "yes" { taken++; next }
        $1 ~ /^DIFFERS/ { differ++ }
        { if (shown++ < 12) print substr($1, 1, 200) " | " $3 }
        END {
            printf "%d kernels: %d taken (%.1f %%), %d of them differ; %d lane addresses, %d wrong\n", kernels, taken + differ,
                   kernels ? 100 * (taken + differ) / kernels : 0, differ, lanes, wrong
        }' "$2/result"
    ;;
*) usage ;;
esac
