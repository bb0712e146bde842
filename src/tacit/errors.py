"""What can go wrong, as types: each message names the value and the remedy."""

from __future__ import annotations


class TacitError(Exception):
    """The root of every error raised on purpose; the command line prints it as one line."""


class InputError(TacitError, ValueError):
    """A text, file or parameter is not what it has to be."""


class NotFittedError(TacitError, ValueError, AttributeError):
    """A model was asked before it was trained."""


class ModelError(TacitError):
    """A model folder is damaged, foreign or of a newer format."""


class MissingExtraError(TacitError, ImportError):
    """A feature needs an optional dependency that is not installed.

    >>> raise MissingExtraError("reading Parquet", "frames")
    Traceback (most recent call last):
    tacit.errors.MissingExtraError: reading Parquet needs an extra: pip install 'tacit[frames]'
    """

    def __init__(self, feature: str, extra: str) -> None:
        """Say which ``feature`` needs which ``extra``."""
        super().__init__(f"{feature} needs an extra: pip install 'tacit[{extra}]'")
