"""Scores a Python stub by its text alone: which calls can be written from it?

    score.py FOLDER STUBS < ROWS

FOLDER holds the sources. STUBS is a JSON array: of each stub its `text`, and `names`, the full name of each definition
in it by the name under which it is imported. The first stub shows everything: the calls of what it shows are the known
ones. ROWS are those of `calls --format jsonl`. Prints for each stub the number of covered calls and of known calls.

This program knows nothing of the program that wrote the stubs: it parses their text with Python's own parser.
"""

import ast
import json
import pathlib
import re
import sys

COMMENT_OF_MODULE = re.compile(r"# ([\w.]+):$")
KEYWORD = re.compile(r"(\w+)(?:=| [\d,]+×)")


def shapes(text, subject):
    """The parameters of each signature of everything that can be called, by the name under which it is imported."""
    lines = text.splitlines()
    found = {}

    def comment_keywords(node):
        """The keywords that the comments beside a signature name for its `**kwargs`."""
        last = node.body[0].end_lineno if node.body else node.end_lineno
        comments = [line.split("#", 1)[1] for line in lines[node.lineno - 1 : last] if "#" in line]
        return {name for comment in comments for name in KEYWORD.findall(comment)}

    def parameters(node, is_method):
        a = node.args
        names = [p.arg for p in a.posonlyargs + a.args]
        names = set(names[1:] if is_method else names) | {p.arg for p in a.kwonlyargs}
        names |= {"*" + a.vararg.arg} if a.vararg else set()
        if a.kwarg:
            names |= {"**" + a.kwarg.arg} | {"**" + a.kwarg.arg + " " + name for name in comment_keywords(node)}
        return names

    def visit(body, prefix, is_class):
        for node in body:
            if isinstance(node, ast.ClassDef):
                if any(isinstance(base, ast.Name) and base.id == "TypedDict" for base in node.bases):
                    # The fields of a `TypedDict` are the keywords of its calls.
                    fields = {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
                    found.setdefault(prefix + node.name, []).append(fields)
                visit(node.body, prefix + node.name + ".", True)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
                if "property" in decorators:
                    continue
                is_constructor = is_class and node.name in ("__init__", "__new__")
                name = prefix[:-1] if is_constructor else prefix + node.name
                passed = parameters(node, is_class and "staticmethod" not in decorators)
                found.setdefault(name, []).append(passed)

    module = subject
    for node in ast.parse(text).body:
        first = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", [])])
        for line in lines[:first]:
            if match := COMMENT_OF_MODULE.match(line):
                module = match[1]
        visit([node], module + ".", False)
    return found


def name_token(call):
    func = call.func
    if isinstance(func, ast.Attribute):
        return (func.end_lineno, func.end_col_offset - len(func.attr.encode()))
    return (func.lineno, func.col_offset)


def keywords_of(folder, row, cache={}):
    """The names of the keywords at a call site, in source order; the rows do not say them for `**kwargs`."""
    if not row["path"].endswith(".py"):
        return None
    if row["path"] not in cache:
        tree = ast.parse((folder / row["path"]).read_bytes())
        cache[row["path"]] = {name_token(n): n for n in ast.walk(tree) if isinstance(n, ast.Call)}
    call = cache[row["path"]].get((row["line"], row["col"]))
    return None if call is None else [keyword.arg for keyword in call.keywords]


def passed(folder, row):
    """What a call passes; `None` if that is not known."""
    names, keywords = [], None
    for argument in row["args"]:
        name = argument["param"]
        if argument["kind"] in ("star", "double_star") or name is None:
            return None
        if argument["kind"] == "keyword" and name.startswith("**"):
            keywords = keywords if keywords is not None else keywords_of(folder, row)
            if keywords is None:
                return None
            own = [a["param"] for a in row["args"] if a["kind"] == "keyword"]
            names += [name, name + " " + keywords[own.index(name) + sum(1 for n in names if n == name)]]
        else:
            names.append(name)
    return set(names)


def main():
    folder, stubs = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    rows = [json.loads(line) for line in sys.stdin]
    calls = [(row["callee"], passed(folder, row)) for row in rows if row["callee"] and not row["alts"]]
    scores, everything = [], None
    for stub in stubs:
        shown = {stub["names"].get(name, name): names for name, names in shapes(stub["text"], stub["subject"]).items()}
        everything = everything if everything is not None else shown
        known = [(callee, names) for callee, names in calls if callee in everything and names is not None]
        scores.append([sum(any(names <= written for written in shown.get(callee, [])) for callee, names in known), len(known)])
    print(json.dumps(scores))


main()
