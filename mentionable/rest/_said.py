"""The JSON of an answer, read: the response in it, and what the agent says beside it.

Spec: REST transport (responses); decisions A5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from .._carried import found_of
from .._errors import wire_error
from .._forwarded import canonical_part
from .._model.message import NormalizedResponse, ResponseError
from .._model.parts import CarriedPolicy
from .._outcome import Diagnostic
from .._value import evolve

if TYPE_CHECKING:
    from .._model.message import NormalizedMessage
    from .._model.parts import Part
    from .._settings import Limits

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


def read_answer(document: Any, to: NormalizedMessage, limits: Limits) -> NormalizedResponse:
    """The response in the JSON of an answer. `extra["rest"]` has its `session`, and `dropped`: what does not fit.

    Raises:
        WireError: It is none, is of another version, or has too many parts.
    """
    from .._codec import decode

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
    said = decode(NormalizedResponse, {"status": "ok", **members, "reply_to": to.id}, notes=odd)
    _check_demands(document, said, odd)
    if document["parts"] and not said.parts:
        raise wire_error("malformed", odd[0].at, odd[0].detail)
    if said.error is None and document.get("error") is not None:  # why it failed cannot be read, but it did
        said = evolve(said, status="error")
    canonical = tuple([canonical_part(part) for part in said.parts])
    own = {**session_in(document).get(OWN_EXTRA, {}), **dropped(odd)}
    return evolve(said, parts=canonical, extra={**said.extra, OWN_EXTRA: own} if own else said.extra)


def _check_demands(document: dict[str, Any], said: NormalizedResponse, notes: list[Diagnostic]) -> None:
    """Raises when a demand among the parts cannot be read: what is left of the answer would look like a whole one."""
    parts: list[Any] = document["parts"]
    demands = [f"/parts/{index}" for index, part in enumerate(parts) if part.__class__ is dict and _is_demand(part)]
    if sum(isinstance(part, CarriedPolicy) for part in said.parts) == len(demands):
        return
    details = {note.at: note.detail for note in notes}  # there may be more faults than notes
    at = next((place for place in demands if place in details), "/parts")
    raise wire_error("malformed", at, details.get(at, "a demand among the parts cannot be read"))


def _is_demand(part: dict[str, Any]) -> bool:
    return bool(part.get("kind") == CarriedPolicy.kind)


def dropped(notes: list[Diagnostic]) -> dict[str, Any]:
    """What had to be left out of an answer, as a member of `extra["rest"]`; empty when nothing was."""
    return {"dropped": [{"at": note.at, "detail": note.detail} for note in notes]} if notes else {}


def session_in(document: Any) -> dict[str, Any]:
    """The session of an answer, with which its client goes on, as a member of `extra`; empty without one."""
    session = document.get("session") if document.__class__ is dict else None
    return {OWN_EXTRA: {"session": session}} if isinstance(session, str) and session else {}


def with_own_urls(said: NormalizedResponse, authority: str) -> NormalizedResponse:
    """The response, its policy without URLs that lead elsewhere than to the agent that demands.

    Raises:
        WireError: A policy is not the last part, and so nobody can tell whether the rest is an answer.
    """
    parts: list[Part] = list(said.parts)
    for index, part in enumerate(parts):
        if isinstance(part, CarriedPolicy):
            if index + 1 < len(parts):
                raise wire_error("malformed", f"/parts/{index}", "a policy is the last part")
            policy = found_of(part.policy, authority).policy
            parts[index] = part if policy is None else evolve(part, policy=policy)
    return evolve(said, parts=tuple(parts))


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
