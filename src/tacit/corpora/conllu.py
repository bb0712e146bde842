"""CoNLL-U reader: stream parsed text as passages.

``# newpar`` and ``# newdoc`` start a passage; in a file without them every sentence is a passage. Multiword
ranges (``3-4``) and empty nodes (``3.1``) are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.corpora.passages import Passage
from tacit.corpora.readers import CONLLU, find_reader
from tacit.corpora.sources import Source, display_name, prefetch_first
from tacit.errors import InputError

_COLUMNS = 10
_MAX_HEAD_DIGITS = 9  # int() raises an error for thousands of digits
Token = tuple[int, list[str]]
"""The number of a line and its cells."""
Sentence = tuple[bool, list[Token]]
"""Whether a paragraph starts with the sentence, and its tokens."""


def read_conllu(source: Source) -> Iterator[Passage]:
    """Stream the passages of a CoNLL-U file; errors name the line.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = ["1 Cats cat NOUN _ _ 2 nsubj _ _", "2 sleep sleep VERB _ _ 0 root _ _"]
    >>> lines = "\\n".join(row.replace(" ", "\\t") for row in rows)
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "cats.conllu")
    ...     _ = path.write_text(lines, encoding="utf-8")
    ...     next(read_conllu(path))
    Passage(forms=['Cats', 'sleep'], terms=['cat', 'sleep'], tags=['NOUN', 'VERB'],
            relations=['nsubj', 'root'], heads=[1, 1])
    """
    return prefetch_first(_group_sentences(_sentences(source), display_name(source)))


def read_passages(source: Source) -> Iterator[Passage]:
    """Stream the passages of a file; InputError if its suffix is that of another format.

    >>> read_passages("faq.csv")
    Traceback (most recent call last):
    tacit.errors.InputError: faq.csv is CSV: expected parsed text in CoNLL-U
    """
    from tacit.corpora.conllu import read_conllu

    reader = find_reader(source, CONLLU)
    if reader is not CONLLU:
        raise InputError(f"{display_name(source)} is {reader.name}: expected parsed text in {CONLLU.name}")
    return read_conllu(source)


def _group_sentences(sentences: Iterator[Sentence], name: str) -> Iterator[Passage]:
    """Join the sentences of each paragraph; before the first paragraph mark, each sentence is a passage."""
    passage = Passage([], [])
    has_paragraphs = False
    for starts_paragraph, tokens in sentences:
        if passage.forms and (starts_paragraph or not has_paragraphs):
            yield passage
            passage = Passage([], [])
        has_paragraphs = has_paragraphs or starts_paragraph
        _append_sentence(passage, tokens, name)
    if passage.forms:
        yield passage


def _sentences(source: Source) -> Iterator[Sentence]:
    """Stream the sentences of a file."""
    starts_paragraph = False
    tokens: list[Token] = []
    for number, line in numbered_lines(source):
        line = strip_line_end(line)
        if not line.strip():
            if tokens:
                yield starts_paragraph, tokens
                starts_paragraph, tokens = False, []
        elif line.startswith("#"):
            starts_paragraph = starts_paragraph or line[1:].lstrip().startswith(("newpar", "newdoc"))
        else:
            cells = line.split("\t")
            if len(cells) != _COLUMNS:
                where = f"{display_name(source)}, line {number}"
                raise InputError(
                    f"{where} has {len(cells)} columns: CoNLL-U has {_COLUMNS}, separated by tabs"
                )
            if cells[0].isdecimal():
                tokens.append((number, cells))
            elif not _is_range_or_empty_node(cells[0]):
                raise InputError(
                    f"{display_name(source)}, line {number}: the id {cells[0]!r:.20} is not a number"
                )
    if tokens:
        yield starts_paragraph, tokens


def _is_range_or_empty_node(identifier: str) -> bool:
    """Return whether an id is that of a multiword range or an empty node."""
    return identifier.replace("-", "").replace(".", "").isdecimal()


def _append_sentence(passage: Passage, tokens: list[Token], name: str) -> None:
    """Append the tokens of a sentence to a passage."""
    first = len(passage.forms)
    for position, (number, cells) in enumerate(tokens):
        identifier, form, lemma, tag, _, _, head, relation, _, _ = cells
        if identifier != str(position + 1):
            raise InputError(f"{name}, line {number}: the id is {identifier:.20}, expected {position + 1}")
        if not head.isdecimal() or len(head) > _MAX_HEAD_DIGITS or int(head) > len(tokens):
            raise InputError(
                f"{name}, line {number}: the head {head!r:.20} is not a number from 0 to {len(tokens)}; "
                "the file needs a parse"
            )
        passage.forms.append(form)
        passage.terms.append((form if lemma == "_" else lemma).lower())
        passage.tags.append(tag)
        passage.relations.append(relation)
        passage.heads.append(first + (int(head) - 1 if head != "0" else position))
