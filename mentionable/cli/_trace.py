"""`mentionable trace`: prints the reply in a trace, which may be in a mail, an activity, HTML, JSON or a URL."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from .. import trace
from .._errors.exceptions import WireError
from .._flow.outcome import Rejected
from .._flow.settings import Limits
from .._model.codec import encode
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from .._wire.strict_json import loads
from ._entry_points import Facts, receive_message
from ._files import STDIN, read
from ._http_file import is_request, read_request
from ._lines import json_text, one_line
from ._lookups import read_lookups

_ADDRESS: Final = re.compile(r"(?:https?://|data:)", re.IGNORECASE).match
_MAIL: Final = re.compile(rb"[A-Za-z][!-9;-~]{0,75}+:[^\n]{0,998}+\n(?:[A-Za-z][!-9;-~]{0,75}+:|[ \t]|\r?\n)").match
"""A line that is a header field, and after it another, its continuation, or the empty line after the header section."""

_READER: Final = "@reader@trace.invalid"
"""The recipient for decoding a mail; the trace does not depend on it."""


class _NoTrace(Exception):
    """There is no readable trace; the text says why."""


def run(what: str) -> int:
    """The exit status: 0 when the response was printed, 1 when there is none to be read.

    Args:
        what: A file, `-` for standard input, or the URL of a trace, which is never fetched.

    Raises:
        CliError: The command cannot run.
    """
    is_address = _ADDRESS(what) is not None
    try:
        response = trace.read(what) if is_address else _response_in(read(what))
    except (WireError, _NoTrace) as error:
        name = "the URL" if is_address else "standard input" if what == STDIN else what
        print(one_line(f"mentionable: {name}: {error}"), file=sys.stderr)
        return 1
    print(json_text(encode(response), compact=False))
    return 0


def _response_in(data: bytes) -> NormalizedResponse:
    """The response in the bytes of a file, whatever they are."""
    if is_request(data):
        data = read_request(data).body
    data = data.strip()
    if data[:1] == b"{":
        return _response_in_json(data)
    if _MAIL(data):
        return _response_in_mail(data)
    if b"<" in data:
        return _response_in_html(data.decode("utf-8", "replace"))
    return trace.read(data)


def _response_in_json(data: bytes) -> NormalizedResponse:
    """The response in JSON: the JSON itself, or a trace in the text of an activity or object."""
    limits = Limits()
    try:
        document: dict[str, Any] = loads(data, max_bytes=limits.activitypub_bytes, max_depth=limits.json_depth)
    except WireError:
        return trace.read(data)  # raises the error for invalid JSON
    if isinstance(document.get("messages"), list):
        raise _NoTrace("this is the output of decode; the trace is its member received_trace")
    if "parts" in document or "type" not in document:
        return trace.read(data)
    inner = document.get("object")
    texts = [html for holder in (inner, document) if isinstance(holder, dict) for html in _texts(holder)]
    if not texts:
        raise _NoTrace("the activity has no text")
    return _response_in_html(texts[0])


def _texts(holder: dict[str, Any]) -> list[str]:
    """The text of an object, in the first of its languages."""
    by_language = holder.get("contentMap")
    others = list(by_language.values())[:1] if isinstance(by_language, dict) else []
    return [text for text in (holder.get("content"), *others) if isinstance(text, str)]


def _response_in_html(html: str) -> NormalizedResponse:
    """The response in the first trace link."""
    extracted = trace.extract(html)
    return _require(extracted.response, extracted.diagnostics)


def _require(response: NormalizedResponse | None, diagnostics: Iterable[Diagnostic]) -> NormalizedResponse:
    """Return the response, or raise with the reason why there is none."""
    if response is None:
        raise _NoTrace(next((one.detail for one in diagnostics), "contains no trace"))
    return response


def _response_in_mail(data: bytes) -> NormalizedResponse:
    """The response in the trace part of a mail."""
    outcome = receive_message("email", data, Facts(_READER, read_lookups(None), datetime.now(UTC), bytes(32)))
    if isinstance(outcome, Rejected):
        raise _NoTrace(str(outcome))
    return _require(
        outcome.message.received_trace, [one for one in outcome.diagnostics if one.code.startswith("trace-")]
    )
