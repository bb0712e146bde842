"""A passage: the tokens of a paragraph, with what a parser says of them where one has been asked."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Passage:
    """The tokens of a paragraph, a list each for what is known of them.

    ``terms`` are lemmas or stems, in lower case; ``forms`` are as the text has them. ``tags`` are universal
    parts of speech. ``heads`` are places in the passage, and a root's head is itself. Without a parser
    ``tags``, ``relations`` and ``heads`` are empty.

    >>> Passage(["Cats", "sleep"], ["cat", "sleep"]).parsed
    False
    """

    forms: list[str]
    terms: list[str]
    tags: list[str] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)

    @property
    def parsed(self) -> bool:
        """Whether a parser has seen it."""
        return bool(self.heads)

    def __len__(self) -> int:
        """The number of tokens."""
        return len(self.terms)
