"""tacit senses: the senses of words, induced from text, and which of them a word has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from tacit.cli.common import (
    AutoOr,
    complain,
    json_option,
    model_argument,
    print_json,
    progress,
    threads_option,
    verb,
)
from tacit.cli.reading_options import table_options
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.corpora import ReadOptions
    from tacit.corpora.passages import Passage
    from tacit.senses.answers import Disambiguation, Sense
    from tacit.senses.inducer import SenseInducer

plot_option = click.option("--plot", help="Draw the contexts in two dimensions, by sense, to this PNG file.")
METHODS = ("liberal", "conservative", "local")


@click.group(short_help="Induce the senses of words, and tell which one is meant.")
def senses() -> None:
    """Induce the senses of words from text, show them, and tell which one a word has in a text."""


@senses.command(short_help="Learn the senses of words and write them to a folder.")
@click.argument("out")
@click.argument("corpus", metavar="CORPUS...", nargs=-1)
@click.option("--features", type=click.Choice(["positions", "conllu", "spacy"]), default="positions")
@click.option("--pos", type=click.Choice(["noun", "verb"]), help="Words of one kind; needs a parse.")
@click.option("--word", "words", multiple=True, help="A word to find senses of; again for more.")
@click.option("--words", "word_file", help="A file of words to find senses of, one a line.")
@click.option("--method", type=click.Choice(METHODS), default="liberal", show_default=True)
@click.option("--senses", "n_senses", type=click.IntRange(min=0), help="For local: how many; 0 chooses.")
@click.option("--pipeline", default="en_core_web_sm", show_default=True, help="spaCy's, installed.")
@table_options
@click.option("--language", default="en", show_default=True, help="Code for the stemmer, or none.")
@click.option("--components", type=AutoOr(int), default="auto", help="Latent dimensions; auto: 50 at most.")
@click.option("--iterations", default=50, show_default=True, help="Of the factorization.")
@click.option(
    "--clusters",
    type=AutoOr(int),
    default="auto",
    help="Of words, but for local; auto: 600 at most.",
)
@click.option("--threshold", default=0.12, show_default=True, help="The least cosine of a liberal sense.")
@click.option("--min-count", default=3, show_default=True, help="Leave out what is seen fewer times.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random start.")
@threads_option
@json_option
@verb
def train(
    out: str,
    corpus: tuple[str, ...],
    features: str,
    pos: str | None,
    words: tuple[str, ...],
    word_file: str | None,
    method: str,
    n_senses: int | None,
    pipeline: str,
    column: str | None,
    reading: ReadOptions,
    language: str,
    components: int | str,
    iterations: int,
    clusters: int | str,
    threshold: float,
    min_count: int,
    seed: int,
    threads: int | None,
    as_json: bool,
) -> None:
    """Learn the senses of words from CORPUS and write them to the folder OUT, whole or not at all.

    CORPUS is one paragraph a line, a column of a table, or with --features conllu parsed text. The method
    local learns each word by itself: name the words.
    """
    from tacit.corpora import read_lines
    from tacit.errors import InputError
    from tacit.senses.local_model import LocalSenseModel
    from tacit.senses.model import SenseModel
    from tacit.storage import check_target

    if not corpus:
        raise InputError("nothing to learn from: name files, or - for standard input")
    check_target(out)
    spoken = None if language.lower() == "none" else language
    shared: dict[str, Any] = {
        "pos": pos, "language": spoken, "stop_words": "english" if spoken == "en" else None,
        "n_components": components, "n_iter": iterations, "min_count": min_count,
        "random_state": seed, "n_threads": threads,
    }  # fmt: skip
    model: SenseInducer
    if method == "local":
        model = LocalSenseModel(n_senses=8 if n_senses is None else n_senses or None, **shared)
    else:
        model = SenseModel(selection=method, n_clusters=clusters, threshold=threshold, **shared)
    listed = read_lines(word_file) if word_file else ()
    asked = [*words, *(line.strip() for line in listed)] or None
    started = perf_counter()
    _fit(model, _passages(corpus, features, column, reading, pipeline), asked)
    model.save(out)
    _report(model, out, perf_counter() - started, as_json)


@senses.command(short_help="Show the senses of a word.")
@model_argument
@click.argument("word")
@click.option(
    "-k", "--examples", type=click.IntRange(min=0), default=2, show_default=True, help="Of each sense."
)
@plot_option
@json_option
@verb
def show(model: str, word: str, examples: int, plot: str | None, as_json: bool) -> None:
    """Show the senses of WORD: words used alike, topics, share of the occurrences, example contexts."""
    loaded = load(model, "senses")
    found = loaded.senses(word)
    if plot is not None:
        _draw(loaded, word, [text for sense in found for text in sense.examples], plot)
    if as_json:
        print_json([{**sense.to_dict(), "examples": sense.examples[:examples]} for sense in found])
        return
    if len(found) == 1:
        click.echo(f"{word} has one sense here.")
    for sense in found:
        _show(sense, examples)


@senses.command(short_help="Tell which sense a word has in texts.")
@model_argument
@click.argument("word")
@click.argument("text")
@click.option("--explain", "explained", is_flag=True, help="Say which words of the text decide.")
@plot_option
@json_option
@verb
def tag(model: str, word: str, text: str, explained: bool, plot: str | None, as_json: bool) -> None:
    """Tell which sense WORD has in TEXT, or in each line of a file of that name; - is standard input."""
    from tacit.corpora import read_lines

    loaded = load(model, "senses")
    loaded.senses(word)  # an unknown word is told once
    from_file = text == "-" or Path(text).is_file()
    texts = list(read_lines(text)) if from_file else [text]
    answers = [_answer(loaded, word, line, from_file and n) for n, line in enumerate(texts, 1)]
    if plot is not None:
        _draw(loaded, word, texts, plot)
    if as_json:
        found = [answer and answer.to_dict() for answer in answers]
        print_json(found if from_file else found[0])
        return
    for answer, line in zip(answers, texts, strict=True):
        _tell(loaded, answer, line, explained)


def _answer(model: SenseInducer, word: str, text: str, number: int) -> Disambiguation | None:
    """What is said of a text; of a line of a file, which has a number, what cannot be answered is told."""
    from tacit.errors import InputError

    where = f"line {number}: " if number else ""
    try:
        answer = model.disambiguate(word, text)
    except InputError as error:
        if not number:
            raise
        complain(f"{where}{error}")
        return None
    if answer.guessed:
        complain(f"{where}no word around {word!r} is known: its commonest sense is taken")
    return answer


def _passages(
    sources: tuple[str, ...], features: str, column: str | None, reading: ReadOptions, pipeline: str
) -> Iterator[str] | Iterator[Passage]:
    """What a corpus has, file after file; a file that cannot be read is reported before work starts."""
    from tacit.corpora import open_corpus, open_passages
    from tacit.senses.passages import load_spacy, spacy_passages

    def opened(source: str) -> Iterator[Any]:
        return open_passages(source) if features == "conllu" else open_corpus(source, column, reading)

    nlp = load_spacy(pipeline) if features == "spacy" else None
    for source in sources:
        if source != "-" and not Path(source).is_fifo():  # a pipe can be read only once
            opened(source)
    texts = chain.from_iterable(opened(source) for source in sources)
    return spacy_passages(texts, nlp) if nlp is not None else texts


def _fit(model: SenseInducer, corpus: Any, words: list[str] | None) -> None:
    """Train under a progress bar."""
    with progress("{task.fields[note]}") as bar:
        tasks = {
            "passages": bar.add_task("reading", total=None, note=""),
            "iterations": bar.add_task("factorizing", total=model.n_iter, note="", visible=False),
            "words": bar.add_task("words", total=len(words or []), note="", visible=False),
        }

        def note(what: str, done: int, loss: float) -> None:
            shown = f"{done:,} {what}" + (f" divergence {loss:,.0f}" if loss == loss else "")
            bar.update(tasks[what], completed=done, note=shown, visible=True)

        model.callback = note
        try:
            model.fit(corpus, words)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("stopped; nothing was written") from None


def _report(model: SenseInducer, out: str, seconds: float, as_json: bool) -> None:
    summary = {
        "model": out,
        "kind": type(model).__name__,
        "passages": model.n_passages_,
        "words": len(model.words_),
        "divergence": model.divergence_,
        "seconds": round(seconds, 3),
    }
    if as_json:
        print_json(summary)
    else:
        click.echo(
            f"{out}: the senses of {summary['words']:,} words from {model.n_passages_:,} passages, "
            f"{seconds:.1f} s"
        )


def _show(sense: Sense, examples: int) -> None:
    click.echo(f"sense {sense.number}  {sense.weight:.0%}  {', '.join(sense.words)}")
    for topic in sense.topics:
        click.echo(f"    topic: {', '.join(topic)}")
    for text in sense.examples[:examples]:
        click.echo(f"    e.g. {text}")


def _tell(model: SenseInducer, answer: Disambiguation | None, line: str, explained: bool) -> None:
    if answer is None:
        click.echo(f"-\t{line}")
        return
    best = answer.candidates[0]
    click.echo(f"{best.sense}\t{best.share:.3f}\t{line}")
    if explained:
        for candidate in answer.candidates:
            click.echo(
                f"    sense {candidate.sense}: divergence {candidate.divergence:.3f}, {candidate.share:.1%}"
            )
        told = [f"{model.topics_.surface(item.word)} {item.weight:+.3f}" for item in answer.evidence[:8]]
        click.echo(f"    for sense {best.sense}: {', '.join(told) or 'it is the only one'}")


def _draw(model: SenseInducer, word: str, texts: list[str], path: str) -> None:
    from tacit.senses.plot import draw_contexts

    draw_contexts(model, word, texts, path)
