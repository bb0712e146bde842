"""As good as a small training can be: a tenth of the pairs, and a pivot from WordNet and Brown.

The floors are this small model's own, on development sets; what a whole training reaches is in the tables of
``python -m papers run semeval2016``.
"""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from tacit import WTMF, TextModel, TextVectorizer
from tacit.corpora import read_lines, read_named_texts, read_pairs
from tacit.evaluation import evaluate
from tacit.evaluation.metrics import pearson
from tacit.evaluation.scorers import ModelScorer, PrefixScorer
from tacit.evaluation.tasks import read_scored_pairs

pytestmark = pytest.mark.quality

FILES = ("europarl-v7-sample", "ntrex-news2019", "tatoeba-manythings", "cs224n-devtest", "esxnli", "ud-pud")


@pytest.fixture(scope="module")
def model(data) -> TextModel:
    folder = data / "crosslingual/parallel"
    pairs = [pair for name in FILES for pair in read_pairs(folder / f"{name}.en-es.tsv.gz")]
    german = list(read_pairs(folder / "multi30k.en-de.tsv.gz"))
    vectorizer = TextVectorizer.paper(min_df=3, tf="log", accents="strip")
    english = chain(
        read_named_texts("wordnet"), read_lines(data / "corpora/brown.txt.gz"), (en for en, _ in pairs)
    )
    pivot = WTMF.paper(vectorizer=vectorizer, n_components=64, n_iter=6)
    return pivot.fit(english).model_.add_language("es", pairs).add_language("de", german)


def correlation(model, data, one: str, other: str, measure: str) -> float:
    first, second = (
        read_scored_pairs(data / f"crosslingual/sts/stsb.{code}.dev.tsv") for code in (one, other)
    )
    return pearson(model.similarity_pairwise(first.a, second.b, measure, one, other), first.gold)


@pytest.mark.parametrize(
    ("one", "other", "measure", "floor"),
    [
        ("en", "es", "latent", 0.665),
        ("en", "es", "blend", 0.74),
        ("es", "es", "blend", 0.775),
        ("en", "de", "blend", 0.58),
        ("es", "de", "blend", 0.565),
    ],
)
def test_quality_on_development_sets(model, data, one, other, measure, floor):
    assert correlation(model, data, one, other, measure) >= floor


def test_detection_accuracy(model, data):
    for code in ("en", "es", "de"):
        pairs = read_scored_pairs(data / f"crosslingual/sts/stsb.{code}.dev.tsv")
        assert np.mean(np.array(model.detect([*pairs.a, *pairs.b])) == code) >= 0.96


def test_prefix_baseline_matches_published_figure(data):
    """An independent program computed the same correlations, .751 and .614."""
    floor = evaluate("sts16-en-es", PrefixScorer(), data).summary
    assert (round(floor["news"], 3), round(floor["multisource"], 3)) == (0.751, 0.614)


def test_blend_is_better_than_prefix_baseline(model, data):
    """Languages are detected, as in the released sets: a rough check, not a figure to quote."""
    floor = evaluate("sts16-en-es", PrefixScorer(), data)
    result = evaluate("sts16-en-es", ModelScorer(model), data)
    assert set(result.to_dict()) >= {"news", "multisource", "mean", "mean_pearson_low"}
    assert result.summary["mean"] > floor.summary["mean"] + 0.08
