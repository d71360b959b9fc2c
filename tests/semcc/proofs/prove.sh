#!/bin/sh
# prove.sh Z3 FUNCTIONS CLAIM|FOLDER...: asks Z3 for inputs that refute each claim. A claim file ends before (check-sat); its comments may say
# "; refuted:" (a counterexample is expected, and printed) and "; limit: SECONDS" (10 otherwise). The functions it names in |bars| are
# taken from FUNCTIONS/*.smt2, which semcc wrote. Ends with 1 if an answer is the wrong one; "unknown" is reported, not an error.
z3=$1 functions=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0 proved=0 refuted=0 unknown=0
for claim in $(find "$@" -name '*.smt2' | sort); do
  limit=$(sed -n 's/^; limit: //p' "$claim")
  grep -v '^;' "$claim" | grep -o '|[^|]*|' | sort -u > "$scratch/names"
  : > "$scratch/query"
  if [ -s "$scratch/names" ]; then
    opcodes=$(sed 's/^|\([a-z0-9_]*\).*/\1/' "$scratch/names" | sort -u)
    for opcode in $opcodes; do
      [ -f "$functions/$opcode.smt2" ] && awk 'NR == FNR { wanted[$0]; next }
        /^\(define-fun/ { match($0, /\|[^|]*\|/); on = substr($0, RSTART, RLENGTH) in wanted } on' "$scratch/names" "$functions/$opcode.smt2"
    done > "$scratch/query"
  fi
  grep -v '^(check-sat)\|^(get-model)' "$claim" >> "$scratch/query"
  echo '(check-sat)' >> "$scratch/query"
  if grep -q '^; refuted:' "$claim"; then echo '(get-model)' >> "$scratch/query"; fi
  answer=$("$z3" -T:"${limit:-10}" "$scratch/query" 2>&1)
  name=$(basename "$claim" .smt2)
  case $(printf '%s\n' "$answer" | head -n 1) in
    unsat) if grep -q '^; refuted:' "$claim"; then status=1; echo "WRONG    $name: proved, a counterexample was expected"
           else proved=$((proved + 1)); echo "proved   $name"; fi ;;
    sat) if grep -q '^; refuted:' "$claim"; then
           refuted=$((refuted + 1)); echo "refuted  $name, as expected:"
           printf '%s\n' "$answer" | tr -d '\n' | grep -o '(define-fun [a-z_]* () (_ BitVec [0-9]*) *#[xb][0-9a-f]*' |
             sed 's/(define-fun \([a-z_]*\) () (_ BitVec [0-9]*) */           \1 = /'
         else status=1; echo "REFUTED  $name"; fi ;;
    unknown|timeout) unknown=$((unknown + 1)); echo "unknown  $name (within ${limit:-10} s)" ;;
    *) status=1; echo "ERROR    $name: $answer" | head -n 3 ;;
  esac
done
echo "$proved proved, $refuted refuted as expected, $unknown unknown"
[ $((proved + refuted + unknown)) -gt 0 ] || status=1
exit $status
