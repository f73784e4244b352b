# shellcheck shell=bash
# Shared by the scripts of this folder; sourced, not run. Sets `root` (the tree), `jobs` and
# KVARIUM_CACHE_DIR, and gives say, stop, setup and build.

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
script=$(basename -- "$0")
jobs=${KVARIUM_JOBS:-$(nproc)}

say() { printf '%s: %s\n' "$script" "$*" >&2; }
stop() { say "$*"; exit 1; }

# Without HOME, ~ still finds the user's folder in the password file.
: "${HOME:=$(printf '%s' ~)}"
export HOME
export KVARIUM_CACHE_DIR=${KVARIUM_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/kvarium}

setup() { "$root/scripts/setup" "$@" >&2; }

# counted COMMAND...: runs a build quietly, says every half minute how far it has come, and shows what went
# wrong. Ninja writes [n/m] before each step.
counted() {
    local said status=0 builder watch
    said=$(mktemp)
    "$@" >"$said" 2>&1 &
    builder=$!
    # What sleeps outlives the watch by a moment; it holds neither our output nor the lock of the build.
    while sleep 30 >/dev/null 2>&1 9>&-; do say "$(grep -aoE '^\[[0-9]+/[0-9]+\]' "$said" | tail -n 1) steps done"; done &
    watch=$!
    wait "$builder" || status=$?
    kill "$watch" 2>/dev/null || true
    [ "$status" -eq 0 ] || grep -avE '^\[[0-9]+/[0-9]+\] ' "$said" >&2 || true
    rm -f "$said"
    return "$status"
}

# build PRESET [-DNAME=VALUE...] [TARGET...]: configures and builds build/PRESET. One build of a tree at a
# time: a second one waits. Everything it says goes to standard error; without a terminal that is a count
# every half minute, and what went wrong.
build() {
    local preset=$1 log=$root/build/$1-configure.log settings=()
    shift
    while [ "${1:-}" != "" ] && [ "${1#-D}" != "$1" ]; do settings+=("$1"); shift; done
    mkdir -p "$root/build"
    (
        flock -n 9 || { say "waiting for another build of $preset"; flock 9; }
        cd -- "$root" || exit
        if ! cmake --preset "$preset" ${settings[@]+"${settings[@]}"} >"$log" 2>&1; then
            cat "$log"
            stop "configuring $preset failed; the reason stands above."
        fi
        say "building $preset, $jobs at a time (a first build takes minutes)"
        compile() { cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}; }
        if [ -t 2 ]; then compile "$@"; else counted compile "$@"; fi ||
            stop "building $preset failed; the first error stands above."
    ) 9>"$root/build/$preset.lock" >&2
}
