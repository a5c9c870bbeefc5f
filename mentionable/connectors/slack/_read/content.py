"""What people see of a message: its texts, those of others that it shows, and its files.

The message that is received, and each turn of its history, are read by the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart
from ...._wire.strict_json import is_text
from ..._members import items_of, object_of
from ..._remote_file import RemoteFile
from .attachments import attachment_texts
from .file_texts import file_texts
from .files import read_file
from .texts import MessageText, body_texts


class MessageContent(NamedTuple):
    """What people see of a message.

    Attributes:
        texts: Its texts: what the sender wrote, then what is visible of others and of files.
        files: Its files: those that Slack holds, links to those that it does not hold, and why there is neither.
        diagnostics: What of its texts was not read, and what is too much.
    """

    texts: tuple[MessageText, ...] = ()
    files: tuple[RemoteFile | LinkPart | Diagnostic, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def _is_whole(text: MessageText) -> bool:
    """Whether a text says something, and nothing of it is missing."""
    return not text.diagnostics and bool(text.content.strip())


def read_content(message: Mapping[str, Any], at: str, *, is_program: bool, limits: Limits) -> MessageContent:
    """The content of a message. It has no more parts than the limit; a diagnostic says how many are left out.

    Args:
        message: Its `text`, `blocks`, `attachments` and `files`, as Slack sends them.
        at: Its JSON pointer.
        is_program: Whether a program wrote it.
        limits: `parts` bounds the parts.
    """
    text = message.get("text")
    body = text if isinstance(text, str) and is_text(text) else ""
    bodies = body_texts(body, items_of(message.get("blocks")), f"{at}/blocks")
    attachments, files = items_of(message.get("attachments")), items_of(message.get("files"))
    if not attachments and not files and limits.parts > 1 and all(map(_is_whole, bodies)):
        return MessageContent(bodies)
    texts = [*bodies]
    readable: list[RemoteFile | LinkPart | Diagnostic] = []
    for index, attachment in enumerate(attachments[: limits.parts]):
        texts += attachment_texts(object_of(attachment), f"{at}/attachments/{index}", is_program=is_program)
    for index, file in enumerate(map(object_of, files[: limits.parts])):
        texts += file_texts(file, f"{at}/files/{index}")
        one = read_file(file, f"{at}/files/{index}")
        if one is not None:
            readable.append(one)
    diagnostics = [diagnostic for text in texts for diagnostic in text.diagnostics]
    visible = [text for text in texts if text.content.strip()]
    over = max(0, len(attachments) - limits.parts) + max(0, len(files) - limits.parts)
    over += max(0, len(visible) - limits.parts)
    left = max(0, limits.parts - len(visible))
    parts = [one for one in readable if not isinstance(one, Diagnostic)]
    if len(parts) > left:
        over += len(parts) - left
        readable = [*parts[:left], *[one for one in readable if isinstance(one, Diagnostic)]]
    if over:
        detail = f"{over} parts over {limits.parts} are left out"
        diagnostics.append(Diagnostic(code="too-many-parts", at=at, detail=detail))
    return MessageContent(tuple(visible[: limits.parts]), tuple(readable), tuple(diagnostics))
