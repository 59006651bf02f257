#!/usr/bin/env bash
# Everything that can be told without running the program: format, headers alone, warnings, static analysis.
# Arguments: the headers to compile alone.
set -eu
cd "$(dirname "$0")/.."
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla"
defines="-D_POSIX_C_SOURCE=200809L -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700"
jobs=$(nproc)

echo "format"
git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror

echo "every header compiles alone"
for header in "$@"; do
    # shellcheck disable=SC2086  # lists of words
    gcc -std=c11 $warnings -Werror $defines -fsyntax-only -x c "$header" -Wno-error=pragmas ||
        { echo "$header does not compile alone" >&2; exit 1; }
done

for compiler in gcc clang; do
    echo "no warnings with $compiler"
    make --no-print-directory -s -j"$jobs" CC=$compiler CFLAGS=-Werror all test-programs
done

echo "cppcheck"
cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr --error-exitcode=1 -j "$jobs" \
    --suppress=missingIncludeSystem --suppress=checkersReport --library=posix -I sim/report sim src cuda

if command -v shellcheck >/dev/null 2>&1; then
    echo "shellcheck"
    git ls-files '*.sh' .ci/run .ci/setup | xargs shellcheck
fi
echo "checked"
