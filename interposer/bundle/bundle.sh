#!/bin/sh
# bundle.sh BUILD_DIR OUT_DIR: makes OUT_DIR/wedjat-recorder and wedjat-recorder.tar.xz, a recorder that runs on a machine
# with a GPU, the same processor architecture and a C library not older than this machine's, and nothing else installed.
set -eu
build=$1
out=$2
folder=$out/wedjat-recorder
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib/wedjat" "$folder/lttng/bin" "$folder/lttng/lib" "$folder/lttng/libexec" "$folder/lttng/xml"

need() {
  [ -e "$1" ] || { echo "bundle.sh: $1 is missing: install lttng-tools and liblttng-ust-dev" >&2; exit 1; }
}

# The shared libraries a file needs, the C library's own excepted: those must be the target machine's.
libraries() {
  ldd "$@" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' | sort -u |
    grep -Ev '/(ld-linux[^/]*|libc|libm|libdl|librt|libpthread|libresolv)\.so'
}

copy() {
  for file in $1; do cp -L "$file" "$2/"; done
}

sessiond=$(command -v lttng-sessiond) || need lttng-sessiond
lttng=$(command -v lttng) || need lttng
consumerd=$(dpkg -L lttng-tools | grep '/lttng-consumerd$')
schemas=$(dpkg -L liblttng-ctl0 | grep '\.xsd$')
need "$consumerd"
need "$schemas"

cp "$build/bin/wedjat-recorder" "$folder/bin/wedjat"
cp "$build/lib/wedjat/libwedjat_record.so" "$build/lib/wedjat/libwedjat_keep_ptx.so" \
  "$build/lib/wedjat/libwedjat_private_lttng.so" "$folder/lib/wedjat/"
cp -R "$build/lib/wedjat/keep_ptx" "$folder/lib/wedjat/"
strip --strip-debug "$folder/bin/wedjat" "$folder"/lib/wedjat/*.so

# What the recorded program loads: LTTng-UST next to the recorder.
ust=$(libraries "$build/lib/wedjat/libwedjat_record.so")
copy "$ust" "$folder/lib/wedjat"
for library in $ust; do
  case $library in
    */liblttng-ust.so.1) copy "$(dirname "$library")/liblttng-ust-tracepoint.so.1" "$folder/lib/wedjat" ;;
  esac
done

# What only LTTng's own programs load.
copy "$sessiond $lttng" "$folder/lttng/bin"
copy "$consumerd" "$folder/lttng/libexec"
copy "$schemas" "$folder/lttng/xml"
copy "$(libraries "$sessiond" "$lttng" "$consumerd")" "$folder/lttng/lib"

mkdir -p "$folder/licenses"
for file in "$folder"/lttng/bin/* "$folder"/lttng/lib/* "$folder"/lib/wedjat/*.so.*; do
  package=$(dpkg -S "*/$(basename "$file")" 2>/dev/null | head -n 1 | cut -d: -f1)
  [ -z "$package" ] || cp -L "/usr/share/doc/$package/copyright" "$folder/licenses/$package" 2>/dev/null || true
done

tar -C "$out" -cJf "$out/wedjat-recorder.tar.xz" wedjat-recorder
echo "$out/wedjat-recorder.tar.xz: $(du -h "$out/wedjat-recorder.tar.xz" | cut -f1)"
