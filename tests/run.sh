#!/bin/sh
# Runs every test program of a folder from the project's top, shows what fails, and ends with the totals.
# A test program is a CMocka group; its "[  PASSED  ]" and "[  FAILED  ]" and "[  SKIPPED ]" lines are counted.
set -u
folder=$1
passed=0 failed=0 skipped=0 broken=""
log=$(mktemp)
trap 'rm -f "$log"' EXIT
count() { # the number in the summary line of that kind
    sed -n "s/^\[ *$1 *\] \([0-9][0-9]*\) test(s).*/\1/p" "$log" | tail -n 1
}
for program in "$folder"/test_*; do
    case $program in *.d | *.o | *.dSYM) continue ;; esac
    "$program" >"$log" 2>&1
    code=$?
    p=$(count PASSED) f=$(count FAILED) s=$(count SKIPPED)
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
    printf '%-28s %3s passed' "$(basename "$program")" "${p:-0}"
    [ "${s:-0}" != 0 ] && printf ', %s skipped' "$s"
    grep '^note: ' "$log" | sed 's/^note: /  (/; s/$/)/' | tr -d '\n'
    echo
    if [ $code -ne 0 ]; then
        broken="$broken $(basename "$program")"
        cat "$log"
        [ "${f:-0}" = 0 ] && failed=$((failed + 1)) # it died before its summary
    fi
done
[ -n "$broken" ] && echo "failed:$broken"
echo "[  PASSED  ] $passed test(s)."
[ "$failed" != 0 ] && echo "[  FAILED  ] $failed test(s)."
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
