"""What `decode` leaves out where it may, and what it never does."""

from __future__ import annotations

import pytest

from mentionable import (
    ArtifactPart,
    DecodeError,
    Diagnostic,
    FilePart,
    HistoricalMessage,
    NormalizedResponse,
    Part,
    SenderProfile,
    TextPart,
    ToolCallPart,
    decode,
    decode_leniently,
    decode_trusted,
    encode,
)
from mentionable._model.always_strict import EXACT, STRICT
from mentionable._model.base import UNSET
from mentionable._model.diagnostic import MAX_PROBLEMS
from mentionable._model.policy import ConsentRequired, PaymentRequired, PolicyPart, Unauthorized
from mentionable._wire.strict_json import VALUE_DEPTH
from tests.packages import ROOT

PAYMENT = {
    "kind": "payment_required",
    "message": "Pay.",
    "accepted_payments": [{"scheme": "x402.exact", "payload": {"amount": "1"}, "label": "Pay"}],
    "state": "s" * 22,
    "code": "c",
}
CONSENT = {"kind": "consent_required", "message": "May I?", "state": "s", "return_to": "https://a.example/"}
REF = {"kind": "inline", "data_base64": ""}


def lenient(form, data):
    value, diagnostics = decode_leniently(form, data)
    assert all(one.code == "member-dropped" for one in diagnostics)
    return value, [(one.at, one.detail) for one in diagnostics]


@pytest.mark.parametrize("read", [decode, decode_trusted, lambda form, data: lenient(form, data)[0]])
def test_null_for_an_optional_member_is_its_absence(read):
    file = {"kind": "file", "mime": "image/PNG", "bytes_ref": REF, "name": None, "size_bytes": None}
    assert encode(read(FilePart, file)) == {"kind": "file", "mime": "image/png", "bytes_ref": REF}


def test_null_stays_where_it_means_something():
    call = decode(ToolCallPart, {"kind": "tool_call", "id": "a", "name": "b", "args": None, "result": None})
    assert (call.args, call.result, call.state) == (None, None, "ok")


def test_a_whole_number_may_come_as_a_float():
    assert decode(FilePart, {"kind": "file", "mime": "a/b", "bytes_ref": REF, "size_bytes": 3.0}).size_bytes == 3
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": 1, "duration_ms": 3.0}
    assert encode(decode(ToolCallPart, call))["duration_ms"].__class__ is float
    assert encode(decode(ToolCallPart, {**call, "duration_ms": 3}))["duration_ms"].__class__ is int


def test_a_member_that_does_not_fit_costs_itself():
    part = {"kind": "link", "url": "https://a.example/", "title": 5, "description": "d"}
    assert lenient(Part, part)[1] == [("/title", "expected a string, not a number")]


def test_what_is_left_out_is_noted_once_with_its_first_fault():
    profile = {"display_name": "A", "avatar": {"url": "data:,x", "width": "5"}}
    value, notes = lenient(SenderProfile, profile)
    assert value == SenderProfile(display_name="A")
    assert notes == [("/avatar", "/url: expected an http or https URL")]


def test_notes_of_inner_members_name_the_whole_way():
    _, notes = lenient(tuple[Part, ...], [{"kind": "file", "mime": "a/b", "bytes_ref": REF, "name": 5}])
    assert [at for at, _ in notes] == ["/0/name"]


def test_a_part_that_does_not_fit_costs_itself():
    parts = [{"kind": "link", "url": "mailto:a@b.example"}, {"kind": "text", "mime": "text/plain", "content": "hi"}, 5]
    value, notes = lenient(tuple[Part, ...], parts)
    assert value == (TextPart(content="hi"),)
    assert [at for at, _ in notes] == ["/0", "/2"]


@pytest.mark.parametrize("mime", ["text/x", 5, None])
def test_text_of_another_type_is_plain_text(mime):
    assert lenient(Part, {"kind": "text", "mime": mime, "content": "hi"})[0] == TextPart(content="hi")
    assert lenient(Part, {"kind": "text", "content": "hi"}) == (TextPart(content="hi"), [("/mime", "required")])
    with pytest.raises(DecodeError):
        decode(Part, {"kind": "text", "content": "hi"})


