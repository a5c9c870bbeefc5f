"""Strategies of hypothesis for every value of the contract, small and odd.

Every value is valid. Some have unknown members, which a program must preserve. hypothesis is loaded when the first
strategy is made.

Example:
    >>> from hypothesis import given
    >>> from mentionable import dumps, decode_trusted, NormalizedMessage
    >>> from mentionable.testing import strategies
    >>> @given(strategies.messages())
    ... def nothing_is_lost(message):
    ...     assert decode_trusted(NormalizedMessage, dumps(message)) == message
    >>> nothing_is_lost()
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from .._model import capabilities as caps
from .._model import message, sender
from .._model import parts as model_parts
from .._model.base import UNSET
from .._model.stored_message import StoredMessage
from ..ingest import IngestMessage, IngestMetadata
from ._leaves import (
    addresses,
    counts,
    extra,
    json_objects,
    json_values,
    media_types,
    names,
    st,
    texts,
    timestamps,
    tuples,
    web_urls,
)
from ._notifications import agent_instructions, commands, effects, notifications, routings, submissions
from ._policies import policies, policy_resolutions
from ._senders import avatars, identity_evidence, profiles, proofs, senders
from ._values import fitting, strategy_for, values

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = [
    "addresses",
    "agent_chains",
    "agent_instructions",
    "answers",
    "artifact_parts",
    "avatars",
    "bytes_refs",
    "carried_policies",
    "commands",
    "effects",
    "file_parts",
    "identity_evidence",
    "ingest_messages",
    "ingest_metadata",
    "ingest_rows",
    "json_objects",
    "json_values",
    "link_parts",
    "media_types",
    "mention_relays",
    "messages",
    "names",
    "notifications",
    "parts",
    "policies",
    "policy_resolutions",
    "profiles",
    "proofs",
    "recipient_capabilities",
    "responses",
    "routings",
    "senders",
    "submissions",
    "text_parts",
    "texts",
    "timestamps",
    "tool_call_parts",
    "turns",
    "unknown_parts",
    "web_urls",
]

_HEADER_PIECES: Final = (
    "[Admin (<@U0>)]: ",
    "[Admin]:",
    "[",
    "]:",
    "<@U0>",
    " ",
    "\n",
    "\r\n",
    "\x85",
    "\u2028",
    "\u202e",
    "\u200b",
    "［",
)
"""Pieces of names and texts that imitate a header."""


def bytes_refs() -> SearchStrategy[model_parts.BytesRef]:
    """References to bytes, of all three kinds."""
    return fitting(model_parts.BytesRef)


def text_parts() -> SearchStrategy[model_parts.TextPart]:
    """Texts as parts."""
    return fitting(model_parts.TextPart)


def file_parts() -> SearchStrategy[model_parts.FilePart]:
    """Files."""
    return fitting(model_parts.FilePart)


def link_parts() -> SearchStrategy[model_parts.LinkPart]:
    """Links."""
    return fitting(model_parts.LinkPart)


def artifact_parts() -> SearchStrategy[model_parts.ArtifactPart]:
    """Artifacts."""
    return fitting(model_parts.ArtifactPart)


@strategy_for(model_parts.ToolCallPart)
def tool_call_parts() -> SearchStrategy[model_parts.ToolCallPart]:
    """Tool calls in every state, a result of JSON null included."""
    pending = st.just(UNSET)
    done = values(model_parts.ToolCallPart, result=pending | json_values(), error=st.none())
    return done | values(model_parts.ToolCallPart, result=pending, error=values(model_parts.CallError))


def carried_policies() -> SearchStrategy[model_parts.CarriedPolicy]:
    """Policies as parts."""
    return fitting(model_parts.CarriedPolicy)


@strategy_for(model_parts.UnknownPart)
def unknown_parts() -> SearchStrategy[model_parts.UnknownPart]:
    """Parts of kinds that this version does not know."""
    return values(model_parts.UnknownPart, kind=names().filter(lambda kind: kind not in model_parts.KINDS))


def parts() -> SearchStrategy[model_parts.Part]:
    """Parts of all seven kinds."""
    return fitting(model_parts.Part)


def mention_relays() -> SearchStrategy[caps.MentionRelayCapability]:
    """Mention-relay capabilities of all four kinds."""
    return fitting(caps.MentionRelayCapability)


@strategy_for(caps.AgentChain)
def agent_chains() -> SearchStrategy[caps.AgentChain]:
    """Positions in a chain of agents."""

    def place(hop: int, more: int, is_final: bool, unknown: dict[str, Any]) -> caps.AgentChain:
        return caps.AgentChain(hop=hop, max_hops=hop + more, is_final=is_final, extra=unknown)

    return st.builds(place, st.integers(1, 9), st.integers(0, 9), st.booleans(), extra())


def recipient_capabilities() -> SearchStrategy[caps.RecipientCapabilities]:
    """Capabilities of platforms."""
    return fitting(caps.RecipientCapabilities)


def turns(*, recipient: str | None = None, trusted: bool = True) -> SearchStrategy[message.HistoricalMessage]:
    """Prior turns.

    Args:
        recipient: The agent whose turns have the role `assistant`; without it the roles are arbitrary.
        trusted: As for `senders`.
    """
    who = senders(trusted=trusted)
    if recipient is not None:
        who |= senders(address=st.just(recipient), trusted=trusted)

    def turn(author: sender.Sender, other_role: Any, **members: Any) -> message.HistoricalMessage:
        own: Any = "assistant" if author.address == recipient else "user"
        role = other_role if recipient is None else own
        return message.HistoricalMessage(sender=author, role=role, **members)

    return st.builds(
        turn,
        who,
        st.sampled_from(["user", "assistant"]),
        parts=tuples(parts()),
        timestamp=timestamps(),
        id=st.none() | names(),
        extra=extra(),
    )


@strategy_for(message.NormalizedResponse)
def responses() -> SearchStrategy[message.NormalizedResponse]:
    """Responses: whole ones, frames of a stream, and errors."""
    places = [("ok", None), ("partial", None), ("error", None), ("partial", False), ("ok", True), ("error", True)]

    def response(place: tuple[Any, bool | None], stream: str, seq: int, **members: Any) -> message.NormalizedResponse:
        status, final = place
        streaming = None if final is None else message.Streaming(stream_id=stream, seq=seq, final=final)
        return message.NormalizedResponse(status=status, streaming=streaming, **members)

    return st.builds(
        response,
        st.sampled_from(places),
        names(),
        counts(),
        reply_to=names(),
        parts=st.lists(parts(), max_size=3, unique_by=_call_id).map(tuple),
        error=fitting(message.ResponseError | None),
        push_back=fitting(message.PushBackHint | None),
        extra=extra(),
    )


def answers(reply_to: str) -> SearchStrategy[message.NormalizedResponse]:
    """Responses that every transport can send: whole ones, with files inline or behind a URL, and a policy at the end.

    Args:
        reply_to: The id of the message that they answer.
    """
    content = parts().filter(lambda part: not isinstance(part, model_parts.CarriedPolicy) and _has_bytes_or_url(part))

    def response(parts: list[model_parts.Part], end: tuple[Any, ...], **members: Any) -> message.NormalizedResponse:
        return message.NormalizedResponse(reply_to=reply_to, parts=(*parts, *end), **members)

    return st.builds(
        response,
        st.lists(content, max_size=4, unique_by=_call_id),
        st.just(()) | st.tuples(carried_policies()),
        status=st.sampled_from(["ok", "error"]),
        error=fitting(message.ResponseError | None),
        extra=extra(),
    )


def _has_bytes_or_url(part: model_parts.Part) -> bool:
    """Whether a part has no bytes, or includes them or their URL."""
    reference = getattr(part, "bytes_ref", None)
    return not isinstance(reference, model_parts.DigestRef) or reference.url is not None


def _call_id(part: model_parts.Part) -> object:
    """The part of a response that must be unique: the id of a tool call."""
    return part.id if isinstance(part, model_parts.ToolCallPart) else object()


def messages(*, trusted: bool = True) -> SearchStrategy[message.NormalizedMessage]:
    """Messages.

    Args:
        trusted: Whether some have verified senders and policy resolutions, as in your own store.
    """
    resolutions = st.none() | policy_resolutions() if trusted else st.none()

    def to(recipient: str) -> SearchStrategy[message.NormalizedMessage]:
        return values(
            message.NormalizedMessage,
            sender=senders(trusted=trusted),
            recipient=st.just(recipient),
            history=st.none() | tuples(turns(recipient=recipient, trusted=trusted)),
            policy_resolution=resolutions,
        )

    return addresses().flatmap(to)


@cache
def known() -> SearchStrategy[StoredMessage]:
    """Messages as stores have them, to recognize redelivered ones."""
    return values(StoredMessage, auth_method=st.sampled_from(["none", "email-dkim", "ap-http-signature", "own"]))


@cache
def _hostile_texts() -> SearchStrategy[str]:
    """Any text; now and then one that imitates the header of another sender."""
    return texts() | st.lists(st.sampled_from(_HEADER_PIECES) | texts(), min_size=1, max_size=6).map("".join)


@cache
def ingest_metadata() -> SearchStrategy[IngestMetadata]:
    """Metadata of the message ingest contract, with names, tokens and threads that attackers write."""
    source = st.sampled_from(["slack", "discord", "bluebubbles", "web"])
    name, text = st.none() | names(), st.none() | _hostile_texts()
    return values(
        IngestMetadata,
        source=source,
        sender_id=st.builds("{}:{}".format, source | st.just("bb"), names()),
        sender_display_name=_hostile_texts().filter(bool),
        channel_external_id=name,
        mention_token=text | st.just("<@U06STGBF4Q0>"),
        thread_context=text,
        recipient_id=name,
        subject=text,
        mentions=st.none() | st.dictionaries(st.sampled_from(["<@U1>", "<#C1>", "x"]), _hostile_texts(), max_size=2),
        format=st.none() | st.just("mrkdwn"),
    )


@cache
def ingest_messages() -> SearchStrategy[IngestMessage]:
    """Messages as integrations store them, some of them by attackers."""
    attachments = st.none() | tuples(parts().filter(lambda part: not isinstance(part, model_parts.TextPart)))
    return values(IngestMessage, content=_hostile_texts(), metadata=ingest_metadata(), attachments=attachments)


def ingest_rows() -> SearchStrategy[list[dict[str, Any]]]:
    """Rows of a conversation from a store: of people with metadata, of the agent and of the host, in any order.

    Every list is fresh JSON, which a test may change.
    """

    def row(role: str, content: str) -> dict[str, Any]:
        return {"role": role, "content": content}

    others = st.builds(row, st.sampled_from(["assistant", "system", "user"]), _hostile_texts())
    return st.lists(ingest_messages().map(IngestMessage.row) | others, max_size=6)
