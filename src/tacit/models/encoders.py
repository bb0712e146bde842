"""Static embedding models in a local folder: a vector for each token or word, read without a network.

| content of the folder | written by |
|---|---|
| ``model.safetensors`` and ``tokenizer.json`` | model2vec, StaticEmbedding of sentence-transformers |
| one ``.vec``, ``.txt``, or either with ``.gz`` | word2vec in text format, fastText, GloVe |

The vector of a text is the sum of the vectors of its tokens, scaled to unit length: the direction of their
mean, which these libraries use.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tacit.checks import check_text_input
from tacit.compute.cosine import normalize_rows
from tacit.errors import InputError, import_extra
from tacit.storage.content_formats import map_arrays
from tacit.types import Array

MAX_WORDS = 200_000
"""Words that are read from a text file of vectors, which lists the most frequent words first."""

MAX_PIECES = 30_000
"""Words and parts of words of an encoder that a model stores in addition to its own words."""

CONTINUATION = "##"
"""Begins the name of a piece that continues a word."""

_TEXT_SUFFIXES = (".vec", ".txt", ".vec.gz", ".txt.gz")
_WORD_MARKS = "\u2581\u0120"
"""Marks of a token that begins a word, in SentencePiece and in byte-level vocabularies."""


class StaticEncoder:
    """An encoder with a fixed vector for each token.

    Parameters
    ----------
    vectors : array of shape (n_tokens, n_dimensions)
        The vectors of the tokens.
    pieces : dict of str to int
        The rows of whole words, and of parts that continue a word, which begin with "##".
    split : callable
        Returns the token numbers of each text of a list.
    source : dict
        The name and the digest of the files.

    Examples
    --------
    >>> rows = {"tea": 0, "coffee": 1}
    >>> split = lambda texts: [[rows[word] for word in text.split()] for text in texts]
    >>> encoder = StaticEncoder(np.eye(2, dtype=np.float32), rows, split, {"name": "drinks"})
    >>> encoder.encode(["tea", "tea coffee"]).round(2).tolist()
    [[1.0, 0.0], [0.71, 0.71]]
    """

    def __init__(self, vectors: Array, pieces: dict[str, int], split: Any, source: dict[str, str]) -> None:
        self.vectors, self.pieces, self.source = vectors, pieces, source
        self._split = split

    @property
    def n_dimensions(self) -> int:
        """Number of components of a vector."""
        return int(self.vectors.shape[1])

    def encode(self, texts: Sequence[str]) -> Array:
        """Encode texts as unit vectors.

        Parameters
        ----------
        texts : sequence of str
            The texts.

        Returns
        -------
        array of shape (n_texts, n_dimensions)
            The vectors in float32; zeros for a text without a known token.
        """
        return normalize_rows(self.sum_vectors(texts))

    def sum_vectors(self, texts: Sequence[str]) -> Array:
        """Add up the vectors of the tokens of each text.

        Parameters
        ----------
        texts : sequence of str
            Texts, or words of which each is a text.

        Returns
        -------
        array of shape (n_texts, n_dimensions)
            The sums in float32; zeros for a text without a known token.
        """
        check_text_input(texts)
        sums = np.zeros((len(texts), self.n_dimensions), np.float32)
        for row, tokens in enumerate(self._split(list(texts))):
            if len(tokens):
                sums[row] = self.vectors[tokens].sum(axis=0)
        return sums


def load_encoder(path: str | Path) -> StaticEncoder:
    """Load a static embedding model from a local folder or a text file of word vectors.

    Parameters
    ----------
    path : str or Path
        A folder with ``model.safetensors`` and ``tokenizer.json`` (model2vec or sentence-transformers, extra
        ``static``), or a file of word vectors in text format (word2vec, GloVe, fastText), or its folder.

    Returns
    -------
    StaticEncoder
        The encoder, which ``Index``, ``learn`` and ``load`` take as ``encoder``.

    Raises
    ------
    InputError
        If there are no vectors at ``path``, or they do not fit the tokenizer.

    Examples
    --------
    >>> import tacit
    >>> tacit.load_encoder("no/such/folder")
    Traceback (most recent call last):
    tacit.errors.InputError: no encoder at no/such/folder: give a folder with model.safetensors and ...
    """
    root = Path(path)
    if root.is_file():
        return _load_text_file(root)
    tokenizers = sorted(root.rglob("tokenizer.json"))
    if tokenizers:
        return _load_token_vectors(root, tokenizers[0])
    files = sorted(file for file in root.glob("*") if file.name.endswith(_TEXT_SUFFIXES))
    if len(files) == 1:
        return _load_text_file(files[0])
    raise InputError(
        f"no encoder at {path}: give a folder with model.safetensors and tokenizer.json, or a text file of "
        "word vectors (.vec, .txt)"
    )


def _load_token_vectors(root: Path, tokenizer_file: Path) -> StaticEncoder:
    """Load an array of token vectors and the tokenizer beside it."""
    array_file = tokenizer_file.parent / "model.safetensors"
    if not array_file.is_file():
        raise InputError(f"{tokenizer_file.parent} has a tokenizer.json but no model.safetensors: copy both")
    library = import_extra("tokenizers", "reading tokenizer.json", "static")
    try:
        tokenizer = library.Tokenizer.from_file(str(tokenizer_file))
    except Exception as error:  # the library raises plain Exception
        raise InputError(f"{tokenizer_file} is not a tokenizer: {error}") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    vectors = _read_vectors(array_file)
    vocabulary = tokenizer.get_vocab()
    if max(vocabulary.values(), default=0) >= len(vectors):
        raise InputError(
            f"{tokenizer_file} has {max(vocabulary.values()) + 1} tokens, {array_file} {len(vectors)} "
            "vectors: copy the files of one model"
        )
    unknown = getattr(tokenizer.model, "unk_token", None)
    unknown_id = vocabulary.get(unknown, -1) if unknown else -1

    def split(texts: list[str]) -> Iterator[list[int]]:
        for encoding in tokenizer.encode_batch(texts, add_special_tokens=False):
            yield [token for token in encoding.ids if token != unknown_id]

    digest = _digest(array_file, tokenizer_file)
    return StaticEncoder(vectors, _word_pieces(vocabulary), split, {"name": root.name, "sha256": digest})


def _read_vectors(file: Path) -> Array:
    """Return a float32 vector for each token, scaled by the weights of the tokens where there are some."""
    with file.open("rb") as stream:
        arrays = map_arrays(stream, file)
    tables = [array for array in arrays.values() if array.ndim == 2 and array.dtype.kind in "fi"]
    if len(tables) != 1:
        raise InputError(f"{file} has {len(tables)} matrices: the file of a static embedding model has one")
    vectors = np.asarray(tables[0], np.float32)
    if "mapping" in arrays:  # model2vec: several tokens may share a vector
        mapping = arrays["mapping"]
        if mapping.ndim != 1 or mapping.min(initial=0) < 0 or mapping.max(initial=0) >= len(vectors):
            raise InputError(f"{file} maps tokens to vectors that it does not have: copy the model again")
        vectors = vectors[mapping]
    if "weights" in arrays and arrays["weights"].shape == (len(vectors),):
        vectors = vectors * arrays["weights"].astype(np.float32)[:, None]
    return _check_finite(vectors, file)


def _word_pieces(vocabulary: dict[str, int]) -> dict[str, int]:
    """Return the first lower-case tokens of letters by their names as pieces of words.

    >>> _word_pieces({"\u2581Tea": 3, "\u2581tea": 2, "ing": 1, "\u2581a": 0})
    {'a': 0, '##ing': 1, 'tea': 2}
    """
    has_marks = any(token[:1] in _WORD_MARKS for token in vocabulary)
    pieces: dict[str, int] = {}
    for token, row in sorted(vocabulary.items(), key=lambda item: item[1]):
        letters = token.lstrip(_WORD_MARKS).removeprefix(CONTINUATION)
        is_start = token != letters if has_marks else token == letters
        if letters.isalpha() and letters == letters.lower() and len(pieces) < MAX_PIECES:
            pieces[letters if is_start else CONTINUATION + letters] = row
    return pieces


def _load_text_file(file: Path) -> StaticEncoder:
    """Load word vectors from a text file: a word and its numbers in each line, after an optional header."""
    try:
        opened = gzip.open if file.suffix == ".gz" else open
        with opened(file, "rt", encoding="utf-8") as stream:
            lines = list(islice(stream, MAX_WORDS + 1))
        start = 1 if lines and len(lines[0].split()) == 2 else 0  # word2vec: numbers of words and dimensions
        pairs = [line.rstrip().partition(" ")[::2] for line in lines[start:]]
        rows = [np.array(numbers.split(), np.float32) for _, numbers in pairs]
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"{file} is not a text file of word vectors: {error}") from None
    if len({len(row) for row in rows} or {0}) > 1 or not (rows and len(rows[0])):
        raise InputError(f"{file} is not a text file of word vectors: each line needs a word and its numbers")
    row_of: dict[str, int] = {}
    for row, (word, _) in enumerate(pairs):
        row_of.setdefault(word.lower(), row)

    def split(texts: list[str]) -> Iterator[list[int]]:
        for text in texts:
            yield [row_of[token] for token in re.findall(r"\w+", text.lower()) if token in row_of]

    vectors = _check_finite(np.stack(rows), file)
    pieces = dict(islice(row_of.items(), MAX_PIECES))
    return StaticEncoder(vectors, pieces, split, {"name": file.name, "sha256": _digest(file)})


def _check_finite(vectors: Array, file: Path) -> Array:
    if not np.isfinite(vectors).all():
        raise InputError(f"{file} holds NaN or infinity: copy the model again")
    return vectors


def _digest(*files: Path) -> str:
    """Return the SHA-256 of the contents of files."""
    digest = sha256()
    for file in files:
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()
