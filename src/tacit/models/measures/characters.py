"""``characters``: cosine of character 3- to 5-grams within words; it finds inflected and misspelled words."""

from __future__ import annotations

from tacit.models.measure import SparseCosine
from tacit.models.ngrams import char_ngrams

SUMMARY = "the cosine of character 3- to 5-grams within words"
MEASURE = SparseCosine("characters", SUMMARY, lambda texts: char_ngrams(texts, 3, 5))
