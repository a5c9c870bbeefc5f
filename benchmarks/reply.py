"""From a response to what is sent, beside what any program would have to do for that.

A row compares functions of one room with each other; the first is the base of the ratios. Nothing is signed.

Usage: python benchmarks/reply.py [--check]     --check exits 1 when a ratio is beyond its bound
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.timing import checked, table
from mentionable import (
    Answers,
    FilePart,
    HttpRequest,
    NormalizedMessage,
    NormalizedResponse,
    ToolCallPart,
    a2a,
    activitypub,
    drive,
    mail,
)
from mentionable._markup import _renderer as markdown_renderer
from mentionable._time import mail_date
from mentionable.mail._addresses import Mailbox
from mentionable.mail._answer import write_mail
from mentionable.mail._compose import compose
from mentionable.mail._write_head import folded, mailboxes_field, text_field
from mentionable.testing import Peer, answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mentionable.mail._write_body import Faces

NOW: Final = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
ENTROPY: Final = bytes(range(32))
MARKDOWN: Final = (
    "# Rain tomorrow\n\nIt **will** rain, says the [forecast](https://weather.example/tomorrow):\n\n"
    "- in the morning, a little\n- in the afternoon, *much*\n- at night, not at all\n\nTake a `coat`.\n",
    "| hour | rain |\n| --- | --- |\n| 9 | 1 mm |\n| 12 | 4 mm |\n| 15 | 9 mm |\n\n"
    "> The café opens at 10, and Zürich stays dry.\n",
    "That is all I know. Ask me for another place:\n\n```\nhelper, will it rain in Oslo?\n```\n\n1. Oslo\n2. Bergen\n",
)
QUESTION: Final = (
    "From: Alice Müller <alice@a.example>\r\nTo: helper@agents.example\r\nSubject: Will it rain in Zürich?\r\n"
    "Message-ID: <q2@mail.a.example>\r\nReferences: <q0@mail.a.example> <q1@mail.agents.example>\r\n\r\nWill it?\r\n"
).encode()


class Row(NamedTuple):
    """What is measured together.

    Attributes:
        name: What is made.
        functions: Name → function; the first is the base.
        bounds: Name → the largest ratio to the base.
    """

    name: str
    functions: Mapping[str, Callable[[], object]]
    bounds: Mapping[str, float]


def rows() -> Iterator[Row]:
    """Everything that is measured, room by room."""
    yield from activitypub_rows()
    yield from a2a_rows()
    yield from mail_rows()


def activitypub_rows() -> Iterator[Row]:
    """A whole answer, its delivery included, beside the Markdown in it."""
    alice = Peer.activitypub("@alice@social.example")
    request = alice.write("Will it rain?", to="https://agents.example/actors/helper", now=NOW)
    question = message_of(
        drive(
            activitypub.receive(request, recipient="@helper@agents.example", now=NOW, entropy=ENTROPY), answers(alice)
        )
    )
    response = NormalizedResponse.to(question, *MARKDOWN)
    facts: Any = {"to": question, "base": "https://agents.example", "now": NOW, "entropy": ENTROPY}
    yield Row(
        "activitypub: an answer of 3 Markdown parts",
        {
            "Markdown alone": partial(rendered, MARKDOWN),
            "activitypub.reply": partial(activitypub.reply, response, **facts),
        },
        {"activitypub.reply": 3.0},
    )


def a2a_rows() -> Iterator[Row]:
    """A whole answer, its HTTP response included, beside the JSON that it writes."""
    said = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Will it rain?"}]}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": said}}).encode()
    headers = {"A2A-Version": "1.0"}
    request = HttpRequest(method="POST", url="https://agents.example/a2a", headers=headers, body=body)
    measurements = [{"id": n, "name": f"row {n}", "value": n * 1.5, "ok": True, "note": None} for n in range(2000)]
    call = ToolCallPart(id="c1", name="query", args={"sql": "select * from measurements"}, result=measurements)
    for name, task_id, parts in (
        ("an answer of 3 Markdown parts", None, MARKDOWN),
        ("a task with a tool result of 2,000 rows", "t1", ("Here they are:", call)),
    ):
        flow = a2a.receive(request, recipient="@helper@agents.example", task_id=task_id, now=NOW, entropy=ENTROPY)
        question = message_of(drive(flow, Answers()))
        told = partial(a2a.reply, NormalizedResponse.to(question, *parts), to=question, now=NOW, entropy=ENTROPY)
        document = json.loads(told().response.body)
        yield Row(
            f"a2a: {name}",
            {"json.dumps": partial(json.dumps, document), "a2a.reply": told},
            {"a2a.reply": 5.0},
        )


def mail_rows() -> Iterator[Row]:
    """A whole answer beside the Markdown in it, and the writer beside that of the standard library."""
    question = asked()
    plain = NormalizedResponse.to(question, *MARKDOWN)
    yield Row(
        "mail: an answer of 3 Markdown parts",
        {"Markdown alone": partial(rendered, MARKDOWN), "mail.reply": partial(mail_reply, plain, question)},
        {"mail.reply": 3.0},
    )
    call = ToolCallPart(id="c1", name="forecast", args={"place": "Zürich"}, result=[1, 4, 9], duration_ms=412)
    table_of_rain = FilePart.of(b"hour,rain\n9,1\n12,4\n15,9\n" * 40, mime="text/csv", name="rain.csv")
    for name, response in {
        "3 Markdown parts": plain,
        "3 Markdown parts, a tool call and a file of 1 KB": NormalizedResponse.to(
            question, *MARKDOWN, call, table_of_rain
        ),
    }.items():
        faces = compose(response, blobs={}, seed=ENTROPY, domain="agents.example", settings=mail.Settings(), notes=[])
        yield Row(
            f"mail: {name} written, the faces given",
            {"mail writer": partial(written, faces), "EmailMessage": partial(written_by_stdlib, faces)},
            {},
        )


def asked() -> NormalizedMessage:
    """The question, as the room received it."""
    flow = mail.receive(QUESTION, recipient="@helper@agents.example", now=NOW, entropy=ENTROPY)
    return message_of(drive(flow, Answers()))


def message_of(outcome: Any) -> NormalizedMessage:
    """The one message of what was received."""
    message: NormalizedMessage = outcome.message
    return message


def rendered(texts: tuple[str, ...]) -> list[str]:
    """The Markdown in a response as its renderer gives it, not yet sanitized."""
    render = markdown_renderer().render
    return [render(text) for text in texts]


def mail_reply(response: NormalizedResponse, question: NormalizedMessage) -> mail.Outgoing:
    """The whole way out by mail."""
    return mail.reply(response, to=question, now=NOW, entropy=ENTROPY)


def written(faces: Faces) -> bytes:
    """A mail of given faces, by the writer of this library."""
    fields = [
        mailboxes_field("From", [Mailbox("Helper", "helper@agents.example")]),
        mailboxes_field("To", [Mailbox("Alice Müller", "alice@a.example")]),
        text_field("Subject", "Re: Will it rain in Zürich?"),
        f"Date: {mail_date(NOW)}",
        folded("In-Reply-To", ["<q2@mail.a.example>"]),
        folded("References", ["<q0@mail.a.example>", "<q1@mail.agents.example>", "<q2@mail.a.example>"]),
    ]
    return write_mail(fields, faces, domain="agents.example", now=NOW, seed=ENTROPY).data


def written_by_stdlib(faces: Faces) -> bytes:
    """The same by the standard library."""
    message = EmailMessage(policy=SMTP)
    message["From"] = "Helper <helper@agents.example>"
    message["To"] = "Alice Müller <alice@a.example>"
    message["Subject"] = "Re: Will it rain in Zürich?"
    message["Date"] = NOW
    message["In-Reply-To"] = "<q2@mail.a.example>"
    message["References"] = "<q0@mail.a.example> <q1@mail.agents.example> <q2@mail.a.example>"
    message["Message-ID"] = "<01a1fb67-1800-700b-9038-7df7dc46a5e8@agents.example>"
    message["Auto-Submitted"] = "auto-replied"
    message["X-Auto-Response-Suppress"] = "All"
    message.set_content(faces.text)
    message.add_alternative(faces.html, subtype="html")
    if faces.trace is not None:
        profile = {"profile": "https://mentionable.dev/ns/normalized-message/v0.1"}
        message.add_alternative(faces.trace, maintype="application", subtype="json", params=profile)
    for file in faces.files:
        kind, _, subtype = file.mime.partition("/")
        message.add_attachment(file.data, maintype=kind, subtype=subtype, filename=file.name)
    return message.as_bytes()


LEAST: Final = {"EmailMessage": 8.0}
"""Peer → how many times the base it takes at least."""


def judge(row: Row) -> list[str]:
    """Prints a row; what is beyond its bound."""
    timings, problems = checked(row.functions, row.bounds)
    problems += [
        f"{timing.name}: only {timing.ratio:.2f} × {timings[0].name}, at least {LEAST[timing.name]:.2f} × wanted"
        for timing in timings
        if timing.ratio < LEAST.get(timing.name, 0)
    ]
    print(f"\n{row.name}{''.join([f', at most {bound}' for bound in row.bounds.values()])}\n{table(timings)}")
    return [f"{row.name}: {problem}" for problem in problems]


def main(arguments: list[str]) -> int:
    """Prints every row; 1 when `--check` is given and a bound is broken."""
    problems = [problem for row in rows() for problem in judge(row)]
    print("", *problems, sep="\n")
    return 1 if problems and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
