"""Rows from before the contract: what an integration once wrote in front of the words, taken off for display.

Eight shapes were written, each in its time. A shape is taken off where it stands whole, once, with the one space that
its writer put behind it. Storage is never rewritten: what a model has seen, it has seen.

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
    "name",
]
"""What stood in front, from the oldest to the newest shape; `name` is BlueBubbles'."""

CONTRACT_SINCE: Final = datetime(2026, 4, 20, tzinfo=UTC)
"""The first day on which no integration wrote a prefix any more."""

_MOST_NAME: Final = 512
"""Characters of a name inside a prefix."""

_MOST_TRIES: Final = 64
"""Places where a summary may end that are looked at."""

_USER_ID: Final = "[UW](?=[A-Z]{0,31}[0-9])[A-Z0-9]{1,31}"
_SLACK_USER_ID: Final = re.compile(rf"\[Slack user_id: {_USER_ID}\](?: |\Z)").match
_SLACK_BOT: Final = re.compile(r"\[(?:Slack )?channel:[^\s\]]{1,64} bot:[^\s\]]{1,64}\](?: |\Z)").match
_SLACK_HEAD: Final = re.compile(r"\[Slack channel:[^\s\]]{1,64} user:").match
_SLACK_USER: Final = re.compile(rf"{_USER_ID}\](?: |\Z)").match
_SLACK_MENTION_END: Final = re.compile(rf" \(<@{_USER_ID}>\)\](?: |\Z)").match
_DISCORD_HEAD: Final = re.compile(r"\[Discord channel:[0-9]{1,20} user:").match
_NAME_END: Final = re.compile(r"\](?: |\Z)").match
_SPEAKER_END: Final = re.compile(r"\]:(?: |\Z)").match
_BEHIND_THREAD: Final = "\n\n[Slack channel:"


class Stripped(NamedTuple):
    """What a historic row says, and what stood in front of it: `prefix + text` is the row.

    Attributes:
        text: The words.
        shape: What stood in front; None when nothing did.
        thread_context: The prior messages that stood in front.
        prefix: All that was taken off, to the letter.
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
    """The words of a row that may be older than the contract.

    For display alone. A row of `cutoff` or later is as it is, whatever it says. Of a row of unknown age the shapes that
    name a platform are taken off, and a bare `[Name]:`, which people type themselves, is not.

    Args:
        content: What was stored.
        source: The integration: `slack`, `discord`, `bluebubbles`. Rows of any other are as they are.
        sender_name: What the sender is called, so that a name with brackets in it is taken off whole.
        created_at: When the row was stored, aware.
        cutoff: Since when your integrations write no prefixes.

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
    found = None if read is None else read(content, sender_name or "")
    if found is None:
        return Stripped(content)
    return Stripped(content[found.end :], found.shape, found.context, content[: found.end])


class _Found(NamedTuple):
    """A shape, where the words behind it begin, and the prior messages in it."""

    shape: Shape
    end: int
    context: str | None = None


def _of_slack(content: str, name: str) -> _Found | None:
    if content.startswith(THREAD_HEADING):
        return _behind_thread(content, name)
    if found := _SLACK_USER_ID(content):
        return _Found("slack-user-id", found.end())
    if found := _SLACK_BOT(content):
        return _Found("slack-bot", found.end())
    return _speaker_of_slack(content, 0, name)


def _speaker_of_slack(content: str, at: int, name: str) -> _Found | None:
    """What `[Slack channel:C… user:…]` at a place is: a name with a token, an id, or a name."""
    head = _SLACK_HEAD(content, at)
    if head is None:
        return None
    start = head.end()
    if end := _end_behind(content, start, name, _SLACK_MENTION_END):
        return _Found("slack-mention", end)
    if end := _end_behind(content, start, name, _NAME_END):
        return _Found("slack-name", end)
    if found := _SLACK_USER(content, start):
        return _Found("slack-user", found.end())
    mention, named = (
        _first_end(content, start, " (<@", _SLACK_MENTION_END),
        _first_end(content, start, "]", _NAME_END),
    )
    is_quoted = named is not None and mention is not None and "[Slack channel:" in content[named:mention]
    if mention and not is_quoted:  # of a row that somebody else's prefix is quoted in
        return _Found("slack-mention", mention)
    return _Found("slack-name", named) if named else None


def _behind_thread(content: str, name: str) -> _Found | None:
    """A summary of a thread, a blank line, and a name with a token: the first place where that stands whole.

    Where the sender is named, that is the name looked for first: people in the thread may write such lines of others.
    """
    at, first = 0, None
    for _ in range(_MOST_TRIES):
        at = content.find(_BEHIND_THREAD, at + 1)
        if at < 0:
            break
        head = _SLACK_HEAD(content, at + 2)
        if head is not None and (end := _end_behind(content, head.end(), name, _SLACK_MENTION_END)):
            return _Found("slack-thread", end, content[:at])
        found = None if first is not None else _speaker_of_slack(content, at + 2, "")
        if found is not None and found.shape == "slack-mention":
            first = _Found("slack-thread", found.end, content[:at])
    return first


def _of_discord(content: str, name: str) -> _Found | None:
    head = _DISCORD_HEAD(content)
    if head is None:
        return None
    start = head.end()
    end = _end_behind(content, start, name, _NAME_END) or _first_end(content, start, "]", _NAME_END)
    return _Found("discord-name", end) if end else None


def _of_bluebubbles(content: str, name: str) -> _Found | None:
    end = _end_behind(content, 1, name, _SPEAKER_END) or _first_end(content, 1, "]", _SPEAKER_END)
    return _Found("name", end) if end else None


def _end_behind(content: str, start: int, name: str, end: _Match) -> int | None:
    """Where a prefix ends in which exactly this name stands."""
    if not name or not content.startswith(name, start):
        return None
    found = end(content, start + len(name))
    return None if found is None else found.end()


def _first_end(content: str, start: int, sign: str, end: _Match) -> int | None:
    """Where a prefix ends whose name is not known: at the first end on its line, behind at least one character."""
    limit = start + _MOST_NAME
    line = content.find("\n", start, limit)
    limit = limit if line < 0 else line
    at = content.find(sign, start + 1, limit)
    while at >= 0:
        found = end(content, at)
        if found is not None:
            return found.end()
        at = content.find(sign, at + 1, limit)
    return None


_READERS: Final[Mapping[str, Callable[[str, str], _Found | None]]] = {
    "slack": _of_slack,
    "discord": _of_discord,
    "bluebubbles": _of_bluebubbles,
}
