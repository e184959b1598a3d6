"""Drives every tool, resource and prompt with the official Python client, over standard streams and over HTTP."""

import asyncio
import pathlib
import subprocess
import sys
import tempfile

from mcp import Client, StdioServerParameters

BINARY, DEMO, URL = sys.argv[1:4]

CALLS = {
    "search_symbols": {"query": "reading"},
    "get_module_help": {"module_name": "windvane", "max_tokens": 500},
    "get_symbols": {"hashes": ["windvane.Reading", "windvane.Station"]},
    "research_api": {"question": "How do I read the latest value of a station?", "max_tokens": 600},
    "search_symbols_batch": {"queries": ["reading", "station"]},
    "list_symbols": {"module": "windvane"},
    # Over standard streams the session holds these symbols already.
    "get_symbol": {"hash": "windvane.Reading", "again": True},
    "get_symbol_source": {"hash": "windvane.Reading", "again": True},
    "get_repo_overview": {},
    "get_module": {"module": "windvane", "again": True},
    "check_index": {},
    "list_dependencies": {},
    "discover": {"intent": "read the latest value of a station", "limit": 3},
    "route": {"task": "add a retry to Station.latest"},
    "extract_keywords": {"task": "add a retry to Station.latest"},
}


DOCUMENT = """openapi: 3.1.0
info: {title: Wind, version: "1"}
paths:
  /stations:
    post: {operationId: createStation, summary: Create a station}
"""


def only_text(result):
    assert not result.is_error, result
    assert len(result.content) == 1, result
    return result.content[0].text


async def drive(server, mode):
    async with Client(server, mode=mode) as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        # The demo has no packages: `drive_upgrade` checks an upgrade.
        assert listed - {"check_upgrade"} <= set(CALLS), listed - set(CALLS)
        answers = {name: only_text(await client.call_tool(name, given)) for name, given in CALLS.items()}
        assert all(answers.values()), answers
        for resource in (await client.list_resources()).resources:
            await client.read_resource(resource.uri)
        await client.read_resource("apidisc://symbol/windvane.Reading")
        await client.get_prompt("api", {"module": "windvane"})
        await client.get_prompt("task", {"task": "add a retry to Station.latest"})
        return answers


async def drive_documents(folder):
    """The tools for API documents are listed where the sources hold some, and operations have the bytes of --export."""
    (pathlib.Path(folder) / "api.yaml").write_text(DOCUMENT)
    (pathlib.Path(folder) / "wind.py").write_text("def blow(): ...\n")
    server = StdioServerParameters(command=BINARY, args=["serve", folder])
    async with Client(server, mode="auto") as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert {"search_chunks", "get_chunks"} <= listed, listed
        found = only_text(await client.call_tool("search_chunks", {"query": "create a station"}))
        assert "api.yaml:paths/stations/post" in found, found
        stub = only_text(await client.call_tool("get_symbol", {"hash": "POST /stations"}))
    command = [BINARY, "--export", folder, "--docs", folder, "--symbol", "POST /stations", "--max-tokens", "1000"]
    assert stub == subprocess.run(command, capture_output=True, check=True).stdout.decode(), stub


async def drive_upgrade(folder):
    """An agent learns which uses another version of a package breaks."""
    folder = pathlib.Path(folder)
    (folder / "app.py").write_text("from kit import go\n\ngo(1, speed=2)\n")
    for environment, parameter in (".venv", "speed"), (".venv-new", "pace"):
        site = folder / environment / "lib/python3.12/site-packages"
        site.mkdir(parents=True)
        (folder / environment / "pyvenv.cfg").write_text("version = 3.12\n")
        (site / "kit.py").write_text(f"def go(a, {parameter}=0): ...\n")
    server = StdioServerParameters(command=BINARY, args=["serve", str(folder), "--tools", "all"])
    async with Client(server, mode="auto") as client:
        answer = only_text(await client.call_tool("check_upgrade", {"package": "kit", "to": ".venv-new"}))
        assert "break  kit.go(speed)  removed-parameter" in answer, answer


async def main():
    with tempfile.TemporaryDirectory() as folder:
        await drive_upgrade(folder)
    with tempfile.TemporaryDirectory() as folder:
        await drive_documents(folder)
    stdio = StdioServerParameters(command=BINARY, args=["serve", DEMO, "--tools", "all"])
    answers = [await drive(server, mode) for server in (stdio, URL) for mode in ("legacy", "auto")]
    exported = subprocess.run(
        [BINARY, "--export", DEMO, "--module", "windvane", "--max-tokens", "500"], capture_output=True, check=True
    )
    for answer in answers:
        assert answer["get_module_help"] == exported.stdout.decode(), "the bytes differ from those of --export"
        for name in set(CALLS) - {"check_index"}:
            assert answer[name] == answers[0][name], f"{name}: the transports differ"
    print(f"python client: {len(CALLS)} tools, {len(answers)} connections")


asyncio.run(main())
