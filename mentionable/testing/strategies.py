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
    MOST,
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

_FORGED: Final = (
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
"""Of what names and texts are made that would pass for a header."""


@cache
def _inline_refs() -> SearchStrategy[model_parts.InlineRef]:
    encoded = st.binary(max_size=24).map(lambda data: b64encode(data).decode())
    return st.builds(model_parts.InlineRef, data_base64=encoded, extra=extra())


@cache
def bytes_refs() -> SearchStrategy[model_parts.BytesRef]:
    """References to bytes, of all three kinds."""
    digest = st.binary(min_size=32, max_size=32).map(bytes.hex)
    return st.one_of(
        _inline_refs(),
        st.builds(model_parts.UrlRef, url=web_urls(), expires_at=st.none() | timestamps(), extra=extra()),
        st.builds(model_parts.DigestRef, digest=digest, url=st.none() | web_urls(), extra=extra()),
    )


@cache
def text_parts() -> SearchStrategy[model_parts.TextPart]:
    """Texts as parts."""
    mimes = st.sampled_from(sorted(model_parts.TEXT_MIMES))
    return st.builds(model_parts.TextPart, content=texts(), mime=mimes, extra=extra())


@cache
def file_parts() -> SearchStrategy[model_parts.FilePart]:
    """Files."""
    return st.builds(
        model_parts.FilePart,
        mime=media_types(),
        bytes_ref=bytes_refs(),
        name=st.none() | texts(),
        size_bytes=st.none() | counts(),
        extra=extra(),
    )


@cache
def link_parts() -> SearchStrategy[model_parts.LinkPart]:
    """Links."""
    return st.builds(
        model_parts.LinkPart,
        url=web_urls(),
        title=st.none() | texts(),
        description=st.none() | texts(),
        extra=extra(),
    )


@cache
def artifact_parts() -> SearchStrategy[model_parts.ArtifactPart]:
    """Artifacts."""
    return st.builds(
        model_parts.ArtifactPart,
        mime=media_types(),
        bytes_ref=bytes_refs(),
        name=st.none() | texts(),
        artifact_type=st.none() | texts(),
        extra=extra(),
    )


@cache
def tool_call_parts() -> SearchStrategy[model_parts.ToolCallPart]:
    """Tool calls in every state, a result of JSON null included."""
    durations = st.none() | counts() | st.floats(0, MOST)
    common: dict[str, Any] = {
        "id": names(),
        "name": names(),
        "args": json_values(),
        "duration_ms": durations,
        "started_at": st.none() | timestamps(),
        "extra": extra(),
    }
    errors = st.builds(model_parts.CallError, message=texts(), extra=extra())
    done = st.builds(model_parts.ToolCallPart, result=st.just(UNSET) | json_values(), **common)
    return done | st.builds(model_parts.ToolCallPart, error=errors, **common)


@cache
def carried_policies() -> SearchStrategy[model_parts.CarriedPolicy]:
    """Policies as parts."""
    return st.builds(model_parts.CarriedPolicy, policy=policies(), extra=extra())


@cache
def unknown_parts() -> SearchStrategy[model_parts.UnknownPart]:
    """Parts of kinds that this version does not know."""
    kinds = names().filter(lambda kind: kind not in model_parts.KINDS)
    return st.builds(model_parts.UnknownPart, kind=kinds, extra=extra())


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
        st.builds(caps.InlineRelay, extra=extra()),
        st.builds(caps.RecipientFieldRelay, fields=some("to", "cc", "bcc"), extra=extra()),
        st.builds(caps.AddressingRelay, envelope_fields=some("to", "cc"), extra=extra()),
        st.builds(caps.NoRelay, extra=extra()),
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
    return st.builds(caps.RecipientCapabilities, mention_relay=mention_relays(), agent_chain=chains, extra=extra())


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
    errors = st.builds(message.ResponseError, code=texts(), message=texts(), retriable=st.booleans(), extra=extra())
    channels = st.none() | st.sampled_from(["activitypub", "a2a", "email"])
    hints = st.builds(message.PushBackHint, channel=channels, thread_ref=st.none() | texts(), extra=extra())

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
    """Responses that any room may send: whole ones, whose files go along or lie behind a URL, with a policy at the end.

    Args:
        reply_to: The id of the message that they answer.
    """
    said = st.one_of(text_parts(), link_parts(), tool_call_parts(), unknown_parts(), file_parts(), artifact_parts())
    errors = st.builds(message.ResponseError, code=texts(), message=texts(), retriable=st.booleans(), extra=extra())

    def made(parts: list[model_parts.Part], end: tuple[Any, ...], **members: Any) -> message.NormalizedResponse:
        return message.NormalizedResponse(reply_to=reply_to, parts=(*parts, *end), **members)

    return st.builds(
        made,
        st.lists(said.filter(_is_at_hand), max_size=4, unique_by=_call_id),
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
        return st.builds(
            message.NormalizedMessage,
            id=names(),
            thread_id=names(),
            sender=senders(trusted=trusted),
            recipient=st.just(recipient),
            parts=tuples(parts()),
            recipient_capabilities=recipient_capabilities(),
            received_via=st.sampled_from(["activitypub", "a2a", "email", "rest", "connector"]),
            received_at=timestamps(),
            raw=json_values(),
            in_reply_to=st.none() | names(),
            history=st.none() | tuples(turns(recipient=recipient, trusted=trusted)),
            policy_resolution=resolutions,
            received_trace=st.none() | responses(),
            extra=extra(),
        )

    return addresses().flatmap(to)


@cache
def known() -> SearchStrategy[StoredMessage]:
    """What stores keep of messages, so that they are met again."""
    methods = st.sampled_from(["none", "email-dkim", "ap-http-signature", "own"])
    return st.builds(
        StoredMessage,
        id=names(),
        thread_id=names(),
        sender=addresses(),
        auth_method=methods,
        verified=st.none() | st.booleans(),
        extra=extra(),
    )


@cache
def _said() -> SearchStrategy[str]:
    """What somebody typed, or calls themselves: any text, and what would pass for a header now and then."""
    return texts() | st.lists(st.sampled_from(_FORGED) | texts(), min_size=1, max_size=6).map("".join)


@cache
def ingest_metadata() -> SearchStrategy[IngestMetadata]:
    """Metadata of the message ingest contract, with names, tokens and threads of people who mean harm."""
    source = st.sampled_from(["slack", "discord", "bluebubbles", "web"])
    flag, words = st.none() | st.booleans(), st.none() | _said()
    return st.builds(
        IngestMetadata,
        source=source,
        sender_id=st.builds("{}:{}".format, source | st.just("bb"), names()),
        sender_display_name=_said().filter(bool),
        sender_type=st.sampled_from(["human", "bot"]),
        channel_external_id=st.none() | names(),
        mention_token=words | st.just("<@U06STGBF4Q0>"),
        thread_context=words,
        is_from_me=flag,
        passive=flag,
        trigger_rag=flag,
        recipient_id=st.none() | names(),
        extra=extra(),
    )


@cache
def ingest_messages() -> SearchStrategy[IngestMessage]:
    """Messages as integrations store them, by people who mean harm."""
    attachments = st.none() | tuples(parts().filter(lambda part: not isinstance(part, model_parts.TextPart)))
    return st.builds(IngestMessage, content=_said(), metadata=ingest_metadata(), attachments=attachments, extra=extra())


def ingest_rows() -> SearchStrategy[list[dict[str, Any]]]:
    """Rows of a conversation as stores have them: people's with metadata, the agent's, the host's, in any order.

    Every list is fresh JSON, which a test may change.
    """

    def row(role: str, content: str) -> dict[str, Any]:
        return {"role": role, "content": content}

    others = st.builds(row, st.sampled_from(["assistant", "system", "user"]), _said())
    return st.lists(ingest_messages().map(IngestMessage.row) | others, max_size=6)
