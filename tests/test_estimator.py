"""scikit-learn's contract beyond parameters: named columns, tables in and out, grids over a default."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from tacit import WTMF, BilingualWMF, TextVectorizer
from tacit.errors import InputError, NotFittedError

TEXTS = ["a cat sleeps", "the kitten sleeps", "a kitten is a cat", "stocks fell", "the market fell"] * 4
LABELS = [0, 0, 0, 1, 1] * 4
NAMES = ["wtmf0", "wtmf1", "wtmf2"]


def trainer(**parameters) -> WTMF:
    return WTMF(n_components=3, **parameters)


def test_columns_have_names():
    assert trainer().fit(TEXTS).get_feature_names_out().tolist() == NAMES
    assert make_pipeline(trainer()).fit(TEXTS).get_feature_names_out().tolist() == NAMES
    with pytest.raises(NotFittedError):
        trainer().get_feature_names_out()


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_a_table_comes_out_with_the_same_numbers(kind):
    pytest.importorskip(kind)
    plain = trainer().fit(TEXTS)
    asked = trainer().set_output(transform=kind)
    for table in (asked.fit_transform(TEXTS), asked.transform(TEXTS), clone(asked).fit_transform(TEXTS)):
        assert list(table.columns) == NAMES
        assert np.array_equal(table.to_numpy(), plain.transform(TEXTS))
    with config_context(transform_output=kind):
        assert list(plain.transform(TEXTS).columns) == NAMES
    assert isinstance(asked.set_output(transform="default").transform(TEXTS), np.ndarray)
    assert isinstance(asked.encode(TEXTS), np.ndarray)


def test_a_column_of_a_table_keeps_its_rows_names():
    pandas = pytest.importorskip("pandas")
    rows = [f"r{number}" for number in range(len(TEXTS))]
    frame = pandas.DataFrame({"text": TEXTS, "price": range(len(TEXTS))}, index=rows)
    both = ColumnTransformer([("words", trainer(), "text"), ("rest", "passthrough", ["price"])])
    table = both.set_output(transform="pandas").fit_transform(frame)
    assert list(table.columns) == [*(f"words__{name}" for name in NAMES), "rest__price"]
    assert list(table.index) == rows


def test_unknown_output_raises_input_error():
    with pytest.raises(InputError, match="transform='excel': use one of default, pandas, polars"):
        trainer().set_output(transform="excel")


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_table_or_missing_value_raises_input_error(library):
    frames = pytest.importorskip(library)
    plain = trainer().fit(TEXTS)
    column = frames.DataFrame({"id": range(len(TEXTS)), "text": TEXTS})["text"]
    assert np.array_equal(trainer().fit(column).transform(column), plain.transform(TEXTS))
    table = frames.DataFrame({"text": TEXTS})
    gap = frames.DataFrame({"text": [*TEXTS[:3], None, *TEXTS[3:]]})["text"]
    for ask in (trainer().fit, plain.transform, TextVectorizer().fit, plain.encode):
        with pytest.raises(InputError, match=r"give one column, df\['text'\]"):
            ask(table)
        with pytest.raises(InputError, match="row 3 has no text: drop missing values first"):
            ask(gap)


def test_missing_value_is_named_by_its_row():
    pandas = pytest.importorskip("pandas")
    column = pandas.Series([*TEXTS, float("nan")], index=[*range(100, 100 + len(TEXTS)), "last"])
    with pytest.raises(InputError, match="row 'last' has no text"):
        trainer().fit(column)


def test_parameters_of_the_default_vectorizer_can_be_set_and_searched():
    assert WTMF().set_params(vectorizer__min_df=3).vectorizer.min_df == 3
    assert BilingualWMF().set_params(vectorizer__tf="raw").vectorizer.min_df == 5  # its own default
    given = WTMF().set_params(vectorizer__tf="log", vectorizer=TextVectorizer(None))
    assert (given.vectorizer.language, given.vectorizer.tf) == (None, "log")
    assert WTMF.default_estimators["vectorizer"]().min_df == "auto"
    for wrong, message in (
        ({"n_iter__min_df": 1}, "has no parameters"),
        ({"words": 1}, "no parameter 'words'"),
    ):
        with pytest.raises(InputError, match=message):
            WTMF().set_params(**wrong)
    grid = {"wtmf__vectorizer__min_df": [1, 2], "wtmf__n_components": [2]}
    search = GridSearchCV(make_pipeline(trainer(), LogisticRegression()), grid, cv=2).fit(TEXTS, LABELS)
    assert search.best_score_ > 0.9
    fitted = search.best_estimator_[0]
    assert fitted.vectorizer_.min_df_ == search.best_params_["wtmf__vectorizer__min_df"]
