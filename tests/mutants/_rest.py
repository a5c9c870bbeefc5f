"""Mutants of REST: how forms are split and read."""

from __future__ import annotations

from functools import partial
from typing import Any

from mentionable._caller import named_sender
from mentionable.rest import _form, _multipart, _receive
from tests.mutants import _answers, _edits
from tests.mutants._answers import spoils, takes

AREA = "rest"
FIELDS, RECEIVE = ("rest.fields",), ("rest.receive",)


edits, wrongs = partial(_edits.edits, AREA), partial(_answers.wrongs, AREA)


def _split(name: str, rule: str, *changes: Any) -> None:
    edits(FIELDS, f"split-{name}", rule, *changes)


def _read(name: str, rule: str, *changes: Any) -> None:
    edits(RECEIVE, name, rule, *changes)


# --- splitting

_split(
    "any-type", "Splits whatever it is given.", (_multipart._boundary, "media_type.strip().lower() != FORM", "False")
)
_split("any-size", "Splits bodies of any size.", (_multipart.split_form, "len(body) > limits.a2a_bytes", "False"))
_split("any-number", "Splits any number of fields.", (_multipart.split_form, "> limits.parts", "> 10**9"))
_split(
    "preamble",
    "Skips what stands before the first boundary.",
    (_multipart.split_form, '2 if body[:2] == b"\\r\\n" else 0', "max(body.find(delimiter), 0)"),
)
_split(
    "epilogue",
    "Skips what stands behind the last boundary.",
    (
        _multipart.split_form,
        "*pieces, last = body[start:].split(between)",
        '*pieces, last = (body[start:].partition(between + b"--")[0] + between + b"--").split(between)',
    ),
)
_split(
    "cut-off",
    "Takes a body without an end.",
    (
        _multipart.split_form,
        'if last[:2] != b"--" or last[2:].strip(b" \\t\\r\\n")',
        "pieces += [last] * (last[:2] != b'--')\n    if False",
    ),
)
_split(
    "longer",
    "Takes a line that only begins as a boundary does for one.",
    (_multipart._field, 'padding.strip(b" \\t") or ', ""),
)
_split("no-padding", "Takes no blanks behind a boundary.", (_multipart._field, '.strip(b" \\t")', ""))
_split(
    "token-boundaries",
    "Knows no quoted boundary.",
    (_multipart._boundary, "not _BOUNDARY(boundary)", '" " in boundary'),
)
_split(
    "no-boundary",
    "Takes a form without a boundary for an empty one.",
    (_multipart._boundary, 'raise _malformed("names no boundary", "/content-type")', 'return "b0undary"'),
    (_multipart.split_form, "body = request.body", 'body = request.body or delimiter + b"--"'),
)
_split(
    "line-ends",
    "Takes lines that end in LF.",
    (
        _multipart.split_form,
        "body = request.body",
        'body = request.body.replace(b"\\r\\n", b"\\n").replace(b"\\n", b"\\r\\n")',
    ),
)
_split("two-names", "Takes the last of two names.", (_multipart._parameters, " or name in seen", ""))
_split("two-types", "Takes the last of two header fields.", (_multipart._head, " or name in fields", ""))
_split(
    "folded",
    "Unfolds lines of a head.",
    (_multipart._head, 'text.split("\\r\\n")', 'text.replace("\\r\\n ", " ").split("\\r\\n")'),
)
_split("encoded", "Takes any encoding, and decodes none.", (_multipart._head, "not in _IDENTITY", "in ()"))
_split(
    "no-name",
    "Takes a field without a name.",
    (_multipart._head, '"name" not in parameters', "False"),
    (_multipart._head, 'parameters["name"]', 'parameters.get("name", "")'),
)
_split("percent-stays", "Leaves percents in names.", (_multipart._unescaped, 'if "%" in text', "if False"))
_split(
    "backslashes-stay",
    "Leaves backslashes in names.",
    (_multipart._parameters, '_ESCAPED.sub(r"\\1", found[2])', "found[2]"),
)
_split(
    "backslashes-go",
    "Drops every backslash of a name.",
    (_multipart._parameters, '_ESCAPED.sub(r"\\1", found[2])', 'found[2].replace("\\\\", "")'),
)
_split("no-extended-names", "Knows no extended names.", (_multipart._file_name, "if extended is None", "if True"))
_split("cuts-data", "Cuts line ends off.", (_multipart._field, "rest[end + 4 :]", "rest[end + 4 :].strip()"))
_split("no-types", "Forgets media types.", (_multipart._field, "head.content_type", "None"))
_split("no-files", "Forgets file names.", (_multipart._field, "head.filename", "None"))
takes(AREA, FIELDS, "split-refusals-empty", "Takes what cannot be split for an empty form.", lambda *_: [], "malformed")
takes(
    AREA,
    FIELDS,
    "split-json",
    "Takes JSON for a form.",
    lambda *_: [["user", "Hi", None, None]],
    "media-type-unsupported",
)
spoils(AREA, FIELDS, "split-reversed", "Loses the order.", lambda value, *_: value[::-1])
spoils(
    AREA,
    FIELDS,
    "split-never-empty",
    "Finds a field in an empty form.",
    lambda value, *_: value or [["", "", None, None]],
)

