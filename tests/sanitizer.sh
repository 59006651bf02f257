#!/bin/sh
# What does NVIDIA's compute-sanitizer say of the zoo's kernels? Its four tools, on a GPU, for docs/audit.md.
#
#   tests/sanitizer.sh build OUT   OUT/zoo: the kernels as one program; needs nvcc, and no GPU
#   tests/sanitizer.sh run OUT     on a GPU: OUT/sanitizer.csv, a row for each kernel and tool, and one (tool: result)
#                                  for what a plain run leaves wrong; needs no nvcc and nothing of the repository but
#                                  this script
#
# NVCC names the compiler, SANITIZER the checker, SANITIZER_ARCH what is compiled for (default sm_90), SANITIZER_SECONDS
# the time a kernel may take under a tool (default 30), SANITIZER_JOBS how many run at a time (default 8). Columns:
# kernel, tool, findings (how many; of result: wrong cells), lines (of the kernel's file, all that the report names),
# first (the first finding's first words). What did not come to its end has no count.
set -u
here=$(cd "$(dirname "$0")" && pwd)
usage() {
    sed -n '4,13s/^# *//p' "$0" >&2
    exit 2
}
note() { # FILE WORD: what the comment at the top says
    sed -n "s,^// $2: *,,p" "$1" | sed 's,//.*,,;s/[[:space:]]*$//' | head -1
}

build() {
    out=$1
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    mkdir -p "$out/units" || exit 2
    rm -f "$out"/units/*
    number=0
    for file in "$here"/../cuda/zoo/*.cu; do
        name=$(basename "$file" .cu)
        number=$((number + 1))
        grid=$(note "$file" grid)
        call="turn_matrix(turn, dim3($grid), dim3($(note "$file" block)), fresh)"
        if [ -z "$grid" ]; then # its host code launches it
            call="turn_square(launch, $(sed -n 's/.*const int n = \([0-9]*\);.*/\1/p' "$file" | head -1), fresh)"
        fi
        {
            printf '#include "host.cuh"\nnamespace zoo_%d {\n#include "%s"\n' "$number" "$name.cu"
            printf 'static outcome run(bool fresh)\n{\n    const int rows = ROWS, cols = COLS;\n    (void)rows, (void)cols;\n'
            printf '    return %s;\n}\nstatic kernel it("%s", run);\n}\n' "$call" "$name"
        } >"$out/units/$number.cu"
    done
    # shellcheck disable=SC2016
    printf '%s\n' "$out"/units/*.cu "$here/sanitizer/host.cu" |
        xargs -P "${JOBS:-2}" -I '{}' sh -c '"$0" -c -arch="$1" -lineinfo -I"$2/sanitizer" -I"$2/../cuda/zoo" -o "$3/units/$(basename "$4" .cu).o" "$4"' \
            "$nvcc" "${SANITIZER_ARCH:-sm_90}" "$here" "$out" '{}' || exit 1
    "$nvcc" -arch="${SANITIZER_ARCH:-sm_90}" -cudart static -o "$out/zoo" "$out"/units/*.o || exit 1
    cp "$here/sanitizer.sh" "$out/" && rm -r "$out/units"
    echo "$number kernels in $out/zoo"
}

# KERNEL, its report on standard input: findings,lines,first
digest() {
    awk -v file="$1.cu:" '
        { sub(/^=+ ?/, "") }
        /^(ERROR|RACECHECK) SUMMARY:/ { count = $3; has = 1 }
        /^ *(Saved host|Host Frame)/ { next }
        /^(Invalid|Misaligned|Error|Warning|Barrier|Uninitialized|Host API|Out-of-bounds|Program hit|Potential)/ {
            own = first == ""
            first = own ? $0 : first
        }
        /^ +and (Read|Write)/ && own { sub(/^ +/, " "); first = first $0; own = 0 }
        (at = index($0, file)) {
            number = substr($0, at + length(file)); sub(/[^0-9].*/, "", number)
            if (!(number in seen)) lines = lines (lines == "" ? "" : " ") number
            seen[number] = 1
        }
        END {
            gsub(/zoo_[0-9]+::/, "", first)
            gsub(/\([^()]*\)\+0x[0-9a-f]+/, "", first)
            gsub(/ in [^ ]*\//, " in ", first)
            gsub(/"/, "\"\"", first)
            printf "%s,%s,\"%s\"\n", has ? count : "", lines, first
        }'
}

# KERNEL: its rows, into a file of its own
judge() {
    said=$(timeout -k 5 "$SECONDS_MOST" "$OUT/zoo" "$1" 2>&1)
    code=$?
    [ $code -ne 124 ] || said="$1: not done in $SECONDS_MOST seconds"
    printf '%s,result,%s,,"%s"\n' "$1" "$(printf '%s\n' "$said" | sed -n 's/.*: \([0-9]*\) cells wrong/\1/p')" "${said#"$1: "}"
    for tool in memcheck racecheck initcheck synccheck; do
        fresh=
        [ $tool != initcheck ] || fresh=fresh
        report="$OUT/reports/$1-$tool"
        # shellcheck disable=SC2086
        timeout -k 5 "$SECONDS_MOST" "$SANITIZER" --tool $tool "$OUT/zoo" "$1" $fresh >"$report" 2>&1
        [ $? -ne 124 ] || echo "========= Error: not done in $SECONDS_MOST seconds" >>"$report"
        printf '%s,%s,%s\n' "$1" $tool "$(digest "$1" <"$report")"
    done
}

run() {
    OUT=$1
    SANITIZER=${SANITIZER:-$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)}
    SECONDS_MOST=${SANITIZER_SECONDS:-30}
    if [ ! -x "$OUT/zoo" ] || [ ! -x "$SANITIZER" ]; then
        echo "sanitizer.sh: $OUT/zoo (made by build) and compute-sanitizer ($SANITIZER) are needed" >&2
        exit 3
    fi
    export OUT SANITIZER SECONDS_MOST
    rm -rf "$OUT/reports" "$OUT/rows"
    mkdir -p "$OUT/reports" "$OUT/rows" || exit 2
    # shellcheck disable=SC2016
    "$OUT/zoo" | xargs -P "${SANITIZER_JOBS:-8}" -I '{}' sh -c 'SANITIZER_ONE=1 sh "$0" judge "$1" >"$OUT/rows/$1"' \
        "$here/sanitizer.sh" '{}'
    {
        echo kernel,tool,findings,lines,first
        cat "$OUT"/rows/*
    } >"$OUT/sanitizer.csv"
    rm -r "$OUT/rows"
    (cd "$OUT" && tar -czf reports.tar.gz reports)
    echo "$(($(wc -l <"$OUT/sanitizer.csv") - 1)) rows in $OUT/sanitizer.csv; the reports are in $OUT/reports.tar.gz"
}

[ $# -eq 2 ] || usage
case $1 in
build) build "$2" ;;
run) run "$(cd "$2" && pwd)" ;;
judge)
    [ "${SANITIZER_ONE:-}" ] || usage
    judge "$2"
    ;;
*) usage ;;
esac
