"""From texts to an answer: the functions shared by the command line, the service and Python.

Names are imported when first used, so that importing this package costs nothing. Type checkers read
``__init__.pyi``.
"""

from importlib import import_module
from typing import Any

_NAMES = {
    "corpora": ("read_lines", "read_pairs"),
    "workflows.classification": ("Classification", "classify"),
    "workflows.deduplication": ("Duplicates", "GroupMember", "dedupe", "write_clean"),
    "workflows.embedding": ("EmbeddingReport", "write_embeddings"),
    "workflows.file_index": ("open_index", "open_model"),
    "workflows.indexing": ("AddedRecords", "add_records", "build_index", "update_index"),
    "workflows.learning": ("Learned", "learn"),
    "workflows.linking": ("Links", "PairResult", "link"),
    "workflows.loading": ("load",),
    "workflows.multilingual": ("add_language", "learn_parallel", "read_parallel"),
    "workflows.progress": ("Progress", "ProgressEvent", "stage_callback"),
    "workflows.records": ("RecordOptions", "RecordSource"),
    "workflows.teaching": ("open_session", "teach"),
    "workflows.teaching_session": ("Taught", "TeachingSession"),
    "workflows.theme_finding": ("find_themes",),
    "workflows.training_settings": ("EngineOptions", "TrainingSettings", "TuningOptions"),
}
_MODULES = {name: f"tacit.{module}" for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name from its module."""
    if name not in _MODULES:
        raise AttributeError(f"module 'tacit.workflows' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    """All names, including those not yet imported."""
    return sorted({*globals(), *__all__})
