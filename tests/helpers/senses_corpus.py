"""A small world in which *chip* has two senses."""

from __future__ import annotations

import random

COMPUTING = ["processor", "memory", "silicon", "cache", "circuit", "computer", "software", "vendor", "laptop"]
FOOD = ["potato", "salt", "fish", "vinegar", "snack", "oil", "kitchen", "dinner", "recipe", "plate"]


def corpus(n=400, seed=0, word="chip"):
    chance = random.Random(seed)
    texts = []
    for _ in range(n):
        topic = chance.choice((COMPUTING, FOOD))
        words = chance.sample(topic, 6)
        if chance.random() < 0.7:
            words.insert(3, word)
        texts.append(" ".join(words))
    return texts
