"""What can go wrong, as types: each message names the value and the remedy."""

from __future__ import annotations


class TacitError(Exception):
    """The root of every error raised on purpose; the command line prints it as one line."""

    @property
    def problem(self) -> str:
        """What is wrong, without what to change in the call or the command: what the service says."""
        return str(self)


class InputError(TacitError, ValueError):
    """A text, file or parameter is not what it has to be.

    Parameters
    ----------
    problem : str
        What is wrong.
    parameter : str, optional
        The parameter that is wrong or that helps. The text names it as ``parameter=VALUE``; the command line
        prints its option instead.
    remedy : str, optional
        What to change in the call. ``str(error)`` ends with it; the service, where nobody makes a call,
        leaves it out.

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
        """What is wrong."""
        return super().__str__()


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
