"""Mutants of answers by mail."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import mends, quiet, refuses, shows, some, spoils, takes
from tests.mutants._reply_activitypub import IN_TRIPS

AREA = "reply"
REPLY, TRIP = ("email.reply",), ("email.round_trip",)
ALICE = "alice@a.example"


def _mail(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that sends another mail: `change(text, unit)` gives its text."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        text = change(b64decode(value["mail"]).decode("utf-8", "surrogateescape"), unit)
        return {**value, "mail": b64encode(text.encode("utf-8", "surrogateescape")).decode()}

    spoils(AREA, REPLY, f"mail-{name}", rule, changed, central=central)


def _raw(unit: Any) -> str:
    raw: str = unit["question"]["raw"]
    return raw


def _people(name: str, rule: str, change: Any) -> None:
    """Registers a mutant that writes to others: `change(addresses, unit)` gives all that stand in To."""

    def changed(value: Any, _: Any, unit: Any) -> Any:
        rcpt = change([*value["rcpt_to"]], unit)
        head, mark, body = b64decode(value["mail"]).decode("utf-8", "surrogateescape").partition("\r\n\r\n")
        head = re.sub(r"\r\nCc:.*(?:\r\n .*)*", "", head)
        if rcpt != value["rcpt_to"]:
            head = re.sub(r"\r\nTo:.*(?:\r\n .*)*", lambda _: "\r\nTo: " + ", ".join(rcpt), head)
            text = (head + mark + body).encode("utf-8", "surrogateescape")
            return {**value, "rcpt_to": rcpt, "mail": b64encode(text).decode()}
        return None

    spoils(AREA, REPLY, f"mail-{name}", rule, changed)


_people(
    "everybody-again",
    "Answers everybody whom the question went to.",
    lambda rcpt, unit: [*rcpt, "dave@other.example", "erin@other.example"] if "dave@" in _raw(unit) else rcpt,
)
_people("forgets-siblings", "Does not write to siblings.", lambda rcpt, unit: rcpt[:1] if "siblings" in unit else rcpt)
_people(
    "writes-twice",
    "Writes twice to who is named twice.",
    lambda rcpt, unit: (
        rcpt
        if len(unit.get("siblings", ())) != 2 or len(rcpt) != 2
        else [*rcpt, "bob@other.example", "bob2@other.example"]
    ),
)
_people(
    "asker-as-sibling",
    "Writes to the asker as a sibling too.",
    lambda rcpt, unit: [*rcpt, "alice+2@a.example"] if "@alice@a.example" in unit.get("siblings", ()) else rcpt,
)
_people(
    "writes-to-itself",
    "Writes to itself.",
    lambda rcpt, unit: (
        [*rcpt, "helper@agents.example"] if "@helper@agents.example" in unit.get("siblings", ()) else rcpt
    ),
)
_people(
    "guesses",
    "Writes to whom the text names.",
    lambda rcpt, unit: [*rcpt, "bob@other.example"] if "@bob@other" in json.dumps(unit["response"]) else rcpt,
)
_people(
    "one-reply-to", "Writes to the first of Reply-To.", lambda rcpt, unit: rcpt[:1] if "siblings" not in unit else rcpt
)
_people(
    "reply-to-itself",
    "Believes a Reply-To that names the agent.",
    lambda rcpt, unit: ["helper@agents.example"] if "Reply-To: helper" in _raw(unit) else rcpt,
)
_people(
    "reply-to-a-crowd",
    "Believes any Reply-To.",
    lambda rcpt, unit: ["p0@victim.example"] if "victim" in _raw(unit) else rcpt,
)
_people(
    "from-always",
    "Answers From whatever Reply-To says.",
    lambda rcpt, unit: [ALICE] if "desk@" in "".join(rcpt) else rcpt,
)
_people(
    "believes-nobody",
    "Believes Reply-To only when it is who asked.",
    lambda rcpt, unit: ["postmaster@a.example"] if f"Reply-To: {ALICE}" in _raw(unit) else rcpt,
)
_people(
    "writes-to-nobody-in-particular",
    "Writes to what stands in a field that names nobody.",
    lambda rcpt, unit: ["undisclosed@a.example"] if "undisclosed" in _raw(unit) else rcpt,
)
quiet(
    AREA,
    REPLY,
    "reply-to-refused",
    "reply-to-unsigned",
    "loop-risk",
    "trace-shortened",
    "trace-dropped",
    "media-type-replaced",
)


def _head(name: str, rule: str, change: Any, *, central: bool = False) -> None:
    """Registers a mutant that writes another head, unfolded: `change(head, unit)`."""

    def changed(text: str, unit: Any) -> str:
        head, mark, body = text.partition("\r\n\r\n")
        made: str = change(re.sub(r"\r\n[ \t]", " ", head), unit)
        return made + mark + body if made != re.sub(r"\r\n[ \t]", " ", head) else text

    _mail(name, rule, changed, central=central)


def _field(name: str, rule: str, field: str, change: Any) -> None:
    _head(
        name,
        rule,
        lambda head, unit: re.sub(
            rf"(?m)^{field}: (.*?)\r?$",
            lambda found: (
                f"{field}: {change(found[1], unit)}\r"
                if found[0].endswith("\r")
                else f"{field}: {change(found[1], unit)}"
            ),
            head,
        ),
    )


_field(
    "from-somebody",
    "Writes in the name of nobody.",
    "From",
    lambda text, unit: text if "sender" in unit else "noreply@agents.example",
)
_field(
    "no-own-name", "Forgets its name.", "From", lambda text, unit: "helper@agents.example" if "sender" in unit else text
)
_field("other-parents", "Names another parent.", "In-Reply-To", lambda text, _: "<x@a.example>")
_head("no-references", "Writes no References.", lambda head, _: re.sub(r"\r\nReferences:.*", "", head))
_field("parent-alone", "Names the parent alone in References.", "References", lambda text, _: text.split()[-1])
_field(
    "root-alone",
    "Leaves the question out of References.",
    "References",
    lambda text, _: " ".join(text.split()[:-1]) or text,
)
_field(
    "whole-chains", "Names the end of a long chain alone.", "References", lambda text, _: " ".join(text.split()[-20:])
)
_field(
    "makes-parents",
    "Names a parent where the question has no id.",
    "Subject",
    lambda text, unit: f"{text}\r\nIn-Reply-To: <made@a.example>" if "Message-ID" not in _raw(unit) else text,
)
_field(
    "ignores-the-hint",
    "Stays in the thread whatever the agent says.",
    "In-Reply-To",
    lambda text, unit: "<m1@a.example>" if "push_back" in unit["response"] else text,
)
_field("subject-of-letters", "Writes subjects in ASCII.", "Subject", lambda text, _: "Re: ?" if "=?" in text else text)
_field("short-subjects", "Cuts subjects.", "Subject", lambda text, _: text[:100])
_head("person", "Does not say that a program wrote it.", lambda head, unit: re.sub(r"\r\nAuto-Submitted:.*", "", head))
_field("no-date", "Takes the date of the question.", "Date", lambda text, _: "Sat, 21 Nov 2026 10:00:00 +0000")
_field("foreign-ids", "Makes ids of another domain.", "Message-ID", lambda text, _: "<1@mail.example>")
_mail(
    "lets-fields-in",
    "Writes fields that a name or a subject holds.",
    lambda text, unit: f"Bcc: evil@evil.example\r\n{text}" if "0ABcc" in _raw(unit) else text,
)
_people(
    "believes-names",
    "Takes an address in a name for a recipient.",
    lambda rcpt, unit: ["bank@b.example", *rcpt] if "=3Cbank" in _raw(unit) else rcpt,
)

for _sign in ("auto-generated", "auto-replied", "Precedence", "List-Id", "MAILER-DAEMON", "no-reply"):
    mends(
        AREA,
        REPLY,
        f"mail-loops-with-{_sign.lower()}",
        f"Does not notice {_sign}.",
        lambda given, unit, sign=_sign: (
            given,
            {
                **unit,
                "question": {
                    **unit["question"],
                    "raw": re.sub(rf"(?m)^(?:Auto-Submitted: {sign}|{sign}:).*\r\n", "", _raw(unit)).replace(
                        sign, "somebody"
                    ),
                },
            },
        ),
    )
mends(
    AREA,
    REPLY,
    "mail-loops-with-bounces",
    "Does not notice an empty return path.",
    lambda given, unit: (given, {**unit, "question": {"raw": _raw(unit)}}),
)
quiet_no = "Auto-Submitted: no"


def _fears_people(honest: Any, op: str, given: Any, unit: Any) -> Any:
    answer = honest(op, given, unit)
    if op in REPLY and quiet_no in _raw(unit):
        return {**answer, "diagnostics": [*answer["diagnostics"], "loop-risk"]}
    return answer


MUTANTS.append(Mutant("mail-fears-people", AREA, "Takes `no` for automatic.", _fears_people, ops=REPLY))

# what may not go out
EMPTY = {"mail": "", "mail_from": "", "rcpt_to": []}
for _name, _rule, _test in (
    ("answers-others", "Answers another message.", lambda unit: "reply_to" in unit["response"]),
    ("sends-frames", "Sends frames.", lambda unit: unit["response"]["status"] == "partial"),
    (
        "any-channel",
        "Sends what is for another channel.",
        lambda unit: "channel" in unit["response"].get("push_back", {}),
    ),
    ("any-thread", "Takes any text for a thread.", lambda unit: "thread_ref" in unit["response"].get("push_back", {})),
    ("promises-bytes", "Sends digests alone.", lambda unit: '"digest"' in json.dumps(unit["response"])),
    ("any-size", "Sends mails of any size.", lambda unit: "xxxx" in json.dumps(unit["response"])),
    ("any-sibling", "Writes to half an address.", lambda unit: "siblings" in unit),
    ("any-sender", "Writes in any name.", lambda unit: "sender" in unit),
    ("any-type", "Writes any media type.", lambda unit: "\\r\\nBcc" in json.dumps(unit["response"]["parts"])),
    (
        "result-and-error",
        "Sends calls with both.",
        lambda unit: any({"result", "error"} <= p.keys() for p in unit["response"]["parts"]),
    ),
):
    takes(AREA, REPLY, f"mail-{_name}", _rule, lambda *_: EMPTY, "malformed", when=_test)
refuses(
    AREA, REPLY, "mail-no-threads", "Refuses to go to another thread.", lambda unit: "push_back" in unit["response"]
)

# there and back


def _back(name: str, rule: str, change: Any) -> None:
    spoils(AREA, TRIP, f"mail-trip-{name}", rule, lambda value, _, unit: change(value))


for _name, _rule, _change in some(*IN_TRIPS):
    _back(_name, _rule, lambda value, change=_change: {**value, "received_trace": change(value["received_trace"])})
_back(
    "no-trace",
    "Reads no trace back.",
    lambda value: {name: member for name, member in value.items() if name != "received_trace"},
)
_back("no-thread", "Begins a thread with each answer.", lambda value: {**value, "thread_id": "x"})
_back("no-parent", "Forgets what is answered.", lambda value: {**value, "in_reply_to": None})
_back(
    "trace-is-a-file",
    "Takes the trace for an attachment.",
    lambda value: {**value, "parts": [*value["parts"], {"kind": "file"}]},
)
shows(AREA, TRIP, "mail-trip-unsigned", "Does not sign mail.", "email-dkim")

# in the place of another answer

_mail(
    "forgets-what-it-replaces",
    "Does not name the old answer.",
    lambda text, unit: re.sub(r"\r\nSupersedes:.*(?:\r\n .*)*", "", text) if "supersedes" in unit else text,
)
_mail(
    "replaces-the-question",
    "Names the question as what it replaces.",
    lambda text, unit: re.sub(r"\r\nSupersedes: .*", "\r\nSupersedes: <q@a.example>", text),
)
takes(
    AREA,
    REPLY,
    "mail-replaces-mails-of-others",
    "Replaces a mail of another domain.",
    lambda *_: EMPTY,
    "malformed",
    when=lambda unit: unit.get("supersedes", "").endswith("@a.example>"),
)
