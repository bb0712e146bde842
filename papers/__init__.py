"""The papers' tables and figures again, from our own training: paper and ours side by side.

>>> from papers import REPRODUCTIONS
>>> REPRODUCTIONS["acl2012-table5"].title
'ACL 2012, table 5: accuracy on MSR04'
"""

from papers.catalogue import REPRODUCTIONS, find_reproductions
from papers.experiments import Experiment, Model
from papers.laboratory import Laboratory
from papers.plot import draw
from papers.report import page, summarize, write_report, write_systems
from papers.tables import Cell, Plot, Reproduction, Row

__all__ = [
    "REPRODUCTIONS",
    "Cell",
    "Experiment",
    "Laboratory",
    "Model",
    "Plot",
    "Reproduction",
    "Row",
    "draw",
    "find_reproductions",
    "page",
    "summarize",
    "write_report",
    "write_systems",
]
