"""Kinds of columns: numbers, dates and text."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.corpora.column_kinds import infer_column_kind, parse_date, parse_number
from tacit.corpora.table_profile import profile_table


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0), ("-0", 0), ("5", 5), ("9.90", 9.9), ("-12.5", -12.5), (" 7 ", 7), ("0.001", 0.001),
        ("123456789012345", 123456789012345), ("0.000123456789012345", 0.000123456789012345),
    ],
)  # fmt: skip
def test_texts_that_are_numbers(text, number):
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "-", "5.", ".5", "+5", "1e5", "1.2.3", "01.02.2024", "007", "00", "1,000", "5%", "nan",
        "1234567890123456", "1.000000000000000", "2024-01-02", "0x1", "1 000", "1_000", "\uff11\uff12",
    ],
)  # fmt: skip
def test_texts_that_are_not_numbers(text):
    assert parse_number(text) is None
    assert infer_column_kind([text or "x", "y"]) == "text"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**11), max_value=10**11))
def test_different_numerals_give_different_numbers(number):
    other = number + Decimal("0.001")
    assert parse_number(f"{number:f}") == float(number)
    assert parse_number(f"{other:f}") != parse_number(f"{number:f}")


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2024-02-29", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2024-02-01 08:30", datetime(2024, 2, 1, 8, 30, tzinfo=UTC)),
        ("2024-02-01T08:30:05.25Z", datetime(2024, 2, 1, 8, 30, 5, 250_000, tzinfo=UTC)),
        ("2024-02-01T08:30+02:00", datetime(2024, 2, 1, 6, 30, tzinfo=UTC)),
    ],
)
def test_texts_that_are_dates(text, time):
    assert parse_date(text) == time


@pytest.mark.parametrize(
    "text", ["2023-02-29", "01.02.2024", "20240201", "2024-02", "2024-W05-4", "8:30", ""]
)
def test_texts_that_are_not_dates(text):
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["9.90", "12", "", None], "number"),
        ([1, "2", 2.5], "number"),
        (["1", "n/a"], "text"),
        ([1, "n/a"], "other"),
        ([True, False, None], "boolean"),
        ([True, 1], "other"),
        (["2024-01-01", "", "2024-01-01T10:00"], "date"),
        (["2024-01-01", "5"], "text"),
        (["https://a.test/1"], "link"),
        (["https://a.test/1", "none"], "text"),
        ([["a"], "b"], "other"),
        ([None, "", " "], "text"),
    ],
)
def test_the_kind_of_a_column(cells, kind):
    assert infer_column_kind(cells) == kind


def test_a_table_with_dates_and_versions_is_profiled(tmp_path):
    path = tmp_path / "releases.csv"
    rows = ["nr,day,iso,version,price,empty,notes"]
    rows += [
        f"{i},0{i}.02.2024,2024-02-0{i},1.2.{i},{i}.90,,the release of week {i} mends" for i in range(1, 6)
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    profile = profile_table(path)
    kinds = {column["name"]: column["kind"] for column in profile.columns}
    assert kinds == {
        "nr": "number", "day": "text", "iso": "date", "version": "text", "price": "number", "empty": "text",
        "notes": "text",
    }  # fmt: skip
    assert (profile.text, profile.id) == ("notes", "nr")
    assert profile.preview[0]["price"] == "1.90"
