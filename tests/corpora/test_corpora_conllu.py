"""Valid and invalid CoNLL-U files."""

from __future__ import annotations

import pytest

from tacit.corpora.formats.conllu import read_conllu
from tacit.errors import InputError

CATS = "1 Cats cat NOUN _ _ 2 nsubj _ _|2 sleep sleep VERB _ _ 0 root _ _"
DOGS = "1 Dogs dog NOUN _ _ 2 nsubj _ _|2 bark bark VERB _ _ 0 root _ _"


def write_conllu(tmp_path, *blocks):
    path = tmp_path / "text.conllu"
    rows = [
        block if block.startswith("#") else block.replace(" ", "\t").replace("|", "\n") + "\n"
        for block in blocks
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_sentences_are_passages_without_paragraph_marks(tmp_path):
    passages = list(read_conllu(write_conllu(tmp_path, CATS, DOGS)))
    assert [passage.terms for passage in passages] == [["cat", "sleep"], ["dog", "bark"]]


def test_paragraphs_join_sentences_and_their_heads(tmp_path):
    passages = list(read_conllu(write_conllu(tmp_path, "# newpar", CATS, DOGS, "# newpar id = 2", DOGS)))
    assert [passage.terms for passage in passages] == [["cat", "sleep", "dog", "bark"], ["dog", "bark"]]
    assert passages[0].heads == [1, 1, 3, 3]


def test_ranges_and_empty_nodes_are_skipped(tmp_path):
    block = "1-2 dunno _ _ _ _ _ _ _ _|" + CATS + "|2.1 _ _ _ _ _ _ _ _ _"
    assert next(read_conllu(write_conllu(tmp_path, block))).forms == ["Cats", "sleep"]


def test_missing_lemma_is_the_form(tmp_path):
    assert next(read_conllu(write_conllu(tmp_path, CATS.replace(" cat ", " _ ")))).terms == ["cats", "sleep"]


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (CATS.replace(" _ _|", " _|"), r"line 1 has 9 columns: CoNLL-U has 10"),
        (CATS.replace("|2 ", "|3 "), r"line 2: the id is 3, expected 2"),
        (CATS.replace(" 2 nsubj", " 7 nsubj"), r"line 1: the head '7' is not a number from 0 to 2"),
        (CATS.replace(" 0 root", " _ root"), r"line 2: the head '_' is not a number"),
        (CATS.replace("1 Cats", "1" * 4301 + " Cats"), r"line 1: the id is 1{20}, expected 1"),
        (CATS.replace(" 2 nsubj", " " + "2" * 4301 + " nsubj"), r"line 1: the head '2{19} is not a number"),
        (CATS.replace("1 Cats", "one Cats"), r"line 1: the id 'one' is not a number"),
    ],
)
def test_a_broken_line_is_named(tmp_path, block, message):
    with pytest.raises(InputError, match=message):
        list(read_conllu(write_conllu(tmp_path, block)))