def test_bytes_of_no_type_are_bytes():
    assert lenient(Part, {"kind": "artifact", "mime": "x", "bytes_ref": REF})[0].mime == "application/octet-stream"
    assert isinstance(lenient(Part, {"kind": "artifact", "mime": "x", "bytes_ref": REF})[0], ArtifactPart)


def test_an_entry_that_does_not_fit_costs_itself():
    words = {"de": {"message": "Nein"}, "fr": {"message": " "}, "e_n": {"message": "no"}}
    data = {"com.example.a": 1, "order_id": 5, "org.example.b": 2**60}
    policy = {"kind": "forbidden", "message": "No", "message_translations": words, "data": data, "x": 2**60, "y": 1}
    value, notes = lenient(PolicyPart, policy)
    assert list(value.message_translations) == ["de"]
    assert (value.data, value.extra) == ({"com.example.a": 1}, {"y": 1})
    places = ["/message_translations/fr", "/message_translations/e_n", "/data/order_id", "/data/org.example.b", "/x"]
    assert [at for at, _ in notes] == places


def test_names_that_differ_in_case_alone_cost_the_later_ones():
    words = {"de": {"message": "a"}, "DE": {"message": "b"}}
    value, notes = lenient(PolicyPart, {"kind": "forbidden", "message": "No", "message_translations": words})
    assert list(value.message_translations) == ["de"]
    assert [at for at, _ in notes] == ["/message_translations/DE"]


def test_parameters_of_challenges_cost_themselves():
    challenges = [{"scheme": "Bearer", "params": {"realm": "a", "b c": "x", "d": "\n"}}, {"scheme": "a b"}]
    value, notes = lenient(Unauthorized, {"kind": "unauthorized", "message": "Who?", "auth_challenges": challenges})
    assert [(one.scheme, one.params) for one in value.auth_challenges] == [("Bearer", {"realm": "a"})]
    assert [at for at, _ in notes] == ["/auth_challenges/0/params/b c", "/auth_challenges/0/params/d",
                                       "/auth_challenges/1"]  # fmt: skip


def test_a_label_of_a_payment_costs_itself():
    payments = [{**PAYMENT["accepted_payments"][0], "label": 5}]
    value, notes = lenient(PolicyPart, {**PAYMENT, "accepted_payments": payments, "code": None})
    assert (len(value.accepted_payments), value.accepted_payments[0].label, value.code) == (1, None, None)
    assert [at for at, _ in notes] == ["/accepted_payments/0/label"]


@pytest.mark.parametrize(
    ("policy", "at"),
    [
        ({**PAYMENT, "state": 5}, "/state"),
        ({**PAYMENT, "accepted_payments": [*PAYMENT["accepted_payments"], 5]}, "/accepted_payments/1"),
        ({**PAYMENT, "accepted_payments": [{"scheme": 5, "payload": {}}]}, "/accepted_payments/0/scheme"),
        ({**PAYMENT, "accepted_payments": [{"scheme": "a", "payload": 5}]}, "/accepted_payments/0/payload"),
        ({**PAYMENT, "accepted_payments": []}, ""),
        ({**CONSENT, "state": None}, "/state"),
        ({**CONSENT, "return_to": "http://a.example/"}, "/return_to"),
        ({**CONSENT, "message": 5}, "/message"),
    ],
)
def test_money_and_state_stay_strict(policy, at):
    with pytest.raises(DecodeError) as caught:
        decode_leniently(PolicyPart, policy)
    assert [problem.at for problem in caught.value.problems] == [at]
    parts = [{"kind": "text", "mime": "text/plain", "content": "hi"}, {"kind": "policy", "policy": policy}]
    value, notes = lenient(tuple[Part, ...], parts)
    assert (value, [place for place, _ in notes]) == ((TextPart(content="hi"),), ["/1"])


