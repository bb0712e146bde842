"""No definition in src/tacit has a name that only this project understands.

``private_names.txt`` lists such names: words that stand for a standard term of the field (``stow`` for
``flush``), and bare participles that do not describe what they name (``found``, ``told``, ``given``). A
definition is a module, class, function, parameter or attribute; local variables are not checked. Leading
underscores and upper case do not matter. Identifiers are in American spelling, as in numpy and
scikit-learn.

List all private names, or those of some folders::

    python tests/test_private_names.py [src/tacit/search ...]
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "tacit"
PRIVATE_NAMES = frozenset((TESTS / "private_names.txt").read_text(encoding="utf-8").split())
BRITISH = re.compile(
    r"neighbour|colour|centre|behaviour|favour|(normal|recogn|summar|organ|initial|token)is(e|ing|ation)"
)

STABLE_NAMES = frozenset({"centred"})
"""Constructor parameters of stored classes, which keep their names."""

STABLE_FIELDS = frozenset({("response_schemas.py", "found")})
"""Fields of HTTP responses and stored files, which keep their names."""


class Definition(NamedTuple):
    """Where a name is defined."""

    name: str
    line: int


def _assigned(target: ast.expr) -> Iterator[ast.expr]:
    """The single targets of an assignment."""
    if isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _assigned(element)
    else:
        yield target


def _attributes(node: ast.Assign | ast.AnnAssign, in_function: bool) -> Iterator[Definition]:
    """Names that an assignment adds to a module, a class or an instance."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        for expression in _assigned(target):
            if isinstance(expression, ast.Name) and not in_function:
                yield Definition(expression.id, expression.lineno)
            elif isinstance(expression, ast.Attribute) and ast.unparse(expression.value) in ("self", "cls"):
                yield Definition(expression.attr, expression.lineno)


def definitions(node: ast.AST, in_function: bool = False) -> Iterator[Definition]:
    """All names that a syntax tree defines, without local variables."""
    for child in ast.iter_child_nodes(node):
        inside = in_function
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield Definition(child.name, child.lineno)
            inside = not isinstance(child, ast.ClassDef)
        elif isinstance(child, ast.arg):
            yield Definition(child.arg, child.lineno)
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            yield from _attributes(child, in_function)
        yield from definitions(child, inside)


def is_private(name: str) -> bool:
    """Whether a name is on the list or in British spelling."""
    plain = name.strip("_").lower()
    return plain not in STABLE_NAMES and (plain in PRIVATE_NAMES or bool(BRITISH.search(plain)))


def private_definitions(path: Path) -> list[Definition]:
    """The definitions of a file that have private names, the file's own name first."""
    definition_list = [Definition(path.stem, 1), *definitions(ast.parse(path.read_text(encoding="utf-8")))]
    names = [
        definition for definition in definition_list if (path.name, definition.name) not in STABLE_FIELDS
    ]
    return [definition for definition in names if is_private(definition.name)]


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_definition_has_a_private_name(path):
    assert private_definitions(path) == [], "use the standard term: see private_names.txt"


@pytest.mark.parametrize(
    "source",
    [
        "class Told: pass",
        "def _told(): pass",
        "def f(a, *, told): pass",
        "def f(*told): pass",
        "def f(): return lambda told: 1",
        "TOLD = 1",
        "class A:\n    told: int",
        "class A:\n    def f(self):\n        self.told, self.b = 1, 2",
        "def count_neighbours(): pass",
        "try:\n    pass\nfinally:\n    told = 1",
    ],
)
def test_every_kind_of_definition_is_checked(source):
    assert any(is_private(definition.name) for definition in definitions(ast.parse(source)))


def test_local_variables_are_not_checked():
    assert not any(
        is_private(definition.name) for definition in definitions(ast.parse("def f():\n    told = 1"))
    )


if __name__ == "__main__":
    for folder in [Path(name).resolve() for name in sys.argv[1:]] or [SOURCE]:
        for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
            for name, line in private_definitions(path):
                sys.stdout.write(f"{path.relative_to(SOURCE.parents[1])}:{line}: {name}\n")
