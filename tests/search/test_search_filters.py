"""Filters on columns and counts of values, against a plain loop over the records."""

from __future__ import annotations

import json
import operator
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacit
from helpers.notes import NOTES, notes_model
from tacit import Index, InputError
from tacit.corpora import read_records
from tacit.models.text_set import TextSet
from tacit.search import segment
from tacit.search.filters import OPERATORS, Filter, column_types, facet_counts, matching_rows
from tacit.search.snapshot import Snapshot
from tacit.search.string_array import StringArray

MODEL = notes_model()
STORED = Path(__file__).parents[1] / "stored_folders" / "folders"
POOLS = {
    "numbers": ["1", "1.0", "2", "-3.50", 1, 2.0, 7, "", None],
    "dates": ["2024-01-01", "2024-01-01T00:00", "2023-12-31 23:00-01:00", "2024-05-06", "", None],
    "texts": ["post", "login", "1", "2024-01-01", "", None],
    "booleans": [True, False, None],
    "mixed": [True, 1, 1.0, "1", ["a"], None],
    "nearly numbers": ["1", "1.0", "2", "n/a"],
    "odd": ["007", "1e5", "1.2.3", 10**20, "100000000000000000000", {"b": 1}, "2024-01-01"],
}
ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def as_number(cell):
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return cell
    if not isinstance(cell, str) or not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", cell):
        return None
    digits = cell.replace("-", "").replace(".", "").lstrip("0")
    return float(cell) if len(digits) <= 15 else None


def as_date(cell):
    if not isinstance(cell, str) or not re.match(r"\d{4}-\d\d-\d\d", cell):
        return None
    time = datetime.fromisoformat(cell)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def reader_of(cells):
    """Return the function that reads the cells of a column: as numbers or dates if all are such."""
    given_cells = [cell for cell in cells if cell not in (None, "")]
    for read in (as_number, as_date):
        if given_cells and all(read(cell) is not None for cell in given_cells):
            return read
    return None


def is_equal(read, cell, value) -> bool:
    if cell is None or value is None or isinstance(cell, list | dict):
        return cell is None and value is None
    a, b = (cell, value) if read is None else (read(cell), read(value))
    if a is None or b is None:
        a, b = cell, value
    return isinstance(a, bool) == isinstance(b, bool) and a == b


def matches(read, cell, operator_, value) -> bool:
    values = value if isinstance(value, list) else [value]
    if operator_ in ("=", "!="):
        return any(is_equal(read, cell, each) for each in values) == (operator_ == "=")
    return cell is not None and read(cell) is not None and ORDER[operator_](read(cell), read(value))


def build(records: list[dict], cuts: int, deleted: set[int]) -> Index:
    """Return an index of some records, in segments of ``cuts`` texts, with some texts deleted."""
    index = Index(MODEL)
    small, segment.SMALL_SEGMENT_SIZE = segment.SMALL_SEGMENT_SIZE, 0
    try:
        for first in range(0, len(records), cuts):
            part = records[first : first + cuts]
            index.add([NOTES[(first + i) % len(NOTES)] for i in range(len(part))], columns=part)
    finally:
        segment.SMALL_SEGMENT_SIZE = small
    index.delete([str(row + 1) for row in deleted if row < len(records)])
    return index


@st.composite
def collections(draw):
    pools = {name: draw(st.sampled_from(sorted(POOLS))) for name in ("price", "team")}
    cells = {name: st.sampled_from(POOLS[pool]) for name, pool in pools.items()}
    record = st.fixed_dictionaries({}, optional=cells)
    records = draw(st.lists(record, min_size=1, max_size=8))
    deleted = draw(st.sets(st.integers(0, 7), max_size=len(records) - 1))
    where = {}
    for name in draw(st.sets(st.sampled_from(["price", "team"]), min_size=1)):
        values = st.sampled_from([v for v in POOLS[pools[name]] if not isinstance(v, list | dict)])
        equal = st.one_of(values, st.lists(values, max_size=3))
        conditions = {"=": equal, "!=": equal, **dict.fromkeys(ORDER, values)}
        chosen = draw(st.sets(st.sampled_from(sorted(conditions)), min_size=1, max_size=2))
        where[name] = {each: draw(conditions[each]) for each in sorted(chosen)}
    return records, draw(st.integers(1, 8)), deleted, where


