"""Events, effects and presentations as CloudEvents, and CloudEvents as submissions and presentations."""

from __future__ import annotations

import json
from base64 import b64encode
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import (
    DecodeError,
    HttpRequest,
    UsageError,
    WireError,
    anp,
    decode,
    decode_trusted,
    dumps,
    encode,
    replace,
)
from mentionable.anp._cloudevents import CLOUD_EVENT, MAX_BYTES
from tests.anp import events
from tests.anp.events import AT, NOW
from tests.anp.test_presentation import renewed, shown
from tests.linearity import time_grows_linearly

SOURCE = "/hosts/1"
FLAGS = {"address": "USER", "target": "human", "handler": "SYSTEM"}
SUBMITTED = {"content": "Backup failed.", "user_id": "olivia", "routing": FLAGS}
WIRE = {
    "specversion": "1.0",
    "id": "1",
    "source": "/plugins/backup",
    "type": "dev.mentionable.anp.submission",
    "datacontenttype": "application/json",
    "data": SUBMITTED,
}


def made(what: Any, **how: Any) -> anp.CloudEvent:
    return anp.cloud_event(what, source=SOURCE, **how)


def request(body: bytes = b"", **headers: str) -> HttpRequest:
    fields = {name.replace("_", "-"): text for name, text in headers.items()}
    return HttpRequest(method="POST", url="https://agents.example/events", headers=fields, body=body)


def binary(event: anp.CloudEvent) -> HttpRequest:
    return HttpRequest(method="POST", url="https://agents.example/events", headers=event.headers, body=event.body)


def every_effect() -> list[anp.Effect]:
    """Effects of every kind that decisions upon one event have."""
    found: dict[str, anp.Effect] = {}
    decisions = [events.decided(events.submitted(*flags), anp.Route()) for flags in events.ALL]
    decisions.append(events.decided(None, anp.Submit(submission=events.submission("user", "user", "agent"), id="e1")))
    decisions.append(events.decided(events.submitted("user", "user", "system"), anp.Route(), facts=events.BUSY))
    decisions.append(events.decided(events.submitted("session", "user", "agent", depth=3), anp.Route()))
    decisions.append(events.decided(events.submitted(*events.DIRECT[1]), anp.Route(), facts=events.NO_SESSION))
    decisions.append(renewed(events.routed("user", "user", "system", deduplication_key="k")))
    mediated = events.routed("user", "user", "agent")
    decisions.append(events.decided(mediated, anp.Action(name="rm", lease=1)))
    decisions.append(events.decided(mediated, anp.Tick(), now=events.LATER))
    said = anp.CommitTurn(lease=1, acknowledged=True, output="It failed.", narration_id="n1")
    decisions.append(events.decided(mediated, said))
    decisions.append(events.decided(mediated, anp.Abandon(), facts=events.NO_USER))
    for decision in decisions:
        found |= {effect.kind: effect for effect in decision.effects}
    return list(found.values())


EFFECTS = every_effect()


def test_the_effects_here_are_of_every_kind():
    assert {effect.kind for effect in EFFECTS} == {cls.kind for cls in anp.Effect.__args__}


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.kind)
def test_an_effect_says_which_one_it_is_and_comes_back(effect):
    event = made(effect, at=NOW)
    assert (event.type, event.subject, event.time) == (f"dev.mentionable.anp.{effect.kind}", effect.id, AT)
    assert event.datacontenttype == "application/json"
    assert decode_trusted(type(effect), event.data) == effect
    assert anp.read_cloud_event(dumps(event)) == event
    assert anp.read_cloud_event(binary(event)) == event


def test_an_event_as_it_is_stored_comes_back_with_the_time_of_its_change():
    record = events.escalated("session", "user", "agent")
    event = made(record)
    assert (event.type, event.time) == ("dev.mentionable.anp.notification", record.changed_at)
    assert anp.read_notification(anp.read_cloud_event(dumps(event)).data) == record
    assert made(record, at=NOW).time == AT


def test_the_same_has_the_same_id_and_anything_else_another():
    record = events.routed("user", "user", "system", deduplication_key="k")
    present = EFFECTS[0]
    kinds = [record, shown(), *EFFECTS]
    versions = [replace(record, version=9), shown(revision=2), shown(lease=2), shown(cut=("metadata",))]
    others = [*versions, replace(present, id="e2"), *(replace(one, revision=5) for one in EFFECTS)]
    ids = [made(what).id for what in (*kinds, *others)]
    assert len(set(ids)) == len(ids)
    assert ids[: len(kinds)] == [made(what, at=NOW).id for what in kinds]


