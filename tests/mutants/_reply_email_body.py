"""Mutants of the body of answers by mail."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from typing import Any

from mentionable import _markup
from mentionable.mail import _compose, _write_body
from tests.mutants._answers import decoded, some, spoils, swapped, written
from tests.mutants._reply_email import (
    AREA,
    REPLY,
    _mail,
    _raw,
)


def _shows_parts(unit: Any) -> bool:
    """Whether a unit is one of the cases that look at more than a text."""
    return any(part["kind"] != "text" for part in unit["response"]["parts"])


def _body(name: str, rule: str, *edits: Any) -> None:
    written(AREA, REPLY, f"mail-{name}", rule, *edits, when=_shows_parts)


def _says(*words: str) -> Any:
    return lambda unit: any(word in json.dumps(unit["response"], ensure_ascii=False) for word in words)


_body(
    "trace-first",
    "Puts the trace first.",
    (
        _write_body.write_body,
        "siblings.append(Piece(_TRACE_HEAD, encode_bytes(faces.trace)))",
        "siblings.insert(0, Piece(_TRACE_HEAD, encode_bytes(faces.trace)))",
    ),
)
_body(
    "html-first",
    "Puts the HTML before the text.",
    (
        _write_body.write_body,
        'siblings = [_text_piece("plain", faces.text), html]',
        'siblings = [html, _text_piece("plain", faces.text)]',
    ),
)
_body(
    "all-mixed",
    "Attaches the trace.",
    (_write_body.write_body, '_multipart("alternative", siblings', '_multipart("mixed", siblings'),
)
_body("no-trace", "Sends no trace.", (_write_body.write_body, "if faces.trace is not None:", "if False:"))
_mail("no-profile", "Sends the trace without its profile.", lambda text, _: text.replace("profile=", "x-profile="))
_mail(
    "quoted-printable-traces",
    "Says another encoding of the trace.",
    lambda text, unit: (
        re.sub(r'(application/json;\r\n profile="[^"]*"\r\nContent-Transfer-Encoding: )base64', r"\1BASE64x", text)
        if _says("DONE", "web_search")(unit) and len(unit["response"]["parts"]) == 2
        else text
    ),
)
_body(
    "files-among-alternatives",
    "Puts files among the alternatives.",
    (_write_body.write_body, '_multipart("mixed", [faced', '_multipart("alternative", [faced'),
)


def _trace_text(change: Any) -> Any:
    def changed(text: str, _: Any) -> str:
        found = re.search(
            r'profile="https://mentionable[^"]*"\r\nContent-Transfer-Encoding: base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)',
            text,
        )
        if found is None:
            return text
        response = change(decoded(found[1].replace("\r\n", "")))
        return text.replace(found[1], b64encode(json.dumps(response).encode()).decode() + "\r\n")

    return changed


for _name, _rule, _change in some("forgets-results", "wants-objects"):
    _mail(f"trace-{_name}", _rule, _trace_text(_change))
spoils(
    AREA,
    REPLY,
    "mail-no-trace-without-a-viewer",
    "Sends no trace when there is no viewer.",
    lambda value, given, _: (
        None
        if given.get("settings", {}).get("trace_viewer", 1) is not None
        else {**value, "mail": b64encode(b64decode(value["mail"]).replace(b"profile=", b"p=")).decode()}
    ),
)


def _face(name: str, rule: str, owner: Any, attribute: str, wrong: Any, *words: str) -> None:
    swapped(AREA, REPLY, f"mail-{name}", rule, owner, attribute, wrong, when=_says(*words))


right_text, right_html = _compose.text_face, _compose.html_face
right_plain = _markup.plain_to_html
_face(
    "text-is-rendered",
    "Takes marks of Markdown out of the text.",
    _compose,
    "text_face",
    lambda *a, **k: right_text(*a, **k).replace("*", ""),
    "**rain**",
)
_face(
    "markdown-as-written",
    "Shows Markdown as it is written.",
    _markup,
    "markdown_to_html",
    lambda text, images=(): right_plain(text),
    "**rain**",
)
_face("plain-is-markdown", "Reads plain text as Markdown.", _markup, "plain_to_html", _markup.markdown_to_html, "1 < 2")
_face("html-as-text-face", "Leaves markup in the text.", _compose, "text_face", lambda *a, **k: "<p>x</p>", "<b>will")
_face("html-as-written", "Sends HTML as it is.", _markup, "sanitize", lambda html, images=(): html, "<")
_face(
    "markdown-with-html",
    "Lets HTML and any link in Markdown through.",
    _markup,
    "markdown_to_html",
    lambda text, images=(): f'<p><a href="javascript:x()">{text}</a></p>',
    "javascript:",
)
_face(
    "keeps-directions",
    "Keeps characters that turn text around.",
    _compose,
    "html_face",
    lambda *a, **k: right_html(*a, **k).replace("gpj", "\u202egpj"),
    "gpj",
)
_face(
    "no-order",
    "Puts calls last.",
    _compose,
    "text_face",
    lambda *a, **k: "\n\n".join(sorted(right_text(*a, **k).split("\n\n"), key=lambda line: line[0] == "🔧")),
    '"One"',
)
_face(
    "lines-without-tools",
    "Names no tools in the text.",
    _compose,
    "text_face",
    lambda *a, **k: right_text(*a, **k).replace("🔧 ", ""),
    "tool_call",
)
_face(
    "lines-without-crosses",
    "Leaves the cross of a failure out.",
    _compose,
    "text_face",
    lambda *a, **k: right_text(*a, **k).replace("❌ ", ""),
    "timed out",
)
_face(
    "one-mark",
    "Marks every call as done.",
    _compose,
    "_MARKS",
    {"ok": "✅", "failed": "✅", "running": "✅"},
    "timed out",
    "a.txt",
)
_face(
    "wrench",
    "Marks calls in HTML as in text.",
    _compose,
    "_MARKS",
    {"ok": "🔧", "failed": "❌", "running": "…"},
    "Rain",
)
_face(
    "boxes",
    "Puts calls into boxes.",
    _compose,
    "html_face",
    lambda *a, **k: right_html(*a, **k).replace("<p>✅", '<p style="border:1px">✅'),
    "tool_call",
)
_face(
    "links-without-addresses",
    "Leaves addresses out of the text.",
    _compose,
    "text_face",
    lambda *a, **k: re.sub("<?https?://[^ >]*>?", "", right_text(*a, **k)),
    "https:",
)
_face(
    "links-as-text",
    "Shows links as text.",
    _compose,
    "html_face",
    lambda *a, **k: re.sub("<a [^>]*>|</a>", "", right_html(*a, **k)),
    "https:",
)
_face("hides-failures", "Says nothing when the agent failed.", _compose, "text_face", lambda *a, **k: "", "Try again")
_face("hides-demands", "Does not show demands.", _compose, "text_face", lambda *a, **k: "", "policy")
_face("attaches-nothing", "Attaches nothing.", _compose, "_files", lambda *_: {}, "image/png", "text/csv")
_face("attaches-files", "Attaches files, but no artifacts.", _compose, "ArtifactPart", int, "artifact")
right_content = _compose.content_of
_face(
    "attaches-cut-files",
    "Cuts files.",
    _compose,
    "content_of",
    lambda *a: (right_content(*a) or b"")[:3] or None,
    "inline",
    "sha256",
)
_face(
    "names-in-ascii",
    "Writes names of files in ASCII.",
    _compose,
    "file_name",
    lambda name: name.encode("ascii", "replace").decode() if name else None,
    "Grüße",
)
_face(
    "fetches",
    "Sends what lies elsewhere.",
    _compose,
    "content_of",
    lambda part, *a: right_content(part, *a) or b"x",
    "far.png",
)
_face(
    "any-image",
    "Shows any image that HTML names.",
    _markup,
    "sanitize",
    lambda html, images=(): html,
    "cid:other",
    "p.gif",
)
_face(
    "traces-of-agents",
    "Takes JSON of the agent for the trace.",
    _write_body,
    "file_fields",
    lambda mime, name, *, content_id: [
        'Content-Type: application/json;\r\n profile="https://mentionable.dev/ns/normalized-message/v0.1"',
        "Content-Transfer-Encoding: base64",
    ],
    "trace.json",
)
_face(
    "lines-in-names-of-files",
    "Writes line breaks of names of files.",
    _write_body,
    "file_fields",
    lambda mime, name, *, content_id: [
        "Content-Type: image/png",
        "Content-Transfer-Encoding: base64",
        "Bcc: evil@evil.example",
    ],
    '.png"',
)
_mail("quotes", "Quotes the question.", lambda text, unit: f"X-Question: {_raw(unit)[-20:].strip()}\r\n{text}")
_face(
    "markup-in-lines",
    "Does not escape calls in HTML.",
    _compose,
    "html_face",
    lambda *a, **k: right_html(*a, **k).replace("&lt;", "<").replace("&gt;", ">"),
    "<script>",
)
_face(
    "escapes-nothing-in-links",
    "Does not escape titles of links.",
    _markup,
    "link_html",
    lambda url, text: f"<a>{text}</a>",
    "</a><script>",
)

# the wire
_face(
    "eight-bit",
    "Sends text as it is.",
    _write_body,
    "encode_text",
    lambda text: ("8bit", text.replace("\n", "\r\n").encode()),
    "Gr",
    "word word",
    "xxxxx",
    "From me",
    "\\r",
    "=3D",
)
_face(
    "bare-lf",
    "Ends lines by LF.",
    _write_body,
    "encode_text",
    lambda text: ("8bit", text.encode()),
    "\\nend",
    "\\n",
    "a\\rb",
)
_face(
    "strips-lines",
    "Takes blanks at the ends of lines away.",
    _compose,
    "text_face",
    lambda *a, **k: re.sub(r"[ \t]+\n", "\n", right_text(*a, **k)),
    "\\tb",
)
_face(
    "keeps-controls-in-text",
    "Sends controls as they are.",
    _compose,
    "one_kind_of_line_end",
    lambda text: text,
    "\\u0000",
)
_face(
    "raw-file-names",
    "Writes names of files as they are.",
    _write_body,
    "file_fields",
    lambda mime, name, *, content_id: [
        f'Content-Type: {mime}; name="{name}"'.encode().decode("latin-1").encode("ascii", "replace").decode(),
        "Content-Transfer-Encoding: base64",
    ],
    "Grüße",
)
