"""An agent may end at any time, and owes nobody an answer afterwards: it is a process, which is ended and started."""

from __future__ import annotations

import json
import os
import queue
import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import count as counter
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from mentionable import HttpRequest, activitypub
from mentionable.testing import Peer, SlackPeer
from tests.test_examples import EXAMPLES, pem
from tests.test_examples_web import ACTOR, HELPER, Tls, Web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mentionable import SigningKey

STARTS = """
import json, ssl, sys, outbox, safe_fetch, uvicorn

async def nearby(host):
    return "127.0.0.1", port

program, port, pem, pauses = json.loads(sys.argv[1])
safe_fetch.place, safe_fetch.TLS = nearby, ssl.create_default_context(cafile=pem)
outbox.PAUSES = pauses
uvicorn.main([f"{program}:app", "--port", "0", "--timeout-graceful-shutdown", "1"])
"""
"""Starts the program as it says itself, where all names lead to one port of loopback."""

ALICE, BOB = (Peer.activitypub(f"@{name}@social.example") for name in ("alice", "bob"))
ACTOR_PATH, INBOX_PATH = "/users/alice", "/users/alice/inbox"
INBOX = f"https://social.example{INBOX_PATH}"
HOUR = (0, 3_600)
NUMBERS = counter(1)
STORES = {"AGENT_STORE": "kept.sqlite", "CONNECTOR_STORE": "kept.sqlite"}


