"""Telling what of a mail is new, beside receiving the same mail: signed, as mails come."""

from __future__ import annotations

import quopri
from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.common import FACTS
from benchmarks.timing import Claim, Effort, Functions, Race
from benchmarks.verify_mail import keys, signed
from mentionable import Answers, drive, mail

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable import TextPart

HEAD: Final = (
    "From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nMessage-ID: <1@a.example>\r\n"
    "Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nSubject: Re: Party\r\nMIME-Version: 1.0\r\n"
)
ANSWER: Final = "Yes, we come to the party, and bring what we said that we would bring.\r\n"
ATTRIBUTION: Final = "On Fri, 20 Nov 2026 at 10:00, Bob <bob@b.example> wrote:"
LINE: Final = "Will you come to the party, and bring what you said that you would?"
BOUNDS: Final = {
    "3 KB answer": 0.3,
    "200 KB thread": 0.3,
    "200 KB, all new": 0.3,
    "30 KB Gmail answer": 0.3,
    "30 KB Gmail answer, HTML alone": 0.7,
}


def _plain(lines: int) -> str:
    return ANSWER * 12 + f"\r\n{ATTRIBUTION}\r\n" + f"> {LINE}\r\n" * lines


def _html() -> str:
    quoted = f'<div style="color:rgb(34,34,34)">{LINE} {LINE} {LINE}<br></div>\r\n' * 115
    return (
        f'<div dir="ltr">{ANSWER}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f"{ATTRIBUTION.replace('<', '&lt;').replace('>', '&gt;')}<br></div>"
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex">{quoted}</blockquote></div>\r\n'
    )


def _part(mime: str, text: str) -> str:
    coded = quopri.encodestring(text.replace("\r\n", "\n").encode()).decode().replace("\n", "\r\n")
    return f"Content-Type: {mime}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{coded}"


def _mails() -> dict[str, str]:
    both = "".join([f"--=_b\r\n{_part(*one)}\r\n" for one in (("text/plain", _plain(400)), ("text/html", _html()))])
    return {
        "3 KB answer": HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + _plain(30),
        "200 KB thread": HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + _plain(2_800),
        "200 KB, all new": HEAD + "Content-Type: text/plain; charset=utf-8\r\n\r\n" + ANSWER * 2_800,
        "30 KB Gmail answer": f'{HEAD}Content-Type: multipart/alternative; boundary="=_b"\r\n\r\n{both}--=_b--\r\n',
        "30 KB Gmail answer, HTML alone": HEAD + _part("text/html", _html()),
    }


def _spans(parts: tuple[TextPart, ...]) -> None:
    for part in parts:
        mail.spans(part)


def results(effort: Effort) -> Iterator[Result]:
    """`mail.spans` of each mail's texts, beside `mail.receive` of the mail."""
    for name, text in _mails().items():
        one = signed(text.encode(), keys()["rsa"])
        answers = Answers(lookup_txt=lambda _, record=one.record: (record,))
        receive = partial(_receive, one.raw, answers)
        parts = receive().message.parts
        functions: Functions = {name: partial(_spans, parts), "mail.receive": receive}
        yield from Race("mail-spans", functions, (Claim(name, "mail.receive", BOUNDS[name], wanted=0.3),)).run(effort)


def _receive(raw: bytes, answers: Answers) -> mail.Received:
    return drive(mail.receive(raw, **FACTS), answers)
