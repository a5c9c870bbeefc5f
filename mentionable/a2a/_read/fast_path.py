"""A short way past the general reader for the parts that nearly all messages are made of.

These are text, a file behind a URL, and the start of a tool call, with the members that such a part usually has and no
others. As many members as were looked at prove that there are no others: no second content, no metadata, nothing
unknown. Whatever differs in anything is left to the general reader, which reads the usual forms to the same result.

Spec: Normalized Message §5.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..._model.base import UNSET, trusted
from ..._model.parts import FilePart, Part, TextPart, ToolCallPart, UrlRef
from ..._text.media import OCTET_STREAM, file_name, media_type
from ..._text.plain_text import clean
from ..._wire.http import is_web_url

_text: Final[Callable[..., TextPart]] = trusted(TextPart, "content", "mime")
_file: Final[Callable[..., FilePart]] = trusted(FilePart, "mime", "bytes_ref", "name")
_url: Final[Callable[..., UrlRef]] = trusted(UrlRef, "url")
_call: Final[Callable[..., ToolCallPart]] = trusted(ToolCallPart, "id", "name", "args", "result")


def read_usual(parts: list[Any], start: int, into: list[Part], places: dict[str, int]) -> int:
    """Adds the parts from number `start` on to `into` while they are usual; the number of the first that is not.

    Args:
        parts: The array as it came.
        start: With which of them to begin.
        into: Where to add.
        places: Where in `into` each tool call stands.
    """
    for index in range(start, len(parts)):
        part = parts[index]
        if part.__class__ is not dict:
            return index
        members = len(part)
        content = part.get("text")
        if content.__class__ is str:
            if members > 1 and not (members == 2 and part.get("kind") == "text"):
                return index
            into.append(_text(clean(content) if "\r" in content or "\0" in content else content, "text/plain"))
            continue
        data = part.get("data")
        if data.__class__ is dict:
            if members > 1 and not (
                members == 2 and (part.get("mediaType").__class__ is str or part.get("kind") == "data")
            ):
                return index
            if not _add_start(data, into, places):
                return index
            continue
        if members == 3:
            file = _linked(part.get("url"), part.get("filename"), part.get("mediaType"))
        else:
            file = _linked_of_file(part.get("file")) if members == 2 and part.get("kind") == "file" else None
        if file is None:
            return index
        into.append(file)
    return len(parts)


def _linked_of_file(file: Any) -> FilePart | None:
    """The file behind a URL that the `file` member of a v0.3 part describes, if it does nothing else."""
    if file.__class__ is not dict or len(file) != 3:
        return None
    return _linked(file.get("uri"), file.get("name"), file.get("mimeType"))


def _linked(url: Any, name: Any, mime: Any) -> FilePart | None:
    """A file behind a URL that can be passed on, all three being text."""
    if url.__class__ is str and name.__class__ is str and mime.__class__ is str and is_web_url(url):
        return _file(media_type(mime) or OCTET_STREAM, _url(url), file_name(name))
    return None


def _add_start(data: dict[str, Any], into: list[Part], places: dict[str, int]) -> bool:
    """Adds the call of an event that says which tool is called with what and nothing else, if `data` is one."""
    call_id, name, args = data.get("toolCallId"), data.get("toolName"), data.get("input", UNSET)
    if len(data) != 3 or args is UNSET or not call_id or not name:
        return False
    if call_id.__class__ is not str or name.__class__ is not str or call_id in places:
        return False
    places[call_id] = len(into)
    into.append(_call(call_id, name, args, UNSET))
    return True
