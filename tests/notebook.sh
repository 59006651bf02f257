#!/bin/sh
# Runs docs/notebook.ipynb in a real Jupyter, without a window: notebook.sh [LANESCOPE]. Every cell must run, and the
# outputs must have the numbers and the pictures. Needs jupyter-nbconvert and python3-ipykernel (Debian's); make test
# does without: tests/test_notebook.c runs the notebook's commands.
set -eu
cd "$(dirname "$0")/.."
program=${1:-./lanescope}
command -v jupyter-nbconvert >/dev/null || { echo "notebook.sh needs jupyter-nbconvert and python3-ipykernel" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"
cp "$program" "$folder/bin/lanescope"
# Debian's own python first: its kernel is the one that was installed with it.
PATH=$folder/bin:/usr/bin:$PATH HOME=$folder jupyter-nbconvert --to html --execute --output-dir "$folder" --output shown \
    docs/notebook.ipynb >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
for text in '7000 wavefronts, ideal 280' 'pitch 33:     0' 'How many of the 32 banks' 'pitch 33: which banks'; do
    grep -q "$text" "$folder/shown.html" || { echo "the notebook does not show \"$text\"" >&2; exit 1; }
done
shapes=$(grep -c '<rect ' "$folder/shown.html")
[ "$shapes" -gt 100 ] || { echo "the notebook's pictures have $shapes shapes" >&2; exit 1; }
echo "the notebook runs, and shows its tables and $shapes shapes of its pictures"