def test_a_null_state_of_a_payment_is_none():
    assert decode(PaymentRequired, {**PAYMENT, "state": None}).state is None
    assert decode(ConsentRequired, {**CONSENT, "data": None}).data is None


def test_a_turn_that_does_not_fit_costs_itself():
    turn = {"role": "user", "sender": {"address": "@a@b.example"}, "parts": [], "timestamp": "2026-11-21T20:56:00Z"}
    value, notes = lenient(tuple[HistoricalMessage, ...], [turn, {**turn, "sender": {"address": "a"}}])
    assert (len(value), notes) == (1, [("/1", "/sender/address: expected a canonical address @local@domain")])


def test_a_result_beside_an_error_is_left_out():
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": 1, "result": None, "error": {"message": "no"}}
    value, notes = lenient(NormalizedResponse, {"reply_to": "m", "status": "ok", "parts": [call, {**call, "id": "c"}]})
    assert [part.state for part in value.parts] == ["failed", "failed"]
    assert [at for at, _ in notes] == ["/parts/0/result", "/parts/1/result"]


def test_a_call_that_comes_again_costs_itself():
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": 1}
    value, notes = lenient(NormalizedResponse, {"reply_to": "m", "status": "ok", "parts": [call, call, call]})
    assert (len(value.parts), [at for at, _ in notes]) == (1, ["/parts/1", "/parts/2"])


def test_a_call_that_comes_again_is_named_where_it_came_in():
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": 1}
    response = {"reply_to": "m", "status": "ok", "parts": [5, call, {"kind": "text"}, call, 7, call]}
    value, notes = lenient(NormalizedResponse, response)
    assert len(value.parts) == 1
    assert [at for at, _ in notes] == ["/parts/0", "/parts/2", "/parts/4", "/parts/3", "/parts/5"]


def test_the_notes_of_one_value_are_bounded():
    value, notes = decode_leniently(tuple[Part, ...], [5] * 500)
    assert value == ()
    assert len(notes) == MAX_PROBLEMS + 1
    assert (notes[-1].code, notes[-1].detail) == ("diagnostics-omitted", "400 more members do not fit")


def test_a_value_that_is_too_deep_for_any_wire_costs_itself():
    deep = 5
    for _ in range(VALUE_DEPTH + 1):
        deep = [deep]
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": deep}
    value, notes = lenient(tuple[Part, ...], [call, {**call, "args": 1}])
    assert ([part.args for part in value], notes) == (
        [1],
        [("/0", "/args: expected JSON: nested too deeply for JSON")],
    )


def test_members_that_are_too_deep_cost_themselves_known_or_not():
    deep = 5
    for _ in range(VALUE_DEPTH + 1):
        deep = [deep]
    call = {"kind": "tool_call", "id": "a", "name": "b", "args": 1, "result": deep, "x": deep, "y": 2}
    value, notes = lenient(ToolCallPart, call)
    assert (value.result, value.extra) == (UNSET, {"y": 2})
    assert sorted(at for at, _ in notes) == ["/result", "/x"]


def test_a_record_without_members_of_other_versions_is_written_too():
    note = {"code": "member-dropped", "at": "/a", "detail": "b", "temporary": False}
    assert encode(Diagnostic(**note)) == note


@pytest.mark.parametrize("wrong", [{"display_name": None}, []])
def test_the_whole_must_have_its_form(wrong):
    with pytest.raises(DecodeError):
        decode_leniently(TextPart, wrong)


def test_the_documentation_lists_what_stays_strict():
    rows = [
        f"| `{cls.__name__}` | {' '.join(f'`{name}`' for name in sorted(names))} |"
        for cls, names in sorted(STRICT.items(), key=lambda item: item[0].__name__)
    ]
    exact = " ".join(f"`{name}`" for name in sorted(cls.__name__ for cls in EXACT))
    table = "\n".join([*rows, f"| {exact} | all, and `null` is a fault too |"])
    assert table in (ROOT / "docs" / "security.md").read_text()
