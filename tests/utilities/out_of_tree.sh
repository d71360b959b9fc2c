# out_of_tree.sh BUILD SOURCE: installs the header, builds my_count.cpp against it in one command, runs it.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DESTDIR=$place cmake -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_COMPONENT=headers -P "$build/utilities/cmake_install.cmake" > /dev/null
cd "$place"
cp "$source/my_count.cpp" "$source/my_count.ptx" .
export PKG_CONFIG_PATH=$place/usr/share/pkgconfig
${CXX:-clang++} my_count.cpp -o my_count.so $(pkg-config --cflags --libs wedjat)
"$build/bin/wedjat" run my_count.ptx --entry k --grid 2 --block 64 --tool ./my_count.so > out.txt
cat out.txt
# 2 instructions, 128 threads
grep -q '^ *256$' out.txt
