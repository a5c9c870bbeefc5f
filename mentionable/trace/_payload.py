"""A response as the payload of its trace, within the budget; and back."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import Final, NamedTuple

from .._errors.exceptions import DecodeError, UsageError, WireError, wire_error
from .._flow.settings import MAX_TRACE_BYTES
from .._model.base import UNSET, replace
from .._model.codec import Decoded, decode, decode_leniently, dumps
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse, check_is_response
from .._model.parts import Part, ToolCallPart
from .._text.plain_text import json_text, shorten
from .._wire.base64 import base64url_encode
from .._wire.http import is_web_url

_CUT_BYTES: Final = 200
"""To how many bytes the arguments and the result of a call are cut when the whole is too large. Spec: §10.5."""

_MAX_CHARS: Final = 2 * MAX_TRACE_BYTES
"""Characters of an address with its payload, or of the JSON with blanks around it; a longer one is not looked at."""

_LOCAL: Final = "a2a"
"""The member of `extra` that tells how far another agent's task is."""

_DATA_URI: Final = "data:application/json;base64,"
_BASE64: Final = re.compile(r"[A-Za-z0-9+/]*+={0,2}|[A-Za-z0-9_-]*+={0,2}").fullmatch


class Payload(NamedTuple):
    """The JSON of a trace.

    Attributes:
        data: The response as JSON, whole or shortened; None when it is too large all the same.
        diagnostic: What was left out, if anything.
    """

    data: bytes | None
    diagnostic: Diagnostic | None


def payload_of(response: NormalizedResponse, *, limit: int = MAX_TRACE_BYTES) -> Payload:
    """The trace of a response as the JSON that mail carries, without a link.

    When it is longer than `limit`, arguments and results become the first 200 bytes of their JSON, as text; when that
    is too long too, there is none. What `a2a.result` noted of another agent's task is not for others, and left out.

    Args:
        response: The response as it goes out. Nothing but what is in it is written.
        limit: How many characters of base64 it may have, at most 65536.

    Spec: Normalized Message §10.2, §10.5.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> from mentionable.trace import payload_of, read
        >>> response = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> read(payload_of(response).data) == response
        True
    """
    check_is_response(response)
    limit = min(limit, MAX_TRACE_BYTES)
    if _LOCAL in response.extra:
        others = {name: member for name, member in response.extra.items() if name != _LOCAL}
        response = replace(response, extra=others)
    data = dumps(response)
    if _encoded_length(data) <= limit:
        return Payload(data, None)
    data = dumps(replace(response, parts=tuple([_shortened(part) for part in response.parts])))
    if _encoded_length(data) <= limit:
        return Payload(data, Diagnostic(code="trace-shortened", detail="arguments and results were cut at 200 bytes"))
    size = _encoded_length(data)
    return Payload(None, Diagnostic(code="trace-dropped", detail=f"{size} characters of base64, at most {limit}"))


def _encoded_length(data: bytes) -> int:
    return (len(data) + 2) // 3 * 4


def _shortened(part: Part) -> Part:
    if not isinstance(part, ToolCallPart):
        return part
    result = part.result if part.result is UNSET else _cut(part.result)
    return replace(part, args=_cut(part.args), result=result)


def _cut(value: object) -> str:
    return shorten(json_text(value), _CUT_BYTES)


def link_of(data: bytes, *, viewer: str | None) -> str:
    """The address that carries a payload: a viewer's with the payload as fragment, or the payload alone.

    Spec: Normalized Message §10.2, §10.3, §10.4.
    """
    if viewer is None:
        return _DATA_URI + b64encode(data).decode("ascii")
    return f"{viewer.partition('#')[0]}#{base64url_encode(data)}"


def read(annotation: str | bytes) -> NormalizedResponse:
    """The response in a trace annotation. Its content is the sender's word, and nothing more.

    Args:
        annotation: The address of the anchor, with any viewer or none; its payload alone; or the JSON, as mail has it.
            Nothing is fetched.

    Raises:
        WireError: `trace-malformed`: any member does not fit; see `read_leniently`. `trace-too-large`.

    Spec: Normalized Message §10.2, §10.6.

    Example:
        >>> from mentionable import NormalizedResponse, TextPart
        >>> from mentionable.trace import read, write
        >>> response = NormalizedResponse(reply_to="m1", parts=(TextPart(content="Hello"),))
        >>> read(write(response).href) == response
        True
    """
    return _read(annotation, lenient=False).value


def read_leniently(annotation: str | bytes) -> Decoded[NormalizedResponse]:
    """As `read`, but what does not fit is left out with a diagnostic, as by `decode_leniently`."""
    return _read(annotation, lenient=True)


def _read(annotation: str | bytes, *, lenient: bool) -> Decoded[NormalizedResponse]:
    if not isinstance(annotation, (str, bytes)):
        raise UsageError("a trace is read from text or bytes")
    if isinstance(annotation, str):
        annotation = annotation.encode("utf-8", "surrogatepass")  # lone surrogates are no UTF-8
    if len(annotation) > _MAX_CHARS:
        raise wire_error("trace-too-large", "", f"at most {MAX_TRACE_BYTES} characters of base64")
    data = annotation.strip()
    if data[:1] != b"{":
        data = _decoded(data.decode("utf-8", "replace"))
    if _encoded_length(data) > MAX_TRACE_BYTES:
        raise wire_error("trace-too-large", "", f"at most {MAX_TRACE_BYTES} characters of base64")
    try:
        if lenient:
            return decode_leniently(NormalizedResponse, data)
        return Decoded(decode(NormalizedResponse, data), ())
    except DecodeError as error:
        raise DecodeError("trace-malformed", error.problems) from None
    except WireError as error:
        raise wire_error("trace-malformed", "", str(error)) from None


def _decoded(text: str) -> bytes:
    """The bytes of the payload in an address, in either alphabet, padded or not."""
    payload = _payload_in(text)
    digits = payload.rstrip("=")
    if _BASE64(payload) is None or len(digits) % 4 == 1 or (payload != digits and len(payload) % 4):
        raise wire_error("trace-malformed", "", "the payload is not base64")
    return b64decode(digits.replace("-", "+").replace("_", "/") + "=" * (-len(digits) % 4))


def _payload_in(text: str) -> str:
    """The payload of an address, or the text itself."""
    if text[: len(_DATA_URI)].lower() == _DATA_URI:
        return text[len(_DATA_URI) :]
    address, mark, fragment = text.partition("#")
    if not mark:
        return text
    if address and not is_web_url(address):
        raise wire_error("trace-malformed", "", "the address is neither a web page nor a data: URI")
    return fragment
