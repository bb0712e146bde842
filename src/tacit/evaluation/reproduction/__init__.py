"""The papers' tables and figures again, from our own training: paper and ours side by side.

>>> from tacit.evaluation.reproduction import REPRODUCTIONS
>>> REPRODUCTIONS["acl2012-table5"].title
'ACL 2012, table 5: accuracy on MSR04'
"""

from tacit.evaluation.reproduction.catalogue import REPRODUCTIONS, find_reproductions
from tacit.evaluation.reproduction.experiments import Experiment, Model
from tacit.evaluation.reproduction.laboratory import Laboratory
from tacit.evaluation.reproduction.plot import draw
from tacit.evaluation.reproduction.report import page, summarize, write_report, write_systems
from tacit.evaluation.reproduction.tables import Cell, Plot, Reproduction, Row

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
