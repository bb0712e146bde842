"""Reading lines of text, and the errors for files that cannot be read."""

from __future__ import annotations

import gc
import gzip
import io
import os
import random
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from helpers.sources import error_message, standard_input, write_file
from tacit.corpora import lines as lines_module
from tacit.corpora.lines import read_lines
from tacit.errors import InputError

LINE = st.text(st.characters(exclude_characters="\0\r\n", exclude_categories=["Cs"])).filter(str.strip)
LINES = st.lists(LINE).filter(lambda lines: not lines or not lines[0].startswith("\ufeff"))


def notes(folder: Path, content: bytes, name: str = "notes.txt") -> Path:
    return write_file(folder, name, content)


@given(lines=LINES, zipped=st.booleans(), end=st.sampled_from(["\n", "\r\n"]), bom=st.booleans())
def test_lines_come_back_as_written(tmp_path_factory, lines, zipped, end, bom):
    content = ("\ufeff" * bom + "".join(line + end for line in lines)).encode()
    path = notes(tmp_path_factory.mktemp("lines"), gzip.compress(content) if zipped else content)
    assert list(read_lines(path)) == lines


def test_blank_lines_are_skipped_and_last_line_end_is_optional(tmp_path):
    path = notes(tmp_path, b"\n  \na cat\n\t\r\n\r\na dog")
    assert list(read_lines(str(path))) == ["a cat", "a dog"]


def test_only_newlines_end_a_line(tmp_path):
    text = "one\u2028two\x0bthree\x85four\rfive"
    assert list(read_lines(notes(tmp_path, text.encode()))) == [text]


def test_spaces_around_a_text_are_kept(tmp_path):
    assert list(read_lines(notes(tmp_path, b"  a cat \n"))) == ["  a cat "]


def test_gzip_is_known_by_its_content_not_its_name(tmp_path):
    assert list(read_lines(notes(tmp_path, gzip.compress(b"a cat\n"), "notes.txt"))) == ["a cat"]
    assert list(read_lines(notes(tmp_path, b"a cat\n", "notes.gz"))) == ["a cat"]


def test_an_empty_file_has_no_texts(tmp_path):
    assert list(read_lines(notes(tmp_path, b""))) == []


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_and_left_open(monkeypatch, pack):
    standard_input(monkeypatch, pack(b"a cat\na dog\n"))
    assert list(read_lines("-")) == ["a cat", "a dog"]
    assert not sys.stdin.buffer.closed


def test_a_real_standard_input_is_read(tmp_path, monkeypatch):
    with notes(tmp_path, b"a cat\n").open("r") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert list(read_lines("-")) == ["a cat"]
        assert not stream.buffer.closed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_opened_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a cat\na dog\n",))
    writer.start()
    assert list(read_lines(pipe)) == ["a cat", "a dog"]
    writer.join(timeout=10)


def test_a_closed_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is not open" in error_message(read_lines, "-")


def test_errors_are_raised_by_the_call_not_by_iteration(tmp_path):
    with pytest.raises(InputError, match=r"no such file: .*absent\.txt"):
        read_lines(tmp_path / "absent.txt")
    with pytest.raises(InputError, match="line 1, byte 1"):
        read_lines(notes(tmp_path, b"\xe9t\xe9\n"))


def test_abandoned_iterator_closes_its_file(tmp_path, monkeypatch):
    path, streams = notes(tmp_path, b"a cat\na dog\n"), []
    open_path = Path.open
    monkeypatch.setattr(Path, "open", lambda *args: streams.append(open_path(*args)) or streams[-1])
    lines = read_lines(path)
    assert [stream.closed for stream in streams] == [False]
    del lines
    gc.collect()
    assert [stream.closed for stream in streams] == [True]


def test_a_directory_is_refused(tmp_path):
    assert error_message(read_lines, tmp_path) == f"{tmp_path} is a directory; name the files in it"


