"""The mail agent runs for real: SMTP in and out, DNS over a socket, and dkimpy at the other end."""

from __future__ import annotations

import asyncio
import email
import email.policy
import os
import smtplib
import subprocess
import sys
import threading
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from queue import Queue
from typing import TYPE_CHECKING, Any

import dkim
import dns.asyncresolver
import pytest
from aiosmtpd.smtp import SMTP

from mentionable import SigningKey, mail
from tests.interop.resolving import served
from tests.test_examples import EXAMPLES, load, pem, with_key

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

ALICE, HELPER = "alice@a.example", "helper@agents.example"
AGENT_KEY = "2026._domainkey.agents.example"


@contextmanager
def listening(serve: Callable[[], Awaitable[asyncio.Server]]) -> Iterator[int]:
    """Runs a server in a thread and a loop of its own; gives its port."""
    found: Queue[tuple[int, Callable[[], object]]] = Queue()

    async def run() -> None:
        stopping, loop = asyncio.Event(), asyncio.get_running_loop()
        async with await serve() as server:
            found.put((server.sockets[0].getsockname()[1], lambda: loop.call_soon_threadsafe(stopping.set)))
            await stopping.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    port, stop = found.get(timeout=10)
    try:
        yield port
    finally:
        stop()
        thread.join(10)


class Mailbox:
    """Alice's mail server: keeps what comes, and first says its refusals, one a mail."""

    def __init__(self) -> None:
        self.mails: list[Any] = []
        self.refusals: list[str] = []
        self.is_full = threading.Semaphore(0)

    async def handle_DATA(self, server: object, session: object, smtp: Any) -> str:
        if self.refusals:
            return self.refusals.pop()
        self.mails.append(smtp)
        self.is_full.release()
        return "250 2.0.0 OK"

    async def serve(self) -> asyncio.Server:
        loop = asyncio.get_running_loop()
        return await loop.create_server(lambda: SMTP(self, enable_SMTPUTF8=True), "127.0.0.1", 0)

    def next(self) -> tuple[Any, EmailMessage]:
        """The next mail, as SMTP brought it and as it is read."""
        assert self.is_full.acquire(timeout=10), "no mail came"
        smtp = self.mails.pop(0)
        return smtp, email.message_from_bytes(smtp.original_content, policy=email.policy.default)  # type: ignore[return-value]


def zone(keys: dict[str, str]) -> str:
    """A zone file with these TXT records."""
    lines = ["$ORIGIN example.", "$TTL 60", "@ IN SOA ns.example. root.example. 1 3600 600 86400 60", "@ IN NS ns"]
    for name, record in keys.items():
        strings = " ".join(f'"{record[at : at + 200]}"' for at in range(0, len(record), 200))
        lines.append(f"{name}. IN TXT {strings}")
    return "\n".join(lines) + "\n"


def records() -> dict[str, str]:
    """What the domains publish. They share a key, since making one takes long."""
    names = (AGENT_KEY, "s1._domainkey.a.example", "s1._domainkey.xn--r8jz45g.example")
    return {name: mail.dkim_record(SigningKey.from_pem(pem(), key_id=name)) for name in names}


