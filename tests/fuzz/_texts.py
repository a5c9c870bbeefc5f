"""What reads text rather than units: strict JSON, traces, and the fields of mail."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from mentionable import LimitError, Limits, WireError, format_time, parse_time, trace
from mentionable._wire.address import canonical, is_canonical, shows_other_domain
from mentionable._wire.canonical_json import canonical_json
from mentionable._wire.strict_json import MAX_DEPTH, MAX_SAFE_INTEGER, dump_line, is_text, loads, loads_signed, plain
from mentionable.mail._read import header_section as _head
from mentionable.mail._read import parameters as _parameters
from mentionable.mail._write.header_section import mailboxes_field, text_field
from mentionable.testing.lookups import case_bytes
from tests.fuzz._oracle import deep, is_documented, is_written_and_read, must, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST: Final = 1 << 20
_ID: Final = re.compile(r"<[^<>\s\x00-\x1f\x7f]+>").fullmatch


# --- strict JSON, against the parser of the standard library


def strict_json(data: bytes) -> str:
    """The target for JSON: a value exactly where the standard library has one without a flaw, and the same one."""
    lenient, flaws = _lenient(data)
    try:
        value = loads(data, max_bytes=MOST)
    except WireError as error:
        is_documented(error)
        must(error.code in flaws, f"{error.code} is said of JSON that has this flaw, not {sorted(flaws)}")
        must(_code(data) == error.code, "both readers refuse alike")
        return error.code
    must(not flaws, f"JSON with a flaw is refused: {sorted(flaws)}")
    must(value == lenient and dump_line(value) == dump_line(lenient), "the value is that of the standard library")
    must(plain(value) == value, "a value of JSON is plain")
    must(loads(dump_line(value).encode(), max_bytes=16 * MOST) == value, "what is written is read back")
    signed, has_plain_numbers = loads_signed(data, max_bytes=MOST)
    canonical_form = _canonical(value, has_plain_numbers=False)
    must(_canonical(signed, has_plain_numbers=has_plain_numbers) == canonical_form, "there is one canonical form")
    if canonical_form is not None and not _has_large_float(value):
        again = loads(canonical_form, max_bytes=16 * MOST)
        must(canonical_json(again) == canonical_form, "the canonical form is its own")
    return "read"


def _has_large_float(value: Any) -> bool:
    """Whether a float is so large that its canonical form is that of an integer, which nobody may send."""
    if isinstance(value, float):
        return abs(value) > MAX_SAFE_INTEGER
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(map(_has_large_float, inner))


def _canonical(value: Any, *, has_plain_numbers: bool) -> bytes | None:
    try:
        return canonical_json(value, has_plain_numbers=has_plain_numbers)
    except WireError as error:
        must(error.code == "not-canonical", "a value has a canonical form or none")
        return None


def _code(data: bytes) -> str:
    try:
        loads_signed(data, max_bytes=MOST)
    except WireError as error:
        return error.code
    return ""


def _lenient(data: bytes) -> tuple[Any, set[str]]:
    """What the standard library reads, and every reason for which the strict reader may refuse it."""
    flaws: set[str] = set()

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            flaws.add("duplicate-member")
        return dict(pairs)

    def number(digits: str) -> float:
        if digits in ("NaN", "Infinity", "-Infinity") or abs(float(digits)) == float("inf"):
            flaws.add("unsafe-number")
        return float(digits)

    def whole(digits: str) -> int:
        if len(digits) > 17 or abs(int(digits)) > MAX_SAFE_INTEGER:
            flaws.add("unsafe-number")
            return 0
        return int(digits)

    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None, {"not-utf8"}
    try:
        value = json.loads(text, object_pairs_hook=members, parse_float=number, parse_int=whole, parse_constant=number)
    except RecursionError:
        return None, {"too-deep"}
    except ValueError:
        if _brackets(text) > MAX_DEPTH:  # counted before anything is parsed
            flaws.add("too-deep")
        return None, flaws | {"invalid-json"}
    if deep(value) > MAX_DEPTH:
        flaws.add("too-deep")
    if not is_text(json.dumps(value, ensure_ascii=False)):
        flaws.add("lone-surrogate")
    return value, flaws


def _brackets(text: str) -> int:
    """How many brackets are opened, in strings or outside."""
    return text.count("[") + text.count("{")


def json_seeds() -> Iterator[bytes]:
    """The cases of the strict reader, and activities."""
    from mentionable import activitypub
    from tests.fuzz import _seeds

    yield from _seeds.texts("json.loads", "data", case_bytes)
    yield from (unit.partition(b"\n\n")[2] for unit, _ in _seeds.units(activitypub))


# --- traces


def read_trace(data: bytes) -> str:
    """The target for traces: any bytes as the annotation, as its text, and as HTML that may hold an anchor."""
    text = data.decode("utf-8", "replace")
    said = [_read_annotation(annotation) for annotation in (data, text)]
    anchor = trace.find_anchor(text)
    found = trace.extract(text)
    if anchor is None:
        must(found.html == text and found.response is None, "without an anchor nothing changes")
        return said[0]
    must(0 <= anchor.start < anchor.end <= len(text), "an anchor has its place")
    must((found.response is not None) or bool(found.diagnostics), "an anchor is read, or it is said why not")
    if found.response is None:
        must(found.html == text, "an anchor that cannot be read stays")
        return "kept"
    must(
        found.html.replace("<!---->", "") == (text[: anchor.start] + text[anchor.end :]).replace("<!---->", ""),
        "only the anchor goes",
    )
    value, left_out = trace.read_leniently(found.href or "")
    must(value == found.response, "an anchor says what its address says")
    must(left_out == found.diagnostics, "an anchor and its address leave out the same")
    is_written_and_read(found.response)
    return "taken"


def _read_annotation(annotation: str | bytes) -> str:
    try:
        response = trace.read(annotation)
    except WireError as error:
        is_documented(error)
        must(error.code in ("trace-malformed", "trace-too-large"), f"{error.code} is documented for a trace")
        return error.code
    is_written_and_read(response)
    for viewer in (None, "https://viewer.example/trace"):
        written = trace.write(response, viewer=viewer)
        if written.diagnostic is None and "a2a" not in response.extra:
            must(trace.read(written.href) == response, "a trace is read back (law 4)")
            must(trace.extract(f"<p>Hi</p>{written.html}").response == response, "an anchor is read back (law 4)")
    return "read"


def trace_seeds() -> Iterator[bytes]:
    """The cases of traces: annotations, payloads, and the HTML in which they stand."""
    from tests.fuzz import _seeds

    yield from _seeds.texts("trace.read", "annotation", lambda value: value.encode("utf-8", "replace"))
    for case in _seeds.of_op("trace.write"):
        made = case.expect.get("value")
        if isinstance(made, dict) and isinstance(made.get("html"), str) and len(made["html"]) < 20_000:
            yield made["html"].encode()
        yield json.dumps(case.input["response"]).encode()[:20_000]
    for case in _seeds.of_op("activitypub.receive"):
        body = case.input.get("body")
        note = body.get("object") if isinstance(body, dict) else None
        content = note.get("content") if isinstance(note, dict) else None
        if isinstance(content, str) and "mentionable-trace" in content and len(content) < 20_000:
            yield content.encode("utf-8", "replace")


# --- fields of mail


def mail_fields(data: bytes) -> str:
    """The target for the fields of mail: any bytes as a head, and any line as the value of each kind of field."""
    _head_is_read_alike(data)
    text = re.sub("[\r\n\0]", " ", data.decode("utf-8", "replace")).strip()
    said = _addresses_are_read(text)
    _ids_and_dates_are_read(text)
    _structured_is_read(text)
    _lines_are_read_back(text)
    shown = canonical(text)
    if shown is not None:
        must(is_canonical(shown) and canonical(shown) == shown, "a canonical address is canonical")
        shows_other_domain(text, shown)
    return said


def _head_is_read_alike(data: bytes) -> None:
    """The quick reader of heads reads what the patient one reads, and notes nothing that is not odd."""
    try:
        head = _head.read_header_section(data + b"\r\n\r\n", limits=Limits())
    except WireError as error:
        is_documented(error)
    else:
        must(head.first.keys() == {key for key, _, _ in head.fields}, "each field has its first value")
    end = _head._END_OF_SECTION(data)
    data = data[: end.start() + 1] if end else data
    quick = _head._read_fields(data)[:3]
    patient = _head._read_odd_fields(data)[:3]
    must(quick == patient, "quick and patient reader of heads agree")


def _addresses_are_read(text: str) -> str:
    most = 20
    try:
        found = _head.read_addresses(text, name="to", limit=most)
    except LimitError as error:
        is_documented(error)
        return "too-many"
    must(len(found.mailboxes) <= most, "no more addresses than the limit")
    patient = _head._AddressReader(text, "to", most).read()
    must(found == patient, "quick and patient reader of addresses agree")
    for mailbox in found.mailboxes:
        must(one_line(mailbox.address), "an address is one line")
        must(mailbox.name is None or (one_line(mailbox.name) and mailbox.name), "a name is one line, or none")
    return "odd" if found.fault else "plain"


def _ids_and_dates_are_read(text: str) -> None:
    ids = _head.read_ids(text, max_chars=100)
    must(all(_ID(one) and len(one) <= 100 for one in ids), "ids are ids")
    must(sum(map(len, ids)) <= 3 * len(text) + 3, "ids are not made up")
    when = _head.read_date(text)
    must(when is None or format_time(parse_time(when)) == when, "a date is a time")


def _structured_is_read(text: str) -> None:
    try:
        field = _parameters.read_structured(text, name="content-type", max_parameters=20)
    except LimitError as error:
        is_documented(error)
        return
    must(field == _parameters._read_structured(text, "content-type", 20), "what is remembered is what is read")
    for name in {name.partition("*")[0] for name in field.parameters} | {"charset", "boundary", "filename"}:
        value = _parameters.parameter(field, name)
        must(value is None or one_line(value), "a parameter is one line")
    name = _parameters.file_name(field, field)
    must(name is None or (one_line(name) and not set(name) & set("/\\") and name not in ("", ".", "..")), "a file name")
    must(name is None or len(name) <= 255, "a file name is no longer than 255")


def _lines_are_read_back(text: str) -> None:
    """What is shown is one line; and what is written of it is read back."""
    line = _head.read_line(text)
    must(one_line(line), "a subject is one line")
    if not line or not is_text(line):
        return
    head = _head.read_header_section((text_field("Subject", line) + "\r\n\r\n").encode(), limits=Limits())
    must(_head.read_line(head.first["subject"]) == line, "a subject is read back")
    box = _head.Mailbox(line, "alice@a.example")
    head = _head.read_header_section((mailboxes_field("From", [box]) + "\r\n\r\n").encode(), limits=Limits())
    must(_head.read_addresses(head.first["from"], name="from", limit=2).mailboxes == (box,), "a name is read back")


def field_seeds() -> Iterator[bytes]:
    """The fields of the mails of the cases."""
    from tests.fuzz import _seeds

    return _seeds.fields()
