"""Write the invented files that the notebooks and the pages of the documentation use.

    python examples/make_data.py FOLDER

writes ``tickets.csv``, ``shop_a.csv`` and ``shop_b.csv``, ``survey.csv``, ``en-es.tsv`` and ``articles.csv``.
``python examples/make_data.py --samples`` writes the sample collections of the page of ``tacit serve``.
Texts are made from patterns with several words for the same thing.
The seed is fixed, so each run writes the same.
"""

from __future__ import annotations

import csv
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "src/tacit/server/page/samples"

WORDS = {
    "charged": ["charged", "billed", "debited"],
    "twice": ["twice", "two times", "double"],
    "refund": ["refund", "reimbursement", "money back"],
    "parcel": ["parcel", "package", "delivery"],
    "courier": ["courier", "driver", "postman"],
    "login": ["log in", "sign in", "get into my account"],
    "password": ["password", "passcode", "login code"],
    "broken": ["broken", "cracked", "damaged"],
    "thing": ["lamp", "kettle", "keyboard", "headset", "camera", "printer"],
    "order": ["my order", "the order", "my last order", "an order of May"],
    "late": ["late", "delayed", "overdue"],
    "please": ["please", "could you", "can you"],
}
"""Words that a pattern chooses from; those of a line mean the same or stand for the same kind of thing."""

TICKETS = {
    "billing": [
        "I was {charged} {twice} for {order}",
        "my card was {charged} {twice} for the {thing}",
        "my bank account was {charged} {twice}, {please} check {order}",
        "the invoice of {order} has a wrong amount",
        "{please} send the invoice for the {thing} again",
        "the {refund} for the {thing} has not reached my bank account",
        "when do I get the {refund} for {order}",
        "I returned the {thing} and wait for the {refund}",
    ],
    "delivery": [
        "the {parcel} with the {thing} is {late}",
        "where is the {parcel} with {order}, it is {late}",
        "the {courier} left the {parcel} at a wrong address",
        "the {courier} did not ring and took the {parcel} back",
        "{please} change the address of the {parcel}",
        "tracking says that the {courier} has the {parcel} for days, it is {late}",
    ],
    "account": [
        "I cannot {login}, my {password} does not work",
        "I forgot my {password} and cannot {login}",
        "{please} reset my {password}",
        "the mail with the new {password} never arrives",
        "since the update I cannot {login} on my phone",
        "my account is locked after a wrong {password}",
    ],
    "product": [
        "the {thing} arrived {broken}",
        "the screen of the {thing} is {broken}",
        "the {thing} does not turn on and its cable is {broken}",
        "the {thing} makes a loud noise and gets hot",
        "a part of the {thing} is missing in the box",
        "{please} exchange the {broken} {thing}",
    ],
}

BRANDS = ["Norvik", "Calder", "Ostra", "Belmont", "Tamsin", "Quill", "Harrow", "Lindal"]
KINDS = {
    "wireless headset": "bluetooth headphones with microphone",
    "electric kettle": "water kettle 1.7 l",
    "desk lamp": "led lamp for the desk",
    "laser printer": "printer laser mono",
    "compact camera": "digital camera compact",
    "mechanical keyboard": "keyboard mechanical usb",
}
COLORS = ["black", "silver", "white", "red"]

ANSWERS = {
    "pay": [
        "the {pay} is too low for this work",
        "{pay} should follow the prices",
        "a yearly rise of the {pay}",
        "other firms offer a better {pay} and a bonus",
    ],
    "hours": [
        "fewer {shift} at short notice",
        "I hardly see my family because of the {shift}",
        "let us plan our own {shift}",
        "the plan of the {shift} changes every week",
    ],
    "tools": [
        "the {computer} is old and slow",
        "a faster {computer} would save an hour a day",
        "the {computer} crashes when I print",
        "we wait for the {computer} every morning",
    ],
    "food": [
        "the {canteen} is crowded at noon",
        "more vegetables in the {canteen}",
        "the coffee of the {canteen} is weak",
        "the {canteen} is good and cheap",
    ],
    "leaders": [
        "my {manager} gives no feedback",
        "the {manager} decides without asking us",
        "my {manager} listens and explains decisions",
        "goals of the {manager} change every month",
    ],
}
SURVEY_WORDS = {
    "pay": ["pay", "salary", "wage"],
    "shift": ["late shifts", "night shifts", "overtime hours"],
    "computer": ["computer", "laptop", "software"],
    "canteen": ["canteen", "cafeteria", "lunch room"],
    "manager": ["manager", "boss", "team leader"],
}
ENDINGS = ["", "", "", ", I think", ", as last year", " at our site", " in my team"]

