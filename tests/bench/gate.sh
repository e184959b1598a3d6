#!/usr/bin/env bash
# Holds the cost of indexing against an older build: it may take at most 1.03 times as much on any folder.
#
# The cost is the number of instructions on one thread, as callgrind counts them: on one machine two runs differ by less
# than a thousandth, whatever else the machine does. Without valgrind it is CPU time, the least of five runs in turn.
set -euo pipefail

most=1.03

if [[ $# -lt 3 || ! -x $1 || ! -x $2 ]]; then
    echo "usage: tests/bench/gate.sh OLD_PROGRAM NEW_PROGRAM FOLDER…" >&2
    exit 2
fi
old=$(realpath -- "$1") new=$(realpath -- "$2")
shift 2

export APIDISC_CACHE=off RAYON_NUM_THREADS=1
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
export HOME=$state XDG_CACHE_HOME=$state

instructions() {
    local counts=$state/counts
    valgrind --tool=callgrind --callgrind-out-file="$counts" "$1" calls "$2" --format jsonl >/dev/null 2>&1
    sed -n 's/^summary: //p' "$counts"
}

milliseconds() {
    python3 - "$1" "$2" <<'EOF'
import os, sys
process = os.fork()
if process == 0:
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.execv(sys.argv[1], [sys.argv[1], "calls", sys.argv[2], "--format", "jsonl"])
_, _, used = os.wait4(process, 0)
print(round((used.ru_utime + used.ru_stime) * 1000))
EOF
}

# The least of five times of the old and of the new program, which run in turn.
least_times() {
    local least=(999999999 999999999) program at time
    for _ in 1 2 3 4 5; do
        for at in 0 1; do
            program=$([[ $at == 0 ]] && echo "$old" || echo "$new")
            time=$(milliseconds "$program" "$1")
            ((time < least[at])) && least[at]=$time
        done
    done
    echo "${least[@]}"
}

failed=0
for folder; do
    if command -v valgrind >/dev/null; then
        unit=instructions before=$(instructions "$old" "$folder") after=$(instructions "$new" "$folder")
    else
        unit=ms
        read -r before after < <(least_times "$folder")
    fi
    awk -v folder="$folder" -v unit="$unit" -v before="$before" -v after="$after" -v most="$most" 'BEGIN {
        ratio = after / before
        note = (ratio > most) ? " (at most " most ")" : ""
        printf "%s: %s -> %s %s, %.3f%s\n", folder, before, after, unit, ratio, note
        exit (ratio > most)
    }' || failed=1
done
exit "$failed"
