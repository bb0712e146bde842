"""Features of a pair of texts: shared and unshared words, codes, numbers, characters, meaning, length."""

from __future__ import annotations

import numpy as np

from tacit.compute.threads import run_blocks, split_range
from tacit.compute.tiles import jit
from tacit.decisions.texts import CODE, NUMBER, PairTexts
from tacit.models.measure import score_pairs
from tacit.models.measures import get_measure
from tacit.models.outside import combine_scores
from tacit.types import Array

FEATURES = (
    "shared", "unshared_min", "unshared_max", "coverage", "coverage_max", "characters", "alignment", "latent",
    "codes_shared", "codes_unshared_min", "codes_unshared_max",
    "numbers_shared", "numbers_unshared_min", "numbers_unshared_max", "length",
)  # fmt: skip
"""Names of the features, in the order of their columns."""

MAX_CODE_MASS = 3.0
_MIN_CONTAINED = 4  # letters of a word that is looked for inside the other text
_BLOCK_PAIRS = 8192


def pair_features(texts: PairTexts, left: Array, right: Array, char_cosines: Array) -> Array:
    """Return the features of the texts ``left[i]`` and ``right[i]``, a row for each i; see `FEATURES`."""
    features = mass_features(texts, left, right)
    features[:, 5] = char_cosines
    for column in (6, 7):
        features[:, column] = score_pairs(get_measure(FEATURES[column]), texts.texts, left, right)
    features[:, 7] = combine_scores(texts.texts, left, right, features[:, 7])
    lengths = texts.text_lengths
    a, b = lengths[left], lengths[right]
    features[:, 14] = np.minimum(a, b) / np.maximum(np.maximum(a, b), 1)
    return features


def mass_features(texts: PairTexts, left: Array, right: Array) -> Array:
    """Return features in which only the columns of shared and unshared words are filled in."""
    data = texts.token_data
    features = np.zeros((len(left), len(FEATURES)), np.float32)

    def fill_block(block: tuple[int, int]) -> None:
        pairs = slice(*block)
        masses = np.zeros((block[1] - block[0], 4, 3))
        fill_masses(data, texts.n_terms, left[pairs], right[pairs], masses)
        _combine_masses(masses, features[pairs])

    run_blocks(fill_block, split_range(len(left), _BLOCK_PAIRS), texts.texts.model.usable_threads)
    return features


def _combine_masses(masses: Array, features: Array) -> None:
    """Fill in the columns that come from shared and unshared masses."""
    total = masses.sum(axis=2)  # shared and unshared mass of the left text, then of the right text
    shared, unshared = total[:, [0, 2]], total[:, [1, 3]]
    coverage = shared / np.maximum(shared + unshared, 1e-9)
    features[:, 0] = shared.mean(axis=1)
    features[:, 1], features[:, 2] = unshared.min(axis=1), unshared.max(axis=1)
    features[:, 3], features[:, 4] = np.sqrt(coverage.prod(axis=1)), coverage.max(axis=1)
    numbers = masses[:, :, NUMBER]
    for kind_masses, column in ((numbers + masses[:, :, CODE], 8), (numbers, 11)):
        mass = np.minimum(kind_masses, MAX_CODE_MASS)
        features[:, column] = mass[:, [0, 2]].mean(axis=1)
        features[:, column + 1] = mass[:, [1, 3]].min(axis=1)
        features[:, column + 2] = mass[:, [1, 3]].max(axis=1)


@jit
def contains(letters, n_letters, word):  # type: ignore[no-untyped-def]
    """Return whether a word occurs among the first ``n_letters`` letters."""
    for start in range(n_letters - len(word) + 1):
        if letters[start] == word[0]:
            k = 1
            while k < len(word) and letters[start + k] == word[k]:
                k += 1
            if k == len(word):
                return True
    return False


@jit
def read_text(data, text, seen_in, buffer):  # type: ignore[no-untyped-def]
    """Mark the terms of a text as seen and copy its letters; return the buffer and the number of letters."""
    n = 0
    for k in range(data.text_starts[text], data.text_starts[text + 1]):
        token = data.text_tokens[k]
        n += data.letter_offsets[token + 1] - data.letter_offsets[token]
    if n > len(buffer):
        buffer = np.empty(2 * n, np.uint32)
    n = 0
    for k in range(data.text_starts[text], data.text_starts[text + 1]):
        token = data.text_tokens[k]
        seen_in[data.term_of[token]] = text
        for letter in range(data.letter_offsets[token], data.letter_offsets[token + 1]):
            buffer[n] = data.letters[letter]
            n += 1
    return buffer, n


@jit
def add_masses(data, text, other, seen_in, buffer, n_letters, shared, unshared):  # type: ignore[no-untyped-def]
    """Add the mass of each distinct token of a text to the shared or the unshared mass of its kind."""
    for k in range(data.distinct_offsets[text], data.distinct_offsets[text + 1]):
        token = data.distinct_tokens[k]
        is_shared = seen_in[data.term_of[token]] == other
        if not is_shared:
            word = data.letters[data.letter_offsets[token] : data.letter_offsets[token + 1]]
            is_shared = len(word) >= _MIN_CONTAINED and contains(buffer, n_letters, word)
        if is_shared:
            shared[data.kind_of[token]] += data.mass_of[token]
        else:
            unshared[data.kind_of[token]] += data.mass_of[token]


@jit
def fill_masses(data, n_terms, left, right, masses):  # type: ignore[no-untyped-def]
    """masses[i] = shared and unshared mass of left text i, then of right text i, each by kind of token."""
    seen_left, seen_right = np.full(n_terms, -1, np.int64), np.full(n_terms, -1, np.int64)
    left_buffer, right_buffer = np.empty(256, np.uint32), np.empty(256, np.uint32)
    n_left = 0
    for pair in range(len(left)):
        a, b = left[pair], right[pair]
        if pair == 0 or a != left[pair - 1]:
            left_buffer, n_left = read_text(data, a, seen_left, left_buffer)
        right_buffer, n_right = read_text(data, b, seen_right, right_buffer)
        add_masses(data, a, b, seen_right, right_buffer, n_right, masses[pair, 0], masses[pair, 1])
        add_masses(data, b, a, seen_left, left_buffer, n_left, masses[pair, 2], masses[pair, 3])
