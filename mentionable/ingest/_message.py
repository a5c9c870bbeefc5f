"""Converts a message of any transport to the form that an integration stores, and back.

The author comes from the message only: the program that stores it may add hints, but never change the author.

Spec: Message Ingest Contract §Worked example: Slack inbound, §Discord inbound, §BlueBubbles inbound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, get_args

from .._errors.exceptions import UsageError
from .._model.base import unchecked_replace
from .._model.message import HistoricalMessage, NormalizedMessage, ReceivedVia
from .._model.parts import TextPart
from .._model.sender import Sender, SenderProfile
from .._text.display_names import name_of
from .._text.headers import author_of, is_of_others, without_claims
from .._text.mentions import mentions_in, with_names
from .._text.plain_text import plain_text, subject_of
from .._wire.address import Address, canonical
from .._wire.strict_json import plain
from ._compose import THREAD_HEADING
from ._form import AS_IT_IS, Form
from ._headers import Named, context_of, line_of
from ._metadata import MEMBERS, NAMESPACES, REQUIRED, IngestMessage, IngestMetadata, SenderType
from ._typed import typed_of, typed_part

MAX_THREAD: Final = 15
"""Messages in the summary of a thread; older messages are left out."""

_ACCOUNT: Final = re.compile(r"(?:.*\.)?([a-z0-9-]+)\.invalid").fullmatch
"""Domains of addresses for accounts of a platform, as connectors make them."""

_PLATFORM: Final = re.compile(r"[A-Za-z0-9._-]{1,64}").fullmatch
"""Names of platforms that can be a namespace of ids."""

_SLACK_USER: Final = re.compile(r"[UW][A-Z0-9]+").fullmatch
_SLACK_BOT: Final = re.compile(r"B[A-Z0-9]+").fullmatch
_OF_THE_SENDER: Final = (*REQUIRED, "mention_token")
"""Members that name the author of a message."""

_DIGITS: Final = 32
_NO_TOKENS_OF_BOTS: Final = ("slack", "discord")
_TRANSPORTS: Final = ("activitypub", "a2a", "email", "rest")
_CHANNELS: Final = ("channel", "channel_id", "chat")
"""Members of `raw` in which connectors name the channel."""

_WITH_HISTORY: Final = ("connector", "activitypub")
"""The transports over which the platform itself delivers the history."""

_PROGRAMS: Final = ("Service", "Application")
"""Types of ActivityPub actors that are programs."""


def from_message(
    message: NormalizedMessage | HistoricalMessage,
    *,
    sender_type: SenderType | None = None,
    with_history: bool | None = None,
    hints: Mapping[str, Any] | None = None,
    received_via: ReceivedVia | None = None,
) -> IngestMessage:
    """Convert a message to the form that an integration stores: the typed text, and metadata.

    Args:
        message: A message, as `receive` returns it, or a turn of its history. A turn of the agent is refused: its row
            is `{"role": "assistant", "content": plain_text(turn)}`.
        sender_type: Whether a person wrote it, if you know better than the message.
        with_history: Whether its history becomes `thread_context`. The default is true if the platform delivers the
            history: for connectors and ActivityPub. Otherwise history comes from stores, and you have it as rows.
        hints: Further members, for instance `passive` or `trigger_rag`, and your own. They cannot name the author.
        received_via: For a turn of a history: the `received_via` of its message. Turns from a connector have mention
            tokens, and native text where it is known; the authors of turns that a caller forwards are not verified, and
            have none.

    Raises:
        UsageError: An argument is of the wrong kind, the agent wrote the turn, or hints contain a member that only the
            message may set.

    Spec: Message Ingest Contract §Checklist for a new integration.

    Example:
        >>> from mentionable import HistoricalMessage, Sender, TextPart
        >>> ash = Sender(address="@U03@t1.slack.invalid", display_name="Ash")
        >>> parts = (TextPart(content="are we still on?"),)
        >>> turn = HistoricalMessage(role="user", sender=ash, parts=parts, timestamp="2026-11-21T09:00:00Z")
        >>> from_message(turn, received_via="connector").metadata.mention_token
        '<@U03>'
    """
    if not isinstance(message, (NormalizedMessage, HistoricalMessage)):
        raise UsageError("from_message takes a NormalizedMessage, or a HistoricalMessage")
    if isinstance(message, HistoricalMessage) and message.role == "assistant":
        raise UsageError(
            "from_message takes what others wrote: the row of what the agent wrote is"
            ' {"role": "assistant", "content": plain_text(turn)}'
        )
    if hints is not None and not isinstance(hints, Mapping):
        raise UsageError("hints is a mapping of further members")
    taken = [name for name in hints or () if name in _OF_THE_SENDER]
    if taken:
        raise UsageError(f"hints contain {taken[0]}, which only the message may set")
    if isinstance(message, NormalizedMessage) and received_via not in (None, message.received_via):
        raise UsageError("received_via is for prior turns: a message has its own")
    _check_via(received_via)
    if with_history.__class__ not in (bool, type(None)):
        raise UsageError("with_history: expected True, False or None")
    via = received_via if isinstance(message, HistoricalMessage) else message.received_via
    typed = typed_of(message, via)
    members = {
        **_place(message, with_history),
        **({} if typed.form is AS_IT_IS else typed.form.members),
        **plain(hints or {}),
    }
    source = (_platform_of(message.sender) if via == "connector" else "") or via or "unknown"
    sender = named_sender(message.sender)
    kind: SenderType = sender_type or ("bot" if _is_program(message) else "human")
    has_token = is_account_verified(message.sender, via) and not (kind == "bot" and source in _NO_TOKENS_OF_BOTS)
    metadata = IngestMetadata(
        source=source,
        sender_id=_sender_id(message.sender, source),
        sender_display_name=sender.name,
        sender_type=kind,
        mention_token=(sender.token or None) if has_token else None,
        **{name: member for name, member in members.items() if name in MEMBERS},
        extra={name: member for name, member in members.items() if name not in MEMBERS},
    )
    address = message.sender.address
    return IngestMessage(content=typed.content, metadata=metadata, attachments=typed.others or None, address=address)


def _check_via(received_via: object) -> None:
    if received_via is not None and received_via not in get_args(ReceivedVia):
        raise UsageError(f"received_via: expected {' or '.join(map(repr, get_args(ReceivedVia)))}, or None")


def _place(message: NormalizedMessage | HistoricalMessage, with_history: bool | None) -> dict[str, Any]:
    """The channel, the recipient, the subject and the history of a message. A prior turn has none of them."""
    if isinstance(message, HistoricalMessage):
        return {}
    includes_history = message.received_via in _WITH_HISTORY if with_history is None else with_history
    summary = None
    if includes_history:
        summary = compose_thread_summary(message.history or (), received_via=message.received_via)
    is_of_connector = message.received_via == "connector"
    return {
        "channel_external_id": _channel_of(message.raw) if is_of_connector else None,
        "thread_context": summary,
        "recipient_id": str(message.recipient),
        "subject": subject_of(message),
        **(_of_imessage(message.raw) if is_of_connector else {}),
    }


def _of_imessage(raw: Any) -> dict[str, Any]:
    """The members that a row of BlueBubbles has: the id of the message, and whether the local account wrote it."""
    if not isinstance(raw, Mapping) or raw.get("platform") != "bluebubbles" or not isinstance(raw.get("id"), str):
        return {}
    members: dict[str, Any] = {"message_guid": raw["id"]}
    return members | {"is_from_me": True} if raw.get("is_from_me") is True else members


def to_turn(message: IngestMessage, *, timestamp: str, id: str | None = None) -> HistoricalMessage:
    """Convert a stored message to a prior turn, for the answer to `FindHistory`. Its sender is not verified any more.

    Args:
        message: The stored message.
        timestamp: When it was written, RFC 3339.
        id: Its id, if you have one.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if not isinstance(message, IngestMessage):
        raise UsageError("to_turn takes an IngestMessage")
    metadata = message.metadata
    text = (typed_part(message.content, Form(metadata.format, metadata.mentions or {})),) if message.content else ()
    profile = SenderProfile(
        display_name=metadata.sender_display_name,
        provider=metadata.source,
        provider_subject=metadata.sender_id if metadata.sender_type == "human" else None,
    )
    address = message.address or _address_of(metadata)
    sender = Sender(address=address, display_name=metadata.sender_display_name, profile=profile)
    return HistoricalMessage(
        role="user", sender=sender, parts=(*text, *(message.attachments or ())), timestamp=timestamp, id=id
    )


