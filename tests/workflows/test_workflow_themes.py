"""find_themes: sources, the work folder, new texts, names, tables."""

from __future__ import annotations

import json
import logging
from hashlib import sha256

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz

from helpers.complaints import complaints
from tacit import Index, ThemeModel, find_themes
from tacit.errors import InputError, ModelError
from tacit.themes.work_folder import GRAPH_FILE, RECORDS_FILE
from tacit.training.wtmf import WTMF
from tacit.workflows.cache import CACHE_VARIABLE

TEXTS, TOPICS = complaints(240)
ROWS = [{"message": text, "topic": topic, "key": f"C{i}", "text": "x"} for i, (text, topic) in
        enumerate(zip(TEXTS, TOPICS, strict=True))]  # fmt: skip


@pytest.fixture(autouse=True)
def cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "complaints.txt"
    path.write_text("".join(f"{text}\n" for text in TEXTS), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def themes():
    return find_themes(ROWS, text="message", id="key")


@pytest.fixture
def work(tmp_path, themes):
    folder = tmp_path / "work"
    find_themes(ROWS, text="message", id="key", work=folder)
    return folder


def forbid_training(monkeypatch):
    monkeypatch.setattr(WTMF, "fit_backend", None)


def test_themes_are_those_of_the_estimator(themes):
    model = ThemeModel().fit(TEXTS)
    assert themes.themes == model.themes_
    np.testing.assert_array_equal(themes.labels, model.labels_)


def test_index_gives_the_themes_of_its_texts_alone(themes):
    model = WTMF(n_components=4).fit(TEXTS[:50])
    index = Index(model)
    index.add(TEXTS[::-1], ids=[row["key"] for row in ROWS][::-1])
    index.add(["deleted text about a parcel"], ids=["gone"])
    index.delete(["gone"])
    of_index = find_themes(index)
    assert of_index.themes == themes.themes
    np.testing.assert_array_equal(of_index.labels[::-1], themes.labels)


def test_table_has_a_row_for_each_text(themes):
    assert themes.table_columns() == [
        "id", "text", "theme", "subtheme", "strength", "topic", "text_input",
    ]  # fmt: skip
    rows = list(themes.table_rows())
    assert [row[0] for row in rows] == [row["key"] for row in ROWS]
    assert [row[1] for row in rows] == TEXTS
    assert {row[2] for row in rows} <= {theme.name for theme in themes} | {"Other"}
    frame = themes.to_pandas()
    assert frame["topic"].tolist() == TOPICS
    assert frame.groupby("theme").size().to_dict() == {
        row[1]: row[2] for row in themes.summary_rows() if "." not in row[0] and row[2]
    }


def test_counts_of_themes_and_other_texts_sum_to_all(themes):
    counts = themes.count_texts()
    assert sum(n for key, n in counts.items() if "." not in key) == len(TEXTS)
    for theme in themes:
        assert sum(counts[part.id] for part in theme.subthemes) <= counts[theme.id]


def test_saved_themes_are_loaded_without_training(work, themes, monkeypatch):
    forbid_training(monkeypatch)
    loaded = find_themes(work)
    assert list(loaded.table_rows()) == list(themes.table_rows())
    assert loaded.to_dict() == themes.to_dict()


def test_same_records_reuse_the_work_folder(work, themes, monkeypatch):
    forbid_training(monkeypatch)
    again = find_themes(ROWS, 4, text="message", id="key", work=work)
    assert len(again) == 4
    assert len(find_themes(work)) == 4


def test_the_second_run_on_a_file_trains_nothing(file, monkeypatch, caplog):
    expected = find_themes(file, 7, use_cache=False)
    first = find_themes(file)
    assert "from the cache" not in caplog.text
    forbid_training(monkeypatch)
    monkeypatch.setattr("tacit.themes.theme_space.build_graph", None)
    with caplog.at_level(logging.INFO):
        again, changed = find_themes(file), find_themes(str(file), 7)
    assert caplog.text.count("the model and the graph of an earlier run are used again") == 2
    assert again.to_dict() == first.to_dict()
    assert list(again.table_rows()) == list(first.table_rows())
    assert changed.to_dict() == expected.to_dict()
    assert list(changed.table_rows()) == list(expected.table_rows())


def test_cache_compares_numbers_of_themes_once(file, monkeypatch):
    find_themes(file, 7)
    expected = find_themes(file, use_cache=False)
    assert find_themes(file).to_dict() == expected.to_dict()
    forbid_training(monkeypatch)
    assert find_themes(file).to_dict() == expected.to_dict()


def test_fewer_themes_than_requested_are_noted(caplog):
    with caplog.at_level(logging.INFO):
        themes = find_themes(TEXTS, 60)
    assert len(themes) < 60
    [note] = themes.notes
    assert note.startswith(
        f"{len(themes)} themes instead of 60: no further groups of texts are similar enough"
    )
    assert note in caplog.text
    assert themes.to_dict()["notes"] == [note]
    assert find_themes(TEXTS, 4).notes == []


def test_names_of_a_user_are_not_kept_in_the_cache(file):
    assert find_themes(file, names={"1": "Mine"}).themes[0].name == "Mine"
    assert find_themes(file).themes[0].name != "Mine"


@pytest.mark.parametrize("change", [{"language": None}, {"random_state": 1}, {"use_cache": False}, "content"])
def test_other_texts_or_settings_are_trained_again(file, monkeypatch, change):
    find_themes(file, 3)
    if change == "content":
        file.write_text("".join(f"{text}\n" for text in TEXTS[1:]), encoding="utf-8")
        change = {}
    forbid_training(monkeypatch)
    with pytest.raises(TypeError):
        find_themes(file, 3, **change)


def test_lists_of_texts_and_work_folders_leave_no_entry(cache_folder, work):
    find_themes(TEXTS[:30], 2)
    assert not cache_folder.exists()


def test_damaged_entry_is_built_again(file, cache_folder, caplog):
    expected = find_themes(file, 3).to_dict()
    (graph,) = cache_folder.glob(f"*/themes/*/{GRAPH_FILE}")
    graph.write_bytes(b"x")
    assert find_themes(file, 3).to_dict() == expected
    assert "is damaged and is built again" in caplog.text
    assert graph.stat().st_size > 1


def test_texts_with_unusual_line_breaks_are_kept(tmp_path):
    texts = [f"{text}\u2028{text}\x85" for text in TEXTS[:20]]
    find_themes(texts, 2, work=tmp_path / "lines")
    assert [record.text for record in find_themes(tmp_path / "lines").records] == texts


def test_work_folder_of_other_settings_is_trained_again(work, monkeypatch):
    forbid_training(monkeypatch)
    with pytest.raises(TypeError):
        find_themes(ROWS, text="message", id="key", work=work, language="de")


def test_other_number_of_themes_equals_a_new_model(work, monkeypatch):
    expected = find_themes(ROWS, 7, text="message", id="key")
    forbid_training(monkeypatch)
    changed = find_themes(work, 7)
    assert changed.themes == expected.themes
    np.testing.assert_array_equal(changed.labels, expected.labels)


def test_added_texts_change_no_theme_and_names_stay(work, themes):
    find_themes(work, names={"1": "My own name"})
    new, _ = complaints(40, seed=9)
    extended = find_themes(work, add=new)
    assert next(iter(extended)).name == "My own name"
    assert [theme.name for theme in extended][1:] == [theme.name for theme in themes][1:]
    np.testing.assert_array_equal(extended.labels[: len(TEXTS)], themes.labels)
    loaded = find_themes(work)
    assert [record.text for record in loaded.records] == TEXTS + new
    np.testing.assert_array_equal(loaded.labels, extended.labels)


@pytest.mark.parametrize("names", [{"99": "x"}, {"1": " "}, {"1": "same", "2": "same"}, {"1": "Other"}])
def test_wrong_names_are_reported(themes, names):
    with pytest.raises(InputError, match=r"there is no theme '99'|a name of its own"):
        themes.rename(names)


def test_folder_with_other_files_is_not_overwritten(tmp_path):
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(InputError, match="neither empty nor a work folder"):
        find_themes(TEXTS, work=tmp_path)


def test_adding_needs_a_work_folder():
    with pytest.raises(InputError, match="needs the work folder"):
        find_themes(TEXTS[:20], 2, add=["x"])


@pytest.mark.parametrize("damage", ["records", "graph", "other graph", "format", "state"])
def test_damaged_folder_is_reported(work, damage):
    path = work / "themes.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    if damage == "records":
        (work / RECORDS_FILE).write_text("[]\n", encoding="utf-8")
    elif damage == "graph":
        (work / GRAPH_FILE).unlink()
    elif damage == "other graph":
        save_npz(work / GRAPH_FILE, csr_array((3, 3)))
        stored["digests"][GRAPH_FILE] = sha256((work / GRAPH_FILE).read_bytes()).hexdigest()
        path.write_text(json.dumps(stored), encoding="utf-8")
    elif damage == "format":
        path.write_text(json.dumps(stored | {"format": 99}), encoding="utf-8")
    else:
        path.write_text(json.dumps({"format": 1}), encoding="utf-8")
    with pytest.raises(ModelError, match=r"is damaged|upgrade tacit"):
        find_themes(work)


def test_comparison_by_topic_marks_the_themes_of_the_topic(themes):
    comparison = themes.compare("topic")
    assert set(comparison.groups) == set(TOPICS)
    assert all(any(s.representation == "over" and s.group == group for s in comparison.shares)
               for group in comparison.groups)  # fmt: skip
    with pytest.raises(InputError, match=r"no column 'nope': there are 'topic', 'text'"):
        themes.compare("nope")


def test_plot_has_a_bar_for_each_theme(themes):
    pytest.importorskip("matplotlib", reason="the extra plots is not installed")
    axes = themes.plot()
    assert len(axes.patches) == len(themes) + 1
    assert themes._repr_html_().count("<tr>") == len(themes.summary_rows()) + 1
    assert repr(themes) == f"<Themes: {len(themes)} themes of {len(themes.records)} texts>"
