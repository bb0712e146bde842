"""CoNLL-U reader: stream parsed text as passages.

``# newpar`` and ``# newdoc`` start a passage; in a file without them every sentence is a passage. Multiword
ranges (``3-4``) and empty nodes (``3.1``) are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from tacit.corpora.lines import numbered_lines, strip_line_end
from tacit.corpora.sources import Source, display_name, prefetch_first
from tacit.corpora.table_rows import Reader
from tacit.errors import InputError

if TYPE_CHECKING:
    from tacit.corpora.passages import Passage

_COLUMNS = 10
_MAX_HEAD_DIGITS = 9  # int() raises an error for thousands of digits
Token = tuple[str, list[str]]
"""The location of a token, for error messages, and its cells."""


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
    return prefetch_first(_group_sentences(source))


def _group_sentences(source: Source) -> Iterator[Passage]:
    """Join the sentences of each paragraph; before the first paragraph mark, each sentence is a passage."""
    from tacit.corpora.passages import Passage

    passage = Passage([], [])
    has_paragraphs = False
    for starts_paragraph, tokens in _sentences(source):
        if passage.forms and (starts_paragraph or not has_paragraphs):
            yield passage
            passage = Passage([], [])
        has_paragraphs = has_paragraphs or starts_paragraph
        _append_sentence(passage, tokens)
    if passage.forms:
        yield passage


def _sentences(source: Source) -> Iterator[tuple[bool, list[Token]]]:
    """Stream sentences: whether a paragraph starts with it, and its tokens."""
    name = display_name(source)
    starts_paragraph = False
    for is_blank, block in groupby(numbered_lines(source), lambda item: not item[1].strip()):
        tokens: list[Token] = []
        for number, line in () if is_blank else block:
            where, cells = f"{name}, line {number}", strip_line_end(line).split("\t")
            if line.startswith("#"):
                starts_paragraph = starts_paragraph or line[1:].lstrip().startswith(("newpar", "newdoc"))
            elif len(cells) != _COLUMNS:
                expected = f"CoNLL-U has {_COLUMNS}, separated by tabs"
                raise InputError(f"{where} has {len(cells)} columns: {expected}")
            elif cells[0].isdecimal():
                tokens.append((where, cells))
            elif not cells[0].replace("-", "").replace(".", "").isdecimal():  # "3-4" or "3.1" is skipped
                raise InputError(f"{where}: the id {cells[0]!r:.20} is not a number")
        if tokens:
            yield starts_paragraph, tokens
            starts_paragraph = False


def _append_sentence(passage: Passage, tokens: list[Token]) -> None:
    """Append the tokens of a sentence to a passage."""
    first = len(passage.forms)
    for position, (where, cells) in enumerate(tokens):
        identifier, form, lemma, tag, _, _, head, relation, _, _ = cells
        if identifier != str(position + 1):
            raise InputError(f"{where}: the id is {identifier:.20}, expected {position + 1}")
        if not head.isdecimal() or len(head) > _MAX_HEAD_DIGITS or int(head) > len(tokens):
            raise InputError(
                f"{where}: the head {head!r:.20} is not a number from 0 to {len(tokens)}; "
                "the file needs dependency parses"
            )
        passage.forms.append(form)
        passage.terms.append((form if lemma == "_" else lemma).lower())
        passage.tags.append(tag)
        passage.relations.append(relation)
        passage.heads.append(first + (int(head) - 1 if head != "0" else position))


CONLLU = Reader("CoNLL-U", (".conllu",))
READERS = (CONLLU,)
