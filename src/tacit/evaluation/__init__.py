"""Evaluation of models: tasks as data, metrics, baselines, results.

>>> from tacit.evaluation import TASKS, evaluate
>>> ", ".join(TASKS)
'sts12, sts13, sts14, sts15, sts16, stsb, sick, li06, msr04, search, sts16-en-es, sts17, stsb-languages'
"""

from tacit.evaluation.registry import (
    TASKS,
    Result,
    evaluate,
    find_task,
    format_comparison,
    format_thresholds,
    pairs_task,
)
from tacit.evaluation.scorers import PairScorer
from tacit.evaluation.search_task import Searcher
from tacit.evaluation.tasks import DataFile, PublishedResult, Task, TaskKind

__all__ = [
    "TASKS",
    "DataFile",
    "PairScorer",
    "PublishedResult",
    "Result",
    "Searcher",
    "Task",
    "TaskKind",
    "evaluate",
    "find_task",
    "format_comparison",
    "format_thresholds",
    "pairs_task",
]
