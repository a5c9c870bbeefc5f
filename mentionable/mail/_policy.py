"""A policy in a header field, alongside the text that people read.

The value is the JSON of the policy in base64. JSON as it is is read too: others may write it so.
"""

from __future__ import annotations

from binascii import b2a_base64
from typing import Final

from .._errors.exceptions import WireError, wire_error
from .._flow.settings import Limits
from .._model.codec import dumps
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from .._model.parts import Part
from .._model.sender import Sender
from .._transport.policy_part import append_parsed_policy, check_readable, left_as_text, policy_at_end, read_policy
from .._wire.base64 import base64_decode
from .._wire.strict_json import loads
from ._auth.dkim import Signature
from ._read.header_section import POLICY, HeaderSection

_AT: Final = f"/headers/{POLICY}"
_NAME: Final = "X-Mentionable-Policy"
_LINE: Final = 75
"""Characters of base64 in a line, behind the blank at its start."""

_FOLDS: Final = str.maketrans("", "", " \t")
_REPLACED: Final = "\ufffd"
"""The replacement character of a header section that was not UTF-8."""


def write_policy(response: NormalizedResponse, *, limits: Limits) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The policy at the end of a response, which has one, as a folded header field; and diagnostics.

    A policy that readers would not take is left out. The text states its requirement all the same.

    Spec: PolicyPart §Wire Mappings (Email).
    """
    policy, diagnostics = policy_at_end(response)
    data = dumps(policy)
    try:
        check_readable(data, max_depth=limits.json_depth)
        # In lines of at most 76 characters.
        digits = b2a_base64(data, newline=False).decode("ascii")
        first = _LINE - len(_NAME) - 1
        lines = [digits[:first], *[digits[start : start + _LINE] for start in range(first, len(digits), _LINE)]]
        field = f"{_NAME}: " + "\r\n ".join(lines)
        if len(field) > limits.mail_field_bytes:
            raise wire_error("too-large", "", f"{len(field)} bytes of a field")
    except WireError as error:
        return None, (*diagnostics, left_as_text(response, error))
    return field, diagnostics


def append_policy(
    parts: tuple[Part, ...],
    headers: HeaderSection,
    sender: Sender,
    verified_by: Signature | None,
    *,
    limits: Limits,
) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """Append the policy of the header section, which has one, to the parts of a mail.

    Args:
        parts: The other parts.
        headers: The header section.
        sender: The sender. URLs of the policy are on the host of their address.
        verified_by: The signature that verified the sender, if one did.
        limits: How long the field may be, how deep its JSON, and how many parts there may be.

    Returns:
        The parts, and why a policy was left out.

    Raises:
        LimitError: There are too many parts.

    Spec: PolicyPart §Wire Mappings (Email).
    """
    if POLICY in headers.repeated:
        return parts, [Diagnostic(code="policy-malformed", at=_AT, detail="the field is there twice")]
    # An attacker on the way may add a field to a signed mail, and so demand money in the name of its verified sender.
    # `unsigned_fields` reports it.
    if verified_by is not None and POLICY.encode() not in verified_by.names:
        return parts, []
    try:
        data = _json_in(headers.first[POLICY], limits=limits)
        value = loads(data, max_bytes=len(data), max_depth=limits.json_depth)
    except WireError as error:
        return parts, [Diagnostic(code="policy-malformed", at=_AT, detail=str(error))]
    policy = read_policy(value, authority=sender.address.rpartition("@")[2])
    return append_parsed_policy(parts, policy, at=_AT, limits=limits)


def _json_in(value: str, *, limits: Limits) -> bytes:
    """Decode the value of the field: the JSON of a policy, as bytes.

    Raises:
        WireError: `too-large`, `bad-base64`; `not-utf8` for JSON in a header section that is not UTF-8.
    """
    if len(value) > limits.mail_field_bytes:
        raise wire_error("too-large", "", f"a field has at most {limits.mail_field_bytes} bytes")
    if value[:1] == "{":
        if _REPLACED in value:
            raise wire_error("not-utf8", "", "some bytes are not UTF-8")
        return value.encode()
    data = base64_decode(value.translate(_FOLDS)) if value.isascii() else None
    if data is None:
        raise wire_error("bad-base64", "", "neither base64 nor a JSON object")
    return data
