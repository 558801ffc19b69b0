# shellcheck shell=bash
# Shared by the scripts of this folder, which source it: where things are, and quiet steps.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
self=${0##*/}
# shellcheck disable=SC2034  # used by the scripts that source this file
build=$root/build/release
logs=$root/build/log
# What one command compiles for its scenarios, the others need not compile again.
export TUNECHECK_COMPILE_STORE=${TUNECHECK_COMPILE_STORE:-$root/build/compile-store}

say() { printf 'ci/%s: %s\n' "$self" "$*" >&2; }

# refuse MESSAGE...: bad input or a machine that lacks something; exit status 3, like tunecheck.
refuse() {
  say "$@"
  exit 3
}

progress=""  # the process that says how far a step is, if there is one
end_progress() {
  [[ -n $progress ]] || return 0
  kill "$progress" 2> /dev/null || true
  wait "$progress" 2> /dev/null || true
  progress=""
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# step NAME COMMAND...: runs the command into build/log/NAME.log; shows the log's end if it fails.
step() {
  local log=$logs/$1.log status=0
  shift
  mkdir -p "$logs"
  "$@" > "$log" 2>&1 < /dev/null || status=$?
  end_progress
  if ((status != 0)); then
    tail -n 40 "$log" >&2
    say "failed with status $status: $* (all of its output: $log)"
    exit "$status"
  fi
}

# minutes_left SECONDS
minutes_left() {
  (($1 < 60)) && echo "less than a minute left" || echo "about $((($1 + 30) / 60)) min left"
}

# build_progress LOG TEXT: as long as this script runs, how far the build is that writes its steps to LOG,
# "[120/349] ...", in one line that changes on a terminal and a line now and then elsewhere.
build_progress() {
  local log=$1 text=$2 seconds=20 done=0 all=0 line before="" began=$SECONDS first=0 left=""
  [[ ! -t 2 ]] || seconds=2
  seconds=${TUNECHECK_PROGRESS_SECONDS:-$seconds}
  while kill -0 $$ 2> /dev/null; do
    # Sleeps: nobody writes there. A process "sleep" would outlive this one.
    read -r -t "$seconds" _ <> <(:) || true
    line=$(grep --text --only-matching '^\[[0-9]*/[0-9]*\]' "$log" 2> /dev/null | tail -n 1) || true
    [[ -n $line && $line != "$before" ]] || continue
    before=$line
    IFS='[/]' read -r _ done line _ <<< "$line"
    # Another number of steps is another run of ninja, which first makes its own files anew.
    ((all == 0 || line == all)) || began=$SECONDS first=$done left=""
    all=$line
    ((done == first)) ||
      left=", $(minutes_left $(((SECONDS - began) * (all - done) / (done - first))))"
    if [[ -t 2 ]]; then
      printf '\r\033[Kci/%s: %s: %d of %d steps%s' "$self" "$text" "$done" "$all" "$left" >&2
    else
      say "$text: $done of $all steps$left"
    fi
  done
}

# build_showing_progress TARGET...: in a shell of its own, which ends what it started with itself.
build_showing_progress() (
  rm -f "$logs/build.log"
  build_progress "$logs/build.log" "building ${build#"$root"/}" &
  progress=$!
  trap end_progress EXIT
  step build cmake --build "$build" --parallel "$(nproc)" --target "$@"
)

# configure_and_build TARGET...: with the preset release. A first build takes minutes: whoever waits is told
# how many are left.
configure_and_build() {
  local log=
  if [[ ! -e $build/build.ninja ]]; then
    step configure cmake -S "$root" --preset release
    log="; what it prints goes to ${logs#"$root"/}/build.log"
  fi
  say "building ${build#"$root"/}$log"
  build_showing_progress "$@" || exit
}
