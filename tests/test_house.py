"""The rooms: data flows down, and a module imports only from its own room and those above it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tacit

SOURCE = Path(tacit.__file__).parent
ROOMS = [
    "errors",
    "checks",
    "estimator",
    "text",
    "corpora",
    "compute",
    "factorize",
    "storage",
    "sentences",
    "models",
    "training",
    "crosslingual",
    "senses",
    "kernels",
    "search",
    "evaluation",
    "server",
    "cli",
]
FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def imported_rooms(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("tacit.")} & set(ROOMS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_above(path):
    room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert room in ROOMS, f"{room} has no place in the house yet: add it to ROOMS"
    below = ROOMS[ROOMS.index(room) + 1 :]
    assert not imported_rooms(path) & set(below)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_is_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_the_public_names():
    assert len(tacit.__all__) <= 16
    for name in tacit.__all__:
        assert getattr(tacit, name)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tacit.colour


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import tacit", ["numpy", "numba", "sklearn", "scipy"]),
        ("import tacit.cli.main", ["numpy", "numba", "sklearn", "scipy", "rich"]),
        ("import tacit.training.wtmf", ["sklearn", "scipy.sparse"]),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(statement, absent):
    code = f"{statement}; import sys; print([name for name in {absent!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
