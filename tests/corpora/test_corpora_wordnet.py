"""Search for WordNet, and synsets compared with an independent reader of WordNet 3.0."""

from __future__ import annotations

import gzip
import os
import sys
import zipfile
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from tacit.corpora import read_named_records, read_named_texts, wordnet
from tacit.corpora.wordnet import Synset, find_wordnet, read_synsets
from tacit.errors import InputError, MissingExtraError

# A made-up language in WordNet's format: the layout is Princeton's, the words are not.
LICENCE = "  1 This is a licence  \n"
NOUNS = (
    '00000010 03 n 03 Blick 0 blick_stone b BLICK 1 000 | a "big" rock; "one"; "two"- Poet  \n',
    "00000020 17 n 01 flint 1 001 @ 00000010 n 0000 | a hard blick  \n",
)
FILES = {
    "data.noun": LICENCE + "".join(NOUNS),
    "data.verb": LICENCE + "00000010 29 v 01 grun 2 000 01 + 08 00 | to hum; whistle | softly  \n",
    "data.adj": LICENCE
    + '00000010 00 s 02 smallish 0 wee(p) 3 002 + 00000010 n 0101 & 00000050 a 0000 | nearly; "wee ones  \n'
    + "00000050 00 a 02 Small(a) 4 little 1 001 & 00000010 s 0000 | of little size  \n",
    "data.adv": LICENCE + "00000010 02 r 01 smally 0 000 | in a small way  \n",
}
EXPECTED = [
    Synset("00000010-n", ("Blick", "blick stone", "BLICK"), 'a "big" rock', ("one", "two")),
    Synset("00000020-n", ("flint",), "a hard blick", ()),
    Synset("00000010-v", ("grun",), "to hum; whistle | softly", ()),
    Synset("00000010-a", ("smallish", "wee"), "nearly", ("wee ones",)),
    Synset("00000050-a", ("Small", "little"), "of little size", ()),
    Synset("00000010-r", ("smally",), "in a small way", ()),
]


def write_wordnet(folder: Path, files: dict[str, str] = FILES) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content.encode())
    return folder


@pytest.fixture
def no_wordnet(tmp_path, monkeypatch):
    """A machine without WordNet."""
    monkeypatch.delenv("WNHOME", raising=False)
    monkeypatch.delenv("NLTK_DATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(wordnet, "NLTK_FOLDERS", (str(tmp_path / "share"),))
    monkeypatch.setattr(wordnet, "DEBIAN_FOLDER", str(tmp_path / "debian"))
    monkeypatch.setattr(wordnet.importlib.util, "find_spec", lambda name: None)
    return tmp_path


def test_a_data_file_is_read_field_by_field(tmp_path):
    assert list(read_synsets(write_wordnet(tmp_path))) == EXPECTED


def test_nouns_in_two_files_are_one(tmp_path):
    split = {**FILES, "data.noun1": LICENCE + NOUNS[0].removesuffix("\n"), "data.noun2": NOUNS[1]}
    del split["data.noun"]
    assert list(read_synsets(str(write_wordnet(tmp_path / "dict", split).parent))) == EXPECTED


def test_records_have_the_words_the_definition_and_columns(tmp_path):
    record = next(wordnet.read_records(str(write_wordnet(tmp_path))))
    assert record.text == 'Blick, blick stone, BLICK: a "big" rock'
    assert (record.id, record.columns) == ("00000010-n", {"pos": "n", "examples": ["one", "two"]})


def test_texts_are_words_definition_and_examples(no_wordnet, monkeypatch):
    monkeypatch.setenv("WNHOME", str(write_wordnet(no_wordnet / "wn")))
    assert next(wordnet.read_texts()) == 'Blick blick stone BLICK a "big" rock one two'
    assert next(read_synsets()).definition == 'a "big" rock'
    assert list(read_named_texts("wordnet")) == list(wordnet.read_texts())


def test_a_folder_without_wordnet_is_refused_by_the_call(tmp_path):
    write_wordnet(tmp_path, {name: FILES[name] for name in ("data.noun", "data.verb", "data.adj")})
    with pytest.raises(InputError, match=f"{tmp_path} has no WordNet files; name the folder with data.noun"):
        read_synsets(tmp_path)
    with pytest.raises(InputError, match="has no WordNet files"):
        read_synsets("/")


@pytest.mark.parametrize(
    "line",
    [
        "nonsense\n",
        "00000090 00 x 01 word 0 000 | a gloss\n",
        "00000090 00 a 05 word 0 | fewer words than it says\n",
    ],
)
def test_a_damaged_data_file_is_named_by_line(tmp_path, line):
    write_wordnet(tmp_path, {**FILES, "data.adj": FILES["data.adj"] + line})
    with pytest.raises(
        InputError, match=r"data\.adj, line 4 is not a WordNet synset .*; install WordNet again"
    ):
        list(read_synsets(tmp_path))


def test_wordnet_folders_are_searched_in_order(no_wordnet, monkeypatch):
    def package(name: str) -> ModuleSpec | None:
        spec = ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(no_wordnet / "pattern")]
        return spec if name == "pattern" else None

    debian = write_wordnet(no_wordnet / "debian")
    assert find_wordnet() == debian
    for nltk in ("prefix", "share", "home"):
        folder = write_wordnet(no_wordnet / nltk / "nltk_data" / "corpora" / "wordnet")
        assert find_wordnet() == folder
    monkeypatch.setenv("NLTK_DATA", f"{no_wordnet / 'absent'}{os.pathsep}{no_wordnet / 'configured'}")
    configured = write_wordnet(no_wordnet / "configured" / "corpora" / "wordnet")
    assert find_wordnet() == configured
    monkeypatch.setattr(wordnet.importlib.util, "find_spec", package)
    assert find_wordnet() == configured
    extra = write_wordnet(no_wordnet / "pattern" / "text" / "en" / "wordnet" / "dict")
    assert find_wordnet() == extra
    monkeypatch.setenv("WNHOME", str(no_wordnet / "wn"))
    home = write_wordnet(no_wordnet / "wn" / "dict")
    assert find_wordnet() == home