def written(text: str, *, number: str, to: str = HELPER, **fields: str) -> bytes:
    """A mail from Alice, signed with dkimpy."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = f"Alice <{ALICE}>", to, "Rain"
    message["Message-ID"] = f"<{number}@a.example>"
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    message.set_content(text)
    raw = message.as_bytes(policy=email.policy.SMTP)
    signature: bytes = dkim.sign(raw, b"s1", b"a.example", pem(), include_headers=[b"From", b"To", b"Subject"])
    return signature + raw


def sent(raw: bytes, port: int, *, to: str = HELPER, mail_from: str = ALICE) -> tuple[int, str]:
    """What a server says to a mail, from Alice where nothing else is said."""
    with smtplib.SMTP("127.0.0.1", port, "mx.a.example", timeout=10) as client:
        client.ehlo()
        client.mail(mail_from, [] if mail_from.isascii() else ["SMTPUTF8"])
        client.rcpt(to)
        code, words = client.data(raw)
    return code, words.decode()


def is_signed(raw: bytes, known: dict[str, str]) -> bool:
    """Whether dkimpy finds that it is signed by its domain."""
    return bool(dkim.verify(raw, dnsfunc=lambda name, timeout: known[name.decode().rstrip(".")].encode()))


class World:
    """The example on the Internet of this machine."""

    def __init__(self, example: Any, port: int, mailbox: Mailbox) -> None:
        self.example, self.port, self.mailbox = example, port, mailbox


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        with_key(tmp_path_factory.mktemp("mail"), patch)
        example, mailbox = load("smtp_hook"), Mailbox()
        names = stack.enter_context(served(zone(records())))
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], names.server_address[1]
        patch.setattr(dns.asyncresolver, "default_resolver", resolver)
        patch.setattr(example, "RELAY", ("127.0.0.1", stack.enter_context(listening(mailbox.serve))))
        yield World(example, stack.enter_context(listening(lambda: example.serve(0))), mailbox)


@pytest.mark.parametrize("text", ["Will it rain?", "Grüße: *no* rain?"])
def test_a_mail_is_answered_by_a_mail_that_is_signed_and_in_its_thread(world: World, text: str) -> None:
    asked = {"References": "<0@a.example> <1@b.example>", "In_Reply_To": "<1@b.example>"}
    number = f"q{len(text)}"
    assert sent(written(text, number=number, **asked), world.port) == (250, "2.0.0 OK")
    smtp, answer = world.mailbox.next()
    assert (smtp.mail_from, smtp.rcpt_tos) == (HELPER, [ALICE])
    assert is_signed(smtp.original_content, records())
    assert not is_signed(smtp.original_content.replace(b"You wrote", b"You write"), records())
    assert (answer["From"], answer["To"], answer["Subject"]) == (HELPER, f"Alice <{ALICE}>", "Re: Rain")
    assert answer["In-Reply-To"] == f"<{number}@a.example>"
    assert answer["References"].split() == ["<0@a.example>", "<1@b.example>", f"<{number}@a.example>"]
    plain = answer.get_body(("plain",))
    assert plain is not None
    assert plain.get_content() == f"You wrote: {text}"


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        (lambda raw: raw.replace(b"Will it", b"Will at"), HELPER, "550 5.7.1 The sender of this message could not"),
        (lambda raw: raw[raw.index(b"From:") :], HELPER, "550 5.7.1 The sender of this message could not"),
        (lambda raw: raw.replace(b"d=a.", b"d=servfail."), HELPER, "550 5.7.1 "),
        (
            lambda raw: raw.replace(b"To: helper@", b"To: nobody@"),
            "nobody@agents.example",
            "550 5.1.1 This node",
        ),
    ],
    ids=["forged", "unsigned", "another domain", "for nobody"],
)
def test_what_is_not_shown_to_be_hers_is_refused_while_the_client_waits(
    world: World, change: Callable[[bytes], bytes], to: str, said: str
) -> None:
    code, words = sent(change(written("Will it rain?", number="f")), world.port, to=to)
    assert f"{code} {words}".startswith(said)
    assert world.mailbox.mails == []


def test_while_dns_is_in_trouble_the_sender_is_asked_to_try_again(world: World) -> None:
    raw = written("Hello", number="t").replace(b"s=s1", b"s=servfail")
    assert sent(raw, world.port)[0] == 451
    assert world.mailbox.mails == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("Auto_Submitted", "auto-replied"),
        ("X_Auto_Response_Suppress", "All"),
        ("Precedence", "bulk"),
        ("List_Id", "<rain.lists.example>"),
        ("X_Failed_Recipients", "helper@agents.example"),
    ],
)
def test_no_program_and_no_list_is_answered_and_no_agent_runs_for_them(
    world: World, monkeypatch: pytest.MonkeyPatch, field: str, value: str
) -> None:
    monkeypatch.setattr(world.example, "answer", lambda message: pytest.fail("the agent ran"))
    raw = written("I am away", number=f"p-{field}", **{field: value})
    assert [sent(raw, world.port) for _ in range(2)] == [(250, "2.0.0 OK")] * 2
    assert world.mailbox.mails == []


def test_a_mail_that_comes_twice_is_answered_once(world: World) -> None:
    raw = written("Again", number="r")
    assert [sent(raw, world.port)[0] for _ in range(2)] == [250, 250]
    world.mailbox.next()
    assert world.mailbox.mails == []


def bounce(answer: str) -> bytes:
    """What a mail server writes, unsigned, when Alice's mailbox is gone."""
    head = "From: mailer-daemon@mx.example\r\nTo: helper@agents.example\r\nMIME-Version: 1.0\r\n"
    kind = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
    status = "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\n"
    failed = f"Final-Recipient: rfc822; {ALICE}\r\nAction: failed\r\nStatus: 5.1.1\r\n"
    fields = f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {answer}\r\n--b--\r\n"
    return (head + kind + status + failed + fields).encode()


