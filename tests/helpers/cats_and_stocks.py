"""Texts about two things, and what reads them."""

from __future__ import annotations

from tacit import TextVectorizer

CATS = [
    "the cat sat on the mat",
    "a kitten and a cat sleep",
    "the kitten sat",
    "cats and kittens sleep on mats",
]
STOCKS = [
    "the stocks fell in trade",
    "a market and stocks rose",
    "the market fell",
    "stocks and markets trade",
]
TEXTS = (CATS + STOCKS) * 5


def words() -> TextVectorizer:
    return TextVectorizer(min_df=1)
