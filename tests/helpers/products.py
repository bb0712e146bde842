"""Two lists of products with model codes, as two shops would write them."""

from __future__ import annotations

import random

BRANDS = ["Sony", "Canon", "Nikon", "Panasonic", "Olympus", "Samsung", "Garmin", "Bose"]
KINDS = ["camera", "camcorder", "headphones", "speaker", "navigator", "lens", "printer", "monitor"]
COLORS = ["black", "silver", "white", "red"]
EXTRAS = ["with battery", "kit", "bundle", "refurbished", "new", "retail box"]


def product_lists(n: int = 120, seed: int = 0, n_alone: int = 0) -> tuple[list[str], list[str]]:
    """Return two lists of n products, the same row of both being the same product.

    The first ``n_alone`` products are left out of the second list.
    """
    rng, a, b, codes = random.Random(seed), [], [], set[str]()
    while len(a) < n:
        letters, number = "".join(rng.choices("DWSKXMT", k=2)), rng.randint(100, 999)
        if f"{letters}{number}" in codes:
            continue
        codes.add(f"{letters}{number}")
        brand, kind, color = rng.choice(BRANDS), rng.choice(KINDS), rng.choice(COLORS)
        a.append(f"{brand} {letters}-{number} {kind}, {color}")
        b.append(f"{kind} {brand.lower()} {letters.lower()}{number} {color} {rng.choice(EXTRAS)}")
    return a, b[n_alone:]