@settings(max_examples=300, deadline=None)
@given(collections())
def test_filter_selects_the_same_rows_as_a_loop(collection):
    records, cuts, deleted, where = collection
    alive = [row for row in range(len(records)) if row not in deleted]
    index = build(records, cuts, deleted)
    names = {name for row in alive for name in records[row]}
    if not names >= where.keys():
        return  # whether a column of deleted texts is still known is not promised
    readers = {name: reader_of([records[row].get(name) for row in alive]) for name in where}
    conditions = [(name, each, value) for name, by in where.items() for each, value in by.items()]
    if any(
        each in ORDER and (readers[name] is None or readers[name](value) is None)
        for name, each, value in conditions
    ):
        with pytest.raises(InputError, match="is of type"):
            matching_rows(index.snapshot, Filter.create(where))
        return

    def fits(row: int, but: str | None = None) -> bool:
        return all(
            matches(readers[name], records[row].get(name), each, value)
            for name, each, value in conditions
            if name != but
        )

    expected = [row for row in alive if fits(row)]
    assert np.flatnonzero(matching_rows(index.snapshot, Filter.create(where))).tolist() == expected
    assert index.search("my card", where=where).total == len(expected)
    for name, counted in facet_counts(index.snapshot, Filter.create(where)).items():
        cells = [records[row].get(name) for row in alive if fits(row, but=name)]
        numbers = Counter(
            next(
                i
                for i, each in enumerate(counted)
                if is_equal(reader_of([records[row].get(name) for row in alive]), cell, each["value"])
            )
            for cell in cells
            if cell is not None and not isinstance(cell, list | dict)
        )
        assert [each["n"] for each in counted] == [numbers[i] for i in range(len(counted))]


@settings(max_examples=20, deadline=None)
@given(collection=collections())
def test_filters_of_a_saved_index_are_unchanged(collection, tmp_path_factory):
    records, cuts, deleted, where = collection
    index, folder = build(records, cuts, deleted), tmp_path_factory.mktemp("index") / "saved"

    def filtered(index: Index):
        try:
            rows = matching_rows(index.snapshot, Filter.create(where))
        except InputError as error:
            return re.sub(r"the columns are .*", "", str(error))
        return [index.ids[row] for row in np.flatnonzero(rows).tolist()]

    before = filtered(index)
    index.save(folder)  # which leaves deleted texts out
    if {name for row in range(len(records)) if row not in deleted for name in records[row]} >= where.keys():
        assert filtered(tacit.load(folder)) == filtered(index) == before


def test_index_of_an_earlier_version_filters_by_type():
    index = tacit.load(STORED / "index")
    alive = np.flatnonzero(index.snapshot.alive).tolist()
    records = [json.loads(index.snapshot.records[row]) for row in alive]
    for where, fits in (
        ({"price": {"<": 5}}, lambda record: "price" in record and record["price"] < 5),
        ({"price": {">=": "5", "<": 10}}, lambda record: 5 <= record.get("price", 0) < 10),
        ({"open": True, "team": {"!=": "post"}}, lambda record: record["open"] and record["team"] != "post"),
        ({"tags": None}, lambda record: "tags" not in record),
    ):
        expected = [row for row, record in zip(alive, records, strict=True) if fits(record)]
        assert 0 < len(expected) < len(alive)
        assert np.flatnonzero(matching_rows(index.snapshot, Filter.create(where))).tolist() == expected


