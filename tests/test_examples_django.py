"""The Django view runs behind Django's own server: a mail server posts what it takes, answers go out by SMTP."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from aiosmtpd.smtp import SMTP

from tests.interop.resolving import served
from tests.mail_on_loopback import ALICE, HELPER, Mailbox, bounce, is_signed, listening, records, sent, written, zone
from tests.test_examples import EXAMPLES, pem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

STARTS = """
import runpy, sys, dns.resolver
dns.resolver.default_resolver = dns.resolver.Resolver(configure=False)
dns.resolver.default_resolver.nameservers, dns.resolver.default_resolver.port = ["127.0.0.1"], int(sys.argv[2])
program, sys.argv = sys.argv[1], ["django_view.py", "runserver", "--noreload", "127.0.0.1:0"]
runpy.run_path(program, run_name="__main__")
"""
"""Starts the program where DNS is asked at a port of loopback."""


class Gateway:
    """A mail server on the Internet, which hands to a webhook what it takes."""

    def __init__(self, url: str, token: str = "secret") -> None:
        self.url, self.headers = url, {"authorization": f"Bearer {token}", "content-type": "message/rfc822"}

    def post(self, raw: bytes, *, mail_from: str = ALICE, rcpt_to: list[str] | None = None) -> httpx.Response:
        asked = {"from": mail_from, "to": [HELPER] if rcpt_to is None else rcpt_to}
        return httpx.post(self.url, params=asked, content=raw, headers=self.headers, trust_env=False, timeout=10)

    async def handle_DATA(self, server: object, session: object, smtp: Any) -> str:
        got = await asyncio.to_thread(self.post, smtp.original_content, mail_from=smtp.mail_from, rcpt_to=smtp.rcpt_tos)
        return "250 2.0.0 OK" if got.is_success else got.text

    async def serve(self) -> asyncio.Server:
        return await asyncio.get_running_loop().create_server(lambda: SMTP(self), "127.0.0.1", 0)


class World:
    """The webhook, the mail server before it, and Alice's."""

    def __init__(self, url: str, port: int, mailbox: Mailbox, asked: list[str]) -> None:
        self.url, self.port, self.mailbox, self.asked = url, port, mailbox, asked


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder, mailbox = tmp_path_factory.mktemp("django"), Mailbox()
    (folder / "agent.pem").write_bytes(pem())
    with ExitStack() as stack:
        names = stack.enter_context(served(zone(records())))
        port = stack.enter_context(listening(mailbox.serve))
        facts = {"INBOUND_TOKEN": "secret", "EMAIL_PORT": str(port), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", STARTS, str(EXAMPLES / "django_view.py"), str(names.server_address[1])]
        program = stack.enter_context(
            subprocess.Popen(
                command,
                cwd=folder,
                env={**os.environ, **facts, "PYTHONPATH": str(EXAMPLES.parent)},
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        )
        stack.callback(program.terminate)
        assert program.stdout is not None
        said = (re.search(r"http://127\.0\.0\.1:\d+/", line) for line in program.stdout)
        url = next(found[0] for found in said if found) + "inbound"
        yield World(url, stack.enter_context(listening(Gateway(url).serve)), mailbox, names.asked)


@pytest.mark.parametrize("text", ["Will it rain?", "And on Sunday?"])
def test_a_mail_goes_in_by_the_webhook_and_its_answer_out_by_smtp(world: World, text: str) -> None:
    number = f"d{len(text)}"
    assert sent(written(text, number=number), world.port)[0] == 250
    smtp, answer = world.mailbox.next()
    assert (smtp.mail_from, smtp.rcpt_tos) == (HELPER, [ALICE])
    assert is_signed(smtp.original_content, records())
    assert (answer["In-Reply-To"], answer["Subject"]) == (f"<{number}@a.example>", "Re: Rain")
    plain = answer.get_body(("plain",))
    assert plain is not None
    assert plain.get_content() == f"You wrote: {text}"
    assert world.asked.count("s1._domainkey.a.example") == 1  # the second time it comes out of the cache


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        (lambda raw: raw.replace(b"Will it", b"Will at"), HELPER, "5.7.1 "),
        (lambda raw: raw[raw.index(b"From:") :], HELPER, "5.7.1 "),
        (lambda raw: raw.replace(b"To: helper@", b"To: nobody@"), "nobody@agents.example", "5.1.1 "),
    ],
    ids=["forged", "unsigned", "for nobody"],
)
def test_what_is_not_shown_to_be_hers_is_refused(
    world: World, change: Callable[[bytes], bytes], to: str, said: str
) -> None:
    code, words = sent(change(written("Will it rain?", number="f")), world.port, to=to)
    assert (code, words[: len(said)]) == (550, said)


