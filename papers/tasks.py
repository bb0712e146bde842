"""The tasks of the papers: those of ``tacit evaluate``, retrieval of definitions, induction of senses."""

from __future__ import annotations

from papers import definition_retrieval
from papers.senses import system
from tacit.evaluation import TASKS as USERS_TASKS
from tacit.evaluation import Task

TASKS: dict[str, Task] = {
    **USERS_TASKS,
    **{task.name: task for task in (definition_retrieval.TASK, system.TASK)},
}
