# utility.sh BUILD SOURCE: CONTRIBUTING.md, "Add a utility", with its model under another name; built outside the tree and found by name.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
grep -q '^## Add a utility' "$source/CONTRIBUTING.md"
grep -q 'instruction_count` is a model' "$source/CONTRIBUTING.md"
cd "$place"
sed 's/"instruction_count"/"counts_again"/' "$source/utilities/instruction_count/instruction_count.cpp" > counts_again.cpp
${CXX:-clang++} -std=c++20 -shared -fPIC -I"$source/utilities/include" -I"$source" counts_again.cpp -o counts_again.so
export WEDJAT_TOOL_PATH=$place
"$build/bin/wedjat" tools | grep -q '^counts_again'
for tool in instruction_count counts_again; do
  "$build/bin/wedjat" run "$source/tests/utilities/my_count.ptx" --entry k --grid 2 --block 64 --json --tool $tool |
    sed "s/$tool//g" | grep -v seconds > $tool.json
done
cmp instruction_count.json counts_again.json
