"""A data folder made up: every file that the papers' tables need, in small."""

from __future__ import annotations

import gzip
import random

from papers.experiments.corpora import CORPORA
from tacit.evaluation import find_task

TOPICS = [
    ["cat", "kitten", "dog", "puppy", "mat", "fur", "tail", "paw", "bark", "purr"],
    ["bank", "loan", "money", "interest", "firm", "pay", "save", "lend", "debt", "rate"],
    ["rain", "wind", "snow", "cloud", "storm", "night", "cold", "sky", "thunder", "ice"],
]


def texts(rng, n):
    return [" ".join(rng.choices(rng.choice(TOPICS), k=6)) for _ in range(n)]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def pairs(rng, n, highest=5):
    """Pairs scored by how many words they share; the first two keep both labels in."""
    rows = list(zip(texts(rng, n), texts(rng, n), strict=True))
    shared = [len({*a.split()} & {*b.split()}) for a, b in rows]
    scores = [highest, 0, *(min(count, highest) for count in shared[2:])]
    return [f"{score}\t{a}\t{b}" for score, (a, b) in zip(scores, rows, strict=True)]


def make_data(root):
    """Fill a data folder with every file that the papers' tables need, in small."""
    rng = random.Random(3)
    glosses = texts(rng, 40)
    synsets = [
        f"{n:08d}-n\tn\thead_{n},word\t{gloss}\tsay {gloss}\tk\t0\t03" for n, gloss in enumerate(glosses)
    ]
    header = "synset\tpos\tlemmas\tdefinition\texamples\tsense_keys\ttag_count\tlexfile"
    write(root / "corpora/wordnet.tsv.gz", [header, *synsets])
    wiktionary = [f"w{n}\tn\t{gloss}\t" for n, gloss in enumerate(texts(rng, 30))]
    write(root / "corpora/wiktionary.tsv.gz", ["word\tpos\tgloss\texamples", *wiktionary])
    write(root / "corpora/brown.txt.gz", texts(rng, 30))
    queries = [f"s{n}\tl\tn\t{' '.join(glosses[n].split()[:4])}\t{n:08d}-n" for n in range(20)]
    write(root / "corpora/ontonotes_cdr.tsv.gz", ["on_sense\tlemma\tpos\tdefinition\twn_synsets", *queries])
    for name in ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews"):
        write(root / f"sts/sts12/test/{name}.tsv", pairs(rng, 12))
        write(root / f"sts/sts12/train/{name}.tsv", pairs(rng, 12))
    columns = ["run", "ALL", "ALLnrm", "Mean", "MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews"]
    runs = [[f"run{n}", *([f"{n / 10}"] * 8)] for n in (-9, 10)]
    write(root / "sts/sts12/official_results.tsv", map("\t".join, [columns, *runs]))
    write(root / "sts/li06/li30_wtmf.tsv", pairs(rng, 30))
    write(root / "sts/li06/li65.tsv", pairs(rng, 65))
    write(root / "sts/li06/li65.index", [f"{n}\t{int(n < 30)}" for n in range(65)])
    for name in ("train", "test"):
        write(root / f"sts/msrp/{name}.tsv", pairs(rng, 20, highest=1))
    for name in ("tatoeba_eng", "wikitext2", "abc_news", "bbc_news", "masc", "reuters21578"):
        write(root / f"corpora/sentences/{name}.txt.gz", texts(rng, 5))
    for task in ("sts13", "sts14", "sts15", "sts16", "stsb", "sick"):
        for path in find_task(task).paths:
            write(root / path, pairs(rng, 8))
    collections(rng, root)
    write_languages(root, rng)


def collections(rng, root):
    """Documents with judgements, and texts with labels."""
    write(root / "kernels/med/docs.tsv", [f"{n}\t{text}" for n, text in enumerate(texts(rng, 60))])
    judged = [f"{query}\t{n}" for query in range(1, 31) for n in range(60) if rng.random() < 0.4]
    write(root / "kernels/med/qrels.tsv", judged)
    labelled = [f"{topic[0]}\t{' '.join(rng.choices(topic, k=5))}" for topic in TOPICS for _ in range(20)]
    rng.shuffle(labelled)
    write(root / "textcat/r8_train.tsv.gz", labelled[:40])
    write(root / "textcat/r8_test.tsv.gz", labelled[40:])
    write(root / "textcat/searchsnippets.tsv.gz", labelled)
    parts = [f"{'train' if n < 40 else 'test'}\t{line}" for n, line in enumerate(labelled)]
    write(root / "textcat/trec_qc.tsv.gz", parts)


def write_languages(root, rng):
    """Pairs whose other side ends its words in the language's code, and the sets to compare them by."""
    for source in CORPORA["parallel"].sources:
        if not (root / source.path).exists():
            write(root / source.path, texts(rng, 20))
    for code, paths in CORPORA["parallel"].parallel.items():
        for path in paths:
            write(root / path, [f"{text}\t{foreign(text, code)}" for text in texts(rng, 30)])
    rows = [line.split("\t") for line in pairs(rng, 20)]
    for code in ("en", "es", "de", "fr"):
        lines = [f"{gold}\t{foreign(a, code)}\t{foreign(b, code)}" for gold, a, b in rows]
        write(root / f"crosslingual/sts/stsb.{code}.dev.tsv", lines)
    mixed = [f"{gold}\t{a}\t{foreign(b, 'es')}" for gold, a, b in rows]
    for name in (
        "sts2016.en-es.news",
        "sts2016.en-es.multisource",
        "sts2017.track3.es-es",
        "sts2014.es.news",
    ):
        write(root / f"crosslingual/sts/{name}.tsv", mixed)


def foreign(text, code):
    return text if code == "en" else " ".join(f"{word}x{code}" for word in text.split())