PAIRS = {
    "my {a} was {b}": "mi {a} fue {b}",
    "the {a} is {b}": "el {a} está {b}",
    "where is my {a}": "dónde está mi {a}",
    "I cannot find the {a}": "no encuentro el {a}",
    "please cancel the {a}": "por favor cancele el {a}",
    "the {a} arrived {b}": "el {a} llegó {b}",
    "how do I change the {a}": "cómo cambio el {a}",
    "how do I pay the {a}": "cómo pago el {a}",
    "a {b} {a} was returned": "un {a} {b} fue devuelto",
    "the {a} did not arrive": "el {a} no llegó",
}
NOUNS = {
    "parcel": "paquete",
    "order": "pedido",
    "payment": "pago",
    "refund": "reembolso",
    "password": "código",
    "invoice": "recibo",
    "ticket": "billete",
    "train": "tren",
    "flight": "vuelo",
    "seat": "asiento",
    "suitcase": "equipaje",
    "bus": "autobús",
}
STATES = {
    "late": "retrasado",
    "lost": "perdido",
    "rejected": "rechazado",
    "damaged": "dañado",
    "cancelled": "cancelado",
    "blocked": "bloqueado",
    "expensive": "caro",
    "paid": "pagado",
}
ARTICLES = [
    ("en", "What to do if a parcel arrives damaged"),
    ("en", "A late parcel: how long to wait"),
    ("en", "How to cancel an order"),
    ("en", "Change the password of a blocked account"),
    ("en", "How long a refund takes"),
    ("en", "Pay an invoice by card"),
    ("en", "A rejected payment: what to check"),
    ("en", "Change the seat of a flight"),
    ("en", "A lost suitcase at the airport"),
    ("es", "Vuelo cancelado: pida el reembolso"),
    ("es", "El tren llegó retrasado"),
    ("es", "Equipaje dañado en el vuelo"),
    ("es", "Cambiar un billete de autobús"),
    ("es", "El recibo no llegó"),
    ("es", "Pedido pagado y perdido"),
]


def fill(pattern: str, words: dict[str, list[str]], rng: random.Random) -> str:
    """Replace each name in braces by one of its words."""
    return re.sub(r"{(\w+)}", lambda match: rng.choice(words[match[1]]), pattern)


def distinct(make: Callable[[], tuple[object, ...]], n: int, position: int) -> Iterator[list[object]]:
    """Yield n rows, numbered from 1, whose text at a position differs from those before."""
    seen: set[object] = set()
    while len(seen) < n:
        row = make()
        if row[position] not in seen:
            seen.add(row[position])
            yield [len(seen), *row]


def make_tickets(n: int = 320, seed: int = 1) -> list[list[object]]:
    """Return tickets as id, team, day and message."""
    rng = random.Random(seed)

    def make() -> tuple[object, ...]:
        team = rng.choice(list(TICKETS))
        return team, random_day(rng), fill(rng.choice(TICKETS[team]), WORDS, rng)

    return list(distinct(make, n, 2))


def make_shops(n: int = 150, seed: int = 2) -> tuple[list[list[object]], list[list[object]]]:
    """Return offers of two shops as id, offer, price and the number of the product.

    Every fifth product is sold by one shop only, and the second shop leaves out every fourth model number.
    """
    rng, numbers = random.Random(seed), random.Random(seed).sample(range(100, 1000), n)
    a, b = [], []
    for number in numbers:
        brand, kind, color = rng.choice(BRANDS), rng.choice(list(KINDS)), rng.choice(COLORS)
        letters, price, kept = rng.choice(["DX", "K", "MT"]), rng.randint(20, 250), rng.random()
        if kept > 0.1:
            a.append([f"A{len(a) + 1}", f"{brand} {letters}-{number} {kind}, {color}", f"{price}.00", number])
        if kept < 0.9:
            code = f" {letters.lower()}{number}" if rng.random() > 0.25 else ""
            offer = f"{KINDS[kind]} {brand.lower()}{code} {color}"
            b.append([f"B{len(b) + 1}", offer, f"{price + rng.randint(-5, 5)}.50", number])
    rng.shuffle(b)
    return a, b


