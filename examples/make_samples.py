"""Write the sample collections of the page: invented tickets, product offers and survey answers.

    python examples/make_samples.py [FOLDER]

The texts are combined from the phrases below with a fixed seed, so that each run writes the same files.
"""

from __future__ import annotations

import csv
import random
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "src/tacit/server/page/samples"
SEED = 7

TICKETS = {
    "billing": [
        "I was charged twice for {order}",
        "the invoice for {order} shows the wrong amount",
        "my card was charged but {order} was cancelled",
        "please send me a receipt for {order}",
        "why is there a fee of 3 euros on my bill",
        "the discount code was not applied to {order}",
        "my bank says the payment was refused",
        "I paid for {order} and got no confirmation",
    ],
    "refund": [
        "the refund for {order} has not reached my account",
        "I want my money back for {order}",
        "when will I get the refund for the {thing} I returned",
        "only half of the price was refunded",
        "the {thing} was returned a month ago and nothing was paid back",
    ],
    "login": [
        "I forgot my password",
        "the link to reset my password has expired",
        "my account is locked after three tries",
        "I cannot sign in with my email address",
        "the code for the login never arrives on my phone",
        "the app logs me out every few minutes",
        "how do I change the email address of my account",
    ],
    "delivery": [
        "where is {order}",
        "my parcel with the {thing} has not arrived",
        "the courier left {order} at a wrong address",
        "the tracking page says delivered but the parcel is not here",
        "delivery of the {thing} is two weeks late",
        "can I change the delivery address of {order}",
        "{order} arrived with an open box",
    ],
    "defect": [
        "the screen of my {thing} is broken",
        "the {thing} does not turn on any more",
        "the battery of the {thing} is empty after an hour",
        "the {thing} makes a loud noise",
        "the {thing} stopped working after the update",
        "the {thing} gets very hot when it charges",
        "a button of the {thing} is stuck",
    ],
    "order": [
        "please cancel {order}",
        "I ordered the wrong color of the {thing}",
        "a {thing} is missing in {order}",
        "can I still add a {thing} to {order}",
        "when will the {thing} be in stock again",
        "I got a {thing} that I did not order",
    ],
}
THINGS = [
    "phone",
    "headset",
    "camera",
    "tablet",
    "printer",
    "coffee machine",
    "vacuum cleaner",
    "keyboard",
    "lamp",
]
OPENINGS = ["", "", "", "Hello, ", "Hi, ", "Good morning, "]
CLOSINGS = ["", "", "", "", ", please help", ", what can I do?", ", thank you"]

BRANDS = ["Norvik", "Calder", "Ostra", "Belmont", "Tamsin", "Quill"]
KINDS = {
    "compact camera": ["12 megapixels", "with case", "4x zoom"],
    "wireless headset": ["noise cancelling", "with microphone", "foldable"],
    "electric kettle": ["1.7 liters", "stainless steel", "cordless"],
    "cordless drill": ["18 volts", "two batteries", "with bit set"],
    "portable speaker": ["waterproof", "20 watts", "with radio"],
    "two slice toaster": ["wide slots", "850 watts", "with crumb tray"],
    "laser printer": ["duplex", "30 pages per minute", "with network"],
    "desk lamp": ["dimmable", "warm white", "with USB port"],
}
COLORS = ["black", "silver", "white", "red"]

