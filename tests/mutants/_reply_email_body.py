"""Mutants of the body of answers by mail."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any

from tests.mutants._answers import decoded, some, spoils
from tests.mutants._reply_email import (
    AREA,
    REPLY,
    _mail,
    _raw,
)


def _says(*words: str) -> Any:
    return lambda unit: any(word in json.dumps(unit["response"], ensure_ascii=False) for word in words)


_mail("no-profile", "Sends the trace without its profile.", lambda text, _: text.replace("profile=", "x-profile="))
_mail(
    "quoted-printable-traces",
    "Says another encoding of the trace.",
    lambda text, unit: (
        re.sub(r'(application/json;\r\n profile="[^"]*"\r\nContent-Transfer-Encoding: )base64', r"\1BASE64x", text)
        if _says("DONE", "web_search")(unit) and len(unit["response"]["parts"]) == 2
        else text
    ),
)


def _trace_text(change: Any) -> Any:
    def changed(text: str, _: Any) -> str:
        found = re.search(
            r'profile="https://mentionable[^"]*"\r\nContent-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)',
            text,
        )
        if found is None:
            return text
        response = change(decoded(found[1].replace("\r\n", "")))
        return text.replace(found[1], b64encode(json.dumps(response).encode()).decode() + "\r\n")

    return changed


for _name, _rule, _change in some("forgets-results", "wants-objects"):
    _mail(f"trace-{_name}", _rule, _trace_text(_change))
spoils(
    AREA,
    REPLY,
    "mail-no-trace-without-a-viewer",
    "Sends no trace when there is no viewer.",
    lambda value, given, _: (
        None
        if given.get("settings", {}).get("trace_viewer", 1) is not None
        else {**value, "mail": b64encode(b64decode(value["mail"]).replace(b"profile=", b"p=")).decode()}
    ),
)


_mail("quotes", "Quotes the question.", lambda text, unit: f"X-Question: {_raw(unit)[-20:].strip()}\r\n{text}")

# the wire
