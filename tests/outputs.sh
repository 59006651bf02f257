#!/bin/sh
# Runs every command line of tests/data/outputs/commands.txt and prints, for each, its exit code, a checksum of what
# it wrote to both outputs, and the command. A change that is to leave behaviour alone leaves this list alone:
#     sh tests/outputs.sh >before.txt ... sh tests/outputs.sh | diff before.txt -
# $LANESCOPE is the program (default ./lanescope).
set -u
cd "$(dirname "$0")/.." || exit 2
# shellcheck disable=SC2034  # in the lines that are evaluated
program=${LANESCOPE:-./lanescope}
wrote=$(mktemp) || exit 2
trap 'rm -f "$wrote"' EXIT
while IFS= read -r line; do
    eval "\"\$program\" $line" >"$wrote" 2>&1 </dev/null
    printf '%s %s %s\n' "$?" "$(cksum <"$wrote" | tr ' ' '-')" "$line"
done <tests/data/outputs/commands.txt
