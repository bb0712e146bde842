"""What train and add-language share: reading pairs of texts, and learning from them."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import complain, counted, print_json, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.corpora import ReadOptions
    from tacit.models.text_model import TextModel
    from tacit.text.vectorizer import TextVectorizer

Pairs = list[tuple[str, str]]


def train_parallel(
    out: str,
    parallel: tuple[str, ...],
    languages: tuple[str, ...],
    monolingual: tuple[str, ...],
    method: str,
    vectorizer: TextVectorizer,
    options: dict[str, Any],
    reading: ReadOptions,
    as_json: bool,
) -> None:
    """Learn a model of several languages and write it to a folder."""
    codes = _codes(parallel, languages)
    alone = _alone(monolingual, reading)
    started = time.perf_counter()
    pairs = [
        read_pairs_shown(_files(file), pair, reading) for file, pair in zip(parallel, codes, strict=True)
    ]
    text = {**vectorizer.get_params(), "accents": "strip"}
    learn = _bilingual if method == "bilingual" else _pivot
    model = learn(codes, pairs, alone, text, options)
    model.save(out)
    report(model, out, time.perf_counter() - started, as_json)


def _codes(parallel: tuple[str, ...], languages: tuple[str, ...]) -> list[tuple[str, str]]:
    """The two codes of every file, all with the same pivot first."""
    from tacit.errors import InputError
    from tacit.text.codes import check_codes

    if not parallel or len(languages) != len(parallel):
        raise InputError(
            f"{len(parallel)} --parallel and {len(languages)} --languages: name the languages of each file, "
            "as --parallel FILE.tsv --languages en,es"
        )
    found: list[tuple[str, str]] = []
    for given in languages:
        codes = check_codes(given.split(","))
        if len(codes) != 2:
            raise InputError(f"--languages {given}: give the two of the file, as en,es")
        if found and codes[0] != found[0][0]:
            raise InputError(f"--languages {given}: the first language must be {found[0][0]!r} in every file")
        found.append((codes[0], codes[1]))
    return found


def _files(given: str) -> list[str]:
    """One file, or two with a comma between."""
    one, comma, other = given.partition(",")
    return [one, other] if comma and not Path(given).exists() else [given]


def _alone(monolingual: tuple[str, ...], reading: ReadOptions) -> Iterator[str]:
    """Texts of the pivot alone; a file that cannot be read is reported before work starts."""
    from tacit.corpora import open_corpus

    for source in monolingual:
        open_corpus(source, options=reading)
    return chain.from_iterable(open_corpus(source, options=reading) for source in monolingual)


def read_pairs_shown(files: list[str], codes: tuple[str, str], reading: ReadOptions) -> Pairs:
    """All pairs of a file, under a progress bar; a warning where the languages look swapped."""
    from tacit.corpora import read_parallel
    from tacit.errors import InputError
    from tacit.text.language_detection import describe_mismatch

    with progress("{task.fields[note]}") as bar:
        task = bar.add_task("reading pairs", total=None, note="")
        pairs = list(counted(read_parallel(files, codes, reading), bar, task))
    if not pairs:
        raise InputError(
            f"{' and '.join(files)}: no pairs; put a text, a tab and its translation on each line"
        )
    for side, (code, name) in enumerate(zip(codes, ("first", "second"), strict=True)):
        found = describe_mismatch(
            [pair[side] for pair in pairs], code, f"the {name} texts of {' and '.join(files)}"
        )
        if found:
            complain(f"warning: {found}")
    return pairs


def _bilingual(
    codes: list[tuple[str, str]], pairs: list[Pairs], alone: Iterator[str], text: Any, options: Any
) -> TextModel:
    from tacit.cli.verbs.train import fit_shown
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.bilingual import BilingualWMF

    others = list(dict.fromkeys(code for _, code in codes))
    model = BilingualWMF([codes[0][0], *others], TextVectorizer(**text), **options)

    def rows() -> Iterator[tuple[str | None, ...]]:
        for (_, code), each in zip(codes, pairs, strict=True):
            place = others.index(code)
            for left, right in each:
                yield (left, *(right if number == place else None for number in range(len(others))))
        for one in alone:
            yield (one, *(None for _ in others))

    fit_shown(model, rows())
    return model.model_


def _pivot(
    codes: list[tuple[str, str]], pairs: list[Pairs], alone: Iterator[str], text: Any, options: Any
) -> TextModel:
    """The pivot learns from the texts it has alone, or else from its side of the pairs."""
    from tacit.cli.verbs.train import fit_shown
    from tacit.text.codes import stemmer_language
    from tacit.text.vectorizer import TextVectorizer
    from tacit.training.wtmf import WTMF

    first = codes[0][0]
    wtmf = WTMF(TextVectorizer(**{**text, "language": stemmer_language(first)}), language=first, **options)
    texts = list(alone) or [left for each in pairs for left, _ in each]
    fit_shown(wtmf, iter(texts))
    model = wtmf.model_
    together: dict[str, Pairs] = {}
    for (_, code), each in zip(codes, pairs, strict=True):
        together.setdefault(code, []).extend(each)
    for code, each in together.items():
        add_shown(model, code, each)
    return model


def add_shown(model: TextModel, code: str, pairs: Pairs, **options: Any) -> None:
    """Add a language under a spinning bar."""
    with progress() as bar:
        bar.add_task(f"learning {code}", total=None)
        model.add_language(code, pairs, **options)


def report(model: TextModel, out: str, seconds: float, as_json: bool) -> None:
    """What was learnt, language by language."""
    languages = {
        code: {"words": language.n_trained, "texts": language.vectorizer.n_texts_}
        for code, language in model.languages.items()
    }
    if as_json:
        facts = {"model": out, "trainer": model.provenance["trainer"], "languages": languages}
        print_json({**facts, "seconds": round(seconds, 3)})
        return
    parts = [
        f"{code} {each['words']:,} words from {each['texts']:,} texts" for code, each in languages.items()
    ]
    click.echo(f"{out}: {', '.join(parts)}, {seconds:.1f} s")
