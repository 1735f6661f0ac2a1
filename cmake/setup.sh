#!/bin/sh
# Installs what packages.txt lists and is missing; silent, and without a call of apt-get, when nothing is.
set -eu

# Debian has no cross compiler to a machine's own architecture: g++ is that.
own=g++-$(uname -m | sed 's/^ppc/powerpc/')-linux-gnu
wanted=$(sed 's/#.*//' "$(dirname "$0")/../packages.txt" | grep -vx "$own")

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
