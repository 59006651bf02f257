#!/bin/sh
# Builds the Debian packages out of the tarball that `make dist` made, and asks lintian: deb.sh TARBALL FOLDER.
set -eu
rm -rf "$2"
mkdir -p "$2"
tar -xzf "$1" -C "$2"
cd "$2"/lanescope-*/
dpkg-buildpackage -us -uc -b
cd ..
lintian --fail-on error ./*.changes
ls -- *.deb
