#!/usr/bin/env bash
# clang-tidy over what the last commit changed, or what changed since BASE. Prints which files it reads, and which changed files it does not read, and why.
#   tests/rules/lint.sh [BASE]       after `./build.sh test`, or whatever built the preset `release`
# Reads no more sources than take about ten minutes on two cores, and names the others.
# What it cannot read it names, and goes on: no checkout, no earlier commit, no clang-tidy are no errors. Warnings are.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build
most=60
rooms='^(semcc|emulator|traces|interposer|utilities|cli)/'

say() { echo "== lint: $*"; }

if ! command -v clang-tidy >/dev/null; then
  say "NOT LINTED: there is no clang-tidy (package clang-tidy)"
  exit 0
fi
if [[ ! -f $build/compile_commands.json ]]; then
  say "NOT LINTED: nothing is built in $build (./build.sh test)"
  exit 0
fi
if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  say "NOT LINTED: this is no git checkout, so nobody knows what changed"
  exit 0
fi

base=${1:-$(git rev-parse --verify --quiet HEAD~1)} || {
  say "NOT LINTED: there is no commit before this one, or a shallow checkout lacks it (git fetch --deepen=1)"
  exit 0
}
say "what changed since $(git log -1 --format='%h %s' "$base")"

# Changed files that exist, committed or not.
mapfile -t changed < <({ git diff --name-only --diff-filter=d "$base"; git ls-files --others --exclude-standard; } |
  grep -E '\.(c|cpp|h|hpp)$' | sort -u)

commands=$build/lint
/usr/bin/python3 tests/rules/commands_by_source.py "$build" "$commands"
in_build() { grep -qF "\"file\": \"$PWD/$1\"" "$commands/compile_commands.json"; }

# A header is read with the source of its name, else with the first that the build says includes it.
source_of() {
  local header=$1 candidate
  for candidate in "${header%.*}.cpp" "${header%.*}.c"; do
    in_build "$candidate" && echo "$candidate" && return
  done
  ninja -C "$build" -t deps | awk -v header="$header" -v root="$PWD/" -v rooms="$rooms" '
    /^[^ ]/ { source = "" }
    /^ /    { file = $1; sub("^" root, "", file); sub("^[.][.]/", "", file)
              if (file ~ rooms && file ~ /[.]cpp?$/) source = file
              else if (file == header && source != "") { print source; exit } }'
}

sources=()
for file in "${changed[@]}"; do
  if [[ ! $file =~ $rooms ]]; then
    say "not read: $file (tests and benchmarks have no rules of clang-tidy)"
    continue
  fi
  case $file in
    *.h | *.hpp) source=$(source_of "$file") || true ;;
    *) source=$file; in_build "$file" || source= ;;
  esac
  if [[ -z ${source:-} ]]; then
    say "not read: $file (nothing that is built here holds it)"
    continue
  fi
  [[ $source == "$file" ]] && say "reads $file" || say "reads $file with $source"
  sources+=("$source")
done
((${#sources[@]})) || { say "nothing to read"; exit 0; }

# clang-tidy counts on stderr the warnings of headers that it then leaves out.
mapfile -t sources < <(printf '%s\n' "${sources[@]}" | sort -u)
for source in "${sources[@]:$most}"; do say "NOT READ: $source (more than $most changed)"; done
sources=("${sources[@]:0:$most}")
printf '%s\n' "${sources[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p "$commands" --quiet \
  2> >(grep -v ' warnings\? generated\.$' >&2)
say "${#sources[@]} sources, no warnings"
