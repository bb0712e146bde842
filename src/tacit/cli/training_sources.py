"""Where the texts of a training come from, and what stands behind them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.cli.common import load_model, progress

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.models.text_model import TextModel


@dataclass
class Sources:
    """Where texts come from: files, standard input and named corpora, in the order named."""

    inputs: tuple[str, ...]
    corpora: tuple[str, ...]
    column: str | None
    reading: ReadOptions
    kept: list[str] | None = None

    def texts(self) -> Iterator[str]:
        """All texts; a file that cannot be read is reported before work starts."""
        from tacit.corpora import named_corpus, open_corpus

        if self.kept is not None:
            return iter(self.kept)
        named = [named_corpus(name) for name in self.corpora]
        for source in self.inputs:
            if source != "-" and not Path(source).is_fifo():  # a pipe can be read only once
                open_corpus(source, self.column, self.reading)  # and closed again: files are many
        files = (open_corpus(source, self.column, self.reading) for source in self.inputs)
        return chain(*named, chain.from_iterable(files))

    def keep(self) -> list[str]:
        """All texts as a list, which is read but once."""
        self.kept = list(self.texts())
        return self.kept

    def labelled(self, labels: str) -> tuple[list[str], list[str]]:
        """All texts with what stands in a column of labels."""
        from tacit.corpora import open_records
        from tacit.errors import InputError

        records = [
            record
            for source in self.inputs
            for record in open_records(source, self.column, None, self.reading)
        ]
        if not records or any(labels not in record.columns for record in records):
            names = ", ".join(records[0].columns) if records else ""
            there = f"there are {names}" if names else "labels stand in a table, see --column"
            raise InputError(f"--labels {labels}: there is no such column; {there}")
        self.kept = [record.text for record in records]
        return self.kept, [str(record.columns[labels]) for record in records]


def background_model(
    given: str, vectorizer: Any, column: str | None, reading: ReadOptions, threads: int | None
) -> TextModel:
    """A model that is there already, or one trained now on a named corpus or on a file."""
    from tacit.corpora import named_corpus, open_corpus
    from tacit.corpora.named import NAMED
    from tacit.training.wtmf import WTMF

    if Path(given, "config.json").is_file():
        return load_model(given, threads)
    texts = named_corpus(given) if given in NAMED else open_corpus(given, column, reading)
    with progress() as bar:
        bar.add_task(f"learning the background {given}", total=None)
        return WTMF(vectorizer, n_threads=threads).fit(texts).model_
