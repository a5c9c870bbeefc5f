"""The sidecar fields of a form: typed parts, prior turns and capabilities.

Each carries more than the plain fields can. One that cannot be read is ignored, with a diagnostic, and the plain fields
count.

Spec: Building a Connector (Lazy File Capabilities); Normalized Message §3.3.4, §5.4.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..._errors.exceptions import WireError, wire_error
from ..._model.base import replace
from ..._model.capabilities import RecipientCapabilities
from ..._model.codec import decode_parsed_leniently
from ..._model.diagnostic import Diagnostic, prefixed
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
from .field import CAPABILITIES, HISTORY, PARTS
from .form import ABSENT, Form

# -- parts


def typed_parts(form: Form) -> tuple[tuple[Part, ...] | None, Sequence[Diagnostic]]:
    """The parts of the field `parts`, which replace the text and the files of the turn; None without any.

    Raises:
        WireError: There are too many.
    """
    value, unreadable = form.json_of(PARTS)
    if value is ABSENT:
        return None, unreadable
    at = form.pointer_of(PARTS)
    if value.__class__ is list and len(value) > form.limits.parts:
        raise wire_error("too-many-parts", at, f"{len(value)} parts, at most {form.limits.parts}")
    try:
        parts, odd = decode_parsed_leniently(tuple[Part, ...], value)
    except WireError as error:
        return None, (form.malformed(PARTS, str(error)),)
    if value and not parts:  # then the plain fields carry more
        return None, (form.malformed(PARTS, f"no part can be read: {odd[0].at}: {odd[0].detail}"),)
    # Policies by their indexes on the wire: what was left out before them does not count there.
    policies = [f"/{index}" for index in demands_in(value)]
    in_policy = set(policies)
    diagnostics = prefixed([one for one in odd if "/".join(one.at.split("/", 2)[:2]) not in in_policy], at)
    for pointer in policies:
        detail = "a policy is answered, not asked"
        diagnostics.append(Diagnostic(code="policy-malformed", at=at + pointer, detail=detail))
    own = [part for part in parts if not isinstance(part, CarriedPolicy)]
    return tuple([externalize(without_secrets(canonical_part(part)), form) for part in own]), diagnostics


def externalize(part: Part, form: Form) -> Part:
    """The part with few bytes inline, and more in `form.blobs` under their digest."""
    if not isinstance(part, (FilePart, ArtifactPart)):
        return part
    reference = part.bytes_ref
    if isinstance(reference, DigestRef):
        data = form.files.get(reference.digest)
        if data is not None:
            form.blobs[reference.digest] = data
    elif isinstance(reference, InlineRef) and inline_size(reference.data_base64) >= form.limits.inline_bytes:
        data = bytes_of(part) or b""
        return replace(part, bytes_ref=store_blob(data, limits=form.limits, blobs=form.blobs))
    return part


# -- prior turns


def forwarded_turns(form: Form, agent: str) -> tuple[tuple[ForwardedTurn, ...] | None, Sequence[Diagnostic]]:
    """The turns of the field `history`, which replace those before the last one; None without any."""
    value, unreadable = form.json_of(HISTORY)
    if value is ABSENT:
        return None, unreadable
    if value.__class__ is not list:
        return None, (form.malformed(HISTORY, "expected an array of turns"),)
    turns, diagnostics = read_history(value, agent=agent, at=form.pointer_of(HISTORY), limits=form.limits)
    own_parts = [tuple([externalize(part, form) for part in one.turn.parts]) for one in turns]
    turns = tuple(
        [one._replace(turn=replace(one.turn, parts=parts)) for one, parts in zip(turns, own_parts, strict=True)]
    )
    return turns, diagnostics


# -- capabilities


def capabilities_in(form: Form) -> tuple[RecipientCapabilities, Sequence[Diagnostic]]:
    """The capabilities that the caller forwards, or the default."""
    value, unreadable = form.json_of(CAPABILITIES)
    if value is ABSENT:
        return DEFAULT, unreadable
    return read_capabilities(value, at=form.pointer_of(CAPABILITIES))
