"""The tables and figures of the papers, reproduced with tacit.

>>> from papers import ALL_TABLES
>>> ALL_TABLES["acl2012-table5"].title
'ACL 2012, table 5: accuracy on MSR04'
"""

from papers.experiments.runner import ExperimentRunner
from papers.specs import Column, Experiment, ModelSpec, PlotSpec, RowSpec, TableSpec
from papers.tables.catalogue import ALL_TABLES, PAPERS, find_tables

__all__ = [
    "ALL_TABLES",
    "PAPERS",
    "Column",
    "Experiment",
    "ExperimentRunner",
    "ModelSpec",
    "PlotSpec",
    "RowSpec",
    "TableSpec",
    "find_tables",
]
