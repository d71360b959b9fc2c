# come_with_the_command.sh BUILD UTILITIES: what `ninja wedjat` builds holds every tool that has a folder in utilities.
set -eu
build=$1 utilities=$2
ninja -C "$build" -t query bin/wedjat | grep -q '|| utilities/wedjat_tools$' || { echo "ninja wedjat does not build the tools"; exit 1; }
built=$(ninja -C "$build" -t query utilities/wedjat_tools)
found=0
for source in "$utilities"/*/*.cpp; do
  name=$(basename "$source" .cpp)
  [ "$name" = "$(basename "$(dirname "$source")")" ] || continue
  echo "$built" | grep -q "lib/wedjat/tools/$name.so$" || { echo "ninja wedjat does not build the tool $name"; exit 1; }
  found=$((found + 1))
done
[ "$found" -gt 10 ] || { echo "only $found tools in $utilities"; exit 1; }
