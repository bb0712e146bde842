"""From texts to an answer: the functions shared by the command line, the service and Python.

Names are imported when first used, so that importing this package costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

_MODULES = {
    "AddedRecords": "tacit.workflows.indexing",
    "EmbeddingReport": "tacit.workflows.embedding",
    "EngineOptions": "tacit.workflows.training_settings",
    "Learned": "tacit.workflows.learned",
    "Progress": "tacit.workflows.progress",
    "ProgressEvent": "tacit.workflows.progress",
    "RecordOptions": "tacit.workflows.records",
    "RecordSource": "tacit.workflows.records",
    "TrainingSettings": "tacit.workflows.training_settings",
    "TuningOptions": "tacit.workflows.training_settings",
    "UpdatedIndex": "tacit.workflows.indexing",
    "add_language": "tacit.workflows.multilingual",
    "add_records": "tacit.workflows.indexing",
    "build_index": "tacit.workflows.indexing",
    "choose_engine": "tacit.workflows.out_of_core",
    "fit_out_of_core": "tacit.workflows.out_of_core",
    "learn": "tacit.workflows.learning",
    "learn_parallel": "tacit.workflows.multilingual",
    "load": "tacit.workflows.loading",
    "read_lines": "tacit.corpora",
    "read_pairs": "tacit.corpora",
    "load_background": "tacit.workflows.background_cache",
    "parse_language_pairs": "tacit.workflows.multilingual",
    "read_labelled": "tacit.workflows.records",
    "read_parallel": "tacit.workflows.multilingual",
    "read_records": "tacit.workflows.records",
    "stage_callback": "tacit.workflows.progress",
    "suggest_improvements": "tacit.workflows.learned",
    "update_index": "tacit.workflows.indexing",
    "write_embeddings": "tacit.workflows.embedding",
}

__all__ = [
    "AddedRecords",
    "EmbeddingReport",
    "EngineOptions",
    "Learned",
    "Progress",
    "ProgressEvent",
    "RecordOptions",
    "RecordSource",
    "TrainingSettings",
    "TuningOptions",
    "UpdatedIndex",
    "add_language",
    "add_records",
    "build_index",
    "choose_engine",
    "fit_out_of_core",
    "learn",
    "learn_parallel",
    "load",
    "load_background",
    "parse_language_pairs",
    "read_labelled",
    "read_lines",
    "read_pairs",
    "read_parallel",
    "read_records",
    "stage_callback",
    "suggest_improvements",
    "update_index",
    "write_embeddings",
]

if TYPE_CHECKING:
    from tacit.corpora import read_lines, read_pairs
    from tacit.workflows.background_cache import load_background
    from tacit.workflows.embedding import EmbeddingReport, write_embeddings
    from tacit.workflows.indexing import AddedRecords, UpdatedIndex, add_records, build_index, update_index
    from tacit.workflows.learned import Learned, suggest_improvements
    from tacit.workflows.learning import learn
    from tacit.workflows.loading import load
    from tacit.workflows.multilingual import add_language, learn_parallel, parse_language_pairs, read_parallel
    from tacit.workflows.out_of_core import choose_engine, fit_out_of_core
    from tacit.workflows.progress import Progress, ProgressEvent, stage_callback
    from tacit.workflows.records import RecordOptions, RecordSource, read_labelled, read_records
    from tacit.workflows.training_settings import EngineOptions, TrainingSettings, TuningOptions


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module 'tacit.workflows' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """All names, including those not yet imported."""
    return sorted({*globals(), *__all__})
