"""Princeton WordNet 3.x from its database files: synsets with their glosses, examples and sense keys.

The files are ``data.noun``, ``data.verb``, ``data.adj`` and ``data.adv``; ``wndb(5WN)`` and ``senseidx(5WN)``
describe them. Where they are found is told by :func:`tacit.corpora.wordnet_files.find_wordnet`.

Debian sorts these files anew, so its synset *offsets* differ from Princeton's, while *sense keys* agree: hold
what has to travel between machines by sense key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tacit.corpora.wordnet_files import DATA_FILES, Location, data_lines, find_wordnet, wordnet_in
from tacit.errors import InputError

__all__ = ["Synset", "find_wordnet", "synsets", "texts"]

SS_TYPES = {"n": "1", "v": "2", "a": "3", "r": "4", "s": "5"}
POS = {"n": "n", "v": "v", "a": "a", "r": "r", "s": "a"}

# The examples start at the first quote after a semicolon; a quote before that belongs to the definition, as
# in `promise of reward as in "carrot and stick"`. Some twenty glosses lack a quote: the last example may end
# with the line, and what falls between two examples is no example.
EXAMPLES_START = re.compile(r';\s*(?=")')
QUOTED = re.compile(r'"([^"]*)"?')

Head = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of words that share a meaning.

    ``pos`` is n, v, a or r; an adjective satellite has ``a`` too, and its sense keys have type 5. ``offset``
    is the synset's place in its file. ``lemmas`` are written as in the file (``physical_entity``), without
    the marker of adjectives such as ``(p)``. ``sense_keys`` go with ``lemmas`` one to one, so two lemmas that
    differ in case alone (``Earth``, ``earth``) share a key, as in Princeton's ``index.sense``.

    >>> Synset("n", 1740, ("entity",), "that which is perceived", (), ("entity%1:03:00::",)).id
    '00001740-n'
    """

    pos: str
    offset: int
    lemmas: tuple[str, ...]
    definition: str
    examples: tuple[str, ...]
    sense_keys: tuple[str, ...]

    @property
    def id(self) -> str:
        """The offset in eight digits and the part of speech: ``00001740-n``."""
        return f"{self.offset:08d}-{self.pos}"

    @property
    def words(self) -> tuple[str, ...]:
        """The lemmas as they are written in running text, with spaces."""
        return tuple(lemma.replace("_", " ") for lemma in self.lemmas)


def texts(definition_only: bool = False) -> Iterator[str]:
    """Stream a text a synset: its words, definition and examples, or the definition alone.

    >>> next(texts(definition_only=True))
    'that which is perceived or known or inferred to have its own distinct existence (living or nonliving)'
    """
    found = synsets()
    if definition_only:
        return (synset.definition for synset in found)
    return (" ".join((*synset.words, synset.definition, *synset.examples)) for synset in found)


def synsets(folder: str | Location | None = None) -> Iterator[Synset]:
    """Stream WordNet's synsets: nouns, verbs, adjectives, adverbs, each in the order of its file.

    ``folder`` holds the data files, itself or in its subfolder ``dict``; left out, WordNet is looked for.

    >>> next(synsets()).sense_keys
    ('entity%1:03:00::',)
    """
    location = find_wordnet() if folder is None else wordnet_in(folder)
    if location is None:
        raise InputError(
            f"{folder} holds no WordNet; name the folder with data.noun, data.verb, data.adj, data.adv"
        )
    return _read(location)


def _read(location: Location) -> Iterator[Synset]:
    """Stream the synsets of all four files."""
    for part in DATA_FILES:
        heads = _heads(location) if part == "adj" else {}
        for where, line in data_lines(location, part):
            yield _synset(line, heads, where)


def _heads(location: Location) -> dict[str, Head]:
    """Map each head adjective's offset to its first word and lex_id, which its satellites' keys name."""
    rows = (line.split(" ", 6) for _, line in data_lines(location, "adj"))
    return {row[0]: (row[4], row[5]) for row in rows if row[2:3] == ["a"] and len(row) == 7}


def _synset(line: str, heads: dict[str, Head], where: str) -> Synset:
    """Read one line of a data file: ``offset lex_filenum ss_type w_cnt word lex_id ... | gloss``."""
    try:
        data, _, gloss = line.partition(" | ")
        offset, lexfile, ss_type, n_words, *fields = data.split()
        end = 2 * int(n_words, 16)
        if len(fields) < end:
            raise ValueError(f"{n_words} words announced")
        lemmas = tuple(map(_plain, fields[:end:2]))
        tail = "::"
        if ss_type == "s":  # a satellite's first pointer `&` leads to its head
            head, head_id = heads[fields[fields.index("&", end) + 1]]
            tail = f":{_plain(head).lower()}:{int(head_id, 16):02d}"
        keys = _sense_keys(lemmas, fields[1:end:2], f"%{SS_TYPES[ss_type]}:{lexfile}:", tail)
        return Synset(POS[ss_type], int(offset), lemmas, *_split_gloss(gloss), keys)
    except (ValueError, KeyError, IndexError) as error:
        raise InputError(f"{where} is not a WordNet synset ({error!r}); install WordNet again") from error


def _sense_keys(lemmas: tuple[str, ...], lex_ids: list[str], middle: str, tail: str) -> tuple[str, ...]:
    """Write ``lemma%ss_type:lex_filenum:lex_id:head:head_id`` for each lemma."""
    keys: dict[str, str] = {}
    for lemma, lex_id in zip(lemmas, lex_ids, strict=True):
        # ddC and DDC have a lex_id each in the data files, but Princeton's index.sense has the first alone
        keys.setdefault(lemma.lower(), f"{lemma.lower()}{middle}{int(lex_id, 16):02d}{tail}")
    return tuple(keys[lemma.lower()] for lemma in lemmas)


def _plain(word: str) -> str:
    """Take the syntactic marker off an adjective: ``galore(ip)``."""
    return word.partition("(")[0]


def _split_gloss(gloss: str) -> tuple[str, tuple[str, ...]]:
    """Part a gloss into its definition and its quoted examples, without who is cited for them."""
    definition, *rest = EXAMPLES_START.split(gloss, maxsplit=1)
    quoted = (example.strip() for part in rest for example in QUOTED.findall(part))
    return definition.strip("; \n"), tuple(example for example in quoted if example.strip("; "))
