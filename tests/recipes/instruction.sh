# instruction.sh BUILD SOURCE: CONTRIBUTING.md, "Add an instruction", for one that PTX does not have.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
grep -q '^## Add an instruction' "$source/CONTRIBUTING.md"
cp -r "$source/semantics" "$place/semantics"
cd "$place"

# 1. The file.
cat > semantics/integer/triple.psem <<'PSEM'
import core;

instruction triple {
  manual "9.7.1"; summary "Multiplies by three.";
  form : triple.int d, a;
  operands a : in int; d : out int;
  thread { d = wrap.int(3 * a); }
  example "triple.u16 0x5556" -> 2;
}
PSEM

# 2. What is wrong with it, what became of it, what it computes.
"$build/bin/semcc" check semantics/integer/triple.psem
"$build/bin/semcc" print semantics/integer/triple.psem | grep -q 'triple.s64'
"$build/bin/semcc" eval --semantics semantics 'triple.s32 14' | grep -q 42
sed 's/-> 2;/-> 3;/' semantics/integer/triple.psem > semantics/integer/wrong.psem
if "$build/bin/semcc" check semantics/integer/wrong.psem 2> complaint; then echo "a wrong example passed" && exit 1; fi
grep -q 'wrong.psem:8' complaint
rm semantics/integer/wrong.psem

# 3. Executor, decoder's row, manual page and tests come from that file alone.
for kind in executors forms manual tests; do
  "$build/bin/semcc" emit "$kind" -o "$kind" semantics/integer
  grep -rqw triple "$kind" || { echo "no triple among the $kind" && exit 1; }
done
grep -q 'Multiplies by three' manual/index.html
