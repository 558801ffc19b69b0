#include "cli/shell/completion_scripts.hpp"

namespace tunecheck::cli {
namespace {

// A ':' divides words for readline: what stands before the last one is taken off again.
constexpr const char* bash_script = R"script(# Completion of tunecheck for bash.
_tunecheck() {
  local word="${COMP_LINE:0:COMP_POINT}" current previous=() line
  local IFS=$' \t\n'
  # Words as the shell has them, with those that readline divided at ':' and '=' put together.
  read -r -a previous <<<"$word"
  [[ $word == *[[:space:]] ]] && previous+=("")
  current="${previous[${#previous[@]}-1]}"
  COMPREPLY=()
  while IFS=$'\t' read -r line _; do
    COMPREPLY+=("$line")
  done < <("${previous[0]}" completion words -- "${previous[@]:1}" 2>/dev/null)
  # An option or a field that wants a value is not followed by a blank.
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[:=] ]]; then compopt -o nospace; fi
  local divided="${current%"${current##*[:=]}"}" i
  if [[ -n $divided && $COMP_WORDBREAKS == *:* ]]; then
    for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]="${COMPREPLY[i]#"$divided"}"; done
  fi
}
complete -o default -F _tunecheck tunecheck
)script";

constexpr const char* zsh_script = R"script(#compdef tunecheck
# Completion of tunecheck for zsh.
_tunecheck() {
  local -a found plain
  local line word meaning
  while IFS= read -r line; do
    word="${line%%$'\t'*}"
    meaning="${line#*$'\t'}"
    plain+=("$word")
    if [[ -n $meaning ]]; then found+=("$word  -- $meaning"); else found+=("$word"); fi
  done < <("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( ${#plain} )); then
    compadd -l -d found -a plain
  else
    _files
  fi
}
if [[ ${funcstack[1]} == _tunecheck ]]; then
  _tunecheck "$@"
else
  compdef _tunecheck tunecheck
fi
)script";

constexpr const char* fish_script = R"script(# Completion of tunecheck for fish.
function __tunecheck_words
    set -l all (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($all[1] completion words -- $all[2..-1] "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c tunecheck -f -a '(__tunecheck_words)'
)script";

}  // namespace

const std::vector<std::string>& completion_shells() {
  static const std::vector<std::string> shells = {"bash", "fish", "zsh"};
  return shells;
}

std::optional<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script;
  if (shell == "zsh") return zsh_script;
  if (shell == "fish") return fish_script;
  return std::nullopt;
}

}  // namespace tunecheck::cli
