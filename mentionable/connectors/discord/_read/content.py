"""The content of a message of Discord: what people see of it, as parts, each of one writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._model.parts import Part, TextPart
from ...._text.headers import is_of_others
from ...._wire.strict_json import pointer
from ..._cap_parts import cap_parts
from ..._members import object_of, objects_of
from ..._remote_file import RemoteFile
from ..._writer import Writer, writer
from .components import read_components
from .embeds import read_embeds
from .files import descriptions_of, files_of, unnamed_files
from .more import read_activity, read_poll, read_stickers, read_thread, read_used_command
from .names import names_of
from .parts import Reading, View, text_part, typed_part
from .times import times_in

_READERS: Final[dict[str, Callable[[View], Reading]]] = {
    "interaction_metadata": read_used_command,
    "components": read_components,
    "embeds": read_embeds,
    "sticker_items": read_stickers,
    "stickers": read_stickers,
    "poll": read_poll,
    "activity": read_activity,
    "call": read_activity,
    "thread": read_thread,
}
"""Members of a message that show more than its text → their readers, in the order in which people see them."""

FORWARD: Final = 1
"""The type of a reference to a message that is forwarded, and not answered."""

FORWARDED: Final = writer(None)
"""The writer of what was forwarded: Discord does not name them."""


class MessageContent(NamedTuple):
    """The content of a message.

    Attributes:
        parts: Its parts without the files.
        files: Its files, which Discord holds.
        diagnostics: What was left out.
    """

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_content(message: Mapping[str, Any], *, limits: Limits, by: Writer = None, at: str = "") -> MessageContent:
    """The text, the forwarded messages, the files, and everything else that people see of a message object.

    The text is what its author typed: Discord's tokens stay in it, and `extra` of the part has the names. What somebody
    else wrote is in parts of its own, with `written_by` in `extra`. What is more than `limits.parts` is left out, with
    a diagnostic.

    Args:
        message: The message object.
        limits: How many parts there may be.
        by: Who wrote it, where another message shows it.
        at: The JSON pointer of the message.

    Raises:
        WireError: `wrong-type`: the content is no text, and there is nothing else.
            Never where another message shows it.
    """
    content = _read(View(message, names_of(message), by, at))
    visible = (*content.parts, *times_in(content.parts))
    parts, files, left_out = cap_parts(visible, content.files, limits=limits, at=at)
    content = MessageContent(parts, files, (*content.diagnostics, *left_out))
    if isinstance(message.get("content"), (str, type(None))):
        return content
    if by is None and not content.parts and not content.files:
        raise wire_error("wrong-type", f"{at}/content", "expected text")
    odd = Diagnostic(code="wrong-type", at=f"{at}/content", detail="expected text")
    return content._replace(diagnostics=(*content.diagnostics, odd))


def _read(view: View, *, is_forwarded: bool = False) -> MessageContent:
    """The content of a message, however many parts it has."""
    message, content = view.message, view.message.get("content")
    has_more = any(message.get(name) for name in _SHOWING_MORE)
    more = _read_more(view, is_forwarded=is_forwarded) if has_more else _NOTHING
    if not isinstance(content, str) or not content.strip():
        return more
    text = typed_part(content, view, has_more=has_more and any(map(_is_own_text, more.parts)))
    return MessageContent((text, *more.parts), more.files, more.diagnostics)


_SHOWING_MORE: Final = (*_READERS, "attachments", "message_snapshots", "message_reference")
_NOTHING: Final = MessageContent((), (), ())


def _read_more(view: View, *, is_forwarded: bool) -> MessageContent:
    """What a message has next to its text."""
    parts: list[Part] = []
    diagnostics: list[Diagnostic] = []
    files = files_of(view)
    diagnostics += unnamed_files(view)
    descriptions = descriptions_of(view.message)
    if descriptions:
        parts.append(text_part(descriptions, view))
    for index, snapshot in enumerate(objects_of(view.message.get("message_snapshots"))):
        at = f"{view.at}{pointer('message_snapshots', index, 'message')}"
        if is_forwarded:  # Discord never sends that
            diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail="forwarded in a forwarded message"))
            continue
        message = object_of(snapshot.get("message"))
        forwarded = _read(View(message, names_of(message), FORWARDED, at), is_forwarded=True)
        parts += forwarded.parts
        files += forwarded.files
        diagnostics += forwarded.diagnostics
    reference = object_of(view.message.get("message_reference"))
    if reference.get("type") == FORWARD and not view.message.get("message_snapshots"):
        at = f"{view.at}/message_reference"
        diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail="a forwarded message that was not sent"))
    for reader in dict.fromkeys([read for name, read in _READERS.items() if view.message.get(name)]):
        reading = reader(view)
        parts += reading.parts
        diagnostics += reading.diagnostics
    return MessageContent(tuple(parts), tuple(files), tuple(diagnostics))


def _is_own_text(part: Part) -> bool:
    return isinstance(part, TextPart) and not is_of_others(part)
