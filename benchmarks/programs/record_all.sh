#!/bin/sh
# Records every prebuilt program on a machine with a GPU; builds nothing.
#   record_all.sh PROGRAMS OUTPUT [WEDJAT]
# PROGRAMS: the folder of the executables (build/programs). OUTPUT: gets one trace a program, named after it.
# WEDJAT: the command, build/bin/wedjat beside PROGRAMS where it is left out.
# Exit code 0 only if every program was found, passed its own check and left a trace.
set -eu
if [ $# -lt 2 ] || [ $# -gt 3 ]; then
  sed -n '2,6s/^# *//p' "$0" >&2
  exit 2
fi
here=$(dirname "$0")
programs=$(cd "$1" && pwd)
wedjat=${3:-$programs/../bin/wedjat}
command -v "$wedjat" >/dev/null || { echo "$wedjat: not found, name it as the third argument" >&2; exit 2; }
mkdir -p "$2"
output=$(cd "$2" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT

failed=0
for source in "$here"/*/*.cu; do
  name=$(basename "$source" .cu)
  if [ -e "$output/$name" ]; then
    echo "$name: $output/$name exists, remove it first"
    failed=1
  elif "$wedjat" record -o "$output/$name" -- "$programs/$name" >"$log" 2>&1; then
    echo "$name: recorded, $(du -sk "$output/$name" | cut -f1) KiB"
  else
    echo "$name: failed with exit code $?"
    sed 's/^/  /' "$log"
    failed=1
  fi
done
exit $failed
