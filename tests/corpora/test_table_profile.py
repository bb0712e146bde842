"""The profile of a file: columns, kinds, header, preview."""

from __future__ import annotations

from tacit.corpora.table_profile import profile_table


def write_table(path, *rows):
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def test_empty_column_is_text_but_not_the_text_column(tmp_path):
    path = write_table(tmp_path / "faq.csv", "empty,question", ",how do I log in?", ",where is my parcel?")
    profile = profile_table(path)
    assert profile.columns == [{"name": "empty", "kind": "text"}, {"name": "question", "kind": "text"}]
    assert (profile.text, profile.id, profile.rows) == ("question", None, 2)


def test_empty_id_column_is_not_the_id(tmp_path):
    path = write_table(tmp_path / "faq.csv", "id,question", ",how do I log in?")
    assert profile_table(path).id is None


def test_preview_truncates_cells_of_more_than_300_characters(tmp_path):
    path = write_table(tmp_path / "faq.csv", "question", "a" * 300, "b" * 301, "short one")
    cells = [row["question"] for row in profile_table(path).preview]
    assert cells == ["a" * 300, "b" * 300 + "…", "short one"]
