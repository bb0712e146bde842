"""The papers' training corpora, as data: which columns of which files, and which tasks they serve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from papers import few_labels, med
from papers.senses.instances import PARSED_TRAIN, PLAIN_TRAIN
from papers.sts12_ranks import OFFICIAL_RESULTS
from papers.tasks import TASKS
from tacit.corpora import read_lines, read_pairs
from tacit.evaluation.data import find_files, read_columns, read_scored_pairs
from tacit.text.interning import intern_texts


@dataclass(frozen=True)
class Source:
    """A file of texts under the data folder.

    With ``columns`` a row of a table with a header is one text of these columns; without, a line is a text.
    ``pairs`` marks a file of score, text, text: both texts count, and one that stands in several pairs once.
    """

    path: str
    columns: tuple[str, ...] = ()
    pairs: bool = False

    def texts(self, file: Path) -> Iterator[str]:
        """Stream the texts of the file."""
        if self.pairs:
            scored = read_scored_pairs(file)
            return iter(dict.fromkeys([*scored.a, *scored.b]))
        if self.columns:
            return (" ".join(filter(None, cells)) for cells in read_columns(file, self.columns))
        return read_lines(file)


@dataclass(frozen=True)
class Corpus:
    """What models are trained on, and the tasks they are then measured by."""

    name: str
    title: str
    sources: tuple[Source, ...]
    tasks: tuple[str, ...]

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Every file that training and measuring read, all of which are there, by its path."""
        paths = [source.path for source in self.sources]
        paths += [path for task in self.tasks for path in TASKS[task].paths]
        paths += [OFFICIAL_RESULTS] * ("sts12" in self.tasks)
        return dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> list[str]:
        """The texts of all sources; those of a task of senses are read by its own systems."""
        if "wsi10" in self.tasks:
            return []
        files = self.files(data)
        return [text for source in self.sources for text in source.texts(files[source.path])]


@dataclass(frozen=True)
class ParallelTexts:
    """English texts, and by language pairs of an English text and its translation."""

    english: list[str]
    pairs: dict[str, list[tuple[str, str]]]


@dataclass(frozen=True)
class ParallelCorpus(Corpus):
    """English sources, and by language files of pairs; those of 3 to 80 tokens on both sides count."""

    parallel: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Every file that training and measuring read, all of which are there, by its path."""
        paths = [path for files in self.parallel.values() for path in files]
        return super().files(data) | dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> Any:
        """English alone, and pairs by language."""
        files = self.files(data)
        pairs = {
            code: [pair for path in paths for pair in middling(list(read_pairs(files[path])))]
            for code, paths in self.parallel.items()
        }
        return ParallelTexts(super().texts(data), pairs)


def middling(pairs: list[tuple[str, str]], least: int = 3, most: int = 80) -> list[tuple[str, str]]:
    """The pairs of which both texts have from ``least`` to ``most`` tokens.

    >>> middling([("one two three", "uno dos tres"), ("one", "uno")])
    [('one two three', 'uno dos tres')]
    """
    kept = np.ones(len(pairs), bool)
    for side in (0, 1):
        counts = intern_texts(pair[side] for pair in pairs).counts
        kept &= (counts >= least) & (counts <= most)
    return [pair for pair, keep in zip(pairs, kept.tolist(), strict=True) if keep]


_BROWN = Source("corpora/brown.txt.gz")
_DEFINITIONS = (
    Source("corpora/wordnet.tsv.gz", ("definition",)),
    Source("corpora/wiktionary.tsv.gz", ("gloss",)),
    _BROWN,
)
_ENTRIES = (
    Source("corpora/wordnet.tsv.gz", ("lemmas", "definition", "examples")),
    Source("corpora/wiktionary.tsv.gz", ("word", "gloss", "examples")),
    _BROWN,
)
_STS12 = tuple(
    Source(f"sts/sts12/train/{name}.tsv", pairs=True) for name in ("MSRpar", "MSRvid", "SMTeuroparl")
)
_SENTENCES = tuple(
    Source(f"corpora/sentences/{name}.txt.gz")
    for name in ("tatoeba_eng", "wikitext2", "abc_news", "bbc_news", "masc", "reuters21578")
)

_ENGLISH = (
    *_ENTRIES,
    *(source for source in _SENTENCES if "tatoeba" not in source.path),
)
_PAIRED = {
    "es": (
        "bible-ebible", "cs224n-devtest", "debian-ddtp", "debian-po-misc", "esxnli", "europarl-v7-sample",
        "games-po", "godot-docs", "libreoffice-help", "libreoffice-ui", "mt-geneval", "ntrex-news2019",
        "openstax-textbooks", "python-docs", "stellarium", "tatoeba-challenge-test", "tatoeba-manythings",
        "tico19-covid", "tldr-pages", "ud-pud", "webapps-yml", "wesnoth", "xquad",
    ),
    "de": ("multi30k", "ntrex-news2019"),
    "fr": ("multi30k", "ntrex-news2019"),
}  # fmt: skip
_PARALLEL = {
    code: tuple(f"crosslingual/parallel/{name}.en-{code}.tsv.gz" for name in names)
    for code, names in _PAIRED.items()
}

_ENGLISH_TASKS = ("sts12", "sts13", "sts14", "sts15", "sts16", "stsb", "sick", "li06", "msr04")

CORPORA: dict[str, Corpus] = {
    corpus.name: corpus
    for corpus in (
        Corpus(
            "definitions",
            "WordNet's and Wiktionary's definitions, Brown",
            _DEFINITIONS,
            ("cdr", "li06", "msr04"),
        ),
        Corpus(
            "entries+sts12",
            "WordNet's and Wiktionary's head words, definitions and examples, Brown, STS12 training text",
            (*_ENTRIES, *_STS12),
            ("sts12",),
        ),
        Corpus(
            "sentences",
            "WordNet's and Wiktionary's head words, definitions and examples, Brown, 392,000 other sentences",
            (*_ENTRIES, *_SENTENCES),
            _ENGLISH_TASKS,
        ),
        ParallelCorpus(
            "sentences+pairs",
            "the same texts, and 823,787 pairs of English and Spanish",
            (*_ENTRIES, *_SENTENCES),
            _ENGLISH_TASKS,
            {"es": _PARALLEL["es"]},
        ),
        Corpus("med", "MEDLINE 1033, all documents", tuple(map(Source, med.FILES)), ()),
        *(
            Corpus(name, "the texts of the training part", tuple(map(Source, files)), ())
            for name, files in few_labels.FILES.items()
        ),
        ParallelCorpus(
            "parallel",
            "English: WordNet, Wiktionary, Brown, MASC, Reuters, ABC and BBC news, WikiText (800,765 texts); "
            "pairs of 3 to 80 tokens with Spanish (823,787), German and French",
            _ENGLISH,
            ("sts16-en-es", "sts17", "stsb-languages"),
            _PARALLEL,
        ),
        Corpus(
            "semeval2010",
            "SemEval-2010 task 14, the training text of the 65 targets that have any, 1,600 of each at most",
            tuple(Source(path) for path in (*PARSED_TRAIN, PLAIN_TRAIN)),
            ("wsi10",),
        ),
    )
}
