"""Reads packages and writes a pair for each documented function or class: the words of the first sentence of its
documentation, and the words of everything else that a search knows of it.

Python wheels and source archives are read with `ast`, the declarations of npm packages with an expression for JSDoc
comments. No package is installed or run. Packages whose licence is not in `PERMISSIVE` are left out.

    python pairs.py WHEELS_FOLDER NPM_FOLDER -o pairs.jsonl --packages packages.tsv
"""

import argparse
import ast
import json
import re
import sys
import tarfile
import warnings
import zipfile
from pathlib import Path

from words import words

PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|Unlicense|0BSD|HPND|CC0|BlueOak)", re.I)
COPYLEFT = re.compile(r"\b(A?GPL|LGPL|MPL|Mozilla|EPL|CDDL|GNU|SSPL|Commons Clause|BUSL)", re.I)
MOST_BYTES = 1_000_000
MOST_OF_A_PACKAGE = 4_000
TESTS = re.compile(r"(^|/)(tests?|testing|_?vendor(ed)?|third_party|node_modules|examples?|benchmarks?)/|(^|/)(test_|conftest)")


def files(archive):
    """The files of an archive as (path, bytes), without tests and vendored code."""
    if archive.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(archive) as opened:
            for info in opened.infolist():
                if info.file_size <= MOST_BYTES and not TESTS.search(info.filename):
                    if info.filename.endswith((".py", ".d.ts", "METADATA", "PKG-INFO", "package.json")):
                        yield info.filename, opened.read(info)
    else:
        with tarfile.open(archive) as opened:
            for member in opened:
                if member.isfile() and member.size <= MOST_BYTES and not TESTS.search(member.name):
                    if member.name.endswith((".py", ".d.ts", ".d.mts", "METADATA", "PKG-INFO", "package.json")):
                        yield member.name, opened.extractfile(member).read()


def licence(contents):
    """What a package says of its licence; empty if it says nothing."""
    said = []
    for path, data in contents:
        if path.endswith(("METADATA", "PKG-INFO")) and path.count("/") <= 1:
            for line in data.decode("utf-8", "replace").split("\n\n")[0].splitlines():
                if line.startswith(("License:", "License-Expression:", "Classifier: License")):
                    said.append(line.split("::")[-1].split(":", 1)[-1].strip()[:80])
        if path.endswith("package/package.json") or path.count("/") == 1 and path.endswith("package.json"):
            try:
                said.append(str(json.loads(data).get("license", ""))[:80])
            except ValueError:
                pass
    return "; ".join(dict.fromkeys(filter(None, said)))


def sentence(text):
    """The first sentence of a documentation, and the rest of it."""
    text = text.strip()
    paragraph = text.split("\n\n")[0]
    end = re.search(r"\.(\s|$)", paragraph)
    cut = end.start() + 1 if end else len(paragraph)
    return text[:cut], text[cut:]


def python_pairs(data, module):
    """The documented functions and classes of a Python file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return

    def visit(node, container):
        for child in getattr(node, "body", []):
            if isinstance(child, ast.ClassDef):
                yield from one(child, container)
                yield from visit(child, container + " " + child.name)
            elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield from one(child, container)

    def one(node, container):
        doc = ast.get_docstring(node)
        if not doc or len(doc) < 12:
            return
        first, rest = sentence(doc[:4000])
        parameters, called = "", ""
        if not isinstance(node, ast.ClassDef):
            a = node.args
            parameters = " ".join(x.arg for x in a.posonlyargs + a.args + a.kwonlyargs if x.arg not in ("self", "cls"))
            names = []
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call):
                    f = inner.func
                    names.append(f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", ""))
            called = " ".join(names[:30])
        else:
            called = " ".join(x.name for x in node.body if isinstance(x, ast.FunctionDef) and not x.name.startswith("_"))
        yield node.name, container + " " + module, parameters, first, rest, called

    yield from visit(tree, "")


DECLARED = re.compile(
    r"/\*\*((?:[^*]|\*(?!/))*)\*/\s*"
    r"(?:(?:export|declare|default|public|static|readonly|abstract|async|protected)\s+)*"
    r"(?:(?:function|class|interface|type|const|let|namespace|enum)\s+)?([A-Za-z_$][\w$]*)\??\s*(?:<[^(){}]*>)?\s*(\(([^()]*)\))?"
)
CONTAINER = re.compile(r"\b(?:class|interface|namespace)\s+(\w+)")


def typescript_pairs(data, module):
    """The documented declarations of a TypeScript file."""
    text = data.decode("utf-8", "replace")
    classes = [(found.start(), found.group(1)) for found in CONTAINER.finditer(text)]
    container, at = "", 0
    for found in DECLARED.finditer(text):
        while at < len(classes) and classes[at][0] < found.start():
            container = classes[at][1]
            at += 1
        doc = "\n".join(re.sub(r"^\s*\*? ?", "", line) for line in found.group(1).splitlines())
        prose = doc.split("\n@")[0].strip()
        if len(prose) < 12:
            continue
        first, rest = sentence(prose[:4000])
        tags = " ".join(doc.split("\n@")[1:])[:2000]
        parameters = " ".join(re.findall(r"([A-Za-z_$][\w$]*)\??\s*:", found.group(4) or ""))
        yield found.group(2), container + " " + module, parameters, first, rest + " " + tags, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--packages", type=Path, required=True, help="the list of the packages that were read")
    options = parser.parse_args()
    seen = set()
    with options.output.open("w") as out, options.packages.open("w") as listed:
        listed.write("package\tlicence\tpairs\n")
        for archive in sorted(a for folder in options.folders for a in folder.iterdir()):
            if not archive.name.endswith((".whl", ".zip", ".tar.gz", ".tgz")):
                continue
            try:
                contents = list(files(archive))
            except (zipfile.BadZipFile, tarfile.TarError, OSError) as problem:
                print(f"left out: {archive.name}: {problem}", file=sys.stderr)
                continue
            said = licence(contents)
            if not PERMISSIVE.search(said) or COPYLEFT.search(said):
                print(f"left out: {archive.name}: licence {said!r}", file=sys.stderr)
                continue
            count = 0
            for path, data in sorted(contents):
                module = " ".join(Path(path).with_suffix("").parts[-2:])
                if path.endswith(".py"):
                    pairs = python_pairs(data, module)
                elif ".d." in path:
                    pairs = typescript_pairs(data, module)
                else:
                    continue
                for name, container, parameters, first, rest, called in pairs:
                    key = (name, first)
                    question = words(first)
                    if count >= MOST_OF_A_PACKAGE or key in seen or len(question) < 2:
                        continue
                    seen.add(key)
                    count += 1
                    pair = {
                        "q": question[:30],
                        "name": words(name),
                        "in": words(container)[-8:],
                        "params": words(parameters)[:20],
                        "doc": words(rest)[:80],
                        "called": words(called)[:40],
                    }
                    json.dump(pair, out)
                    out.write("\n")
            listed.write(f"{archive.name}\t{said}\t{count}\n")


if __name__ == "__main__":
    main()
