"""Folders changed and sealed again: every checksum is right, and nothing else need be.

What is changed follows from the folder alone: each file that the config names by its digest, read by its
ending, and every value of the config.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from tacit.storage import config as configs
from tacit.storage import content_formats

Arrays = dict[str, NDArray[Any]]

WILD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 3, 5, 10**6, 10**9, 10**18, 10**30, -(10**18), 2**31, 2**31 - 1, 2**63),
    *(
        0.0,
        -0.0,
        0.5,
        1e-300,
        1e300,
        -1.5,
        1e-45,
        "",
        "x",
        "en",
        "xx",
        "none",
        "stem",
        "\0",
        "../../etc/passwd",
    ),
    *("a" * 10_000, [], [1], ["x"], {}, {"a": 1}, [[]], "plain", "raw", "log", "auto", "blend", "zh", "1e9"),
    *("TextModel", "Index", "SenseModel", "LocalSenseModel", "TextClassifier", "ExponentialKernel"),
]
NUMBERS = [0, 1, -1, 2, 100, 10**6, 2**31 - 1, -(2**31), 2**62, -(2**62), 1e30, -1e30, 1e-40, 3.4e38, 255]
TYPES = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
CELLS = [b"", b"-1", b"0", b"99999999999999999999", b"x", b"1e3", b"\xef\xbf\xbf", b"\xcc\x81", b" ", b"\r"]
OURS = ("format", "files", "tensors", "vocabulary", "parts", "checksum")
"""What the seal itself is made of."""


@dataclass
class Folder:
    """A folder as values: its config, the bytes of its files, and of those that hold arrays the arrays."""

    config: dict[str, Any]
    files: dict[str, bytes]
    arrays: dict[str, Arrays] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, folder: Path) -> Folder:
        config = json.loads((folder / "config.json").read_bytes())
        config.pop("checksum")
        files = {entry["name"]: (folder / entry["name"]).read_bytes() for entry in entries(config)}
        arrays = {name: load(data) for name, data in files.items() if name.endswith(".safetensors")}
        return cls(config, files, arrays)

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))

    def copy(self) -> Folder:
        arrays = {name: dict(found) for name, found in self.arrays.items()}
        return Folder(deepcopy(self.config), dict(self.files), arrays)

    def write(self, folder: Path) -> None:
        """Seal and write: every digest, size and description is that of what is there."""
        folder.mkdir(exist_ok=True)
        for name in os.listdir(folder):
            os.unlink(folder / name)
        for entry in entries(self.config):
            name = entry["name"]
            data = packed(self.arrays[name]) if name in self.arrays else self.files[name]
            self._describe(name, data)
            if "tensors" in entry:
                entry["tensors"] = content_formats.describe_arrays(self.arrays[name])
            digest = sha256(data).hexdigest()
            entry |= {"name": re.sub("-[0-9a-f]{16}", f"-{digest[:16]}", name)}
            entry |= {"size": len(data), "sha256": digest}
            (folder / entry["name"]).write_bytes(data)
        (folder / "config.json").write_bytes(configs.encode_config(self.config))

    def _describe(self, name: str, data: bytes) -> None:
        if name in self.arrays and name.startswith("model"):
            self.config["tensors"] = content_formats.describe_arrays(self.arrays[name])
        if name.startswith("vocabulary"):
            lines = data.decode("utf-8", "replace").split("\n")[:-1]
            self.config["vocabulary"] = content_formats.describe_table(
                [tuple(line.split("\t")) for line in lines]
            )


def packed(arrays: Arrays) -> bytes:
    return save({name: np.ascontiguousarray(array) for name, array in arrays.items()})


def entries(config: Any) -> Iterator[dict[str, Any]]:
    """Every place of a config that names a file by its digest."""
    if isinstance(config, dict):
        if {"name", "sha256", "size"} <= set(config):
            yield config
        else:
            for value in list(config.values()):
                yield from entries(value)
    elif isinstance(config, list):
        for value in config:
            yield from entries(value)


def forged(folder: Folder, seed: int) -> Folder:
    """A copy with one to three changes; the same seed makes the same ones."""
    chance, found = random.Random(seed), folder.copy()
    for _ in range(chance.choice((1, 1, 1, 1, 2, 3))):
        change = chance.choices((change_value, change_array, change_lines), (2, 7, 2))[0]
        change(found, chance)
    return found


def change_value(folder: Folder, chance: random.Random) -> None:
    paths = [path for path in paths_of(folder.config) if path[0] not in OURS]
    path = chance.choice(paths)
    place: Any = folder.config
    for step in path[:-1]:
        place = place[step]
    old = place[path[-1]]
    if chance.random() < 0.15:
        del place[path[-1]]
    elif isinstance(old, int | float) and chance.random() < 0.6:
        place[path[-1]] = old * chance.choice((0, 2, -1, 3, 0.5, 100)) + chance.choice((0, 0, 1, -1))
    else:
        place[path[-1]] = deepcopy(chance.choice(WILD))
    folder.done.append(f"config {path}: {place.get(path[-1]) if isinstance(place, dict) else '...'!r:.40}")


def paths_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = []
    for key, inner in items:
        found += [(*path, key), *paths_of(inner, (*path, key))]
    return found


def change_array(folder: Folder, chance: random.Random) -> None:
    where = chance.choice([name for name in folder.arrays if folder.arrays[name]])
    arrays = folder.arrays[where]
    name = chance.choice(sorted(arrays))
    change = chance.choices(list(ARRAY_CHANGES), [weight for weight, _ in ARRAY_CHANGES.values()])[0]
    if change == "drop":
        del arrays[name]
    elif change == "exchange":
        arrays[name] = arrays[chance.choice(sorted(arrays))]
    else:
        arrays[name] = ARRAY_CHANGES[change][1](arrays[name], chance)
    folder.done.append(f"array {name}: {change}")


def some_places(array: NDArray[Any], chance: random.Random) -> list[int]:
    return [chance.randrange(array.size) for _ in range(chance.choice((1, 1, 3, 10)) if array.size else 0)]


def odd_numbers(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    found = array.copy()
    for place in some_places(array, chance):
        limits = np.finfo(array.dtype) if array.dtype.kind == "f" else np.iinfo(array.dtype)
        number = min(max(chance.choice(NUMBERS), limits.min), limits.max)
        found.reshape(-1)[place] = number if array.dtype.kind == "f" else int(number)
    return found


def own_numbers(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    """Numbers that stand elsewhere in the array, in order if they were: they often pass the door."""
    found = array.copy()
    flat = found.reshape(-1)
    for place in some_places(array, chance):
        flat[place] = array.reshape(-1)[chance.randrange(array.size)]
    return np.sort(found) if array.ndim == 1 and np.all(array[1:] >= array[:-1]) else found


def scaled(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    if array.dtype.kind != "f":
        return own_numbers(array, chance)
    with np.errstate(all="ignore"):
        return (array * chance.choice((1e-30, 1e-6, -1, 0.5, 2, 1e6, 1e18))).astype(array.dtype)


def shuffled(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    order = np.random.default_rng(chance.randrange(2**32)).permutation(array.size)
    return array.reshape(-1)[order].reshape(array.shape)


def other_bytes(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    raw = bytearray(array.tobytes())
    for _ in range(chance.choice((1, 4, 16)) if raw else 0):
        raw[chance.randrange(len(raw))] = chance.randrange(256)
    return np.frombuffer(bytes(raw), array.dtype).reshape(array.shape)


def other_shape(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    shapes: list[tuple[int, ...]] = [(0,), (), (0, 0), (1,), (3, 4, 5), (*array.shape, 1)]
    return np.zeros(chance.choice(shapes), array.dtype)


def other_type(array: NDArray[Any], chance: random.Random) -> NDArray[Any]:
    with np.errstate(all="ignore"):
        return array.astype(chance.choice(TYPES))


ARRAY_CHANGES: dict[str, tuple[int, Callable[[NDArray[Any], random.Random], NDArray[Any]]]] = {
    "drop": (1, odd_numbers),
    "exchange": (1, odd_numbers),
    "odd numbers": (4, odd_numbers),
    "own numbers": (6, own_numbers),
    "scaled": (3, scaled),
    "shuffled": (3, shuffled),
    "other bytes": (4, other_bytes),
    "zeros": (2, lambda array, chance: np.zeros_like(array)),
    "other type": (1, other_type),
    "turned": (1, lambda array, chance: array.T.copy()),
    "shorter": (1, lambda array, chance: array[:-1].copy() if array.ndim else array),
    "longer": (1, lambda array, chance: np.concatenate([array, array[-1:]]) if array.ndim else array),
    "other shape": (1, other_shape),
}
"""How often each change is made, and how."""


def change_lines(folder: Folder, chance: random.Random) -> None:
    names = [name for name in folder.files if name not in folder.arrays]
    name = chance.choice(names)
    lines = folder.files[name].split(b"\n")[:-1]
    if not lines:
        return
    at, change = chance.randrange(len(lines)), chance.randrange(9)
    if change == 0:
        lines[at] = chance.choice(lines)
    elif change in (1, 2):
        cells = lines[at].split(b"\t")
        cells[chance.randrange(len(cells))] = chance.choice(CELLS)
        lines[at] = b"\t".join(cells)
    elif change == 3:
        del lines[at]
    elif change == 4:
        lines.insert(at, lines[at])
    elif change == 5:
        chance.shuffle(lines)
    elif change == 6:
        lines = [line.rsplit(b"\t", 1)[0] for line in lines]
    elif change == 7:
        other = chance.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines = []
    folder.files[name] = b"".join(line + b"\n" for line in lines)
    folder.done.append(f"lines of {name}: {change}")
