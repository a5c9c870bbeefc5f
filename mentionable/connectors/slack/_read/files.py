"""The files of a message: those that agents may fetch through the connector.

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
from ..._members import object_of
from ..._remote_file import RemoteFile
from .._ids import is_file, text_of

_HOSTED_MODES: Final = ("hosted", "snippet", "post", "space", "docs", "quip", "canvas", "list", None)
"""The modes of files whose bytes Slack has. Of others it has a link, or no bytes any more."""

_VISIBLE: Final = ("visible", None)
"""`file_access` of files that the app may see."""

_MAX_NAME: Final = 255


def files_in(files: Sequence[Any], limits: Limits) -> tuple[tuple[RemoteFile, ...], list[Diagnostic]]:
    """The files of a message that agents may fetch; a diagnostic names each of the others.

    Raises:
        WireError: `too-many-parts`.
    """
    if len(files) > limits.parts:
        raise wire_error("too-many-parts", "/event/files", f"more than {limits.parts} files")
    remote: list[RemoteFile] = []
    diagnostics: list[Diagnostic] = []
    for index, file in enumerate(map(object_of, files)):
        at = pointer("event", "files", index)
        reason = _obstacle(file)
        name = text_of(file.get("name"))
        if reason is None:
            name = name or text_of(file.get("title"))
            remote.append(RemoteFile.parse(file["id"], at, name=name, mime=file.get("mimetype"), size=file.get("size")))
        else:
            detail = f"{single_line(name)[:_MAX_NAME] or 'a file'}: {reason}"
            diagnostics.append(Diagnostic(code="part-unsupported", at=at, detail=detail))
    return tuple(remote), diagnostics


def _obstacle(file: Mapping[str, Any]) -> str | None:
    """The reason why agents cannot fetch a file; None when they can."""
    if not is_file(file.get("id")):
        return "it has no id"
    if file.get("mode") not in _HOSTED_MODES or file.get("is_external") not in (None, False):
        return "Slack does not hold its bytes"
    if file.get("file_access") not in _VISIBLE:
        return "the app may not see it"
    return None