def test_a_forbidden_file_is_refused(tmp_path, monkeypatch):
    def deny(*_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = notes(tmp_path, b"a cat\n")
    monkeypatch.setattr(Path, "open", deny)  # chmod would not stop root
    assert error_message(read_lines, path) == f"{path}: permission denied; make it readable (chmod u+r)"


def test_an_impossible_path_is_refused():
    assert "cannot be opened" in error_message(read_lines, "a\0b")


def test_a_source_that_is_no_path_is_refused():
    assert error_message(read_lines, ["a.txt"]) == "a source is a path or '-' for standard input, not list"


def test_decoding_error_names_the_byte_and_suggests_encoding(tmp_path):
    path = notes(tmp_path, "a cat\nun café noir: deux €\n".encode("windows-1252"))
    message = error_message(read_lines, path)
    assert message.startswith(f"{path}, line 2, byte 7: 0xe9 is not UTF-8;")
    assert message.endswith("it looks like Windows-1252: read it with encoding=windows-1252")
    assert list(read_lines(path, encoding="windows-1252"))[1] == "un café noir: deux €"


def test_windows_1252_is_suggested_only_if_likely(tmp_path):
    path = notes(tmp_path, "кошка и собака\n".encode("windows-1251"))
    message = error_message(read_lines, path)
    assert "Windows-1252" not in message
    assert "encoding=NAME (windows-1251" in message
    assert list(read_lines(path, encoding="windows-1251")) == ["кошка и собака"]


def test_wrong_or_unknown_encoding_raises_input_error(tmp_path):
    path = notes(tmp_path, "a café\n".encode())
    assert "line 1, byte 6: 0xc3 is not ascii" in error_message(read_lines, path, encoding="ascii")
    for name in ("ansi-8", "hex", "undefined"):
        assert f"encoding={name!r} is unknown" in error_message(read_lines, path, encoding=name)


def test_bytes_are_counted_with_the_byte_order_mark(tmp_path):
    assert "line 1, byte 5: 0xff" in error_message(read_lines, notes(tmp_path, b"\xef\xbb\xbfa\xff\n"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=LINES, encoding=st.sampled_from(["utf-16-le", "utf-16-be"]), zipped=st.booleans())
def test_utf_16_is_detected_by_its_byte_order_mark(tmp_path_factory, caplog, lines, encoding, zipped):
    content = ("\ufeff" + "\n".join(lines)).encode(encoding)
    path = notes(tmp_path_factory.mktemp("wide"), gzip.compress(content) if zipped else content)
    with caplog.at_level("INFO", "tacit.corpora"):
        assert list(read_lines(path)) == lines
    assert caplog.messages[-1] == f"{path} is read as UTF-16, because of its byte order mark"


def test_utf_16_that_ends_early_is_refused(tmp_path):
    path = notes(tmp_path, "\ufeffa cat\na dog".encode("utf-16-le")[:-1])
    assert "line 2 is not utf-16 (truncated data)" in error_message(read_lines, path)


def test_a_binary_file_is_refused(tmp_path):
    message = error_message(read_lines, notes(tmp_path, b"a cat\nPK\0\x03"))
    assert "line 2, byte 3: a NUL byte" in message
    assert "looks binary" in message


def test_an_endless_line_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(lines_module, "MAX_LINE_BYTES", 8)
    assert list(read_lines(notes(tmp_path, b"1234567\n"))) == ["1234567"]
    assert "line 2 is longer than 8 bytes" in error_message(
        read_lines, notes(tmp_path, b"1234567\n123456789\n")
    )


def test_no_more_than_the_longest_line_is_read(monkeypatch):
    sizes = []

    class Endless(io.RawIOBase):
        def readline(self, size: int | None = -1) -> bytes:
            sizes.append(size)
            return b"x" * (size or 0)

    monkeypatch.setattr(lines_module, "MAX_LINE_BYTES", 1000)
    with pytest.raises(InputError, match="longer than 1,000 bytes"):
        list(lines_module.decode_lines(Endless(), "endless"))  # type: ignore[arg-type]
    assert sizes == [1001]


@pytest.mark.parametrize("keep", [2, 15, -1])
def test_a_cut_gzip_file_is_refused(tmp_path, keep):
    content = gzip.compress(random.Random(0).randbytes(2000).hex().encode() + b"\n")
    path = notes(tmp_path, content[:keep], "notes.txt.gz")
    assert error_message(read_lines, path).startswith(f"{path} is damaged (")


def test_a_garbled_gzip_file_is_refused(tmp_path):
    content = bytearray(gzip.compress(b"a cat sat on the mat\n" * 50))
    content[15:25] = b"\xff" * 10
    assert "is damaged (" in error_message(read_lines, notes(tmp_path, bytes(content)))
