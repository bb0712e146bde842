"""Training corpora by name: source files, columns and the tasks they are measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from papers.experiments import few_labels
from papers.experiments import medline as med
from papers.experiments.measurement import OFFICIAL_RESULTS, TASKS
from papers.senses.instances import PARSED_TRAIN, PLAIN_TRAIN
from tacit.corpora import read_lines, read_pairs
from tacit.evaluation.tasks import find_files, read_columns, read_scored_pairs
from tacit.text.token_ids import tokenize_texts


@dataclass(frozen=True)
class Source:
    """A file of texts under the data folder.

    With ``columns``, the columns of a row of a table with a header are one text; else each line is a text.
    ``pairs`` marks a file of score, text, text: both texts are used, each distinct text once.
    ``share`` of the rows are read, spread evenly over the file.
    """

    path: str
    columns: tuple[str, ...] = ()
    pairs: bool = False
    share: float = 1.0

    def describe(self) -> dict[str, Any]:
        """Describe the source as plain values, without fields that have their default."""
        description: dict[str, Any] = {"path": self.path}
        if self.columns:
            description["columns"] = list(self.columns)
        if self.pairs:
            description["pairs"] = True
        if self.share != 1:
            description["share"] = self.share
        return description

    def texts(self, file: Path) -> Iterator[str]:
        """Stream the texts of the file."""
        return sample_evenly(self._all(file), self.share)

    def _all(self, file: Path) -> Iterator[str]:
        if self.pairs:
            scored = read_scored_pairs(file)
            return iter(dict.fromkeys([*scored.a, *scored.b]))
        if self.columns:
            return (" ".join(filter(None, cells)) for cells in read_columns(file, self.columns))
        return read_lines(file)


@dataclass(frozen=True)
class Corpus:
    """A training corpus, the tasks that its models are measured on, and their files."""

    name: str
    title: str
    sources: tuple[Source, ...]
    tasks: tuple[str, ...]
    evaluation_files: tuple[str, ...] = ()

    def describe_input(self) -> dict[str, Any]:
        """Describe sources and tasks as plain values, for the keys of recorded runs.

        The names are fixed, as they are part of the keys. Files of tasks and of parallel texts are
        not listed: the digest of the data covers their paths.
        """
        return {"sources": [source.describe() for source in self.sources], "tasks": list(self.tasks)}

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Return all files that training and evaluation read, by path; all of them must exist."""
        paths = [*(source.path for source in self.sources), *self.evaluation_files]
        return dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> list[str]:
        """Return the texts of all sources; none for sense induction, whose systems read them."""
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

    def describe_input(self) -> dict[str, Any]:
        """Describe sources and tasks, with the languages of the pairs."""
        return {**super().describe_input(), "parallel": list(self.parallel)}

    def files(self, data: str | Path | None) -> dict[str, Path]:
        """Return all files that training and evaluation read, by path; all of them must exist."""
        paths = [path for files in self.parallel.values() for path in files]
        return super().files(data) | dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> Any:
        """Return English texts, and pairs by language."""
        files = self.files(data)
        pairs = {
            code: [pair for path in paths for pair in filter_by_length(list(read_pairs(files[path])))]
            for code, paths in self.parallel.items()
        }
        return ParallelTexts(super().texts(data), pairs)


def filter_by_length(
    pairs: list[tuple[str, str]], min_tokens: int = 3, max_tokens: int = 80
) -> list[tuple[str, str]]:
    """Return the pairs of which both texts have from ``min_tokens`` to ``max_tokens`` tokens.

    >>> filter_by_length([("one two three", "uno dos tres"), ("one", "uno")])
    [('one two three', 'uno dos tres')]
    """
    is_valid = np.ones(len(pairs), bool)
    for side in (0, 1):
        counts = tokenize_texts(pair[side] for pair in pairs).lengths
        is_valid &= (counts >= min_tokens) & (counts <= max_tokens)
    return [pair for pair, valid in zip(pairs, is_valid.tolist(), strict=True) if valid]


def sample_evenly(texts: Iterator[str], share: float) -> Iterator[str]:
    """Yield a share of the texts, evenly spread.

    >>> list(sample_evenly(iter("abcdef"), 0.5))
    ['b', 'd', 'f']
    """
    return (text for index, text in enumerate(texts) if int((index + 1) * share) > int(index * share))


__all__ = ["CORPORA", "Corpus", "ParallelCorpus", "ParallelTexts", "Source", "filter_by_length"]

_BROWN = Source("corpora/brown.txt.gz")
CAPPED = (393_666 - 117_659 - 57_340) / 334_577
"""The share of Wiktionary's senses with which all texts are as many as the papers had: 393,666."""