def deep(levels: int) -> Any:
    found: Any = 1
    for _ in range(levels):
        found = {"a": found}
    return found


@pytest.mark.parametrize("levels", [1, 63])
def test_whatever_a_plugin_could_submit_goes_out(levels):
    given = anp.read_submission({**SUBMITTED, "metadata": deep(levels)})
    assert anp.submission_of(anp.read_cloud_event(dumps(made(given, id="s-1")))) == given


@pytest.mark.parametrize("levels", [94, 95, 96])
def test_whatever_a_client_could_be_shown_goes_out(levels):
    event = made(shown(metadata=deep(levels)))
    assert (event.data is None) is (levels > 95)
    assert anp.presentation_of(anp.read_cloud_event(binary(event))) == shown(metadata=deep(levels))


def test_integers_of_any_size_come_back():
    event = made(shown(metadata={"a": 2**60}))
    assert anp.presentation_of(anp.read_cloud_event(dumps(event))) == shown(metadata={"a": 2**60})


def test_another_id_can_be_given():
    assert made(shown(), id="reconnect-1").id == "reconnect-1"


def test_an_event_whose_id_no_attribute_can_hold_is_named_in_the_data_alone():
    event = made(shown(id="a\nb"))
    assert (event.subject, event.data["id"]) == (None, "a\nb")


def test_a_submission_makes_the_whole_way():
    given = events.submission("session", "user", "agent", metadata={"urgency": "high"})
    event = made(given, id="s-1", at=NOW)
    assert (event.id, event.subject, event.time) == ("s-1", None, AT)
    assert anp.submission_of(anp.read_cloud_event(binary(event))) == given


@pytest.mark.parametrize(
    ("what", "how", "words"),
    [
        (anp.Tick(), {}, "expected an effect"),
        (anp.Seen(id="e1", revision=1, lease=1, surface="inbox", is_whole=True), {}, "expected an effect"),
        ("e1", {}, "expected an effect"),
        (events.submission("user", "user", "system"), {}, "needs an id"),
        (shown(), {"source": "no reference"}, "URI reference"),
        (shown(), {"source": "/a#b#c"}, "URI reference"),
        (shown(), {"source": ""}, "URI reference"),
        (shown(), {"at": "now"}, "at must be"),
        (shown(), {"at": NOW.replace(tzinfo=None)}, "aware"),
    ],
)
def test_mistakes_of_the_program_are_named(what, how, words):
    with pytest.raises(UsageError, match=words):
        anp.cloud_event(what, **{"source": SOURCE, **how})


@pytest.mark.parametrize("source", ["/a", "urn:a:b", "https://a.example:1/b?c=d#e", "a%20b", "#a", "http://[::1]/"])
def test_every_uri_reference_can_be_a_source(source):
    assert anp.cloud_event(shown(), source=source).source == source


def test_two_kinds_of_data_exclude_each_other():
    with pytest.raises(UsageError, match="exclude"):
        anp.CloudEvent(id="1", source="/a", type="a", data={}, data_base64="AA==")


# -- reading


def test_a_plugin_submits_in_any_spelling():
    event = anp.read_cloud_event({**WIRE, "subject": None, "traceparent": "00-1", "sampled": True, "count": -(2**31)})
    found = anp.submission_of(event)
    assert found == anp.read_submission(SUBMITTED)
    assert event.extra == {"traceparent": "00-1", "sampled": True, "count": -(2**31)}
    assert anp.read_cloud_event(json.dumps(WIRE)) == anp.read_cloud_event(json.dumps(WIRE, indent=1).encode())


def test_what_is_transmitted_twice_is_submitted_once():
    event = anp.read_cloud_event(WIRE)
    command = anp.Submit(submission=anp.submission_of(event), id=event.key)
    record = events.decided(None, command).record
    assert events.refusal(record, command) == "already-submitted"
    keys = {anp.read_cloud_event({**WIRE, **other}).key for other in ({"id": "2"}, {"source": "/b"}, {"time": AT})}
    assert (len(keys), event.key in keys) == (3, True)


