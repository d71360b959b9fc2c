# out_of_tree.sh BUILD SOURCE: installs the header, builds my_count.cpp and my_zeros.c against it in one command each, runs them.
set -eu
build=$1 source=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
DESTDIR=$place cmake -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_COMPONENT=headers -P "$build/utilities/cmake_install.cmake" > /dev/null
cd "$place"
cp "$source"/my_lines* "$source/my_count.cpp" "$source/my_zeros.c" "$source/my_count.ptx" "$source/my_zeros.ptx" .
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

# A function that native code contains: the same with it, without its bitcode, and interpreted.
${CC:-clang} $(pkg-config --variable=bitcode wedjat-c) my_lines_functions.c -o my_lines.bc
${CC:-clang} -c my_lines_functions.c -o my_lines_functions.o $(pkg-config --cflags wedjat-c)
${CXX:-clang++} my_lines.cpp my_lines_functions.o -o my_lines.so $(pkg-config --cflags --libs wedjat)
if "$build/bin/wedjat" --version | grep -q 'native code: yes'; then tiers="off all"; else tiers=off; fi
for jit in $tiers; do
  "$build/bin/wedjat" run my_zeros.ptx --entry k --grid 2 --block 64 --arg zeros:256 --jit $jit --tool ./my_lines.so > out.txt
  cat out.txt
  # 64 threads store to two lines, in each of two CTAs
  grep -q '^ *4 *128$' out.txt
done

# What lies beside a tool and is no bitcode is told, and the function in the tool is called.
echo 'no bitcode' > my_lines.bc
for jit in $tiers; do
  "$build/bin/wedjat" run my_zeros.ptx --entry k --grid 2 --block 64 --arg zeros:256 --jit $jit --tool ./my_lines.so > out.txt 2>&1
  cat out.txt
  grep -q '^ *4 *128$' out.txt
  [ $jit = off ] || grep -q 'warning: kernel k, .*bitcode of a tool' out.txt
done
