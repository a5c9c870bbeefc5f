"""One odd member costs itself, in every carrier (R54). `odd_members` makes the values, and one odd member at a time."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from functools import lru_cache
from operator import attrgetter
from typing import get_args, get_origin

import pytest

from mentionable import (
    Answers,
    CarriedPolicy,
    HistoricalMessage,
    HttpResponse,
    NormalizedResponse,
    Part,
    PushBackHint,
    RecipientCapabilities,
    Rejected,
    TextPart,
    a2a,
    decode,
    decode_trusted,
    drive,
    encode,
    policy,
    replace,
    trace,
)
from mentionable._model.base import UNSET
from mentionable._wire.strict_json import pointer
from mentionable.policy._rest import from_http, to_http
from mentionable.rest import Field, result
from tests.a2a.questions import FACTS
from tests.activitypub.servers import World, create, note, taken
from tests.mail.receiving import receive as receive_mail
from tests.mail.test_parts import mail, multipart, part
from tests.mail.test_trace_part import trace_part
from tests.odd_members import class_of, mutations, odd_roots, optional_in, put, samples
from tests.rest.asking import NOW, as_json, message, take

AGENT = "agents.example"
CAPABILITIES = "recipient_capabilities"
HINTS = "/message/metadata/mentionable"

# -- carriers: JSON → what arrived, as JSON, and the notes


def rest(name, read):
    def carry(data):
        got = take("plain", as_json(name, data), Field("session", "s1"))
        return encode(read(got.message)), got.diagnostics

    return carry


def a2a_beside(name, read):
    def carry(data):
        unit = {"messageId": "q1", "contextId": "c1", "role": "ROLE_USER", "parts": [{"text": "Hi"}]}
        unit["metadata"] = {"mentionable": {name: data}}
        got = drive(a2a.receive({"message": unit}, **FACTS), Answers())
        return encode(read(got.message)), got.diagnostics

    return carry


def turns(message):
    return message.history or ()


def demanded(message):
    return next((one.policy for one in message.parts if isinstance(one, CarriedPolicy)), None)


def a2a_policy(data):
    said = {"messageId": "a1", "contextId": "c1", "taskId": "t1", "role": "ROLE_AGENT", "parts": [{"text": "Hi"}]}
    said["metadata"] = {"mentionable": {"policy": data}}
    unit = {"id": "t1", "contextId": "c1", "status": {"state": "TASK_STATE_INPUT_REQUIRED", "message": said}}
    got = drive(a2a.receive(unit, **FACTS, caller=a2a.RemoteAgent(address="@helper@agents.example")), Answers())
    return encode(demanded(got.message)), got.diagnostics


def mail_policy(data):
    head = b"From: Helper <helper@agents.example>\r\nMessage-ID: <m@agents.example>\r\nX-Mentionable-Policy: "
    got = receive_mail(head + b64encode(json.dumps(data).encode()) + b"\r\n\r\nHi\r\n")
    return encode(demanded(got.message)), got.diagnostics


def activitypub_policy(data):
    got = taken(World().receive(create(note(mentionablePolicy=moved(data, AGENT, "social.example")))))
    return moved(encode(demanded(got.message)), "social.example", AGENT), got.diagnostics


def moved(data, host, to):
    return json.loads(json.dumps(data).replace(f"//{host}", f"//{to}"))


def http_policy(data):
    whole = to_http(decode_trusted(policy.PolicyPart, samples(class_of(policy.PolicyPart, data))[0]))
    problem = {name: json.loads(whole.body)[name] for name in ("type", "status", "detail")}
    response = replace(whole, body=json.dumps({**problem, **data}).encode())
    found = from_http(response, authority="agents.example", now=NOW)
    if isinstance(found, Rejected):
        return None, found.problems
    return encode(found.policy), found.diagnostics


def activitypub_trace(data):
    written = trace.write(NormalizedResponse(reply_to="m", parts=()))
    payload = urlsafe_b64encode(json.dumps(moved(data, AGENT, "social.example")).encode()).decode().rstrip("=")
    anchor = written.html.replace(written.href.partition("#")[2], payload)
    got = taken(World().receive(create(note(content=f"<p>Hi</p><p>{anchor}</p>"))))
    return moved(encode(got.message.received_trace), "social.example", AGENT), got.diagnostics


def mail_trace(data):
    body = json.dumps(moved(data, AGENT, "a.example")).encode()
    got = receive_mail(mail(multipart("alternative", part("text/plain", "p"), trace_part(body))))
    return moved(encode(got.message.received_trace), "a.example", AGENT), got.diagnostics


def rest_answer(data):
    body = json.dumps(data).encode()
    response = HttpResponse(status=200, headers=(("content-type", "application/json"),), body=body)
    got = result(response, to=message(TextPart(content="Hi")))
    if isinstance(got, Rejected):
        return None, got.problems
    return encode(got.response), got.diagnostics


CARRIERS = {
    "rest-parts": (rest("parts", attrgetter("parts")), tuple[Part, ...], "/fields/1"),
    "rest-history": (rest("history", turns), tuple[HistoricalMessage, ...], "/fields/1"),
    "rest-capabilities": (rest(CAPABILITIES, attrgetter(CAPABILITIES)), RecipientCapabilities, "/fields/1"),
    "a2a-history": (a2a_beside("history", turns), tuple[HistoricalMessage, ...], f"{HINTS}/history"),
    "a2a-capabilities": (
        a2a_beside(CAPABILITIES, attrgetter(CAPABILITIES)), RecipientCapabilities, f"{HINTS}/{CAPABILITIES}"
    ),
    "activitypub-trace": (activitypub_trace, NormalizedResponse, "/object/content"),
    "mail-trace": (mail_trace, NormalizedResponse, "/body_parts/1"),
    "a2a-policy": (a2a_policy, policy.PolicyPart, "/status/message/metadata/mentionable/policy"),
    "mail-policy": (mail_policy, policy.PolicyPart, "/headers/x-mentionable-policy"),
    "activitypub-policy": (activitypub_policy, policy.PolicyPart, "/object/mentionablePolicy"),
    "http-policy": (http_policy, policy.PolicyPart, ""),
    "rest-answer": (rest_answer, NormalizedResponse, ""),
}  # fmt: skip
"""Name → how it is read, what it carries, and where that stands."""

COUNTS = {
    "rest-parts": 213,
    "rest-history": 607,
    "rest-capabilities": 77,
    "a2a-history": 607,
    "a2a-capabilities": 77,
    "activitypub-trace": 558,
    "mail-trace": 558,
    "a2a-policy": 260,
    "mail-policy": 260,
    "activitypub-policy": 260,
    "http-policy": 260,
    "rest-answer": 223,
}
"""Name → odd members that are tried, at least."""


NOT_CARRIED = {
    "rest-parts": {CarriedPolicy},
    "rest-answer": {
        *(CarriedPolicy, PushBackHint),
        *((NormalizedResponse, "streaming"), (NormalizedResponse, "push_back")),
    },
}
"""Name → classes and members that have no place there."""


def whole(name):
    """The values to make odd."""
    found = samples(CARRIERS[name][1])
    if name == "rest-parts":  # there a demand is answered, not asked
        return [[one for one in found[0] if one["kind"] != "policy"]]
    if name == "rest-answer":  # one that cannot be read fails the answer; and one answer has no place in a stream
        failed = {"reply_to": "m1", "status": "error", "error": found[0]["error"]}
        return [{**failed, "parts": [one for one in found[0]["parts"] if one["kind"] != "policy"]}]
    return found


def canonical(form, data):
    """What arrives of JSON in which nothing is odd."""
    return _canonical(form, json.dumps(data))


@lru_cache(16)
def _canonical(form, data):
    return json.dumps(encode(decode(form, data)), sort_keys=True)


def expected(data, one, form, prefix):
    """What arrives where one member is odd, and the places of the notes."""
    if one.lost == ():
        return "null", [prefix + pointer(*one.place)]
    if one.lost is None:
        return canonical(form, put(data, one.place, one.instead)), []
    return canonical(form, put(data, one.lost, one.instead)), [prefix + pointer(*one.lost)]


@pytest.mark.parametrize(("name", "least"), COUNTS.items(), ids=[f"{name}-{n}" for name, n in COUNTS.items()])
def test_an_odd_member_costs_itself_and_is_named_once(name, least):
    carry, form, prefix = CARRIERS[name]
    tried = 0
    for data in whole(name):
        arrived, usual = carry(data)
        assert json.dumps(arrived, sort_keys=True) == canonical(form, data)
        assert {note.code for note in usual} <= {"thread-from-context"}
        for one in mutations(form, data, (), ()):
            arrived, notes = carry(put(data, one.place, one.odd))
            odd = [note.at for note in notes if note not in usual]
            assert (json.dumps(arrived, sort_keys=True), odd) == expected(data, one, form, prefix), one
            tried += 1
    print(f"{name}: {tried} odd members")
    assert tried >= least


ROOTS = {
    "activitypub-trace": 12,
    "mail-trace": 12,
    "a2a-policy": 55,
    "mail-policy": 55,
    "activitypub-policy": 55,
    "http-policy": 47,
}
"""Name → odd members that a carrier must have, and that are tried, at least."""


def instead_of(name, data):
    """What arrives in place of a carrier that is none: nothing, or the demand that the status of HTTP stands for."""
    kind = data.get("kind")
    return None if name != "http-policy" or kind in ("payment_required", "consent_required") else kind


@pytest.mark.parametrize(("name", "least"), ROOTS.items(), ids=[f"{name}-{n}" for name, n in ROOTS.items()])
def test_a_carrier_without_what_it_must_have_costs_itself_and_names_the_place(name, least):
    """The message arrives: each `carry` reads it, and would fail without it."""
    carry, form, prefix = CARRIERS[name]
    tried = 0
    for data in whole(name):
        if name == "http-policy" and data["kind"] not in policy_kinds():
            continue  # any JSON that has a kind: no policy, and its status says what is demanded
        _, usual = carry(data)
        for one in odd_roots(form, data):
            arrived, notes = carry(put(data, one.place, one.odd))
            assert (arrived or {}).get("kind") == instead_of(name, data), one
            assert [note.at for note in notes if note not in usual] == [prefix + pointer(*one.place)], one
            tried += 1
    print(f"{name}: {tried} odd members")
    assert tried >= least


def policy_kinds():
    return {getattr(one, "kind", None) for one in get_args(policy.PolicyPart)}


def test_every_carrier_that_is_one_value_is_tried():
    values = {name for name, (_, form, _) in CARRIERS.items() if get_origin(form) is not tuple}
    fall_back = {"rest-capabilities", "a2a-capabilities"}  # see FALLS
    assert values - fall_back - set(ROOTS) == {"rest-answer"}


@pytest.mark.parametrize("name", ["parts", "status"])
def test_an_answer_without_what_it_must_have_is_refused_with_the_place(name):
    (data,) = whole("rest-answer")
    for one in odd_roots(NormalizedResponse, data):
        if one.place == (name,) and not (name == "status" and one.odd is UNSET):  # which is `ok` where it is not said
            _, notes = rest_answer(put(data, one.place, one.odd))
            assert [note.at for note in notes] == [pointer(name)], one


@pytest.mark.parametrize("name", CARRIERS)
def test_every_optional_member_is_made_odd(name):
    """By the classes themselves, so that a member that is new is not forgotten."""
    form = CARRIERS[name][1]
    found = [one for data in whole(name) for one in mutations(form, data, (), ())]
    optional = optional_in(form, set(NOT_CARRIED.get(name, ()))) - NOT_CARRIED.get(name, set())
    assert optional
    assert optional <= {one.of for one in found if one.odd is None}
    assert optional <= {one.of for one in found if one.odd is not None}
