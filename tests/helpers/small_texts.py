"""Small collections in English and German, and digests of what is learned from them."""

from __future__ import annotations

import hashlib

from tacit import TextModel

ENGLISH = [
    "the cat sleeps on the warm mat",
    "a kitten is a young cat",
    "our dog barks at the cat next door",
    "a puppy is a young dog",
    "the kitten plays with the puppy on the mat",
    "the bank lends money to the firm",
    "a loan from the bank costs interest",
    "the bank pays interest on money you save",
    "the firm pays interest on its loan",
    "ask the bank to lend you money for a month",
]
GERMAN = [
    "die Katze schläft auf der warmen Matte",
    "ein Kätzchen ist eine junge Katze",
    "unser Hund bellt die Katze des Nachbarn an",
    "ein Welpe ist ein junger Hund",
    "das Kätzchen spielt mit dem Welpen auf der Matte",
    "die Bank leiht der Firma Geld",
    "ein Kredit von der Bank kostet Zinsen",
    "die Bank zahlt Zinsen auf das gesparte Geld",
    "die Firma zahlt Zinsen für ihren Kredit",
    "bitte die Bank, dir für einen Monat Geld zu leihen",
]


def model_digest(model: TextModel) -> str:
    """A digest of the words, their vectors, the languages and how their texts are read."""
    digest = hashlib.sha256()
    for code, language in model.languages.items():
        parameters = sorted(language.vectorizer.get_params().items(), key=str)
        digest.update(repr((code, parameters, language.vectorizer.words_.terms)).encode())
        digest.update(language.word_vectors.tobytes())
    return digest.hexdigest()
