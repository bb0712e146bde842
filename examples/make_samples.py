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
    "camera": ["compact camera", "digital camera"],
    "headset": ["wireless headset", "bluetooth headset"],
    "kettle": ["electric kettle", "water kettle"],
    "drill": ["cordless drill", "battery drill"],
    "speaker": ["portable speaker", "bluetooth speaker"],
    "toaster": ["two slice toaster", "toaster for two slices"],
}
COLORS = ["black", "silver", "white", "red"]

ANSWERS = {
    "pay": [
        "the pay is too low for this kind of work",
        "salaries have not kept up with prices",
        "I would like a fair raise every year",
        "the bonus is never explained",
        "other companies in town pay better",
    ],
    "hours": [
        "I like that I can choose my own hours",
        "too much overtime before every deadline",
        "the shifts change at short notice",
        "working from home two days a week is great",
        "I hardly see my family because of late shifts",
    ],
    "team": [
        "my colleagues are friendly and always help",
        "the team works well together",
        "people share what they know",
        "new colleagues are welcomed warmly",
        "there is too little contact between the teams",
    ],
    "management": [
        "my manager listens and gives clear feedback",
        "decisions are made without asking us",
        "goals change every few weeks",
        "managers should tell us earlier about changes",
        "I never get feedback from my manager",
    ],
    "tools": [
        "the computers are slow and old",
        "we need better software for planning",
        "the new laptops are a big improvement",
        "the printer on our floor is always broken",
        "too many tools that do the same thing",
    ],
    "training": [
        "there should be more training for new machines",
        "I learned a lot in the courses this year",
        "no time to attend any training",
        "the online courses are boring",
        "please offer language courses again",
    ],
    "canteen": [
        "the food in the canteen is good and cheap",
        "more vegetarian meals in the canteen please",
        "the canteen is too crowded at noon",
        "the coffee is terrible",
        "the parking lot is full every morning",
    ],
}
ADDITIONS = ["", "", "", "", ", in my opinion", ", as in the years before", ", I think"]
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


def make_products(rng: random.Random, n: int = 110) -> list[dict[str, object]]:
    """Return offers of two shops, which write the same product differently; many model numbers are alike."""
    rows: list[dict[str, object]] = []
    for _ in range(n):
        kind = rng.choice(list(KINDS))
        brand, color = rng.choice(BRANDS), rng.choice(COLORS)
        letters, number = rng.choice(["DX", "K", "MT", "S"]), 10 * rng.randint(10, 60)
        price = rng.randint(15, 240) + 0.99
        first = f"{brand} {letters}-{number} {KINDS[kind][0]}, {color}"
        second = f"{brand.lower()} {letters.lower()}{number} {color} {KINDS[kind][1]}"
        if rng.random() < 0.9:
            rows.append({"name": first, "shop": "A", "price": f"{price:.2f}"})
        if rng.random() < 0.9:
            rows.append({"name": second, "shop": "B", "price": f"{price - rng.randint(-9, 9):.2f}"})
    rng.shuffle(rows)
    return [{"id": number, **row} for number, row in enumerate(rows, 1)]


def make_answers(rng: random.Random, n: int = 220) -> list[dict[str, object]]:
    """Return answers to "What should we keep or change?" with department and rating."""
    rows: dict[str, dict[str, object]] = {}
    while len(rows) < n:
        first, second = (rng.choice(phrases) for phrases in rng.sample(list(ANSWERS.values()), 2))
        text = first + (rng.choice(ADDITIONS) if rng.random() < 0.6 else f"; {second}")
        row = {
            "answer": text[0].upper() + text[1:],
            "department": rng.choice(DEPARTMENTS),
            "rating": rng.randint(1, 5),
        }
        rows.setdefault(text, row)
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
