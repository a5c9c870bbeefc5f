"""The parameters of an operation: members of an object by their names in camelCase or snake_case, checked and bounded.

Spec: A2A 1.0 §5.5, §5.7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ..._errors.exceptions import wire_error
from ..._flow.settings import Limits
from ..._model.base import taken_members
from ..._model.diagnostic import Diagnostic
from .._protocol import Json
from .message import read_id, read_own_id

_CAMEL: Final[Mapping[str, str]] = {
    "config_id": "configId",
    "context_id": "contextId",
    "history_length": "historyLength",
    "include_artifacts": "includeArtifacts",
    "next_page_token": "nextPageToken",
    "page_size": "pageSize",
    "page_token": "pageToken",
    "push_notification_config": "pushNotificationConfig",
    "push_notification_config_id": "pushNotificationConfigId",
    "status_timestamp_after": "statusTimestampAfter",
    "task_id": "taskId",
    "total_size": "totalSize",
}


class Parameters(NamedTuple):
    """The members of an object.

    Null is the absence of a member, and so is an empty text, which ProtoJSON does not distinguish.

    Attributes:
        members: The members under their camelCase names.
        at: JSON Pointer to the object.
        limits: The bounds.
    """

    members: Json
    at: str
    limits: Limits

    def has(self, name: str) -> bool:
        """Whether a member is there."""
        return self.members.get(name) is not None

    def pointer(self, name: str) -> str:
        """JSON Pointer to a member."""
        return f"{self.at}/{name}"

    def id(self, name: str) -> str | None:
        """An id, or other text that is only compared."""
        return read_id(self.members.get(name), self.pointer(name), self.limits)

    def own_id(self, name: str, what: str) -> str:
        """An id that must be there."""
        return read_own_id(self.members.get(name), self.pointer(name), what, self.limits)

    def integer(self, name: str, minimum: int, maximum: int) -> int | None:
        """An integer within bounds; some senders write `3` as `3.0`."""
        number = self.members.get(name)
        if number is None:
            return None
        if number.__class__ is float and number.is_integer():
            number = int(number)
        if number.__class__ is not int:
            raise wire_error("wrong-type", self.pointer(name), "must be an integer")
        if not minimum <= number <= maximum:
            raise wire_error("unknown-value", self.pointer(name), f"must be an integer from {minimum} to {maximum}")
        return number

    def boolean(self, name: str) -> bool:
        """True or false; false when it is absent."""
        value = self.members.get(name)
        if value is not None and value.__class__ is not bool:
            raise wire_error("wrong-type", self.pointer(name), "must be true or false")
        return value is True

    def text(self, name: str) -> str | None:
        """Text of any form."""
        value = self.members.get(name)
        if value is not None and value.__class__ is not str:
            raise wire_error("wrong-type", self.pointer(name), "must be a string")
        return value or None

    def object(self, name: str) -> Parameters:
        """An object; an empty one when it is absent."""
        value = self.members.get(name)
        return parameters_of({} if value is None else value, self.pointer(name), self.limits)

    def others(self, known: frozenset[str], cls: type) -> tuple[Json, list[Diagnostic]]:
        """The other members, for `extra` of a class; those that have a name of the class's own are left out."""
        others = {name: member for name, member in self.members.items() if name not in known}
        taken = others.keys() & taken_members(cls)
        detail = "a member of this name has another meaning here; it was left out"
        odd = [Diagnostic(code="member-dropped", at=self.pointer(name), detail=detail) for name in sorted(taken)]
        return {name: member for name, member in others.items() if name not in taken}, odd


def parameters_of(value: Any, at: str, limits: Limits) -> Parameters:
    """The members of an object.

    Raises:
        WireError: `wrong-type`; `malformed` when a member is there in both spellings.
    """
    if value.__class__ is not dict:
        raise wire_error("wrong-type", at, "must be an object")
    if _CAMEL.keys().isdisjoint(value):
        return Parameters(value, at, limits)
    respelled: Json = {}
    for name, member in value.items():
        proper = _CAMEL.get(name, name)
        if proper in respelled:
            raise wire_error("malformed", at, f"{proper} is there in both spellings")
        respelled[proper] = member
    return Parameters(respelled, at, limits)
