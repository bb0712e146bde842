"""Work folder: prepared corpus and the state after each sweep, so that a stopped run resumes.

Everything is written by ``tacit.storage``: content first, then one rename. A stopped run is resumed after
its last complete sweep, and ends with the same bits.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from tacit.corpora.partitions import Partition
from tacit.errors import InputError, ModelError
from tacit.factorize.row_solver import Factors
from tacit.factorize.wmf_settings import MatrixStatistics
from tacit.scale.partition_files import PartitionRows
from tacit.scale.preparation import PreparedCorpus
from tacit.storage import StoredModel, fingerprint, lock_for_writing, read_model, write_model
from tacit.storage.durable_files import CONFIG_FILE, LOCK_FILE
from tacit.text.vectorizer import TextVectorizer
from tacit.text.vocabulary import Vocabulary

PREPARED_FOLDER, CHECKPOINT_FOLDER = "prepared", "checkpoint"
_PARTITION_FILES = re.compile(r"(rows|tokens|left)-\d+\.bin.*")
_KNOWN_NAMES = re.compile(rf"{PREPARED_FOLDER}|{CHECKPOINT_FOLDER}|{_PARTITION_FILES.pattern}|\.lock")
_CARD = "# A training in progress\n\nThe command that started it resumes it. It can be deleted.\n"


def compute_run_id(partitions: Sequence[Partition], parameters: dict[str, Any]) -> str:
    """Return a digest of a run: of the files, of how they are split and read, and of every setting."""
    files = [[str(p.number), *(part.identity() for part in p.parts)] for p in partitions]
    return fingerprint([repr(sorted(parameters.items())), *chain.from_iterable(files)])


class WorkFolder:
    """Work folder of one training run, identified by ``run_id``; see ``compute_run_id``."""

    def __init__(self, path: Path) -> None:
        """Store the path; nothing is read or written yet."""
        self.path, self.run_id = path.absolute(), ""

    @contextlib.contextmanager
    def lock(self, run_id: str) -> Iterator[None]:
        """Lock the folder for a run."""
        self.run_id = run_id
        names = [entry.name for entry in self.path.iterdir()] if self.path.is_dir() else []
        if not all(map(_KNOWN_NAMES.fullmatch, names)):
            raise InputError(f"{self.path} is neither empty nor a work folder of tacit: name another folder")
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path} is a file: name a folder")
        try:
            with lock_for_writing(self.path / CHECKPOINT_FOLDER):
                yield
        finally:  # a run that has written nothing leaves no folder
            with contextlib.suppress(OSError):
                self.path.rmdir()

    def load_prepared(self) -> PreparedCorpus | None:
        """Load the prepared corpus and verify its digests; None if there is none."""
        stored = self._read(PREPARED_FOLDER)
        if stored is None:
            return None
        parameters = stored.parameters
        vectorizer = TextVectorizer.from_params_dict(parameters["vectorizer"])
        words = Vocabulary.from_rows(stored.vocabulary)
        vectorizer.set_fitted_state(parameters["learnt"], words, np.array(stored.arrays["idf"]))
        files = [PartitionRows(str(self.path / name), *rest) for name, *rest in parameters["files"]]
        return PreparedCorpus(
            vectorizer=vectorizer,
            statistics=MatrixStatistics(*parameters["statistics"]),
            largest_singular_value=parameters["strongest"],
            content=[file.digest for file in files],
            sample=_unpack_texts(stored.arrays["sample"], stored.arrays["sample_ends"]),
            files=files,
        )

    def save_prepared(self, corpus: PreparedCorpus) -> None:
        """Commit the prepared corpus."""
        encoded = [text.encode("utf-8", "surrogatepass") for text in corpus.sample]
        files = [[Path(file.path).name, *astuple(file)[1:]] for file in corpus.files]
        parameters = {
            "identity": self.run_id,
            "vectorizer": corpus.vectorizer.params_to_dict(),
            "learnt": corpus.vectorizer.fitted_state(),
            "files": files,
            "statistics": astuple(corpus.statistics),
            "strongest": corpus.largest_singular_value,
            "corpus": corpus.fingerprint(),
        }
        arrays: dict[str, Any] = {
            "idf": corpus.vectorizer.idf_,
            "sample": np.frombuffer(b"".join(encoded), np.uint8).copy(),
            "sample_ends": np.cumsum([len(text) for text in encoded], dtype=np.int64),
        }
        vocabulary = corpus.vectorizer.words_.to_rows()
        stored = StoredModel("TrainingWork", parameters, arrays=arrays, vocabulary=vocabulary)
        write_model(self.path / PREPARED_FOLDER, stored, _CARD)

    def load_sweep(self) -> tuple[Factors, list[float], list[float]] | None:
        """Load the words after the last complete sweep, the losses and the residuals, if there are any."""
        stored = self._read(CHECKPOINT_FOLDER)
        if stored is None:
            return None
        coordinates, basis = (np.array(stored.arrays[name]) for name in ("rows", "basis"))
        words = Factors(coordinates, basis, stored.parameters["n"])
        return words, list(stored.training["loss"]), list(stored.training["residual"])

    def save_sweep(self, words: Factors, losses: list[float], residuals: list[float]) -> None:
        """Commit the words after a sweep, and losses and residuals so far."""
        stored = StoredModel(
            "TrainingCheckpoint",
            {"identity": self.run_id, "n": words.n_rows},
            {"loss": losses, "residual": residuals},
            {"rows": words.coordinates, "basis": np.ascontiguousarray(words.basis)},
        )
        write_model(self.path / CHECKPOINT_FOLDER, stored, _CARD)

    def _read(self, name: str) -> StoredModel | None:
        if not (self.path / name / CONFIG_FILE).exists():
            return None
        try:
            stored = read_model(self.path / name, verify=True)
        except ModelError as error:
            raise InputError(f"{error}; or delete {self.path} and start again") from None
        if stored.parameters.get("identity") != self.run_id:
            raise InputError(
                f"{self.path} holds a training run with other texts or settings, or files have changed since",
                parameter="work_dir",
                remedy="delete it to start again, or name another folder with work_dir=FOLDER",
            )
        return stored

    def remove(self) -> None:
        """Remove all files of the run, and the folder if it is empty then."""
        for name in (PREPARED_FOLDER, CHECKPOINT_FOLDER):
            shutil.rmtree(self.path / name, ignore_errors=True)
        self.remove_partition_files()
        with contextlib.suppress(OSError):
            (self.path / LOCK_FILE).unlink(missing_ok=True)
            self.path.rmdir()

    def remove_partition_files(self) -> None:
        """Remove the files of partitions, which are useless unless the whole corpus is prepared."""
        for file in self.path.iterdir() if self.path.is_dir() else ():
            if _PARTITION_FILES.fullmatch(file.name):
                file.unlink(missing_ok=True)


def _unpack_texts(content: Any, ends: Any) -> list[str]:
    raw, edges = bytes(content), [0, *ends.tolist()]
    return [raw[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(edges)]
