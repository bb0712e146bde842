"""The work folder: rows of partitions, what was prepared, and the words after the last sweep.

Everything is written by ``tacit.storage``: content first, then one rename. A run that was stopped is taken up
after its last whole sweep, and ends with the same bits.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.partitions import Partition
from tacit.errors import InputError, ModelError
from tacit.factorize.row_solver import Side
from tacit.factorize.settings import Statistics
from tacit.scale.preparing import PreparedCorpus
from tacit.scale.rows import RowsFile
from tacit.storage import StoredModel, fingerprint, lock_for_writing, read_model, write_model
from tacit.storage.durable_files import CONFIG_FILE, LOCK_FILE
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

PREPARED, CHECKPOINT = "prepared", "checkpoint"
_OF_PARTITIONS = re.compile(r"(rows|tokens|left)-\d+\.bin.*")
_OURS = re.compile(rf"{PREPARED}|{CHECKPOINT}|{_OF_PARTITIONS.pattern}|\.lock")
_CARD = "# A training under way\n\nThe command that began it takes it up again. It can be deleted.\n"


def identity_of(partitions: Sequence[Partition], parameters: dict[str, Any]) -> str:
    """Return the digest of a run: of the files, of how they are cut and read, and of every setting."""
    pieces = []
    for part in partitions:
        pieces += [str(part.number), *(each.identity() for each in part.parts)]
    return fingerprint([repr(sorted(parameters.items())), *pieces])


class WorkFolder:
    """The folder of a training; ``identity`` says of which one, see ``identity_of``."""

    def __init__(self, path: Path) -> None:
        """Store the path; nothing is read or written yet."""
        self.path, self.identity = path.absolute(), ""

    @contextlib.contextmanager
    def held(self, identity: str) -> Iterator[None]:
        """Lock the folder for the training of this identity."""
        self.identity = identity
        names = [each.name for each in self.path.iterdir()] if self.path.is_dir() else []
        if not all(map(_OURS.fullmatch, names)):
            raise InputError(f"{self.path} is neither empty nor a work folder of tacit: name another")
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path} is a file: name a folder")
        try:
            with lock_for_writing(self.path / CHECKPOINT):
                yield
        finally:  # a run that came to nothing leaves nothing
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def prepared(self) -> PreparedCorpus | None:
        """What was prepared, every byte of it checked, or None."""
        stored = self._read(PREPARED)
        if stored is None:
            return None
        own = stored.parameters
        vectorizer = TextVectorizer.from_params_dict(own["vectorizer"])
        words = Vocabulary.from_rows(stored.vocabulary)
        vectorizer.set_fitted_state(own["learnt"], words, np.array(stored.arrays["idf"]))
        files = [RowsFile(str(self.path / name), *rest) for name, *rest in own["files"]]
        sample = _texts(stored.arrays["sample"], stored.arrays["sample_ends"])
        return PreparedCorpus(
            vectorizer=vectorizer,
            statistics=Statistics(*own["statistics"]),
            largest_singular_value=own["strongest"],
            content=[file.digest for file in files],
            sample=sample,
            files=files,
        )

    def keep_prepared(self, found: PreparedCorpus) -> None:
        """Commit what was prepared."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in found.sample]
        files = [[Path(file.path).name, *astuple(file)[1:]] for file in found.files]
        parameters = {
            "identity": self.identity,
            "vectorizer": found.vectorizer.params_to_dict(),
            "learnt": found.vectorizer.fitted_state(),
            "files": files,
            "statistics": astuple(found.statistics),
            "strongest": found.largest_singular_value,
            "corpus": found.fingerprint(),
        }
        arrays: dict[str, Any] = {
            "idf": found.vectorizer.idf_,
            "sample": np.frombuffer(b"".join(encoded), np.uint8).copy(),
            "sample_ends": np.cumsum([len(each) for each in encoded], dtype=np.int64),
        }
        rows = found.vectorizer.words_.to_rows()
        write_model(
            self.path / PREPARED,
            StoredModel("TrainingWork", parameters, arrays=arrays, vocabulary=rows),
            _CARD,
        )

    def last_sweep(self) -> tuple[Side, list[float], list[float]] | None:
        """The words after the last whole sweep, the losses and the residuals so far, or None."""
        stored = self._read(CHECKPOINT)
        if stored is None:
            return None
        words = Side(
            np.array(stored.arrays["rows"]), np.array(stored.arrays["basis"]), stored.parameters["n"]
        )
        return words, list(stored.training["loss"]), list(stored.training["residual"])

    def keep_sweep(self, words: Side, losses: list[float], residuals: list[float]) -> None:
        """Commit a sweep."""
        stored = StoredModel(
            "TrainingCheckpoint",
            {"identity": self.identity, "n": words.n},
            {"loss": losses, "residual": residuals},
            {"rows": words.rows, "basis": np.ascontiguousarray(words.basis)},
        )
        write_model(self.path / CHECKPOINT, stored, _CARD)

    def _read(self, name: str) -> StoredModel | None:
        if not (self.path / name / CONFIG_FILE).exists():
            return None
        try:
            stored = read_model(self.path / name, verify=True)
        except ModelError as error:
            raise InputError(f"{error}; or delete {self.path} and begin anew") from None
        if stored.parameters.get("identity") != self.identity:
            raise InputError(
                f"{self.path} holds a training of other texts or settings, or the files have changed since",
                parameter="work_dir",
                remedy="delete it to begin anew, or name another folder with work_dir=FOLDER",
            )
        return stored

    def remove(self) -> None:
        """Take away all that the run has put there, and the folder if nothing else is in it."""
        for name in (PREPARED, CHECKPOINT):
            shutil.rmtree(self.path / name, ignore_errors=True)
        self.discard()
        with contextlib.suppress(OSError):
            (self.path / LOCK_FILE).unlink(missing_ok=True)
            self.path.rmdir()

    def discard(self) -> None:
        """Take away what partitions have written, which serves nobody unless all of it was prepared."""
        for file in self.path.iterdir() if self.path.is_dir() else ():
            if _OF_PARTITIONS.fullmatch(file.name):
                file.unlink(missing_ok=True)


def _texts(content: Any, ends: Any) -> list[str]:
    raw, edges = bytes(content), [0, *ends.tolist()]
    return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(edges)]
