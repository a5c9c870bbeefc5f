"""The content of a message of BlueBubbles: what people see of it, as parts, each of one writer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.base import replace
from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart, Part, TextPart
from ...._text.native_text import NATIVE_TEXT
from ...._text.plain_text import clean
from ...._wire.http import is_web_url
from ...._wire.strict_json import pointer
from ..._cap_parts import cap_parts
from ..._members import id_form, items_of, line_of, object_of, objects_of
from ..._remote_file import RemoteFile
from ..._writer import extra_of, site_of, writer

_is_file: Final = id_form("[A-Za-z0-9_-]{1,64}")
_ATTACHMENT_PLACEHOLDER: Final = "\ufffc"
_MAX_FILES: Final = 64
_EFFECT: Final = re.compile(
    r"com\.apple\.(?:MobileSMS\.expressivesend\.([a-z]{1,20})|messages\.effect\.CK([A-Za-z]{1,20})Effect)", re.ASCII
).fullmatch
_OF_A_PREVIEW: Final = ("siteName", "title", "summary")
_OF_AN_APP: Final = (
    "image-title",
    "image-subtitle",
    "caption",
    "subcaption",
    "secondary-subcaption",
    "tertiary-subcaption",
)


_SHOWING_MORE: Final = ("expressiveSendStyleId", "isAudioMessage", "attributedBody", "payloadData")
"""Members that show more than subject, text and files."""


class Content(NamedTuple):
    """The content of a message.

    Attributes:
        parts: Its parts without the files.
        files: Its files, which the server keeps.
        diagnostics: What was left out.
    """

    parts: tuple[Part, ...]
    files: tuple[RemoteFile, ...]
    diagnostics: tuple[Diagnostic, ...]


def read_content(message: Mapping[str, Any], *, limits: Limits) -> Content:
    """The subject, the text, the files, and everything else that people see of a message.

    What somebody else wrote is in parts of its own, with `written_by` in `extra`. What is more than `limits.parts` is
    left out, with a diagnostic. Phone numbers behind mentions are not read.

    Args:
        message: `data` of the webhook.
        limits: How many parts there may be.

    Raises:
        WireError: `wrong-type`: subject or text are no text, and there is nothing else.
    """
    typed, diagnostics = _typed(message)
    files, left_out = _files(message)
    diagnostics += left_out
    parts: tuple[Part, ...] = tuple(typed)
    if any(message.get(name) for name in _SHOWING_MORE):
        parts = _with_more(typed, message)
    odd = next((one for one in diagnostics if one.code == "wrong-type"), None)
    if odd is not None and not parts and not files:
        raise wire_error("wrong-type", odd.at, "expected text")
    if message.get("balloonBundleId") is not None and not parts:
        diagnostics.append(Diagnostic(code="part-unsupported", at="/data/balloonBundleId", detail="content of an app"))
    if message.get("expressiveSendStyleId") and _effect(message) is None:
        at = "/data/expressiveSendStyleId"
        diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail="an effect"))
    parts, files, over = cap_parts(parts, files, limits=limits, at="/data")
    return Content(parts, files, (*diagnostics, *over))


def _with_more(typed: list[TextPart], message: Mapping[str, Any]) -> tuple[Part, ...]:
    """What was typed, and what people see next to it."""
    lines = _own_lines(message)
    if lines:
        own = TextPart(content="\n".join(lines))
        typed = [*[replace(part, extra={NATIVE_TEXT: part.content, **part.extra}) for part in typed], own]
    return (*typed, *_app_parts(message))


def _typed(message: Mapping[str, Any]) -> tuple[list[TextPart], list[Diagnostic]]:
    """The subject and the text. The place of a file in a text is no character that somebody typed."""
    parts: list[TextPart] = []
    diagnostics: list[Diagnostic] = []
    for name in ("subject", "text"):
        content = message.get(name)
        if isinstance(content, str):
            typed = content.replace(_ATTACHMENT_PLACEHOLDER, "")
            text = clean(typed)
            if text.strip():
                part = TextPart(content=text)
                parts.append(part if text == typed else replace(part, extra={NATIVE_TEXT: typed}))
        elif content is not None:
            diagnostics.append(Diagnostic(code="wrong-type", at=f"/data/{name}", detail="expected text"))
    if any(part.extra for part in parts):
        parts = [replace(part, extra={NATIVE_TEXT: part.content, **part.extra}) for part in parts]
    return parts, diagnostics


def _own_lines(message: Mapping[str, Any]) -> list[str]:
    """What else of the sender people see: the effect, and the words of a voice message."""
    effect = _effect(message)
    lines = [f"[effect: {effect}]"] if effect else []
    if message.get("isAudioMessage") is True:
        lines.append("[voice message]")
    runs = chain.from_iterable(objects_of(body.get("runs")) for body in objects_of(message.get("attributedBody")))
    words = [line_of(object_of(run.get("attributes")).get("IMAudioTranscription")) for run in runs]
    return lines + [f"[voice message] {text}" for text in words if text]


def _effect(message: Mapping[str, Any]) -> str | None:
    """The name of the effect that a message was sent with."""
    effect = _EFFECT(line_of(message.get("expressiveSendStyleId")))
    return None if effect is None else effect[1] or effect[2]


def _app_parts(message: Mapping[str, Any]) -> list[Part]:
    """The preview of a link by its site, and what an app shows by the app."""
    payload = message.get("payloadData")
    holders = objects_of(payload) if isinstance(payload, (list, tuple)) else objects_of([payload])
    parts: list[Part] = []
    text = message.get("text")
    for preview in chain.from_iterable(objects_of(holder.get("urlData")) for holder in holders):
        url = preview.get("url")
        is_link = isinstance(url, str) and is_web_url(url)
        by = extra_of(site_of(url))
        if is_link and url != text:
            parts.append(LinkPart(url=str(url), extra=by))
        parts += _lines([preview.get(name) for name in _OF_A_PREVIEW], by)
    for app in chain.from_iterable(objects_of(holder.get("appData")) for holder in holders):
        info = object_of(app.get("userInfo"))
        by = extra_of(writer(line_of(app.get("appName")) or "an app"))
        parts += _lines([app.get("ldtext"), *[info.get(name) for name in _OF_AN_APP]], by)
    return parts


def _lines(values: list[Any], extra: Mapping[str, Any]) -> list[Part]:
    lines = list(dict.fromkeys(filter(None, map(line_of, values))))
    return [TextPart(content="\n".join(lines), extra=extra)] if lines else []


def _files(message: Mapping[str, Any]) -> tuple[tuple[RemoteFile, ...], list[Diagnostic]]:
    """The attachments, which the server keeps."""
    files: list[RemoteFile] = []
    diagnostics: list[Diagnostic] = []
    for index, file in enumerate(items_of(message.get("attachments"))):
        if not isinstance(file, dict) or file.get("hideAttachment") is True:
            continue
        at = pointer("data", "attachments", index)
        guid, name = file.get("guid"), file.get("transferName")
        if not _is_file(guid) or len(files) == _MAX_FILES:
            detail = f"a file that cannot be named: {line_of(name)[:80]}"
            diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail=detail.rstrip(": ")))
            continue
        files.append(RemoteFile.parse(guid, at, name=name, mime=file.get("mimeType"), size=file.get("totalBytes")))
    return tuple(files), diagnostics
