"""The tasks, as data: what they are called, which files they read, whose they are, what is measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tacit.errors import InputError
from tacit.evaluation import figures
from tacit.evaluation.figures import Figure


@dataclass(frozen=True)
class DataFile:
    """A file of a task: the name its numbers go by, and its path under the data folder.

    With ``unmarked_in``, only the pairs count whose line in that file ends in 0.
    """

    name: str
    path: str
    unmarked_in: str | None = None


@dataclass(frozen=True)
class Task:
    """What is evaluated.

    ``kind`` says how: "similarity" (correlations per set and their averages), "separate" (correlations per
    set; the first set is the headline), "paraphrase" (a threshold from the first set, labels for the second)
    or "retrieval" (queries, candidates). ``metric`` names the number to quote.
    """

    name: str
    title: str
    kind: str
    metric: str
    files: tuple[DataFile, ...]
    licence: str
    figures: tuple[Figure, ...] = ()

    @property
    def paths(self) -> list[str]:
        """Every file that has to be there."""
        return [path for file in self.files for path in (file.path, file.unmarked_in) if path]


_STS = "mixed sources (MSR, LDC, news, Stack Exchange, WordNet); for research, not distributed with tacit"


def _yearly(year: str, names: str, figures: tuple[Figure, ...] = (), note: str = "") -> Task:
    files = tuple(DataFile(name, f"sts/sts{year}/test/{name}.tsv") for name in names.split())
    title = f"SemEval 20{year} semantic textual similarity{note}"
    return Task(f"sts{year}", title, "similarity", "weighted_mean", files, _STS, figures)


_TASKS = (
    # in the order of the official gold file, STS.gs.ALL.txt
    _yearly("12", "MSRpar MSRvid SMTeuroparl OnWN SMTnews", figures.STS12),
    _yearly("13", "headlines OnWN FNWN", note=" (without SMT, so its means are not the published ones)"),
    _yearly("14", "deft-forum deft-news headlines images OnWN tweet-news"),
    _yearly("15", "answers-forums answers-students belief headlines images"),
    _yearly("16", "answer-answer headlines plagiarism postediting question-question"),
    Task(
        "stsb",
        "STS Benchmark (drawn from STS 2012 to 2017: it shares pairs with the yearly tests)",
        "similarity",
        "mean",
        (DataFile("dev", "sts/stsb/dev.tsv"), DataFile("test", "sts/stsb/test.tsv")),
        _STS,
    ),
    Task(
        "sick",
        "SICK relatedness, test set",
        "similarity",
        "mean",
        (DataFile("test", "sts/sick/test.tsv"),),
        "CC BY-NC-SA 3.0, not distributed with tacit",
    ),
    Task(
        "li06",
        "Li et al. 2006: the 30 pairs people quote, and the other 35",
        "separate",
        "pearson",
        (
            DataFile("30 pairs", "sts/li06/li30_wtmf.tsv"),
            DataFile("35 pairs", "sts/li06/li65.tsv", unmarked_in="sts/li06/li65.index"),
        ),
        "dictionary definitions (Collins Cobuild); no licence stated, not distributed with tacit",
        figures.LI06,
    ),
    Task(
        "msr04",
        "MSR Paraphrase Corpus: threshold from the training pairs",
        "paraphrase",
        "accuracy",
        (DataFile("train", "sts/msrp/train.tsv"), DataFile("test", "sts/msrp/test.tsv")),
        "Microsoft Research licence, not distributed with tacit",
        figures.MSR04,
    ),
    Task(
        "cdr",
        "Concept Definition Retrieval: OntoNotes definitions find WordNet's",
        "retrieval",
        "atop",
        (
            DataFile("ontonotes", "corpora/ontonotes_cdr.tsv.gz"),
            DataFile("wordnet", "corpora/wordnet.tsv.gz"),
        ),
        "OntoNotes is LDC's: evaluation only, not distributed with tacit; WordNet has its own free licence",
        figures.CDR,
    ),
)

TASKS: dict[str, Task] = {task.name: task for task in _TASKS}
"""Every task with a name; :func:`pairs_task` makes one of any file."""


def find_task(name: str) -> Task:
    """The task of this name.

    >>> find_task("li06").metric
    'pearson'
    >>> find_task("sts11")
    Traceback (most recent call last):
    tacit.errors.InputError: no task is called 'sts11'; there are sts12, sts13, ... cdr, and pairs for a file
    """
    if name not in TASKS:
        raise InputError(f"no task is called {name!r}; there are {', '.join(TASKS)}, and pairs for a file")
    return TASKS[name]


def pairs_task(path: str | Path) -> Task:
    """A task of the user's own: a tab-separated file of score, text, text.

    >>> pairs_task("/tmp/mine.tsv").files[0].name
    'mine'
    """
    full = Path(path).absolute()
    file = DataFile(full.name.split(".")[0] or full.name, str(full))
    return Task("pairs", f"the pairs of {full.name}", "separate", "pearson", (file,), "the user's own")
