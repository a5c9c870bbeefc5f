"""A policy in a note: a member beside the text that people read, under a word of our own namespace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from .._errors.exceptions import WireError
from .._flow.settings import Limits
from .._model.codec import encode
from .._model.diagnostic import Diagnostic
from .._model.message import NormalizedResponse
from .._model.parts import Part
from .._model.sender import Sender
from .._transport.policy_part import check_readable, left_as_text, policy_at_end, read_policy, with_found
from .._wire.strict_json import dump_line, pointer
from ._read.json_ld import IRI, TERM, many
from ._read.object import Activity, Content

CONTEXT: Final[Mapping[str, Mapping[str, str]]] = {TERM: {"@id": IRI, "@type": "@json"}}
"""How a context defines the word: no JSON-LD reader looks for other words in its value."""

_DEPTH: Final = 2
"""How many objects are open around the value: the activity and the note."""


def write_policy(response: NormalizedResponse, *, limits: Limits, notes: list[Diagnostic]) -> dict[str, Any] | None:
    """The policy at the end of a response, as the member of a note; None for a response without one.

    A policy that readers would not take is left out. People find what it demands in the text all the same.

    Args:
        response: The response.
        limits: What readers take.
        notes: Takes what was left out.

    Spec: PolicyPart §Wire Mappings (ActivityPub).
    """
    policy = policy_at_end(response, notes)
    if policy is None:
        return None
    member: dict[str, Any] = encode(policy)
    try:
        check_readable(dump_line(member).encode(), max_depth=limits.json_depth - _DEPTH)
    except WireError as error:
        notes.append(left_as_text(response, error))
        return None
    return member


def with_policy(
    said: tuple[Part, ...],
    activity: Activity,
    content: Content,
    sender: Sender,
    *,
    limits: Limits,
    notes: list[Diagnostic],
) -> tuple[Part, ...]:
    """What an object says, and behind it the policy that it carries, which it has, when it counts.

    Args:
        said: The other parts.
        activity: The activity, whose context counts for its object.
        content: The object.
        sender: Who sent it. URLs of the policy are on the host of their address.
        limits: How many parts there may be.
        notes: Takes why a policy does not count.

    Raises:
        LimitError: There are too many parts.

    Spec: PolicyPart §Wire Mappings (ActivityPub).
    """
    document = content.document
    found = _value_of(document, activity.document)
    if isinstance(found, Diagnostic):
        notes.append(found)
        return said
    value, at = found
    if value is None:
        return said
    authority = sender.address.rpartition("@")[2]
    return with_found(said, read_policy(value, authority=authority), at=at, limits=limits, notes=notes)


def _value_of(document: dict[str, Any], around: dict[str, Any]) -> tuple[Any, str] | Diagnostic:
    """The JSON of the one policy of an object, and where it stands, or why it does not count. Null is no policy."""
    name, *others = [name for name in (TERM, IRI) if document.get(name) is not None] or (TERM,)
    value, at = document.get(name), pointer("object", name)
    if others:
        return _malformed(at, "is there under two names")
    if name == TERM and not all(
        _is_ours(definition) for holder in (around, document) for definition in _definitions(holder.get("@context"))
    ):
        return _malformed(at, "the context gives the word another meaning")
    if value.__class__ is list:
        if len(value) != 1:
            return _malformed(at, "an array of more or less than one policy")
        value, at = value[0], f"{at}/0"
    if value.__class__ is dict and "@value" in value:
        if len(value) != 2 or value.get("@type") != "@json":
            return _malformed(at, "a value object that is no JSON literal")
        value, at = value["@value"], f"{at}/@value"
    return value, at


def _malformed(at: str, detail: str) -> Diagnostic:
    return Diagnostic(code="policy-malformed", at=at, detail=detail)


def _definitions(context: Any) -> Iterator[Any]:
    """Every definition of the word in a context, scoped ones included; its depth is bounded by that of the JSON."""
    for item in many(context):
        if item.__class__ is dict:
            for term, definition in item.items():
                if term == TERM:
                    yield definition
                if definition.__class__ is dict and "@context" in definition:
                    yield from _definitions(definition["@context"])


def _is_ours(definition: Any) -> bool:
    """Whether a definition says of the word what ours says. Only the IRI in full counts."""
    if definition.__class__ is dict:
        definition = definition.get("@id")
    return bool(definition == IRI)
