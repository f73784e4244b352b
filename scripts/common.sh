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

setup() { "$root/scripts/setup" >&2; }

# build PRESET [TARGET...]: configures and builds build/PRESET. One build of a tree at a time: a second
# one waits. Everything it says goes to standard error; without a terminal only what went wrong.
build() {
    local preset=$1 log=$root/build/$1-configure.log
    shift
    mkdir -p "$root/build"
    (
        flock -n 9 || { say "waiting for another build of $preset"; flock 9; }
        cd -- "$root" || exit
        if ! cmake --preset "$preset" >"$log" 2>&1; then
            cat "$log"
            stop "configuring $preset failed; the reason stands above."
        fi
        quiet=--quiet
        [ ! -t 2 ] || quiet=
        say "building $preset, $jobs at a time (a first build takes minutes)"
        cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"} -- ${quiet:+"$quiet"} ||
            stop "building $preset failed; the first error stands above."
    ) 9>"$root/build/$preset.lock" >&2
}
