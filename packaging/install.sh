#!/bin/sh
# Installs what was built, and takes it away again with the folders that this made:
#   install.sh install   DESTDIR PREFIX LIBDIR BUILD VERSION
#   install.sh uninstall DESTDIR PREFIX
# What was installed is listed in PREFIX/share/lanescope/installed, paths without DESTDIR, folders ending in /: another
# version's uninstall finds all of it, and an upgrade removes what is no longer there.
set -eu
action=$1 root=$2 prefix=$3
list=$prefix/share/lanescope/installed
new=$(mktemp)
trap 'rm -f "$new" "$new.old"' EXIT

# A folder and those above it, noted where they were not there.
make_folder() {
    [ ! -d "$root$1" ] || return 0
    make_folder "$(dirname "$1")"
    mkdir "$root$1"
    echo "$1/" >>"$new"
}

put() { # MODE FILE TARGET
    make_folder "${3%/*}"
    install -m "$1" "$2" "$root$3"
    echo "$3" >>"$new"
}

put_in() { # FOLDER FILE...: under their own names
    folder=$1
    shift
    make_folder "$folder"
    install -m 644 -t "$root$folder" "$@"
    for file; do
        echo "$folder/${file##*/}" >>"$new"
    done
}

# Documents lie among each other as in the project, so that their links hold.
put_documents() { # FOLDER
    put_in "$1" README.md CHANGELOG.md CONTRIBUTING.md LICENSE
    put_in "$1/lib" lib/lanescope.h
    # the recorded tables that documents and labs read
    put_in "$1/tests/data" tests/data/h200.md tests/data/accesses.csv tests/data/bench_h200.csv tests/data/launches.csv \
        tests/data/launches_large.csv
    folders=$(find docs cuda/ladder cuda/zoo -type d)
    for from in $folders; do
        of_it=$(find "$from" -maxdepth 1 -type f ! -name '*.sh')
        # shellcheck disable=SC2086  # names of this project, without blanks
        [ -z "$of_it" ] || put_in "$1/$from" $of_it
    done
}

put_all() {
    built=$build/public
    put 755 lanescope "$prefix/bin/lanescope"
    put 644 "$built/lanescope.1" "$prefix/share/man/man1/lanescope.1"
    put 644 "$built/lanescope.bash" "$prefix/share/bash-completion/completions/lanescope"
    put 644 "$built/lanescope.zsh" "$prefix/share/zsh/site-functions/_lanescope"
    put 644 "$built/lanescope.fish" "$prefix/share/fish/vendor_completions.d/lanescope.fish"
    put 644 "$built/liblanescope.a" "$libdir/liblanescope.a"
    put 644 lib/lanescope.h "$prefix/include/lanescope.h"
    put 644 "$built/lanescope.pc" "$libdir/pkgconfig/lanescope.pc"
    put_documents "$prefix/share/doc/lanescope"
}

case $action in
    install)
        libdir=$4 build=$5 version=$6
        [ -z "$root" ] || mkdir -p "$root"
        sed "s|@PREFIX@|$prefix|; s|@LIBDIR@|$libdir|; s|@VERSION@|$version|" lib/lanescope.pc.in \
            >"$build/public/lanescope.pc"
        : >"$new.old"
        [ ! -e "$root$list" ] || cat "$root$list" >"$new.old"
        grep '/$' "$new.old" >>"$new" || true # the folders that an earlier one made
        put_all
        make_folder "${list%/*}"
        echo "$list" >>"$new"
        grep -vxFf "$new" "$new.old" | while read -r path; do
            rm -f "$root$path"
        done
        install -m 644 "$new" "$root$list"
        ;;
    uninstall)
        if [ ! -e "$root$list" ]; then
            echo "no lanescope is installed in $root$prefix: $root$list is not there"
            exit 0
        fi
        cp "$root$list" "$new"
        grep -v '/$' "$new" | while read -r path; do
            rm -f "$root$path"
        done
        # Deepest first; one that others use by now stays.
        grep '/$' "$new" | LC_ALL=C sort -r | while read -r path; do
            rmdir "$root$path" 2>/dev/null || true
        done
        ;;
    *)
        echo "install.sh: the action is install or uninstall, not '$action'" >&2
        exit 2
        ;;
esac
