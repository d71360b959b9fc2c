# out_of_tree.sh BUILD SOURCE: installs the header, builds my_count.cpp and my_zeros.c against it in one command each, runs them.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DESTDIR=$place cmake -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_COMPONENT=headers -P "$build/utilities/cmake_install.cmake" > /dev/null
cd "$place"
cp "$source/my_count.cpp" "$source/my_zeros.c" "$source/my_count.ptx" "$source/my_zeros.ptx" .
export PKG_CONFIG_PATH=$place/usr/share/pkgconfig
${CXX:-clang++} my_count.cpp -o my_count.so $(pkg-config --cflags --libs wedjat)
"$build/bin/wedjat" run my_count.ptx --entry k --grid 2 --block 64 --tool ./my_count.so > out.txt
cat out.txt
# 2 instructions, 128 threads
grep -q '^ *256$' out.txt

# The same in C: what a handler sees.
${CC:-clang} my_zeros.c -o my_zeros.so $(pkg-config --cflags --libs wedjat-c)
for tier in "" ,isolated; do
  "$build/bin/wedjat" run my_zeros.ptx --entry k --grid 2 --block 64 --arg zeros:256 --tool ./my_zeros.so$tier > out.txt
  cat out.txt
  # the xor gives 0 in one thread of each CTA
  grep -q '^ *128 *2$' out.txt
done
