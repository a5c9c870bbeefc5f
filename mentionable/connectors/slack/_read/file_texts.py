"""What people read of a file without opening it: its title, its description, a transcript, the lines of a snippet.

Spec: Slack, file objects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ...._html.convert import html_to_text
from ...._model.diagnostic import Diagnostic
from ...._text.media import single_line
from ..._members import items_of, object_of
from ..._writer import writer
from .._ids import text_of
from .files import file_label, is_email, is_external
from .texts import MessageText, unmarked, words_of

File = Mapping[str, Any]

_DESCRIBES: Final = {False: ("title", "alt_txt"), True: ("alt_txt",)}
"""Members that describe a file that Slack holds, and one that another service holds: its title is that of the link."""


def file_texts(file: File, at: str) -> Iterator[MessageText]:
    """The visible texts of a file: those of its sender, or the mail that it is."""
    if is_email(file):
        yield _mail(file)
        return
    name = file_label(file)
    described = [single_line(text_of(file.get(member))) for member in _DESCRIBES[is_external(file)]]
    lines = [f"{name}: {text}" for text in dict.fromkeys(described) if not words_of(text) <= words_of(name)]
    if lines:
        yield unmarked("\n".join(lines))
    preview = text_of(file.get("preview"))
    if file.get("mode") == "snippet" and preview.strip():
        yield unmarked(preview)
    if "transcription" in file:
        yield from _transcript(object_of(file["transcription"]), name, at)


def _transcript(transcription: Mapping[str, Any], name: str, at: str) -> Iterator[MessageText]:
    """The words of a recording, as far as Slack has written it down."""
    preview = object_of(transcription.get("preview"))
    words, status = text_of(preview.get("content")), transcription.get("status")
    reason = ""
    if status == "processing":
        reason = "its transcript is not written yet"
    elif words.strip() and preview.get("has_more") is True:
        reason = "its transcript goes on"
    diagnostics = (Diagnostic(code="part-unsupported", at=at, detail=f"{name}: {reason}"),) if reason else ()
    if words.strip() or diagnostics:
        yield unmarked(words)._replace(diagnostics=diagnostics)


def _mail(file: File) -> MessageText:
    """A mail that was forwarded to Slack, as it is visible there. Addresses are left out where there are names."""
    people = {member: _people(file.get(member)) for member in ("from", "to", "cc")}
    header = [
        ("Subject", single_line(text_of(file.get("subject")) or text_of(file.get("title")))),
        ("From", ", ".join(people["from"])),
        ("To", ", ".join(people["to"])),
        ("Cc", ", ".join(people["cc"])),
        ("Date", single_line(text_of(object_of(file.get("headers")).get("date")))),
    ]
    bodies = (text_of(file.get(member)) for member in ("plain_text", "preview_plain_text", "preview"))
    body = next(filter(str.strip, bodies), "") or html_to_text(text_of(file.get("simplified_html")))
    enclosed = [single_line(text_of(object_of(one).get("filename"))) for one in items_of(file.get("attachments"))]
    pieces = [
        "\n".join([f"{name}: {value}" for name, value in header if value]),
        body.strip("\n"),
        "\n".join([f"[file: {name}]" for name in enclosed if name]),
    ]
    author = next(iter(people["from"]), None)
    return unmarked("\n\n".join(filter(None, pieces)), written_by=writer(author))


def _people(value: Any) -> list[str]:
    """The names of people in a mail; an address only where there is no name."""
    people = [object_of(one) for one in items_of(value)]
    names = [single_line(text_of(one.get("name"))) or single_line(text_of(one.get("address"))) for one in people]
    return [name for name in names if name]
