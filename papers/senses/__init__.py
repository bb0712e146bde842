"""Word sense induction, SemEval-2010 task 14: its keys, its scorers, its data."""

from papers.senses.keys import Key, read_key, write_key
from papers.senses.scorer import Scorer
from papers.senses.supervised import Split, recall
from papers.senses.unsupervised import paired_f, unsupervised

__all__ = [
    "Key",
    "Scorer",
    "Split",
    "paired_f",
    "read_key",
    "recall",
    "unsupervised",
    "write_key",
]