def compose_thread_summary(
    turns: Iterable[HistoricalMessage], *, received_via: ReceivedVia | None = None
) -> str | None:
    r"""Write prior messages as text for a model: a heading, and a line for each of the newest 15, the newest last.

    A line is `- Name (<@U…>): text`, without line breaks and with at most 400 characters of text. Text that a turn
    shows and its sender did not write has a line of its own: `- Name (<@U…>), shared by Name (<@U…>): text`.

    Args:
        turns: Oldest first. A turn without text has no line.
        received_via: How they came. `connector`, if a connector or your own integration received them from its
            platform: then they have mention tokens. The authors of turns that a caller forwarded are unknown.

    Returns:
        The value of `thread_context`; None if no turn has text.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Message Ingest Contract §Worked example: Slack inbound.

    Example:
        >>> from mentionable import HistoricalMessage, Sender, TextPart
        >>> ash = Sender(address="@U03@t1.slack.invalid", display_name="Ash")
        >>> parts = (TextPart(content="are we still on?"),)
        >>> turn = HistoricalMessage(role="user", sender=ash, parts=parts, timestamp="2026-11-21T09:00:00Z")
        >>> compose_thread_summary([turn], received_via="connector")
        '[Thread context — prior messages in this thread, newest last]\n- Ash (<@U03>): are we still on?'
    """
    unchecked_turns: object = turns
    listed = list(turns) if isinstance(unchecked_turns, Iterable) else None
    if listed is None or not all(isinstance(turn, HistoricalMessage) for turn in listed):
        raise UsageError("compose_thread_summary takes a list of HistoricalMessage, the oldest first")
    _check_via(received_via)
    lines: list[str] = []
    for turn in reversed(listed):
        sender = named_sender(turn.sender)
        is_verified = is_account_verified(turn.sender, received_via)
        turn = without_claims(turn, received_via)
        lines += reversed(_lines_of(turn, sender if is_verified else sender._replace(token="")))
        if len(lines) >= MAX_THREAD:
            break
    return context_of(THREAD_HEADING, reversed(lines[:MAX_THREAD]))


