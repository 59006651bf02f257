#!/bin/sh
# How many kernels of a folder of .cu files does lanescope take?
#
#   tests/corpus.sh FOLDER [LIST]     LIST: where to write a line a kernel (default: a temporary file)
#
# Every kernel is tried thrice: with --via builtin, a block, a grid, sizes and what is asked for, so that only the
# language counts; the same with any door; and with --kernel alone. Scalars that nothing says are assumed, or 64.
# A buffer whose contents decide gets random numbers, 0 to 63, a constant that nothing defines 32.
# A line of LIST: FILE, KERNEL, then "yes" or the first refusal for each of the three, with tabs between.
# LANESCOPE names the program, CORPUS_SECONDS the time a kernel may take (default 10), CORPUS_JOBS how many
# run at a time (default 2). CORPUS_PICK=N draws N kernels instead of trying all, CORPUS_SEED (default 1) which.
# CORPUS_FLAGS=PATH tries the built-in language alone, and appends a line for each kernel that it takes: the file and
# the options, with tabs between.
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
lanescope=${LANESCOPE:-$here/lanescope}
if [ $# -lt 1 ] || [ ! -d "$1" ]; then
    echo "usage: tests/corpus.sh FOLDER [LIST]" >&2
    exit 2
fi

# The names of a file's kernels, one a line: what stands before the parameters of a __global__ function.
kernels() {
    awk '
    { text = text $0 "\n" }
    END {
        gsub(/\r/, "", text)
        gsub(/\\\n/, " ", text)
        n = length(text)
        while (text != "") { # comments and strings away
            if (!match(text, /\/\/|\/\*|"/)) { out = out text; break }
            out = out substr(text, 1, RSTART - 1)
            what = substr(text, RSTART, RLENGTH)
            text = substr(text, RSTART + RLENGTH)
            end = what == "//" ? "\n" : what == "/*" ? "\\*/" : "([^\"\\\\]|\\\\.)*\""
            if (!match(text, end)) break
            if (what == "//") text = substr(text, RSTART)
            else text = " " substr(text, RSTART + RLENGTH)
        }
        count = split(out, part, "__global__")
        for (i = 2; i <= count; i++) {
            p = part[i]
            while (match(p, /(__launch_bounds__|__attribute__|__align__|alignas)[ \t\n]*\([^()]*(\([^()]*(\([^()]*\))?[^()]*\)[^()]*)*\)/))
                p = substr(p, 1, RSTART - 1) " " substr(p, RSTART + RLENGTH)
            if (!match(p, /^[^(;{]*\(/)) continue
            head = substr(p, 1, RLENGTH - 1)
            rest = substr(p, RLENGTH)
            depth = 0 # a body follows the parameters?
            for (k = 1; k <= length(rest) && k < 6000; k++) {
                c = substr(rest, k, 1)
                depth += (c == "(") - (c == ")")
                if (!depth) break
            }
            if (substr(rest, k + 1) !~ /^[ \t\n]*(__launch_bounds__[^{]*)?\{/) continue
            if (match(head, /[A-Za-z_][A-Za-z_0-9]*[ \t\n]*$/)) {
                name = substr(head, RSTART)
                gsub(/[ \t\n]/, "", name)
                if (!seen[name]++) print name
            }
        }
    }' "$1"
}

# Runs the program; 0 and nothing if it took the kernel, otherwise the first refusal. 1 is an answer "no" about
# the kernel, so it took it; what is said before the numbers (passed over includes) is no refusal.
attempt() {
    message=$(timeout "${CORPUS_SECONDS:-10}" "$lanescope" ladder "$@" --format csv -o /dev/null 2>&1 </dev/null)
    code=$?
    example=$(printf '%s\n' "$message" | sed -n 's/^for example: //p')
    [ $code -le 1 ] && return 0
    [ $code -eq 124 ] && message="takes longer than ${CORPUS_SECONDS:-10} seconds"
    [ $code -gt 124 ] && message="CRASHED with $code: $message"
    message=$(printf '%s\n' "$message" | awk '
        /^for example: / { next }
        at && NR == at + 1 { line = $0 }
        !at { text = $0 } # what was assumed or read elsewhere comes before the refusal
        !at && /^[^ ].*:[0-9]+:[0-9]+: / && !/: note: / { at = NR }
        at && NR == at + 2 && match($0, /\^/) { # the word at the caret
            word = substr(line, RSTART)
            if (match(word, /^[A-Za-z_0-9:]+/)) word = substr(word, 1, RLENGTH)
            else word = substr(word, 1, 1)
        }
        END { print text (text ~ / (a type is|a value is|should end|is a namespace)/ ? " [" word "]" : "") }' | tr '\t' ' ')
    return 1
}

# The same with what is asked for: 64 for every scalar, 32 for every constant, numbers by chance in a buffer, a template's
# arguments and shared bytes as the example in the complaint has them.
attempt_with_values() {
    tries=0
    taken=
    while ! attempt "$@"; do
        tries=$((tries + 1))
        before=$#
        for name in $(printf '%s\n' "$example" | grep -o -e " --arg '*[]A-Za-z_0-9.+[]*=" | sed "s/.* '*//"); do
            set -- "$@" --arg "${name}64"
        done
        for name in $(printf '%s\n' "$example" | grep -o -e ' -D [A-Za-z_0-9]*=' | sed 's/.* //'); do
            set -- "$@" -D "${name}32"
        done
        data=$(printf '%s\n' "$message" | sed -n 's/.*give it with --data \([A-Za-z_0-9.+]*\)=.*/\1/p')
        case " $* " in
        *" $data=random:0..63 "*) data= ;; # it has it, and that is not enough
        esac
        if [ "$data" ]; then
            set -- "$@" --data "$data=random:0..63"
        fi
        template=$(printf '%s\n' "$example" | sed -n "s/.* --template '\([^']*\)'.*/\1/p; s/.* --template \([^' ]*\).*/\1/p")
        if [ -n "$template" ]; then
            set -- "$@" --template "$template"
        fi
        case $example in
        *" --shared "*) set -- "$@" --shared 8192 ;;
        esac
        if [ $# -eq "$before" ] || [ $tries -ge 12 ]; then
            return 1
        fi
    done
    taken=$(printf '%s\t' "$@")
}

# What "NAME" of a file stands for: itself, or NAME:LINE for each of its overloads.
overloads() {
    attempt "$1" --kernel "$2" --block 32 --grid 1
    case $message in
    *" choose one by its line: "*) printf '%s\n' "${message##*: }" | tr -d ' ' | tr ',' '\n' ;;
    *) printf '%s\n' "$2" ;;
    esac
}

# The three trials of a kernel.
try_kernel() {
    attempt_with_values "$1" --kernel "$2" --block 32x8 --grid 2x2 -m 64 -n 64 ${via:+--via builtin} && message=yes
    builtin=$message
    if [ "${CORPUS_FLAGS:-}" ]; then
        [ "$builtin" = yes ] && printf '%s\n' "${taken%"$tab"}" | sed "s/$tab--via${tab}builtin//" >>"$CORPUS_FLAGS"
        printf '%s\t%s\t%s\t\t\n' "$1" "$2" "$builtin"
        return
    fi
    any=$builtin
    if [ "$via" ] && [ "$builtin" != yes ]; then
        attempt_with_values "$1" --kernel "$2" --block 32x8 --grid 2x2 -m 64 -n 64 && message=yes
        any=$message
    fi
    attempt "$1" --kernel "$2" && message=yes
    printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$builtin" "$any" "$message"
}

tab=$(printf '\t')
if [ "${CORPUS_ONE:-}" ]; then # for xargs: FOLDER FILE, or FOLDER "FILE KERNEL" with a tab between
    file=${2%%"$tab"*}
    via=
    "$lanescope" ladder --help | grep -q -e --via && via=1
    case $2 in
    *"$tab"*) names=${2#*"$tab"} ;;
    *) names=$(kernels "$file") ;;
    esac
    for name in $names; do
        for kernel in $(overloads "$file" "$name"); do
            try_kernel "$file" "$kernel"
        done
    done
    exit 0
fi

list=${2:-$(mktemp)}
export LANESCOPE="$lanescope"
find "$1" -name '*.cu' -type f -print0 | sort -z |
    xargs -0 grep -lZ -e __global__ 2>/dev/null |
    if [ "${CORPUS_PICK:-}" ]; then
        xargs -0 -n 1 printf '%s\n' | while IFS= read -r file; do
            for name in $(kernels "$file"); do
                printf '%s\t%s\n' "$file" "$name"
            done
        done | awk -v pick="$CORPUS_PICK" -v seed="${CORPUS_SEED:-1}" '
            { line[NR] = $0 }
            END { # Lehmer random numbers: the same everywhere
                for (i = NR; i >= 1 && NR - i < pick; i--) {
                    seed = (seed * 16807) % 2147483647
                    j = seed % i + 1
                    t = line[i]; line[i] = line[j]; line[j] = t
                    print line[i]
                }
            }' | tr '\n' '\0'
    else
        cat
    fi |
    xargs -0 -n 1 -P "${CORPUS_JOBS:-2}" env CORPUS_ONE=1 sh "$here/tests/corpus.sh" "$1" >"$list"

awk -F '\t' -v folder="$1" '
function percent(n, of) { return of ? sprintf("%5.1f %%", 100 * n / of) : "" }
function class(m,    word) { # the message without its place and without the names of this one file
    sub(/^.*\.(cuh?|h|hpp|inl):[0-9]+:[0-9]+: /, "", m)
    sub(/^lanescope: /, "", m)
    sub(/^.*\.cu( |:)/, "FILE ", m)
    sub(/; it has: .*/, "", m)
    sub(/; headers that were not found: [^;]*/, "", m)
    sub(/has [0-9]+ kernels named .*/, "has several kernels of that name", m)
    word = ""
    if (match(m, /\[[^\]]*\]$/)) {
        word = substr(m, RSTART + 1, RLENGTH - 2)
        m = substr(m, 1, RSTART - 2)
    } else if (match(m, /^[A-Za-z_][A-Za-z_0-9:]* (is |cannot be called|comes |holds )/)) {
        word = m
        sub(/ .*/, "", word)
        m = "NAME" substr(m, length(word) + 1)
    } else if (match(m, /loaded from `[^`]*`/)) {
        word = substr(m, RSTART + 13, RLENGTH - 14)
        m = substr(m, 1, RSTART + 12) "NAME" substr(m, RSTART + RLENGTH - 1)
        sub(/--data [^ ]*=/, "--data NAME=", m)
    } else if (match(m, /parameter [A-Za-z_0-9]+/)) {
        word = substr(m, RSTART + 10, RLENGTH - 10)
        m = substr(m, 1, RSTART + 9) "NAME" substr(m, RSTART + RLENGTH)
    }
    gsub(/ [0-9]+/, " N", m)
    if (word != "") named[column, m, word]++
    return m
}
function most_named(m,    key, part, best, out, round) { # the names that a class is about, with their counts
    for (round = 0; round < 24; round++) {
        best = ""
        for (key in named) {
            split(key, part, SUBSEP)
            if (part[1] == column && part[2] == m && (best == "" || named[key] > named[best])) best = key
        }
        if (best == "") break
        split(best, part, SUBSEP)
        out = out (round ? ", " : "\n        ") part[3] " " named[best]
        delete named[best]
    }
    return out
}
{
    files[$1]; kernels++
    is_transpose = tolower($2) ~ /transpose/
    transposes += is_transpose
    for (i = 3; i <= 5; i++)
        if ($i == "yes") { taken[i]++; taken_transpose[i] += is_transpose }
        else if (i < 5) { column = i; refusal[i, class($i)]++ }
}
END {
    for (f in files) file_count++
    printf "%d files, %d kernels (%d named transpose)\n", file_count, kernels, transposes
    split("builtin alone,any door,--kernel alone", names, ",")
    for (i = 3; i <= 5; i++)
        printf "  %-15s %6d  %s   of transposes %5d  %s\n", names[i - 2], taken[i], percent(taken[i], kernels),
               taken_transpose[i], percent(taken_transpose[i], transposes)
    for (column = 3; column <= 4; column++) {
        printf "\nfirst refusals, %s\n", names[column - 2]
        for (;;) {
            most = ""
            for (key in refusal) {
                split(key, part, SUBSEP)
                if (part[1] == column && (most == "" || refusal[key] > refusal[most])) most = key
            }
            if (most == "") break
            split(most, part, SUBSEP)
            printf "%6d  %s%s\n", refusal[most], part[2], most_named(part[2])
            delete refusal[most]
        }
    }
}' "$list"
[ $# -ge 2 ] || rm -f "$list"