@pytest.fixture
def shop(tmp_path) -> Index:
    """Return the index of a CSV file with prices, postcodes with leading zeros, long numbers, days, teams."""
    path = tmp_path / "shop.csv"
    rows = [
        "9.90,01234,12345678901234567,2024-01-31,customer care", "5,00501,12345678901234568,2024-02-01,post",
        "5.0,1234,12345678901234567,2024-02-01,post", ",99999,1,2024-02-01T12:00,",
        "10,1234,2,2024-03-01,login",
    ]  # fmt: skip
    lines = [f"{row},{text.replace(',', '')}" for row, text in zip(rows, NOTES, strict=False)]
    path.write_text("\n".join(["price,zip,serial,day,team,message", *lines]), encoding="utf-8")
    records = list(read_records(path, "message"))
    index = Index(MODEL)
    index.add([record.text for record in records], columns=[record.columns for record in records])
    return index


def ids(index: Index, where) -> list[str]:
    rows = np.flatnonzero(matching_rows(index.snapshot, Filter.create(where)))
    return [index.ids[row] for row in rows.tolist()]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"price": [5]}, "2 3"),
        ({"price": 5}, "2 3"),
        ({"price": ["5"]}, "2 3"),
        ({"price": [9.9]}, "1"),
        ({"price": {"<": 10}}, "1 2 3"),
        ({"price": {">": 5, "<=": 10}}, "1 5"),
        ({"price": {"!=": 5}}, "1 4 5"),
        ({"price": ""}, "4"),
        ({"zip": ["1234"]}, "3 5"),
        ({"zip": ["01234"]}, "1"),
        ({"zip": [1234]}, ""),
        ({"serial": ["12345678901234567"]}, "1 3"),
        ({"day": "2024-02-01"}, "2 3"),
        ({"day": {">=": "2024-02-01"}}, "2 3 4 5"),
        ({"day": {">": date(2024, 2, 1)}}, "4 5"),
        ({"team": ["post", "login"], "price": {"<": 10}}, "2 3"),
        ({"team": []}, ""),
    ],
)
def test_values_compare_by_the_type_of_their_column(shop, where, expected):
    assert ids(shop, where) == expected.split()


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["price<10"], "1 2 3"),
        (["price = 5.00"], "2 3"),
        (["price="], "4"),
        (["price!="], "1 2 3 5"),
        (['team="customer care"'], "1"),
        (['"team" != "post"'], "1 4 5"),
        (["team!=post", "price<10"], "1"),
        (["day>=2024-02-01", "day<2024-03-01"], "2 3 4"),
        (['day = "2024-02-01 00:00"'], "2 3"),
        (["zip=1234"], "3 5"),
        ([], "1 2 3 4 5"),
    ],
)
def test_conditions_are_parsed_from_text(shop, conditions, expected):
    assert ids(shop, Filter.parse(conditions)) == expected.split()


def test_parsed_values_match_booleans_and_numbers():
    index = Index(MODEL)
    cells = [True, False, "true", 1, "1", 'a "b" \\ c', "x=y"]
    index.add(NOTES[: len(cells)], columns=[{"a cell": cell} for cell in cells])
    for text, expected in (
        ("true", "1 3"), ("1", "4 5"), ("FALSE", "2"), (r'"a \"b\" \\ c"', "6"), ("x=y", "7"),
    ):  # fmt: skip
        assert ids(index, Filter.parse([f"a cell={text}"])) == expected.split()


def test_numbers_are_counted_and_cells_shown_as_written(shop):
    hits = shop.search("my card was declined", k=5, where={"price": [9.9]}, counts=True)
    assert hits[0].columns["price"] == "9.90"
    assert hits.counts["price"] == [
        {"value": 5, "n": 2}, {"value": 9.9, "n": 1}, {"value": "", "n": 1}, {"value": 10, "n": 1},
    ]  # fmt: skip
    assert hits.counts["zip"] == [{"value": "01234", "n": 1}]
    assert hits.total == 1


def test_column_types_depend_on_all_rows():
    index = Index(MODEL)
    index.add(["a text"] * 2000, columns=[{"price": str(n)} for n in range(2000)])
    assert column_types(index.snapshot) == [{"name": "price", "kind": "number"}]
    index.add(["a text"], ids=["odd"], columns=[{"price": "n/a"}])
    assert column_types(index.snapshot) == [{"name": "price", "kind": "text"}]
    with pytest.raises(InputError, match="'price' is of type text: < compares numbers and ISO dates"):
        index.search("text", where={"price": {"<": 10}})
    index.delete(["odd"])
    assert index.search("text", where={"price": {"<": 10}}).total == 10


