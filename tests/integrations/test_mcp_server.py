"""The MCP server, driven by the client of its SDK over standard input and output."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

import tacit
from tacit.errors import InputError
from tacit.integrations.mcp_server import FileTools

A = ["Sony DSC-W120 camera, black", "Canon EOS 450D body", "Nikon D60 kit"]
B = ["nikon d60 digital slr kit", "sony cybershot dscw120 black", "canon eos 450d body only"]
TOOLS = {"search", "compare", "explain", "link", "dedupe", "themes"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "files"
    root.mkdir()
    for name, texts in {"a.txt": A, "b.txt": B, "copies.txt": [*A, A[0].upper()]}.items():
        (root / name).write_text("\n".join(texts) + "\n", "utf-8")
    return root


def run_client(folder: Path, calls: list[tuple[str, dict[str, Any]]], *options: str) -> tuple[Any, list[Any]]:
    """Start ``tacit mcp`` and return its tools and the results of calls."""

    async def talk() -> tuple[Any, list[Any]]:
        command = ["-m", "tacit", "mcp", str(folder), *options]
        parameters = StdioServerParameters(command=sys.executable, args=command)
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            return tools, [await session.call_tool(name, arguments) for name, arguments in calls]

    with ThreadPoolExecutor(1) as pool:  # the main thread may run the event loop of a browser
        return pool.submit(anyio.run, talk).result()


def test_client_calls_every_tool(folder: Path) -> None:
    pair = {"path": "a.txt", "a": A[0], "b": A[0].lower()}
    calls = [
        ("search", {"path": "a.txt", "query": "canon eos", "k": 1}),
        ("compare", pair),
        ("explain", pair),
        ("link", {"a": "a.txt", "b": "b.txt"}),
        ("dedupe", {"path": "copies.txt"}),
        ("themes", {"path": "a.txt"}),
        ("search", {"path": "../secret.txt", "query": "canon"}),
        ("dedupe", {"path": "copies.txt", "output": "out.csv"}),
    ]
    tools, results = run_client(folder, calls)
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations.read_only_hint for tool in tools)
    search, compare, explain, link, dedupe, themes, outside, refused = results
    assert [hit["text"] for hit in search.structured_content["hits"]] == [A[1]]
    assert compare.structured_content["score"] == pytest.approx(1.0)
    assert explain.structured_content["score"] == pytest.approx(1.0)
    links = tacit.link(A, B)
    pairs = [(row["text_a"], row["text_b"]) for row in link.structured_content["rows"]]
    assert pairs == [(each.a.text, each.b.text) for each in links]
    assert dedupe.structured_content["n_groups"] == 1
    assert themes.structured_content["n_texts"] == len(A)
    assert outside.is_error
    assert "outside of the folder" in outside.content[0].text
    assert refused.is_error
    assert "--write" in refused.content[0].text
    assert not (folder / "out.csv").exists()


def test_write_option_allows_output(folder: Path) -> None:
    calls = [("link", {"a": "a.txt", "b": "b.txt", "n_rows": 0, "output": "links.csv"})]
    tools, (result,) = run_client(folder, calls, "--write")
    assert {tool.name for tool in tools if not tool.annotations.read_only_hint} == {
        "link",
        "dedupe",
        "themes",
    }
    assert "rows" not in result.structured_content
    assert (
        len((folder / "links.csv").read_text("utf-8").splitlines()) == 1 + result.structured_content["n_rows"]
    )


@pytest.mark.parametrize("path", ["..", "/etc/passwd", "link.txt", "a/../../b"])
def test_path_outside_the_folder_is_refused(folder: Path, path: str) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text("secret\n", "utf-8")
    (folder / "link.txt").symlink_to(outside)
    with pytest.raises(InputError, match="outside of the folder"):
        FileTools(folder).search(path, "secret")


def test_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        FileTools(tmp_path / "absent")