def test_an_unsigned_bounce_of_an_answer_is_noted_and_not_answered(world: World) -> None:
    gateway = Gateway(world.url)
    assert gateway.post(written("Rain?", number="b1")).status_code == 202
    raw = bounce(world.mailbox.next()[1]["Message-ID"])
    unknown = gateway.post(bounce("<unknown@agents.example>"), mail_from="")
    assert unknown.status_code == 401  # it is about no answer of ours
    noted = gateway.post(raw, mail_from="")
    assert (noted.status_code, noted.json()["report"], len(noted.json()["on"])) == (202, "delivery", 1)
    assert world.mailbox.mails == []


def test_a_mail_that_is_posted_twice_is_answered_once(world: World) -> None:
    raw, gateway = written("Again", number="r"), Gateway(world.url)
    first, second = gateway.post(raw), gateway.post(raw)
    assert (first.status_code, second.json()) == (202, first.json())
    assert sent(written("And now?", number="s"), world.port)[0] == 250
    answers = {world.mailbox.next()[1]["In-Reply-To"] for _ in range(2)}
    assert answers == {"<r@a.example>", "<s@a.example>"}
    assert world.mailbox.mails == []


ANSWERS = """
import importlib.util, sys
from django.test import RequestFactory

spec = importlib.util.spec_from_file_location("view", sys.argv[1])
view = sys.modules["view"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(view)
from datetime import UTC, datetime
from mentionable import FindMessage
from mentionable.testing import Peer, answers

HELPER, alice, sent = "@helper@agents.example", Peer.mail("@alice@a.example"), []
dns, reply = answers(alice), view.mail.reply
view.txt = lambda name: list(dns(view.LookupTxt(name=name)))
view.send = lambda question: True
view.mail.reply = lambda *words, **more: sent.append(reply(*words, **more)) or sent[-1]
raw = alice.write("Rain?", to=HELPER, now=datetime.now(UTC), in_reply_to="<0@b.example>")
token, way = {"Authorization": "Bearer secret"}, "/inbound?from=alice@a.example&to=helper@agents.example"
done = view.inbound(RequestFactory().post(way, raw, content_type="message/rfc822", headers=token))
assert done.status_code == 202, done.content
print(view.find_message(FindMessage(native_id=sent[0].native_id, recipient=HELPER)).thread_id)
"""


def test_an_answer_is_stored_so_that_a_reply_finds_its_thread(tmp_path: Path) -> None:
    (tmp_path / "agent.pem").write_bytes(pem())
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS, str(EXAMPLES / "django_view.py")],
        cwd=tmp_path,
        env={**os.environ, "INBOUND_TOKEN": "secret", "PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "<0@b.example>\n"), done.stderr


def test_an_answer_that_cannot_be_sent_is_kept_and_sent_when_the_mail_is_posted_again(world: World) -> None:
    raw, gateway = written("Are you there?", number="w"), Gateway(world.url)
    world.mailbox.refusals = ["451 4.3.2 Not now", "554 5.0.0 Never"]
    assert [gateway.post(raw).status_code for _ in range(4)] == [503, 503, 202, 202]
    assert world.mailbox.next()[1]["In-Reply-To"] == "<w@a.example>"
    assert world.mailbox.mails == []


def test_the_server_of_the_sender_is_asked_to_come_again(world: World) -> None:
    world.mailbox.refusals = ["451 4.3.2 Not now"]
    raw = written("Are you back?", number="x")
    assert sent(raw, world.port) == (451, "4.4.1 The answer cannot be sent now: come again")
    assert sent(raw, world.port)[0] == 250
    assert world.mailbox.next()[1]["In-Reply-To"] == "<x@a.example>"


def test_only_who_has_the_token_may_post(world: World) -> None:
    assert Gateway(world.url, token="sacred").post(written("Hello", number="t")).status_code == 401
    assert httpx.get(world.url, trust_env=False).status_code == 405
