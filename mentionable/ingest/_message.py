"""From a message of any transport to what an integration stores of it.

Who wrote it comes from the message alone: whoever stores it may add hints, and never change that.

Spec: Message Ingest Contract §Worked example: Slack inbound, §Discord inbound, §BlueBubbles inbound.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, get_args

from .._errors.exceptions import UsageError
from .._model.message import HistoricalMessage, NormalizedMessage, ReceivedVia
from .._model.parts import TextPart
from .._model.sender import Sender, SenderProfile
from .._text.plain_text import part_text, plain_text
from .._wire.address import Address, canonical
from .._wire.strict_json import plain
from ._compose import THREAD_HEADING
from ._headers import Named, context_of, line_of, name_of
from ._metadata import MEMBERS, NAMESPACES, REQUIRED, IngestMessage, IngestMetadata, SenderType

MOST_THREAD: Final = 15
"""Messages of a thread that are told: the newest."""

_ACCOUNT: Final = re.compile(r"(?:.*\.)?([a-z0-9-]+)\.invalid").fullmatch
"""Domains of addresses that stand for accounts of a platform, as connectors make them."""

_PLATFORM: Final = re.compile(r"[A-Za-z0-9._-]{1,64}").fullmatch
"""Names of platforms that may be a namespace of ids."""

_SLACK_USER: Final = re.compile(r"[UW][A-Z0-9]+").fullmatch
_SLACK_BOT: Final = re.compile(r"B[A-Z0-9]+").fullmatch
_OF_THE_SENDER: Final = (*REQUIRED, "mention_token")
"""Members that say who wrote a message."""

_DIGITS: Final = 32
_NO_TOKENS_OF_BOTS: Final = ("slack", "discord")
_TRANSPORTS: Final = ("activitypub", "a2a", "email", "rest")
_CHANNELS: Final = ("channel", "channel_id", "chat")
"""Where connectors name the channel in `raw`."""

_PLATFORM_TELLS: Final = ("connector", "activitypub")
"""The ways in on which the platform itself tells what was said before."""

_PROGRAMS: Final = ("Service", "Application")
"""Types of ActivityPub actors behind which no person is."""


def from_message(
    message: NormalizedMessage | HistoricalMessage,
    *,
    sender_type: SenderType | None = None,
    with_history: bool | None = None,
    hints: Mapping[str, Any] | None = None,
    received_via: ReceivedVia | None = None,
) -> IngestMessage:
    """A message as an integration stores it: the words as they came, and who wrote them where.

    Args:
        message: As a `receive` gave it, or a prior turn of one.
        sender_type: Whether a person wrote it, where you know better than the message tells.
        with_history: Whether its history becomes `thread_context`; by default where the platform delivers it: from
            connectors and ActivityPub. Elsewhere history comes from stores, and you have it as rows.
        hints: Further members, `passive` or `trigger_rag` for instance, and any of your own. They cannot say who wrote
            the message.
        received_via: Of a prior turn: how the message came that brought it along. Turns that a connector tells have
            mention tokens; those that a caller forwards say of themselves who wrote them, and have none.

    Raises:
        UsageError: An argument is of the wrong kind, or hints name a member that only the message may fill.

    Spec: Message Ingest Contract §Checklist for a new integration.

    Example:
        >>> from mentionable import HistoricalMessage, Sender, TextPart
        >>> ash = Sender(address="@U03@t1.slack.invalid", display_name="Ash")
        >>> said = (TextPart(content="are we still on?"),)
        >>> turn = HistoricalMessage(role="user", sender=ash, parts=said, timestamp="2026-11-21T09:00:00Z")
        >>> from_message(turn, received_via="connector").metadata.mention_token
        '<@U03>'
    """
    if not isinstance(message, (NormalizedMessage, HistoricalMessage)):
        raise UsageError("from_message takes a NormalizedMessage, or a HistoricalMessage")
    if hints is not None and not isinstance(hints, Mapping):
        raise UsageError("hints is a mapping of further members")
    taken = [name for name in hints or () if name in _OF_THE_SENDER]
    if taken:
        raise UsageError(f"hints hold {taken[0]}, which only the message may say")
    if isinstance(message, NormalizedMessage) and received_via not in (None, message.received_via):
        raise UsageError("received_via is for prior turns: a message says it itself")
    _check_via(received_via)
    if with_history.__class__ not in (bool, type(None)):
        raise UsageError("with_history: expected True, False or None")
    told = {**_place(message, with_history), **plain(hints or {})}
    typed = [typed_text(part) for part in message.parts if isinstance(part, TextPart)]
    others = tuple([part for part in message.parts if not isinstance(part, TextPart)])
    source, named = _source_of(message, received_via), named_sender(message.sender)
    kind: SenderType = sender_type or ("bot" if _is_program(message) else "human")
    is_told = _is_account_shown(message, received_via) and not (kind == "bot" and source in _NO_TOKENS_OF_BOTS)
    metadata = IngestMetadata(
        source=source,
        sender_id=_sender_id(message.sender, source),
        sender_display_name=named.name,
        sender_type=kind,
        mention_token=(named.token or None) if is_told else None,
        **{name: member for name, member in told.items() if name in MEMBERS},
        extra={name: member for name, member in told.items() if name not in MEMBERS},
    )
    content = "\n\n".join(typed)
    return IngestMessage(content=content, metadata=metadata, attachments=others or None, address=message.sender.address)


def _check_via(received_via: object) -> None:
    if received_via is not None and received_via not in get_args(ReceivedVia):
        raise UsageError(f"received_via: expected {' or '.join(map(repr, get_args(ReceivedVia)))}, or None")


def _source_of(message: NormalizedMessage | HistoricalMessage, received_via: ReceivedVia | None) -> str:
    """The integration that a message came by: a platform, or a transport."""
    via = received_via if isinstance(message, HistoricalMessage) else message.received_via
    return (_platform_of(message.sender) if via == "connector" else "") or via or "unknown"


def _place(message: NormalizedMessage | HistoricalMessage, with_history: bool | None) -> dict[str, Any]:
    """Where a message was written, for whom, and what was said before it. A prior turn does not say."""
    if isinstance(message, HistoricalMessage):
        return {}
    is_wanted = message.received_via in _PLATFORM_TELLS if with_history is None else with_history
    summary = compose_thread_summary(message.history or (), received_via=message.received_via)
    return {
        "channel_external_id": _channel_of(message),
        "thread_context": summary if is_wanted else None,
        "recipient_id": str(message.recipient),
    }


def to_turn(message: IngestMessage, *, timestamp: str, id: str | None = None) -> HistoricalMessage:
    """A stored message as a prior turn: what `FindHistory` is answered with. Nothing is shown of its sender any more.

    Args:
        message: As it was stored.
        timestamp: When it was written, RFC 3339.
        id: Its id, where you have one.

    Raises:
        UsageError: An argument is of the wrong kind.
    """
    if not isinstance(message, IngestMessage):
        raise UsageError("to_turn takes an IngestMessage")
    metadata = message.metadata
    text = (TextPart(content=message.content),) if message.content else ()
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
    r"""Prior messages as text for a model: a heading, and a line for each of the newest 15, the newest last.

    A line is `- Name (<@U…>): text`, whatever line breaks stand in the text, and has at most 400 characters of it.

    Args:
        turns: Oldest first. What says nothing has no line.
        received_via: How they came. Those that a connector, or your own integration, was told by its platform have
            mention tokens (`connector`); of those that a caller forwarded nobody knows who wrote them.

    Returns:
        What `thread_context` takes; None when nobody said anything.

    Raises:
        UsageError: These are no prior messages.

    Spec: Message Ingest Contract §Worked example: Slack inbound.

    Example:
        >>> from mentionable import HistoricalMessage, Sender, TextPart
        >>> ash = Sender(address="@U03@t1.slack.invalid", display_name="Ash")
        >>> said = (TextPart(content="are we still on?"),)
        >>> turn = HistoricalMessage(role="user", sender=ash, parts=said, timestamp="2026-11-21T09:00:00Z")
        >>> compose_thread_summary([turn], received_via="connector")
        '[Thread context — prior messages in this thread, newest last]\n- Ash (<@U03>): are we still on?'
    """
    given: object = turns
    found = list(turns) if isinstance(given, Iterable) else None
    if found is None or not all(isinstance(turn, HistoricalMessage) for turn in found):
        raise UsageError("compose_thread_summary takes a list of HistoricalMessage, the oldest first")
    _check_via(received_via)
    lines: list[str] = []
    for turn in reversed(found):
        named = named_sender(turn.sender)
        is_shown = _is_account_shown(turn, received_via)
        line = line_of(named if is_shown else named._replace(token=""), plain_text(turn))
        lines += [] if line is None else [line]
        if len(lines) == MOST_THREAD:
            break
    return context_of(THREAD_HEADING, reversed(lines))


def named_sender(sender: Sender) -> Named:
    """What to call a sender, and what mentions them on their platform."""
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


def typed_text(part: TextPart) -> str:
    """What somebody typed, to the letter; of HTML, what people see of it."""
    return part_text(part) if part.mime == "text/html" else part.content


def _platform_of(sender: Sender) -> str:
    """The platform of an account, by the address that stands for it, or by its profile; empty when neither says."""
    account = _ACCOUNT(Address(sender.address).domain)
    if account is not None:
        return str(account[1])
    provider = (sender.profile.provider if sender.profile is not None else None) or ""
    return provider if _PLATFORM(provider) else ""


def _is_account_shown(message: NormalizedMessage | HistoricalMessage, received_via: ReceivedVia | None) -> bool:
    """Whether an address that stands for an account may be believed: anybody may write one into a mail."""
    sender, address = message.sender, Address(message.sender.address)
    via = received_via if isinstance(message, HistoricalMessage) else message.received_via
    if via == "connector" or _ACCOUNT(address.domain) is None:
        return True
    start, end = f"{_platform_of(sender)}:", f"/{address.local}"
    return any(
        shown.assurance == "platform" and shown.subject.startswith(start) and shown.subject.endswith(end)
        for shown in sender.identities or ()
    )


def _sender_id(sender: Sender, source: str) -> str:
    """Who a sender is, behind the namespace of the source."""
    address = Address(sender.address)
    if source in _TRANSPORTS or _platform_of(sender) != source or _ACCOUNT(address.domain) is None:
        return f"{source}:{address}"
    of_bot = "bot:" if source == "slack" and _is_bot(sender) else ""
    return f"{NAMESPACES.get(source, source)}:{of_bot}{address.local}"


def _address_of(metadata: IngestMetadata) -> Address:
    """An address for a stored sender: of a transport the one that the id is, else one that stands for the whole id."""
    known = metadata.sender_id.partition(":")[2]
    account = f"@{known.removeprefix('bot:')}@unknown.{metadata.source}.invalid"
    address = canonical(known if metadata.source in _TRANSPORTS else account)
    if address is not None:
        return address
    digest = sha256(metadata.sender_id.encode("utf-8", "surrogatepass")).hexdigest()
    return Address(f"@{digest[:_DIGITS]}@unknown.invalid")


def _channel_of(message: NormalizedMessage) -> str | None:
    """The channel on the platform, as the connector names it."""
    raw = message.raw
    if message.received_via != "connector" or not isinstance(raw, Mapping):
        return None
    return next((raw[name] for name in _CHANNELS if isinstance(raw.get(name), str)), None)


def _is_program(message: NormalizedMessage | HistoricalMessage) -> bool:
    """Whether no person wrote a message, as far as it says so.

    Slack and Discord name bots, ActivityPub types of actors, mail what was submitted by itself (RFC 3834). Over A2A
    agents speak, unless evidence of a connector says for whom.
    """
    sender = message.sender
    if isinstance(message, HistoricalMessage):
        return message.role == "assistant" or _is_bot(sender)
    raw = message.raw if isinstance(message.raw, Mapping) else {}
    match message.received_via:
        case "connector":
            return bool(raw.get("bot")) or _is_bot(sender)
        case "activitypub":
            actor = raw.get("actor")
            return isinstance(actor, Mapping) and actor.get("type") in _PROGRAMS
        case "email":
            headers = raw.get("headers")
            submitted = headers.get("auto-submitted") if isinstance(headers, Mapping) else None
            return submitted is not None and str(submitted).partition(";")[0].strip().lower() != "no"
        case "a2a":
            return not any(shown.assurance == "platform" for shown in sender.identities or ())
        case _:
            return False


def _is_bot(sender: Sender) -> bool:
    """Whether this is an account of a program, as the ids of Slack and the profiles of Discord tell."""
    match _platform_of(sender):
        case "slack":
            return _SLACK_BOT(Address(sender.address).local) is not None
        case "discord":  # of programs nothing is known but a name
            return sender.profile is None or sender.profile.provider_subject is None
        case _:
            return False
