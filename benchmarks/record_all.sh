#!/bin/sh
# Records every prebuilt program of a suite on a machine with a GPU; builds nothing.
#   record_all.sh [--large] SUITE PROGRAMS OUTPUT [WEDJAT]
# SUITE: programs, polybench, rodinia or order. PROGRAMS: the folder of its executables (build/SUITE). OUTPUT: gets NAME.tar.zst
# a program, or the folder NAME where WEDJAT is the one of the recorder's bundle, which cannot pack. WEDJAT: the command,
# build/bin/wedjat beside PROGRAMS where it is left out. --large: the larger size (not of programs).
# Exit code 0 only if every program was found, passed its own check and left a trace.
set -eu
size=
if [ "${1:-}" = --large ]; then
  size=--large
  shift
fi
if [ $# -lt 3 ] || [ $# -gt 4 ]; then
  sed -n '2,6s/^# *//p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
suite=$1
ls "$here/$suite"/*/*.cu >/dev/null 2>&1 || { echo "$suite: no suite of programs in $here" >&2; exit 2; }
programs=$(cd "$2" && pwd)
wedjat=${4:-$programs/../bin/wedjat}
command -v "$wedjat" >/dev/null || { echo "$wedjat: not found, name it as the last argument" >&2; exit 2; }
wedjat=$(command -v "$wedjat")
wedjat=$(cd "$(dirname "$wedjat")" && pwd)/$(basename "$wedjat")
mkdir -p "$3"
output=$(cd "$3" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
pack() {
  "$wedjat" --help | grep -q '^ *pack ' || return 0
  "$wedjat" pack -o "$1.tar.zst" "$1" && rm -r "$1"
}

# Programs run in the folder they lie in: the trace then names them without a path.
cd "$programs"
failed=0
for source in "$here/$suite"/*/*.cu; do
  name=$(basename "$source" .cu)
  trace=$output/$name
  if [ -e "$trace" ] || [ -e "$trace.tar.zst" ]; then
    echo "$name: $trace exists, remove it first"
    failed=1
  elif "$wedjat" record -o "$trace" -- "./$name" $size >"$log" 2>&1 && pack "$trace" >>"$log" 2>&1; then
    echo "$name: recorded, $(du -sck "$trace" "$trace.tar.zst" 2>/dev/null | tail -n 1 | cut -f 1) KiB"
  else
    echo "$name: failed with exit code $?"
    sed 's/^/  /' "$log"
    failed=1
  fi
done
exit $failed
