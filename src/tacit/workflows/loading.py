"""Load any folder that tacit wrote and check its kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import tacit
from tacit.checks import check_choice
from tacit.errors import ModelError


class _Kind(NamedTuple):
    classes: tuple[str, ...]
    """Names of the classes, as they are stored in ``config.json``."""
    noun: str
    command: str
    """The command that creates such a folder."""


_KINDS = {
    "model": _Kind(("TextModel",), "a text model", "tacit train OUT FILE"),
    "index": _Kind(("Index",), "an index", "tacit index OUT FILE --model MODEL"),
    "senses": _Kind(("SenseModel", "LocalSenseModel"), "a sense model", "tacit senses train OUT FILE"),
    "classifier": _Kind(("TextClassifier",), "a classifier", "tacit classify --train FILE --save OUT"),
    "measure": _Kind(("TaughtMeasure",), "a taught measure", "tacit teach PAIRS --model MODEL"),
    "kernel": _Kind(("ExponentialKernel", "VonNeumannKernel"), "a kernel", "kernel.save(OUT) in Python"),
}


def load(
    folder: str | Path, kind: str | None = None, n_threads: int | None = None, *, verify: bool = False,
    trusted: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """Load a model, index, sense model, classifier or kernel that tacit saved in a folder.

    Parameters
    ----------
    folder : str or Path
        A folder that `save` or the command line wrote.
    kind : {"model", "index", "senses", "classifier", "measure", "kernel"}, optional
        The kind that is needed; None accepts any. For "model", an index gives its text model.
    n_threads : int, optional
        Number of threads that the loaded object uses; None uses all cores.
    verify : bool
        Also read every byte and compare it with its checksum.
    trusted : bool
        Load the search graph of an index too. Only for folders that you created: a graph is not checked.
    **kwargs
        Objects that cannot be stored: ``tokenizer=`` for a model with a custom tokenizer, ``encoder=`` for a
        model or an index with outside vectors from an encoder of texts.

    Returns
    -------
    TextModel, Index, SenseModel, LocalSenseModel, TextClassifier, TaughtMeasure or a kernel
        The saved object.

    Raises
    ------
    ModelError
        If there is no such folder, it is damaged, or it holds another kind.
    InputError
        If ``kind`` is not one of the above, or the model needs its custom tokenizer.

    Examples
    --------
    >>> import tacit
    >>> tacit.load("no/such/folder")
    Traceback (most recent call last):
    tacit.errors.ModelError: no model at no/such/folder: no such file or folder; check the path, or ...
    """
    from tacit.storage import read_model

    if kind is not None:
        check_choice("kind", kind, _KINDS)
    stored = read_model(folder, verify=verify)
    _check_kind(folder, stored.kind, kind)
    if trusted and stored.kind == "Index":
        kwargs["trusted"] = True
    if stored.kind == "TaughtMeasure":
        from tacit.decisions.grading import TaughtMeasure

        return TaughtMeasure.from_stored(stored)
    encoder = kwargs.pop("encoder", None) if stored.kind == "TextModel" else None
    loaded = getattr(tacit, stored.kind).from_stored(stored, **kwargs)
    if encoder is not None:
        loaded = loaded.with_encoder(encoder, loaded.outside and loaded.outside.share)
    if kind == "model" and stored.kind == "Index":
        loaded = loaded.model
    if n_threads is not None and hasattr(loaded, "n_threads"):
        loaded.n_threads = n_threads
    return loaded


def _check_kind(folder: str | Path, class_name: str, needed: str | None) -> None:
    """Raise `ModelError` if a stored class is unknown or not of the kind that is needed."""
    kind = next((name for name, entry in _KINDS.items() if class_name in entry.classes), None)
    if kind is None:
        raise ModelError(f"{folder} holds a {class_name!r}, unknown to this version of tacit: upgrade tacit")
    if needed is None or needed == kind or (needed, kind) == ("model", "index"):
        return
    actual, expected = _KINDS[kind], _KINDS[needed]
    command = expected.command.replace("MODEL", str(folder)) if kind == "model" else expected.command
    raise ModelError(f"{folder} holds {actual.noun}, not {expected.noun}: create one with {command}")
