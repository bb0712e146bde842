"""A saved classifier, asked in lists."""

from __future__ import annotations

from typing import Any


class ServedClassifier:
    """A classifier and the names of its classes."""

    def __init__(self, classifier: Any) -> None:
        self.classifier = classifier
        self.classes = [str(name) for name in classifier.classes_]

    def classify(self, texts: list[str]) -> list[tuple[str, list[float]]]:
        """The class of each text, and the probability of each class."""
        rows = self.classifier.predict_proba(texts)
        best = rows.argmax(axis=1).tolist()
        shown = rows.round(6).tolist()
        return [(self.classes[place], row) for place, row in zip(best, shown, strict=True)]
