"""How good is a model: tasks as data, metrics, baselines, results.

>>> from tacit.evaluation import TASKS, evaluate
>>> ", ".join(TASKS)
'sts12, sts13, sts14, sts15, sts16, stsb, sick, li06, msr04, search, sts16-en-es, sts17, stsb-languages'
"""

from tacit.evaluation.baselines import BASELINES, baseline
from tacit.evaluation.catalogue import TASKS, find_task, pairs_task
from tacit.evaluation.published import Figure
from tacit.evaluation.results import Result
from tacit.evaluation.run import evaluate, evaluate_pairs
from tacit.evaluation.scorers import PairScorer
from tacit.evaluation.searching import Searcher
from tacit.evaluation.tables import compare, render
from tacit.evaluation.tasks import DataFile, Kind, Task

__all__ = [
    "BASELINES",
    "TASKS",
    "DataFile",
    "Figure",
    "Kind",
    "PairScorer",
    "Result",
    "Searcher",
    "Task",
    "baseline",
    "compare",
    "evaluate",
    "evaluate_pairs",
    "find_task",
    "pairs_task",
    "render",
]
