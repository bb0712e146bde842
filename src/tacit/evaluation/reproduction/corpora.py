"""The papers' training corpora, as data: which columns of which files, and which tasks they serve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.corpora import read_lines
from tacit.evaluation.data import find_files, read_columns, read_scored_pairs
from tacit.evaluation.official import OFFICIAL_RESULTS
from tacit.evaluation.tasks import find_task


@dataclass(frozen=True)
class Source:
    """A file of texts under the data folder.

    With ``columns`` a row of a table with a header is one text of these columns; without, a line is a text.
    ``pairs`` marks a file of score, text, text, of which both texts count.
    """

    path: str
    columns: tuple[str, ...] = ()
    pairs: bool = False

    def texts(self, file: Path) -> Iterator[str]:
        """Stream the texts of the file."""
        if self.pairs:
            scored = read_scored_pairs(file)
            return iter([*scored.a, *scored.b])
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
        paths += [path for task in self.tasks for path in find_task(task).paths]
        paths += [OFFICIAL_RESULTS] * ("sts12" in self.tasks)
        return dict(zip(paths, find_files(self.name, paths, data), strict=True))

    def texts(self, data: str | Path | None) -> list[str]:
        """The texts of all sources."""
        files = self.files(data)
        return [text for source in self.sources for text in source.texts(files[source.path])]


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

CORPORA: dict[str, Corpus] = {
    corpus.name: corpus
    for corpus in (
        Corpus("definitions", "WordNet's and Wiktionary's definitions, Brown", _DEFINITIONS, ("cdr",)),
        Corpus(
            "entries",
            "WordNet's and Wiktionary's head words, definitions and examples, Brown",
            _ENTRIES,
            ("li06", "msr04"),
        ),
        Corpus(
            "entries+sts12",
            "WordNet's and Wiktionary's head words, definitions and examples, Brown, STS12 training text",
            (*_ENTRIES, *_STS12),
            ("sts12",),
        ),
    )
}