class Agent:
    """The program while it runs."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.lines = process, queue.Queue[str]()
        threading.Thread(target=self._read, daemon=True).start()
        self.url = re.findall(r"http://\S+", self.says("running on http://"))[0]

    def _read(self) -> None:
        for line in self.process.stdout or ():
            self.lines.put(line)

    def says(self, words: str) -> str:
        """The next line that has these words."""
        while words not in (line := self.lines.get(timeout=20)):
            pass
        return line

    def take(self, request: HttpRequest) -> int:
        """The status that it answers."""
        headers, path = dict(request.headers), httpx.URL(request.url).path
        return httpx.post(self.url + path, headers=headers, content=request.body, trust_env=False).status_code

    def get(self, url: str, *, key: SigningKey | None = None) -> httpx.Response:
        """The response to a GET, signed where there is a key."""
        asked = HttpRequest(method="GET", url=url, headers={"accept": "application/activity+json"})
        if key is not None:
            asked = activitypub.sign(asked, key=key, now=datetime.now(UTC))
        return httpx.get(self.url + httpx.URL(url).path, headers=dict(asked.headers), trust_env=False)

    def end(self) -> None:
        """Ends it, as whoever runs services does; it has two seconds."""
        self.process.terminate()
        self.process.wait(timeout=2)


class Place:
    """Where the program runs and what stands around it: its folder and Alice's server."""

    def __init__(self, folder: Path, tls: Tls, web: Web, port: int) -> None:
        self.web, self.folder, self._tls, self._port = web, folder, tls, port
        (folder / "agent.pem").write_bytes(pem())

    @contextmanager
    def agent(self, program: str = "fastapi_inbox", *, pauses: tuple[int, ...] = HOUR, **env: str) -> Iterator[Agent]:
        """The program, started."""
        facts = json.dumps([program, self._port, str(self._tls.file), pauses])
        places = os.pathsep.join(map(str, (EXAMPLES, EXAMPLES.parent)))
        process = subprocess.Popen(
            [sys.executable, "-c", STARTS, facts],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": places, "PYTHONUNBUFFERED": "1", **STORES, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        with process:
            try:
                yield Agent(process)
            finally:
                process.kill()

    def sql(self, statement: str) -> list[Any]:
        """What its file answers."""
        with closing(sqlite3.connect(self.folder / "kept.sqlite")) as database, database:
            return database.execute(statement).fetchall()

    def inbox_answers(self, status: int) -> None:
        self.web.pages[INBOX_PATH] = (status, {}, b"")

    def delivered(self) -> list[bytes]:
        """The notes that came to Alice's inbox, by their ids; one for each time."""
        return [json.loads(body)["object"]["id"] for body in self.bodies()]

    def bodies(self) -> list[bytes]:
        """What came to Alice's inbox."""
        return [body for _, path, _, body in self.web.asked if path == INBOX_PATH]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    tls, web = Tls(tmp_path, "agents.example", "social.example", "slack.com"), Web()
    for row, found in {**ALICE.lookups, **BOB.lookups}.items():
        path = row.removeprefix("GET https://social.example")
        web.pages[path] = (200, {"content-type": found["content_type"]}, json.dumps(found["json"]).encode())
    with web.served(tls) as port:
        yield Place(tmp_path, tls, web, port)


def mention(text: str = "Will it rain?") -> HttpRequest:
    return ALICE.write(text, to=ACTOR, inbox=f"{ACTOR}/inbox", mention=HELPER, now=datetime.now(UTC))


def test_an_answer_that_waits_for_its_next_try_outlives_the_program(place: Place) -> None:
    question = mention()
    place.inbox_answers(503)
    with place.agent() as agent:
        assert agent.take(question) == 202
        agent.says(f"{INBOX!r}: again in 3600 seconds")
        agent.end()
    assert place.sql("SELECT place, tries FROM unsent") == [(INBOX, 1)]
    place.inbox_answers(202)
    place.sql("UPDATE unsent SET due = 0")  # an hour goes by
    with place.agent() as agent:
        agent.says(f"{INBOX!r}: done")
        assert agent.take(question) == 202, "its server asks once more, and has its answer"
        agent.end()
    assert place.sql("SELECT * FROM unsent") == []
    first, second = place.delivered()
    assert first == second


def test_an_answer_that_is_just_being_delivered_outlives_the_program(place: Place) -> None:
    place.web.silent.add(INBOX_PATH)
    with place.agent() as agent:
        assert agent.take(mention()) == 202
        assert place.web.is_asked(INBOX_PATH)
        agent.end()
    place.web.silent.clear()
    place.inbox_answers(202)
    with place.agent() as agent:
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert len(place.delivered()) == 2, "once in vain"
    assert place.sql("SELECT COUNT(*) FROM answers") == [(1,)]


def test_a_question_that_is_not_taken_yet_does_not_hold_the_end_up(place: Place) -> None:
    place.web.silent.add(ACTOR_PATH)
    with place.agent() as agent:
        statuses: list[int] = []
        asking = threading.Thread(target=lambda: statuses.append(agent.take(mention())))
        asking.start()
        assert place.web.is_asked(ACTOR_PATH)
        agent.end()
        asking.join(5)
    assert statuses == [500]
    assert place.sql("SELECT * FROM answers") == []


def test_the_agent_tries_again_only_for_some_time(place: Place) -> None:
    place.inbox_answers(503)
    with place.agent(pauses=(0, 0, 0)) as agent:
        assert agent.take(mention()) == 202
        agent.says(f"{INBOX!r}: given up")
        agent.end()
    assert len(place.delivered()) == 3
    assert place.sql("SELECT COUNT(*) FROM unsent") == [(0,)]


def test_one_failure_does_not_hold_the_others_up(place: Place) -> None:
    place.inbox_answers(202)
    place.web.silent.add("/slow")
    with place.agent() as agent:
        rows = "('no URL', x'7b7d'), ('https://social.example/slow', x'7b7d')"
        place.sql(f"INSERT INTO unsent (place, body) VALUES {rows}")
        agent.says("'no URL': UsageError: ")
        agent.says("'no URL': again in 3600 seconds")
        assert place.web.is_asked("/slow")
        assert agent.take(mention()) == 202
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert place.sql("SELECT place, tries FROM unsent") == [("no URL", 1), ("https://social.example/slow", 0)]


def test_a_question_as_large_as_may_be_is_answered_by_its_beginning(place: Place) -> None:
    place.inbox_answers(202)
    with place.agent() as agent:
        assert agent.take(mention("http://a.b/ " * 70_000)) == 202
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert len(place.delivered()) == 1


def test_a_question_whose_answer_cannot_be_stored_is_answered_once_when_it_comes_again(place: Place) -> None:
    place.inbox_answers(202)
    question = mention()
    with place.agent() as agent:
        place.sql("ALTER TABLE answers RENAME TO broken")
        assert agent.take(question) == 503
        place.sql("ALTER TABLE broken RENAME TO answers")
        assert [agent.take(question), agent.take(question)] == [202, 202]
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert len(place.delivered()) == 1


def signed(kind: str, about: object, **members: object) -> HttpRequest:
    """What Alice does, signed by her key."""
    activity = {
        "@context": "https://www.w3.org/ns/activitystreams",
        "id": f"https://social.example/did/{next(NUMBERS)}",
        "type": kind,
        "actor": ALICE.actor,
        "object": about,
        **members,
    }
    headers = {"content-type": "application/activity+json"}
    request = HttpRequest(
        method="POST", url=f"{ACTOR}/inbox", headers=headers, body=json.dumps(activity, ensure_ascii=False).encode()
    )
    return activitypub.sign(request, key=ALICE.key, now=datetime.now(UTC))


def test_followers_and_blocks_outlive_the_program(place: Place) -> None:
    place.inbox_answers(202)
    with place.agent() as agent:
        assert agent.take(signed("Follow", ACTOR)) == 202
        agent.says(f"{INBOX!r}: done")
        agent.end()
    with place.agent() as agent:
        assert agent.get(f"{ACTOR}/followers").json()["totalItems"] == 1
        assert agent.take(signed("Block", ACTOR)) == 202
        agent.end()
    with place.agent() as agent:
        assert agent.get(f"{ACTOR}/followers").json()["totalItems"] == 0
        assert agent.take(mention()) == 202
        agent.end()
    assert [json.loads(body)["type"] for body in place.bodies()] == ["Accept"]
    assert place.sql("SELECT * FROM answers") == [], "the mention has none"


@pytest.mark.parametrize("actor", [BOB.actor, f"{ALICE.actor}/nobody", [ALICE.actor], None])
def test_a_stranger_does_not_learn_who_follows_the_agent(place: Place, actor: object) -> None:
    place.inbox_answers(202)

    def ask() -> int:
        request = signed("Delete", ALICE.actor, actor=actor)
        return agent.take(HttpRequest(method="POST", url=request.url, body=request.body))

    with place.agent() as agent:
        before = ask()
        assert agent.take(signed("Follow", ACTOR)) == 202
        assert ask() == before
        assert agent.take(mention()) == 202
        assert ask() == before
        agent.end()


def test_an_accept_that_waits_outlives_the_program(place: Place) -> None:
    place.inbox_answers(503)
    with place.agent() as agent:
        assert agent.take(signed("Follow", ACTOR)) == 202
        agent.says(f"{INBOX!r}: again in 3600 seconds")
        agent.end()
    place.inbox_answers(202)
    place.sql("UPDATE unsent SET due = 0")  # an hour goes by
    with place.agent() as agent:
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert {json.loads(body)["type"] for body in place.bodies()} == {"Accept"}


def test_one_mention_with_thirty_edits_and_a_restart_is_answered_once_and_withdrawn_with_it(place: Place) -> None:
    question = mention()
    note = json.loads(question.body)["object"]
    place.inbox_answers(202)
    with place.agent() as agent:
        assert agent.take(question) == 202
        agent.says(f"{INBOX!r}: done")
        for number in range(15):
            assert agent.take(signed("Update", {**note, "content": f"{note['content']} {number}"}, to=[ACTOR])) == 202
        agent.end()
    [answer] = place.delivered()
    with place.agent() as agent:
        for number in range(15, 30):
            assert agent.take(signed("Update", {**note, "content": f"{note['content']} {number}"}, to=[ACTOR])) == 202
        assert agent.take(signed("Delete", {"type": "Tombstone", "id": note["id"]})) == 202
        agent.says(f"{INBOX!r}: done")
        agent.end()
    assert place.delivered() == [answer, answer], "the answer, and its Delete"
    assert [json.loads(body)["type"] for body in place.bodies()] == ["Create", "Delete"]
    assert place.sql("SELECT COUNT(*) FROM messages") == [(0,)]


def test_a_private_answer_is_shown_to_its_reader_after_the_next_start(place: Place) -> None:
    place.inbox_answers(202)
    with place.agent() as agent:
        assert agent.take(mention()) == 202
        agent.says(f"{INBOX!r}: done")
        agent.end()
    [answer] = place.delivered()
    with place.agent() as agent:
        assert agent.get(str(answer)).status_code == 404
        assert agent.get(str(answer), key=ALICE.key).json()["id"] == answer
        assert agent.get(str(answer), key=BOB.key).status_code == 404
        agent.end()


def test_the_same_bytes_do_nothing_twice_also_after_the_next_start(place: Place) -> None:
    place.inbox_answers(202)
    follow = signed("Follow", ACTOR)
    undone = {"id": json.loads(follow.body)["id"], "type": "Follow", "actor": ALICE.actor, "object": ACTOR}
    with place.agent() as agent:
        assert agent.take(follow) == 202
        assert agent.take(signed("Undo", undone)) == 202
        agent.end()
    with place.agent() as agent:
        assert agent.take(follow) == 202
        assert agent.get(f"{ACTOR}/followers").json()["totalItems"] == 0
        agent.end()


def test_a_connector_asks_the_agent_after_its_next_start(place: Place) -> None:
    member = SlackPeer()
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (place.folder / "connector.pem").write_bytes(key)
    secrets = {
        "SLACK_SIGNING_SECRET": member.secret.decode(),
        "SLACK_BOT_TOKEN": "xoxb",
        "AGENT_TOKEN": "token",
        "FILES_SECRET": "of-thirty-two-bytes-or-more-secret",
    }
    person = json.dumps(member.lookups[f"CALL users.info {member.user}"]).encode()
    place.web.pages["/api/users.info"] = (200, {}, person)
    place.web.silent.add("/.well-known/webfinger")
    question = member.write("Will it rain?", now=datetime.now(UTC))
    with place.agent("slack_connector", **secrets) as connector:
        assert connector.take(question) == 200
        assert place.web.is_asked("/.well-known/webfinger")
        connector.end()
    place.web.silent.clear()
    place.web.pages["/api/chat.postMessage"] = (503, {}, b"")
    with place.agent("slack_connector", pauses=(0, 0, 3_600), **secrets) as connector:
        connector.says("'https://slack.com/api': again in 3600 seconds")
        connector.end()
    place.web.pages["/api/chat.postMessage"] = (200, {}, b'{"ok": true}')
    assert [row for (row,) in place.sql("SELECT place FROM unsent")] == ["https://slack.com/api"], "the agent was asked"
    place.web.asked.clear()
    place.sql("UPDATE unsent SET due = 0")
    with place.agent("slack_connector", pauses=(0, 0, 3_600), **secrets) as connector:
        connector.says("'https://slack.com/api': done")
        assert connector.take(question) == 200, "Slack sends it once more"
        connector.end()
    assert place.sql("SELECT * FROM unsent") == []
    [post] = [json.loads(body) for _, path, _, body in place.web.asked if path == "/api/chat.postMessage"]
    assert post["channel"] == "C123"
    assert "The agent cannot be reached just now." in post["text"]
