#!/bin/sh
# usage: debian.sh SUITE SOURCE DIRECTORY [JOBS]
# Configures, builds and tests the library in a chroot of another Debian, with that one's g++. The chroot is in DIRECTORY and
# stays there. MIRROR: where the packages come from, if not from debootstrap's default. Fails, and says why, where it
# cannot be made.
set -eu
suite=$1 source=$2 directory=$3 jobs=${4:-2}
packages=g++,cmake,ninja-build,libgtest-dev,googletest,nlohmann-json3-dev,clang-19,libc++-19-dev,libc++abi-19-dev,libasio-dev,pkg-config,python3
root=$directory/$suite

fail() {
  echo "debian.sh: $suite: $*" >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || fail "a chroot needs root"
command -v debootstrap >/dev/null || fail "debootstrap is missing (packages.txt, [nightly])"

if [ ! -e "$root/complete" ]; then
  rm -rf "$root"
  mkdir -p "$directory"
  debootstrap --variant=minbase --include="$packages" "$suite" "$root" ${MIRROR:+"$MIRROR"} >"$directory/log" 2>&1 || {
    tail -n 5 "$directory/log" >&2
    fail "debootstrap has failed: is there a network, and a mirror?"
  }
  touch "$root/complete"
fi

rm -rf "$root/licit"
mkdir "$root/licit"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -C "$root/licit" -xf -

# A mount namespace of its own: what is mounted is gone with it.
root=$root jobs=$jobs unshare --mount sh -eu -c '
mount -t proc proc "$root/proc"
exec chroot "$root" sh -eu -c "
  g++ --version | head -n 1
  cmake -S /licit -B /licit/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DLICIT_MODELS=OFF -DLICIT_BENCH=OFF >/dev/null
  cmake --build /licit/build -j $jobs
  ctest --test-dir /licit/build --output-on-failure --no-tests=error -j $jobs -LE \"nightly|consumers\" -E \"^documents\" --timeout 600
  echo \"with clang++ and libc++, the library\"
  cmake -S /licit -B /licit/build/libc++ -G Ninja -DCMAKE_BUILD_TYPE=Release -DLICIT_MODELS=OFF -DLICIT_BENCH=OFF \
    -DLICIT_TESTS=OFF -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19 \
    \"-DCMAKE_CXX_FLAGS=-stdlib=libc++ -fexperimental-library\" >/dev/null
  cmake --build /licit/build/libc++ -j $jobs
"'