def make_offers(n: int = 120, seed: int = 7) -> list[list[object]]:
    """Return offers of one shop as id, offer and price; about half of the products are offered twice."""
    rng, rows = random.Random(seed), list[list[object]]()
    for number in random.Random(seed).sample(range(100, 1000), n):
        brand, kind, color = rng.choice(BRANDS), rng.choice(list(KINDS)), rng.choice(COLORS)
        letters, price = rng.choice(["DX", "K", "MT"]), rng.randint(20, 250)
        rows.append([f"{brand} {letters}-{number} {kind}, {color}", f"{price}.00"])
        code = rng.choice([f"{letters}-{number}", f"{letters} {number}"])
        again = [f"{kind} {brand} {code} ({color})", f"{color} {kind} by {brand}, model {code}"]
        if rng.random() < 0.5:
            rows.append([rng.choice(again), f"{price + rng.randint(0, 5)}.50"])
    rng.shuffle(rows)
    return [[number, *row] for number, row in enumerate(rows, 1)]


def make_survey(n: int = 200, seed: int = 3) -> list[list[object]]:
    """Return answers as id, country, day and answer; people in Norway write more often about their shifts."""
    rng = random.Random(seed)

    def make() -> tuple[object, ...]:
        country = rng.choice(["Norway", "Italy", "Poland"])
        weights = [1, 4 if country == "Norway" else 1, 1, 1, 1]
        topic = rng.choices(list(ANSWERS), weights)[0]
        answer = fill(rng.choice(ANSWERS[topic]), SURVEY_WORDS, rng) + rng.choice(ENDINGS)
        return country, random_day(rng), answer

    return list(distinct(make, n, 2))


def make_translations(seed: int = 4) -> list[tuple[str, str]]:
    """Return English texts with their translations to Spanish."""
    rng, pairs = random.Random(seed), dict[str, str]()
    for english, spanish in PAIRS.items():
        for a in NOUNS:
            for b in rng.sample(list(STATES), 4):
                pairs[english.format(a=a, b=b)] = spanish.format(a=NOUNS[a], b=STATES[b])
    return list(pairs.items())


def random_day(rng: random.Random) -> str:
    """Return a day of the first half of a year."""
    return f"2026-{rng.randint(1, 6):02d}-{rng.randint(1, 28):02d}"


def write_table(
    path: Path, header: Sequence[str], rows: Sequence[Sequence[object]], delimiter: str = ","
) -> None:
    """Write a table with a header, or without one if it is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows(
            [*([header] if header else []), *rows]
        )


def write_data(folder: Path) -> None:
    """Write all files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    a, b = make_shops()
    write_table(folder / "tickets.csv", ["id", "team", "day", "message"], make_tickets())
    write_table(folder / "shop_a.csv", ["id", "offer", "price", "product"], a)
    write_table(folder / "shop_b.csv", ["id", "offer", "price", "product"], b)
    write_table(folder / "survey.csv", ["id", "country", "day", "answer"], make_survey())
    write_table(folder / "en-es.tsv", [], make_translations(), "\t")
    articles = [(number, *article) for number, article in enumerate(ARTICLES, 1)]
    write_table(folder / "articles.csv", ["id", "language", "title"], articles)


def write_samples(folder: Path = SAMPLES) -> None:
    """Write the sample collections of the page to a folder."""
    write_table(folder / "tickets.csv", ["id", "team", "day", "message"], make_tickets(240, 7))
    write_table(folder / "products.csv", ["id", "offer", "price"], make_offers())
    write_table(folder / "survey.csv", ["id", "country", "day", "answer"], make_survey(220))


if __name__ == "__main__":
    if sys.argv[1:] == ["--samples"]:
        write_samples()
    else:
        write_data(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
