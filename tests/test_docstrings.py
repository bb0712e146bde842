"""The docstrings of public names are in numpydoc form, as numpydoc's own validation sees it.

Public names are those of ``tacit.__all__`` and ``tacit.workflows.__all__``, with the public methods and
properties of their classes. ``CODES`` has the rules that are checked: the docstring describes the
parameters of the signature, in its order, each with a type beside its name and a description below; a
returned value has a description.

List all faults, or those of some names::

    python tests/test_docstrings.py [WTMF Index.search ...]
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from numpydoc.validate import validate

import tacit
import tacit.workflows

CODES = {
    "GL08": "has no docstring",
    "PR01": "parameters are not documented",
    "PR02": "documented parameters do not exist",
    "PR03": "parameters are in another order than in the signature",
    "PR04": "a parameter has no type",
    "PR07": "a parameter has no description",
    "RT01": "there is no section Returns",
    "RT03": "the returned value has no description",
}


def _definition(attribute: Any) -> Any:
    """The function behind a method or property; None for other attributes."""
    if isinstance(attribute, property):
        return attribute.fget
    if isinstance(attribute, functools.cached_property):
        return attribute.func
    if isinstance(attribute, classmethod | staticmethod):
        return attribute.__func__
    return attribute if inspect.isfunction(attribute) else None


def _methods(cls: type) -> Iterator[str]:
    """Dotted names of the public methods and properties that a class has from this package."""
    for base in cls.__mro__:
        for name, attribute in vars(base).items():
            function = _definition(attribute)
            if function is not None and not name.startswith("_") and base.__module__.startswith("tacit."):
                yield f"{base.__module__}.{base.__qualname__}.{name}"


def public_names() -> list[str]:
    """Dotted names of all public functions, classes, methods and properties, where they are defined."""
    names = set()
    for module in (tacit, tacit.workflows):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                names |= {f"{value.__module__}.{value.__qualname__}", *_methods(value)}
            elif inspect.isfunction(value):
                names.add(f"{value.__module__}.{value.__qualname__}")
    return sorted(names)


def _documents_constructor(name: str) -> bool:
    """Whether the object is a function, or a class with a constructor of its own."""
    module, _, attribute = name.rpartition(".")
    try:
        value = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError:  # a method
        return True
    return not (inspect.isclass(value) and value.__init__ in (object.__init__, Exception.__init__))


def faults(name: str) -> list[str]:
    """What numpydoc finds wrong with the docstring of a public name."""
    errors = validate(name)["errors"]
    if not _documents_constructor(name):
        errors = [error for error in errors if not error[0].startswith("PR")]
    return [f"{code} {message}" for code, message in errors if code in CODES]


def short_name(name: str) -> str:
    """The class and method, or the function, without the modules."""
    parts = name.split(".")
    classes = [position for position, part in enumerate(parts) if not part.islower()]
    return ".".join(parts[classes[0] :] if classes else parts[-1:])


@pytest.mark.parametrize("name", public_names())
def test_public_docstring_is_in_numpydoc_form(name):
    assert faults(name) == []


def test_all_public_names_are_checked():
    names = {short_name(name) for name in public_names()}
    assert {"WTMF", "WTMF.fit", "TextModel.encode", "Index.search", "learn"} <= names


if __name__ == "__main__":
    for dotted_name in public_names():
        if not sys.argv[1:] or any(short_name(dotted_name).startswith(start) for start in sys.argv[1:]):
            for fault in faults(dotted_name):
                sys.stdout.write(f"{dotted_name}: {fault}\n")
