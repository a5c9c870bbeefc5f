"""A policy in a note: a member under a term of our own namespace, which a context defines."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from .._errors.exceptions import WireError
from .._flow.settings import Limits
from .._model.codec import encode
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from .._model.parts import Part
from .._model.sender import Sender
from .._transport.policy_part import append_parsed_policy, check_readable, left_as_text, policy_at_end, read_policy
from .._wire.strict_json import dump_line
from .._wire.strict_json import pointer as json_pointer
from ._read.json_ld import POLICY_IRI, POLICY_TERM, definitions
from ._read.object import Activity, Content

CONTEXT: Final[Mapping[str, Mapping[str, str]]] = {POLICY_TERM: {"@id": POLICY_IRI, "@type": "@json"}}
"""The definition of the term: `@json` keeps JSON-LD readers from expanding its value."""

_DEPTH: Final = 2
"""The objects around the value: the activity and the note."""


def write_policy(
    response: NormalizedResponse, *, limits: Limits
) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """The policy at the end of a response as the member of a note, None for one without a policy; and diagnostics.

    A policy that readers would not take is left out. The text states its requirement all the same.

    Spec: PolicyPart §Wire Mappings (ActivityPub).
    """
    policy, diagnostics = policy_at_end(response)
    if policy is None:
        return None, diagnostics
    member: dict[str, Any] = encode(policy)
    try:
        check_readable(dump_line(member).encode(), max_depth=limits.json_depth - _DEPTH)
    except WireError as error:
        return None, (*diagnostics, left_as_text(response, error))
    return member, diagnostics


def append_policy(
    parts: tuple[Part, ...], activity: Activity, content: Content, *, sender: Sender, limits: Limits
) -> tuple[tuple[Part, ...], list[Diagnostic]]:
    """The parts of an object and, as the last one, its policy if it has a valid one; and diagnostics.

    URLs of the policy must be on the host of the sender's address. The context of the activity applies to its object
    too.

    Raises:
        LimitError: There are too many parts.

    Spec: PolicyPart §Wire Mappings (ActivityPub).
    """
    value = _value_of(content.node.raw, activity.node.raw)
    if isinstance(value, Diagnostic):
        return parts, [value]
    policy, pointer = value
    if policy is None:
        return parts, []
    authority = sender.address.rpartition("@")[2]
    return append_parsed_policy(parts, read_policy(policy, authority=authority), at=pointer, limits=limits)


def _value_of(document: dict[str, Any], activity: dict[str, Any]) -> tuple[Any, str] | Diagnostic:
    """The JSON of the one policy of an object and its pointer, or why it is invalid. Null is no policy."""
    name, *others = [name for name in (POLICY_TERM, POLICY_IRI) if document.get(name) is not None] or (POLICY_TERM,)
    value, pointer = document.get(name), json_pointer("object", name)
    if others:
        return _malformed(pointer, "is there under two names")
    defined = (definitions(holder.get("@context")) for holder in (activity, document))
    if name == POLICY_TERM and any(
        term == POLICY_TERM and meaning != POLICY_IRI for term, meaning in chain.from_iterable(defined)
    ):
        return _malformed(pointer, "the context gives the term another meaning")
    if value.__class__ is list:
        if len(value) != 1:
            return _malformed(pointer, "an array of more or less than one policy")
        value, pointer = value[0], f"{pointer}/0"
    if value.__class__ is dict and "@value" in value:
        if len(value) != 2 or value.get("@type") != "@json":
            return _malformed(pointer, "a value object that is no JSON literal")
        value, pointer = value["@value"], f"{pointer}/@value"
    return value, pointer


def _malformed(pointer: str, detail: str) -> Diagnostic:
    return Diagnostic(code="policy-malformed", at=pointer, detail=detail)
