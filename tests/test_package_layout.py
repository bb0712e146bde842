"""Dependency order of packages: a module imports only from its own package and those above it in the list."""

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
PACKAGES = [
    "errors",
    "checks",
    "estimator",
    "first_start",
    "jit",
    "types",
    "result_table",
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
    "themes",
    "decisions",
    "evaluation",
    "workflows",
    "reports",
    "integrations",
    "server",
    "cli",
]
ENTRY_POINTS = {SOURCE / "__init__.py", SOURCE / "__main__.py"}
FILES = sorted(path for path in SOURCE.rglob("*.py") if path not in ENTRY_POINTS)


def package_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_names(source: str) -> set[str]:
    """Return every imported name, at the top, in functions and for type checking."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "use absolute imports"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) == "tacit":
            names.add(f"tacit.{node.attr}")
    return names


def imported_packages(source: str) -> set[str]:
    """Return the packages a module imports from; a public name counts as the package that defines it."""
    names = {name.split(".")[1] for name in imported_names(source) if name.startswith("tacit.")}
    packages = {name: module.split(".")[1] for name, module in tacit._MODULE_OF.items()}
    names |= {packages[name] for name in names & set(packages)}
    return names & set(PACKAGES)


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
def test_every_form_of_import_is_found(source):
    assert "search" in imported_packages(source)


def test_tacit_load_counts_as_an_import_of_workflows():
    assert imported_packages("import tacit\ntacit.load('folder')") == {"workflows"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_module_imports_only_from_packages_above(path):
    package = package_of(path)
    assert package in PACKAGES, f"{package} has no place in the dependency order yet: add it to PACKAGES"
    below = PACKAGES[PACKAGES.index(package) + 1 :]
    assert not imported_packages(path.read_text(encoding="utf-8")) & set(below)


BEHIND_WORKFLOWS = ("training", "factorize", "scale", "corpora")
FRONT_FILES = [path for path in FILES if package_of(path) in ("cli", "server")]


def is_type(name: str) -> bool:
    """Return whether a dotted name is a class."""
    module, _, attribute = name.rpartition(".")
    return isinstance(getattr(import_module(module), attribute, None), type)


def not_types(source: str) -> list[str]:
    """Return what is imported from packages behind the workflows, other than classes."""
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
        ("import tacit.scale.engine_choice", ["tacit.scale.engine_choice"]),
        ("from tacit.text import languages", []),
    ],
)
def test_only_types_are_imported_past_the_workflows(source, names):
    assert not_types(source) == names


def test_no_packages_import_each_other():
    """Independent of the order of ``PACKAGES``; the error names a cycle."""
    graph: dict[str, set[str]] = {package: set() for package in PACKAGES}
    for path in FILES:
        graph[package_of(path)] |= imported_packages(path.read_text(encoding="utf-8")) - {package_of(path)}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_file_has_at_most_350_lines(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 350


def test_public_names_can_be_imported():
    assert len(tacit.__all__) <= 24
    assert set(tacit.__all__) <= set(dir(tacit))
    for name in tacit.__all__:
        assert getattr(tacit, name)
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        _ = tacit.colour


def test_type_stub_lists_the_public_names_and_their_modules():
    stub = ast.parse((SOURCE / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    assert {alias.asname: node.module for node in imports for alias in node.names} == tacit._MODULE_OF


def test_classes_named_in_the_readme_are_public():
    named = set(re.findall(r"`([A-Z]\w*)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"WTMF", "TextVectorizer", "Index"} <= named
    assert named <= set(tacit.__all__)


def test_contributing_lists_packages_in_order_and_existing_files():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    assert [package for cell in cells for package in re.findall(r"`(\w+)`", cell)] == PACKAGES
    paths = re.findall(r"`([\w/]+/[\w/.]*)`", page)
    assert len(paths) > 10
    assert [path for path in paths if not (SOURCE / path).exists() and not (ROOT / path).exists()] == []


SCRIPTS = sorted([*ROOT.glob("benchmarks/*.py"), *ROOT.glob("examples/*.py")])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_benchmarks_and_examples_import_existing_names(path):
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
        ("import tacit.text.languages", ["py3langid"]),
    ],
)
def test_slow_imports_happen_on_first_use(statement, absent):
    code = f"{statement}; import sys; print([name for name in {absent!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
