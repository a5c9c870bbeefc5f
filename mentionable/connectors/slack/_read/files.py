"""The files of a message: which of them agents may fetch through the connector.

What opens a file at Slack (`url_private`, thumbnails, public links) is never read.

Spec: Building a Connector §Lazy File Capabilities.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...._errors.exceptions import wire_error
from ...._flow.settings import Limits
from ...._model.diagnostic import Diagnostic
from ...._text.media import single_line
from ...._wire.strict_json import pointer
from ..._remote_file import RemoteFile
from .._ids import is_file, object_of, text_of

_HELD: Final = ("hosted", "snippet", "post", "space", "docs", "quip", "canvas", "list", None)
"""The modes of files whose bytes Slack has. Of others it has a link, or nothing any more."""

_OPEN: Final = ("visible", None)
"""`file_access` of files that the app may see."""

_MAX_NAME: Final = 255


def files_in(files: Sequence[Any], limits: Limits, notes: list[Diagnostic]) -> list[RemoteFile]:
    """The files of a message that can be given out; a diagnostic names each of the others.

    Raises:
        LimitError: There are too many.
    """
    if len(files) > limits.parts:
        raise wire_error("too-many-parts", "/event/files", f"more than {limits.parts} files")
    found: list[RemoteFile] = []
    for number, one in enumerate(files):
        file, at = object_of(one), pointer("event", "files", number)
        reason = _why_not(file)
        if reason is None:
            name = file.get("name") if text_of(file.get("name")) else file.get("title")
            found.append(
                RemoteFile.parse(file["id"], at, name=text_of(name), mime=file.get("mimetype"), size=file.get("size"))
            )
        else:
            name = single_line(text_of(file.get("name")))[:_MAX_NAME] or "a file"
            notes.append(Diagnostic(code="part-unsupported", at=at, detail=f"{name}: {reason}"))
    return found


def _why_not(file: Mapping[str, Any]) -> str | None:
    """Why a file cannot be given out; None when it can."""
    if not is_file(file.get("id")):
        return "it has no id"
    if file.get("mode") not in _HELD or file.get("is_external") not in (None, False):
        return "Slack does not hold its bytes"
    if file.get("file_access") not in _OPEN:
        return "the app may not see it"
    return None
