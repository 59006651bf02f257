#!/usr/bin/env bash
# Everything that can be told without running the program: format, headers alone, warnings, static analysis.
# Arguments: the headers to compile alone.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc)

echo "format"
find base sim cuda src lib docs wasm tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror

echo "every header compiles alone"
for header in "$@"; do
    printf '#include "%s"\nextern int no_unit_is_empty;\n' "$header" |
        gcc @compile_flags.txt -Werror -fsyntax-only -I. -x c - ||
        { echo "$header does not compile alone" >&2; exit 1; }
done

for compiler in gcc clang; do
    echo "no warnings with $compiler"
    # Other flags, another folder: nothing that was built without -Werror counts.
    make --no-print-directory -s -j"$jobs" CC=$compiler CFLAGS=-Werror compiled
done

echo "sim/exec's files use each other in one direction"
sh tests/circles.sh "$(make --no-print-directory -s CC=gcc CFLAGS=-Werror print-folder)/sim/exec" >/dev/null

# readdir: glibc has readdir_r for old programs only, and each thread reads a directory of its own.
echo "cppcheck"
cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 -j "$jobs" \
    --suppress=missingIncludeSystem --suppress=checkersReport --suppress=readdirCalled --library=posix -I sim/report base sim cuda src lib wasm

echo "shellcheck"
find cuda src packaging tests -name '*.sh' -print0 | xargs -0 shellcheck .ci/run .ci/setup

echo "checked"