def test_the_host_says_whose_it_is_and_what_led_to_it():
    event = anp.read_cloud_event({**WIRE, "data": {"content": "x", "routing": FLAGS}})
    cause = events.routed("user", "agent", "agent")
    found = anp.submission_of(event, user_id="olivia", cause=cause)
    assert (found.user_id, found.causation_id, found.depth) == ("olivia", "e1", 1)


BINARY = {
    "ce_specversion": "1.0",
    "ce_id": "1",
    "ce_source": "/plugins/backup",
    "ce_type": "dev.mentionable.anp.submission",
    "content_type": "Application/JSON; charset=utf-8",
}
BODY = json.dumps(SUBMITTED).encode()


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        ("Euro%20%E2%82%AC%20%F0%9F%98%80", "Euro € 😀"),
        ('"a \\"b\\" c%25"', 'a "b" c%'),
        (" a+b ", "a+b"),
        (' "a b" ', "a b"),
        ("%zz", "%zz"),
    ],
)
def test_header_fields_are_decoded(header, subject):
    found = anp.read_cloud_event(request(BODY, **BINARY, ce_subject=header))
    assert (found.subject, anp.submission_of(found).content) == (subject, "Backup failed.")


@pytest.mark.parametrize("media_type", ["application/cloudevents+json", " Application/CloudEvents+JSON; charset=UTF-8"])
def test_structured_mode_is_told_by_the_media_type(media_type):
    found = anp.read_cloud_event(request(json.dumps(WIRE).encode(), content_type=media_type, ce_id="ignored"))
    assert found == anp.read_cloud_event(WIRE)


def test_extensions_go_by_header_fields_too():
    extra = {"traceparent": "00-ä", "sampled": True, "empty": ""}
    event = replace(made(shown()), extra=extra)
    assert event.headers["ce-sampled"] == "true"
    assert event.headers["ce-traceparent"] == "00-%C3%A4"
    assert all(text.isascii() and text.isprintable() for text in event.headers.values())
    assert anp.read_cloud_event(binary(event)).extra == {**extra, "sampled": "true"}


@pytest.mark.parametrize(("number", "integer"), [(2.0, 2), (-0.0, 0), (-(2.0**31), -(2**31))])
def test_an_extension_may_write_an_integer_as_any_number(number, integer):
    event = anp.read_cloud_event({**WIRE, "hops": number, "data": number})
    assert type(event.extra["hops"]) is int
    assert event.extra["hops"] == integer
    assert type(event.data) is float


@pytest.mark.parametrize("number", [2.5, 2.0**31, -(2.0**31) - 1, 1e300])
def test_an_extension_is_no_other_number(number):
    with pytest.raises(DecodeError):
        anp.read_cloud_event({**WIRE, "hops": number})


@pytest.mark.parametrize(("kind", "body"), [("text/plain", b"\xff"), ("", b"{}"), ("application/json", b"")])
def test_what_is_no_json_stays_as_bytes(kind, body):
    fields = {**BINARY, "content_type": kind}
    if not body:
        with pytest.raises(WireError, match="/data: not JSON"):
            anp.read_cloud_event(request(body, **fields))
        return
    found = anp.read_cloud_event(request(body, **{name: text for name, text in fields.items() if text}))
    assert (found.data, found.data_base64) == (None, b64encode(body).decode())
    assert (found.body, found.headers.get("content-type", "")) == (body, kind)


def test_a_body_may_be_as_long_as_the_limit_says():
    assert anp.submission_of(anp.read_cloud_event(request(BODY.ljust(MAX_BYTES), **BINARY))).user_id == "olivia"
    whole = json.dumps(WIRE).encode().ljust(MAX_BYTES)
    assert anp.read_cloud_event(whole) == anp.read_cloud_event(WIRE)


def test_an_event_may_have_no_data():
    found = anp.read_cloud_event(request(**{name: text for name, text in BINARY.items() if name != "content_type"}))
    assert (found.data, found.data_base64, found.datacontenttype, found.body) == (None, None, None, b"")


@pytest.mark.parametrize("members", [{"data": {"a": 1}}, {"data_base64": "/w=="}, {}])
def test_binary_mode_keeps_data_of_no_type_what_it_is(members):
    event = anp.CloudEvent(id="1", source="/disks", type="com.example.full", **members)
    found = anp.read_cloud_event(
        request(event.body, **{name.replace("-", "_"): one for name, one in event.headers.items()})
    )
    assert (found.data, found.data_base64) == (event.data, event.data_base64)
    assert found.datacontenttype == ("application/json" if "data" in members else None)


