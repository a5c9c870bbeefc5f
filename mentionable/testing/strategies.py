"""Strategies of hypothesis for every value of the contract, as small as they may be and as odd as they can be.

Every value is valid and holds unknown members now and then, since a program must carry those along. hypothesis is
loaded when the first strategy is made.

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

from base64 import b64encode
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
from ._values import values

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


@cache
def bytes_refs() -> SearchStrategy[model_parts.BytesRef]:
    """References to bytes, of all three kinds."""
    digest = st.binary(min_size=32, max_size=32).map(bytes.hex)
    encoded = st.binary(max_size=24).map(lambda data: b64encode(data).decode())
    return st.one_of(
        values(model_parts.InlineRef, data_base64=encoded),
        values(model_parts.UrlRef),
        values(model_parts.DigestRef, digest=digest),
    )


@cache
def text_parts() -> SearchStrategy[model_parts.TextPart]:
    """Texts as parts."""
    return values(model_parts.TextPart, mime=st.sampled_from(sorted(model_parts.TEXT_MIMES)))


@cache
def file_parts() -> SearchStrategy[model_parts.FilePart]:
    """Files."""
    return values(model_parts.FilePart, bytes_ref=bytes_refs())


@cache
def link_parts() -> SearchStrategy[model_parts.LinkPart]:
    """Links."""
    return values(model_parts.LinkPart)


@cache
def artifact_parts() -> SearchStrategy[model_parts.ArtifactPart]:
    """Artifacts."""
    return values(model_parts.ArtifactPart, bytes_ref=bytes_refs())


@cache
def tool_call_parts() -> SearchStrategy[model_parts.ToolCallPart]:
    """Tool calls in every state, a result of JSON null included."""
    nothing = st.just(UNSET)
    done = values(model_parts.ToolCallPart, result=nothing | json_values(), error=st.none())
    return done | values(model_parts.ToolCallPart, result=nothing, error=values(model_parts.CallError))


@cache
def carried_policies() -> SearchStrategy[model_parts.CarriedPolicy]:
    """Policies as parts."""
    return values(model_parts.CarriedPolicy, policy=policies())


@cache
def unknown_parts() -> SearchStrategy[model_parts.UnknownPart]:
    """Parts of kinds that this version does not know."""
    return values(model_parts.UnknownPart, kind=names().filter(lambda kind: kind not in model_parts.KINDS))


@cache
def parts() -> SearchStrategy[model_parts.Part]:
    """Parts of all seven kinds."""
    return st.one_of(
        text_parts(),
        file_parts(),
        link_parts(),
        artifact_parts(),
        tool_call_parts(),
        carried_policies(),
        unknown_parts(),
    )


@cache
def mention_relays() -> SearchStrategy[caps.MentionRelayCapability]:
    """Mention-relay capabilities of all four kinds."""

    def some(*fields: Any) -> SearchStrategy[Any]:
        return st.lists(st.sampled_from(fields), min_size=1, unique=True).map(tuple)

    return st.one_of(
        values(caps.InlineRelay),
        values(caps.RecipientFieldRelay, fields=some("to", "cc", "bcc")),
        values(caps.AddressingRelay, envelope_fields=some("to", "cc")),
        values(caps.NoRelay),
    )


@cache
def agent_chains() -> SearchStrategy[caps.AgentChain]:
    """Places in a chain of agents."""

    def place(hop: int, more: int, is_final: bool, unknown: dict[str, Any]) -> caps.AgentChain:
        return caps.AgentChain(hop=hop, max_hops=hop + more, is_final=is_final, extra=unknown)

    return st.builds(place, st.integers(1, 9), st.integers(0, 9), st.booleans(), extra())


@cache
def recipient_capabilities() -> SearchStrategy[caps.RecipientCapabilities]:
    """What platforms offer."""
    chains = st.none() | agent_chains()
    return values(caps.RecipientCapabilities, mention_relay=mention_relays(), agent_chain=chains)


def turns(*, recipient: str | None = None, trusted: bool = True) -> SearchStrategy[message.HistoricalMessage]:
    """Prior turns.

    Args:
        recipient: The agent whose turns are `assistant`; without it the roles mean nothing.
        trusted: As for `senders`.
    """
    who = senders(trusted=trusted)
    if recipient is not None:
        who |= senders(address=st.just(recipient), trusted=trusted)

    def made(author: sender.Sender, other_role: Any, **members: Any) -> message.HistoricalMessage:
        own: Any = "assistant" if author.address == recipient else "user"
        role = other_role if recipient is None else own
        return message.HistoricalMessage(sender=author, role=role, **members)

    return st.builds(
        made,
        who,
        st.sampled_from(["user", "assistant"]),
        parts=tuples(parts()),
        timestamp=timestamps(),
        id=st.none() | names(),
        extra=extra(),
    )


@cache
def responses() -> SearchStrategy[message.NormalizedResponse]:
    """Responses: whole ones, frames of a stream, and errors."""
    places = [("ok", None), ("partial", None), ("error", None), ("partial", False), ("ok", True), ("error", True)]
    errors, hints = values(message.ResponseError), values(message.PushBackHint)

    def made(place: tuple[Any, bool | None], stream: str, seq: int, **members: Any) -> message.NormalizedResponse:
        status, final = place
        streaming = None if final is None else message.Streaming(stream_id=stream, seq=seq, final=final)
        return message.NormalizedResponse(status=status, streaming=streaming, **members)

    return st.builds(
        made,
        st.sampled_from(places),
        names(),
        counts(),
        reply_to=names(),
        parts=st.lists(parts(), max_size=3, unique_by=_call_id).map(tuple),
        error=st.none() | errors,
        push_back=st.none() | hints,
        extra=extra(),
    )


def answers(reply_to: str) -> SearchStrategy[message.NormalizedResponse]:
    """Responses that every transport can send: whole ones, with files inline or behind a URL, and a policy at the end.

    Args:
        reply_to: The id of the message that they answer.
    """
    content = st.one_of(text_parts(), link_parts(), tool_call_parts(), unknown_parts(), file_parts(), artifact_parts())
    errors = values(message.ResponseError)

    def made(parts: list[model_parts.Part], end: tuple[Any, ...], **members: Any) -> message.NormalizedResponse:
        return message.NormalizedResponse(reply_to=reply_to, parts=(*parts, *end), **members)

    return st.builds(
        made,
        st.lists(content.filter(_is_at_hand), max_size=4, unique_by=_call_id),
        st.just(()) | st.tuples(carried_policies()),
        status=st.sampled_from(["ok", "error"]),
        error=st.none() | errors,
        extra=extra(),
    )


def _is_at_hand(part: model_parts.Part) -> bool:
    """Whether the bytes of a part, if it has any, are in it or behind a URL."""
    reference = getattr(part, "bytes_ref", None)
    return not isinstance(reference, model_parts.DigestRef) or reference.url is not None


def _call_id(part: model_parts.Part) -> object:
    """What must be unique within a response: the ids of tool calls."""
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
            parts=tuples(parts()),
            recipient_capabilities=recipient_capabilities(),
            in_reply_to=st.none() | names(),
            history=st.none() | tuples(turns(recipient=recipient, trusted=trusted)),
            policy_resolution=resolutions,
            received_trace=st.none() | responses(),
        )

    return addresses().flatmap(to)


@cache
def known() -> SearchStrategy[StoredMessage]:
    """What stores keep of messages, to recognize them when they come again."""
    methods = st.sampled_from(["none", "email-dkim", "ap-http-signature", "own"])
    return values(StoredMessage, auth_method=methods)


@cache
def _hostile_texts() -> SearchStrategy[str]:
    """Any text; now and then one that imitates the header of another sender."""
    return texts() | st.lists(st.sampled_from(_HEADER_PIECES) | texts(), min_size=1, max_size=6).map("".join)


@cache
def ingest_metadata() -> SearchStrategy[IngestMetadata]:
    """Metadata of the message ingest contract, with names, tokens and threads that attackers write."""
    source, name, words = (
        st.sampled_from(["slack", "discord", "bluebubbles", "web"]),
        st.none() | names(),
        st.none() | _hostile_texts(),
    )
    return values(
        IngestMetadata,
        source=source,
        sender_id=st.builds("{}:{}".format, source | st.just("bb"), names()),
        sender_display_name=_hostile_texts().filter(bool),
        channel_external_id=name,
        mention_token=words | st.just("<@U06STGBF4Q0>"),
        thread_context=words,
        recipient_id=name,
    )


@cache
def ingest_messages() -> SearchStrategy[IngestMessage]:
    """Messages as integrations store them, some of them by attackers."""
    attachments = st.none() | tuples(parts().filter(lambda part: not isinstance(part, model_parts.TextPart)))
    return values(IngestMessage, content=_hostile_texts(), metadata=ingest_metadata(), attachments=attachments)


def ingest_rows() -> SearchStrategy[list[dict[str, Any]]]:
    """Rows of a conversation as stores have them: people's with metadata, the agent's, the host's, in any order.

    Every list is fresh JSON, which a test may change.
    """

    def row(role: str, content: str) -> dict[str, Any]:
        return {"role": role, "content": content}

    others = st.builds(row, st.sampled_from(["assistant", "system", "user"]), _hostile_texts())
    return st.lists(ingest_messages().map(IngestMessage.row) | others, max_size=6)
