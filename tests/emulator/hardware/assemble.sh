#!/bin/sh
# assemble.sh TRUTH PTXAS FORMS: exit code 0 if ptxas takes the kernel of every form.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$1" ptx "$3" -o "$folder"
for module in "$folder"/*.ptx; do
  "$2" -arch=sm_90a -o "$folder/cubin" "$module"
done
