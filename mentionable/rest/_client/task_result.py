"""The JSON of an answer, read as a response.

Spec: REST transport (responses); decisions A5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import replace
from ..._model.codec import decode_parsed_leniently
from ..._model.diagnostic import Diagnostic
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._model.parts import CarriedPolicy, TextPart
from ..._model.policy import PolicyPart
from ..._transport.answer_stream import unreadable_policy
from ..._transport.forwarded import canonical_part, demands_in
from ..._transport.policy_part import bind_policy
from ..._wire.address import agent_address

OWN_EXTRA: Final = "rest"
"""The member of `extra` that holds what only REST knows of an answer. No peer can set it, and none receives it."""

_ENVELOPE_MEMBERS: Final = frozenset({"v", "agent", "id", "session", "reply_to", "streaming", "push_back", OWN_EXTRA})
"""Members of the JSON of an answer that are not of the response as the client gets it."""

SECOND_POLICY: Final = "a second policy: none of them counts"
"""Why a policy does not count: readers would take the one or the other."""

_VERSIONS: Final = "v0."


def is_answer(document: Any) -> bool:
    """Whether a JSON body is an answer: it has parts."""
    return document.__class__ is dict and document.get("parts").__class__ is list


def read_answer(document: Any, to: NormalizedMessage, limits: Limits) -> tuple[NormalizedResponse, list[Diagnostic]]:
    """The response in the JSON of an answer, and what of the JSON was left out.

    Its policy has no URLs of other hosts than the agent's. One that does not count makes it an error.

    Args:
        document: The JSON.
        to: The question.
        limits: Bounds the number of parts.

    Raises:
        WireError: It is no answer, is of another version, or has too many parts; or none of its parts can be read.
    """
    if document.__class__ is not dict:
        raise wire_error("not-a-message", "", "an answer is an object")
    version = document.get("v", _VERSIONS)
    if version.__class__ is not str or not version.startswith(_VERSIONS):
        raise wire_error("unknown-value", "/v", "expected v0.1")
    parts = document.get("parts")
    if parts.__class__ is list and len(parts) > limits.parts:
        raise wire_error("too-many-parts", "/parts", f"more than {limits.parts} parts")
    members = {name: member for name, member in document.items() if name not in _ENVELOPE_MEMBERS}
    response, odd = decode_parsed_leniently(NormalizedResponse, {"status": "ok", **members, "reply_to": to.id})
    places = demands_in(document["parts"])
    if document["parts"] and not response.parts and not places:
        raise wire_error("malformed", odd[0].at, odd[0].detail)
    if response.error is None and document.get("error") is not None:  # the reason cannot be read, but it failed
        response = replace(response, status="error")
    response = replace(response, parts=tuple([canonical_part(part) for part in response.parts]))
    if not places:
        return response, [*odd]
    return _with_own_policy(response, [f"/parts/{index}" for index in places], agent_address(to.recipient).domain, odd)


def _with_own_policy(
    response: NormalizedResponse, pointers: list[str], authority: str, diagnostics: Sequence[Diagnostic]
) -> tuple[NormalizedResponse, list[Diagnostic]]:
    """The response, its policy without URLs of other hosts than the agent's; and all that was left out.

    A policy counts if it is the only one, can be read, and is the last part.

    Args:
        response: The response.
        pointers: Where its JSON has policies, whether they can be read or not.
        authority: The host of the agent.
        diagnostics: What was left out of the response before.
    """
    at, last = pointers[0], response.parts[-1] if response.parts else None
    if len(pointers) == 1 and isinstance(last, CarriedPolicy):
        parsed = bind_policy(last.policy, authority, at=f"{at}/policy", left_out={one.at for one in diagnostics})
        own = last if parsed.policy is None else replace(last, policy=parsed.policy)
        return replace(response, parts=(*response.parts[:-1], own)), [*diagnostics, *parsed.diagnostics]
    details = {one.at: one.detail for one in diagnostics}  # there may be more faults than diagnostics
    if len(pointers) > 1:
        at, detail = pointers[1], SECOND_POLICY
    elif any(isinstance(part, CarriedPolicy) for part in response.parts):
        detail = "a policy is the last part"
    else:
        detail = details.get(at, "a demand that cannot be read")
    malformed = Diagnostic(code="policy-malformed", at=at, detail=detail)  # the first, so that no other one hides it
    return with_policy(response, None), [malformed, *[one for one in diagnostics if one.at != at]]


def with_policy(response: NormalizedResponse, policy: PolicyPart | None) -> NormalizedResponse:
    """The response with its policy as the last part.

    None where it has one that does not count. Then it is an error, which says what the agent wrote alongside; an error
    that the agent stated stays.
    """
    parts = tuple([part for part in response.parts if not isinstance(part, CarriedPolicy)])
    if policy is not None:
        return replace(response, parts=(*parts, CarriedPolicy(policy=policy)))
    if response.status == "error":
        return replace(response, parts=parts)
    text = "\n\n".join(part.content for part in parts if isinstance(part, TextPart))
    return replace(response, parts=parts, status="error", error=unreadable_policy("rest", text))


def with_own_extra(response: NormalizedResponse, session: Any) -> NormalizedResponse:
    """The response with `extra["rest"]`: the `session`, with which the client goes on, where the answer names one."""
    own = {"session": session} if isinstance(session, str) and session else {}
    return replace(response, extra={**response.extra, OWN_EXTRA: own}) if own else response


def utf8_text(data: bytes) -> str:
    """The text of a body or event.

    Raises:
        WireError: It is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise wire_error("not-utf8", "", "the text is not UTF-8") from None
