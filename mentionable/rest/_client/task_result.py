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
from ..._model.parts import CarriedPolicy
from ..._transport.forwarded import canonical_part, demands_in
from ..._transport.policy_part import bind_policy
from ..._wire.address import agent_address

OWN_EXTRA: Final = "rest"
"""The member of `extra` that holds what only REST knows of an answer. No peer can set it, and none receives it."""

_ENVELOPE_MEMBERS: Final = frozenset({"v", "agent", "id", "session", "reply_to", "streaming", "push_back", OWN_EXTRA})
"""Members of the JSON of an answer that are not of the response as the client gets it."""

_VERSIONS: Final = "v0."


def is_answer(document: Any) -> bool:
    """Whether a JSON body is an answer: it has parts."""
    return document.__class__ is dict and document.get("parts").__class__ is list


def read_answer(document: Any, to: NormalizedMessage, limits: Limits) -> tuple[NormalizedResponse, list[Diagnostic]]:
    """The response in the JSON of an answer, and what of the JSON was left out.

    Its policy has no URLs of other hosts than the agent's.

    Args:
        document: The JSON.
        to: The question.
        limits: Bounds the number of parts.

    Raises:
        WireError: It is no answer, is of another version, or has too many parts; or a policy among them cannot be read,
            or is not the last part, so that it is unclear whether the rest is an answer.
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
    response, refused = _with_own_urls(document["parts"], response, agent_address(to.recipient).domain, odd)
    if document["parts"] and not response.parts:
        raise wire_error("malformed", odd[0].at, odd[0].detail)
    if response.error is None and document.get("error") is not None:  # the reason cannot be read, but it failed
        response = replace(response, status="error")
    return replace(response, parts=tuple([canonical_part(part) for part in response.parts])), [*odd, *refused]


def _with_own_urls(
    parts: list[Any], response: NormalizedResponse, authority: str, diagnostics: Sequence[Diagnostic]
) -> tuple[NormalizedResponse, tuple[Diagnostic, ...]]:
    """The response, its policy without URLs of other hosts than the agent's; and which URLs were left out.

    Args:
        parts: The parts as JSON.
        response: The response.
        authority: The host of the agent.
        diagnostics: What was left out of the response before.

    Raises:
        WireError: See `read_answer`.
    """
    pointers = [f"/parts/{index}" for index in demands_in(parts)]
    policies = [(index, part) for index, part in enumerate(response.parts) if isinstance(part, CarriedPolicy)]
    if len(policies) < len(pointers):
        details = {one.at: one.detail for one in diagnostics}  # there may be more faults than diagnostics
        pointer = next((pointer for pointer in pointers if pointer in details), "/parts")
        raise wire_error("malformed", pointer, details.get(pointer, "a demand among the parts cannot be read"))
    if not policies:
        return response, ()
    (index, part), pointer = policies[0], pointers[0]
    if index + 1 < len(response.parts):
        raise wire_error("malformed", pointer, "a policy is the last part")
    parsed = bind_policy(part.policy, authority, at=f"{pointer}/policy", left_out={one.at for one in diagnostics})
    own = part if parsed.policy is None else replace(part, policy=parsed.policy)
    return replace(response, parts=(*response.parts[:-1], own)), parsed.diagnostics


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
