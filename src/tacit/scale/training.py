"""Training over partitions: the same factorization as in memory, whose texts' vectors are never whole.

A sweep is one pass for the text half, exact, and the words' gradients, then one pass for each step of
conjugate gradients. Memory: about six arrays of words x K, and one partition a thread.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacit.compute.threads import usable_threads
from tacit.compute.tiles import padded
from tacit.corpora.partitions import Partition
from tacit.errors import InputError
from tacit.factorize.als import Side
from tacit.factorize.parameters import generator
from tacit.factorize.settings import resolved
from tacit.factorize.word_half import STEPS, WordHalf, whiten
from tacit.models.language import Language
from tacit.models.lexicon import Lexicon
from tacit.models.percentiles import LONGEST, SAMPLE
from tacit.models.spread import spread_from
from tacit.models.text_model import TextModel
from tacit.scale.checkpoints import WorkFolder, identity_of
from tacit.scale.choosing import shown_bytes
from tacit.scale.engines import Engine
from tacit.scale.passes import gradients, products, text_sums
from tacit.scale.preparing import Prepared, prepare
from tacit.scale.progress import Progress
from tacit.scale.sums import add_sums
from tacit.text.codes import UNNAMED, check_code
from tacit.text.vectorizer import TextVectorizer
from tacit.training.wtmf import FEW, SAYS_LITTLE, WTMF

logger = logging.getLogger(__name__)
Array = NDArray[Any]

ARRAYS = 6
"""Arrays of words x K that a sweep holds at once."""


class PartitionedTraining:
    """A trainer, partitions, an engine and a work folder; ``run`` trains, or takes a stopped run up again.

    ``sample`` holds some of the texts when it is done, ``residuals`` what each word half left.
    """

    def __init__(
        self,
        trainer: WTMF,
        partitions: Sequence[Partition],
        engine: Engine,
        folder: str | Path,
        memory: int,
        progress: Progress | None = None,
    ) -> None:
        if trainer.background is not None:
            raise InputError("a background is for trainings in memory: leave it out, or use engine memory")
        if not partitions:
            raise InputError("there are no texts to learn from: name files")
        self.trainer, self.partitions, self.engine = trainer, partitions, engine
        self.memory, self.progress = memory, progress or Progress()
        self.vectorizer = TextVectorizer(**trainer._nested("vectorizer").get_params())
        self.code = check_code(trainer.language or self.vectorizer.language or UNNAMED)
        self.given = trainer._given()
        beside = {"seed": repr(trainer.random_state), "tol": trainer.tol, "language": self.code}
        plain = {"vectorizer": repr(sorted(self.vectorizer.to_plain().items()))}
        own = {"text_regularization": trainer.text_regularization}
        self.work = WorkFolder(Path(folder), identity_of(partitions, self.given | beside | plain | own))
        self.sample: list[str] = []
        self.residuals: list[float] = []

    def run(self) -> WTMF:
        """Train; the work folder is empty again when it is done."""
        for part in self.partitions:
            part.check()
        with self.work.held():
            prepared = self._prepared()
            settings = resolved(self.given, prepared.statistics, prepared.strongest)
            self._check_memory(prepared.statistics.n_words, settings["n_components"])
            words = self._swept(prepared, settings)
            self.trainer.model_ = self._model(prepared, settings, words)
            self.sample = prepared.sample
        return self.trainer

    def clear(self) -> None:
        """Remove the work folder."""
        self.work.remove()

    def _prepared(self) -> Prepared:
        found = self.work.prepared()
        if found is None:
            options = self.vectorizer, self.work.path, self.memory, self.progress
            try:
                found = prepare(self.engine, self.partitions, *options)
                self.work.keep_prepared(found)
            except BaseException:
                self.work.discard()
                raise
        else:
            for file in found.files:
                file.check(deeply=True)
        self.progress.texts_of = {number: file.n_texts for number, file in enumerate(found.files)}
        return found

    def _check_memory(self, n_words: int, n_components: int) -> None:
        """Refuse what cannot fit, with how much it needs."""
        need = ARRAYS * n_words * padded(n_components) * 4
        if need > self.memory:
            raise InputError(
                f"{n_words:,} words x {n_components} components need {shown_bytes(need)}, and the memory "
                f"given is {shown_bytes(self.memory)}: give more, or fewer components or words (--max-words, "
                "max_features); what was read is kept"
            )

    def _swept(self, prepared: Prepared, settings: dict[str, Any]) -> Side:
        """All sweeps that are not done yet."""
        trainer, found = self.trainer, self.work.last_sweep()
        if found is None:
            shape = prepared.statistics.n_words, settings["n_components"]
            rng = generator(trainer.random_state)
            found = Side.of(rng.standard_normal(shape).astype(np.float32)), [], []
        words, trainer.loss_, self.residuals = found
        del found  # the start is not held on to
        squares = prepared.statistics.norm**2
        while len(trainer.loss_) < settings["n_iter"]:
            losses = trainer.loss_
            if len(losses) > 1 and losses[-2] - losses[-1] < trainer.tol * losses[-2]:
                break
            words, rest, residual = self._sweep(prepared, words, settings)
            losses.append(squares + rest)
            self.residuals.append(residual)
            self.work.keep_sweep(words, losses, self.residuals)
            if trainer.callback is not None and trainer.callback(len(losses), losses[-1]):
                break
        return words

    def _sweep(self, prepared: Prepared, words: Side, settings: dict[str, Any]) -> tuple[Side, float, float]:
        """One sweep: the words, the loss less the squares of X, and the word half's residual."""
        n_threads, number = self.engine.n_threads, len(self.trainer.loss_) + 1
        weight, strength = settings["missing_weight"], settings["regularization"]
        given, rest = whiten(words, weight, strength, n_threads)
        name = f"sweep {number} of {settings['n_iter']}"
        left = (settings["n_iter"] - number) * (STEPS + 1) + STEPS
        shared = self.engine.share(given), secrets.randbits(63)  # a stamp for what this sweep keeps
        sums = self._pass(gradients, prepared, shared, f"{name}, texts", left).whole()
        K = given.T.shape[1]
        gram, explained = sums.small[:-1].reshape(K, K), float(sums.small[-1])
        half = WordHalf(given, sums.rows, gram, strength, n_threads)
        del sums
        for step in range(1, STEPS + 1):
            along = self.engine.share(half.directions)
            title = f"{name}, words {step} of {STEPS}"
            found = self._pass(products, prepared, (*shared, along), title, left - step)
            half.step(found.whole().rows, last=step == STEPS)
            del found, along
        rows = half.vectors if half.vectors.dtype == np.float32 else None
        side = Side(half.vectors, given.factor.L.T, words.n)
        if rows is None:  # the sweep ran in float64
            side = Side.of(side.vectors(settings["n_components"], n_threads).astype(np.float32))
        return side, rest - explained - half.gained, half.residual_share

    def _pass(self, work: Any, prepared: Prepared, shared: tuple[Any, ...], name: str, left: int) -> Any:
        numbers = {file.path: number for number, file in enumerate(prepared.files)}
        with self.progress.counted(name, left) as tell:
            return self.engine.run(
                work, prepared.files, shared, add_sums, lambda file: tell(numbers[file.path])
            )

    def _model(self, prepared: Prepared, settings: dict[str, Any], words: Side) -> TextModel:
        """What was learnt, with one more pass for what the model knows of its texts."""
        trainer, K = self.trainer, settings["n_components"]
        vectors = words.vectors(K, self.engine.n_threads)
        language = Language(
            self.code,
            prepared.vectorizer,
            vectors,
            len(vectors),
            Lexicon.identity(len(vectors)),
            settings["missing_weight"],
            settings["regularization"],
            np.zeros((K, K)),
            1,
            trainer.text_regularization,
            sample=[text[:LONGEST] for text in prepared.sample[:SAMPLE]],
        )
        sums = self._pass(text_sums, prepared, (self.engine.share(language.own_fold),), "texts once more", 0)
        gram, units, along = np.split(sums.small[:-1], [K * K, 2 * K * K])
        language.text_gram = gram.reshape(K, K)
        spread = spread_from(units.reshape(K, K), along, int(sums.small[-1]))
        if spread.says_little and prepared.statistics.n_texts > FEW:
            logger.warning(SAYS_LITTLE, spread.mean_cosine)
        more = {"spread": spread.to_dict(), "engine": self.engine.name, "partitions": len(self.partitions)}
        provenance = trainer._provenance(prepared.corpus, settings) | more | {"residual": self.residuals}
        return TextModel({self.code: language}, provenance, usable_threads(trainer.n_threads))
