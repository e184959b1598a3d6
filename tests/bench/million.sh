#!/usr/bin/env bash
# Time and memory for millions of lines beside the sum of their parts.
#
# Large packages are linked as the sources of one file, and each of them alone. A pass that looks at all files for each
# file shows as a ratio above 1: time and memory for all together grow as the sum of the parts, or faster. The packages
# come from PyPI, as wheels; only their Python files are kept. No cache is read or written.
set -euo pipefail

packages=(ansible-core==2.19.14 django==5.2.19 homeassistant==2024.3.3 pandas==3.1.1 sqlalchemy==2.1.9 sympy==1.14.0
    transformers==5.24.0 twisted==26.10.0)

usage() {
    cat >&2 <<EOF
usage: tests/bench/million.sh [--binary PROGRAM] [--sources FOLDER]

Without --binary, the release build of this repository is made and measured. The packages are put into --sources
(target/tools/million), about 400 MB, and stay there: the file sources.yaml in it lists them for the explorer.
EOF
    exit 2
}

here=$(cd "$(dirname "$0")/../.." && pwd)
binary=
sources=$here/target/tools/million
while [[ $# -gt 0 ]]; do
    case $1 in
        --binary) binary=$(realpath -- "${2:-}") ;;
        --sources) sources=${2:-} ;;
        *) usage ;;
    esac
    shift 2 || usage
done

if [[ -z $binary ]]; then
    cargo build --release --locked --manifest-path "$here/Cargo.toml"
    binary=$here/target/release/apidisc-tui
fi

mkdir -p "$sources"
sources=$(cd "$sources" && pwd)
if [[ ! -e $sources/sources.yaml ]]; then
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$sources/wheels" "${packages[@]}"
    echo "sources:" >"$sources/list"
    for wheel in "$sources"/wheels/*.whl; do
        name=$(basename "$wheel")
        name=${name%%-*}
        python3 -m zipfile -e "$wheel" "$sources/$name"
        find "$sources/$name" -type f ! -name '*.py' ! -name '*.pyi' -delete
        echo "  - url: $name" >>"$sources/list"
    done
    rm -r "$sources/wheels"
    mv "$sources/list" "$sources/sources.yaml"
fi

python3 - "$binary" "$sources" <<'EOF'
"""Runs the commands on each source and on all, and prints a table in Markdown."""
import os
import pathlib
import sys
import tempfile
import time

binary, sources = sys.argv[1], pathlib.Path(sys.argv[2])
parts = sorted(path for path in sources.iterdir() if path.is_dir())
COMMANDS = {
    "calls": lambda out: ["calls", "--format", "jsonl"],
    "facts": lambda out: ["facts", "-o", f"{out}/facts"],
    "index": lambda out: ["index", "-o", f"{out}/api_metadata.yaml"],
    "discover": lambda out: ["discover", "parse a date"],
}


def run(command, target, out):
    """CPU seconds, wall seconds, peak megabytes and lines of output of a command."""
    began = time.monotonic()
    written = os.path.join(out, "stdout")
    process = os.fork()
    if process == 0:
        for stream, path in enumerate([os.devnull, written, os.devnull]):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), stream)
        os.environ.update(APIDISC_CACHE="off", XDG_CACHE_HOME=out, HOME=out)
        os.execv(binary, [binary, *command, *target])
    _, status, used = os.wait4(process, 0)
    if status != 0:
        sys.exit(f"{' '.join([*command, *target])}: failed")
    with open(written, "rb") as lines:
        count = sum(1 for _ in lines)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024, count


lines = 0
for file in sources.rglob("*.py*"):
    with open(file, "rb") as text:
        lines += sum(1 for _ in text)
print("| command | CPU: sum of the parts | all | ratio | memory: sum of the parts | all | ratio | wall |")
print("| --- | --- | --- | --- | --- | --- | --- | --- |")
sites = 0
for name, command in COMMANDS.items():
    with tempfile.TemporaryDirectory() as out:
        alone = [run(command(out), [str(part)], out) for part in parts]
        cpu, wall, memory, count = run(command(out), ["--config", str(sources / "sources.yaml")], out)
    sites = count if name == "calls" else sites
    (cpus, memories) = (sum(part[column] for part in alone) for column in (0, 2))
    print(
        f"| `{name}` | {cpus:.1f} s | {cpu:.1f} s | {cpu / cpus:.2f} "
        f"| {memories:.0f} MB | {memory:.0f} MB | {memory / memories:.2f} | {wall:.1f} s |",
        flush=True,
    )
print(f"\n{len(parts)} packages, {lines:,} lines, {sites:,} call sites")
EOF
