"""Columns that differ from row to row, and nested columns."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

import tacit
from helpers.measure_references import TEXTS, small_model
from tacit import Index, InputError, build_index
from tacit.corpora import Record, read_records
from tacit.search.record_columns import DEFAULT_MAX_COLUMNS
from tacit.workflows import update_index

N = 1500


def records(n: int = N) -> list[Record]:
    """Each text has the column ``team``, and a column of its own."""
    return [Record(TEXTS[i % 8], None, {"team": "ab"[i % 2], f"k{i}": i}) for i in range(n)]


@pytest.fixture(scope="module")
def index() -> Index:
    return build_index(records(), small_model())


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def test_the_first_columns_can_be_filtered(index):
    assert index.search("cat", where={"k198": 198}).total == 1
    with pytest.raises(InputError, match=r"'k199' is not one of the first 200; .* max_columns"):
        index.search("cat", where={"k199": 199})
    with pytest.raises(InputError, match="there is no column 'k1500'"):
        index.search("cat", where={"k1500": 1})
    hits = index.search("cat", k=3, where={"team": "b"}, counts=True)
    assert hits.counts["team"] == [{"value": "a", "n": N // 2}, {"value": "b", "n": N // 2}]
    assert len(index.snapshot.column_kinds) == DEFAULT_MAX_COLUMNS == 200


def test_columns_beyond_the_limit_stay_with_their_rows(index):
    (hit,) = index.search_many([TEXTS[3]], k=1, where={"k3": 3})[0]
    assert hit.columns == {"team": "b", "k3": 3}
    assert {f"k{N - 1}"} < set(index.snapshot.column_names)


def test_memory_of_columns_does_not_grow_with_their_number(index):
    (segment,) = index.snapshot.segments
    codes = [column.codes for column in index.snapshot.record_columns(segment).values()]
    assert sum(code.nbytes for code in codes) == DEFAULT_MAX_COLUMNS * N * np.dtype(np.int32).itemsize


def test_the_first_columns_do_not_depend_on_segments():
    split = Index(small_model())
    split.max_segment_size = 100
    split.add([row.text for row in records()], columns=[row.columns for row in records()])
    assert len(split.snapshot.segments) == 15
    whole = build_index(records(), small_model())
    assert split.snapshot.column_kinds == whole.snapshot.column_kinds


def test_other_columns_are_named_and_the_limit_is_stored(tmp_path, caplog):
    with caplog.at_level(logging.INFO):
        build_index(records(300), small_model(), into=tmp_path / "a.index")
    assert (
        "only the first 200 columns can be filtered; the others are kept with the texts: 'k199', "
        in caplog.text
    )
    assert "'k208' and 91 more" in caplog.text
    update_index(tmp_path / "a.index", [Record("a cat", "x", {"k400": 1})], max_columns=400)
    loaded = tacit.load(tmp_path / "a.index")
    assert (
        loaded.search("cat", where={"k299": 299}).total == loaded.search("cat", where={"k400": 1}).total == 1
    )
    for limit in (0, 10_001):
        with pytest.raises(InputError, match=rf"max_columns={limit}: expected an integer from 1 to 10"):
            build_index(records(2), small_model(), max_columns=limit)


@pytest.mark.parametrize("depth", [33, 500, 3000, 100_000])
def test_deeply_nested_columns_are_refused(tmp_path, depth):
    index = build_index(TEXTS, small_model())
    with pytest.raises(InputError, match="the column 'a' has lists or objects of more than 32 levels"):
        index.add(["a cat"], columns=[{"a": nested(depth)}])
    with pytest.raises(InputError, match="more than 32 levels"):
        build_index([{"text": "a cat", "a": nested(depth)}, {"text": "a dog"}], small_model(), text="text")
    assert len(index) == len(TEXTS)


def test_a_nested_json_line_is_named(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({"text": "a cat", "a": nested(n)}) for n in (32, 33)))
    with pytest.raises(
        InputError, match="line 2: the column 'a' has lists or objects of more than 32 levels"
    ):
        list(read_records(path, "text"))
