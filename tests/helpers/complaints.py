"""Complaints of customers about four things, texts with known themes."""

from __future__ import annotations

import random

TOPICS = {
    "delivery": "parcel delivery courier address tracking package depot driver",
    "payment": "card payment invoice refund bank charge receipt amount",
    "login": "password account login email code username browser session",
    "phone": "screen battery charger camera speaker button microphone display",
}
FILLERS = ["the", "my", "with", "for", "a", "please", "again", "still", "wrong", "late", "slow", "today"]


def complaints(n: int = 400, seed: int = 0) -> tuple[list[str], list[str]]:
    """Return texts of four words of a topic and two others, and their topics in turn."""
    rng = random.Random(seed)
    topics = [list(TOPICS)[number % len(TOPICS)] for number in range(n)]
    words = {topic: vocabulary.split() for topic, vocabulary in TOPICS.items()}
    texts = []
    for topic in topics:
        a, b, c, d = rng.sample(words[topic], 4)
        texts.append(f"{a} {rng.choice(FILLERS)} {b} {c} {rng.choice(FILLERS)} {d}")
    return texts, topics
