"""Makes a small library, consumers of it, and their sources.yaml: generate.py DIR NUMBER"""

import os
import random
import sys

LIBRARY = '''"""Clients."""


class _Base:
    def send(self, data, *, retries=3, timeout: float = 1.0):
        return data

    @property
    def state(self):
        return 1


class Client(_Base):
    """A client."""

    def __init__(self, url: str, *, token: str | None = None, **options):
        self.url = url

    def get(self, path: str, params=None, *headers, strict: bool = False) -> "Client":
        return self


def fetch(url, client: Client | None = None, mode="fast"):
    return Client(url, token="x").get("/")
'''


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def module(chance, name):
    """A module that calls the library in many ways."""
    lines = ["from kit import Client, fetch", "", f"def helper_{name}(a, b=1): return a", ""]
    for number in range(10):
        lines += [f"def run_{number}(x, opts):", f"    c = Client('u', token={number % 3!r})"]
        lines.append(
            "    "
            + chance.choice(
                [
                    "c.get('/', strict=True)",
                    f"c.get('/p', {number}, **opts)",
                    "c.get(*opts)",
                    "fetch(x, c, mode='slow')",
                    "fetch(mode='fast', url=x)",
                ]
            )
        )
        lines += ["    c.send(1, retries=2); print(c.state, c.url)", "    x.get('a'); c.unknown()"]
        lines.append(f"    helper_{name}(x)")
    return "\n".join(lines) + "\n"


def main():
    folder, number = sys.argv[1], int(sys.argv[2])
    chance = random.Random(7)
    write(f"{folder}/kit/kit/__init__.py", "from .client import Client, fetch\n")
    write(f"{folder}/kit/kit/client.py", LIBRARY)
    names = [f"app{at:04}" for at in range(number)]
    for name in names:
        write(f"{folder}/{name}/{name}/__init__.py", "")
        for part in ("one", "two"):
            write(f"{folder}/{name}/{name}/{part}.py", module(chance, part))
        write(f"{folder}/{name}/{name}/tests/test_{name}.py", "from kit import fetch\n\nfetch('x')\nfetch('x', mode='m')\n")
    sources = [f"- {{url: {name}, name: {name}}}\n" for name in [*names, "kit"]]
    write(f"{folder}/sources.yaml", "sources:\n" + "".join(sources))


main()
