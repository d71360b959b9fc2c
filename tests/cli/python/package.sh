# package.sh PYTHON WHEEL SOURCE CC: installs the wheel in a folder of its own, and runs the tests there; nothing of the build is found.
set -eu
python=$1 wheel=$2 source=$3 cc=$4
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset WEDJAT_LIBRARY WEDJAT_INSTALLATION WEDJAT_TOOL_PATH LD_LIBRARY_PATH PYTHONPATH || true
"$python" -m pip install --quiet --no-index --no-deps --no-cache-dir --disable-pip-version-check --root-user-action=ignore --target "$place/site" "$wheel"
for file in wedjat/__init__.py wedjat/__init__.pyi wedjat/_module.pyi wedjat/native/*/lib/libwedjat.so.1 \
    wedjat/native/*/lib/wedjat/tools/race_check.so; do
  [ -s "$place"/site/$file ] || { echo "the wheel lacks $file"; exit 1; }
done
# Without NumPy too, where no array is used, and without what Debian's Python has besides.
"$python" -S -c "import sys; sys.path.insert(0, '$place/site'); import wedjat; wedjat.Module('.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 n) { ret; }')['k'][1, 1](5)"
cp "$source"/tests/cli/python/*.py "$place"
cd "$place"
PYTHONPATH=$place/site PYTHONDONTWRITEBYTECODE=1 WEDJAT_SOURCE=$source CC=$cc "$python" -m pytest -q -p no:cacheprovider "$place"