def _lines_of(turn: HistoricalMessage, sender: Named) -> list[str]:
    """The lines of a turn: what its sender wrote, and what it shows of others, each under the name of who wrote it."""
    shared = [part for part in turn.parts if isinstance(part, TextPart) and is_of_others(part)]
    if shared:
        others = set(map(id, shared))
        turn = unchecked_replace(turn, parts=tuple([part for part in turn.parts if id(part) not in others]))
    lines = [line_of(sender, plain_text(turn))]
    for part in shared:
        text = with_names(part.content, mentions_in(part.extra))
        lines.append(line_of(Named(*author_of(part)), text, shared_by=sender))
    return [line.text for line in lines if line is not None]


def named_sender(sender: Sender) -> Named:
    """The name of a sender, and their mention token on their platform."""
    address, profile, platform = Address(sender.address), sender.profile, _platform_of(sender)
    names = (sender.display_name or "", (profile.display_name if profile is not None else None) or "")
    name = next(filter(name_of, names), None)
    token, is_account = "", _ACCOUNT(address.domain) is not None
    if platform == "slack":
        token = f"<@{address.local}>" if is_account and _SLACK_USER(address.local) else ""
        name = name or (f"bot:{address.local}" if _is_bot(sender) else address.local)
    elif platform == "discord":
        token = f"<@{address.local}>" if is_account and not _is_bot(sender) else ""
    elif platform == "activitypub":
        token = str(address)
    return Named(name or (str(address) if platform == "" else address.local), token)


