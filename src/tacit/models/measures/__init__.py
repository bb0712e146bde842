"""How alike two texts are: one file a measure, found here by its name, which is the file's.

A file defines ``MEASURE``, an object of a class that follows ``Measure``; nothing else lists it. The names
are known without importing what computes them.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from tacit.checks import check_choice

if TYPE_CHECKING:
    from tacit.models.measure import Measure

DEFAULT_MEASURE = "blend"
"""The measure of every question that names none."""


@cache
def measure_names() -> list[str]:
    """The names of all measures, the default first.

    >>> measure_names()[0], "latent" in measure_names()
    ('blend', True)
    """
    names = sorted(module.name for module in iter_modules(__path__))
    return [DEFAULT_MEASURE, *(name for name in names if name != DEFAULT_MEASURE)]


def get_measure(name: str) -> Measure:
    """The measure of a name, or an error that lists those there are.

    >>> get_measure("latent").summary
    "the cosine of the latent vectors, the papers' measure"
    """
    found: Measure = import_module(f"{__name__}.{check_choice('measure', name, measure_names())}").MEASURE
    return found
