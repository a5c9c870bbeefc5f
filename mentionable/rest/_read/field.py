"""The fields of a form as values, and what their names mean.

Spec: REST transport (request); RFC 7578 §4; decisions A8.
"""

from __future__ import annotations

from typing import Final, cast

from attrs import field, frozen

from ..._errors.exceptions import UsageError
from ..._wire.strict_json import well_formed

USER: Final = "user"
ASSISTANT: Final = "assistant"
SESSION: Final = "session"
MESSAGE_ID: Final = "message_id"
PARTS: Final = "parts"
HISTORY: Final = "history"
CAPABILITIES: Final = "recipient_capabilities"
EVIDENCE: Final = "identity_evidence"
RESOLUTION: Final = "policy_resolution"

ROLES: Final = frozenset({USER, ASSISTANT})
"""The fields that are turns of the conversation."""

SIDECARS: Final = frozenset({SESSION, MESSAGE_ID, PARTS, HISTORY, CAPABILITIES, EVIDENCE, RESOLUTION})
"""The fields alongside the turns. Each may be there once, anywhere."""


def _text(text: object) -> object:
    return well_formed(text) if isinstance(text, str) else text


@frozen
class Field:
    """One part of a form, as a web framework hands it over.

    Attributes:
        name: Its name.
        value: Its content: text that was decoded already, or bytes as they came.
        content_type: Its `Content-Type`, where it has one.
        filename: Its file name, where it has one: then it is a file.

    Raises:
        UsageError: A member is of the wrong kind.

    Example:
        >>> Field("user", "Hello!").name
        'user'
    """

    name: str = field(converter=_text)
    value: str | bytes = field(repr=False)
    content_type: str | None = field(default=None, converter=_text)
    filename: str | None = field(default=None, converter=_text)

    def __attrs_post_init__(self) -> None:
        name, content = cast("tuple[object, object]", (self.name, self.value))
        if not isinstance(name, str) or not isinstance(content, (str, bytes)):
            raise UsageError("Field.name is text, Field.value text or bytes")
        for member in (self.content_type, self.filename):
            if not (member is None or isinstance(member, str)):
                raise UsageError("Field.content_type and Field.filename are text or None")


def data_of(one: Field) -> bytes:
    """The value of a field as bytes. Lone surrogates stay what they are, so that no reader takes them."""
    return one.value if isinstance(one.value, bytes) else one.value.encode("utf-8", "surrogatepass")
