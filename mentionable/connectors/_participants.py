"""The people who took part in a conversation: an answer that copies the token of one of them mentions them.

A token that is copied mentions no channel, no role, and no person who was not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from .._flow.settings import Settings
from .._model.message import NormalizedMessage
from .._model.parts import Part, TextPart
from .._model.sender import Sender
from .._text.headers import is_of_others
from .._text.native_text import MENTIONS
from .._wire.strict_json import dig

if TYPE_CHECKING:
    from typing import TypeAlias

    _IsUser: TypeAlias = Callable[[str], re.Match[str] | None]

MAX_PARTICIPANTS: Final = 100
"""How many people an answer may mention by copied tokens: the newest of a conversation."""

_USERS: Final[Mapping[str, _IsUser]] = {
    "slack": re.compile(r"[UW][A-Z0-9]{1,31}", re.ASCII).fullmatch,
    "discord": re.compile(r"[1-9][0-9]{0,19}", re.ASCII).fullmatch,
}
_TOKEN: Final = re.compile(r"<@!?([A-Z0-9]{1,32})>", re.ASCII).fullmatch


def participants_of(message: NormalizedMessage) -> frozenset[str]:
    """The ids of the people who took part in the conversation of a message, as its platform names them.

    They are the sender, the people that the message mentions, and both of the earlier messages, newest first, up to
    `MAX_PARTICIPANTS`. What the message shows of others and what the agent wrote itself names no one. A message of a
    program has no participants: two programs that copy tokens would mention each other without end.

    Args:
        message: A message that a connector received.
    """
    platform = message.thread_id.partition(":")[0]
    is_user = _USERS.get(platform)
    people: dict[str, None] = {}
    if is_user is None or dig(message.raw, "bot") or _user_of(message.sender, platform) is None:
        return frozenset()
    for user in _users(message, platform):
        if is_user(user):
            people[user] = None
        if len(people) == MAX_PARTICIPANTS:
            break
    return frozenset(people)


def copied_mentions(message: NormalizedMessage, settings: Settings, *, agents: Iterable[str]) -> frozenset[str]:
    """The ids of the people that an answer mentions when it copies their tokens; none where a setting turns it off.

    Args:
        message: The message that is answered.
        settings: The settings of the answer.
        agents: The users of other agents. They are brought in by their addresses alone.
    """
    return participants_of(message).difference(agents) if settings.mention_participants else frozenset()


def _users(message: NormalizedMessage, platform: str) -> Iterator[str]:
    """What may be an id of a user: of the message first, then of the earlier ones, newest first."""
    yield from _users_in(message.sender, message.parts, platform)
    for turn in reversed(message.history or ()):
        if turn.role == "user":
            yield from _users_in(turn.sender, turn.parts, platform)


def _users_in(sender: Sender, parts: Iterable[Part], platform: str) -> Iterator[str]:
    """The writer of one message, and those that it mentions."""
    own = _user_of(sender, platform)
    if own is not None:
        yield own
    for part in parts:
        tokens = part.extra.get(MENTIONS) if isinstance(part, TextPart) and not is_of_others(part) else None
        if isinstance(tokens, Mapping):
            for token in tokens:
                match = _TOKEN(token.replace("\\", ""))  # escaped where Markdown would swallow it
                if match is not None:
                    yield match[1]


def _user_of(sender: Sender, platform: str) -> str | None:
    """The id of the account of a person; None for a program, and for a sender of another platform."""
    user, _, domain = sender.address[1:].partition("@")
    is_named = platform != "discord" or (sender.profile is not None and sender.profile.provider_subject is not None)
    return user if domain.endswith(f".{platform}.invalid") and is_named else None
