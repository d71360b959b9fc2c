# Completion of `wedjat` for bash (zsh: `autoload bashcompinit; bashcompinit` first). Words come from `--help`.
_wedjat() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[0]} sub=
  ((COMP_CWORD > 1)) && sub=${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "--help --version $("$command" --help 2>/dev/null | awk '/^Subcommands:/ {list = 1; next} list && /^  [a-z]/ {print $1}')" -- "$word")
  elif [[ $before == --tool ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$command" tools 2>/dev/null | awk '/^[a-z_]+ / {print $1}')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$("$command" "$sub" --help 2>/dev/null | grep -oE -- '(^|[ ,])--?[a-zA-Z][a-z0-9-]*' | tr -d ' ,')" -- "$word")
  else
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _wedjat wedjat