def _platform_of(sender: Sender) -> str:
    """The platform of an account, from its address or its profile; empty if neither names one."""
    account = _ACCOUNT(Address(sender.address).domain)
    if account is not None:
        return str(account[1])
    provider = (sender.profile.provider if sender.profile is not None else None) or ""
    return provider if _PLATFORM(provider) else ""


def is_account_verified(sender: Sender, received_via: ReceivedVia | None) -> bool:
    """Whether the address of an account is verified: an attacker can write one into a mail."""
    address = Address(sender.address)
    if received_via == "connector" or _ACCOUNT(address.domain) is None:
        return True
    start, end = f"{_platform_of(sender)}:", f"/{address.local}"
    return any(
        evidence.assurance == "platform" and evidence.subject.startswith(start) and evidence.subject.endswith(end)
        for evidence in sender.identities or ()
    )


def _sender_id(sender: Sender, source: str) -> str:
    """The id of a sender, after the namespace of the source."""
    address = Address(sender.address)
    if source in _TRANSPORTS or _platform_of(sender) != source or _ACCOUNT(address.domain) is None:
        return f"{source}:{address}"
    of_bot = "bot:" if source == "slack" and _is_bot(sender) else ""
    return f"{NAMESPACES.get(source, source)}:{of_bot}{address.local}"


def _address_of(metadata: IngestMetadata) -> Address:
    """The address of a stored sender: the id itself for transports, else an address that represents the whole id."""
    id = metadata.sender_id.partition(":")[2]
    account = f"@{id.removeprefix('bot:')}@unknown.{metadata.source}.invalid"
    address = canonical(id if metadata.source in _TRANSPORTS else account)
    if address is not None:
        return address
    digest = sha256(metadata.sender_id.encode("utf-8", "surrogatepass")).hexdigest()
    return Address(f"@{digest[:_DIGITS]}@unknown.invalid")


def _channel_of(raw: Any) -> str | None:
    """The id of the channel on the platform, from the connector."""
    if not isinstance(raw, Mapping):
        return None
    return next((raw[name] for name in _CHANNELS if isinstance(raw.get(name), str)), None)


def _is_program(message: NormalizedMessage | HistoricalMessage) -> bool:
    """Whether a program wrote a message.

    Slack and Discord mark bots, ActivityPub has types of actors, mail a header for automatic messages (RFC 3834). A2A
    callers are agents, unless the evidence of a connector names a person.
    """
    sender = message.sender
    if isinstance(message, HistoricalMessage):
        return _is_bot(sender)
    raw = message.raw if isinstance(message.raw, Mapping) else {}
    match message.received_via:
        case "connector":
            bot = raw.get("bot")
            return bot is True or (isinstance(bot, str) and bot != "") or _is_bot(sender)
        case "activitypub":
            actor = raw.get("actor")
            return isinstance(actor, Mapping) and actor.get("type") in _PROGRAMS
        case "email":
            headers = raw.get("headers")
            submitted = headers.get("auto-submitted") if isinstance(headers, Mapping) else None
            return submitted is not None and str(submitted).partition(";")[0].strip().lower() != "no"
        case "a2a":
            return not any(evidence.assurance == "platform" for evidence in sender.identities or ())
        case _:
            return False


def _is_bot(sender: Sender) -> bool:
    """Whether an account is a program's, from the ids of Slack and the profiles of Discord."""
    match _platform_of(sender):
        case "slack":
            return _SLACK_BOT(Address(sender.address).local) is not None
        case "discord":  # it gives only the names of programs
            return sender.profile is None or sender.profile.provider_subject is None
        case _:
            return False
