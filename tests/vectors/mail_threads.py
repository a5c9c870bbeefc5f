"""The cases of threads of mail: which stored mail decides, ids of any form, Thread-Index, ids that are made."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import case_file
from tests.vectors.memory import AGENT, ALICE, KEPT, STORE, case, email

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.vectors._answer_rows import Case

NOTE: Final = "Written by tests/vectors/mail_threads.py; change that."
ROOT: Final = "<root@a.example>"
ANSWER: Final = "<answer@agents.example>"
OWN: Final[Case] = {"id": f"{KEPT}2", "thread_id": ROOT, "sender": AGENT, "auth_method": "own"}
THEIRS: Final[Case] = {"id": f"{KEPT}1", "thread_id": ROOT, "sender": ALICE}
INDEX: Final = b"\x01\xdc\x5e\xe4\xc7\xbd" + bytes(range(16))
CONVERSATION: Final = f"<thread-index.{sha256(INDEX).hexdigest()[:32]}@mentionable.invalid>"
IN_ROOT: Final[Case] = {f"HISTORY {ROOT}": STORE}
LINES: Final = ("From: Alice <alice@a.example>", "To: helper@agents.example", "Subject: Hello")
WRITTEN: Final = "from:Alice <alice@a.example>\nto:helper@agents.example\nsubject:Hello\n"


def index(data: bytes = INDEX) -> str:
    """A Thread-Index field."""
    return f"Thread-Index: {b64encode(data).decode()}"


def made(written: str, body: str = "Hi") -> str:
    """The id of a mail without one: its author's fields, an empty line, the body without its last line ends."""
    digest = sha256("\n".join((written, body)).encode()).hexdigest()
    return f"<{digest[:32]}@mentionable.invalid>"


def received(variant: str, why: str, history: list[Case], *head: str, section: str = "R74", **more: Any) -> Case:
    """A mail of Alice with these fields, to a store that has some."""
    lookups = more.pop("lookups", {})
    found = case("email", variant, why, history, unit=email([], *head), lookups=lookups, section=section, **more)
    return {**found, "id": f"email/threads/{variant}", "flags": ["threading"]}


def decided() -> Iterator[Case]:
    """The thread of the first stored id."""
    joined: Case = {"thread_id": ROOT}
    answered: Case = {"thread_id": ROOT, "in_reply_to": f"{KEPT}2"}
    known: Case = {f"MESSAGE {ANSWER}": OWN, **IN_ROOT}
    yield received(
        "stored-parent-beside-references",
        "References may begin with any mail: the thread is that of the stored parent.",
        STORE,
        "References: <r@a.example>",
        f"In-Reply-To: {ANSWER}",
        lookups=known,
        changes=answered,
    )
    yield received(
        "stored-last-reference",
        "Programs name the mail before alone, or leave the root out.",
        STORE,
        f"References: <r@a.example> {ANSWER}",
        lookups=known,
        changes=joined,
    )
    yield received(
        "stored-root",
        "Where the newer mails are not stored, an older one tells the thread.",
        STORE,
        "References: <old@a.example> <lost@a.example>",
        "In-Reply-To: <lost@a.example>",
        lookups={"MESSAGE <old@a.example>": THEIRS, **IN_ROOT},
        changes={"thread_id": ROOT, "in_reply_to": "<lost@a.example>"},
    )
    yield received(
        "stored-several-parent-first",
        "The mail that is answered tells more than those before it.",
        STORE,
        "References: <a@a.example> <b@a.example>",
        f"In-Reply-To: {ANSWER}",
        lookups=known | {f"MESSAGE <{one}@a.example>": {**THEIRS, "thread_id": f"<{one}>"} for one in "ab"},
        changes=answered,
    )
    yield received(
        "stored-several-last-first",
        "A later reference is nearer than an earlier one.",
        STORE,
        f"References: <a@a.example> {ANSWER}",
        lookups=known | {"MESSAGE <a@a.example>": {**THEIRS, "thread_id": "<a@a.example>"}},
        changes=joined,
    )
    yield received(
        "stored-second-parent",
        "A mail may answer several; the one that is stored is named by its id.",
        STORE,
        f"In-Reply-To: <lost@a.example> {ANSWER}",
        lookups=known,
        changes=answered,
    )
    yield received(
        "stored-none",
        "Where nothing is stored, the first reference is the thread.",
        STORE,
        f"References: <r@a.example> {ANSWER}",
        f"In-Reply-To: {ANSWER}",
        section="NM 5.3.1",
        changes={"in_reply_to": ANSWER},
    )
    yield received(
        "stored-of-a-trimmed-chain",
        "Long fields are cut in the middle of an id: what is whole counts.",
        STORE,
        f"References: <gone@a.example> {ANSWER} <cut.in.the.mid",
        lookups=known,
        changes=joined,
    )
    yield received(
        "stored-parent-of-another",
        "A reply to a mail of another person joins its thread, and the host learns that it does.",
        STORE[1:],
        "In-Reply-To: <b@b.example>",
        lookups={
            "MESSAGE <b@b.example>": {"id": f"{KEPT}1", "thread_id": ROOT, "sender": "@bob@b.example"},
            f"HISTORY {ROOT}": STORE[1:],
        },
        changes={"thread_id": ROOT, "in_reply_to": f"{KEPT}1"},
        notes=["thread-joined"],
    )
    yield received(
        "stored-history-silent",
        "The history of the thread that was found counts; a store that is away costs no more than that.",
        [],
        f"In-Reply-To: {ANSWER}",
        lookups={
            f"MESSAGE {ANSWER}": OWN,
            f"HISTORY {ANSWER}": STORE,
            f"HISTORY {ROOT}": {"failed": "the database is away"},
        },
        changes=answered,
        notes=["lookup-unanswered", "thread-joined"],
    )
    yield received(
        "mailbox-in-in-reply-to",
        "A program that names a person in In-Reply-To would make one thread of all that it ever sends to them.",
        [],
        "In-Reply-To: <Helper@agents.example>",
        changes={"thread_id": "<m9@a.example>"},
        notes=["message-id-malformed"],
    )
    yield received(
        "mailbox-after-an-id",
        "It is no id either where the mail that is answered is named before it.",
        STORE,
        "References: <r@a.example>",
        "In-Reply-To: <r@a.example>, <Helper@agents.example>",
        lookups={"MESSAGE <Helper@agents.example>": OWN, **IN_ROOT},
        changes={"thread_id": "<r@a.example>", "in_reply_to": "<r@a.example>"},
    )


