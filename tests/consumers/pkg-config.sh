# pkg-config.sh <compiler> <standard> <source> <program> <pkgconfig directory>: builds and runs a single-file program.
# --static, because the library is an archive: a C program needs what it needs.
set -eu
compiler=$1 standard=$2 source=$3 program=$4
export PKG_CONFIG_PATH="$5"
$compiler -std="$standard" -O2 -Wall -Wextra -Wpedantic -Werror $(pkg-config --cflags licit) "$source" -o "$program" \
  -pthread $(pkg-config --static --libs licit)
exec "$program" "$(pkg-config --modversion licit)"
