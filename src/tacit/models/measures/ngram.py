"""``ngram``: cosine of word 1- to 3-grams, which depends on the order of the words."""

from __future__ import annotations

from tacit.models.measure import SparseCosine
from tacit.models.ngrams import word_ngrams

MEASURE = SparseCosine("ngram", "the cosine of word 1- to 3-grams", lambda texts: word_ngrams(texts, 1, 3))
