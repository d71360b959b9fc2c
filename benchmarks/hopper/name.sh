#!/usr/bin/env bash
# Names of machine instructions: `name.sh INSTRUCTIONS`, a file of 16 bytes each; prints one line for each, `?` for those that nvdisasm does not take.
# One of them costs only its neighbours a second try: the file is split until all that is left in a piece is one.
set -euo pipefail
listing() {
  nvdisasm --binary SM90 "$1" 2> /dev/null | sed -n 's|^[[:space:]]*/\*[0-9a-f]*\*/[[:space:]]*||p'
}

count=$(($(stat -c %s "$1") / 16))
if names=$(listing "$1") && [ "$(wc -l <<< "$names")" = $count ] && [ -n "$names" ]; then
  echo "$names"
elif [ $count = 1 ]; then
  echo '?'
else
  folder=$(mktemp -d)
  split -b $(((count + 15) / 16 * 16)) -a 2 -d "$1" "$folder/"
  find "$folder" -type f | sort | xargs -P "$(nproc)" -I{} sh -c '"$0" "$1" > "$1.txt"' "$0" {}
  cat "$folder"/*.txt
  rm -r "$folder"
fi
