#!/bin/sh
# Runs test programs from the project's top, several at once: run.sh JOBS PROGRAM ...
# Shows each in the order given, its output where it fails, and ends with the totals. A test program is a CMocka
# group; its "[  PASSED  ]" and "[  FAILED  ]" and "[  SKIPPED ]" lines are counted.
set -u
jobs=$1
shift
passed=0 failed=0 skipped=0 broken=""
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT
trap 'exit 130' INT TERM HUP
count() { # the number in the summary line of that kind
    sed -n "s/^\[ *$1 *\] \([0-9][0-9]*\) test(s).*/\1/p" "$log" | tail -n 1
}

# In the order given; $logs/NAME.code is there once NAME has ended.
report() {
    for program in "$@"; do
        name=$(basename "$program")
        log=$logs/$name
        while [ ! -e "$log.code" ] && read -r _; do :; done
        code=$(cat "$log.code" 2>/dev/null || echo 255) # 255: it was never run
        [ -e "$log" ] || : >"$log"
        p=$(count PASSED) f=$(count FAILED) s=$(count SKIPPED)
        passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
        printf '%-28s %3s passed' "$name" "${p:-0}"
        [ "${s:-0}" != 0 ] && printf ', %s skipped' "$s"
        grep '^note: ' "$log" | sed 's/^note: /  (/; s/$/)/' | tr -d '\n'
        echo
        if [ "$code" -ne 0 ]; then
            broken="$broken $name"
            cat "$log"
            [ "${f:-0}" = 0 ] && failed=$((failed + 1)) # it died before its summary
        fi
    done
    [ -n "$broken" ] && echo "failed:$broken"
    echo "[  PASSED  ] $passed test(s)."
    [ "$failed" != 0 ] && echo "[  FAILED  ] $failed test(s)."
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# Each program that has ended is a line in the pipe: report then looks whether its turn has come.
export logs
# shellcheck disable=SC2016  # for the shells that xargs starts
printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh -c '
    log=$logs/$(basename "$1")
    "$1" >"$log" 2>&1 </dev/null
    echo $? >"$log.part" && mv "$log.part" "$log.code"
    echo' sh '{}' | report "$@"