def indexed() -> Iterator[Case]:
    """Outlook's own mark of a conversation."""
    known: Case = {f"MESSAGE {CONVERSATION}": THEIRS, **IN_ROOT}
    yield received(
        "index-alone",
        "Servers that write no ids of other mails write this one mark of a conversation.",
        STORE,
        index(INDEX + bytes(5)),
        lookups=known,
        changes={"thread_id": ROOT},
    )
    yield received(
        "index-of-nothing-stored",
        "A conversation that is not stored is a thread of its own.",
        [],
        index(),
        changes={"thread_id": "<m9@a.example>"},
    )
    yield received(
        "index-beside-an-id",
        "An id tells more than the mark, which stays when somebody begins anew with an old mail.",
        STORE,
        "References: <r@a.example>",
        index(),
        lookups=known,
        must_not_ask=[f"HISTORY {ROOT}"],
    )
    for variant, sender in (("bob", "@bob@b.example"), ("a-look-alike", "@alice@a.example.evil.example")):
        yield received(
            f"attack-index-of-{variant}",
            "Whoever got one mail of a conversation knows its mark: it leads into a thread of the same sender alone.",
            [],
            index(),
            lookups={f"MESSAGE {CONVERSATION}": {**THEIRS, "sender": sender}, **IN_ROOT},
            changes={"thread_id": "<m9@a.example>"},
            notes=["thread-unproven"],
            must_not_ask=[f"HISTORY {ROOT}"],
        )
    yield received(
        "attack-index-as-parent",
        "Ids that are made here stand in no mail: who names one has computed it.",
        [],
        f"In-Reply-To: {CONVERSATION}",
        lookups=known,
        changes={"thread_id": "<m9@a.example>"},
        notes=["message-id-malformed"],
        must_not_ask=[f"HISTORY {ROOT}"],
    )
    for variant, data in (("short", INDEX[:-1]), ("uneven", INDEX + b"\0"), ("of-another-kind", b"\0" + INDEX[1:])):
        yield received(
            f"index-{variant}",
            "What has not the form of the mark is none.",
            [],
            index(data),
            changes={"thread_id": "<m9@a.example>"},
            must_not_ask=[f"HISTORY {ROOT}"],
        )


def again() -> Iterator[Case]:
    """A mail without an id that comes twice."""
    name = made("from:alice@a.example\nto:helper@agents.example\n", "And on Sunday?")
    head = ["From: alice@a.example", "To: helper@agents.example"]
    for variant, hops in (
        ("as-it-was", []),
        ("by-another-way", ["Received: by mx2.agents.example; Tue, 24 Nov 2026 10:00:07 +0000"]),
        (
            "checked-on-the-way",
            ["Authentication-Results: mx; dkim=none", "ARC-Seal: i=1", "X-Spam-Score: 0.1"],
        ),
        ("from-a-mailbox", ["Return-Path: <alice@a.example>", "Delivered-To: helper@agents.example", "Status: RO"]),
    ):
        raw = "\r\n".join([*hops, *head, "", "And on Sunday?\r\n"])
        found = case(
            "email",
            variant,
            "A mail without an id that comes again is the same mail, whatever the servers wrote on it.",
            [],
            unit={"raw": raw},
            lookups={f"MESSAGE {name}": {"id": f"{KEPT}9", "thread_id": name, "sender": ALICE}},
            changes={"id": f"{KEPT}9", "thread_id": name},
            notes=["message-id-missing", "redelivered"],
            section="R80",
        )
        yield {**found, "id": f"email/threads/again-{variant}", "flags": ["threading"]}


