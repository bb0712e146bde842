"""The papers' training corpora by name: which sources they have, and which tasks they serve."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from papers import few_labels, med
from papers.senses.instances import PARSED_TRAIN, PLAIN_TRAIN
from papers.sources import Corpus, ParallelCorpus, ParallelTexts, Source, middling
from papers.sts12_ranks import OFFICIAL_RESULTS
from papers.tasks import TASKS

__all__ = ["CORPORA", "Corpus", "ParallelCorpus", "ParallelTexts", "Source", "middling"]

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
"""Per cent of Wiktionary, to see what the mixture does."""


def _mixture(share: int) -> Corpus:
    sources = _entries(share / 100)
    kept = sources if share else (sources[0], sources[2])
    title = f"the texts of *SEM 2012, with {share} % of Wiktionary's senses"
    return Corpus(f"mixture, {share} %", title, (*kept, *_STS12), ("sts12-train", "sts12"))


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
FACTS: dict[str, dict[str, Any]] = {
    "definitions": {"texts": 509_576, "words": 5_350_212, "wiktionary": 334_577, **_RETRIEVAL},
    "definitions, 393,666": {"texts": 393_666, "words": 4_259_182, "wiktionary": 218_667, **_RETRIEVAL},
    "entries+sts12": {"wiktionary": 334_577},
    "entries+sts12, 393,666": {"wiktionary": 218_667},
    "parallel": {"pairs": 823_787, "english_texts": 800_765},
    "semeval2010": {"instances": 97_506, "parser": "another, of ClearNLP's labels"},
}
"""Counts, and whatever else the papers state of their texts too, by corpus."""


def facts(name: str) -> dict[str, Any]:
    """What papers state of their texts: of an entry, what is read; and the counts.

    >>> facts("entries+sts12, 393,666")["examples"], facts("definitions, 393,666")["examples"]
    (True, False)
    """
    sources = CORPORA[name].sources
    columns = {column for source in sources for column in source.columns}
    read = {
        "examples": "examples" in columns,
        "head_words": bool(columns & {"word", "lemmas"}),
        "training_pairs": any(source.pairs for source in sources),
    }
    return {**read, **FACTS.get(name, {})}
