#!/bin/sh
# usage: setup.sh SECTION...
# Installs what these sections of packages.txt list and is missing. Silent, and without a call of apt-get, when nothing is.
set -eu
list=$(dirname "$0")/../packages.txt

for section; do
  grep -qxF "[$section]" "$list" || { echo "setup.sh: packages.txt has no section [$section]" >&2; exit 2; }
done
# Debian has no cross compiler to a machine's own architecture: g++ is that.
own=g++-$(uname -m | sed 's/^ppc/powerpc/')-linux-gnu
wanted=$(awk -v asked=" $* " -v own="$own" '
  /^\[/ { section = substr($1, 2, length($1) - 2); next }
  /^[^#]/ && index(asked, " " section " ") && $1 != own && !seen[$1]++ { print $1 }' "$list")
[ -n "$wanted" ] || exit 0

if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "Not a Debian system: nothing is installed. CMake's find_package looks for the equivalents of packages.txt."
  exit 0
fi

# dpkg-query fails when it does not know one of the names, and still answers for the others.
installed=$(dpkg-query -W -f='${db:Status-Status}:${Package} ' $wanted 2>/dev/null) || :
missing=
for package in $wanted; do
  case " $installed" in
    *" installed:$package "*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -ne 0 ]; then
  {
    echo "Missing packages:$missing"
    echo "Nothing was built. As root: apt-get update && $install"
  } >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get -q update
exec $install
