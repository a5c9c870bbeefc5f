"""Removes the prefixes of rows from before the contract, for display.

Integrations wrote nine shapes of prefixes over time. A complete prefix is removed once, with the one space after it.
Storage is never rewritten: a model has already read it.

Spec: Message Ingest Contract §Historic rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from .._errors.exceptions import UsageError
from .._flow.settings import check_now
from ._compose import THREAD_HEADING

if TYPE_CHECKING:
    _Match: TypeAlias = Callable[[str, int], re.Match[str] | None]

Shape: TypeAlias = Literal[
    "slack-user-id",
    "slack-user",
    "slack-name",
    "slack-mention",
    "slack-thread",
    "slack-bot",
    "discord-name",
    "discord-bot",
    "name",
]
"""The shapes of prefixes, oldest first; `name` is that of BlueBubbles."""

CONTRACT_SINCE: Final = datetime(2026, 4, 20, tzinfo=UTC)
"""The first day on which no integration wrote prefixes."""

_MAX_NAME: Final = 512
"""Characters of a name in a prefix."""

_MAX_TRIES: Final = 64
"""Possible ends of a summary that are tried."""

_USER_ID: Final = "[UW](?=[A-Z]{0,31}[0-9])[A-Z0-9]{1,31}"
_SLACK_USER_ID: Final = re.compile(rf"\[Slack user_id: {_USER_ID}\](?: |\Z)").match
_SLACK_BOT: Final = re.compile(r"\[(?:Slack )?channel:[^\s\]]{1,64} bot:[^\s\]]{1,64}\](?: |\Z)").match
_SLACK_HEAD: Final = re.compile(r"\[Slack channel:[^\s\]]{1,64} user:").match
_SLACK_USER: Final = re.compile(rf"{_USER_ID}\](?: |\Z)").match
_SLACK_MENTION_END: Final = re.compile(rf" \(<@{_USER_ID}>\)\](?: |\Z)").match
_DISCORD_BOT: Final = re.compile(r"\[(?:Discord )?channel:[0-9]{1,20} bot:[^\s\]]{1,64}\](?: |\Z)").match
_DISCORD_HEAD: Final = re.compile(r"\[Discord channel:[0-9]{1,20} user:").match
_NAME_END: Final = re.compile(r"\](?: |\Z)").match
_SPEAKER_END: Final = re.compile(r"\]:(?: |\Z)").match
_SPEAKER_OR_TOKEN_END: Final = re.compile(r"(?: \([^\s\[\]]{1,256}\))?\]:(?= |\Z)").match
_COLON: Final = re.compile(r":(?= |\Z)").match
_BEHIND_THREAD: Final = "\n\n[Slack channel:"


class Stripped(NamedTuple):
    """The text of a historic row, and its prefix: `prefix + text` is the row.

    Attributes:
        text: The text.
        shape: The shape of the prefix; None without a prefix.
        thread_context: The prior messages in the prefix.
        prefix: The whole prefix.
    """

    text: str
    shape: Shape | None = None
    thread_context: str | None = None
    prefix: str = ""


def strip_legacy(
    content: str,
    source: str,
    *,
    sender_name: str | None = None,
    created_at: datetime | None = None,
    cutoff: datetime = CONTRACT_SINCE,
) -> Stripped:
    """Remove the prefix of a row that may be older than the contract, for display.

    A row of `cutoff` or later is unchanged. In a row of unknown age, prefixes that name a platform are removed, but not
    a bare `[Name]:`, which people type themselves.

    Args:
        content: The stored text.
        source: The integration: `slack`, `discord`, `bluebubbles`. Rows of any other are unchanged.
        sender_name: The name of the sender, so that a name with brackets is removed completely.
        created_at: When the row was stored, aware.
        cutoff: The time from which on your integrations write no prefixes.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: Message Ingest Contract §Historic rows.

    Example:
        >>> row = "[Slack channel:C06RY3YBSLE user:Olivia (<@U06STGBF4Q0>)] testing from slack"
        >>> strip_legacy(row, "slack").text
        'testing from slack'
        >>> strip_legacy("[1]: see the footnote", "bluebubbles").text
        '[1]: see the footnote'
    """
    texts: tuple[object, ...] = (content, source, "" if sender_name is None else sender_name)
    if not all(isinstance(text, str) for text in texts):
        raise UsageError("strip_legacy(content, source, sender_name=...) takes texts")
    check_now(cutoff, "cutoff")
    if created_at is not None:
        check_now(created_at, "created_at")
        if created_at >= cutoff:
            return Stripped(content)
    if content[:1] != "[" or (source == "bluebubbles" and created_at is None):
        return Stripped(content)
    read = _READERS.get(source)
    prefix = None if read is None else read(content, sender_name or "")
    if prefix is None:
        return Stripped(content)
    return Stripped(content[prefix.end :], prefix.shape, prefix.context, content[: prefix.end])


class _Prefix(NamedTuple):
    """A prefix: its shape, its end, and the prior messages in it."""

    shape: Shape
    end: int
    context: str | None = None


def _of_slack(content: str, name: str) -> _Prefix | None:
    if content.startswith(THREAD_HEADING):
        return _behind_thread(content, name)
    if match := _SLACK_USER_ID(content):
        return _Prefix("slack-user-id", match.end())
    if match := _SLACK_BOT(content):
        return _Prefix("slack-bot", match.end())
    return _speaker_of_slack(content, 0, name)


def _speaker_of_slack(content: str, at: int, name: str) -> _Prefix | None:
    """Read the prefix `[Slack channel:C… user:…]` at an offset: a name with a token, an id, or a name."""
    head = _SLACK_HEAD(content, at)
    if head is None:
        return None
    start = head.end()
    if end := _end_behind(content, start, name, _SLACK_MENTION_END):
        return _Prefix("slack-mention", end)
    if end := _end_behind(content, start, name, _NAME_END):
        return _Prefix("slack-name", end)
    if match := _SLACK_USER(content, start):
        return _Prefix("slack-user", match.end())
    mention_end, name_end = (
        _first_end(content, start, " (<@", _SLACK_MENTION_END),
        _first_end(content, start, "]", _NAME_END),
    )
    is_quoted = name_end is not None and mention_end is not None and "[Slack channel:" in content[name_end:mention_end]
    if mention_end and not is_quoted:  # else the text of this row quotes another prefix
        return _Prefix("slack-mention", mention_end)
    return _Prefix("slack-name", name_end) if name_end else None


def _behind_thread(content: str, name: str) -> _Prefix | None:
    """Read a summary of a thread, a blank line, and a name with a token, at the first place that has them all.

    The name of the sender, where known, comes first: people in the thread may write such lines about others.
    """
    at, first = 0, None
    for _ in range(_MAX_TRIES):
        at = content.find(_BEHIND_THREAD, at + 1)
        if at < 0:
            break
        head = _SLACK_HEAD(content, at + 2)
        if head is not None and (end := _end_behind(content, head.end(), name, _SLACK_MENTION_END)):
            return _Prefix("slack-thread", end, content[:at])
        prefix = None if first is not None else _speaker_of_slack(content, at + 2, "")
        if prefix is not None and prefix.shape == "slack-mention":
            first = _Prefix("slack-thread", prefix.end, content[:at])
    return first


def _of_discord(content: str, name: str) -> _Prefix | None:
    if match := _DISCORD_BOT(content):
        return _Prefix("discord-bot", match.end())
    head = _DISCORD_HEAD(content)
    if head is None:
        return None
    start = head.end()
    end = _end_behind(content, start, name, _NAME_END) or _first_end(content, start, "]", _NAME_END)
    return _Prefix("discord-name", end) if end else None


def _of_bluebubbles(content: str, name: str) -> _Prefix | None:
    end = _end_behind(content, 1, name, _SPEAKER_END) or _first_end(content, 1, "]", _SPEAKER_END)
    return _Prefix("name", end) if end else None


def baked_prefix(content: str, name: str) -> str | None:
    """What integrations of today must not write before a text: the prefix that it begins with; None without one.

    Args:
        content: The text of a row.
        name: The name of its sender.
    """
    prefix = _of_slack(content, name) or _of_discord(content, name)
    if prefix is not None:
        return content[: prefix.end]
    speaker = _end_behind(content, 1, name, _SPEAKER_OR_TOKEN_END) if content[:1] == "[" else None
    end = speaker or _end_behind(content, 0, name, _COLON)
    return None if end is None else content[:end]


def _end_behind(content: str, start: int, name: str, end: _Match) -> int | None:
    """The end of a prefix that contains exactly this name."""
    if not name or not content.startswith(name, start):
        return None
    match = end(content, start + len(name))
    return None if match is None else match.end()


def _first_end(content: str, start: int, sign: str, end: _Match) -> int | None:
    """The end of a prefix whose name is unknown: the first one on its line, after at least one character."""
    limit = start + _MAX_NAME
    line = content.find("\n", start, limit)
    limit = limit if line < 0 else line
    at = content.find(sign, start + 1, limit)
    while at >= 0:
        match = end(content, at)
        if match is not None:
            return match.end()
        at = content.find(sign, at + 1, limit)
    return None


_READERS: Final[Mapping[str, Callable[[str, str], _Prefix | None]]] = {
    "slack": _of_slack,
    "discord": _of_discord,
    "bluebubbles": _of_bluebubbles,
}
