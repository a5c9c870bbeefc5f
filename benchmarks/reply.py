"""From a response to what is sent, beside what any program would have to do for that.

Nothing is signed. The Markdown of an answer is rendered by the library that this one uses for it; what is beside it is
the rest: text and HTML, the trace, sanitizing, ids, the unit itself.
"""

from __future__ import annotations

import json
from email.message import EmailMessage
from email.policy import SMTP
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import ENTROPY, FACTS, NOW, message_of, posted, with_module
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable import Answers, FilePart, Limits, NormalizedResponse, ToolCallPart, a2a, activitypub, drive, mail
from mentionable._html.sanitize import _renderer as markdown_renderer
from mentionable._wire.time import mail_date
from mentionable.mail._read.header_section import Mailbox
from mentionable.mail._reply import write_mail
from mentionable.mail._write.body import compose
from mentionable.mail._write.header_section import folded, mailboxes_field, text_field
from mentionable.testing import Peer, answers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from benchmarks.timing import Function
    from mentionable.mail._write.body import Content

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


RENDERED: Final = "the Markdown rendered"
PARTS: Final = "answer of 3 Markdown parts"


def results(effort: Effort) -> Iterator[Result]:
    """Everything that is measured, transport by transport."""
    yield from Race("reply", *of_activitypub()).run(effort)
    for name, task_id, parts in (
        (f"A2A: {PARTS}", None, MARKDOWN),
        ("A2A: task with a result of 2,000 rows", "t1", ("Here they are:", query(effort.size(2_000)))),
    ):
        yield from Race("reply", *of_a2a(name, task_id, parts)).run(effort)
    question = message_of(drive(mail.receive(QUESTION, **FACTS), Answers()))
    plain = NormalizedResponse.to(question, *MARKDOWN)
    told = partial(mail.reply, plain, to=question, now=NOW, entropy=ENTROPY)
    functions: Functions = {f"mail: {PARTS}": told, RENDERED: partial(rendered, MARKDOWN)}
    yield from Race("reply", functions, (Claim(f"mail: {PARTS}", RENDERED, 3.0),)).run(effort)

    call = ToolCallPart(id="c1", name="forecast", args={"place": "Zürich"}, result=[1, 4, 9], duration_ms=412)
    file = FilePart.of(b"hour,rain\n9,1\n12,4\n15,9\n" * 40, mime="text/csv", name="rain.csv")
    whole = NormalizedResponse.to(question, *MARKDOWN, call, file)
    for name, response in (("3 parts", plain), ("3 parts, a call and a file", whole)):
        content, _ = compose(response, blobs={}, seed=ENTROPY, domain="agents.example", limits=Limits())
        ours, stdlib = f"mail written: {name}", "email.message.EmailMessage"
        functions = {ours: partial(written, content), stdlib: partial(written_by_stdlib, content)}
        yield from Race("reply", functions, (Claim(ours, stdlib, 1 / 8),)).run(effort)


def of_activitypub() -> tuple[dict[str, Function | None], tuple[Claim, ...]]:
    """A whole answer, its delivery included, beside the Markdown in it."""
    alice = Peer.activitypub("@alice@social.example")
    request = alice.write("Will it rain?", to="https://agents.example/actors/helper", now=NOW)
    question = message_of(drive(activitypub.receive(request, **FACTS), answers(alice)))
    facts: Any = {"to": question, "base": "https://agents.example", "now": NOW, "entropy": ENTROPY}
    told = partial(activitypub.reply, NormalizedResponse.to(question, *MARKDOWN), **facts)
    name = f"ActivityPub: {PARTS}"
    return {name: told, RENDERED: partial(rendered, MARKDOWN)}, (Claim(name, RENDERED, 3.0),)


def query(rows: int) -> ToolCallPart:
    """A call with a large result."""
    found = [{"id": n, "name": f"row {n}", "value": n * 1.5, "ok": True, "note": None} for n in range(rows)]
    return ToolCallPart(id="c1", name="query", args={"sql": "select * from measurements"}, result=found)


def of_a2a(
    name: str, task_id: str | None, parts: tuple[Any, ...]
) -> tuple[dict[str, Function | None], tuple[Claim, ...]]:
    """A whole answer, its HTTP response included, beside the JSON that it writes, and beside the official writer."""
    said = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": "Will it rain?"}]}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "SendMessage", "params": {"message": said}}).encode()
    flow = a2a.receive(posted("https://agents.example/a2a", body, a2a_version="1.0"), task_id=task_id, **FACTS)
    question = message_of(drive(flow, Answers()))
    told = partial(a2a.reply, NormalizedResponse.to(question, *parts), to=question, now=NOW, entropy=ENTROPY)
    document = json.loads(told().response.body)

    def official(types: Any, json_format: Any) -> Function:
        answer = json_format.ParseDict(document["result"], types.SendMessageResponse())
        return lambda: json_format.MessageToJson(answer, indent=None)

    floor, peer = "json.dumps of it", "a2a-sdk json_format.MessageToJson"
    functions: Functions = {
        name: told,
        floor: partial(json.dumps, document),
        peer: with_module(official, "a2a.types.a2a_pb2", "google.protobuf.json_format"),
    }
    return functions, (Claim(name, floor, 5.6, 5.0), Claim(name, peer))


def rendered(texts: tuple[str, ...]) -> list[str]:
    """The Markdown in a response as its renderer gives it, not yet sanitized."""
    render = markdown_renderer().render
    return [render(text) for text in texts]


def written(content: Content) -> bytes:
    """A mail of this content, by the writer of this library."""
    fields = [
        mailboxes_field("From", [Mailbox("Helper", "helper@agents.example")]),
        mailboxes_field("To", [Mailbox("Alice Müller", "alice@a.example")]),
        text_field("Subject", "Re: Will it rain in Zürich?"),
        f"Date: {mail_date(NOW)}",
        folded("In-Reply-To", ["<q2@mail.a.example>"]),
        folded("References", ["<q0@mail.a.example>", "<q1@mail.agents.example>", "<q2@mail.a.example>"]),
    ]
    return write_mail(fields, content, submitted="auto-replied", domain="agents.example", now=NOW, seed=ENTROPY)[0]


def written_by_stdlib(content: Content) -> bytes:
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
    message.set_content(content.text)
    message.add_alternative(content.html, subtype="html")
    if content.trace is not None:
        profile = {"profile": "https://mentionable.dev/ns/normalized-message/v0.1"}
        message.add_alternative(content.trace, maintype="application", subtype="json", params=profile)
    for file in content.files:
        kind, _, subtype = file.mime.partition("/")
        message.add_attachment(file.data, maintype=kind, subtype=subtype, filename=file.name)
    return message.as_bytes()
