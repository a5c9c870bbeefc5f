"""Text parts of what Discord shows, and who wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ...._model.base import replace
from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part, TextPart
from ...._text.native_text import MENTIONS, NATIVE_TEXT
from ...._text.plain_text import clean
from ..._members import object_of
from ..._writer import Writer, extra_of, writer
from .._ids import snowflake
from .names import NO_NAMES, Names, mentions_in
from .people import is_program, name_of


class View(NamedTuple):
    """The message that is read: what its readers share.

    Attributes:
        message: The object of Discord.
        names: The names of the ids that it mentions.
        by: Who wrote it, where the sender only shows it.
        at: Its JSON pointer.
    """

    message: Mapping[str, Any]
    names: Names = NO_NAMES
    by: Writer = None
    at: str = ""


NO_VIEW: Final = View({})
BY_DISCORD: Final = writer("Discord")
"""The writer of what Discord itself wrote."""


class Reading(NamedTuple):
    """What a reader makes of a message: parts, and what was left out."""

    parts: tuple[Part, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def text_part(text: str, view: View, *, by: Writer = None) -> TextPart:
    """A text part of Markdown, with the names of its mentions and its writer.

    Args:
        text: The text with Discord's tokens.
        view: The message that it is of.
        by: Who wrote it, where that is somebody else than the writer of the message.
    """
    content, extra = clean(text), dict[str, Any]()
    mentions = mentions_in(content, view.names)
    if mentions:
        extra[MENTIONS] = mentions
    if by is not None or view.by is not None:
        extra |= extra_of(view.by if by is None else by)
    return TextPart(content=content, mime="text/markdown", extra=extra) if extra else markdown(content)


def typed_part(text: str, view: View, *, has_more: bool = False) -> TextPart:
    """The text part of what somebody typed, byte for byte in `native_text` where the parts alone would not say it.

    Args:
        text: The text as it came.
        view: The message that it is of.
        has_more: Whether the message has other text of the same writer, which they did not type.
    """
    part = text_part(text, view)
    if view.by is None and (has_more or part.content != text):
        return replace(part, extra={**part.extra, NATIVE_TEXT: text})
    return part


def markdown(text: str) -> TextPart:
    """A text part of Markdown."""
    return TextPart(content=text, mime="text/markdown")


def writer_of(user: object, member: object = None, *, webhook: object = None) -> dict[str, str]:
    """The name and the mention token of a user, as far as they are known. Programs have no token."""
    facts = object_of(user)
    name, own = name_of(facts, object_of(member)), snowflake(facts.get("id"))
    has_token = own is not None and not is_program(facts, webhook)
    return writer(name, f"<@{own}>" if has_token else None)