def _definitions(share: float = 1.0) -> tuple[Source, ...]:
    wiktionary = Source("corpora/wiktionary.tsv.gz", ("gloss",), share=share)
    return (Source("corpora/wordnet.tsv.gz", ("definition",)), wiktionary, _BROWN)


def _entries(share: float = 1.0) -> tuple[Source, ...]:
    wiktionary = Source("corpora/wiktionary.tsv.gz", ("word", "gloss", "examples"), share=share)
    wordnet = Source("corpora/wordnet.tsv.gz", ("lemmas", "definition", "examples"))
    return (wordnet, wiktionary, _BROWN)


_ENTRIES = _entries()
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


def _add_evaluation_files(corpus: Corpus) -> Corpus:
    """Return the corpus with the files of its tasks."""
    paths = [path for task in corpus.tasks for path in TASKS[task].paths]
    paths += [OFFICIAL_RESULTS] * ("sts12" in corpus.tasks)
    return replace(corpus, evaluation_files=tuple(paths))


SHARES = (0, 33, 65, 100)
"""Percentages of Wiktionary in the mixtures."""


def _mixture(share: int) -> Corpus:
    sources = _entries(share / 100)
    selected = sources if share else (sources[0], sources[2])
    title = f"the texts of *SEM 2012, with {share} % of Wiktionary's senses"
    return Corpus(f"mixture, {share} %", title, (*selected, *_STS12), ("sts12-train", "sts12"))


CORPORA: dict[str, Corpus] = {
    corpus.name: _add_evaluation_files(corpus)
    for corpus in (
        Corpus(
            "definitions",
            "the definitions of WordNet (117,659) and Wiktionary (334,577), the sentences of Brown (57,340)",
            _definitions(),
            ("cdr", "li06", "msr04"),
        ),
        Corpus(
            "definitions, 393,666",
            "393,666 texts, as many as the paper had: the definitions of WordNet (117,659) and of Wiktionary "
            "(218,667 of 334,577, evenly spread), the sentences of Brown (57,340)",
            _definitions(CAPPED),
            ("cdr", "li06", "msr04"),
        ),
        Corpus(
            "entries+sts12",
            "head words, definitions and examples of WordNet (117,659) and Wiktionary (334,577), the "
            "sentences of Brown (57,340), the training text of STS12",
            (*_entries(), *_STS12),
            ("sts12",),
        ),
        Corpus(
            "entries+sts12, 393,666",
            "head words, definitions and examples of WordNet (117,659) and Wiktionary (218,667 of 334,577, "
            "evenly spread; the paper had 220,000), the sentences of Brown (57,340), the training text of "
            "STS12",
            (*_entries(CAPPED), *_STS12),
            ("sts12",),
        ),
        *map(_mixture, SHARES),
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
            parallel={"es": _PARALLEL["es"]},
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
            ("spanish-dev", "sts16-en-es", "sts17", "stsb-languages"),
            parallel=_PARALLEL,
        ),
        Corpus(
            "semeval2010",
            "SemEval-2010 task 14, the training text of the 65 targets that have any, 1,600 of each at most",
            tuple(Source(path) for path in (*PARSED_TRAIN, PLAIN_TRAIN)),
            ("wsi10",),
        ),
    )
}

_RETRIEVAL: dict[str, Any] = {
    "queries": 12_743,
    "dev_queries": 1_000,
    "test_queries": 11_743,
    "aligned": 14_643,
    "candidates": 117_659,
    "sample": "all",
}
CORPUS_STATISTICS: dict[str, dict[str, Any]] = {
    "definitions": {"texts": 509_576, "words": 5_350_212, "wiktionary": 334_577, **_RETRIEVAL},
    "definitions, 393,666": {"texts": 393_666, "words": 4_259_182, "wiktionary": 218_667, **_RETRIEVAL},
    "entries+sts12": {"wiktionary": 334_577},
    "entries+sts12, 393,666": {"wiktionary": 218_667},
    "parallel": {"pairs": 823_787, "english_texts": 800_765},
    "semeval2010": {"instances": 97_506, "parser": "another, of ClearNLP's labels"},
}
"""Counts and other properties of the texts that papers state, by corpus."""


def corpus_statistics(name: str) -> dict[str, Any]:
    """Return what papers state about their texts: the parts of an entry that are read, and counts.

    >>> corpus_statistics("entries+sts12, 393,666")["examples"]
    True
    """
    sources = CORPORA[name].sources
    columns = {column for source in sources for column in source.columns}
    parts = {
        "examples": "examples" in columns,
        "head_words": bool(columns & {"word", "lemmas"}),
        "training_pairs": any(source.pairs for source in sources),
    }
    return {**parts, **CORPUS_STATISTICS.get(name, {})}
