#!/usr/bin/env bash
# package.sh DEB: installs the package in a bare Debian 12 of its own and replays recordings with each variant; they must agree bit for bit.
set -euo pipefail
package=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
((EUID == 0)) || { echo "package.sh: a root of its own needs root: run as root to test the package"; exit 2; }
command -v debootstrap >/dev/null || { echo "package.sh: install debootstrap to test the package"; exit 2; }
root=$(mktemp -d)
leave() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap leave EXIT

debootstrap --variant=minbase bookworm "$root" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" > "$root.log" || { tail "$root.log"; exit 1; }
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/"
cp /etc/apt/apt.conf.d/*proxy* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
cp "$package" "$root/tmp/wedjat.deb"
cp -r "$source/traces/samples" "$source/traces/regression" "$root/tmp/"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends /tmp/wedjat.deb > "$root.log" 2>&1 || { tail "$root.log"; exit 1; }

inside wedjat --version
[ "$(inside wedjat tools | wc -l)" -ge 16 ] || { echo "package.sh: tools are missing"; exit 1; }
inside sh -c 'wedjat replay "$(ls /tmp/samples/*.tar.zst | head -n 1)" --check'
inside wedjat record -o /tmp/nothing.trace -- true || true
[ -d "$root/tmp/nothing.trace" ] || { echo "package.sh: wedjat record does not work"; exit 1; }
for file in usr/include/wedjat.h usr/lib/libwedjat.so.1 usr/lib/python3/dist-packages/wedjat/__init__.py usr/share/man/man1/wedjat.1.gz usr/share/doc/wedjat/copyright usr/share/doc/wedjat/manual/index.html usr/share/bash-completion/completions/wedjat; do
  [ -e "$root/$file" ] || [ -e "$root/${file%.gz}" ] || { echo "package.sh: the package lacks $file"; exit 1; }
done

# The same verdicts, counts and differing bytes from every variant that this processor can run.
for level in x86-64-v2 x86-64-v3 x86-64-v4; do
  inside env WEDJAT_VARIANT=$level wedjat regress --json /tmp/regression > "$root/tmp/$level.json" || code=$?
  case ${code:-0} in
    0) ;;
    4) echo "package.sh: this processor cannot run $level: not compared"; continue ;;
    *) echo "package.sh: $level: exit code $code"; tail "$root/tmp/$level.json"; exit 1 ;;
  esac
  # Everything but how long it took.
  sed -E '/"([a-z_]*seconds|[a-z_]*_per_second)"/d' "$root/tmp/$level.json" > "$root/tmp/$level.bits"
  cmp "$root/tmp/x86-64-v2.bits" "$root/tmp/$level.bits"
  echo "package.sh: $level agrees"
done
