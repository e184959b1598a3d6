#!/usr/bin/env bash
# Fuzzes every target, or those that are named, for some seconds each (60 by default). It stops at the first crash and
# says where its input is; `tests/fuzz/run.sh 0 TARGET` runs the seeds and what was found before, and nothing new.
#
#   tests/fuzz/run.sh [SECONDS [TARGET...]]
#
# The toolchain is stable. cargo-fuzz asks for nightly only because of the sanitizers: without them
# (`--sanitizer none`) all that it needs is the compiler's coverage instrumentation, `-Cpasses=sancov-module`, a stable
# flag. What is lost is the address sanitizer; the crates forbid `unsafe`, so that what it would find is in
# dependencies. Overflow checks and debug assertions are on.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
tools=$root/target/tools

seconds=${1:-60}
shift || true
if [[ ! $seconds =~ ^[0-9]+$ ]]; then
    echo "usage: tests/fuzz/run.sh [SECONDS [TARGET...]]" >&2
    exit 2
fi
targets=("$@")
if [[ ${#targets[@]} -eq 0 ]]; then
    for program in fuzz_targets/*.rs; do
        targets+=("$(basename "$program" .rs)")
    done
fi

fuzz=$tools/bin/cargo-fuzz
if [[ ! -x $fuzz ]]; then
    echo "== installing cargo-fuzz into target/tools"
    cargo install cargo-fuzz --locked --root "$tools" --target-dir "$tools/build"
    rm -rf "$tools/build"
fi

limit=(-max_total_time="$seconds")
if [[ $seconds -eq 0 ]]; then
    limit=(-runs=0)
fi
for target in "${targets[@]}"; do
    # What the fuzzer finds goes to the first folder; the seeds are read only.
    corpus=$root/target/fuzz/corpus/$target
    mkdir -p "$corpus"
    echo "== $target: $seconds s"
    "$fuzz" run --fuzz-dir . --sanitizer none --target-dir "$root/target/fuzz" "$target" "$corpus" "seeds/$target" \
        -- "${limit[@]}" -timeout=20 -rss_limit_mb=3000 -max_len=4096 -print_final_stats=0 \
        -artifact_prefix="$root/target/fuzz/crash-$target-"
done
echo "== no target has failed"
