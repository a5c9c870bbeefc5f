"""From the bytes of a form to its NormalizedMessage and from a response to what answers it, over REST.

The body is multipart/form-data as a browser writes it. Beside stand the standard library's MIME parser, which can read
such a body too, and the JSON of the answer.
"""

from __future__ import annotations

import email
import json
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from benchmarks.common import ENTROPY, FACTS, NOW, message_of, posted
from benchmarks.timing import Claim, Effort, Functions, Race
from mentionable import Answers, HttpRequest, NormalizedResponse, drive, rest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.figures import Result
    from mentionable import NormalizedMessage

_URL: Final = "https://agents.example/helper"
_MIME: Final = "multipart/form-data; boundary=xYzZY"
_WORLD: Final = Answers()


def form(*fields: tuple[str, bytes], file: bytes = b"") -> HttpRequest:
    """A request with fields, and with a file if there is one."""
    parts = [b'--xYzZY\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (n.encode(), v) for n, v in fields]
    if file:
        head = (
            b'--xYzZY\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf'
        )
        parts.append(head + b"\r\n\r\n" + file + b"\r\n")
    return posted(_URL, b"".join(parts) + b"--xYzZY--\r\n", content_type=_MIME, accept="application/json")


def turns(number: int) -> list[tuple[str, bytes]]:
    """What was said before, one turn by the user, one by the agent, and a question at the end."""
    said = b"The quick brown fox jumps over the lazy dog. " * 3
    return [
        ("session", b"s1"),
        *[("assistant" if turn % 2 else "user", said) for turn in range(number)],
        ("user", b"And now?"),
    ]


def receive(request: HttpRequest) -> NormalizedMessage:
    """What a server does with a form."""
    return message_of(drive(rest.receive(request, **FACTS), _WORLD))


def stdlib(request: HttpRequest) -> Any:
    """The standard library's MIME parser: name and content of each field."""
    whole = email.message_from_bytes(b"Content-Type: " + _MIME.encode() + b"\r\n\r\n" + request.body)
    return [
        (part.get_param("name", header="content-disposition"), part.get_payload(decode=True)) for part in whole.walk()
    ]


def results(effort: Effort) -> Iterator[Result]:
    """Three forms, and an answer."""
    forms = {
        "form of one turn": form(("session", b"s1"), ("user", b"Will it rain?")),
        "form of 21 turns": form(*turns(20)),
        "form with a file of 1 MB": form(*turns(2), file=bytes(range(256)) * (effort.size(1 << 20) // 256)),
    }
    for name, request in forms.items():
        functions: Functions = {name: partial(receive, request), "email parser": partial(stdlib, request)}
        yield from Race("rest", functions, (Claim(name, "email parser", 1.4),), rounds=60).run(effort)
    question = receive(forms["form of one turn"])
    response = NormalizedResponse.to(question, *["It **will** rain tomorrow, all day long."] * 3)
    told = partial(rest.reply, response, to=question, now=NOW, entropy=ENTROPY)
    document = json.loads(told().response.body)
    functions = {"answer of 3 parts as JSON": told, "json.dumps of it": partial(json.dumps, document)}
    yield from Race("rest", functions, (Claim("answer of 3 parts as JSON", "json.dumps of it", 25.0),)).run(effort)
