"""tacit senses: induce the senses of words from text, show them, and disambiguate words."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from tacit.checks import format_count
from tacit.cli import shared_options as shared
from tacit.cli.output import ProgressBar, print_json, print_result, print_stderr
from tacit.errors import InputError
from tacit.workflows import RecordSource, read_lines
from tacit.workflows.loading import load

if TYPE_CHECKING:
    from tacit.senses.base_model import BaseSenseModel
    from tacit.senses.disambiguation import Disambiguation

plot_option = click.option("--plot", help="Draw the contexts in two dimensions, by sense, to this PNG file.")
FEATURES, METHODS = ("positions", "conllu", "spacy"), ("liberal", "conservative", "local")


def _auto_option(flag: str, name: str, help_text: str) -> shared.Decorator:
    return click.option(flag, name, type=shared.AUTO_INT, default="auto", help=help_text)


@click.group(short_help="Induce the senses of words and disambiguate occurrences.")
def senses() -> None:
    """Induce the senses of words from text, print them, and disambiguate a word in a text."""


@senses.command(short_help="Induce the senses of words and save them.")
@click.argument("out")
@shared.source_options("CORPUS...")
@shared.choice_option("--features", FEATURES, "Features of the context of a word.", default="positions")
@click.option("--word", "words", multiple=True, help="Word to induce senses for; may be repeated.")
@click.option("--words", "word_file", help="File of words, one per line.")
@click.option("--pipeline", default="en_core_web_sm", help="Name of the spaCy pipeline.")
@shared.choice_option("--pos", ["noun", "verb"], "Part of speech of the words; needs parsed text.")
@shared.choice_option(
    "--method", METHODS, "Method to find senses; local trains a model for each word.", default="liberal"
)
@click.option(
    "--senses",
    "n_senses",
    type=shared.NON_NEGATIVE_INT,
    default=8,
    help="Number of senses for --method local; 0 chooses the number.",
)
@shared.stemmer_option("en", "Stemmer language, or none.")
@_auto_option("--components", "n_components", "Number of latent dimensions; auto: at most 50.")
@click.option("--iterations", "n_iter", default=50, help="Number of NMF iterations.")
@_auto_option("--clusters", "n_clusters", "Word clusters (not for --method local); auto: at most 600.")
@click.option("--threshold", default=0.12, help="Minimum cosine of a sense (method liberal).")
@click.option("--min-count", default=3, help="Ignore features seen fewer times than this.")
@shared.seed_option
@shared.threads_option
@shared.json_option
def train(
    out: str, source: RecordSource, features: str, words: tuple[str, ...], word_file: str | None,
    pipeline: str, as_json: bool, **settings: Any,
) -> None:  # fmt: skip
    """Induce the senses of words from CORPUS and save them in the folder OUT; on failure nothing is written.

    CORPUS has one paragraph per line, or is a table with --column, or parsed text with --features conllu. The
    method local trains a model for each word separately: name the words with --word or --words.
    """
    from tacit.storage import check_target
    from tacit.workflows.sense_induction import induce_senses, read_passages

    if not source.files:
        raise InputError("nothing to learn from: name files, or - for standard input")
    check_target(out)
    listed = read_lines(word_file) if word_file else ()
    targets = [*words, *(line.strip() for line in listed)] or None
    passages = read_passages(source, features, pipeline)
    started = perf_counter()
    with ProgressBar(writes_at_end=True) as bar:
        model = induce_senses(passages, targets, progress=bar, **settings)
    model.save(out)
    seconds, n_passages = perf_counter() - started, model.n_passages_
    summary = {"model": out, "kind": type(model).__name__, "passages": n_passages}
    summary |= {"words": len(model.words_), "divergence": model.divergence_, "seconds": round(seconds, 3)}
    counts = f"{format_count(len(model.words_), 'word')} from {format_count(n_passages, 'passage')}"
    print_result(summary, [f"{out}: the senses of {counts}, {seconds:.1f} s"], as_json)


@senses.command(short_help="Show the senses of a word.")
@shared.model_argument
@click.argument("word")
@click.option("-k", "--examples", type=shared.NON_NEGATIVE_INT, default=2, help="Examples per sense.")
@plot_option
@shared.json_option
def show(model: str, word: str, examples: int, plot: str | None, as_json: bool) -> None:
    """Print the senses of WORD: similar words, topics, share of the occurrences, example contexts."""
    loaded = load(model, "senses")
    word_senses = loaded.senses(word)
    if plot is not None:
        _draw(loaded, word, [text for sense in word_senses for text in sense.examples], plot)
    if as_json:
        print_json([{**sense.to_dict(), "examples": sense.examples[:examples]} for sense in word_senses])
        return
    if len(word_senses) == 1:
        click.echo(f"{word} has one sense here.")
    for sense in word_senses:
        click.echo(f"sense {sense.number}  {sense.weight:.0%}  {', '.join(sense.words)}")
        for topic in sense.topics:
            click.echo(f"    topic: {', '.join(topic)}")
        for text in sense.examples[:examples]:
            click.echo(f"    e.g. {text}")


@senses.command(short_help="Find the sense of a word in texts.")
@shared.model_argument
@click.argument("word")
@click.argument("text")
@click.option("--explain", "explain", is_flag=True, help="Show the words that decide the sense.")
@plot_option
@shared.json_option
def tag(model: str, word: str, text: str, explain: bool, plot: str | None, as_json: bool) -> None:
    """Print the sense of WORD in TEXT, or in each line if TEXT is a file; - is standard input."""
    loaded = load(model, "senses")
    loaded.senses(word)  # an unknown word is one error, not one for each line
    from_file = text == "-" or Path(text).is_file()
    texts = list(read_lines(text)) if from_file else [text]
    answers = [_disambiguate_line(loaded, word, line, from_file and n) for n, line in enumerate(texts, 1)]
    if plot is not None:
        _draw(loaded, word, texts, plot)
    if as_json:
        values = [answer and answer.to_dict() for answer in answers]
        print_json(values if from_file else values[0])
        return
    for answer, line in zip(answers, texts, strict=True):
        _print_disambiguation(loaded, answer, line, explain)


def _disambiguate_line(model: BaseSenseModel, word: str, text: str, number: int) -> Disambiguation | None:
    """Disambiguate a word in a text; an error in a line of a file, which has a number, is printed."""
    where = f"line {number}: " if number else ""
    try:
        answer = model.disambiguate(word, text)
    except InputError as error:
        if not number:
            raise
        print_stderr(f"{where}{error}")
        return None
    if answer.guessed:
        print_stderr(f"{where}no word around {word!r} is known: its most frequent sense is used")
    return answer


def _print_disambiguation(
    model: BaseSenseModel, answer: Disambiguation | None, line: str, explain: bool
) -> None:
    if answer is None:
        click.echo(f"-\t{line}")
        return
    best = answer.candidates[0]
    click.echo(f"{best.sense}\t{best.share:.3f}\t{line}")
    if explain:
        for candidate in answer.candidates:
            numbers = f"divergence {candidate.divergence:.3f}, {candidate.share:.1%}"
            click.echo(f"    sense {candidate.sense}: {numbers}")
        evidence = [
            f"{model.topics_.surface_form(item.word)} {item.weight:+.3f}" for item in answer.evidence[:8]
        ]
        click.echo(f"    for sense {best.sense}: {', '.join(evidence) or 'it is the only one'}")


def _draw(model: BaseSenseModel, word: str, texts: list[str], path: str) -> None:
    from tacit.senses.plot import plot_contexts

    plot_contexts(model, word, texts, path)
