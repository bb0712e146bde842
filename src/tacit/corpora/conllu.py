"""CoNLL-U: what parsers of any language write, streamed as passages.

``# newpar`` and ``# newdoc`` begin a passage; in a file without them every sentence is a passage of its own.
Multiword ranges (``3-4``) and empty nodes (``3.1``) are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.corpora.passages import Passage
from tacit.corpora.readers import CONLLU, find_reader
from tacit.corpora.sources import Source, display_name, prefetch_first
from tacit.errors import InputError

_COLUMNS = 10
_MAX_HEAD_DIGITS = 9  # Python refuses to read numbers of thousands of digits
Cells = list[str]
Sentence = tuple[bool, list[tuple[int, Cells]]]


def read_conllu(source: Source) -> Iterator[Passage]:
    """Stream the passages of a CoNLL-U file, plain or gzip; a broken line is named.

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
    """Stream the passages of parsed text in CoNLL-U.

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
    """Join the sentences of a paragraph, once paragraphs have been marked."""
    passage = Passage([], [])
    marked = False
    for begins, tokens in sentences:
        if passage.forms and (begins or not marked):
            yield passage
            passage = Passage([], [])
        marked = marked or begins
        _append_sentence(passage, tokens, name)
    if passage.forms:
        yield passage


def _sentences(source: Source) -> Iterator[Sentence]:
    """Stream the sentences, each with whether a paragraph begins with it."""
    begins = False
    tokens: list[tuple[int, Cells]] = []
    for number, line in numbered_lines(source):
        line = strip_line_end(line)
        if not line.strip():
            if tokens:
                yield begins, tokens
                begins, tokens = False, []
        elif line.startswith("#"):
            begins = begins or line[1:].lstrip().startswith(("newpar", "newdoc"))
        else:
            cells = line.split("\t")
            if len(cells) != _COLUMNS:
                where = f"{display_name(source)}, line {number}"
                raise InputError(
                    f"{where} has {len(cells)} columns, not the {_COLUMNS} of CoNLL-U with tabs between"
                )
            if cells[0].isdecimal():
                tokens.append((number, cells))
            elif not _is_range_or_empty_node(cells[0]):
                raise InputError(
                    f"{display_name(source)}, line {number}: the id {cells[0]!r:.20} is no number"
                )
    if tokens:
        yield begins, tokens


def _is_range_or_empty_node(identifier: str) -> bool:
    """Whether an id is that of a multiword range or an empty node."""
    return identifier.replace("-", "").replace(".", "").isdecimal()


def _append_sentence(passage: Passage, tokens: list[tuple[int, Cells]], name: str) -> None:
    """Put the tokens of a sentence behind those of a passage."""
    first = len(passage.forms)
    for place, (number, cells) in enumerate(tokens):
        identifier, form, lemma, tag, _, _, head, relation, _, _ = cells
        if identifier != str(place + 1):
            raise InputError(
                f"{name}, line {number}: the id is {identifier:.20}, and {place + 1} is expected"
            )
        if not head.isdecimal() or len(head) > _MAX_HEAD_DIGITS or int(head) > len(tokens):
            raise InputError(
                f"{name}, line {number}: the head {head!r:.20} is not a number from 0 to {len(tokens)}; "
                "the file needs a parse"
            )
        passage.forms.append(form)
        passage.terms.append((form if lemma == "_" else lemma).lower())
        passage.tags.append(tag)
        passage.relations.append(relation)
        passage.heads.append(first + (int(head) - 1 if head != "0" else place))
