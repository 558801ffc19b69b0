# shellcheck shell=bash
# Shared by the scripts of this folder, which source it: where things are, and quiet steps.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
self=${0##*/}
# shellcheck disable=SC2034  # used by the scripts that source this file
build=$root/build/release
logs=$root/build/log

say() { printf 'ci/%s: %s\n' "$self" "$*" >&2; }

# refuse MESSAGE...: bad input or a machine that lacks something; exit status 3, as of tunecheck.
refuse() {
  say "$@"
  exit 3
}

# step NAME COMMAND...: runs the command into build/log/NAME.log; shows the log's end if it fails.
step() {
  local log=$logs/$1.log status=0
  shift
  mkdir -p "$logs"
  "$@" > "$log" 2>&1 < /dev/null || status=$?
  if ((status != 0)); then
    tail -n 40 "$log" >&2
    say "failed with status $status: $* (all of its output: $log)"
    exit "$status"
  fi
}

# configure_and_build TARGET...: with the preset release. A first build takes many minutes: whoever waits
# is told where to look.
configure_and_build() {
  local progress=
  if [[ ! -e $build/build.ninja ]]; then
    step configure cmake -S "$root" --preset release
    progress=", $(ninja -C "$build" -t commands "$@" | wc -l) steps; ${logs#"$root"/}/build.log says how far it is"
  fi
  say "building ${build#"$root"/}$progress"
  step build cmake --build "$build" --parallel "$(nproc)" --target "$@"
}
