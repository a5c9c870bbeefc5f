"""The JSON of an answer, read: the response in it, and what the agent says beside it.

Spec: REST transport (responses); decisions A5.
"""

from __future__ import annotations

from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import replace
from ..._model.codec import decode_parsed
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse, ResponseError
from ..._model.parts import CarriedPolicy
from ..._transport.call import LeftOut
from ..._transport.forwarded import canonical_part, demands_in
from ..._transport.policy_part import bind_policy
from ..._wire.address import agent_address

OWN_EXTRA: Final = "rest"
"""Where `extra` says what an answer says of this transport. No peer fills it, and none is told of it."""

_BESIDE: Final = frozenset({"v", "agent", "id", "session", "reply_to", "streaming", "push_back", OWN_EXTRA})
"""Members that say nothing of the response itself to whoever asked."""

_VERSIONS: Final = "v0."
UNREAD: Final = "rest:policy-malformed"
NO_WORDS: Final = "The agent demands something that cannot be read."


def is_answer(document: Any) -> bool:
    """Whether a JSON body is an answer: it has parts."""
    return document.__class__ is dict and document.get("parts").__class__ is list


def read_answer(
    document: Any, to: NormalizedMessage, limits: Limits, left_out: LeftOut, *, at: str = ""
) -> NormalizedResponse:
    """The response in the JSON of an answer.

    Its policy has no URLs that lead elsewhere than to the agent that demands.

    Args:
        document: The JSON.
        to: The message that was asked.
        limits: Bounds the number of parts.
        left_out: Takes what does not fit.
        at: Where the JSON stands in what came.

    Raises:
        WireError: It is none, is of another version, or has too many parts; or a demand among them cannot be read, or
            is not the last part, and so nobody can tell whether the rest is an answer.
    """
    if document.__class__ is not dict:
        raise wire_error("not-a-message", "", "an answer is an object")
    version = document.get("v", _VERSIONS)
    if version.__class__ is not str or not version.startswith(_VERSIONS):
        raise wire_error("unknown-value", "/v", "expected v0.1")
    parts = document.get("parts")
    if parts.__class__ is list and len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/parts", f"more than {limits.parts} parts")
    members = {name: member for name, member in document.items() if name not in _BESIDE}
    odd = list[Diagnostic]()
    said = decode_parsed(NormalizedResponse, {"status": "ok", **members, "reply_to": to.id}, notes=odd)
    said = _with_own_urls(document["parts"], said, agent_address(to.recipient).domain, odd)
    if document["parts"] and not said.parts:
        raise wire_error("malformed", odd[0].at, odd[0].detail)
    if said.error is None and document.get("error") is not None:  # why it failed cannot be read, but it did
        said = replace(said, status="error")
    left_out.add(odd, at)
    return replace(said, parts=tuple([canonical_part(part) for part in said.parts]))


def _with_own_urls(
    parts: list[Any], said: NormalizedResponse, authority: str, notes: list[Diagnostic]
) -> NormalizedResponse:
    """The response, its policy without URLs that lead elsewhere than to the agent that demands.

    Args:
        parts: The parts as they came.
        said: The response.
        authority: The host of the agent.
        notes: What was left out of the response; takes the URLs that are.

    Raises:
        WireError: See `read_answer`.
    """
    places = [f"/parts/{index}" for index in demands_in(parts)]
    demands = [(index, part) for index, part in enumerate(said.parts) if isinstance(part, CarriedPolicy)]
    if len(demands) < len(places):
        details = {note.at: note.detail for note in notes}  # there may be more faults than notes
        at = next((place for place in places if place in details), "/parts")
        raise wire_error("malformed", at, details.get(at, "a demand among the parts cannot be read"))
    if not demands:
        return said
    (index, part), at = demands[0], places[0]
    if index + 1 < len(said.parts):
        raise wire_error("malformed", at, "a policy is the last part")
    value = bind_policy(part.policy, authority, at=f"{at}/policy", left_out={note.at for note in notes})
    notes += value.diagnostics
    return replace(said, parts=(*said.parts[:-1], part if value.policy is None else replace(part, policy=value.policy)))


def with_own_extra(said: NormalizedResponse, document: Any, left_out: LeftOut) -> NormalizedResponse:
    """The response, `extra["rest"]` of which has what an answer says of this transport.

    That is the `session`, with which its client goes on, where the JSON of the answer names one, and `dropped`, where
    something was left out.
    """
    session = document.get("session") if document.__class__ is dict else None
    own = {"session": session} if isinstance(session, str) and session else {}
    own |= left_out.members()
    return replace(said, extra={**said.extra, OWN_EXTRA: own}) if own else said


def unread(words: str) -> ResponseError:
    """The error that a demand is that cannot be read: whatever it is, what was asked for is not done."""
    return ResponseError(code=UNREAD, message=words.strip() or NO_WORDS, retriable=False)


def text_in(data: bytes, at: str = "") -> str:
    """Text of the wire.

    Raises:
        WireError: It is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("not-utf8", at, "the text is not UTF-8") from None
