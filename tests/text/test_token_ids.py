"""The tokenizer kernel agrees with the reference tokenizer on any Unicode text."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacit.errors import InputError
from tacit.text.token_ids import tokenize_texts
from tacit.text.tokenizer_kernel import character_class, class_table
from tacit.text.tokenizers import tokenize, tokenize_alphanumeric


def tokenize_with_kernel(texts: list[str], tokenizer: str = "words", urls: str = "split") -> list[list[str]]:
    tokenized = tokenize_texts(texts, tokenizer, urls)
    tokens = [tokenized.tokens[i] for i in tokenized.ids]
    ends = np.cumsum(tokenized.lengths).tolist()
    return [tokens[end - count : end] for end, count in zip(ends, tokenized.lengths.tolist(), strict=True)]


lively = st.text(
    st.sampled_from("aBé'\u2019.,19 _-語言ไท\u0301\u200d\x1e\x00\n#++\ufe0f☕👍\U0001f3fd🇪"), max_size=40
)


@settings(max_examples=300)
@given(st.lists(st.one_of(lively, st.text(max_size=40)), max_size=8))
@example(["", "a\x1eb", "İstanbul", "ΟΔΟΣ"])
@example(["\ud800 lone surrogate"])
def test_kernel_agrees_with_the_reference_tokenizer(texts):
    assert tokenize_with_kernel(texts) == [tokenize(text) for text in texts]
    assert tokenize_with_kernel(texts, "letters") == [tokenize_alphanumeric(text) for text in texts]


addresses = st.text(st.sampled_from("aB1.@/:-_ ,'?é語\uf72f\x1e+"), max_size=20).map(
    lambda text: text.replace("B", "https://").replace("1", "www.x")
)


@settings(max_examples=300)
@given(st.lists(st.one_of(addresses, lively), max_size=8))
@example(["a@b.c\x1ehttps://x.org/1,5's www.x.org語 \uf740@a"])
def test_kernel_agrees_with_the_reference_on_addresses(texts):
    assert tokenize_with_kernel(texts, urls="token") == [tokenize(text, "token") for text in texts]
    expected = [tokenize_alphanumeric(text, "token") for text in texts]
    assert tokenize_with_kernel(texts, "letters", "token") == expected


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("see https://example.org/a?b=1.", ["see", "https://example.org/a?b=1"]),
        ("(WWW.Example.org)", ["www.example.org"]),
        ("anna.b+c@mail.example.org!", ["anna.b+c@mail.example.org"]),
        ("@anna_1: hi", ["@anna_1", "hi"]),
        ("a@b and x@ y", ["a", "b", "and", "x", "y"]),
        ("see https://例え.jp", ["see", "https", "例え", "jp"]),
    ],
)
def test_addresses_are_one_token(text, tokens):
    assert tokenize(text, "token") == tokens
    assert tokenize_with_kernel([text], urls="token") == [tokens]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat's whiskers", ["the", "cat's", "whiskers"]),
        ("it\u2019s", ["it's"]),
        ("'quoted' rock'n'roll'", ["quoted", "rock'n'roll"]),
        ("v1.2, 3.5% of 1,000,000.", ["v1.2", "3.5", "of", "1,000,000"]),
        ("foo_bar x-ray a.b", ["foo", "bar", "x", "ray", "a", "b"]),
        ("Cafe\u0301", ["café"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("می‌خواهم", ["می‌خواهم"]),
        ("東京へ行く", ["東京", "京へ", "へ行", "行く"]),
        ("語", ["語"]),
        ("soft\u00adware 🙂 ok", ["software", "🙂", "ok"]),
        ("so good😂😂!", ["so", "good", "😂", "😂"]),
        ("👍🏽 👍", ["👍", "👍"]),
        ("I ❤️ tea ☕️", ["i", "❤", "tea", "☕"]),
        ("👩‍💻 and 🇪🇸", ["👩", "💻", "and", "🇪", "🇸"]),
        ("#MeToo #black_lives ##x", ["metoo", "black", "lives", "x"]),
        ("C#, F# and C++; g++.", ["c#", "f#", "and", "c++", "g++"]),
        ("a+b c+ c#5 c#sharp c+++ ab# x#", ["a", "b", "c", "c", "5", "c", "sharp", "c", "ab", "x#"]),
        ("© 2020 ™ → ✓", ["2020", "✓"]),
        ("  \t\n", []),
    ],
)
def test_tokens_of_examples(text, tokens):
    assert tokenize(text) == tokens
    assert tokenize_with_kernel([text]) == [tokens]


def test_many_distinct_tokens_across_chunks_and_table_growth():
    texts = [f"w{i} w{i // 2} tail" for i in range(60_000)]
    tokenized = tokenize_texts(iter(texts))
    assert len(tokenized.tokens) == len(set(tokenized.tokens)) == 60_001
    assert [tokenized.tokens[i] for i in tokenized.ids[-3:]] == ["w59999", "w29999", "tail"]
    assert tokenized.lengths.tolist() == [3] * 60_000


def test_a_text_longer_than_a_chunk():
    assert tokenize_texts(["ab " * 500_000]).lengths.tolist() == [500_000]


def test_class_table_covers_all_of_unicode():
    table = class_table(0x10FFFF)
    for code in (*range(0, 0x110000, 997), 0x20000, 0x1F600):
        assert table[code] == character_class(chr(code))
        if unicodedata.category(chr(code)) == "Nd":
            assert table[code] == 2


@pytest.mark.parametrize("bad", ["a single text", b"bytes"])
def test_single_text_raises_input_error(bad):
    with pytest.raises(InputError, match=r"\[text\]"):
        tokenize_texts(bad)


def test_item_that_is_not_text_is_named_by_number():
    with pytest.raises(InputError, match=r"text 3 is nan, a float"):
        tokenize_texts(["a", "b", float("nan")])
    with pytest.raises(InputError, match=r"text 1001 is None"):
        tokenize_texts(["a"] * 1000 + [None])


class Subclass(str):
    """A subclass of str."""


def test_a_subclass_of_str_is_a_text():
    assert tokenize_with_kernel([Subclass("a b")]) == [["a", "b"]]


def test_custom_tokenizer_and_invalid_tokens():
    tokenized = tokenize_texts(["a|b", "b|c"], lambda text: text.split("|"))
    assert (tokenized.tokens, tokenized.ids.tolist(), tokenized.lengths.tolist()) == (
        ["a", "b", "c"],
        [0, 1, 1, 2],
        [2, 2],
    )
    for bad in ("", "a\tb", "a\nb", 7):
        with pytest.raises(InputError, match="the tokenizer returned"):
            tokenize_texts(["x"], lambda text, bad=bad: [bad])
