# driver_call.sh BUILD SOURCE: CONTRIBUTING.md, "Add a driver call", for one of a header to come.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
grep -q '^## Add a driver call' "$source/CONTRIBUTING.md"
cp -r "$source/interposer/api" "$place/api"
cd "$place"

# 1. As extraction would leave it in the table.
python3 - <<'PY'
import json
table = json.load(open("api/api_table.json"))
table["functions"].append({"name": "cuFutureFill", "base": "cuFutureFill", "version": 14000, "flavour": "",
                           "parameters": [{"name": "values", "type": "void *"}, {"name": "count", "type": "size_t"}]})
json.dump(table, open("api/api_table.json", "w"))
PY
# What the header cannot say is asked for, by name.
if "$build/bin/wedjat_api_gen" table api out.cpp 2> complaint; then echo "void* was guessed" && exit 1; fi
grep -q 'cuFutureFill' complaint

# 2. The rule; 3. nothing for replay to do.
python3 - <<'PY'
text = open("api/cuda.yaml").read()
text = text.replace("\nfunctions:\n", "\nfunctions:\n  cuFutureFill: {values: out_bytes count}\n", 1)
open("api/cuda.yaml", "w").write(text)
PY
"$build/bin/wedjat_api_gen" table api out.cpp
grep -q 'cuFutureFill' out.cpp
mkdir recorder
"$build/bin/wedjat_api_gen" recorder api recorder 4
grep -rq 'cuFutureFill' recorder
"$build/bin/wedjat_api_gen" stubs api stubs.cpp
grep -q 'cuFutureFill' stubs.cpp
