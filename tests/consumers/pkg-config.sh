# pkg-config.sh <compiler> <standard> <source> <program> <pkgconfig directory> <package> [<level of optimisation>]: builds
# and runs a program of one file.
set -eu
compiler=$1 standard=$2 source=$3 program=$4 package=$6
export PKG_CONFIG_PATH="$5"
$compiler -std="$standard" "${7:--O2}" -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags "$package") "$source" -o "$program" \
  $(pkg-config --libs "$package")
exec "$program" "$(pkg-config --modversion "$package")"
