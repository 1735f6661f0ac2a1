#!/bin/sh
# usage: other-headers.sh COMPILER SOURCE PREFIX PKG_CONFIG_PATH DIRECTORY
# Headers that carry another digest than the archive must not link with it: these are the installed ones, one digit changed.
set -eu
compiler=$1 source=$2 prefix=$3 export_path=$4 directory=$5
export PKG_CONFIG_PATH="$export_path"

rm -rf "$directory"
mkdir -p "$directory"
cp -r "$prefix/include/." "$directory/"
header=$directory/licit/digest.hpp
digest=$(sed -n 's/.*extern "C" const char licit_digest_\([0-9a-f]*\);/\1/p' "$header")
last=${digest#"${digest%?}"}
other=0
if [ "$last" = 0 ]; then other=1; fi
sed -i "s/$digest/${digest%?}$other/" "$header"
"$compiler" -std=c++20 -I"$directory" "$source" -o "$directory/program" $(pkg-config --libs licit)
