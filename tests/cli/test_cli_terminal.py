"""Output of the commands in a terminal of 80 columns."""

from __future__ import annotations

import re

from helpers.cli_runs import Terminal, tacit

LONG = (
    "the bank pays interest on a loan while the wind and the rain and dark clouds bring cold snow to the cat"
)


def before_next_step(terminal: Terminal) -> str:
    """The screen without its last line, which names the next step."""
    screen, next_step = terminal.screen.split("Next: tacit ")
    assert next_step.count("\n") == 1
    return screen


def seen(*args: object, columns: int = 80) -> Terminal:
    with Terminal(*args, columns=columns) as terminal:
        assert terminal.end() == 0, terminal.screen
    return terminal


def test_training_shows_a_bar_the_sweep_and_the_loss(tmp_path, large_corpus):
    lines = seen("train", tmp_path / "m", large_corpus, "--sweeps", 3, "--components", 20).screen
    last = [line.rpartition("\r")[2].rstrip() for line in lines.splitlines()]
    at = next(number for number, line in enumerate(last) if line.startswith(f"{tmp_path / 'm'}: "))
    reading, sweeps, check, summary, settings, hidden = last[at - 3 : at + 3]
    assert settings.startswith("    components 20 as given, missing weight ")
    assert "Self-check: hidden words are predicted" in hidden
    assert re.fullmatch(r"reading +━+ 30,000 texts +0:00:\d\d 0:00:00", reading)
    assert re.fullmatch(r"sweeps +━+ 3/3 loss [\d,]+ 0:00:\d\d 0:00:00", sweeps)
    assert re.fullmatch(r"self-check +━+ 1/1 +0:00:\d\d 0:00:00", check)
    assert reading.index("30,000") == sweeps.index("3/3")  # aligned
    assert summary.startswith(f"{tmp_path / 'm'}: ")
    drawn = [part for line in lines.splitlines() for part in line.split("\r")]
    assert max(len(part) for part in drawn if "━" in part) <= 80


def test_the_heat_map_is_cut_into_blocks_that_fit(model):
    terminal = seen("explain", model, "my kitten sleeps on the warm mat", LONG, "-k", 2)
    result = tacit("explain", model, "my kitten sleeps on the warm mat", LONG, "--json").json
    *blocks, pairs = before_next_step(terminal).rstrip("\n").split("\n\n")
    assert len(blocks) > 1
    assert max(map(len, before_next_step(terminal).splitlines())) <= 80
    assert "…" not in terminal.screen
    assert [word for block in blocks for word in block.split("\n")[0].split()] == result["words_b"]
    for block in blocks:
        assert [line.split()[0] for line in block.split("\n")[1:]] == result["words_a"]
    assert len(pairs.splitlines()) == 2 + 3  # pairs of words; two parts and their sum
    assert b"\x1b[30;48;5;" in terminal.raw  # black on a colour


def test_the_heat_map_is_whole_where_it_fits(model):
    wide = seen("explain", model, "my kitten sleeps on the warm mat", LONG, "-k", 2, columns=200)
    piped = tacit("explain", model, "my kitten sleeps on the warm mat", LONG, "-k", 2)
    assert before_next_step(wide) == piped.out


def test_info_fits_the_terminal(model):
    screen = before_next_step(seen("info", model))
    assert max(map(len, screen.splitlines())) <= 80
    assert screen == tacit("info", model).out


def test_hits_are_a_table_that_marks_the_matching_words(tmp_path, model):
    notes = tmp_path / "notes.txt"
    notes.write_text(f"a kitten sleeps \x1b[2J on the mat\n{LONG}\n", encoding="utf-8")
    assert tacit("index", tmp_path / "i", notes, "--model", model).code == 0
    terminal = seen("search", tmp_path / "i", "a sleeping kitten")
    screen = before_next_step(terminal)
    assert screen.splitlines()[0].split() == ["score", "match", "id", "text"]
    assert max(map(len, screen.splitlines())) <= 80
    assert len(screen.splitlines()) > 3  # the long text takes several lines
    assert b"\x1b[1;32mkitten\x1b[0m" in terminal.raw
    assert b"\x1b[2J" not in terminal.raw


def test_a_next_step_is_for_people_alone(model):
    assert "Next: tacit unsaid" in seen("words", model, "cat").screen
    assert "Next" not in seen("words", model, "cat", "--json").screen
    assert "Next" not in tacit("words", model, "cat").err
