"""Registry of similarity measures: one module each, its name is the measure's name.

A module defines ``MEASURE``, an object of a subclass of ``Measure``, and is listed nowhere else. The names
are known without importing the modules.
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

SCORE_VERSIONS = {"alignment": 3, "blend": 3, "hybrid": 3, "matching": 3}
"""Version of the scores of each measure, 1 for all others; raise it when scores change.

Percentiles that a folder stores for another version are not read.
"""


@cache
def measure_names() -> list[str]:
    """Return the names of all measures, the default first.

    >>> measure_names()[0], "latent" in measure_names()
    ('blend', True)
    """
    names = sorted(module.name for module in iter_modules(__path__))
    return [DEFAULT_MEASURE, *(name for name in names if name != DEFAULT_MEASURE)]


def get_measure(name: str | Measure) -> Measure:
    """Return the measure with this name; an unknown name raises an error that lists all names.

    What is a measure already is returned as it is.

    >>> get_measure("latent").summary
    "the cosine of the latent vectors, the papers' measure"
    """
    if not isinstance(name, str):
        return name
    check_choice("measure", name, measure_names())
    return import_module(f"{__name__}.{name}").MEASURE
