"""All help texts have one form: a capital, an imperative or a noun, a full stop, at most 90 characters."""

from __future__ import annotations

import re

import click
import pytest

from tacit.cli.main import app
from tacit.cli.verbs import command_names, load_command
from tacit.corpora import NAMED_CORPORA
from tacit.kernels import KERNELS

NO_FIRST_WORDS = {"Of", "That", "What", "Which", "Who", "Whose", "How", "If", "It", "Its", "Is", "Are", "The"}


def find_commands() -> dict[str, click.Command]:
    """All commands and subcommands by the names that users type."""
    commands = {name: load_command(name) for name in command_names()}
    groups = {name: command for name, command in commands.items() if isinstance(command, click.Group)}
    nested = {f"{name} {key}": sub for name, group in groups.items() for key, sub in group.commands.items()}
    return commands | nested


COMMANDS = find_commands()


def find_help_texts() -> dict[str, str]:
    """The help of each option and the short help of each command."""
    texts = {name: command.short_help or "" for name, command in COMMANDS.items()}
    for name, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option):
                texts[f"{name} {option.opts[0]}"] = option.help or ""
    return texts


HELP_TEXTS = find_help_texts()


def test_there_are_help_texts_of_all_commands():
    assert len(COMMANDS) == len(command_names()) + 3
    assert len(HELP_TEXTS) > 140


@pytest.mark.parametrize("name", HELP_TEXTS)
def test_help_has_the_form_of_all_help_texts(name):
    text = HELP_TEXTS[name]
    assert re.fullmatch(r"[A-Z0-9].*\.", text), "a capital first, a full stop last"
    assert len(text) <= 90
    assert text.split()[0].rstrip(",:") not in NO_FIRST_WORDS, "an imperative or a noun first"


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_description_of_a_command_is_made_of_sentences(name):
    text = (COMMANDS[name] if name else app).help or ""
    first = text.strip().split("\n\n")[0]
    assert re.match(r"[A-Z]", first)
    assert first.rstrip().endswith(".")
    assert first.split()[0] not in NO_FIRST_WORDS


def test_help_names_all_corpora_and_kernels():
    for names, option in ((NAMED_CORPORA, "train --corpus"), (KERNELS, "classify --kernel")):
        listed = re.findall(r"\w+", HELP_TEXTS[option].partition(":")[2])
        assert set(listed) - {"or"} == set(names)
