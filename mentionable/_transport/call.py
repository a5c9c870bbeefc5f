"""What A2A and REST share when they ask other agents: the arguments of `call` and `result`, and what goes along."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import field

from .._errors.exceptions import UsageError, WireError
from .._flow.outcome import Answered, Rejected, rejected
from .._flow.settings import Settings, check_settings
from .._model.annotation import InvalidMember
from .._model.base import EMPTY_DICT, validated
from .._model.capabilities import NoRelay
from .._model.codec import encode
from .._model.identity import IdentityEvidence
from .._model.message import HistoricalMessage, NormalizedMessage
from .._model.rules import JsonObject
from .._wire.http import HttpResponse, is_web_url
from .forwarded import forward_capabilities, forward_turn
from .reply import NO_BLOBS

_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/-]+=*", re.ASCII).fullmatch
_SAFE: Final = re.compile(r"(?i:https://|http://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?]|\Z))").match
"""URLs to which a token may go: it is encrypted on the way, or stays on this machine."""


@validated
class CallContext:
    """Who asks another agent, and what goes along with the message.

    Attributes:
        evidence: Who asks, signed for the other agent.
        token: A bearer token for the other agent. It goes over https alone, or to this machine (`localhost`).
        history: Prior turns for the other agent: `message.history or ()` for all of them. Each goes along with the
            profile of its author; with their evidence only where that is for the same agent as `evidence`.
        receipt: The receipt for a policy of the other agent: `policy.receipt(...)` or `policy.x402_submission(...)`.
        blobs: SHA-256 in hex → bytes, for files of the message that are named by their digest alone.

    Example:
        >>> CallContext(token="abc").history
        ()
    """

    evidence: tuple[IdentityEvidence, ...] = ()
    token: str | None = field(default=None, repr=False)
    history: tuple[HistoricalMessage, ...] = ()
    receipt: JsonObject = field(default=EMPTY_DICT, repr=False)
    blobs: Mapping[str, bytes] = field(default=NO_BLOBS, repr=False)

    def _check(self) -> None:
        if self.token is not None and not _TOKEN(self.token):
            raise InvalidMember("token must be a bearer token (RFC 6750 §2.1)", ("token",))


NO_CONTEXT: Final = CallContext()


def check_call(message: object, *, url: object, context: object) -> None:
    """Raises `UsageError` when an argument of a `call` is of the wrong kind, or a token would go in the clear."""
    if not isinstance(message, NormalizedMessage):
        raise UsageError("message must be a NormalizedMessage")
    check_target(url=url, context=context)


def check_target(*, url: object, context: object) -> None:
    """Raises `UsageError` unless an agent can be asked at a URL, with the token of a context."""
    if not isinstance(url, str) or not is_web_url(url) or "#" in url:
        raise UsageError("url must be the http or https URL of the other agent, without a fragment")
    if not isinstance(context, CallContext):
        raise UsageError("context must be a CallContext(...)")
    if context.token is not None and not _SAFE(url):
        raise UsageError("token: over http anybody on the way could read it; url must begin with https://")


def read_result(
    response: object,
    *,
    to: NormalizedMessage,
    settings: Settings,
    read: Callable[[HttpResponse], Answered | Rejected],
) -> Answered | Rejected:
    """What `read` makes of the response to a `call`, and `Rejected` when the response cannot be read.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if not isinstance(response, HttpResponse):
        raise UsageError("response must be an HttpResponse")
    check_asked(to, settings)
    try:
        return read(response)
    except WireError as error:
        return rejected(error)


def check_asked(to: object, settings: object) -> None:
    """Raises `UsageError` unless these are a message, of which an answer can be read, and settings."""
    if not isinstance(to, NormalizedMessage):
        raise UsageError("to must be the NormalizedMessage that was asked")
    check_settings(settings)


def forwarded_members(message: NormalizedMessage, context: CallContext) -> dict[str, Any]:
    """What goes along with a message, as JSON by the names of the wire: only what is there.

    Args:
        message: What to ask; its capabilities go along where the platform or a chain of agents has any.
        context: The evidence and the prior turns.

    Raises:
        UsageError: The chain of agents ends here.

    Spec: Normalized Message §3.3.4, §3.3.5.
    """
    capabilities = forward_capabilities(message)
    members: dict[str, Any] = {}
    if not isinstance(capabilities.mention_relay, NoRelay) or capabilities.agent_chain is not None:
        members["recipient_capabilities"] = encode(capabilities)
    if context.evidence:
        members["identity_evidence"] = encode(context.evidence)
    if context.history:
        members["history"] = encode(tuple([forward_turn(turn, context.evidence) for turn in context.history]))
    return members


def authorization(context: CallContext) -> list[tuple[str, str]]:
    """The header field with the token, where there is one (RFC 6750 §2.1)."""
    return [] if context.token is None else [("authorization", f"Bearer {context.token}")]
