"""Convert a folder of run files, named by settings, data and code, to one file of run records.

``python -m papers.convert_runs docs/reproduction/runs papers/runs.jsonl`` needs the data folder: a file
has no digests of the data it was computed from, except in its name. The name is computed again from the file
and from the data that are there. One that differs was computed from other data or settings, and stops the
conversion.
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from papers.experiments import Experiment, Model
from papers.laboratory import Laboratory, find_corpus
from papers.run_cache import RunRecord, file_digest, write_records
from tacit.errors import InputError


def convert(file: Path, laboratory: Laboratory) -> RunRecord:
    """Return the record of one file, under the key that the present code looks for."""
    values = json.loads(file.read_text(encoding="utf-8"))
    facts = values.pop("facts")
    question, _, code = file.stem.partition("-")
    if (_question(facts), code) != (question, values.pop("code")) or values.pop("format") != 2:
        raise InputError(f"{file} was not computed from the data that are there")
    experiment = Experiment(facts["corpus"], Model(facts["model"], facts["parameters"]), facts["seed"])
    return RunRecord(key=laboratory.key(experiment), **values)


def _question(facts: dict[str, Any]) -> str:
    """Return the first part of a file's name: the digest of corpus, model, settings, seed and data."""
    corpus = find_corpus(facts["corpus"])
    described = {name: value for name, value in asdict(corpus).items() if name not in ("name", "title")}
    described["measured"] = described.pop("evaluation_files")
    asked = {
        "format": 2,
        "corpus": described,
        "model": facts["model"],
        "settings": facts["resolved"],
        "seed": facts["seed"],
        "data": {path: file_digest(data) for path, data in corpus.files(None).items()},
    }
    return sha256(json.dumps(asked, sort_keys=True, allow_nan=False).encode()).hexdigest()[:24]


def main(folder: str, target: str) -> None:
    """Write the records of all files of a folder, sorted; one key must not have two."""
    laboratory = Laboratory(target)
    records = [convert(file, laboratory) for file in sorted(Path(folder).glob("*.json"))]
    by_key = {record.key.text: record for record in records}
    if len(by_key) != len(records):
        raise InputError(f"{len(records)} files have {len(by_key)} keys")
    write_records(Path(target), (by_key[text] for text in sorted(by_key)))


if __name__ == "__main__":
    main(*sys.argv[1:])
