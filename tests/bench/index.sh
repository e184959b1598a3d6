#!/usr/bin/env bash
# Indexing against parsing alone on the files of code of a folder: prints the times and their ratios.
# On one thread time is CPU time.
set -euo pipefail

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: tests/bench/index.sh FOLDER" >&2
    exit 2
fi
APIDISC_BENCH=$(cd "$1" && pwd)
export APIDISC_BENCH
cd "$(dirname "$0")/../.."

for threads in 1 2; do
    RAYON_NUM_THREADS=$threads cargo bench --locked --bench index
done

target=${CARGO_TARGET_DIR:-target}
nanoseconds() {
    sed -E 's/.*"median":\{[^}]*\},"point_estimate":([0-9.]+).*/\1/' "$target/criterion/$1/new/estimates.json"
}
awk -v parse="$(nanoseconds threads-1/parse)" -v one="$(nanoseconds threads-1/index)" -v two="$(nanoseconds threads-2/index)" 'BEGIN {
    printf "parsing alone, one thread    %8.1f ms\n", parse / 1e6
    printf "indexing, one thread         %8.1f ms  %.2f times parsing alone\n", one / 1e6, one / parse
    printf "indexing, two threads        %8.1f ms  %.2f times quicker than one\n", two / 1e6, one / two
}'