def test_json_may_come_as_base64():
    wire = {name: member for name, member in WIRE.items() if name != "data"}
    assert (
        anp.submission_of(anp.read_cloud_event({**wire, "data_base64": b64encode(BODY).decode()})).user_id == "olivia"
    )
    del wire["datacontenttype"]
    assert anp.submission_of(anp.read_cloud_event({**wire, "data": SUBMITTED})).user_id == "olivia"


@pytest.mark.parametrize("cls", [anp.Present, anp.Update])
def test_effects_that_show_something_are_presentations(cls):
    effect = next(one for one in EFFECTS if isinstance(one, cls))
    assert anp.presentation_of(anp.read_cloud_event(dumps(made(effect)))) == anp.presentation(effect)


def refused(given: Any, read: Any = anp.read_cloud_event) -> str:
    """The code of a refusal, and where the first fault is."""
    with pytest.raises(WireError) as caught:
        read(given)
    return f"{caught.value.code} {caught.value.problems[0].at}".strip()


@pytest.mark.parametrize(
    ("wire", "why"),
    [
        (b"", "invalid-json"),
        (b"\xff", "not-utf8"),
        ("\ud800", "not-utf8"),
        (b"[]", "malformed"),
        (b"null", "malformed"),
        (b'{"id": "1", "id": "2"}', "duplicate-member"),
        (b"[" * 129 + b"]" * 129, "too-deep"),
        (b" " * (MAX_BYTES + 1), "too-large"),
        ({}, "malformed /id"),
        ({**WIRE, "specversion": "0.3"}, "malformed /specversion"),
        ({**WIRE, "specversion": None}, "malformed /specversion"),
        ({**WIRE, "id": ""}, "malformed /id"),
        ({**WIRE, "id": 1}, "malformed /id"),
        ({**WIRE, "id": "a\nb"}, "malformed /id"),
        ({**WIRE, "id": "a\ufffe"}, "malformed /id"),
        ({**WIRE, "id": "a\U0010ffff"}, "malformed /id"),
        ({**WIRE, "source": ""}, "malformed /source"),
        ({**WIRE, "source": "a b"}, "malformed /source"),
        ({**WIRE, "source": "ä"}, "malformed /source"),
        ({**WIRE, "source": "a%2"}, "malformed /source"),
        ({**WIRE, "source": "a\n"}, "malformed /source"),
        ({**WIRE, "type": []}, "malformed /type"),
        ({**WIRE, "subject": ""}, "malformed /subject"),
        ({**WIRE, "time": "yesterday"}, "malformed /time"),
        ({**WIRE, "time": "2026-11-21T20:56:00"}, "malformed /time"),
        ({**WIRE, "datacontenttype": "json"}, "malformed /datacontenttype"),
        ({**WIRE, "datacontenttype": "text/plain;\r\nx: y"}, "malformed /datacontenttype"),
        ({**WIRE, "data_base64": "AA=="}, "malformed"),
        ({**WIRE, "data": None, "data_base64": "A"}, "malformed /data_base64"),
        ({**WIRE, "Extension": "a"}, "malformed"),
        ({**WIRE, "a_b": "a"}, "malformed"),
        ({**WIRE, "count": 2**31}, "malformed"),
        ({**WIRE, "count": 1.5}, "malformed"),
        ({**WIRE, "list": []}, "malformed"),
        ({**WIRE, "text": "a\x7f"}, "malformed"),
        (request(BODY, **{**BINARY, "ce_id": ""}), "malformed /id"),
        (request(BODY, **{**BINARY, "ce_id": "%ff"}), "malformed /id"),
        (request(BODY, **{**BINARY, "ce_id": "%0A"}), "malformed /id"),
        (request(BODY, **BINARY, ce_data="{}"), "malformed /data"),
        (request(BODY, **BINARY, ce_datacontenttype="text/plain"), "malformed /datacontenttype"),
        (request(BODY, content_type="application/json"), "malformed /id"),
        (request(b"{", **BINARY), "invalid-json /data"),
        (request(b" " * (MAX_BYTES + 1), **BINARY), "too-large"),
        (request(b"[]", content_type="application/cloudevents-batch+json"), "media-type-unsupported"),
        (request(b"<a/>", content_type="application/cloudevents+xml"), "media-type-unsupported"),
        (request(b"[]", content_type=CLOUD_EVENT), "malformed"),
    ],
)
def test_what_is_no_cloud_event_is_refused(wire, why):
    assert refused(wire) == why


