"""Makes a wheel of a binary that is built: .ci/packages/pypi/wheel BINARY PLATFORM FOLDER

PLATFORM is the tag of the wheel, such as manylinux_2_35_x86_64. The description is that of pyproject.toml, with which
maturin makes a wheel of the same files from the sources. Equal binaries give equal bytes.
"""

import base64
import hashlib
import re
import struct
import sys
import tomllib
import zlib
from pathlib import Path

import deflate

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def metadata(project: dict, version: str) -> str:
    """The file METADATA: the fields of the project, then the README."""
    fields = [("Metadata-Version", "2.4"), ("Name", project["name"]), ("Version", version)]
    fields += [("Summary", project["description"]), ("Keywords", ",".join(project["keywords"]))]
    fields += [("License-Expression", project["license"])]
    fields += [("License-File", name) for name in ("LICENSE-APACHE", "LICENSE-MIT")]
    fields += [("Requires-Python", project["requires-python"])]
    fields += [("Classifier", text) for text in project["classifiers"]]
    fields += [("Description-Content-Type", "text/markdown")]
    lines = "".join(f"{name}: {value}\n" for name, value in fields)
    return f"{lines}\n{(HERE / project['readme']).read_text()}"


def check_glibc(binary: bytes, platform: str) -> None:
    """Ends the program if the binary needs a newer glibc than the tag of the wheel says."""
    tag = re.match(r"manylinux_(\d+)_(\d+)_", platform)
    if tag is None:
        return
    allowed = tuple(map(int, tag.groups()))
    needed = max((tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", binary)), default=(0, 0))
    if needed > allowed:
        sys.exit(f"wheel.py: the binary needs glibc {needed[0]}.{needed[1]}, which {platform} does not have")


def archive(files: list) -> bytes:
    """A zip archive of files: their names, contents and modes. libdeflate packs them 3% smaller than zlib can."""
    body, directory = b"", b""
    for name, data, mode in files:
        packed, path = bytes(deflate.deflate_compress(data, 12)), name.encode()
        # Version 2.0, no flags, deflate, midnight of 1 January 1980, the checksum, both sizes, the name, nothing more.
        entry = struct.pack("<5H3I2H", 20, 0, 8, 0, 0x21, zlib.crc32(data), len(packed), len(data), len(path), 0)
        unix = struct.pack("<H", 3 << 8 | 20)
        directory += b"PK\1\2" + unix + entry + struct.pack("<3H2I", 0, 0, 0, (0o100000 | mode) << 16, len(body)) + path
        body += b"PK\3\4" + entry + path + packed
    count = len(files)
    return body + directory + b"PK\5\6" + struct.pack("<4H2IH", 0, 0, count, count, len(directory), len(body), 0)


def main() -> None:
    binary, platform, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    content = binary.read_bytes()
    check_glibc(content, platform)
    stem = f"apidisc_tui-{version}"
    files = [(f"{stem}.data/scripts/{binary.name}", content, 0o755)]
    files += [(f"{stem}.dist-info/METADATA", metadata(project, version).encode(), 0o644)]
    tags = f"Wheel-Version: 1.0\nGenerator: apidisc-tui\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"
    files += [(f"{stem}.dist-info/WHEEL", tags.encode(), 0o644)]
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        files.append((f"{stem}.dist-info/licenses/{name}", (ROOT / name).read_bytes(), 0o644))
    record = ""
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files.append((f"{stem}.dist-info/RECORD", f"{record}{stem}.dist-info/RECORD,,\n".encode(), 0o644))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{stem}-py3-none-{platform}.whl"
    path.write_bytes(archive(files))
    print(path)


main()
