"""Events as they come in: from a plugin, or from a ledger that may be another's.

Spec: ANP §8.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from .._errors.exceptions import DecodeError, Problem, UsageError
from .._model.codec import decode_parsed, decode_parsed_trusted
from .._wire.ascii import ascii_lower
from .._wire.time import normal_time
from ._notification import Notification, Status, Submission
from ._routing import Address, Handler, Target

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "address": get_args(Address),
    "target": get_args(Target),
    "handler": get_args(Handler),
}
_TARGETS: Final[Mapping[str, str]] = {"human": "user"}
_ENDS: Final[Mapping[str, str]] = {"dead_letter": "failed", "dead-letter": "failed"}
_MAX_WORD: Final = 64


def read_submission(
    data: Mapping[str, Any], *, user_id: str | None = None, cause: Notification | None = None
) -> Submission:
    """An event from a plugin, in any spelling of its flags: `SESSION`, `Target.USER`, `human`.

    Args:
        data: The event as JSON. Unknown members are in `extra`.
        user_id: Whose it is, where the host knows and the plugin need not say.
        cause: The event that led to it, where the agent's own doing did: chains of such events end.

    Raises:
        DecodeError: The event is not one; `.problems` names each fault. Or it is another user's, or it says what only
            the host may say: its origin, its cause, its depth.
        UsageError: `data` is no mapping, or `user_id` no text.

    Spec: ANP §8.1.

    Example:
        >>> flags = {"address": "USER", "target": "Target.HUMAN", "handler": "SYSTEM"}
        >>> read_submission({"content": "Backup done.", "routing": flags}, user_id="olivia").routing.row.channel
        'A'
    """
    event = _spelled(data, user_id)
    claimed = [Problem(f"/{name}", "only the host says this") for name in _OF_THE_HOST if name in event]
    if claimed:
        raise DecodeError("malformed", claimed)
    if not isinstance(cause, (Notification, type(None))):
        raise UsageError("cause must be a Notification or None")
    if cause is not None:
        event |= {"causation_id": cause.id, "depth": cause.depth + 1}
    return decode_parsed(Submission, event)


def read_notification(data: Mapping[str, Any], *, user_id: str | None = None) -> Notification:
    """An event from a ledger, this library's or another's that keeps the members of the specification.

    What another ledger does not have is filled in: the flags as submitted are those that count, revision and version
    are 1, and the event last changed when it was created.

    Args:
        data: The event as JSON, as `encode` or another program wrote it.
        user_id: Whose it is, where the ledger does not say.

    Raises:
        DecodeError: The event is not one, or is another user's.
        UsageError: `data` is no mapping, or `user_id` no text.
    """
    event = _spelled(data, user_id)
    event.setdefault("requested", event.get("routing"))
    event.setdefault("changed_at", event.get("created_at"))
    for name, usual in _USUAL.items():
        event.setdefault(name, usual)
    return decode_parsed_trusted(Notification, event)


_USUAL: Final[Mapping[str, Any]] = {
    "owner_lease": 1, "revision": 1, "version": 1, "metadata": {}, "origin": "plugin", "depth": 0, "actions": [],
    "merged": [], "failures": 0,
}  # fmt: skip
"""What a ledger that does not keep these members means."""


_OF_THE_HOST: Final = ("origin", "causation_id", "depth")
_TIMES: Final = ("created_at", "changed_at", "ack_at", "delivery_deadline")


def _spelled(data: object, user_id: object) -> dict[str, Any]:
    """An event with its words as the specification spells them, its times in one form, and without nulls."""
    if not isinstance(data, Mapping) or not isinstance(user_id, (str, type(None))):
        raise UsageError("expected an event as a mapping, and user_id as a text or None")
    event = {name: member for name, member in data.items() if member is not None}
    if user_id is not None and event.setdefault("user_id", user_id) != user_id:
        raise DecodeError("malformed", [Problem("/user_id", "the event is another user's")])
    for name in ("routing", "requested"):
        flags = event.get(name)
        if isinstance(flags, Mapping):
            event[name] = {
                key: _word(item, _WORDS.get(key, ()), _TARGETS if key == "target" else {})
                for key, item in flags.items()
            }
    if "status" in event:
        event["status"] = _word(event["status"], get_args(Status), _ENDS)
    for name in _TIMES:
        if name in event:
            event[name] = normal_time(event[name]) or event[name]
    return event


def _word(value: Any, words: tuple[str, ...], synonyms: Mapping[str, str]) -> Any:
    """The word of the specification: written in any case, behind the name of an enumeration, or as a synonym."""
    if not isinstance(value, str) or len(value) > _MAX_WORD:
        return value
    bare = ascii_lower(value.strip().rpartition(".")[2])
    word = synonyms.get(bare, bare)
    return word if word in words else value