def test_a_header_field_that_comes_twice_is_refused():
    fields = [(name.replace("_", "-"), text) for name, text in BINARY.items()]
    twice = HttpRequest(method="POST", url="https://a.example/", headers=[*fields, ("CE-Id", "2")], body=BODY)
    assert refused(twice) == "malformed /id"


@pytest.mark.parametrize("given", [None, 5, [], anp.Tick()])
def test_only_what_can_hold_one_is_read(given):
    with pytest.raises(UsageError, match="expected an HttpRequest"):
        anp.read_cloud_event(given)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"type": "com.example.submission"}, "unknown-value /type"),
        ({"datacontenttype": "text/plain"}, "media-type-unsupported /datacontenttype"),
        ({"data": None}, "malformed /data"),
        ({"data": "text"}, "malformed /data"),
        ({"data": [SUBMITTED]}, "malformed /data"),
        ({"data": None, "data_base64": "AAAA"}, "invalid-json /data_base64"),
        ({"data": None, "data_base64": b64encode(b"[1]").decode()}, "malformed /data"),
        ({"data": {}}, "malformed /data/content"),
        ({"data": {**SUBMITTED, "content": " "}}, "malformed /data/content"),
        ({"data": {**SUBMITTED, "routing": {**FLAGS, "target": "dog"}}}, "malformed /data/routing/target"),
        ({"data": {**SUBMITTED, "user_id": "bob"}}, "malformed /data/user_id"),
        ({"data": {**SUBMITTED, "metadata": deep(64)}}, "malformed /data"),
        ({"data": {**SUBMITTED, "origin": "system"}}, "malformed /data/origin"),
        ({"data": {**SUBMITTED, "depth": 0}}, "malformed /data/depth"),
        ({"data": {**SUBMITTED, "routing": {**FLAGS, "address": "session"}}}, "malformed /data"),
    ],
)
def test_what_is_no_submission_is_refused(change, why):
    event = anp.read_cloud_event({**WIRE, **change})
    assert refused(event, lambda given: anp.submission_of(given, user_id="olivia")) == why


@pytest.mark.parametrize(
    ("what", "change", "why"),
    [
        (shown(), {"type": "dev.mentionable.anp.notification"}, "unknown-value /type"),
        (shown(), {"data": {"id": ""}}, "malformed /data/id"),
        (shown(), {"data": {**encode(shown()), "lease": "1"}}, "malformed /data/lease"),
        (shown(), {"data": {**encode(shown()), "lease": 0}}, "malformed /data/lease"),
        (shown(), {"type": "dev.mentionable.anp.present"}, "malformed /data/kind"),
        (
            renewed(events.routed(*events.MEDIATED[0], deduplication_key="k")).effects[0],
            {},
            "unknown-value /data/channel",
        ),
    ],
)
def test_what_is_no_presentation_is_refused(what, change, why):
    event = decode(anp.CloudEvent, {**encode(made(what)), **change})
    assert refused(event, anp.presentation_of) == why


def test_only_cloud_events_are_looked_into():
    with pytest.raises(UsageError, match="expected a CloudEvent"):
        anp.presentation_of(WIRE)
    with pytest.raises(UsageError, match="expected a CloudEvent"):
        anp.submission_of(WIRE)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 2**40) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*WIRE, *SUBMITTED, "data_base64", "x"]), JSON, max_size=3), st.booleans())
@settings(max_examples=60)
def test_whatever_comes_ends_in_a_value_or_a_typed_refusal(change, is_inside):
    wire = {**WIRE, "data": {**SUBMITTED, **change}} if is_inside else {**WIRE, **change}
    with suppress(WireError):
        assert isinstance(anp.submission_of(anp.read_cloud_event(wire)), anp.Submission)


@pytest.mark.uncounted
def test_long_attributes_are_read_in_linear_time():
    time_grows_linearly(
        lambda wire: refused(wire), lambda size: {**WIRE, "source": "a" * size + "#" * size, "id": "b" * size + "\n"}
    )
    time_grows_linearly(
        lambda text: anp.read_cloud_event(request(**{**BINARY, "ce_subject": text}, body=BODY)),
        lambda size: '"' + "\\a%20" * size + '"',
    )
