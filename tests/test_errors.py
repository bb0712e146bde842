"""Errors carry the parameter and the remedy beside their text."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest

import tacit
from tacit.checks import check_choice, check_float, check_int
from tacit.errors import InputError, ModelError


def test_remedy_is_in_the_message_but_not_in_the_problem():
    error = InputError("menu.txt is not UTF-8", parameter="encoding", remedy="give encoding=latin-1")
    assert str(error) == "menu.txt is not UTF-8; give encoding=latin-1"
    assert error.problem == "menu.txt is not UTF-8"


def test_an_error_without_a_remedy_is_its_problem():
    assert str(InputError("no texts")) == InputError("no texts").problem == "no texts"
    assert ModelError("damaged").problem == "damaged"
    assert (InputError("no texts").parameter, InputError("no texts").remedy) == (None, None)


def test_an_error_of_another_process_keeps_its_attributes():
    error = pickle.loads(pickle.dumps(InputError("a", parameter="b", remedy="c")))
    assert (str(error), error.problem, error.parameter, error.remedy) == ("a; c", "a", "b", "c")


@pytest.mark.parametrize(
    "check",
    [lambda: check_int("k", 0), lambda: check_float("k", -1), lambda: check_choice("k", "x", ["y"])],
    ids=["whole", "number", "choice"],
)
def test_a_check_names_its_parameter(check):
    with pytest.raises(InputError) as error:
        check()
    assert error.value.parameter == "k"


def parameters_in_errors():
    """The calls of ``InputError`` whose text begins with ``name=``, by file and line: name and keyword."""
    source = Path(tacit.__file__).parent
    for path in sorted(source.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "InputError" and node.args):
                continue
            named = re.match(r"f?['\"](\w+)=", ast.unparse(node.args[0]))
            if named:
                where = f"{path.relative_to(source)}:{node.lineno}"
                yield where, named[1], {each.arg: ast.unparse(each.value) for each in node.keywords}


def test_an_error_that_begins_with_a_parameter_names_it():
    found = list(parameters_in_errors())
    assert len(found) > 20
    wrong = [where for where, name, keywords in found if keywords.get("parameter") != repr(name)]
    assert wrong == []