def test_column_with_many_values_is_complete():
    n = 120_000
    records = [f'{{"number": {n}, "name": "n{n}"}}' for n in range(n)] + ["{}"]
    snapshot = many_rows(records)
    for where, expected in (
        ({"name": ["n7", f"n{n - 1}"]}, [7, n - 1]),
        ({"number": {">=": n - 2}}, [n - 2, n - 1]),
        ({"name": None}, [n]),
        ({"number": {"!=": 5, "<": 8, ">": 3}}, [4, 6, 7]),
    ):
        assert np.flatnonzero(matching_rows(snapshot, Filter.create(where))).tolist() == expected


def many_rows(records: list[str]):
    """Return a snapshot of one segment with these records and empty texts."""
    texts = TextSet.from_texts(MODEL.model_, [""])
    row = segment.Segment.from_text_set(texts, "float32", [""], ["1"], ["{}"])
    n = len(records)
    starts, vectors = np.zeros(n + 1, np.int64), row.vectors.take(np.zeros(n, np.int64))
    languages, empty = np.zeros(n, np.int16), StringArray.from_strings([""] * n)
    filled = replace(
        row, token_starts=starts, language_ids=languages, vectors=vectors, ids=empty, texts=empty,
        records=StringArray.from_strings(records),
    )  # fmt: skip
    return Snapshot(MODEL.model_, (filled,), np.ones(n, np.bool_))


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (
            {"colour": ["red"]},
            "there is no column 'colour'; the columns are 'price', 'zip', 'serial', 'day', 'team'",
        ),
        ({"price": {"~": 5}}, "'price' has the operator '~': use one of =, !=, <, <=, >, >="),
        ({"price": {}}, "'price' has no condition"),
        ({"price": {"<": "cheap"}}, "'price' is of type number: compare it with a number .*, not 'cheap'"),
        ({"price": {"<": None}}, "not None"),
        ({"price": {"<": True}}, "not True"),
        ({"price": {"<": [5]}}, "compare with one value"),
        ({"price": [[5]]}, r"'price' is compared with \[5\]"),
        ({"price": float("nan")}, "compared with nan"),
        ({"team": {"<": "m"}}, "'team' is of type text: < compares numbers and ISO dates"),
        (
            {"day": {"<": "01.03.2024"}},
            "'day' is of type date: compare it with an ISO date .*, not '01.03.2024'",
        ),
        ("price<5", "give conditions by column"),
    ],
)
def test_filter_that_does_not_fit_raises_an_error(shop, where, message):
    with pytest.raises(InputError, match=message):
        shop.search("card", where=where)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("price", "'price' is not COLUMN OPERATOR VALUE"),
        ("<10", "is not COLUMN OPERATOR VALUE"),
        ("", "is not COLUMN OPERATOR VALUE"),
        ("team=customer care", "is not COLUMN OPERATOR VALUE"),
        ('team="post', "is not COLUMN OPERATOR VALUE"),
        ("price==5", "'price' has the operator '==': use one of =, !=, <"),
        ("price=<5", "'=<'"),
        ("price<cheap", "is of type number"),
    ],
)
def test_unparsable_condition_raises_an_error(shop, condition, message):
    with pytest.raises(InputError, match=message):
        shop.search("card", where=Filter.parse([condition]))


def test_filters_are_equal_if_their_conditions_are():
    filters = [Filter.create({"a": value}) for value in (1, True, "1", None, [1, 2], {"<": 1}, {"!=": 1})]
    assert len(set(filters)) == len(filters)
    assert Filter.create({"a": [1]}) == Filter.create({"a": {"=": 1.0}})
    assert Filter.create(filters[0]) is filters[0]
    assert set(OPERATORS) == {"=", "!=", *ORDER}
