"""Training backend for a corpus in partitions: on the disk of one machine, or on a Dask cluster.

The factorization is that of a training in memory, but the texts' vectors never exist all at once. A sweep is
one pass for the exact text half and the words' gradients, then one pass for each step of conjugate
gradients. Memory: about six arrays of words x K, and one partition for each thread.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tacit.compute.tiles import round_up_to_tile
from tacit.corpora.partitions import Partition
from tacit.errors import InputError
from tacit.factorize.als import run_sweeps
from tacit.factorize.conjugate_gradients import CG_STEPS, BlockConjugateGradients
from tacit.factorize.row_solver import Factors, whiten
from tacit.models.isotropy import Isotropy, isotropy_from_gram
from tacit.models.language import Language
from tacit.scale.checkpoints import WorkFolder, compute_run_id
from tacit.scale.engine_choice import format_bytes
from tacit.scale.engines import Engine
from tacit.scale.pass_progress import PassProgress
from tacit.scale.passes import (
    PassResult,
    add_results,
    text_statistics_pass,
    word_gradients_pass,
    word_products_pass,
)
from tacit.scale.preparation import PreparedCorpus, prepare
from tacit.text.vectorizer import TextVectorizer
from tacit.training.trainer import Trainer
from tacit.types import Array

WORD_ARRAYS = 6  # arrays of words x K that a sweep holds at once


class PartitionedBackend:
    """Training backend for partitions, an engine that runs the passes, and a work folder.

    A training that was interrupted resumes from the work folder, with the same bits. ``losses`` and
    ``residuals`` (relative residuals of the word half-sweeps) have one value for each completed sweep.

    Parameters
    ----------
    partitions : Sequence[Partition]
        The texts, see ``tacit.corpora.partitions.partition_corpus``.
    engine : Engine
        ``ThreadEngine`` or ``DaskEngine``.
    work_folder : str or Path
        An empty folder, or that of the interrupted training.
    memory : int
        Number of bytes that the training may use.
    progress : PassProgress, optional
        Receives the progress of each pass.
    """

    supports_background: ClassVar[bool] = False

    corpus: PreparedCorpus

    def __init__(
        self, partitions: Sequence[Partition], engine: Engine, work_folder: str | Path, memory: int,
        progress: PassProgress | None = None,
    ) -> None:  # fmt: skip
        if not partitions:
            raise InputError("there are no texts to learn from: name files")
        self.partitions, self.engine, self.memory = partitions, engine, memory
        self.progress = progress or PassProgress()
        self.work_folder = WorkFolder(Path(work_folder))
        self.losses: list[float] = []
        self.residuals: list[float] = []

    @property
    def provenance(self) -> dict[str, Any]:
        """The engine, the number of partitions and the residuals."""
        return {"engine": self.engine.name, "partitions": len(self.partitions), "residual": self.residuals}

    @property
    def n_sweeps(self) -> int:
        """Number of completed sweeps; an interrupted training resumes after them."""
        return len(self.residuals)

    @property
    def sample(self) -> list[str]:
        """A random sample of up to 20,000 texts, for the self-check."""
        return list(self.corpus.sample)

    def remove_work_folder(self) -> None:
        """Remove what the training has written to the work folder, and the folder itself if it is empty."""
        self.work_folder.remove()

    @contextmanager
    def prepare(self, vectorizer: TextVectorizer, parameters: dict[str, Any]) -> Iterator[PreparedCorpus]:
        """Lock the work folder, and write the rows of all partitions to it unless they are there."""
        for part in self.partitions:
            part.check()
        with self.work_folder.lock(compute_run_id(self.partitions, parameters)):
            self.corpus = self._load_or_prepare(vectorizer)
            yield self.corpus

    def _load_or_prepare(self, vectorizer: TextVectorizer) -> PreparedCorpus:
        corpus = self.work_folder.load_prepared()
        if corpus is not None:
            for file in corpus.files:
                file.check(verify_digest=True)
            return corpus
        options = vectorizer, self.work_folder.path, self.memory, self.progress
        try:
            corpus = prepare(self.engine, self.partitions, *options)
            self.work_folder.save_prepared(corpus)
        except BaseException:
            self.work_folder.remove_partition_files()
            raise
        return corpus

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Run all sweeps that the work folder does not have yet, with a checkpoint after each."""
        n_words, K = self.corpus.statistics.n_words, settings["n_components"]
        self._check_memory(n_words, K)
        words, self.losses, self.residuals = self.work_folder.load_sweep() or (
            Factors.from_vectors(rng.standard_normal((n_words, K)).astype(np.float32)),
            [],
            [],
        )
        squared_norm = self.corpus.statistics.frobenius_norm**2

        def sweep() -> float:
            nonlocal words
            words, loss_without_norm, residual = self._sweep(words, settings)
            loss = squared_norm + loss_without_norm
            self.residuals.append(residual)
            self.work_folder.save_sweep(words, [*self.losses, loss], self.residuals)
            return loss

        run_sweeps(sweep, settings["n_iter"], trainer.tol, trainer.callback, self.losses)
        return words.to_vectors(K, self.engine.n_threads), self.losses

    def _check_memory(self, n_words: int, n_components: int) -> None:
        """Raise `InputError` if the arrays of words do not fit in the given memory."""
        needed = WORD_ARRAYS * n_words * round_up_to_tile(n_components) * 4
        if needed > self.memory:
            raise InputError(
                f"{n_words:,} words x {n_components} components need {format_bytes(needed)}, and only "
                f"{format_bytes(self.memory)} of memory may be used",
                parameter="max_features",
                remedy="give more memory, or fewer components or words (max_features=NUMBER); the prepared "
                "texts are kept",
            )

    def _sweep(self, words: Factors, settings: dict[str, Any]) -> tuple[Factors, float, float]:
        """Run one sweep; return the words, the loss less the squared norm of X, and the relative residual."""
        n_threads, number = self.engine.n_threads, len(self.losses) + 1
        missing_weight, regularization = settings["missing_weight"], settings["regularization"]
        whitened, word_gram = whiten(words, missing_weight, regularization, n_threads, diagonal=True)
        name = f"sweep {number} of {settings['n_iter']}"
        passes_left = (settings["n_iter"] - number) * (CG_STEPS + 1) + CG_STEPS
        shared = self.engine.broadcast(whitened), secrets.randbits(63)  # identifies this sweep's residuals
        result = self._run_pass(word_gradients_pass, shared, f"{name}, texts", passes_left).to_dense()
        text_gram, explained_loss = result.totals["gram"], result.totals["explained_loss"]
        solver = BlockConjugateGradients(whitened, result.rows, text_gram, regularization, n_threads)
        del result
        for step in range(1, CG_STEPS + 1):
            directions = self.engine.broadcast(solver.directions)
            title = f"{name}, words {step} of {CG_STEPS}"
            result = self._run_pass(word_products_pass, (*shared, directions), title, passes_left - step)
            solver.step(result.to_dense().rows, is_last=step == CG_STEPS)
            del result, directions
        words = Factors(solver.vectors, whitened.factor.L.T, words.n_rows)
        words = words.astype(np.float32, n_threads)  # the sweep may have run in float64
        loss = regularization * float(np.trace(word_gram)) - explained_loss - solver.loss_decrease
        return words, loss, solver.relative_residual

    def _run_pass(self, function: Any, shared: tuple[Any, ...], name: str, passes_left: int) -> PassResult:
        with self.progress.track(name, self.corpus.statistics.n_texts, passes_left) as advance:
            result: PassResult = self.engine.run(
                function, self.corpus.files, shared, add_results, lambda file: advance(file.n_texts)
            )
        return result

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Compute the statistics in one more pass."""
        fold_in = copy(language.own_fold_in)
        fold_in.n_threads = 1  # the engine runs one partition on each thread
        shared = (self.engine.broadcast(fold_in),)
        totals = self._run_pass(text_statistics_pass, shared, "encoding texts", 0).totals
        isotropy = isotropy_from_gram(totals["unit_gram"], totals["unit_sum"], totals["n_nonzero_texts"])
        return totals["gram"], isotropy
