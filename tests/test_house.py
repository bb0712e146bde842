"""The rooms: data flows down, and a module imports only from its own room and those above it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

import tacit

SOURCE = Path(tacit.__file__).parent
ROOT = SOURCE.parents[1]
ROOMS = [
    "errors",
    "checks",
    "estimator",
    "jit",
    "types",
    "text",
    "corpora",
    "compute",
    "factorize",
    "storage",
    "models",
    "training",
    "scale",
    "senses",
    "kernels",
    "search",
    "evaluation",
    "workflows",
    "server",
    "cli",
]
DOORS = {SOURCE / "__init__.py", SOURCE / "__main__.py"}
FILES = sorted(path for path in SOURCE.rglob("*.py") if path not in DOORS)


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_names(source: str) -> set[str]:
    """Every name that is imported, at the top, within a function or for types alone."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "say where a module is in full"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tacit":
            names.add(f"tacit.{node.attr}")
    return names


def imported_rooms(source: str) -> set[str]:
    """The rooms that a module imports from; a public name of tacit is of the room where it lives."""
    found = {name.split(".")[1] for name in imported_names(source) if name.startswith("tacit.")}
    homes = {name: module.split(".")[1] for name, module in tacit._HOMES.items()}
    found |= {homes[name] for name in found & set(homes)}
    return found & set(ROOMS)


@pytest.mark.parametrize(
    "source",
    [
        "from tacit.search.index import Index",
        "from tacit.search import index",
        "from tacit import search",
        "import tacit.search.index",
        "from tacit import Index",
        "import tacit\ntacit.Index",
        "def lazy():\n    from tacit.search import Index",
        "if TYPE_CHECKING:\n    from tacit.search import Index",
    ],
)
def test_every_way_to_import_is_seen(source):
    assert "search" in imported_rooms(source)


def test_tacit_load_counts_as_an_import_of_workflows():
    assert imported_rooms("import tacit\ntacit.load('folder')") == {"workflows"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_from_above(path):
    room = room_of(path)
    assert room in ROOMS, f"{room} has no place in the house yet: add it to ROOMS"
    below = ROOMS[ROOMS.index(room) + 1 :]
    assert not imported_rooms(path.read_text(encoding="utf-8")) & set(below)


BEHIND_WORKFLOWS = ("training", "factorize", "scale", "corpora")
FRONT_FILES = [path for path in FILES if room_of(path) in ("cli", "server")]


def is_type(name: str) -> bool:
    """Whether a dotted name is a class."""
    module, _, attribute = name.rpartition(".")
    return isinstance(getattr(import_module(module), attribute, None), type)


def not_types(source: str) -> list[str]:
    """What is imported from packages behind the workflows, other than classes."""
    names = [name for name in imported_names(source) if name.startswith("tacit.")]
    return sorted(name for name in names if name.split(".")[1] in BEHIND_WORKFLOWS and not is_type(name))


@pytest.mark.parametrize("path", FRONT_FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_cli_and_server_reach_training_through_workflows(path):
    assert not_types(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from tacit.corpora import ReadOptions", []),
        ("from tacit.corpora import read_lines", ["tacit.corpora.read_lines"]),
        ("from tacit.training import wtmf", ["tacit.training.wtmf"]),
        ("import tacit.scale.choosing", ["tacit.scale.choosing"]),
        ("from tacit.text import codes", []),
    ],
)
def test_only_types_are_imported_past_the_workflows(source, names):
    assert not_types(source) == names


def test_no_rooms_import_each_other():
    """Whatever the order of ``ROOMS``; a cycle is named by the error."""
    graph: dict[str, set[str]] = {room: set() for room in ROOMS}
    for path in FILES:
        graph[room_of(path)] |= imported_rooms(path.read_text(encoding="utf-8")) - {room_of(path)}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_is_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350


def test_the_public_names():
    assert len(tacit.__all__) <= 18
    assert set(tacit._HOMES) == set(tacit.__all__) <= set(dir(tacit))
    for name in tacit.__all__:
        assert getattr(tacit, name)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tacit.colour


def test_the_classes_that_the_readme_names_are_public():
    named = set(re.findall(r"`([A-Z]\w*)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"WTMF", "TextVectorizer", "Index"} <= named
    assert named <= set(tacit.__all__)


def test_contributing_shows_the_rooms_in_their_order_and_files_that_exist():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    assert [room for cell in cells for room in re.findall(r"`(\w+)`", cell)] == ROOMS
    paths = re.findall(r"`([\w/]+/[\w/.]*)`", page)
    assert len(paths) > 10
    assert [path for path in paths if not (SOURCE / path).exists() and not (ROOT / path).exists()] == []


BESIDE = sorted([*ROOT.glob("benchmarks/*.py"), *ROOT.glob("examples/*.py")])


@pytest.mark.parametrize("path", BESIDE, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_stands_beside_the_house_finds_what_it_imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("tacit", "papers"):
            module = import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}")


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import tacit", ["numpy", "numba", "sklearn", "scipy", "py3langid"]),
        ("import tacit.workflows.loading", ["numpy", "numba", "sklearn", "scipy"]),
        ("import tacit.cli.main", ["numpy", "numba", "sklearn", "scipy", "rich", "py3langid"]),
        ("import tacit.training.wtmf", ["sklearn", "scipy.sparse", "py3langid"]),
        ("import tacit.models.text_model", ["sklearn", "scipy.sparse", "py3langid"]),
        ("import tacit.cli.verbs.compare", ["numpy", "numba", "py3langid"]),
        ("import tacit.text.language_detection", ["py3langid"]),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(statement, absent):
    code = f"{statement}; import sys; print([name for name in {absent!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
