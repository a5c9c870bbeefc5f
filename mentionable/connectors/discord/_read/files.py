"""The files of a message, and what people read about them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._model.base import EMPTY_DICT, replace
from ...._model.diagnostic import Diagnostic
from ...._wire.strict_json import pointer
from ..._members import line_of, objects_of
from ..._remote_file import RemoteFile
from ..._writer import extra_of
from .._ids import snowflake
from .._markdown import escape_name
from .._plain import escape_plain
from .parts import View

_MAX_SECONDS: Final = 10**9


def files_of(view: View) -> list[RemoteFile]:
    """The files of a message. Their URLs are credentials, and never read here."""
    extra = extra_of(view.by)
    return [
        file_of(attachment["id"], attachment, pointer=f"{view.at}{pointer('attachments', index)}", extra=extra)
        for index, attachment in enumerate(objects_of(view.message.get("attachments")))
        if snowflake(attachment.get("id"))
    ]


def unnamed_files(view: View) -> list[Diagnostic]:
    """A diagnostic for each file that has no id, by which alone it could be fetched."""
    unnamed = []
    for index, attachment in enumerate(objects_of(view.message.get("attachments"))):
        if snowflake(attachment.get("id")) is None:
            detail = f"a file without an id: {line_of(attachment.get('filename'))[:80]}".rstrip(": ")
            at = f"{view.at}{pointer('attachments', index)}"
            unnamed.append(Diagnostic(code="part-unsupported", at=at, detail=detail))
    return unnamed


def file_of(
    id: str, attachment: Mapping[str, Any], *, pointer: str, extra: Mapping[str, Any] = EMPTY_DICT
) -> RemoteFile:
    """The file of an attachment."""
    name, mime, size = attachment.get("filename"), attachment.get("content_type"), attachment.get("size")
    file = RemoteFile.parse(id, pointer, name=name, mime=mime, size=size)
    return replace(file, extra=extra) if extra else file


def descriptions_of(message: Mapping[str, Any]) -> str:
    """A line for each file that has a title, a description (the alternative text), or a length in seconds."""
    return "\n".join(filter(None, map(_description, objects_of(message.get("attachments")))))


def _description(attachment: Mapping[str, Any]) -> str:
    title, description = attachment.get("title"), attachment.get("description")
    texts = [escape_plain(text.strip()) for text in (title, description) if isinstance(text, str) and text.strip()]
    seconds = attachment.get("duration_secs")
    if seconds.__class__ in (int, float) and 0 <= seconds < _MAX_SECONDS:
        texts.insert(0, f"{seconds:.0f} seconds")
    return f"[file: {escape_name(line_of(attachment.get('filename'))) or 'file'}] {', '.join(texts)}" if texts else ""