# --- turns

_read(
    "order-lost",
    "Takes the first turn for the message.",
    (_receive._said, "turns = form.turns", "turns = form.turns[::-1]"),
)
_read(
    "no-runs",
    "Takes each field for a turn.",
    (_form._turn, "if not form.turns or form.turns[-1].role != role", "if True"),
)
_read(
    "agent-may-be-last", "Answers the agent's own words.", (_receive._said, "turns and turns[-1].role == USER", "turns")
)
_read(
    "nothing-is-a-message",
    "Makes a message of nothing.",
    (_receive._said, 'raise wire_error("missing-member", "/user", rule)', "return (), turns"),
)
_read("empty-texts", "Makes parts of empty texts.", (_form._take_text, "if text:", "if True:"))
_read("all-text-plain", "Takes all text for plain.", (_form._take_text, "media_type(media) or ", "None or "))
_read(
    "not-canonical",
    "Leaves line ends as they are.",
    (_form._take_text, "clean(_decoded(one, at))", "_decoded(one, at)"),
)
_read("loose-utf8", "Reads bytes that are no UTF-8.", (_form._decoded, '.decode("utf-8")', '.decode("latin-1")'))
_read(
    "files-last",
    "Gives every file to the last turn.",
    (_form.read_form, "form.turns[-1].parts if form.turns else before", "before"),
    (_form.read_form, "form.turns[0].parts[:0] = before", "form.turns[-1].parts.extend(before)"),
)
_read(
    "files-before-lost",
    "Loses files that stand before all words.",
    (_form.read_form, "if before:", "if False:"),
)
_read(
    "agents-files-are-users",
    "Gives files of the agent to the user.",
    (_form.read_form, "_turn(form, one.name) if one.name in ROLES else ", ""),
)
_read(
    "names-with-folders",
    "Leaves folders in names.",
    (_form._take_file, 'file_name(one.filename or "")', "one.filename or None"),
)
_read("files-of-text", "Takes files without a media type for text.", (_form._take_file, "OCTET_STREAM", '"text/plain"'))
_read("nameless-files-are-text", "Knows files by their names alone.", (_form._is_file, "one.name in ROLES", "False"))
_read(
    "empty-files",
    "Takes an input where nobody chose a file for one.",
    (_form._take_file, "not data and not one.filename", "False"),
)
_read(
    "all-inline",
    "Keeps all bytes inside.",
    (
        _form._take_file,
        "bytes_ref=keep(data, limits=reading.limits, blobs=reading.blobs, digest=digest)",
        'bytes_ref=__import__("mentionable._model.parts").FilePart.of(data, mime="image/png").bytes_ref',
    ),
)
_read(
    "unknown-fields-are-text",
    "Takes unknown fields for words.",
    (_form.read_form, "elif one.name in ROLES:", "else:"),
    (
        _form.read_form,
        "_take_text(one, _turn(form, one.name), index, reading)",
        '_take_text(one, _turn(form, one.name if one.name in ROLES else "user"), index, reading)',
    ),
)
_read("any-number-of-fields", "Reads any number of fields.", (_form.read_form, "len(fields) > limits.parts", "False"))
_read("any-size", "Reads any number of bytes.", (_form.read_form, "size > limits.a2a_bytes", "False"))
_read(
    "history-of-agent-by-user",
    "Makes the user the author of all turns.",
    (_receive._history_of, "Sender(address=agent)", "Sender(address=sender.address)"),
)
_read(
    "history-of-nobody",
    "Makes nobody the author of the user's turns.",
    (_receive._history_of, "Sender(address=sender.address)", "ANONYMOUS"),
)

