#!/usr/bin/env bash
# CPU time, wall time and peak memory of apidisc-tui beside those of type checkers, on the same folders.
#
# The programs run in turn, and each figure is the median of the rounds, so a machine that is busy with other work
# changes the ratios little. apidisc-tui reads no cache and writes none: each run is the first one. The checkers come
# from their registries: ty and pyrefly for Python, the native compiler of TypeScript for TypeScript. They check types
# as well, so the table says how long a person waits for each program, not that both do the same. All read every file of
# the folder: pyrefly gets settings without the exceptions of the project's. The compiler of TypeScript checks nothing
# if the project's settings are wrong for it or name packages that are missing, so install those before; its row then
# says so instead of a time.
set -euo pipefail

ty=0.0.108
pyrefly=1.5.0
typescript=latest

usage() {
    cat >&2 <<EOF
usage: tests/bench/peers.sh [--rounds N] [--binary PROGRAM] [--tools FOLDER] FOLDER…

Each FOLDER is one of Python if it has more .py files than .ts and .tsx files, else one of TypeScript. Without --binary,
the release build of this repository is made and measured. The checkers are installed into --tools (target/tools/peers).
EOF
    exit 2
}

here=$(cd "$(dirname "$0")/../.." && pwd)
rounds=5
binary=
tools=$here/target/tools/peers
while [[ ${1:-} == --* ]]; do
    case $1 in
        --rounds) rounds=${2:-} ;;
        --binary) binary=$(realpath -- "${2:-}") ;;
        --tools) tools=${2:-} ;;
        *) usage ;;
    esac
    shift 2 || usage
done
[[ $# -gt 0 && $rounds =~ ^[1-9][0-9]*$ ]] || usage
for folder; do
    [[ -d $folder ]] || { printf '%s is no folder\n' "$folder" >&2; usage; }
done

if [[ -z $binary ]]; then
    cargo build --release --locked --manifest-path "$here/Cargo.toml"
    binary=$here/target/release/apidisc-tui
fi

mkdir -p "$tools"
tools=$(cd "$tools" && pwd)
if [[ ! -x $tools/python/bin/ty || ! -x $tools/python/bin/pyrefly ]]; then
    python3 -m venv "$tools/python"
    "$tools/python/bin/pip" install --quiet "ty==$ty" "pyrefly==$pyrefly" \
        || "$tools/python/bin/pip" install --quiet ty pyrefly
fi
: >"$tools/pyrefly.toml"
if [[ ! -x $tools/node_modules/.bin/tsgo ]]; then
    npm install --silent --no-save --no-audit --no-fund --prefix "$tools" "@typescript/native-preview@$typescript"
fi
printf '%s\n' "$("$binary" --version)" "$("$tools/python/bin/ty" --version)" \
    "$("$tools/python/bin/pyrefly" --version)" "tsgo $("$tools/node_modules/.bin/tsgo" --version)" >&2

python3 - "$rounds" "$binary" "$tools" "$@" <<'EOF'
"""Runs the programs in turn, and prints a table in Markdown."""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

rounds, binary, tools, *folders = sys.argv[1:]
SKIPPED = {".git", "node_modules", ".venv", "venv", "target", "dist", "build"}


def language(folder):
    counts = {"Python": 0, "TypeScript": 0}
    for _, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if name not in SKIPPED]
        counts["Python"] += sum(name.endswith(".py") for name in files)
        counts["TypeScript"] += sum(name.endswith((".ts", ".tsx")) for name in files)
    return max(counts, key=counts.get)


def run(command, folder, state):
    """CPU seconds, wall seconds and peak megabytes of a command and its children."""
    began = time.monotonic()
    process = os.fork()
    if process == 0:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(null, stream)
        os.environ.update(APIDISC_CACHE="off", XDG_CACHE_HOME=state, HOME=state)
        os.execv(command[0], command)
    _, _, used = os.wait4(process, 0)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def peers(folder):
    if language(folder) == "Python":
        return {
            "ty": [f"{tools}/python/bin/ty", "check", "--exit-zero", "."],
            "pyrefly": [f"{tools}/python/bin/pyrefly", "check", "-c", f"{tools}/pyrefly.toml", "**/*.py"],
        }
    native = pathlib.Path(tools).resolve() / "node_modules/.bin/tsgo"
    project = ["-p", "tsconfig.json"] if (pathlib.Path(folder) / "tsconfig.json").exists() else []
    return {"TypeScript (native)": [str(native), "--noEmit", "--skipLibCheck", *project]}


def checks_nothing(name, command, folder):
    """What stops the compiler of TypeScript before it checks types: an error that stands in no file of code."""
    if not name.startswith("TypeScript"):
        return None
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    return next((line for line in output.splitlines() if re.match(r"(\S*\.json\(\d+,\d+\): )?error TS", line)), None)


print("| folder | program | CPU | wall | memory | CPU against ours | memory against ours |")
print("| --- | --- | --- | --- | --- | --- | --- |")
for folder in folders:
    where = os.path.basename(os.path.abspath(folder))
    programs = {"apidisc-tui": [binary, "calls", ".", "--format", "jsonl"], **peers(folder)}
    stopped = {name: why for name, command in programs.items() if (why := checks_nothing(name, command, folder))}
    programs = {name: command for name, command in programs.items() if name not in stopped}
    measured = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as state:
        for _ in range(int(rounds)):
            for name, command in programs.items():
                measured[name].append(run(command, folder, state))
    medians = {name: [statistics.median(column) for column in zip(*runs)] for name, runs in measured.items()}
    own = medians["apidisc-tui"]
    for name, (cpu, wall, memory) in medians.items():
        ratios = "| |" if name == "apidisc-tui" else f"| {cpu / own[0]:.2f} | {memory / own[2]:.2f} |"
        print(f"| {where} | {name} | {cpu:.2f} s | {wall:.2f} s | {memory:.0f} MB {ratios}", flush=True)
    for name, why in stopped.items():
        print(f"| {where} | {name} | checks nothing: {why.replace('|', '')} | | | | |", flush=True)
EOF
