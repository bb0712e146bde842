"""Features of pairs, against the formulas in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tacit.decisions.evidence import code_scores
from tacit.decisions.pair_features import FEATURES, pair_features
from tacit.decisions.texts import PairTexts
from tacit.models.text_set import TextSet
from tacit.text.tokenizers import tokenize
from tacit.training.wtmf import WTMF

TEXTS = [
    "Sony DSC-W120 camera, black",
    "dscw120 sony cyber shot 1.5 kg",
    "Sony dscw130 camera",
    "omega seamaster 2531.80.00 watch",
    "Omega 25318000",
    "two lamps of 40 watt and 40 cm",
    "a lamp, 60 watt",
    "...",
]


@pytest.fixture(scope="module")
def texts() -> PairTexts:
    trainer = WTMF(n_components=4, n_iter=2).fit(TEXTS)
    return PairTexts(TextSet.from_texts(trainer.model_, TEXTS))


@pytest.fixture(scope="module")
def table(texts) -> dict[tuple[int, int], dict[str, float]]:
    n = len(TEXTS)
    left, right = (side.ravel() for side in np.mgrid[0:n, 0:n])
    rows = pair_features(texts, left, right, np.zeros(n * n))
    return {
        (a, b): dict(zip(FEATURES, row.tolist(), strict=True))
        for a, b, row in zip(left, right, rows, strict=True)
    }


def masses(a: str, b: str, kinds: str) -> tuple[float, float]:
    """Shared and unshared mass of the tokens of a text, of all kinds or of some."""
    df = Counter(stem(token) for text in TEXTS for token in {*tokenize(text)})
    others, squeezed = {stem(token) for token in tokenize(b)}, "".join(filter(str.isalnum, b.lower()))
    shared = unshared = 0.0
    for token in dict.fromkeys(tokenize(a)):
        has_digit, has_letter = any(map(str.isdigit, token)), any(map(str.isalpha, token))
        kind = "word" if not has_digit else "code" if has_letter else "number"
        if kinds != "all" and kind not in kinds:
            continue
        mass = np.log((len(TEXTS) + 1) / (df[stem(token)] + 0.5)) / np.log(len(TEXTS))
        plain = "".join(filter(str.isalnum, token))
        if stem(token) in others or (len(plain) >= 4 and plain in squeezed):
            shared += mass
        else:
            unshared += mass
    return shared, unshared


def stem(token: str) -> str:
    return {"lamps": "lamp"}.get(token, token)


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (3, 4), (5, 6), (1, 5), (0, 7), (7, 7)])
def test_masses_are_those_of_the_formulas(table, pair):
    a, b = (TEXTS[i] for i in pair)
    for prefix, kinds in (("", "all"), ("codes_", "code number"), ("numbers_", "number")):
        (shared_a, rest_a), (shared_b, rest_b) = masses(a, b, kinds), masses(b, a, kinds)
        cap = np.inf if kinds == "all" else 3.0
        expected = {"shared": np.mean([min(shared_a, cap), min(shared_b, cap)])}
        expected |= {"unshared_min": min(rest_a, rest_b, cap), "unshared_max": min(max(rest_a, rest_b), cap)}
        for name, value in expected.items():
            assert table[pair][prefix + name] == pytest.approx(value, abs=1e-5)


def test_features_do_not_depend_on_the_order_of_a_pair(table):
    for a, b in table:
        assert list(table[a, b].values()) == pytest.approx(list(table[b, a].values()), abs=1e-5)


def test_codes_are_compared_without_punctuation(table):
    assert table[0, 1]["codes_unshared_min"] == 0  # w120 is in dscw120
    assert table[0, 2]["codes_unshared_min"] > 0.5
    assert table[3, 4]["codes_unshared_min"] == 0  # 2531.80.00 and 25318000


def test_different_codes_lower_the_score(texts):
    left, right = np.array([0, 0]), np.array([1, 2])
    features = pair_features(texts, left, right, np.zeros(2))
    same, different = code_scores(features, np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    assert same == 0.5
    assert different < 0.2


def test_texts_without_words_share_nothing(table):
    assert table[0, 7]["coverage"] == table[7, 7]["coverage"] == 0
    assert all(np.isfinite(list(row.values())).all() for row in table.values())
