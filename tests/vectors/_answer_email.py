"""Answers by mail: `conformance/v0.1/reply/email-*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _answer_shared as shared
from tests.vectors._answer_rows import DONE, MARKDOWN, PLAIN, Case, answer, row, standard
from tests.vectors._email_rows import zone
from tests.vectors._email_signing import NAMES, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

ALICE: Final = "alice@a.example"
HELPER: Final = "helper@agents.example"
MID: Final = "<m1@a.example>"
PICTURE: Final = b"\x89PNG\r\n\x1a\n"
IMAGE: Final = {
    "kind": "file",
    "mime": "image/png",
    "name": "cloud.png",
    "bytes_ref": {"kind": "inline", "data_base64": standard(PICTURE)},
}
HOSTED: Final = {
    "kind": "file",
    "mime": "image/png",
    "name": "far.png",
    "bytes_ref": {"kind": "url", "url": "https://files.example/far.png"},
}
ALTERNATIVE: Final = ["multipart/alternative", "text/plain", "text/html", "the trace"]


def html(content: str) -> Case:
    """A part of HTML."""
    return {"kind": "text", "mime": "text/html", "content": content}


def asked(body: str = "Will it rain? (a secret)", /, **fields: str | None) -> str:
    """The mail that is answered; a field of None is left out, `_` is a hyphen."""
    head = {
        "From": f"Alice <{ALICE}>",
        "To": f"Helper <{HELPER}>",
        "Subject": "Hello",
        "Date": "Sat, 21 Nov 2026 10:00:00 +0000",
        "Message-ID": MID,
    }
    head |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in head.items() if value is not None]
    return "\r\n".join([*lines, "", body, ""])


def case(name: str, section: str, why: str, said: Any = None, raw: str | None = None, **more: Any) -> Case:
    """An answer, and facts about the mail that goes out."""
    said = answer(MARKDOWN) if said is None else said if isinstance(said, dict) else answer(*said)
    lookups = {
        f"AGENT {HELPER}": "@helper@agents.example",
        f"AGENT {ALICE}": "@alice@a.example",
        "AGENT *": None,
        "MESSAGE *": None,
        "HISTORY *": [],
        "TXT *": [],
        **more.pop("lookups", {}),
    }
    given: Case = {"lookups": lookups}
    if "settings" in more:
        given["settings"] = more.pop("settings")
    question: Case = {"raw": asked() if raw is None else raw}
    if "envelope" in more:
        question["envelope"] = more.pop("envelope")
    inputs = {"question": question, "response": said, **more.pop("unit", {})}
    if "facts" in more:
        more.setdefault("diagnostics", [])
    flags = ["reply", "email", *more.pop("flags", [])]
    return row(f"reply/email-{name}", section, why, inputs, given=given, flags=flags, **more)


def refused(name: str, section: str, why: str, said: Any, **more: Any) -> Case:
    """A response that may not go out."""
    return case(name, section, why, said, rejected={"code": "malformed"}, **more)


def people() -> Iterator[Case]:
    """Whom it is from, and whom it goes to."""

    def to(name: str, section: str, why: str, names: list[str], raw: str | None = None, **more: Any) -> Case:
        facts = {"people": names, "bcc": [], **more.pop("facts", {})}
        return case(f"people/{name}", section, why, raw=raw, facts=facts, **more)

    rule, form = "NM 3.3.1", "RFC 5322 3.6.3"
    yield to(
        "asker",
        form,
        "An answer goes to who asked, from whom was asked.",
        [ALICE],
        facts={"from": [HELPER], "to": [ALICE], "cc": []},
    )
    yield to(
        "asker-by-name",
        form,
        "A name in the question is one in the answer.",
        [ALICE],
        facts={"to_names": ["Alice"]},
        level="SHOULD",
    )
    yield to(
        "name-beyond-ascii",
        "RFC 2047 5",
        "Names of all scripts come through.",
        [ALICE],
        asked(From=f"=?utf-8?B?{standard('Ålice, 東京'.encode())}?= <{ALICE}>"),
        facts={"to_names": ["Ålice, 東京"]},
        level="SHOULD",
    )
    yield to(
        "siblings",
        rule,
        "Who stands in To or Cc is woken.",
        [ALICE, "bob@other.example", "carol@other.example"],
        unit={"siblings": ["@bob@other.example", "@carol@other.example"]},
        facts={"to": [ALICE]},
    )
    yield to(
        "sibling-given-twice",
        rule,
        "Once is enough.",
        [ALICE, "bob@other.example"],
        unit={"siblings": ["@bob@other.example", "@bob@other.example"]},
    )
    yield to("asker-as-sibling", rule, "Who asked is told once.", [ALICE], unit={"siblings": ["@alice@a.example"]})
    yield to(
        "agent-as-sibling",
        rule,
        "The agent does not write to itself.",
        [ALICE],
        unit={"siblings": ["@helper@agents.example"]},
    )
    yield to(
        "sibling-in-the-text",
        rule,
        "In mail an address in the text wakes nobody.",
        [ALICE],
        said=[{**PLAIN, "content": "Ask @bob@other.example."}],
    )
    yield to(
        "other-people-of-the-question",
        "D B17",
        "Who was copied on a question did not ask for the answer.",
        [ALICE],
        asked(Cc="Dave <dave@other.example>", To=f"{HELPER}, erin@other.example"),
        facts={"has": {"mail": {"dave@": False, "erin@": False}}},
    )
    yield to(
        "own-name",
        "D B17",
        "The agent may have a name.",
        [ALICE],
        unit={"sender": f"The Helper <{HELPER}>"},
        facts={"from": [HELPER], "from_names": ["The Helper"]},
    )

    wanted = "Who asks may want the answer elsewhere."
    yield to("reply-to", "RFC 5322 3.6.2", wanted, ["desk@a.example"], asked(Reply_To="Desk <desk@a.example>"))
    yield to(
        "reply-to-several",
        "RFC 5322 3.6.2",
        wanted,
        ["desk@a.example", "team@a.example"],
        asked(Reply_To="desk@a.example, Team <team@a.example>"),
    )
    yield to("reply-to-the-asker", "RFC 5322 3.6.2", "The same mailbox, said again.", [ALICE], asked(Reply_To=ALICE))
    yield to(
        "reply-to-the-agent",
        "D B17",
        "The agent would write to itself.",
        [ALICE],
        asked(Reply_To=HELPER),
        diagnostics=["reply-to-refused"],
        flags=["attack"],
    )
    yield to(
        "reply-to-nobody",
        "D B17",
        "A field that names nobody counts for nothing.",
        [ALICE],
        asked(Reply_To="undisclosed"),
        diagnostics=["reply-to-refused"],
    )
    yield to(
        "reply-to-a-crowd",
        "D B17",
        "One mail must not become many.",
        [ALICE],
        asked(Reply_To=", ".join(f"p{n}@victim.example" for n in range(60))),
        diagnostics=["reply-to-refused"],
        flags=["attack"],
    )
    mail = asked(Reply_To="desk@a.example").encode()
    yield to(
        "reply-to-signed",
        "D B17",
        "Who signed the field wants the answer there.",
        ["desk@a.example"],
        signed(mail, tags={"h": f"{NAMES}:reply-to"}).decode(),
        lookups=zone(),
    )
    yield to(
        "reply-to-not-signed",
        "D B17",
        "Anybody on the way could have added it.",
        [ALICE],
        signed(mail).decode(),
        lookups=zone(),
        diagnostics=["reply-to-unsigned"],
        flags=["attack"],
    )


def head() -> Iterator[Case]:
    """What stands in the head."""

    def thread(
        name: str, why: str, in_reply_to: Any, references: list[str], raw: str | None = None, **more: Any
    ) -> Case:
        facts = {"in_reply_to": in_reply_to, "references": references, **more.pop("facts", {})}
        return case(f"thread/{name}", more.pop("section", "RFC 5322 3.6.4"), why, raw=raw, facts=facts, **more)

    yield thread("first-answer", "Mail programs group by these two.", MID, [MID])
    yield thread(
        "deeper",
        "The chain goes on, its root first.",
        MID,
        ["<r@a.example>", "<p@a.example>", MID],
        asked(References="<r@a.example> <p@a.example>", In_Reply_To="<p@a.example>"),
    )
    yield thread(
        "in-reply-to-alone",
        "Gmail leaves References out.",
        MID,
        ["<p@a.example>", MID],
        asked(In_Reply_To="<p@a.example>"),
    )
    yield thread("no-message-id", "What has no id cannot be named.", None, [], asked(Message_ID=None))
    yield thread(
        "chain-holds-the-question",
        "An id stands once.",
        MID,
        ["<r@a.example>", MID],
        asked(References=f"<r@a.example> {MID}"),
        level="SHOULD",
    )
    yield thread(
        "chain-begins-with-the-question",
        "The mail that is answered is the last one of the chain, also where it names itself first.",
        MID,
        ["<r@a.example>", MID],
        asked(References=f"{MID} <r@a.example>"),
    )
    for name, odd in (("without-at", "<20261124.1.host>"), ("with-two-at", "<a@b@c>")):
        why = "An id of any form is named as it is, or the answer is in no thread."
        yield thread(f"id-{name}", why, odd, [odd], asked(Message_ID=odd), section="R74")
    yield thread(
        "mailbox-in-in-reply-to",
        "The mailbox of a person is no id.",
        MID,
        [MID],
        asked(In_Reply_To="<helper@agents.example>"),
        section="R74",
    )
    yield thread(
        "other-thread",
        "The agent may name another thread.",
        "<t9@b.example>",
        ["<t9@b.example>"],
        said=answer(MARKDOWN, push_back={"thread_ref": "<t9@b.example>"}),
        section="R31",
    )
    long = " ".join(f"<{n:03}-{'x' * 60}@a.example>" for n in range(150))
    yield case(
        "thread/long-chain",
        "RFC 5322 3.6.4",
        "Of a chain without end, the root and the end find the thread.",
        raw=asked(References=long.replace(" ", "\r\n ")),
        facts={
            "thread": [long.split()[0], MID],
            "wire": {"crlf": True, "short_lines": True, "ascii": True, "nul": False},
        },
    )

    def subject(name: str, why: str, given: str | None, expected: str, **more: Any) -> Case:
        facts = {"subject": expected, **more.pop("facts", {})}
        section = more.pop("section", "RFC 5322 3.6.5")
        return case(f"subject/{name}", section, why, raw=asked(Subject=given), facts=facts, **more)

    yield subject("behind-re", "One Re: says that it is an answer.", "Hello", "Re: Hello", level="SHOULD")
    yield subject("re-already", "One is enough.", "Re: Hello", "Re: Hello", level="SHOULD")
    yield subject("re-in-capitals", "In any case.", "RE: re: Hello", "Re: Hello", level="SHOULD")
    yield subject("none", "A question may have no subject.", None, "Re:", level="SHOULD")
    word = f"=?utf-8?B?{standard('Grüße aus 東京'.encode())}?="
    yield subject(
        "beyond-ascii", "Subjects of all scripts come through.", word, "Re: Grüße aus 東京", section="RFC 2047 2"
    )
    half = f"=?utf-8?B?{standard(b'a' + bytes((0xED, 0xA0, 0x80)) + b'b')}?="
    yield subject(
        "half-of-a-surrogate-pair",
        "What is no text is replaced, and the answer goes out.",
        half,
        "Re: a\ufffd\ufffd\ufffdb",
        section="RFC 3629 3",
        level="SHOULD",
        flags=["attack"],
    )
    long_subject = "A very long subject " * 20
    yield subject(
        "long",
        "A long subject is folded.",
        long_subject.strip(),
        f"Re: {long_subject.strip()}",
        section="RFC 5322 2.1.1",
        facts={"wire": {"crlf": True, "short_lines": True, "ascii": True, "nul": False}},
    )
    inject = "=?utf-8?Q?Hi=0D=0ABcc:_evil@evil.example=0D=0A=0D=0AX?="
    yield case(
        "subject/line-breaks",
        "RFC 5322 2.2",
        "A subject never becomes another field.",
        raw=asked(Subject=inject),
        facts={"bcc": [], "people": [ALICE], "tree": ALTERNATIVE, "has": {"head": {"\nBcc:": False}}},
        flags=["attack"],
    )

    yield case("head/automatic", "RFC 3834 5", "Programs do not answer this.", facts={"auto_submitted": "auto-replied"})
    yield case(
        "head/date", "RFC 5322 3.6.1", "The time is given in.", facts={"date": "Sat, 21 Nov 2026 20:56:00 +0000"}
    )
    yield case(
        "head/own-id",
        "RFC 5322 3.6.4",
        "An id of its own, of the domain of the agent.",
        facts={"has": {"head": {"@agents.example>": True}}, "message_id": {"$any": "json"}},
    )
    yield from loops()
    yield case(
        "loop/a-person",
        "RFC 3834 2",
        "`no` says that a person wrote it.",
        raw=asked(Auto_Submitted="no"),
        facts={"auto_submitted": "auto-replied"},
    )


PROGRAMS: Final[tuple[tuple[str, Case, Case], ...]] = (
    ("auto-generated", {"Auto_Submitted": "auto-generated"}, {}),
    ("auto-replied", {"Auto_Submitted": "auto-replied (vacation)"}, {}),
    ("bulk", {"Precedence": "bulk"}, {}),
    ("list", {"List_Id": "<rain.lists.example>"}, {}),
    ("no-return-path", {}, {"envelope": {"mail_from": "", "rcpt_to": [HELPER]}}),
    ("mailer-daemon", {"From": "MAILER-DAEMON@a.example"}, {}),
    ("no-reply", {"From": "no-reply@a.example"}, {}),
    ("suppressed", {"X_Auto_Response_Suppress": "All"}, {}),
    ("itself", {"From": HELPER}, {}),
)
"""What is not answerable: a name, its fields, and what comes with the mail."""


def loops() -> Iterator[Case]:
    """Answers to what is not answerable, where they are asked for, and where they are not."""
    for name, fields, more in PROGRAMS:
        yield refused(
            f"unanswerable/{name}",
            "RFC 3834 2",
            "Who answers programs may be answered by them.",
            answer(MARKDOWN),
            raw=asked(**fields),
            level="SHOULD",
            **more,
        )
        yield case(
            f"loop-asked-for/{name}",
            "RFC 3834 2",
            "Who asks for an answer to a program is warned.",
            raw=asked(**fields),
            settings={"answer_unanswerable": True},
            level="SHOULD",
            facts={"auto_submitted": "auto-replied"},
            diagnostics=["loop-risk"],
            **more,
        )
    yield case(
        "loop-asked-for/a-person",
        "RFC 3834 2",
        "A person is answered without a warning.",
        settings={"answer_unanswerable": True},
        level="SHOULD",
        facts={"auto_submitted": "auto-replied"},
    )


def refusals() -> Iterator[Case]:
    """What may not go out."""
    rule = "R31"
    yield from shared.refusals(refused, said=MARKDOWN, image=IMAGE, other="activitypub", name="ActivityPub")
    yield shared.frame(refused, what="mail")
    yield refused(
        "refused/thread-that-is-no-message-id",
        rule,
        "A thread of another protocol is none here.",
        answer(MARKDOWN, push_back={"thread_ref": "https://a.example/contexts/1"}),
    )
    yield refused(
        "refused/too-large",
        "R31",
        "What is bounded coming in is bounded going out.",
        [{**PLAIN, "content": "x" * 4000}],
        settings={"limits": {"mail_bytes": 3000}},
    )
    yield refused(
        "refused/sibling-that-is-no-address",
        "NM 3.3.1",
        "Nobody is written to at half an address.",
        [PLAIN],
        unit={"siblings": ["bob"]},
    )
    yield refused(
        "refused/viewer-that-is-none",
        "NM 10.4",
        "One setting holds for both transports: what is no viewer on ActivityPub is none in mail.",
        [PLAIN],
        settings={"trace_viewer": "off"},
    )
    yield refused("refused/result-and-error", "NM 3.2", "A call has not both.", [{**DONE, "error": {"message": "x"}}])


def corrections() -> Iterator[Case]:
    """A mail in the place of another one."""
    old, rule = "<m9@agents.example>", "D B30"

    def corrected(name: str, why: str, native_id: str, **more: Any) -> Case:
        return case(f"supersedes/{name}", rule, why, unit={"supersedes": native_id}, level="SHOULD", **more)

    facts = {"supersedes": old, "in_reply_to": MID, "references": [MID], "subject": "Re: Hello"}
    yield corrected("answer", "The old answer is named, in the thread of both.", old, facts=facts)
    none = {"supersedes": None}
    yield case("supersedes/none", rule, "An answer of its own replaces none.", level="SHOULD", facts=none)
    for name, native_id in (
        ("of-another", "<m9@a.example>"),
        ("of-a-subdomain", "<m9@mail.agents.example>"),
        ("no-id", "m9"),
        ("injected", "<m9@agents.example>\r\nBcc: eve@e.example"),
    ):
        why = "Only a mail of the own domain is replaced."
        malformed = {"code": "malformed"}
        yield corrected(name, why, native_id, rejected=malformed, flags=[] if name == "no-id" else ["attack"])


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_email.py; change that."
    files: dict[str, list[Case]] = {}
    for cases in (people, head, refusals, corrections):
        for one in cases():
            files.setdefault(one["id"].split("/")[1], []).append(one)
    for behaviour, found in files.items():
        yield "reply", behaviour, "email.reply", note, found
