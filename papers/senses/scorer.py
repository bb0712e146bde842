"""The files of SemEval-2010 task 14: gold keys, splits, and the answers of the systems that took part."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from papers.senses.keys import PARTS, Key, parse_key, read_key
from papers.senses.supervised import Split, recall, senses_used
from papers.senses.unsupervised import unsupervised
from tacit.corpora.lines import decode_lines
from tacit.evaluation.tasks import find_files

FOLDER = "senses/semeval2010"
GOLD = f"{FOLDER}/keys/all.key"
ARCHIVE = f"{FOLDER}/evaluation.tar.gz"
DRAWS = ("80_20", "60_40")
TIMES = 5


@dataclass(frozen=True)
class Scorer:
    """All scorers of the task, with the gold senses in hand."""

    gold: Key
    splits: Mapping[tuple[str, str], list[Split]]

    @classmethod
    def of(cls, data: str | Path | None = None) -> Scorer:
        """Read the gold keys from the data folder."""
        gold, archive = find_files("wsi10", [GOLD, ARCHIVE], data)
        keys = dict(archived_keys(archive, "sup_eval/"))
        splits = {(draw, part): _splits(keys, draw, part) for draw in DRAWS for part in PARTS}
        return cls(read_key(gold), splits)

    def __call__(self, system: Key) -> dict[str, dict[str, float]]:
        """By part (all, nouns, verbs): V-measure, paired F, clusters, senses used, both recalls."""
        found = unsupervised(system, self.gold)
        for part, numbers in found.items():
            numbers["senses"] = fmean(senses_used(system, split) for split in self.splits["80_20", part])
            numbers["supervised_recall"] = self.mean_recall(system, "80_20", part)
            numbers["supervised_recall_60"] = self.mean_recall(system, "60_40", part)
        return found

    def of_targets(self, targets: Collection[str]) -> Scorer:
        """The same scorers for a part of the target words."""

        def kept(key: Key) -> Key:
            return {target: answers for target, answers in key.items() if target in targets}

        splits = {
            name: [Split(kept(split.mapping), kept(split.test)) for split in splits]
            for name, splits in self.splits.items()
        }
        return Scorer(kept(self.gold), splits)

    def recalls(self, system: Key, draw: str, part: str) -> list[float]:
        """The recall of every split."""
        return [recall(system, split) for split in self.splits[draw, part]]

    def mean_recall(self, system: Key, draw: str, part: str) -> float:
        """The recall that is reported: the mean over the splits."""
        return fmean(self.recalls(system, draw, part))


def _splits(keys: Mapping[str, Key], draw: str, part: str) -> list[Split]:
    infix = "" if part == "all" else f"{part}."
    names = [
        [f"sup_eval/{draw}/{part}/{half}.{infix}{k}.key" for half in ("mapping", "test")]
        for k in range(1, TIMES + 1)
    ]
    return [Split(keys[mapping], keys[test]) for mapping, test in names]


def archived_keys(archive: Path, prefix: str) -> Iterator[tuple[str, Key]]:
    """Stream the keys of an archive whose names begin with ``prefix``."""
    with tarfile.open(archive) as tar:
        for member in tar:
            file = tar.extractfile(member) if member.name.startswith(prefix) and member.isfile() else None
            if file is not None and not member.name.endswith("Map"):
                yield member.name, parse_key(decode_lines(io.BytesIO(file.read()), member.name), member.name)
