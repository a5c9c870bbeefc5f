"""Forms, as Slack sends commands and clicks: `application/x-www-form-urlencoded`, read strictly."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote_to_bytes

from ...._errors.exceptions import wire_error
from ...._wire.http import HttpRequest

_FORM: Final = "application/x-www-form-urlencoded"
_MAX_FIELDS: Final = 100
_ENCODED: Final = re.compile(rb"[A-Za-z0-9%+&=._~*!'()-]*+").fullmatch
"""No quotes, braces or brackets, which every JSON object has."""


def is_form(request: HttpRequest) -> bool:
    """Whether the content type of a request is a form. It is not signed: see `read_form`."""
    return (request.header("content-type") or "").partition(";")[0].strip().lower() == _FORM


def read_form(body: bytes) -> dict[str, str]:
    """The fields of a form.

    Slack signs the body and not its type. So that no body is ambiguous, a form has no characters that JSON needs.

    Raises:
        WireError: It has too many fields, a field twice, a character that a form encodes, or is not UTF-8.
    """
    if not _ENCODED(body):
        raise wire_error("malformed", "", "the body is no form: it has characters that a form encodes")
    pairs = body.split(b"&", _MAX_FIELDS)
    if len(pairs) > _MAX_FIELDS:
        raise wire_error("too-many-fields", "", f"at most {_MAX_FIELDS} fields")
    fields: dict[str, str] = {}
    for pair in filter(None, pairs):
        name, _, value = pair.partition(b"=")
        decoded = _decoded(name)
        if decoded in fields:
            raise wire_error("duplicate-member", "", "a field is there twice")
        fields[decoded] = _decoded(value)
    return fields


def _decoded(text: bytes) -> str:
    try:
        return unquote_to_bytes(text.replace(b"+", b" ")).decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("not-utf8", "", "a field is not UTF-8") from None
