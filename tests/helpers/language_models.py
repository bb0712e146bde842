"""Small models of several languages, and the texts they learn from."""

from __future__ import annotations

from tacit import WTMF, BilingualWMF, TextModel, TextVectorizer

ENGLISH = [
    "the cat sleeps on the sofa",
    "a kitten sleeps on a mat",
    "the dog chases a cat",
    "my puppy chases the kitten",
    "the bank raised the rate",
    "a lender raised its rates in 2012",
    "the bank lends money",
    "money for 1,000 loans",
    "zubrowka lends money to the bank",
]
PAIRS = {
    "es": [
        ("the cat sleeps", "el gato duerme"),
        ("a kitten sleeps on the sofa", "un gatito duerme en el sofá"),
        ("the dog chases the cat", "el perro persigue al gato"),
        ("my puppy chases a kitten", "mi cachorro persigue a un gatito"),
        ("the bank raised the rate", "el banco subió la tasa"),
        ("the bank lends money", "el banco presta dinero"),
        ("money for loans in 2012", "dinero para préstamos en 2012"),
    ],
    "de": [
        ("the cat sleeps", "die Katze schläft"),
        ("the dog chases the cat", "der Hund jagt die Katze"),
        ("the bank raised the rate", "die Bank erhöhte den Zins"),
        ("the bank lends money", "die Bank verleiht Geld"),
    ],
}


def vectorizer() -> TextVectorizer:
    return TextVectorizer.paper(min_df=1, accents="strip")


def pivot(**options) -> TextModel:
    given = {"n_components": 4, "missing_weight": 0.1, "regularization": 0.5, "n_iter": 20, **options}
    return WTMF(vectorizer(), **given).fit(ENGLISH).model_


def bilingual(**options) -> TextModel:
    rows = [(en, es, None) for en, es in PAIRS["es"]] + [(en, None, de) for en, de in PAIRS["de"]]
    rows += [(text, None, None) for text in ENGLISH]
    given = {"n_components": 4, "missing_weight": 0.1, "regularization": 0.5, "n_iter": 20, **options}
    return BilingualWMF(["en", "es", "de"], vectorizer(), **given).fit(rows).model_
