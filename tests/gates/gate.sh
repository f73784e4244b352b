# shellcheck shell=bash
# Shared by the gates of this folder that are shell scripts; sourced. Each gate has two words: `check`
# looks at the tree, `planted` shows the same check a fault and insists on a refusal that names it.
# Exit code 4 means skipped, as Catch2 has it.
# shellcheck disable=SC2034  # root is for the scripts that source this

set -euo pipefail
root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)

fail() { printf 'gate: %s\n' "$*" >&2; exit 1; }
skip() { printf 'gate: skipped: %s\n' "$*" >&2; exit 4; }
need() { command -v "$1" >/dev/null || skip "$1 is not installed."; }

# A folder for planted files, removed at the end.
plant=$(mktemp -d)
trap 'rm -rf "$plant"' EXIT

# must_refuse WORDS COMMAND...: the command must fail and its output must hold the words.
must_refuse() {
    local words=$1 said
    shift
    if said=$("$@" 2>&1); then fail "the planted fault was let through: $*"; fi
    case $said in
        *"$words"*) printf 'refused, as it must be: %s\n' "$words" ;;
        *) fail "refused, but without saying \"$words\": $said" ;;
    esac
}
must_accept() {
    local said
    said=$("$@" 2>&1) || fail "a clean file was refused: $said"
}

# The tree's own files whose names match the patterns, tracked or not yet, each ended by a zero byte.
files() {
    if git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -C "$root" ls-files -z -c -o --exclude-standard --deduplicate -- "$@" |
            (cd -- "$root" && while IFS= read -r -d '' f; do [ ! -f "$f" ] || printf '%s\0' "$f"; done)
    else
        local names=() pattern
        for pattern in "$@"; do names+=(-o -name "$pattern" -o -path "./$pattern"); done
        (cd -- "$root" && find . -path ./build -prune -o -type f \( "${names[@]:1}" \) -printf '%P\0')
    fi
}

# own_commands BUILD_FOLDER: prints `command<TAB>file` of each C++ file of ours that the build compiles, alone
# or in a batch with others; third-party and generated sources lie elsewhere.
own_commands() {
    awk -v root="$root/" '
        function tell(command, file) {
            if (index(file, root) == 1 && index(file, root "build/") != 1 && file ~ /\.cpp$/) print command "\t" file
        }
        function tell_batch(command, batch,   line, part) {
            while ((getline line < batch) > 0)
                if (split(line, part, "\"") > 1 && line ~ /^#include/) tell(command, part[2])
            close(batch)
        }
        /^  "command": / { command = substr($0, 15); sub(/",?$/, "", command) }
        /^  "file": /    { file = substr($0, 12); sub(/",?$/, "", file)
                           if (file ~ /\/Unity\/unity_[0-9]+_cxx\.cxx$/) tell_batch(command, file)
                           else tell(command, file) }' "$1/compile_commands.json" |
        sed 's/\\\(["\\]\)/\1/g'
}
