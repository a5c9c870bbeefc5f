"""Traces with odd members: `trace/odd.json` has what is read of them, `trace/left-out.json` what is not (R54)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.vectors._answer_rows import DONE, FAILED, PLAIN, Case, call, compact, link, response, row

if TYPE_CHECKING:
    from collections.abc import Iterator

_FILE: Final[Case] = {
    "kind": "file",
    "mime": "image/png",
    "bytes_ref": {"kind": "inline", "data_base64": "aGk="},
    "name": "a.png",
    "size_bytes": 2,
}
_LINK: Final[Case] = {"kind": "link", "url": "https://a.example/x"}
_FORBIDDEN: Final[Case] = {"kind": "forbidden", "message": "No."}
_PAYMENT: Final[Case] = {
    "kind": "payment_required",
    "message": "Pay.",
    "accepted_payments": [{"scheme": "x402.exact", "payload": {"amount": "1"}}],
}


class _Odd(NamedTuple):
    """A trace, what it says, and the pointers of what of it does not fit."""

    name: str
    why: str
    sent: Case
    read: Case
    left_out: tuple[str, ...] = ()
    level: str = "MUST"


def _policy(**members: Any) -> Case:
    return {"kind": "policy", "policy": {**_FORBIDDEN, **members}}


def _part(name: str, why: str, sent: Case, read: Case | None, *left_out: str) -> _Odd:
    """One odd part beside one that is not."""
    kept = [] if read is None else [read]
    return _Odd(name, why, response(PLAIN, sent), response(PLAIN, *kept), left_out)


_NONE: Final[Case] = {}
_SPELLINGS: Final = (
    _Odd("null-members", "Null for what may be left out is its absence.",
        response({**_FILE, "name": None, "size_bytes": None}, {**_LINK, "title": None}, error=None, streaming=None),
        response({name: value for name, value in _FILE.items() if name not in ("name", "size_bytes")}, _LINK)),
    _Odd("null-result", "A result of null is a result.", response(call(result=None)), response(call(result=None))),
    _Odd("null-error", "A call with an error of null has none.",
        response({**DONE, "error": None}), response(DONE)),
    _Odd("media-types", "Media types have no case, and parameters.",
        response({**PLAIN, "mime": "TEXT/Plain; charset=utf-8"}, {**_FILE, "mime": 'Image/PNG ;Q="1"; x="a b"'}),
        response(PLAIN, {**_FILE, "mime": 'image/png; q=1; x="a b"'})),
    _Odd("whole-numbers", "Some languages write every number with a fraction.",
        response({**_FILE, "size_bytes": 2.0}), response(_FILE)),
    _Odd("offsets", "Times come with any offset, and are UTC from then on.",
        response(call(started_at="2026-11-21T21:56:00.500+01:00")),
        response(call(started_at="2026-11-21T20:56:00.5Z"))),
)  # fmt: skip

_ODD: Final = (
    _part("size-as-text", "What does not fit costs itself.", {**_FILE, "size_bytes": "2"},
        {name: value for name, value in _FILE.items() if name != "size_bytes"}, "/parts/1/size_bytes"),
    _part("no-media-type", "Content counts for more than the name of its kind.", {**_FILE, "mime": "png"},
        {**_FILE, "mime": "application/octet-stream"}, "/parts/1/mime"),
    _part("unknown-type-of-text", "Nor is text lost for it.", {**PLAIN, "mime": "text/csv"}, PLAIN, "/parts/1/mime"),
    _part("type-of-text-in-another-script", "The lower case of a Kelvin sign is a k, and it is none.",
        {**PLAIN, "mime": "text/mar\u212adown"}, PLAIN, "/parts/1/mime"),
    _part("mail-link", "A part without what it must have costs itself.", {**_LINK, "url": "mailto:a@a.example"}, None,
        "/parts/1"),
    _part("title-as-number", "What may be left out is left out.", {**_LINK, "title": 5}, _LINK, "/parts/1/title"),
    _part("part-in-a-string", "A string in JSON is a string, and no part.", json.dumps(_LINK), None, "/parts/1"),
    _part("part-without-a-kind", "A part says what it is.", {"content": "x"}, None, "/parts/1"),
    _part("result-and-error", "A call that says that it failed has no result.", {**FAILED, "result": 1}, FAILED,
        "/parts/1/result"),
    _part("translation", "One bad translation costs no other.",
        _policy(message_translations={"de": {"message": "Nein."}, "e_n": {"message": "No."}, "fr": {"message": 5}}),
        _policy(message_translations={"de": {"message": "Nein."}}),
        "/parts/1/policy/message_translations/e_n", "/parts/1/policy/message_translations/fr"),
    _part("integer-in-a-translation", "What is not known in a policy is read as everybody reads it, or not at all.",
        _policy(message_translations={"de": {"message": "Nein.", "kind": 2**60}}),
        _policy(message_translations={"de": {"message": "Nein."}}),
        "/parts/1/policy/message_translations/de/kind"),
    _part("entry-of-data", "One key that is none of a domain costs itself.",
        _policy(data={"order_id": 5, "com.example.order": 5}), _policy(data={"com.example.order": 5}),
        "/parts/1/policy/data/order_id"),
    _part("payee-label", "A label of an offer costs itself.",
        _policy(**{**_PAYMENT, "accepted_payments": [{**_PAYMENT["accepted_payments"][0], "label": 5}]}),
        _policy(**_PAYMENT), "/parts/1/policy/accepted_payments/0/label"),
    _part("offer", "Where money is named, one bad offer costs the policy.",
        _policy(**{**_PAYMENT, "accepted_payments": [*_PAYMENT["accepted_payments"], {"scheme": "x402.exact"}]}), None,
        "/parts/1"),
    _part("state", "A state that is none costs the policy.", _policy(**{**_PAYMENT, "state": 5}), None, "/parts/1"),
    _part("escaped-pointer", "A pointer escapes the marks that it is made of.", _policy(data={"a/b~c": 5}),
        _policy(data=_NONE), "/parts/1/policy/data/a~1b~0c"),
    _Odd("error-without-code", "A member that is not whole costs itself.", response(PLAIN, error={"message": "x"}),
        response(PLAIN), ("/error",)),
    _Odd("final-and-partial", "The last frame says how it ended.",
        response(PLAIN, status="partial", streaming={"stream_id": "s", "seq": 1, "final": True}),
        response(PLAIN, status="partial"), ("/streaming",)),
    _Odd("call-twice", "Of two calls of one id the first counts.", response(call(), PLAIN, call(args=[])),
        response(call(), PLAIN), ("/parts/2",)),
    _Odd("call-twice-after-odd-parts", "A pointer names the place that the sender knows.",
        response(5, call(), None, call(args=[])), response(call()), ("/parts/0", "/parts/2", "/parts/3")),
    _Odd("unknown-member-too-deep", "What is not known costs itself, too.",
        response({**PLAIN, "x": json.loads("[" * 100 + "]" * 100)}), response(PLAIN), ("/parts/0/x",), "SHOULD"),
)  # fmt: skip


def odd() -> Iterator[Case]:
    """What is read."""
    for one in (*_SPELLINGS, *_ODD):
        unit, notes = {"annotation": _annotation(one)}, ["member-dropped"] * len(one.left_out)
        more: Case = {"value": one.read, "diagnostics": notes, "level": one.level, "flags": ["trace"]}
        yield row(f"trace/odd/{one.name}", "R54", one.why, unit, **more)
    yield row(
        "trace/odd/integer-beyond-doubles",
        "NM 3.2",
        "An integer that no double holds is as little a number of JSON as one with an exponent.",
        {"annotation": compact(response(call(args="@"))).decode().replace('"@"', "1" * 400)},
        rejected={"code": "trace-malformed"},
        level="SHOULD",
        flags=["trace", "attack"],
    )


def left_out() -> Iterator[Case]:
    """What is not read."""
    for one in (_SPELLINGS[0], *_ODD):
        notes = [{"code": "member-dropped", "at": at} for at in one.left_out]
        unit = {"annotation": _annotation(one)}
        yield row(f"trace/left-out/{one.name}", "R54", one.why, unit, value=notes, level=one.level, flags=["trace"])
    many = response(*[5] * 101)
    value = [{"code": "diagnostics-omitted", "at": ""}]
    value += [{"code": "member-dropped", "at": at} for at in sorted(f"/parts/{index}" for index in range(100))]
    why = "A hostile trace makes no more than a hundred diagnostics, and it is said that there were more."
    yield row("trace/left-out/more-than-a-hundred", "R54", why, {"annotation": link(many)}, value=value, level="SHOULD")


def _annotation(one: _Odd) -> str:
    """An address, or the JSON itself: every other one."""
    return link(one.sent) if len(one.name) % 2 else compact(one.sent).decode()


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_trace_odd.py; change that."
    yield "trace", "odd", "trace.read", note, list(odd())
    yield "trace", "left-out", "trace.left_out", note, list(left_out())
