"""Word sense induction, SemEval-2010 task 14: its keys, its scorers, its data."""

from tacit.evaluation.senses.clusters import paired_f, unsupervised, v_measure
from tacit.evaluation.senses.keys import Key, read_key, write_key
from tacit.evaluation.senses.recall import Split, recall
from tacit.evaluation.senses.task import Scorer

__all__ = [
    "Key",
    "Scorer",
    "Split",
    "paired_f",
    "read_key",
    "recall",
    "unsupervised",
    "v_measure",
    "write_key",
]