def test_an_nltk_archive_is_read_where_it_is(no_wordnet):
    corpora = no_wordnet / "home" / "nltk_data" / "corpora"
    corpora.mkdir(parents=True)
    with zipfile.ZipFile(corpora / "wordnet.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in FILES.items():
            archive.writestr(f"wordnet/{name}", content)
    found = find_wordnet()
    assert isinstance(found, zipfile.Path)
    assert list(read_synsets(found)) == list(read_synsets()) == EXPECTED


def test_a_copy_is_read_from_its_folder_or_from_a_wheel(no_wordnet, monkeypatch):
    folder = write_wordnet(no_wordnet / "mine")
    wheel = no_wordnet / "package-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("package/__init__.py", "")
        for name, content in FILES.items():
            archive.writestr(f"package/dict/{name}", content)
    expected = [" ".join((*each.words, each.definition, *each.examples)) for each in EXPECTED]
    assert list(read_named_texts(f"wordnet:{folder}")) == expected
    assert list(read_named_texts(f"wordnet:{wheel}")) == expected
    assert [record.id for record in read_named_records(f"wordnet:{wheel}")] == [each.id for each in EXPECTED]
    monkeypatch.setenv("WNHOME", str(wheel))
    assert list(read_named_texts("wordnet")) == expected


@pytest.mark.parametrize("name", ["absent", "empty", "text.txt", "other.zip"])
def test_a_folder_without_wordnet_after_the_colon_is_an_error(name, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.txt").write_text("a text", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("data.verb", "")
    with pytest.raises(InputError, match=f"{name} has no WordNet files; name the folder with data.noun"):
        read_named_texts(f"wordnet:{tmp_path / name}")


def test_a_wrong_wnhome_is_an_error_even_if_wordnet_is_elsewhere(no_wordnet, monkeypatch):
    write_wordnet(no_wordnet / "debian")
    monkeypatch.setenv("WNHOME", str(no_wordnet / "wrong"))
    with pytest.raises(
        InputError, match=f"WNHOME is {no_wordnet / 'wrong'}, which has no WordNet files .* unset it"
    ):
        find_wordnet()


@pytest.mark.usefixtures("no_wordnet")
def test_missing_wordnet_names_every_remedy():
    with pytest.raises(MissingExtraError) as caught:
        read_named_texts("wordnet")
    for part in ("$WNHOME", "nltk_data", "/usr/share/wordnet", "pip install 'tacit[wordnet]'"):
        assert part in str(caught.value)


def test_the_package_is_found_but_not_imported():
    find_wordnet()
    assert "pattern" not in sys.modules


def test_synsets_agree_with_an_independent_wordnet_reader():
    data = os.environ.get("TACIT_DATA")
    if not data:
        pytest.skip("TACIT_DATA is not set: it names the folder with corpora/wordnet.tsv.gz")
    with gzip.open(Path(data, "corpora", "wordnet.tsv.gz"), "rt", encoding="utf-8", newline="\n") as stream:
        header, *rows = (line.rstrip("\n").split("\t") for line in stream)
    assert header[:5] == ["synset", "pos", "lemmas", "definition", "examples"]
    count = {pos: sum(row[1] in pos for row in rows) for pos in ("n", "v", "as", "r")}
    assert count == {"n": 82115, "v": 13767, "as": 18156, "r": 3621}
    for row, synset in zip(rows, wordnet.read_synsets(), strict=True):
        words = ",".join(synset.words).replace(" ", "_")
        mine = [synset.id, words, synset.definition, " || ".join(synset.examples)]
        assert mine == [row[0], *row[2:5]]
        assert synset.pos == row[1].replace("s", "a")
