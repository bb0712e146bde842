"""The example of Dask: the vectors that the model gives, whatever the partitions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from helpers.notes import NOTES, notes_model

pd = pytest.importorskip("pandas")
pytest.importorskip("dask.dataframe", reason="the extra scale, with dask[dataframe], is not installed")
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(monkeypatch):
    import importlib

    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("dask_vectors")


@pytest.fixture
def model(tmp_path):
    notes_model().save(tmp_path / "model")
    return str(tmp_path / "model")


def test_lines_become_npy_files(example, model, tmp_path, capsys):
    for number, part in enumerate((NOTES[:7], NOTES[7:])):
        (tmp_path / f"in{number}.txt").write_text("\n".join(part) + "\n", encoding="utf-8")
    example.main([model, str(tmp_path / "in*.txt"), str(tmp_path / "out")])
    vectors = np.concatenate([np.load(path) for path in sorted((tmp_path / "out").iterdir())])
    np.testing.assert_array_equal(vectors, notes_model().model_.encode(NOTES))
    assert "2 files" in capsys.readouterr().out


def test_a_table_becomes_a_table_with_vectors(example, model, tmp_path):
    rows = pd.DataFrame({"id": range(15), "text": NOTES})
    rows[:9].to_parquet(tmp_path / "in0.parquet")
    rows[9:].to_parquet(tmp_path / "in1.parquet")
    example.main([model, str(tmp_path / "in*.parquet"), str(tmp_path / "out"), "--column", "text"])
    table = pd.concat([pd.read_parquet(path) for path in sorted((tmp_path / "out").glob("*.parquet"))])
    assert table["id"].tolist() == list(range(15))
    np.testing.assert_array_equal(np.stack(table["vector"]), notes_model().model_.encode(NOTES))
