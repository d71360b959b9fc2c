# print_traces.sh BUILD SOURCE: how wedjat-memory-trace and wedjat-register-trace end.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
ends() {  # CODE TEXT COMMAND…: it ends with this code and says the text
  code=$1 text=$2
  shift 2
  got=0
  "$@" > out.txt 2>&1 || got=$?
  [ "$got" = "$code" ] && grep -q -- "$text" out.txt && return
  echo "$*: ended with $got, not $code and '$text':"
  cat out.txt
  exit 1
}
full() { "$@" > /dev/full; }
for kind in memory register; do
  print=$build/bin/wedjat-$kind-trace
  "$build/bin/wedjat" run "$source/my_zeros.ptx" --entry k --grid 2 --block 64 --arg zeros:256 --tool ${kind}_trace,file=$kind.trace > run.txt
  ends 0 '^0 k cta 1 warp 1 ' "$print" $kind.trace
  ends 0 '^usage: ' "$print" --help
  ends 2 '^usage: ' "$print"
  ends 2 '^usage: ' "$print" $kind.trace $kind.trace
  ends 3 'none: cannot be read' "$print" none
  ends 3 'out.txt: is no' "$print" out.txt
  head -c 60 $kind.trace > cut.trace
  ends 3 'cut.trace: ' "$print" cut.trace
  ends 3 'standard output cannot be written' full "$print" $kind.trace
done
