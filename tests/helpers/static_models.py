"""Small static embedding models in files, with vectors that are learned from text here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from helpers.notes import NOTES
from helpers.small_texts import ENGLISH
from tacit import WTMF, TextVectorizer
from tacit.storage.content_formats import encode_arrays

MORE = """\
the courier brings the package
a package is a parcel
the courier delivers a parcel
money is sent by a transfer
a transfer is a payment
a transfer of money to the shop
a secret code is a password
type the secret code to log in
the code of the login""".splitlines()


@cache
def word_vectors() -> tuple[list[str], np.ndarray]:
    """Words and their vectors."""
    vectorizer = TextVectorizer(min_df=1, normalize="none")
    model = WTMF(vectorizer, n_components=6, missing_weight=0.1, regularization=1.0)
    model = model.fit([*NOTES, *ENGLISH, *MORE]).model_
    return model.pivot.vectorizer.words_.terms, model.pivot.word_vectors.astype(np.float32)


def write_token_model(folder: Path, name: str = "embeddings", **arrays: np.ndarray) -> Path:
    """Write model.safetensors and a WordPiece tokenizer.json, with the pieces ##s and [UNK]."""
    words, vectors = word_vectors()
    tokens = ["[UNK]", *words, "##s"]
    tokenizer = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    rows = np.concatenate([np.full((1, 6), 9), vectors, np.full((1, 6), 0.01)]).astype(np.float32)
    with (folder / "model.safetensors").open("wb") as file:
        file.writelines(encode_arrays(arrays or {name: rows}))
    return folder


def write_text_vectors(file: Path, header: bool) -> Path:
    """Write the vectors as text, with the header of word2vec or without."""
    words, vectors = word_vectors()
    lines = [f"{word} {' '.join(f'{x:.6f}' for x in row)}" for word, row in zip(words, vectors, strict=True)]
    start = [f"{len(words)} 6"] if header else []
    file.write_text("\n".join([*start, *lines]) + "\n", encoding="utf-8")
    return file


class TextEncoder:
    """An encoder of texts that is not static: it counts what it encoded."""

    def __init__(self) -> None:
        self.n_encoded = 0

    def encode(self, texts: list[str]) -> np.ndarray:
        """Average the vectors of the words."""
        words, vectors = word_vectors()
        row_of = dict(zip(words, vectors, strict=True))
        self.n_encoded += len(texts)
        zero = np.zeros(6)
        return np.array(
            [np.sum([row_of.get(w, zero) for w in t.lower().split()] or [zero], 0) for t in texts]
        )
