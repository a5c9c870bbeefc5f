"""Folders and mbox files: one line of JSON a unit."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path

import pytest

from mentionable.cli import main
from mentionable.cli._mailbox import open_batch

MAIL = b"From: alice@a.example\nTo: helper@agents.example\nMessage-ID: <%d@a.example>\n\nHello %d\n"
ENVELOPE = b"From alice@a.example Sat Nov 21 20:56:00 2026\n"


def mbox(count: int) -> bytes:
    return b"".join(ENVELOPE + MAIL % (n, n) + b"\n" for n in range(count))


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def texts(found: list[dict]) -> list[str]:
    return [line["messages"][0]["parts"][0]["content"] for line in found]


def test_an_mbox_gives_one_line_a_message(tmp_path, capsys):
    (tmp_path / "in.mbox").write_bytes(mbox(3))
    assert main(["decode", "email", str(tmp_path / "in.mbox"), "--entropy", "00" * 32]) == 0
    found = lines(capsys)
    assert texts(found) == ["Hello 0\n", "Hello 1\n", "Hello 2\n"]
    assert len({line["messages"][0]["id"] for line in found}) == 3


def test_an_mbox_is_known_by_its_first_line_too(tmp_path, capsys):
    (tmp_path / "inbox").write_bytes(mbox(2))
    assert main(["decode", "email", str(tmp_path / "inbox")]) == 0
    assert len(lines(capsys)) == 2


def test_an_mbox_comes_from_standard_input_too(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mbox(2))))
    assert main(["decode", "email", "-"]) == 0
    assert texts(lines(capsys)) == ["Hello 0\n", "Hello 1\n"]


def test_an_mbox_comes_from_a_pipe_too(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(mbox(2),))
    writer.start()
    batch = open_batch(str(pipe), "email")
    assert batch.total is None
    assert [unit.data for unit in batch.messages] == [MAIL % (n, n) for n in range(2)]
    writer.join()


def test_a_quoted_from_line_loses_one_sign_and_others_stay(tmp_path):
    body = b">From here\n>>From there\nFrom nowhere\n> From\n"
    path = tmp_path / "in.mbox"
    path.write_bytes(ENVELOPE + b"A: b\n\n" + body + b"\n" + ENVELOPE + b"C: d\n\n")
    first, second = open_batch(str(path), "email").messages
    assert first.data == b"A: b\n\nFrom here\n>From there\nFrom nowhere\n> From\n"
    assert (first.name, second.data) == (f"{path}#1", b"C: d\n")
    assert first.size + second.size == path.stat().st_size


def test_an_mbox_with_crlf_is_split_too(tmp_path):
    (tmp_path / "in.mbox").write_bytes(mbox(2).replace(b"\n", b"\r\n"))
    assert [unit.data for unit in open_batch(str(tmp_path / "in.mbox"), "email").messages] == [
        (MAIL % (n, n)).replace(b"\n", b"\r\n") for n in range(2)
    ]


@pytest.mark.parametrize(
    ("data", "count"), [(b"", 0), (b"\n\n", 0), (b"\n" + mbox(1), 1), (MAIL % (1, 1), 1), (b"x", 1)]
)
def test_odd_mboxes_are_read(tmp_path, data, count):
    (tmp_path / "in.mbox").write_bytes(data)
    assert len(list(open_batch(str(tmp_path / "in.mbox"), "email").messages)) == count


def test_a_folder_is_read_in_order_with_what_lies_below(tmp_path, capsys):
    (tmp_path / "b.eml").write_bytes(MAIL % (2, 2))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.mbox").write_bytes(mbox(2))
    (tmp_path / "c.eml").write_bytes(b"Subject: from nobody\n\n")
    (tmp_path / ".hidden").write_bytes(b"x")
    (tmp_path / ".git").mkdir()
    assert main(["decode", "email", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    found = [json.loads(line) for line in out.splitlines()]
    assert [next(iter(line)) for line in found] == ["messages", "rejected", "messages", "messages"]
    assert f"mentionable: {tmp_path}/c.eml: rejected: sender-unaddressable" in err


def test_a_folder_of_requests_has_http_and_json_files(tmp_path):
    for name in ("x.http", "y.json", "README.md"):
        (tmp_path / name).write_bytes(b"{}")
    assert [unit.name[-6:] for unit in open_batch(str(tmp_path), "a2a").messages] == ["x.http", "y.json"]


@pytest.mark.parametrize("transport", ["a2a", "activitypub", "email"])
def test_a_folder_without_units_fails(tmp_path, capsys, transport):
    if transport != "email":
        (tmp_path / "README.md").write_bytes(b"{}")
    assert main(["decode", transport, str(tmp_path), "--as", "@helper@agents.example"]) == 2
    what = "contains no file" if transport == "email" else "contains no .http or .json file"
    assert capsys.readouterr().err == f"mentionable: {tmp_path}: {what}\n"


def test_an_mbox_without_mail_fails(tmp_path, capsys):
    (tmp_path / "in.mbox").write_bytes(b"\n")
    assert main(["decode", "email", str(tmp_path / "in.mbox")]) == 2
    assert capsys.readouterr().err == f"mentionable: {tmp_path}/in.mbox: contains no mail\n"


@pytest.mark.parametrize(("place", "name"), [(os, "scandir"), (Path, "is_dir"), (Path, "is_file")])
def test_a_folder_that_may_not_be_read_fails(tmp_path, monkeypatch, capsys, place, name):
    (tmp_path / "x.eml").write_bytes(MAIL % (1, 1))

    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(place, name, refuse)
    assert main(["decode", "email", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"mentionable: {tmp_path}")
    assert err.endswith(": Permission denied\n")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_is_drawn_on_a_terminal_when_the_output_goes_elsewhere(tmp_path, monkeypatch, capsys):
    pytest.importorskip("rich")
    (tmp_path / "in.mbox").write_bytes(mbox(3))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert main(["decode", "email", str(tmp_path / "in.mbox")]) == 0
    assert len(lines(capsys)) == 3
    assert "\x1b[" in terminal.getvalue()


def test_no_bar_is_drawn_where_the_output_is_read(tmp_path, monkeypatch):
    (tmp_path / "in.mbox").write_bytes(mbox(1))
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["decode", "email", str(tmp_path / "in.mbox")]) == 0
    assert err.getvalue() == ""


def test_without_rich_there_is_no_bar(tmp_path, monkeypatch, capsys):
    (tmp_path / "in.mbox").write_bytes(mbox(1))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    assert main(["decode", "email", str(tmp_path / "in.mbox")]) == 0
    assert terminal.getvalue() == ""
