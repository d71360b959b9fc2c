# lesser_processor.sh WEDJAT LAUNCHER: a processor with features masked is refused by name, or gets a lesser variant.
set -eu
wedjat=$1 launcher=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mask() { GLIBC_TUNABLES=glibc.cpu.hwcaps=$1 "$2" --version > "$place/out" 2>&1 && code=0 || code=$?; }

# Only what the build uses is asked for: SSSE3 is in every level a build may be made for.
mask -SSSE3 "$wedjat"
cat "$place/out"
[ "$code" = 4 ] && grep -q 'that has SSSE3, which this one lacks' "$place/out"

mkdir -p "$place/bin"
cp "$launcher" "$place/bin/wedjat"
for level in x86-64-v2 x86-64-v3 x86-64-v4; do
  mkdir -p "$place/lib/wedjat/$level/bin"
  printf '#!/bin/sh\necho %s "$@"\n' "$level" > "$place/lib/wedjat/$level/bin/wedjat"
  chmod +x "$place/lib/wedjat/$level/bin/wedjat"
done
expect() { cat "$place/out"; [ "$code" = "$1" ] && grep -q -- "$2" "$place/out"; }
mask -AVX512F "$place/bin/wedjat"
[ "$code" = 0 ] && ! grep -q v4 "$place/out"
mask -AVX2,-AVX512F "$place/bin/wedjat"
expect 0 'x86-64-v2 --version'
mask -SSSE3,-AVX2,-AVX512F "$place/bin/wedjat"
expect 4 'lacks what the least variant'
WEDJAT_VARIANT=x86-64-v2 mask x "$place/bin/wedjat"
expect 0 'x86-64-v2 --version'
WEDJAT_VARIANT=x86-64-v9 mask x "$place/bin/wedjat"
expect 2 'there are x86-64-v2, x86-64-v3, x86-64-v4'
rm -r "$place/lib/wedjat/x86-64-v2"
WEDJAT_VARIANT=x86-64-v2 mask x "$place/bin/wedjat"
expect 3 'cannot be started'
