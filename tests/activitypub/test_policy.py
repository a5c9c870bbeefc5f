"""A policy in a note."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings

from mentionable import (
    CarriedPolicy,
    Limits,
    NormalizedResponse,
    Settings,
    TextPart,
    WireError,
    activitypub,
    encode,
    policy,
    replace,
)
from mentionable._text.plain_text import clean
from mentionable._wire.canonical_json import canonical_json
from mentionable.activitypub._write.context import context_of
from mentionable.testing import strategies
from tests.activitypub.answering import (
    BASE,
    KEY,
    MESSAGE,
    OBJECTS,
    answer,
    body_of,
    content,
    note_in,
    received,
    with_settings,
)
from tests.activitypub.servers import (
    ALICE,
    AS2,
    NOTE,
    NOW,
    World,
    actor,
    ancestor,
    codes,
    create,
    fetched,
    note,
    refused,
    taken,
)

TERM = "mentionablePolicy"
IRI = "https://mentionable.dev/ns/policy/v0.1#policy"
FULL = "/object/https:~1~1mentionable.dev~1ns~1policy~1v0.1#policy"
CONTEXT = {TERM: {"@id": IRI, "@type": "@json"}}
PAYMENT = policy.PaymentRequired(
    message="Pay 1 €.",
    url="https://agents.example/pay",
    state="s" * 43,
    accepted_payments=(policy.AcceptedPayment(scheme="stripe.checkout", payload={"session_id": "cs_1"}),),
)
DEMAND = CarriedPolicy(policy=PAYMENT)
FORBIDDEN = policy.Forbidden(message="No.", url="https://social.example/why")
VALUE: Any = encode(FORBIDDEN)
TEXT = TextPart(content="<p>Hello</p>", mime="text/html")


def read(document: Any = None, context: Any = AS2, **members: Any) -> Any:
    """What comes of a note with these members."""
    activity = create(note(**members) if document is None else document, **{"@context": context})
    return taken(World().receive(activity))


def noted(got: Any) -> list[tuple[str, str]]:
    return [(found.code, found.at) for found in got.diagnostics]


def is_readable(demand: policy.PolicyPart) -> bool:
    """Whether every reader takes the numbers of a policy."""
    try:
        canonical_json(encode(demand))
    except WireError:
        return False
    return True


@settings(deadline=None)
@given(strategies.policies())
def test_a_policy_comes_back_as_it_was_behind_the_text_of_the_note(demand: policy.PolicyPart) -> None:
    carried = CarriedPolicy(policy=demand)
    out = answer(carried, key=None)
    got = received(out.deliveries[0])
    text, *behind = got.message.parts
    assert text == TextPart(content=clean(content(carried, key=None)), mime="text/html")
    assert (behind, codes(out.diagnostics)) == (([carried], []) if is_readable(demand) else ([], ["part-changed"]))
    assert got.message.received_trace == NormalizedResponse.to(MESSAGE, carried)
    assert got.diagnostics == ()


def test_a_note_has_the_policy_under_a_word_that_its_context_defines() -> None:
    out = answer("First:", DEMAND)
    found = note_in(out)
    assert found[TERM] == encode(PAYMENT)
    assert "Pay 1 €." in found["content"]
    assert "https://agents.example/pay" in found["content"]
    assert "source" not in found
    assert out.activity["@context"] == [AS2, CONTEXT]
    assert out.serve[out.native_id] == {"@context": [AS2, CONTEXT], **found}
    assert body_of(out.deliveries[0]) == out.activity


def test_an_answer_without_a_policy_has_no_such_word() -> None:
    out = answer("Yes.")
    assert TERM not in note_in(out)
    assert out.activity["@context"] == AS2
    assert TERM not in note_in(answer(NormalizedResponse(reply_to=MESSAGE.id, parts=(), status="ok")))


def test_the_words_of_a_thread_and_of_a_policy_stand_together() -> None:
    found: Any = context_of({"conversation": "x", TERM: {}}, proven=True)
    assert found[2:] == [{"ostatus": "http://ostatus.org#", "conversation": "ostatus:conversation", **CONTEXT}]
    assert context_of({TERM: {}}) == [AS2, CONTEXT]


def test_a_policy_that_is_proven_and_signed_is_read() -> None:
    out = answer(DEMAND, settings=activitypub.Settings(object_key=OBJECTS))
    got = received(out.deliveries[0])
    assert got.verdict.verified
    assert got.message.parts[-1] == DEMAND


def test_an_update_replaces_the_policy() -> None:
    first = answer(DEMAND)
    call: dict[str, Any] = {"to": MESSAGE, "base": BASE, "key": KEY, "now": NOW, "entropy": bytes([1]) * 32}
    call = with_settings(call)
    served = first.serve[first.native_id]
    paid = activitypub.update(NormalizedResponse.to(MESSAGE, "Thanks."), note=served, **call)
    assert TERM not in note_in(paid)
    assert TERM not in paid.serve[first.native_id]
    other = CarriedPolicy(policy=policy.Forbidden(message="No more."))
    again = activitypub.update(NormalizedResponse.to(MESSAGE, other), note=served, **call)
    assert note_in(again)[TERM] == encode(other.policy)
    got = received(again.deliveries[0])
    assert (again.activity["type"], got.message.parts[-1]) == ("Update", other)


def deep(levels: int) -> Any:
    return [] if levels == 0 else [deep(levels - 1)]


@pytest.mark.parametrize(
    "demand",
    [
        replace(PAYMENT, extra={"x": "x" * 70_000}),
        replace(PAYMENT, extra={"x": deep(61)}),
    ],
    ids=["long", "deep"],
)
def test_a_policy_that_readers_would_not_take_goes_out_as_text(demand: Any) -> None:
    out = answer("Hm.", CarriedPolicy(policy=demand), key=None)
    assert TERM not in note_in(out)
    assert ("part-changed", "/parts/1") in noted(out)
    assert "https://agents.example/pay" in note_in(out)["content"]
    assert [part.kind for part in received(out.deliveries[0]).message.parts] == ["text"]


def test_the_deepest_policy_that_is_written_is_read() -> None:
    demand = CarriedPolicy(policy=replace(PAYMENT, extra={"x": deep(60)}))
    out = answer(demand, key=None)
    assert received(out.deliveries[0]).message.parts[-1] == demand


def test_members_of_other_versions_around_a_policy_are_left_out() -> None:
    out = answer(replace(DEMAND, extra={"x": 1}))
    assert noted(out) == [("part-changed", "/parts/0/extra")]
    assert received(out.deliveries[0]).message.parts[-1] == DEMAND


LITERAL = {"@type": "@json", "@value": VALUE}


@pytest.mark.parametrize("name", [TERM, IRI])
@pytest.mark.parametrize("value", [VALUE, LITERAL, [VALUE], [LITERAL]], ids=range(4))
def test_a_policy_is_read_in_every_form_of_json_ld(name: str, value: Any) -> None:
    got = read(**{name: value})
    assert got.message.parts == (TEXT, CarriedPolicy(policy=FORBIDDEN))
    assert got.diagnostics == ()


@pytest.mark.parametrize(
    "definition",
    [IRI, {"@id": IRI}, {"@id": IRI, "@type": "@json"}, {"@id": IRI, "@context": {"x": "https://x.example/"}}],
    ids=range(4),
)
def test_a_context_may_say_what_the_word_means(definition: Any) -> None:
    for context in ([AS2, {TERM: definition}], [AS2, "https://x.example/context", {"x": "https://x.example/"}]):
        got = read(context=context, **{TERM: VALUE})
        assert got.message.parts[-1] == CarriedPolicy(policy=FORBIDDEN)
    nested = note(**{TERM: VALUE, "@context": {TERM: definition}})
    assert read(nested).message.parts[-1] == CarriedPolicy(policy=FORBIDDEN)


@pytest.mark.parametrize(
    "context",
    [
        {TERM: "https://other.example/policy"},
        {TERM: None},
        {TERM: {"@id": f"{IRI}x"}},
        {TERM: {"@type": "@json"}},
        {TERM: [IRI]},
        {"m": "https://mentionable.dev/ns/policy/v0.1#", TERM: "m:policy"},
        {"x": {"@id": "https://x.example/x", "@context": [{TERM: "https://other.example/policy"}]}},
    ],
    ids=range(7),
)
def test_a_word_that_means_something_else_is_not_ours(context: Any) -> None:
    nested = note(**{TERM: VALUE, "@context": context})
    for got in (read(context=[AS2, context], **{TERM: VALUE}), read(nested, [AS2, CONTEXT])):
        assert got.message.parts == (TEXT,)
        assert noted(got) == [("policy-malformed", f"/object/{TERM}")]
    assert read(context=[AS2, context], **{IRI: VALUE}).message.parts[-1] == CarriedPolicy(policy=FORBIDDEN)


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("pay", ""),
        (7, ""),
        ([], ""),
        ([VALUE, VALUE], ""),
        ([[VALUE]], "/0"),
        ({}, "/kind"),
        ({"kind": "forbidden"}, "/message"),
        ([{"kind": "forbidden", "message": 7}], "/0/message"),
        ({"@value": VALUE}, ""),
        ({"@type": "@id", "@value": VALUE}, ""),
        ({**LITERAL, "@language": "en"}, ""),
        ({"@type": "@json", "@value": {"kind": 7}}, "/@value/kind"),
        ([{"@type": "@json", "@value": [VALUE]}], "/0/@value"),
        ([{"@type": "@json"}], "/0/kind"),
    ],
    ids=range(14),
)
def test_a_policy_that_cannot_be_read_costs_the_policy_alone(value: Any, at: str) -> None:
    for name, place in ((TERM, f"/object/{TERM}"), (IRI, FULL)):
        got = read(**{name: value})
        assert got.message.parts == (TEXT,)
        assert noted(got) == [("policy-malformed", place + at)]
        assert got.message.raw["activity"]["object"][name] == value


def test_of_two_policies_none_counts() -> None:
    got = read(**{TERM: VALUE, IRI: VALUE})
    assert got.message.parts == (TEXT,)
    assert noted(got) == [("policy-malformed", f"/object/{TERM}")]


def test_null_is_no_policy() -> None:
    got = read(**{TERM: None})
    assert (got.message.parts, got.diagnostics) == ((TEXT,), ())
    got = read(**{TERM: [{"@type": "@json", "@value": None}]})
    assert (got.message.parts, got.diagnostics) == ((TEXT,), ())
    assert read(**{TERM: None, IRI: VALUE}).message.parts[-1] == CarriedPolicy(policy=FORBIDDEN)


def test_a_url_of_another_host_is_left_out() -> None:
    got = read(**{TERM: [{**VALUE, "url": "https://e.example/pay"}]})
    assert got.message.parts[-1] == CarriedPolicy(policy=policy.Forbidden(message="No."))
    assert noted(got) == [("url-refused", f"/object/{TERM}/0/url")]


def test_a_policy_counts_as_a_part() -> None:
    few = Settings(limits=Limits(parts=1))
    assert refused(World().receive(create(note(**{TERM: VALUE})), settings=few)) == "too-many-parts"
    got = World().receive(create(note(content=..., **{TERM: VALUE})), settings=few)
    assert taken(got).message.parts == (CarriedPolicy(policy=FORBIDDEN),)


def test_an_object_that_is_fetched_may_have_a_policy() -> None:
    document = {"@context": [AS2, CONTEXT], **note(**{TERM: VALUE})}
    got = taken(World(answers={NOTE: fetched(document)}).receive(create(NOTE)))
    assert got.message.parts == (TEXT, CarriedPolicy(policy=FORBIDDEN))


def test_only_the_object_of_an_activity_has_a_policy() -> None:
    got = taken(World().receive(create(note(), **{TERM: VALUE})))
    assert (got.message.parts, codes(got.diagnostics)) == ((TEXT,), [])
    parent = ancestor(1, **{TERM: VALUE})
    got = taken(World(parent).receive(create(note(inReplyTo=parent["id"]))))
    (turn,) = got.message.history
    assert turn.parts == (TEXT,)


def test_a_note_without_a_policy_does_not_load_what_reads_one() -> None:
    body, who = json.dumps(create()), json.dumps(actor())
    program = (
        "import sys; from datetime import UTC, datetime\n"
        "from mentionable import Answers, Fetched, HttpRequest, activitypub, drive\n"
        f"request = HttpRequest(method='POST', url='https://agents.example/inbox', body={body!r}.encode())\n"
        f"found = Fetched(url={ALICE!r}, status=200, content_type='application/activity+json', body={who!r}.encode())\n"
        "now = datetime(2026, 11, 21, tzinfo=UTC)\n"
        "flow = activitypub.receive(request, recipient='@h@agents.example', now=now, entropy=bytes(32))\n"
        "drive(flow, Answers(fetch=lambda _: found)).message\n"
        "print('mentionable.policy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
