#!/usr/bin/env bash
# Measures what instruction forms cost in time on the first GPU, twice, and makes the tables of it: everything by one command, on a machine with a GPU.
#
#   measure.sh all FOLDER        FOLDER/tables/{forms,machine_code,probes}.tsv.zst; ends with 1 if both runs disagree
#
# The same in steps:
#   measure.sh prepare FOLDER    makes all kernels (ptxas; no GPU; an hour on two processors)
#   measure.sh run FOLDER        runs them, all or those of the named parts (a GPU, nvdisasm; minutes): FOLDER/*/results.tsv, machine.txt, shapes.txt
#   measure.sh tables FOLDER     makes FOLDER/tables/forms.tsv, machine_code.tsv and probes.tsv of the results (no GPU)
#
# `measure.sh run FOLDER PART...` runs only some parts of FOLDER. LIMIT: seconds for each part. RESULTS: another name for results.tsv.
# SAMPLE, for prepare: so many forms of each family, to try it; all probes are made. A FOLDER/forms.tsv that is there already is taken (unpack it elsewhere
# where zstd is missing; then the tables are left unpacked).
set -euo pipefail
room=$(cd "$(dirname "$0")" && pwd)
families=(integer extended fp32 f16/bf16 logic matrix comparison/selection "half comparison" "data movement" "parallel sync" video)

prepare() {
  mkdir -p "$1"
  [ -s "$1/forms.tsv" ] || zstdcat "$room/../../semantics/inventory/forms.tsv.zst" > "$1/forms.tsv"
  for family in "${families[@]}"; do
    python3 "$room/prepare.py" "$1/forms.tsv" "$1/${family//[^a-z0-9]/_}" --only "$family" ${SAMPLE:+--sample "$SAMPLE"}
  done
  python3 "$room/prepare_probes.py" "$1/forms.tsv" "$1/probes"
  python3 "$room/name_shapes.py" "$1"
  g++ -std=c++20 -O2 -I/usr/local/cuda/include "$room/run.cpp" -o "$1/run" -L/usr/local/cuda/lib64/stubs -lcuda
}

state() {
  nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks.max.sm,clocks.max.mem,temperature.gpu,power.draw --format=csv
}

run() {
  cd "$1"
  { date -u; nvcc --version | tail -1; state; } > machine.txt
  [ -s shapes.txt ] || "$room/name.sh" shapes.bin > shapes.txt
  shift
  results=${RESULTS:-results.tsv}
  local status=0
  for part in "${@:-*/}"; do
    for plan in $part/plan.tsv; do
      [ -f "$plan" ] || continue
      folder=$(dirname "$plan")
      (cd "$folder" && timeout "${LIMIT:-120}" ../run plan.tsv values.bin > "$results") || { echo "$folder: run ended with $?" >&2; status=1; }
      echo "$folder: $(wc -l < "$folder/$results") of $(wc -l < "$plan") kernels, $SECONDS s"
    done
    state | tail -1 >> machine.txt
  done
  return "$status"  # of the parts that did run there are results
}

tables() {
  local plan
  for plan in "$1"/*/plan.tsv; do
    [ -s "$(dirname "$plan")/results.tsv" ] || { echo "$(dirname "$plan"): there is no results.tsv: measure.sh run makes it" >&2; exit 1; }
  done
  mkdir -p "$1/tables"
  awk 'NR == 1 || FNR > 1' "$1"/*/machine_code.tsv | sort -t $'\t' -k 1,1n -s > "$1/tables/machine_code.tsv"  # the head is no number, and first
  python3 "$room/tables.py" "$1" "$1/tables" "$1/tables/machine_code.tsv"
}

all() {
  prepare "$1"
  (run "$1")
  (RESULTS=again.tsv run "$1")
  tables "$1"
  if command -v zstd > /dev/null; then zstd -q -19 -f "$1"/tables/*.tsv; fi
}

if [ $# -lt 2 ] || [[ ! $1 =~ ^(all|prepare|run|tables)$ ]]; then
  sed -n '2,16s/^# \?//p' "$0" >&2
  exit 2
fi
"$@"  # not in a condition: there `set -e` would not hold
