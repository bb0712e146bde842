"""The tasks: an entry each."""

from __future__ import annotations

from pathlib import Path

from tacit.checks import did_you_mean
from tacit.corpora.options import AS_FOUND, ReadOptions
from tacit.errors import InputError
from tacit.evaluation import definitions, published
from tacit.evaluation.pairs import CROSSLINGUAL, PARAPHRASE, SEPARATE, SIMILARITY
from tacit.evaluation.published import Figure
from tacit.evaluation.searching import SEARCH
from tacit.evaluation.tasks import DataFile, Task

_STS = "mixed sources (MSR, LDC, news, Stack Exchange, WordNet); for research, not distributed with tacit"


def _english(name: str, path: str, unmarked_in: str | None = None) -> DataFile:
    return DataFile(name, path, unmarked_in, languages=("en", "en"))


def _yearly(year: str, names: str, figures: tuple[Figure, ...] = (), note: str = "") -> Task:
    files = tuple(_english(name, f"sts/sts{year}/test/{name}.tsv") for name in names.split())
    title = f"SemEval 20{year} semantic textual similarity{note}"
    return Task(f"sts{year}", title, SIMILARITY, files, _STS, figures)


_LANGUAGES = ("en", "es", "de", "fr")


def _dev_pair(one: str, other: str) -> DataFile:
    """The first texts of one language's STS Benchmark dev set with the second texts of another's."""
    paths = [f"crosslingual/sts/stsb.{code}.dev.tsv" for code in (one, other)]
    return DataFile(f"{one}-{other}", paths[0], second=paths[1], languages=(one, other))


_TASKS = (
    # in the order of the official gold file, STS.gs.ALL.txt
    _yearly("12", "MSRpar MSRvid SMTeuroparl OnWN SMTnews", published.STS12),
    _yearly("13", "headlines OnWN FNWN", note=" (without SMT, so its means are not the published ones)"),
    _yearly("14", "deft-forum deft-news headlines images OnWN tweet-news"),
    _yearly("15", "answers-forums answers-students belief headlines images"),
    _yearly("16", "answer-answer headlines plagiarism postediting question-question"),
    Task(
        "stsb",
        "STS Benchmark (drawn from STS 2012 to 2017: it shares pairs with the yearly tests)",
        SIMILARITY,
        (_english("dev", "sts/stsb/dev.tsv"), _english("test", "sts/stsb/test.tsv")),
        _STS,
    ),
    Task(
        "sick",
        "SICK relatedness, test set",
        SIMILARITY,
        (_english("test", "sts/sick/test.tsv"),),
        "CC BY-NC-SA 3.0, not distributed with tacit",
    ),
    Task(
        "li06",
        "Li et al. 2006: the 30 pairs people quote, and the other 35",
        SEPARATE,
        (
            _english("30 pairs", "sts/li06/li30_wtmf.tsv"),
            _english("35 pairs", "sts/li06/li65.tsv", unmarked_in="sts/li06/li65.index"),
        ),
        "dictionary definitions (Collins Cobuild); no licence stated, not distributed with tacit",
        published.LI06,
    ),
    Task(
        "msr04",
        "MSR Paraphrase Corpus: threshold from the training pairs",
        PARAPHRASE,
        (_english("train", "sts/msrp/train.tsv"), _english("test", "sts/msrp/test.tsv")),
        "Microsoft Research licence, not distributed with tacit",
        published.MSR04,
    ),
    Task(
        "search",
        "search: OntoNotes definitions find WordNet's among the first",
        SEARCH,
        definitions.FILES,
        definitions.LICENCE,
    ),
    Task(
        "sts16-en-es",
        "SemEval 2016 cross-lingual similarity, English-Spanish in mixed order: languages are detected",
        CROSSLINGUAL,
        tuple(
            DataFile(name, f"crosslingual/sts/sts2016.en-es.{name}.tsv") for name in ("news", "multisource")
        ),
        _STS,
        published.STS16_EN_ES,
    ),
    Task(
        "sts17",
        "SemEval 2017 similarity, track 3: Spanish with Spanish",
        CROSSLINGUAL,
        (DataFile("es-es", "crosslingual/sts/sts2017.track3.es-es.tsv", languages=("es", "es")),),
        _STS,
    ),
    Task(
        "stsb-languages",
        "STS Benchmark dev set, every pair of English, Spanish, German and French",
        CROSSLINGUAL,
        tuple(_dev_pair(one, other) for place, one in enumerate(_LANGUAGES) for other in _LANGUAGES[place:]),
        _STS,
    ),
)

TASKS: dict[str, Task] = {task.name: task for task in _TASKS}
"""Every task with a name; :func:`pairs_task` makes one of any file."""


def find_task(name: str) -> Task:
    """The task of this name.

    >>> find_task("li06").kind.metrics
    ('pearson', 'spearman')
    >>> find_task("sts11")
    Traceback (most recent call last):
    tacit.errors.InputError: no task is called 'sts11'; there are ..., and pairs for a file; did you mean ...
    """
    if name not in TASKS:
        hint = did_you_mean(name, TASKS)
        raise InputError(
            f"no task is called {name!r}; there are {', '.join(TASKS)}, and pairs for a file{hint}"
        )
    return TASKS[name]


def pairs_task(
    path: str | Path, languages: tuple[str, str] | None = None, reading: ReadOptions = AS_FOUND
) -> Task:
    """A task of the user's own: a table of score, text, text, in two languages if told.

    >>> pairs_task("/tmp/mine.tsv").files[0].name
    'mine'
    """
    full = Path(path).absolute()
    file = DataFile(full.name.split(".")[0] or full.name, str(full), languages=languages, reading=reading)
    return Task("pairs", f"the pairs of {full.name}", SEPARATE, (file,), "the user's own")
