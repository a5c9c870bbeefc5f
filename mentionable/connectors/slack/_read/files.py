"""The files of a message: those that agents may fetch through the connector, and links to those that others hold.

What opens a file at Slack (`url_private`, thumbnails, public links) is never read.

Spec: Building a Connector §Lazy File Capabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...._model.diagnostic import Diagnostic
from ...._model.parts import LinkPart
from ...._text.media import single_line
from ...._wire.http import is_web_url
from ..._remote_file import RemoteFile
from .._ids import is_file, text_of
from .api import CallApi

_HOSTED_MODES: Final = ("hosted", "snippet", "post", "space", "docs", "quip", "canvas", "list", None)
"""The modes of files whose bytes Slack has. Of others it has a link, or no bytes any more."""

_VISIBLE: Final = ("visible", None)
"""`file_access` of files that the app may see."""

_UNSEEN: Final = "check_file_info"
"""`file_access` of a file that another organization shares: `files.info` describes it."""

_GONE: Final = {"tombstone": "it was deleted", "hidden_by_limit": "the plan of the workspace hides it"}
_MAX_NAME: Final = 255


def is_email(file: Mapping[str, Any]) -> bool:
    """Whether a file is a mail that was forwarded to Slack. Its text is read, so that it is no file."""
    return "email" in (file.get("filetype"), file.get("mode"))


def is_external(file: Mapping[str, Any]) -> bool:
    """Whether another service holds a file."""
    return file.get("mode") == "external" or file.get("is_external") is True


def file_label(file: Mapping[str, Any]) -> str:
    """What a file is called where it is only named."""
    names = [single_line(text_of(file.get(name))) for name in ("name", "title", "mimetype")]
    return next(filter(None, names), "a file")[:_MAX_NAME]


def read_file(file: Mapping[str, Any], at: str) -> RemoteFile | LinkPart | Diagnostic | None:
    """A file that agents may fetch, a link to it, or the reason why there is neither; None for a mail."""
    if is_email(file):
        return None
    url = file.get("external_url")
    if is_external(file) and isinstance(url, str) and is_web_url(url):
        label, title = file_label(file), single_line(text_of(file.get("title")))
        return LinkPart(url=url, title=title or label, description=label if title and title != label else None)
    reason = _obstacle(file)
    if reason is not None:
        return Diagnostic(code="part-unsupported", at=at, detail=f"{file_label(file)}: {reason}")
    name = text_of(file.get("name")) or text_of(file.get("title"))
    return RemoteFile.parse(file["id"], at, name=name, mime=file.get("mimetype"), size=file.get("size"))


def _obstacle(file: Mapping[str, Any]) -> str | None:
    """The reason why agents cannot fetch a file; None when they can."""
    mode = file.get("mode")
    if isinstance(mode, str) and mode in _GONE:
        return _GONE[mode]
    if not is_file(file.get("id")):
        return "it has no id"
    if mode not in _HOSTED_MODES or file.get("is_external") not in (None, False):
        return "Slack does not hold its bytes"
    if file.get("file_access") not in _VISIBLE:
        return "the app may not see it"
    return None


def needs_info(file: Mapping[str, Any]) -> bool:
    """Whether Slack describes a file only when it is asked."""
    return file.get("file_access") == _UNSEEN and is_file(file.get("id"))


def files_info(file: Mapping[str, Any]) -> CallApi:
    """The ask for a file."""
    return CallApi(method="files.info", params=(("file", file["id"]),))
