"""The tasks of the papers: those of ``tacit evaluate``, retrieval of definitions, induction of senses."""

from __future__ import annotations

from dataclasses import replace

from papers import definition_retrieval
from papers.senses import system
from tacit.evaluation import TASKS as USERS_TASKS
from tacit.evaluation import DataFile, Task

_STS12, _STSB = USERS_TASKS["sts12"], USERS_TASKS["stsb-languages"]

STS12_TRAIN = Task(
    "sts12-train",
    "SemEval 2012, the training pairs",
    _STS12.kind,
    tuple(DataFile(name, f"sts/sts12/train/{name}.tsv") for name in ("MSRpar", "MSRvid", "SMTeuroparl")),
    _STS12.licence,
)

SPANISH_DEV = replace(
    _STSB,
    name="spanish-dev",
    title="what settings are chosen by: STS Benchmark dev sets with Spanish, and the Spanish news of 2014",
    files=(
        *(file for file in _STSB.files if file.name in ("en-es", "es-es")),
        DataFile("news 2014", "crosslingual/sts/sts2014.es.news.tsv", languages=("es", "es")),
    ),
)

TASKS: dict[str, Task] = {
    **USERS_TASKS,
    **{task.name: task for task in (STS12_TRAIN, SPANISH_DEV, definition_retrieval.TASK, system.TASK)},
}
