"""Two thousand tickets as a table that somebody might have: ids, teams, links, and what people wrote."""

from __future__ import annotations

import csv
import io
import random

TEAMS = {
    "billing": "card payment invoice refund charge price subscription bank receipt amount",
    "login": "password account login email code sign reset locked username browser",
    "post": "parcel delivery courier address late arrived box tracking shipped return",
    "phone": "screen battery phone charger broken camera sound button update slow",
}
SAYINGS = [
    "my {} and the {} do not work since the {}",
    "where is the {}, I only see a {} and a {}",
    "please help with the {}: the {} says {}",
    "the {} was wrong, so I sent the {} and the {} again",
    "is there a way to change the {} without a {} or a {}",
]


def tickets(n: int = 2000) -> str:
    """A CSV file, the same every time."""
    dice = random.Random(7)
    file = io.StringIO()
    table = csv.writer(file)
    table.writerow(["id", "team", "open", "link", "message"])
    for number in range(n):
        team = list(TEAMS)[number % len(TEAMS)]
        words = dice.sample(TEAMS[team].split(), 3)
        text = SAYINGS[dice.randrange(len(SAYINGS))].format(*words)
        table.writerow(
            [f"T{number:04}", team, ["yes", "no"][number % 3 == 0], f"https://tickets.test/{number}", text]
        )
    return file.getvalue()
