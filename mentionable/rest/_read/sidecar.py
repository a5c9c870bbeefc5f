"""What stands beside the turns of a form: typed parts, prior turns, capabilities, evidence and receipts.

Each says more than the plain fields beside it can. What cannot be read costs itself, and the plain fields count.

Spec: Building a Connector (Lazy File Capabilities); Normalized Message §3.3.4, §5.4; PolicyPart §Resumption Patterns.
"""

from __future__ import annotations

from typing import Any, Final

from ... import policy
from ..._errors.exceptions import WireError, wire_error
from ..._model.base import replace
from ..._model.capabilities import RecipientCapabilities
from ..._model.codec import decode_parsed
from ..._model.diagnostic import Diagnostic
from ..._model.issuance import Candidate
from ..._model.message import HistoricalMessage
from ..._model.parts import ArtifactPart, CarriedPolicy, DigestRef, FilePart, InlineRef, Part
from ..._text.media import bytes_of, inline_size, store_blob
from ..._transport.forwarded import (
    DEFAULT,
    ForwardedTurn,
    canonical_part,
    demands_in,
    read_capabilities,
    read_history,
    without_secrets,
)
from ..._wire.base64 import base64_decode
from ..._wire.http import HttpRequest
from ..._wire.strict_json import loads
from .field import CAPABILITIES, EVIDENCE, HISTORY, PARTS, RESOLUTION
from .form import ABSENT, Form, ParseContext

_PAYMENTS: Final = ("payment-signature", "x-payment")
"""The header fields in which payments by x402 come, of version 2 and of version 1."""


# -- parts


def typed_parts(form: Form, context: ParseContext) -> tuple[Part, ...] | None:
    """The parts of the field `parts`, which say all that the text and the files of the turn say; None without any.

    Raises:
        WireError: There are too many.
    """
    value = form.json_of(PARTS, context)
    if value is ABSENT:
        return None
    at = form.place_of(PARTS)
    if value.__class__ is list and len(value) > context.limits.parts:
        raise wire_error("too-many-parts", at, f"{len(value)} parts, at most {context.limits.parts}")
    notes = list[Diagnostic]()
    try:
        parts = decode_parsed(tuple[Part, ...], value, notes=notes)
    except WireError as error:
        context.note("sidecar-malformed", at, str(error))
        return None
    if value and not parts:  # the plain fields say more than nothing
        context.note("sidecar-malformed", at, f"no part can be read: {notes[0].at}: {notes[0].detail}")
        return None
    # By their places on the wire: what was left out before them does not count there.
    demands = [f"/{index}" for index in demands_in(value)]
    asked = set(demands)
    context.notes += [replace(note, at=at + note.at) for note in notes if _item(note.at) not in asked]
    for place in demands:
        context.note("policy-malformed", at + place, "a policy is answered, not asked")
    return tuple([
        set_apart(without_secrets(canonical_part(part)), context)
        for part in parts
        if not isinstance(part, CarriedPolicy)
    ])  # fmt: skip


def _item(at: str) -> str:
    """The pointer of the item into which a pointer into an array leads; empty for the array itself."""
    return "/".join(at.split("/", 2)[:2])


def set_apart(part: Part, context: ParseContext) -> Part:
    """The part with its bytes where they belong: inside it when they are few, else in `blobs` by their digest."""
    if not isinstance(part, (FilePart, ArtifactPart)):
        return part
    reference = part.bytes_ref
    if isinstance(reference, DigestRef):
        data = context.files.get(reference.digest)
        if data is not None:
            context.blobs[reference.digest] = data
    elif isinstance(reference, InlineRef) and inline_size(reference.data_base64) >= context.limits.inline_bytes:
        data = bytes_of(part) or b""
        return replace(part, bytes_ref=store_blob(data, limits=context.limits, blobs=context.blobs))
    return part


# -- prior turns


def forwarded_turns(form: Form, agent: str, context: ParseContext) -> tuple[ForwardedTurn, ...] | None:
    """The turns of the field `history`, which say all that the turns before the last one say; None without any."""
    value = form.json_of(HISTORY, context)
    if value is ABSENT:
        return None
    at = form.place_of(HISTORY)
    if value.__class__ is not list:
        context.note("sidecar-malformed", at, "expected an array of turns")
        return None
    turns = read_history(value, agent=agent, at=at, limits=context.limits, notes=context.notes)
    return tuple([one._replace(turn=_set_apart(one.turn, context)) for one in turns])


def _set_apart(turn: HistoricalMessage, context: ParseContext) -> HistoricalMessage:
    return replace(turn, parts=tuple([set_apart(part, context) for part in turn.parts]))


# -- the rest


def capabilities_in(form: Form, context: ParseContext) -> RecipientCapabilities:
    """The capabilities that the caller forwards, or the default."""
    value = form.json_of(CAPABILITIES, context)
    return DEFAULT if value is ABSENT else read_capabilities(value, context.notes, at=form.place_of(CAPABILITIES))


def evidence_in(form: Form, context: ParseContext) -> Any:
    """The identity evidence as it came, for the verifier; None without any."""
    value = form.json_of(EVIDENCE, context)
    return None if value is ABSENT else value


def candidate_in(form: Form, request: HttpRequest | None, thread_id: str, context: ParseContext) -> Candidate | None:
    """The receipt that came along, or None. One that is malformed counts for nothing.

    One of this protocol, in its field, counts before a payment by x402 in a header field.
    """
    value = form.json_of(RESOLUTION, context)
    if value is not ABSENT:
        try:
            return policy.read_resolution(value)
        except WireError as error:
            _note_receipt(error, form.place_of(RESOLUTION), context)
            return None
    for name in _PAYMENTS:
        text = None if request is None else request.header(name)
        if text is not None:
            return _payment(text, f"/headers/{name}", thread_id, context)
    return None


def _payment(text: str, at: str, thread_id: str, context: ParseContext) -> Candidate | None:
    """The payment that a header field holds."""
    limits = context.limits
    try:
        data = base64_decode(text)
        if data is None:
            raise wire_error("receipt-malformed", "", "expected base64 of JSON")
        payload = loads(data, max_bytes=limits.fetched_bytes, max_depth=limits.json_depth, safe_integers=False)
        payment = policy.x402_payment_from(payload)
    except WireError as error:
        _note_receipt(error, at, context)
        return None
    return Candidate(
        kind="payment_required",
        task_id=thread_id,
        scheme=payment.scheme,
        payer=payment.payer,
        receipt=payment.payload,
    )


def _note_receipt(error: WireError, at: str, context: ParseContext) -> None:
    problem = next(iter(error.problems), None)
    place, rule = ("", str(error)) if problem is None else problem
    context.note("receipt-malformed", at + place, rule)
