"""The code that a computation uses, as one digest: it changes with what is computed and with nothing else.

From the modules named, every import within ``papers`` and ``tacit`` is followed, lazy ones too. A name that a
package only passes on leads to the module it comes from, so that what stands beside it does not count. Nor do
comments, docstrings, layout, what an error says, and how a model is written to disk and read again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

OWN = ("papers", "tacit")
UNUSED = frozenset({"tacit.storage.read", "tacit.storage.write"})
"""A model's way to disk and back: no experiment takes it, as a test sees to that shuts it."""


@lru_cache(maxsize=256)
def code_digest(roots: frozenset[str]) -> str:
    """The digest of the modules named and of all they import of ours.

    >>> code_digest(frozenset({"papers.chance"})) == code_digest(frozenset({"papers.experiments"}))
    False
    """
    facts = [f"{name} {_meaning(name)}" for name in sorted(modules_used(roots))]
    return sha256("\n".join(facts).encode()).hexdigest()[:16]


def modules_used(roots: Iterable[str]) -> set[str]:
    """The modules named and all that they import of ours, however far.

    >>> "tacit.evaluation.metrics" in modules_used(["papers.chance"])
    True
    """
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports(name)
    return found


@lru_cache(maxsize=1024)
def imports(name: str) -> tuple[str, ...]:
    """The modules of ours that one imports."""
    found: list[str] = []
    for node in _walk(_tree(name)):
        if isinstance(node, ast.Name) and node.id == "iter_modules":
            found += _beside(name)
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names if _is_own(alias.name)]
        elif isinstance(node, ast.ImportFrom) and node.module and _is_own(node.module):
            found += [_home(node.module, alias.name) for alias in node.names]
    return tuple(each for each in dict.fromkeys(found) if each not in UNUSED)


def _home(module: str, name: str) -> str:
    """Where a name comes from that is imported from a module: a package may only pass it on."""
    if _file(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    file = _file(module)
    if file is None or file.name != "__init__.py":
        return module
    for node in _walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and _is_own(node.module):
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _home(node.module, alias.name)
    return module


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it, without what is there for types alone."""
    yield node
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child)


def _beside(package: str) -> list[str]:
    """The modules of a package that finds them by their files."""
    file = _file(package)
    return (
        [f"{package}.{other.stem}" for other in sorted(file.parent.glob("*.py")) if other != file]
        if file
        else []
    )


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in OWN


@lru_cache(maxsize=1024)
def _file(module: str) -> Path | None:
    """The file of a module of ours; None where there is none of that name."""
    package = find_spec(module.partition(".")[0])
    (folder,) = (package.submodule_search_locations or [""]) if package else [""]
    base = Path(folder, *module.split(".")[1:])
    return next((file for file in (base.with_suffix(".py"), base / "__init__.py") if file.is_file()), None)


@lru_cache(maxsize=1024)
def _tree(module: str) -> ast.Module:
    file = _file(module)
    return ast.parse(file.read_text(encoding="utf-8") if file else "")


def _meaning(module: str) -> str:
    """A module's code without its docstrings and what its errors say, as a digest."""
    tree = ast.parse(ast.unparse(_tree(module)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            node.exc.args, node.exc.keywords = [], []
        elif (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node) is not None
        ):
            node.body = node.body[1:]
    return sha256(ast.dump(tree).encode()).hexdigest()[:16]