def test_an_unsigned_bounce_of_an_answer_is_noted_and_not_answered(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    sent(written("Rain?", number="b1"), world.port)
    raw = bounce(world.mailbox.next()[1]["Message-ID"])
    other = bounce("<unknown@agents.example>")
    assert sent(other, world.port, mail_from="")[0] == 550  # it is about no answer of ours
    capsys.readouterr()
    assert sent(raw, world.port, mail_from="") == (250, "2.0.0 OK")
    noted = capsys.readouterr().out
    assert noted.startswith("report on ['answer-to-")
    assert noted.endswith(f"']: delivery, will not reach ['{ALICE}']\n")
    assert world.mailbox.mails == []


def test_an_unsigned_mail_without_a_return_path_takes_no_answer_from_a_signed_one(world: World) -> None:
    raw = written("Hello", number="np")
    assert sent(raw[raw.index(b"From:") :], world.port, mail_from="")[0] == 550
    assert world.mailbox.mails == []
    sent(raw, world.port)
    assert world.mailbox.next()[1]["In-Reply-To"] == "<np@a.example>"


def test_a_mailbox_beyond_ascii_is_answered(world: World) -> None:
    head = "From: 用户@例え.example\r\nTo: helper@agents.example\r\nMessage-ID: <u@xn--r8jz45g.example>\r\n"
    key = SigningKey.from_pem(pem(), key_id="s1._domainkey.xn--r8jz45g.example")
    raw = mail.sign(f"{head}\r\n你好\r\n".encode(), key=key, now=datetime.now(UTC))
    assert sent(raw, world.port, mail_from="用户@例え.example")[0] == 250
    smtp, answer = world.mailbox.next()
    assert (smtp.rcpt_tos, smtp.smtp_utf8) == (["用户@xn--r8jz45g.example"], True)
    assert answer["In-Reply-To"] == "<u@xn--r8jz45g.example>"


def test_a_reply_to_the_answer_goes_on_in_its_thread(world: World) -> None:
    sent(written("Rain?", number="n1", References="<0@a.example>", In_Reply_To="<0@a.example>"), world.port)
    answer = world.mailbox.next()[1]["Message-ID"]
    sent(written("Sunday?", number="n2", In_Reply_To=answer), world.port)
    assert world.mailbox.next()[1]["In-Reply-To"] == "<n2@a.example>"
    assert world.example.stored["<n2@a.example>", f"@{HELPER}"].thread_id == "<0@a.example>"


def test_an_answer_that_cannot_be_sent_is_kept_and_sent_when_the_mail_comes_again(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw, asked, answer = written("Hello", number="u"), list[str](), world.example.answer
    monkeypatch.setattr(world.example, "answer", lambda message: asked.append(message.id) or answer(message))
    with monkeypatch.context() as away:
        away.setattr(world.example, "RELAY", ("127.0.0.1", 1))
        assert sent(raw, world.port)[0] == 451
    world.mailbox.refusals = ["451 4.3.2 Not now"]
    assert sent(raw, world.port) == (451, "4.4.1 The answer cannot be sent now: come again")
    names = [line.partition(" could not be sent: ")[0] for line in capsys.readouterr().out.splitlines()[1:]]
    assert [sent(raw, world.port)[0] for _ in range(2)] == [250, 250]
    assert names == [world.mailbox.next()[1]["Message-ID"]] * 2  # the very answer, made once
    assert (len(asked), world.mailbox.mails, world.example.unsent) == (1, [], {})


def test_an_answer_that_the_mail_server_refuses_for_good_is_dropped(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    world.mailbox.refusals = ["554 5.7.1 Never"]
    assert sent(written("Hello", number="f"), world.port)[0] == 250
    assert world.example.unsent == {}
    assert "could not be sent: (554" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "final"),
    [
        (smtplib.SMTPRecipientsRefused({ALICE: (550, b"")}), True),
        (smtplib.SMTPRecipientsRefused({ALICE: (550, b""), HELPER: (450, b"")}), False),
        (smtplib.SMTPSenderRefused(552, b"", HELPER), True),
        (smtplib.SMTPDataError(452, b""), False),
        (smtplib.SMTPNotSupportedError("SMTPUTF8"), True),
        (smtplib.SMTPServerDisconnected("away"), False),
        (OSError("away"), False),
    ],
)
def test_only_a_refusal_for_good_is_final(world: World, error: Exception, final: bool) -> None:
    assert world.example.is_final(error) is final


def test_the_program_serves_until_it_is_interrupted(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    serve = world.example.serve

    async def run() -> asyncio.Server:
        started: asyncio.Future[asyncio.Server] = asyncio.get_running_loop().create_future()

        async def anywhere(port: int) -> asyncio.Server:
            assert port == 8025
            started.set_result(await serve(0))
            return started.result()

        monkeypatch.setattr(world.example, "serve", anywhere)
        task = asyncio.create_task(world.example.main())
        server = await started
        assert server.is_serving()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return server

    assert not asyncio.run(run()).is_serving()


def tried(program: str, *words: str, folder: Path) -> tuple[int, str]:
    """How a program ends that somebody new starts, and what it says."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / program), *words]
    world = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent)}
    done = subprocess.run(
        command, cwd=folder, env=world, capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("text", ["Will it rain?", "Or snow, *perhaps*?"])
def test_somebody_new_sees_a_mail_answered(tmp_path: Path, text: str) -> None:
    status, out = tried("try_mail.py", text, folder=tmp_path)
    assert (status, out.splitlines()[-1]) == (0, f"You wrote: {text}")
    assert "@helper@agents.example (email-dkim) answers <" in out


def test_somebody_new_sees_a_forged_mail_refused(tmp_path: Path) -> None:
    status, out = tried("try_mail.py", "--forged", folder=tmp_path)
    assert (status, out.splitlines()[-1]) == (1, "No answer came.")
    assert "says: 550 5.7.1 " in out
