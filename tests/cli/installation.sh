# installation.sh BUILD SOURCE: installs the build, moves the installation elsewhere, and uses it as a newcomer would.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cmake --install "$build" --prefix "$place/first" > /dev/null
mv "$place/first" "$place/moved"
root=$place/moved
wedjat=$root/bin/wedjat

for file in include/wedjat.h lib/libwedjat.so lib/libwedjat.so.1 lib/cmake/wedjat/wedjat-config.cmake include/wedjat/tool.hpp share/pkgconfig/wedjat.pc share/man/man1/wedjat.1 share/man/man1/wedjat-replay.1 share/doc/wedjat/copyright \
    share/doc/wedjat/README.md share/doc/wedjat/tools/PYTHON.md lib/wedjat/wedjat_tool.py share/doc/wedjat/manual/index.html share/doc/wedjat/licenses/libzstd-dev share/bash-completion/completions/wedjat \
    bin/wedjat-memory-trace bin/wedjat-register-trace; do
  [ -s "$root/$file" ] || { echo "the installation lacks $file"; exit 1; }
done
[ ! -e "$root/lib/wedjat/libwedjat-compile.so" ] || [ -s "$root/share/doc/wedjat/licenses/llvm-19-dev" ] || { echo "the licence of LLVM is missing"; exit 1; }
"$wedjat" --help | awk '/^Subcommands:/ {list = 1; next} list && /^  [a-z]/ {print $1}' > "$place/subcommands.txt"
[ "$(wc -l < "$place/subcommands.txt")" -ge 16 ]
while read -r sub; do
  [ -s "$root/share/man/man1/wedjat-$sub.1" ] || { echo "wedjat $sub has no manual page"; exit 1; }
done < "$place/subcommands.txt"

# A library looks for others beside itself or where the system has them, nowhere else.
find "$root" -type f -name '*.so*' | while read -r library; do
  readelf -d "$library" | sed -n 's/.*R.*PATH.*\[\(.*\)\]$/\1/p' | grep -v '^\$ORIGIN' | sed "s|^|$library looks in |"
done > "$place/paths.txt"
[ ! -s "$place/paths.txt" ] || { cat "$place/paths.txt"; exit 1; }

cd "$place"
[ "$("$wedjat" tools | wc -l)" -ge 16 ] || { echo "tools are missing"; "$wedjat" tools; exit 1; }
sample=$(ls "$source"/traces/samples/*.tar.zst | head -n 1)
"$wedjat" replay "$sample" --check > replay.txt || { cat replay.txt; exit 1; }
grep -q 'memory_check:' replay.txt && grep -q 'race_check:' replay.txt
"$wedjat" replay "$sample" --tool instruction_count,isolated > replay.txt
# A program that calls nothing of CUDA: the recorder starts, and says at its end that there is nothing.
"$wedjat" record --keep-ptx -o nothing.trace -- true > record.txt 2>&1 || true
! grep -q 'missing\|not found' record.txt || { cat record.txt; exit 1; }
[ -d nothing.trace ] || { echo "nothing was recorded:"; cat record.txt; exit 1; }

export PKG_CONFIG_PATH=$root/share/pkgconfig
${CXX:-clang++} "$source/tests/utilities/my_count.cpp" -o my_count.so $(pkg-config --cflags --libs wedjat)
"$wedjat" run "$source/tests/utilities/my_count.ptx" --entry k --grid 2 --block 64 --tool ./my_count.so | grep -q '^ *256$'

# The library, for a program of somebody else: with pkg-config, and with CMake. It finds the tools from where it lies.
cp -r "$source/cli/library/examples" library
${CC:-cc} library/saxpy.c -o saxpy $(pkg-config --cflags --libs libwedjat) -Wl,-rpath,"$(pkg-config --variable=libdir libwedjat)"
[ "$(./saxpy library/saxpy.ptx)" = "y[999] = 1999" ]
code=0
./saxpy no-such-file.ptx 2> error.txt || code=$?
[ $code = 3 ] && grep -q 'wedjat_module_load_file: no-such-file.ptx: cannot be read' error.txt
cmake -S library -B built -DCMAKE_PREFIX_PATH="$root" > /dev/null
cmake --build built > /dev/null
[ "$(built/saxpy library/saxpy.ptx)" = "y[999] = 1999" ]

# Completion: subcommands, options, tools.
complete_word() {
  PATH=$root/bin:$PATH bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _wedjat; printf "%s\n" "${COMPREPLY[@]}"' \
    "$root/share/bash-completion/completions/wedjat" "$@"
}
complete_word wedjat rep | grep -qx replay
complete_word wedjat replay --chec | grep -qx -- --check
complete_word wedjat replay x --tool race | grep -qx race_check