_read(
    "requests-unsplit",
    "Finds no field in a whole request.",
    (
        _receive._received,
        "split_form(unit, limits) if isinstance(unit, HttpRequest)",
        "() if isinstance(unit, HttpRequest)",
    ),
)

# --- ids

_read(
    "query-names-agent",
    "Asks for the agent by the whole URL.",
    (_receive._received, 'without_query(cast("HttpRequest", context.request).url)', "context.request.url"),
)
_read(
    "own-thread-is-random",
    "Gives a message of no session a thread of no name.",
    (_receive._received, "thread_id = message_id", 'thread_id = "thread"'),
)
_read(
    "ids-of-all",
    "Knows ids whoever sends them.",
    (_receive._received, 'native_id=f"{sender.address} {message_id}"', "native_id=message_id"),
)
_read("no-key", "Does not know Idempotency-Key.", (_receive._message_id, "context.request is not None", "False"))
_read(
    "quoted-key", "Leaves the quotes in Idempotency-Key.", (_receive._message_id, "key[0] == key[-1] == '\"'", "False")
)
_read(
    "key-first",
    "Takes the header before the field.",
    (
        _receive._message_id,
        "named = form.text_of(MESSAGE_ID, reading)",
        "named = form.text_of(MESSAGE_ID, reading) if context.request is None else None",
    ),
)
_read("long-ids", "Takes ids of any length.", (_form.Form.text_of, "len(text) > reading.limits.id_chars", "False"))
_read("last-session", "Takes the last of two sessions.", (_form.read_form, "if one.name in form.beside:", "if False:"))
_read(
    "callers-as-written",
    "Takes subjects as they are written.",
    (named_sender, "Sender(address=address,", 'Sender(address="@bob@other.example",'),
)
wrongs(
    RECEIVE,
    "everybody-is-taken",
    "Takes unverified senders whatever the host wants.",
    lambda answer, given, _: (
        {"messages": [], "diagnostics": []}
        if answer.get("rejected", {}).get("code") == "verification-required"
        else None
    ),
)
wrongs(
    RECEIVE,
    "serves-everybody",
    "Serves agents that are not here.",
    lambda answer, given, _: (
        {"messages": [], "diagnostics": []} if answer.get("rejected", {}).get("code") == "no-served-recipient" else None
    ),
)
wrongs(
    RECEIVE,
    "half-bodies",
    "Reads bodies that were cut off.",
    lambda answer, given, unit: (
        {"messages": [], "diagnostics": []} if "rejected" in answer and "body" in unit else None
    ),
)
wrongs(
    RECEIVE,
    "callers-verified",
    "Calls whom the host names verified.",
    lambda answer, given, unit: (
        {**answer, "verdict": {**answer["verdict"], "verified": True}}
        if "caller" in unit and "messages" in answer
        else None
    ),
)
