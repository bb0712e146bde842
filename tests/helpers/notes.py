"""Fifteen notes about three things, a model of them and an index."""

from __future__ import annotations

from tacit import WTMF, Index, TextVectorizer

NOTES = """\
my card was declined at the shop
the shop declined my payment card
payment by card failed
the payment failed twice
card payment was declined
I forgot my password
reset my password please
how do I reset the password
forgot the login and password
the login page asks for a password
where is my parcel
the parcel has not arrived
delivery of my parcel is late
my delivery has not arrived
late delivery, where is it""".splitlines()


def notes_model() -> WTMF:
    vectorizer = TextVectorizer(min_df=1)
    return WTMF(vectorizer, n_components=4, missing_weight=0.1, regularization=1.0).fit(NOTES)


def notes_index(model: WTMF) -> Index:
    index = Index(model)
    index.add(NOTES, columns=[{"line": line} for line in range(len(NOTES))])
    return index
