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
from numpy.typing import NDArray

from tacit.compute.tiles import padded
from tacit.corpora.partitions import Partition
from tacit.errors import InputError
from tacit.factorize.als import run_sweeps
from tacit.factorize.row_solver import Side, whiten
from tacit.factorize.word_half import STEPS, WordHalf
from tacit.models.isotropy import Isotropy, isotropy_from_gram
from tacit.models.language import Language
from tacit.scale.checkpoints import WorkFolder, identity_of
from tacit.scale.choosing import shown_bytes
from tacit.scale.engines import Engine
from tacit.scale.passes import gradients, products, text_sums
from tacit.scale.preparing import PreparedCorpus, prepare
from tacit.scale.progress import Progress
from tacit.scale.sums import add_sums
from tacit.text.vectorizer import TextVectorizer
from tacit.training.trainer import Trainer

Array = NDArray[Any]

WORD_ARRAYS = 6
"""Arrays of words x K that a sweep holds at once."""


class PartitionedBackend:
    """Training backend for partitions, an engine that runs the passes, and a work folder.

    A training that was interrupted resumes from the work folder, with the same bits. ``losses`` and
    ``residuals`` (of the word halves) have one value for each sweep that is done.

    Parameters
    ----------
    partitions : Sequence[Partition]
        The texts, see ``tacit.corpora.partitions.partition_corpus``.
    engine : Engine
        ``Threads`` or ``DaskEngine``.
    work_folder : str or Path
        An empty folder, or that of the interrupted training.
    memory : int
        How many bytes the training may use.
    progress : Progress, optional
        Receives what is done of each pass.
    """

    supports_background: ClassVar[bool] = False

    corpus: PreparedCorpus

    def __init__(
        self,
        partitions: Sequence[Partition],
        engine: Engine,
        work_folder: str | Path,
        memory: int,
        progress: Progress | None = None,
    ) -> None:
        if not partitions:
            raise InputError("there are no texts to learn from: name files")
        self.partitions, self.engine, self.memory = partitions, engine, memory
        self.progress = progress or Progress()
        self.work = WorkFolder(Path(work_folder))
        self.losses: list[float] = []
        self.residuals: list[float] = []

    @property
    def provenance(self) -> dict[str, Any]:
        """The engine, the number of partitions and the residuals."""
        return {
            "engine": self.engine.name,
            "partitions": len(self.partitions),
            "residual": self.residuals,
        }

    @property
    def n_sweeps(self) -> int:
        """How many sweeps are done; a training that is interrupted resumes after them."""
        return len(self.residuals)

    @property
    def sample(self) -> list[str]:
        """A random sample of the texts, for the self-check; up to 20,000, and whole."""
        return list(self.corpus.sample)

    def remove_work_folder(self) -> None:
        """Remove what the training has written to the work folder, and the folder itself if it is empty."""
        self.work.remove()

    @contextmanager
    def prepare(self, vectorizer: TextVectorizer, parameters: dict[str, Any]) -> Iterator[PreparedCorpus]:
        """Lock the work folder, and write the rows of all partitions to it unless they are there."""
        for part in self.partitions:
            part.check()
        with self.work.held(identity_of(self.partitions, parameters)):
            self.corpus = self._load_or_prepare(vectorizer)
            files = enumerate(self.corpus.files)
            self.progress.texts_of = {number: file.n_texts for number, file in files}
            yield self.corpus

    def _load_or_prepare(self, vectorizer: TextVectorizer) -> PreparedCorpus:
        corpus = self.work.prepared()
        if corpus is not None:
            for file in corpus.files:
                file.check(deeply=True)
            return corpus
        options = vectorizer, self.work.path, self.memory, self.progress
        try:
            corpus = prepare(self.engine, self.partitions, *options)
            self.work.keep_prepared(corpus)
        except BaseException:
            self.work.discard()
            raise
        return corpus

    def factorize(
        self, trainer: Trainer, settings: dict[str, Any], rng: np.random.Generator
    ) -> tuple[Array, list[float]]:
        """Run all sweeps that the work folder does not have yet, with a checkpoint after each."""
        n_words, K = self.corpus.statistics.n_words, settings["n_components"]
        self._check_memory(n_words, K)
        words, self.losses, self.residuals = self.work.last_sweep() or (
            Side.of(rng.standard_normal((n_words, K)).astype(np.float32)),
            [],
            [],
        )
        squares = self.corpus.statistics.norm**2

        def sweep() -> float:
            nonlocal words
            words, rest, residual = self._sweep(words, settings)
            loss = squares + rest
            self.residuals.append(residual)
            self.work.keep_sweep(words, [*self.losses, loss], self.residuals)
            return loss

        run_sweeps(sweep, settings["n_iter"], trainer.tol, trainer.callback, self.losses)
        return words.vectors(K, self.engine.n_threads), self.losses

    def _check_memory(self, n_words: int, n_components: int) -> None:
        """Raise an error that says how much memory is needed, if it is too little."""
        need = WORD_ARRAYS * n_words * padded(n_components) * 4
        if need > self.memory:
            raise InputError(
                f"{n_words:,} words x {n_components} components need {shown_bytes(need)}, and the memory "
                f"given is {shown_bytes(self.memory)}",
                parameter="max_features",
                remedy="give more, or fewer components or words (max_features=NUMBER); what was read is kept",
            )

    def _sweep(self, words: Side, settings: dict[str, Any]) -> tuple[Side, float, float]:
        """Return the words after a sweep, the loss less the squares of X, and the word half's residual."""
        n_threads, number = self.engine.n_threads, len(self.losses) + 1
        weight, strength = settings["missing_weight"], settings["regularization"]
        whitened, gram = whiten(words, weight, strength, n_threads, diagonal=True)
        name = f"sweep {number} of {settings['n_iter']}"
        left = (settings["n_iter"] - number) * (STEPS + 1) + STEPS
        shared = self.engine.share(whitened), secrets.randbits(63)  # identifies this sweep's residuals
        sums = self._run_pass(gradients, shared, f"{name}, texts", left).whole()
        K = whitened.T.shape[1]
        text_gram, explained = sums.small[:-1].reshape(K, K), float(sums.small[-1])
        half = WordHalf(whitened, sums.rows, text_gram, strength, n_threads)
        del sums
        for step in range(1, STEPS + 1):
            directions = self.engine.share(half.directions)
            title = f"{name}, words {step} of {STEPS}"
            sums = self._run_pass(products, (*shared, directions), title, left - step)
            half.step(sums.whole().rows, last=step == STEPS)
            del sums, directions
        side = Side(half.vectors, whitened.factor.L.T, words.n)
        if half.vectors.dtype != np.float32:  # the sweep ran in float64
            side = Side.of(side.vectors(settings["n_components"], n_threads).astype(np.float32))
        rest = strength * float(np.trace(gram)) - explained - half.gained
        return side, rest, half.residual_share

    def _run_pass(self, work: Any, shared: tuple[Any, ...], name: str, passes_left: int) -> Any:
        files = self.corpus.files
        numbers = {file.path: number for number, file in enumerate(files)}
        with self.progress.counted(name, passes_left) as on_done:
            return self.engine.run(work, files, shared, add_sums, lambda file: on_done(numbers[file.path]))

    def text_statistics(self, language: Language) -> tuple[Array, Isotropy]:
        """Compute the statistics in one more pass."""
        fold = copy(language.own_fold_in)
        fold.n_threads = 1  # the engine runs one partition on each thread
        sums = self._run_pass(text_sums, (self.engine.share(fold),), "texts once more", 0)
        K = fold.n_components
        gram, units, total = np.split(sums.small[:-1], [K * K, 2 * K * K])
        return gram.reshape(K, K), isotropy_from_gram(units.reshape(K, K), total, int(sums.small[-1]))
