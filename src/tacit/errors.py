"""Exceptions raised by tacit."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class TacitError(Exception):
    """Base class of all exceptions that tacit raises; the command line prints them as one line."""

    @property
    def problem(self) -> str:
        """The message without the remedy for Python or command line users, as the HTTP service shows it."""
        return str(self)


class InputError(TacitError, ValueError):
    """A text, file or parameter is invalid.

    Parameters
    ----------
    problem : str
        Description of the problem.
    parameter : str, optional
        The invalid parameter, or the one that helps. Where the message contains ``parameter=VALUE``, the
        command line prints the name of its option instead.
    remedy : str, optional
        Change of the call that avoids the error. ``str(error)`` ends with it; the HTTP service leaves it out.

    Examples
    --------
    >>> raise InputError("menu.txt is not UTF-8", parameter="encoding", remedy="give encoding=latin-1")
    Traceback (most recent call last):
    tacit.errors.InputError: menu.txt is not UTF-8; give encoding=latin-1
    """

    def __init__(self, problem: str = "", *, parameter: str | None = None, remedy: str | None = None) -> None:
        super().__init__(problem)
        self.parameter, self.remedy = parameter, remedy

    def __str__(self) -> str:
        return self.problem if self.remedy is None else f"{self.problem}; {self.remedy}"

    @property
    def problem(self) -> str:
        """Description of the problem, without the remedy."""
        return super().__str__()


class NotFittedError(TacitError, ValueError, AttributeError):
    """A trainer or vectorizer was used before ``fit``."""


class ModelError(TacitError):
    """A model folder is missing, damaged, not a tacit model, or of another format version."""


class MissingExtraError(TacitError, ImportError):
    """A feature needs an optional dependency that is not installed.

    Parameters
    ----------
    feature : str
        The requested feature.
    extra : str
        The extra of the package that installs the dependency.

    Examples
    --------
    >>> raise MissingExtraError("reading Parquet", "frames")
    Traceback (most recent call last):
    tacit.errors.MissingExtraError: reading Parquet needs an extra: pip install 'tacit[frames]'
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'tacit[{extra}]'")


def import_extra(module: str, purpose: str, extra: str) -> Any:
    """Import and return a module of an optional dependency; MissingExtraError if it is not installed.

    >>> import_extra("no_such_module", "reading Parquet", "frames")
    Traceback (most recent call last):
    tacit.errors.MissingExtraError: reading Parquet needs an extra: pip install 'tacit[frames]'
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(purpose, extra) from None
