"""What the examples have still to send, in one process."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING

import pytest

from tests.test_examples import load

if TYPE_CHECKING:
    from pathlib import Path


def test_inboxes_that_do_not_answer_hold_no_other_one_up(tmp_path: Path) -> None:
    outbox, sent = load("outbox"), []

    async def run() -> None:
        came, never = asyncio.Event(), asyncio.Event()

        async def send(place: str, body: bytes) -> bool:
            sent.append(place)
            if place == "quick":
                came.set()
            else:
                await never.wait()
            return True

        box = outbox.Outbox(str(tmp_path / "outbox.sqlite"), send)
        slow = [(f"slow {number}", b"") for number in range(outbox.AT_ONCE)]
        box.put("first", "", [*slow, ("quick", b"")])
        async with box.working():
            box.put("second", "", [])
            await asyncio.wait_for(came.wait(), 10)

    asyncio.run(run())
    assert len(sent) == len(set(sent)) == outbox.AT_ONCE + 1


@pytest.mark.parametrize("dropped", [{"answer": "a2"}, {"recipient": "bob"}], ids=["of an answer", "to a recipient"])
def test_what_is_dropped_is_not_sent_any_more(tmp_path: Path, dropped: dict[str, str]) -> None:
    outbox, sent = load("outbox"), []

    async def run() -> None:
        came = asyncio.Event()

        async def send(place: str, body: bytes) -> bool:
            sent.append(place)
            came.set()
            return True

        box = outbox.Outbox(str(tmp_path / "outbox.sqlite"), send)
        box.put(None, "a2", [("second", b"")], recipient="bob")
        box.put("q1", "a1", [("first", b"")], recipient="alice")
        box.put("q3", "", [("third", b"")])
        box.drop(**dropped)
        async with box.working():
            await asyncio.wait_for(came.wait(), 10)

    asyncio.run(run())
    assert sent == ["first", "third"]


def test_what_is_dropped_just_before_its_try_is_not_sent(tmp_path: Path) -> None:
    outbox, sent = load("outbox"), []

    async def send(place: str, body: bytes) -> bool:
        sent.append(place)
        box.drop(recipient="bob")  # bob blocks the agent while another answer is sent
        return True

    box = outbox.Outbox(str(tmp_path / "outbox.sqlite"), send)

    async def run() -> None:
        box.put(None, "a1", [("first", b""), ("second", b"")], recipient="bob")
        async with box.working():
            while box._running or not sent:
                await asyncio.sleep(0)

    asyncio.run(run())
    assert sent == ["first"]


def test_what_is_put_after_something_was_dropped_is_sent(tmp_path: Path) -> None:
    path, outbox, sent = str(tmp_path / "outbox.sqlite"), load("outbox"), []

    async def send(place: str, body: bytes) -> bool:
        sent.append(place)
        if place == "dropped":
            box.drop(answer="a1")
            box.put(None, "a2", [("new", b"")])
        return True

    box = outbox.Outbox(path, send)

    async def run() -> None:
        box.put(None, "a1", [("dropped", b"")])
        async with box.working():
            while len(sent) < 2 or box._running:
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(run(), 10))
    with sqlite3.connect(path) as database:
        assert (sent, database.execute("SELECT * FROM unsent").fetchall()) == (["dropped", "new"], [])


def test_only_what_answers_a_question_is_kept_when_it_is_sent(tmp_path: Path) -> None:
    path, outbox = str(tmp_path / "outbox.sqlite"), load("outbox")
    box = outbox.Outbox(path, None)
    box.put(None, "accept", [("place", b"")])
    box.put("question", "answer", [("place", b"")])
    assert box.answers == outbox.Outbox(path, None).answers == {"question": "answer"}


def test_what_a_peer_wrote_writes_no_line_of_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outbox, tries = load("outbox"), []

    async def send(place: str, body: bytes) -> bool:
        tries.append(place)
        raise ValueError("no\nhttps://social.example/inbox: done\x1b[2J")

    async def run() -> None:
        box = outbox.Outbox(str(tmp_path / "outbox.sqlite"), send)
        box.put(None, "", [("https://evil.example/\n", b"")])
        async with box.working():
            while box._running or not tries:
                await asyncio.sleep(0)

    asyncio.run(run())
    told = capsys.readouterr().out
    assert (told.count("\n"), "\x1b" in told) == (2, False)
