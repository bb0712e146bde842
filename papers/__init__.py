"""The papers' tables and figures again, from our own training: paper and ours side by side.

>>> from papers import REPRODUCTIONS
>>> REPRODUCTIONS["acl2012-table5"].title
'ACL 2012, table 5: accuracy on MSR04'
"""

from papers.catalogue import PAPERS, REPRODUCTIONS, find_reproductions
from papers.experiments import Experiment, Model
from papers.laboratory import Laboratory
from papers.tables import Cell, Plot, Reproduction, Row

__all__ = [
    "PAPERS",
    "REPRODUCTIONS",
    "Cell",
    "Experiment",
    "Laboratory",
    "Model",
    "Plot",
    "Reproduction",
    "Row",
    "find_reproductions",
]
