#!/usr/bin/env bash
# From a bare Debian 12 to a working Wedjat: installs the packages that are missing, builds, then does what was asked.
#   ./build.sh demo       replay a bundled GPU recording and print the diff against the hardware
#   ./build.sh test       build everything and run all tests, those of `readers` and `lint` first
#   ./build.sh readers    the tests of what reads input from outside (PTX, traces) under AddressSanitizer and UndefinedBehaviorSanitizer
#   ./build.sh sanitize   all tests under them
#   ./build.sh lint       clang-tidy over what changed
#   ./build.sh package    a Debian package that runs on any x86-64-v2 processor, tested in a root of its own
#   ./build.sh wheel      a Python wheel that runs on any x86-64-v2 processor
#   ./build.sh bench      how fast whole kernels, executors and tools are
set -euo pipefail
cd "$(dirname "$0")"

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }

install_packages() {
  local wanted
  mapfile -t wanted < <(grep -v '^#' cmake/debian-packages.txt)
  install_missing "${wanted[@]}"
}

install_missing() {  # install_missing PACKAGE...
  local missing=()
  for package; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  echo "== installing ${#missing[@]} packages: ${missing[*]}"
  local root=()
  ((EUID == 0)) || root=(sudo)
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null
}

build() {  # build PRESET [TARGET...]
  local preset=$1
  shift
  echo "== configuring ($preset)"
  cmake --preset "$preset" >"/tmp/wedjat-configure.$$" 2>&1 || { cat "/tmp/wedjat-configure.$$"; exit 1; }
  rm -f "/tmp/wedjat-configure.$$"
  echo "== building ($preset)"
  cmake --build --preset "$preset" ${1:+--target "$@"}
}

readers() {  # after the preset `release` was built, whose semcc is used
  build sanitize-input &&
    ctest --preset sanitize-input
}

case "${1:-}" in
  demo)
    install_packages
    build release wedjat
    for trace in traces/samples/*.tar.zst; do
      echo "== wedjat replay $trace"
      build/bin/wedjat replay "$trace"
    done ;;
  test)
    install_packages
    build release
    # All of them, whatever comes of one.
    status=0
    (readers) || status=1
    tests/rules/lint.sh || status=1
    ctest --preset release || status=1
    exit $status ;;
  readers)
    install_packages
    build release semcc
    readers ;;
  lint)
    install_packages
    install_missing clang-tidy || echo "== clang-tidy cannot be installed"
    tests/rules/lint.sh ;;
  sanitize)
    install_packages
    build sanitize
    ctest --preset sanitize ;;
  package)
    install_packages
    install_missing debootstrap || echo "== debootstrap cannot be installed"
    # All of the least variant, which the documents are made with; of the others the command.
    build package-v2
    build package-v3 wedjat_installed
    build package-v4 wedjat_installed
    (cd build-package && cpack --config x86-64-v2/CPackConfig.cmake)
    tests/cli/package.sh build-package/wedjat_*.deb ;;
  wheel)
    install_packages
    variants=()
    for level in v2 v3 v4; do
      build package-$level wedjat_shared wedjat_tools wedjat-tool-host
      variants+=("x86-64-$level=build-package/x86-64-$level=build-package/x86-64-$level/cli/processor/processor_features.inc")
    done
    /usr/bin/python3 cli/python/make_wheel.py build-package/wheel "$(sed -n 's/^project(wedjat VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)" "${variants[@]}" ;;
  bench)
    install_packages
    build release
    build/bin/wedjat-bench-matrix
    build/bin/wedjat-bench-textures
    build/bin/wedjat-bench-kernels
    build/bin/wedjat-bench-tools ;;
  -h | --help) usage ;;
  *) usage >&2; exit 2 ;;
esac
