"""Threads that add, delete, search and save one index, against a brute-force twin: ``make soak MINUTES=10``.

Every answer is checked. Now and then everybody stops: the index must then answer as one built anew from the
twin's texts, by every measure, and as its own saved folder. Memory must not grow once it has settled.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tacit
from endurance.fuzz import say
from endurance.twin import Life, Twin
from endurance.worker import memory
from tacit import WTMF, Index, TextVectorizer

MEASURES = ("latent", "blend", "lexical", "ngram")
LARGE = 1200
"""About how many texts live at a time."""
WORDS = 400


class Gate:
    """Workers pass one by one turn; who closes it waits until all have left."""

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._inside, self._closed = 0, False

    def __enter__(self) -> None:
        with self._free:
            self._free.wait_for(lambda: not self._closed)
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._free:
            self._inside -= 1
            self._free.notify_all()

    def alone(self, work: Callable[[], None]) -> None:
        """Do something while nobody else does anything."""
        with self._free:
            self._closed = True
            self._free.wait_for(lambda: self._inside == 0)
        try:
            work()
        finally:
            with self._free:
                self._closed = False
                self._free.notify_all()


class Soak:
    """One index, its twin and the threads that use both."""

    def __init__(self, folder: Path, seed: int = 0, size: int = LARGE, pool: int = 3000) -> None:
        chance = random.Random(seed)
        words = [f"word{number}" for number in range(WORDS)]
        self.pool = [" ".join(chance.choices(words, k=chance.randint(2, 15))) for _ in range(pool)]
        self.queries = [" ".join(chance.choices(words, k=chance.randint(1, 6))) for _ in range(40)]
        model = WTMF(TextVectorizer(min_df=1), n_components=16, regularization=1.0, n_iter=5).fit(self.pool)
        scores = {name: model.similarity(self.queries, self.pool, measure=name) for name in MEASURES}
        self.index, self.size, self.folder = Index(model), size, folder
        self.twin, self.gate = Twin(scores, n_writers=2), Gate()
        self.counts: Counter[str] = Counter()
        self.own: list[list[str]] = [[], []]
        self.failed: list[str] = []

    def write(self, writer: int, chance: random.Random) -> None:
        """Add some texts, or delete some."""
        own, twin = self.own[writer], self.twin
        count = twin.begin(writer)
        if len(own) < self.size // 2 + chance.randint(-100, 100):
            texts = [chance.randrange(len(self.pool)) for _ in range(chance.choice((1, 1, 5, 50)))]
            names = [f"{writer}-{count}-{number}" for number in range(len(texts))]
            twin.lives |= {name: Life(text, writer, count) for name, text in zip(names, texts, strict=True)}
            self.index.add([self.pool[text] for text in texts], ids=names, columns=[{"n": n} for n in names])
            own += names
            self.counts["texts added"] += len(names)
        else:
            chosen = [
                own.pop(chance.randrange(len(own))) for _ in range(min(len(own), chance.choice((1, 5, 60))))
            ]
            for name in chosen:
                twin.lives[name].died = count
            self.index.delete(chosen)
            self.counts["texts deleted"] += len(chosen)
        twin.end(writer)
        self.counts["writes"] += 1

    def search(self, chance: random.Random) -> None:
        """Ask, and hold the answer against the twin."""
        query, measure, k = (
            chance.randrange(len(self.queries)),
            chance.choice(MEASURES),
            chance.choice((1, 5, 20)),
        )
        since = self.twin.since()
        hits = self.index.search_many([self.queries[query]], k, measure, n_candidates=10 * self.size)[0]
        fault = self.twin.fault(query, measure, k, hits, since)
        for hit in hits:
            life = self.twin.lives.get(hit.id)
            if life and (hit.text != self.pool[life.text] or hit.columns != {"n": hit.id}):
                fault = f"{hit.id} has another's text or columns"
        if fault:
            self.failed.append(f"{self.queries[query]!r} by {measure}, {k} asked for: {fault}")
        self.counts["answers checked"] += 1

    def save(self, chance: random.Random) -> None:
        """Write the index while others work, and read it back."""
        since = self.twin.since()
        self.index.save(self.folder)
        until, lives = self.twin.until()
        found = set(tacit.load(self.folder, verify=True).ids)
        sure = {
            name
            for name, life in lives.items()
            if life.born <= since[life.writer] and life.died > until[life.writer]
        }
        possible = {
            name
            for name, life in lives.items()
            if life.born <= until[life.writer] and life.died > since[life.writer]
        }
        if not sure <= found <= possible:
            self.failed.append(
                f"saved {len(found)} texts: {len(sure - found)} lost, {len(found - possible)} undead"
            )
        self.counts["saves"] += 1
        time.sleep(0.5)

    def compare(self) -> None:
        """While nobody writes: the index, one built anew, and the folder give the same answers.

        The word frequencies of ``search`` count deleted texts until the index is saved and read again.
        """
        living = self.twin.living()
        anew = Index(self.index.model)
        names = list(self.index.ids)
        order = [name for name in names if name in living]
        anew.add([self.pool[living[name]] for name in order], ids=order, columns=[{"n": n} for n in order])
        self.index.save(self.folder)
        again = tacit.load(self.folder)
        if not len(self.index) == len(anew) == len(again) == len(living) == len(order):
            self.failed.append(f"{len(self.index)} texts, saved {len(again)}, by the twin {len(living)}")
        for measure in (*MEASURES, "search"):
            answering = (anew, again) if measure == "search" else (anew, again, self.index)
            asked = [plain(each.search_many(self.queries, 10, measure)) for each in answering]
            if any(answers != asked[0] for answers in asked):
                self.failed.append(
                    f"by {measure} the index answers otherwise than one built anew or read again"
                )
            self.counts["answers compared"] += len(self.queries)
        self.twin.forget([name for name in self.twin.lives if name not in living])
        self.counts["comparisons"] += 1
        del anew, again
        gc.collect()

    def run(self, seconds: float, every: float, log: Callable[[str], None] = say) -> list[int]:
        """Let everybody work; the memory at each comparison, in bytes."""
        end, resident = time.monotonic() + seconds, []
        works = [lambda c: self.write(0, c), lambda c: self.write(1, c), self.search, self.search, self.save]
        threads = [threading.Thread(target=self._repeat, args=(work, n, end)) for n, work in enumerate(works)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            threads[0].join(min(every, max(end - time.monotonic(), 0.1)))
            self.gate.alone(self.compare)
            resident.append(memory("VmRSS"))
            log(f"{dict(self.counts)}, {len(self.index)} texts, {resident[-1] / 2**20:.0f} MB, "
                f"{len(self.failed)} failures {self.failed[:3]}")  # fmt: skip
        return resident

    def _repeat(self, work: Callable[[random.Random], Any], number: int, end: float) -> None:
        chance = random.Random(number)
        while time.monotonic() < end and len(self.failed) < 20:
            try:
                with self.gate:
                    work(chance)
            except BaseException as error:
                self.failed.append(f"{type(error).__name__}: {error}")
                raise


def plain(answers: list[list[Any]]) -> list[list[tuple[Any, ...]]]:
    return [[(hit.id, hit.text, hit.score, tuple(hit.columns.items())) for hit in hits] for hits in answers]


def growth(resident: list[int]) -> float:
    """By what share memory grew from the second quarter of the time to the last."""
    quarter = max(len(resident) // 4, 1)
    early, late = resident[quarter : 2 * quarter] or resident, resident[-quarter:]
    return float(np.median(late) / np.median(early) - 1)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("--minutes", type=float, default=10)
    reader.add_argument("--seed", type=int, default=0)
    given = reader.parse_args()
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as where:
        soak = Soak(Path(where, "index"), given.seed)
        start = time.monotonic()
        resident = soak.run(given.minutes * 60, every=min(30, given.minutes * 6))
    grown = growth(resident)
    say(f"done after {(time.monotonic() - start) / 60:.1f} minutes: " + ", ".join(
        f"{number:,} {name}" for name, number in sorted(soak.counts.items())
    ))  # fmt: skip
    first, most, last = (number / 2**20 for number in (resident[0], max(resident), resident[-1]))
    say(
        f"memory {first:.0f} MB at first, {most:.0f} at most, {last:.0f} at the end; "
        f"{grown:+.1%} from the second quarter to the last"
    )
    say(f"{len(soak.failed)} failures")
    for failure in soak.failed:
        say(failure)
    sys.exit(bool(soak.failed) or grown > 0.1)


if __name__ == "__main__":
    main()