def form(
    variant: str, why: str, value: str, *head: str, section: str = "R74", body: str = "Hi\r\n", **given: Any
) -> Case:
    """A mail, and its thread."""
    return {
        "id": f"email/threads/id-{variant}",
        "section": section,
        "level": "MUST",
        "why": why,
        "flags": ["threading"],
        "given": {"recipient": AGENT, "lookups": {"MESSAGE *": None, "HISTORY *": [], **given}},
        "input": {"raw": "\r\n".join([*LINES, *head, "", body])},
        "value": value,
    }


def forms() -> Iterator[Case]:
    """Ids as programs of all times have written them, and those that are made."""
    own = "Message-ID: <m1@a.example>"
    rows = (
        ("without-at", "Servers write ids without an @.", "<20261124.1.host>", "References: <20261124.1.host>"),
        ("with-two-at", "Servers write ids with two @.", "<a@b@c>", "References: <a@b@c> <x@a.example>"),
        ("word-in-brackets", "A name in brackets within a sentence is no id.", "<m1@a.example>",
         "In-Reply-To: your mail to <Bob>"),
        ("with-commas", "Some programs put commas between ids.", ROOT, f"References: {ROOT},<x@a.example>"),
        ("in-quotes", "Some programs put ids into quotes.", ROOT, f'References: "{ROOT} <x@a.example>"'),
        ("without-brackets", "Some programs leave the brackets out.", ROOT, "In-Reply-To: root@a.example, x@a.example"),
        ("in-an-encoded-word", "Some programs encode a field that must not be encoded.", ROOT,
         "References: =?us-ascii?Q?=3Croot=40a.example=3E?="),
        ("with-a-blank-inside", "A fold in the middle of an id does not make two of it.", ROOT,
         "References: <root\r\n @a.example>"),
        ("comment", "A comment is no id.", ROOT, f"References: (was <old@a.example>) {ROOT}"),
        ("in-a-comment", "Where nothing else is an id, that in a comment is.", ROOT, f"In-Reply-To: (message {ROOT})"),
        ("prose-behind", "Old programs write the sender and the time behind the id.", ROOT,
         f'In-Reply-To: {ROOT} from "Bob" at Nov 24, 26 10:00:00 am'),
        ("cut", "An id without its end is none.", ROOT, f"References: {ROOT} <cut@a.exam"),
        ("own-id-first", "A mail is not the root of what it answers.", ROOT, f"References: <m1@a.example> {ROOT}"),
        ("made-here", "An id that is made here stands in no mail.", ROOT,
         f"References: <0512c2f3a2daec3f34059d94dbdde7cf@mentionable.invalid> {ROOT}"),
    )  # fmt: skip
    for variant, why, value, *head in rows:
        yield form(variant, why, value, own, *head)
    stored = {"id": f"{KEPT}2", "thread_id": ROOT, "sender": AGENT, "auth_method": "own"}
    yield form(
        "stored-form",
        "An id of any form finds the stored mail.",
        ROOT,
        own,
        "References: <r@a.example> <no-at>",
        **{"MESSAGE <no-at>": stored},
    )
    why = "The id of a mail without one depends on what its author wrote, so that it is the same each time."
    yield form("made", why, made(WRITTEN), section="R80")
    yield form("made-beside-hops", why, made(WRITTEN), "Received: by mx", "X-Spam: no", section="R80")
    yield form("made-of-folded-fields", why, made(WRITTEN + "comments:a b\n"), "Comments: a\r\n\t b", section="R80")
    yield form("made-with-more-lines", why, made(WRITTEN), section="R80", body="Hi\r\n\r\n\r\n")
    why = "The same words at another time are another message: taken for one, the second would be lost."
    yield form("made-with-date", why, made(WRITTEN + "date:x\n"), "Date: x", section="R80")
    why = "A Message-ID that is no id is as good as none."
    yield form("made-for-no-id", why, made(WRITTEN + "message-id:no id\n"), "Message-ID: no id", section="NM 5.3.1")


def files() -> Iterator[tuple[Path, str]]:
    """What is received, and threads by themselves."""
    yield case_file("email", "threads", "email.receive", NOTE, [*decided(), *indexed(), *again()])
    yield case_file("email", "thread-forms", "email.thread_id", NOTE, list(forms()))
