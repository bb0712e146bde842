"""How good is a model: tasks as data, metrics, baselines, results.

>>> from tacit.evaluation import TASKS, evaluate
>>> ", ".join(TASKS)
'sts12, sts13, sts14, sts15, sts16, stsb, sick, li06, msr04, cdr, search, sts16-en-es, sts17, ... wsi10'
"""

from tacit.evaluation.baselines import BASELINES, baseline
from tacit.evaluation.figures import Figure
from tacit.evaluation.official import official_ranks
from tacit.evaluation.protocols import KnowsWords, PairScorer, Ranker
from tacit.evaluation.results import Result
from tacit.evaluation.run import evaluate, evaluate_pairs, load_pairs
from tacit.evaluation.searching import SEARCHERS, Searcher
from tacit.evaluation.tables import compare, render
from tacit.evaluation.tasks import TASKS, DataFile, Task, pairs_task

__all__ = [
    "BASELINES",
    "SEARCHERS",
    "TASKS",
    "DataFile",
    "Figure",
    "KnowsWords",
    "PairScorer",
    "Ranker",
    "Result",
    "Searcher",
    "Task",
    "baseline",
    "compare",
    "evaluate",
    "evaluate_pairs",
    "load_pairs",
    "official_ranks",
    "pairs_task",
    "render",
]