ANSWERS = {
    "pay": (
        ["the pay", "my salary", "the yearly bonus", "the hourly wage"],
        ["is too low", "does not keep up with prices", "is fair", "should be higher", "is never explained"],
    ),
    "hours": (
        ["the shift plan", "the working time", "the overtime on weekends", "the night shift"],
        [
            "changes at short notice",
            "leaves no time for my family",
            "should be planned earlier",
            "is better now",
        ],
    ),
    "team": (
        ["the colleagues in my team", "the people I work with", "most of my colleagues"],
        ["help each other", "share what they know", "welcome new people warmly", "are friendly and honest"],
    ),
    "management": (
        ["my manager", "the head of our department", "the management"],
        [
            "listens to us",
            "never gives feedback",
            "changes the goals every week",
            "decides without asking us",
        ],
    ),
    "computers": (
        ["the computers", "the laptops", "the printers on our floor"],
        ["are slow and old", "crash every day", "need an update", "are a big improvement"],
    ),
    "training": (
        ["the training courses", "the online courses", "the language courses", "courses for new machines"],
        ["taught me a lot", "are boring", "should be offered again", "are always full"],
    ),
    "canteen": (
        ["the food in the canteen", "the lunch menu", "the coffee in the canteen", "the vegetarian meal"],
        ["is good and cheap", "is cold and expensive", "is the same every week", "could be healthier"],
    ),
}
ADDITIONS = ["", "", "", ", in my opinion", ", as in the years before", ", I think", " since last year"]
DEPARTMENTS = ["sales", "production", "service", "office"]


def make_tickets(rng: random.Random, n: int = 240) -> list[dict[str, object]]:
    """Return support tickets with the date and the channel they came by."""
    rows: dict[str, dict[str, object]] = {}
    while len(rows) < n:
        phrase = rng.choice(rng.choice(list(TICKETS.values())))
        order = rng.choice(["my order", f"the order {rng.randint(1000, 9999)}", "my last order"])
        text = phrase.format(order=order, thing=rng.choice(THINGS))
        text = rng.choice(OPENINGS) + text + rng.choice(CLOSINGS)
        date = f"2026-{rng.randint(1, 6):02d}-{rng.randint(1, 28):02d}"
        channel = rng.choice(["email", "chat", "phone"])
        rows.setdefault(text, {"message": text[0].upper() + text[1:], "date": date, "channel": channel})
    return [{"id": number, **row} for number, row in enumerate(rows.values(), 1)]


def make_products(rng: random.Random, n: int = 120) -> list[dict[str, object]]:
    """Return product offers; about half of the products are offered twice, in other words."""
    rows: list[dict[str, object]] = []
    for number in rng.sample(range(100, 1000), n):
        kind, brand, color = rng.choice(list(KINDS)), rng.choice(BRANDS), rng.choice(COLORS)
        code, price = rng.choice(["DX", "KL", "MT", "SV"]), rng.randint(15, 240) + 0.99
        first, second = rng.sample(KINDS[kind], 2)
        names = [f"{brand} {code}-{number} {kind}, {color}, {first}"]
        if rng.random() < 0.5:
            again = [
                f"{brand} {code}-{number} {kind} {color}",
                f"{kind} {brand} {code}-{number} {first} ({color})",
            ]
            names.append(
                rng.choice([*again, f"{brand} {code.lower()}{number} {color} {kind} {first} {second}"])
            )
        rows += [{"name": name, "price": f"{price + 2 * rng.randint(0, 3):.2f}"} for name in names]
    rng.shuffle(rows)
    return [{"id": number, **row} for number, row in enumerate(rows, 1)]


def make_answers(rng: random.Random, n: int = 220) -> list[dict[str, object]]:
    """Return answers to "What should we keep or change?" with department and rating."""
    rows: dict[str, dict[str, object]] = {}
    while len(rows) < n:
        subjects, judgements = rng.choice(list(ANSWERS.values()))
        text = f"{rng.choice(subjects)} {rng.choice(judgements)}{rng.choice(ADDITIONS)}"
        answer, department = text[0].upper() + text[1:], rng.choice(DEPARTMENTS)
        rows.setdefault(text, {"answer": answer, "department": department, "rating": rng.randint(1, 5)})
    return [{"id": number, **row} for number, row in enumerate(rows.values(), 1)]


def write_samples(folder: Path) -> None:
    """Write one CSV file for each sample collection."""
    for name, make in (("tickets", make_tickets), ("products", make_products), ("survey", make_answers)):
        rows = make(random.Random(SEED))
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    write_samples(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
