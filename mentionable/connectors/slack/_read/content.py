"""What people see of a message: its texts, those of others that it shows, and its files.

The message that is received, and each turn of its history, are read by the same function.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart
from ...._wire.strict_json import is_text
from ..._cap_parts import cap_parts
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
        files: Its files: those that Slack holds, and links to those that it does not hold.
        diagnostics: What of its texts was not read, and what is too much.
        no_files: Why there are no files where the message names some.
    """

    texts: tuple[MessageText, ...] = ()
    files: tuple[RemoteFile | LinkPart, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    no_files: tuple[Diagnostic, ...] = ()


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
    readable: list[RemoteFile | LinkPart] = []
    no_files: list[Diagnostic] = []
    for index, attachment in enumerate(attachments[: limits.parts]):
        texts += attachment_texts(object_of(attachment), f"{at}/attachments/{index}", is_program=is_program)
    for index, file in enumerate(map(object_of, files[: limits.parts])):
        texts += file_texts(file, f"{at}/files/{index}")
        one = read_file(file, f"{at}/files/{index}")
        if isinstance(one, Diagnostic):
            no_files.append(one)
        elif one is not None:
            readable.append(one)
    diagnostics = chain.from_iterable(text.diagnostics for text in texts)
    unread = len(attachments[limits.parts :]) + len(files[limits.parts :])
    visible = [text for text in texts if text.content.strip()]
    within, files_within, left_out = cap_parts(visible, readable, limits=limits, at=at, unread=unread)
    return MessageContent(within, files_within, (*diagnostics, *left_out), tuple(no_files))
