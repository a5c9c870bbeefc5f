"""Demands and receipts, as programs of others read them, pay them and carry them."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from contextlib import suppress
from email import message_from_bytes
from email import policy as email_policy

import pytest

from mentionable import CarriedPolicy, NormalizedResponse, WireError, encode, mail
from mentionable import policy as room
from mentionable.policy._x402 import CODE, is_offer, x402_demand, x402_demand_in_body, x402_metadata, x402_settlement
from mentionable.policy._x402_payment import fits, x402_payment, x402_payment_from
from mentionable.testing import strategies
from tests.interop.batches import NOW, differences, drawn
from tests.interop.test_a2a_answers import doubles
from tests.mail.answering import question
from tests.policy.x402_samples import (
    DEMANDS,
    OFFERED,
    PAY_TO,
    PAYER,
    PAYLOADS,
    REQUIREMENTS,
    changed,
    demand,
    demands,
    floated,
    required,
    submitted,
    way,
)

FLOOR = 1_250
VERSIONS = pytest.mark.parametrize("version", [1, 2])
KEY = "x402.payment.required"


def all_demands():
    """One of each version as the specifications show it, and those that hypothesis makes."""
    return [required(way(1), code=CODE), required(way(2), code=CODE), *drawn(demands())]


def said(document):
    """A document of x402 without members that are null, and without an `extra` that the types fill in."""
    if isinstance(document, list):
        return [said(item) for item in document]
    if not isinstance(document, dict):
        return document
    return {
        name: member if name in ("extra", "outputSchema", "extensions") else said(member)
        for name, member in document.items()
        if member is not None and not (name == "extra" and member == {})
    }


def is_paid_by(payload, offered):
    """Whether a payload can be read and pays an offer."""
    with suppress(WireError):
        return fits(x402_payment_from(payload), offered)
    return False


# -- demands, with the types of x402


def test_the_types_of_x402_read_every_demand_that_goes_out(other_python, count):
    sent = [x402_metadata(part)[KEY] for part in all_demands()]
    answers = other_python("x402.read", units=[["required", one] for one in sent])
    for one, answer in zip(sent, answers, strict=True):
        assert "refused" not in answer, answer
        for written in answer:
            assert list(differences(said(written), said(one))) == []
    count(len(sent))


def test_what_the_types_of_x402_write_is_read_as_it_was_meant(other_python, count):
    parts = all_demands()
    sent = [x402_metadata(part) for part in parts]
    answers = other_python("x402.read", units=[["required", one[KEY]] for one in sent])
    for part, one, answer in zip(parts, sent, answers, strict=True):
        for written in answer:
            found = x402_demand({**one, KEY: written}, message=part.message, state=part.state)
            assert found.diagnostics == ()
            assert said(encode(found.policy)) == said(encode(part))
            assert all(map(is_offer, found.policy.accepted_payments))
            assert x402_demand_in_body(written, message=part.message).policy is not None
    count(len(sent))


TAMPERED = [
    (1, "x402Version", 3),
    (1, "accepts", "exact"),
    (1, "accepts", {}),
    (1, "accepts/0", "exact"),
    (1, "accepts/0/scheme", ...),
    (1, "accepts/0/network", 8453),
    (1, "accepts/0/payTo", None),
    (1, "accepts/0/asset", ...),
    (1, "accepts/0/maxAmountRequired", 10000),
    (1, "accepts/0/maxTimeoutSeconds", "soon"),
    (1, "accepts/0/extra", "USDC"),
    (2, "x402Version", 3),
    (2, "x402Version", "2"),
    (2, "x402Version", True),
    (2, "resource", "https://shop.example/"),
    (2, "resource/url", ...),
    (2, "accepts/0", []),
    (2, "accepts/0/payTo", 7),
    (2, "accepts/0/amount", 10000),
    (2, "accepts/0/amount", ...),
    (2, "accepts/0/maxTimeoutSeconds", 1.5),
    (2, "accepts/0/extra", []),
]


def tampered(document, place, value):
    """`changed`, whose way may lead through a list."""
    if not place.startswith("accepts/0"):
        return changed(document, place, value)
    one = document["accepts"][0]
    rest = place.removeprefix("accepts/0").removeprefix("/")
    return {**document, "accepts": [changed(one, rest, value) if rest else value]}


def test_a_tampered_demand_is_refused_by_the_types_of_x402_and_here(other_python, count):
    twins = [tampered(DEMANDS[version], place, value) for version, place, value in TAMPERED]
    for twin, answer in zip(
        twins, other_python("x402.read", units=[["required", twin] for twin in twins]), strict=True
    ):
        assert "refused" in answer, answer
        assert x402_demand({**demand(), KEY: twin}).policy is None
    count(len(twins))


def test_a_demand_in_a_header_of_http_is_read(other_python, count):
    parts = [part for part in all_demands() if part.accepted_payments[0].payload["x402Version"] == 2]
    sent = [x402_metadata(part)[KEY] for part in parts]
    for part, header in zip(parts, other_python("x402.headers", demands=sent), strict=True):
        found = x402_demand_in_body(json.loads(b64decode(header)), message=part.message)
        assert [one.scheme for one in found.policy.accepted_payments] == [one.scheme for one in part.accepted_payments]
    count(len(sent))


# -- payments, by the client of x402


def paid(other_python, *, permit):
    """Every demand that goes out, each with what the client of x402 pays for it."""
    parts = all_demands()
    if permit:
        parts = [part for part in parts if part.accepted_payments[0].payload["x402Version"] == 2]
    sent = [x402_metadata(part)[KEY] for part in parts]
    return list(zip(parts, other_python("x402.pay", demands=sent, payer=PAYER, permit=permit), strict=True))


@pytest.mark.parametrize("permit", [False, True], ids=["authorization", "permit"])
def test_what_the_client_of_x402_pays_fits_the_offer_that_it_chose(other_python, count, permit):
    for part, written in paid(other_python, permit=permit):
        first = part.accepted_payments[0]
        for payload in (*written, *map(floated, written)):
            payment = x402_payment(submitted(payload))
            assert (payment.scheme, payment.payer) == (first.scheme, PAYER)
            assert fits(payment, first.payload)
        count()


def twins_of(payload):
    """The same payment with one thing changed that an honest client would not change."""
    version = payload["x402Version"]
    yield {**payload, "x402Version": 3}
    yield {**payload, "x402Version": 3 - version}
    yield changed(payload, "payload/authorization/to", "0x" + "0" * 40)
    yield changed(payload, "payload/authorization/value", payload["payload"]["authorization"]["value"] + "0")
    yield changed(payload, "payload/authorization/value", int(payload["payload"]["authorization"]["value"]))
    yield changed(payload, "payload/authorization", {})
    if version == 1:
        yield {**payload, "network": payload["network"] + "-sepolia"}
        yield {**payload, "scheme": payload["scheme"] + "2"}
        return
    for name in ("scheme", "network", "asset", "payTo"):
        yield changed(payload, f"accepted/{name}", payload["accepted"][name] + "2")
    yield changed(payload, "accepted/amount", payload["accepted"]["amount"] + "0")
    yield changed(payload, "accepted/maxTimeoutSeconds", (payload["accepted"]["maxTimeoutSeconds"] + 1) % 2**53)
    yield changed(payload, "accepted/extra", {**payload["accepted"]["extra"], "tip": True})
    yield {**payload, "resource": {"url": "https://elsewhere.example/"}}


def test_a_tampered_payment_of_its_client_fits_nothing(other_python, count):
    for part, (bare, _) in paid(other_python, permit=False):
        offered = part.accepted_payments[0].payload
        for twin in twins_of(bare):
            assert not is_paid_by(twin, offered), twin
        count()


@VERSIONS
def test_x402_finds_too_that_a_payment_is_for_its_requirement_alone(other_python, count, version):
    payload, requirement = PAYLOADS[version], REQUIREMENTS[version]
    other = {**requirement, "network": "eip155:1"}
    for wanted in (requirement, other):
        (found,) = other_python("x402.matches", pairs=[[version, payload, wanted]])
        assert found == fits(x402_payment_from(payload), {**OFFERED[version], "requirement": wanted})
        count()


@VERSIONS
def test_a_payment_goes_through_its_types_unchanged(other_python, count, version):
    (written,) = other_python("x402.read", units=[["payload", PAYLOADS[version]]])
    for payload in written:
        assert said(payload) == PAYLOADS[version]
        assert fits(x402_payment_from(payload), OFFERED[version])
    count()


def test_receipts_are_those_of_its_types(other_python, count):
    receipts = [
        {"success": True, "transaction": "0xabc", "network": "eip155:8453", "payer": PAYER, "amount": "10000"},
        {"success": False, "transaction": "", "network": "eip155:8453", "errorReason": "insufficient_funds"},
    ]
    for receipt, answer in zip(
        receipts, other_python("x402.read", units=[["SettleResponse", one] for one in receipts]), strict=True
    ):
        bare, whole = answer
        assert bare == receipt
        for written in (bare, whole):
            assert x402_settlement([written])["x402.payment.receipts"] == [written]
        count()


# -- through A2A


def message_of(reader, metadata):
    """A message with this metadata, as a version of A2A has it."""
    if reader == "0.3":
        parts = {"parts": [{"kind": "text", "text": "Pay, please."}]}
        return {"kind": "message", "messageId": "m1", "role": "agent", **parts, "metadata": metadata}
    parts = {"parts" if reader == "1.0" else "content": [{"text": "Pay, please."}]}
    return {"messageId": "m1", "role": "ROLE_AGENT", **parts, "metadata": metadata}


def task_of(reader, metadata):
    """A task whose status message has this metadata."""
    state = "input-required" if reader == "0.3" else "TASK_STATE_INPUT_REQUIRED"
    message = message_of(reader, metadata)
    kind = {"kind": "task"} if reader == "0.3" else {}
    return {**kind, "id": "t1", "contextId": "c1", "status": {"state": state, "message": message}}


READERS = pytest.mark.parametrize("reader", ["1.0", "0.3", "0.3-rest"])


def status_metadata(task):
    status = task["status"]
    return (status.get("message") or status["update"])["metadata"]


def through_a2a(other_python, reader, found):
    """Metadata after a2a-sdk has read it in the status message of a task and written it again."""
    units = [[reader, "Task", task_of(reader, metadata)] for metadata in found]
    if reader == "0.3-rest":
        for _, _, task in units:
            task["status"]["update"] = task["status"].pop("message")
    answers = other_python("a2a.read", units=units)
    assert [answer["refused"] for answer in answers if "refused" in answer] == []
    return [status_metadata(answer) for answer in answers]


@READERS
def test_a_demand_by_x402_goes_through_a2a(other_python, count, reader):
    parts = all_demands()
    sent = [x402_metadata(part) for part in parts]
    for part, one, came in zip(parts, sent, through_a2a(other_python, reader, sent), strict=True):
        assert list(differences(doubles(came), doubles(one))) == []
        found = x402_demand(came, message=part.message, state=part.state)
        whole = x402_demand(one, message=part.message, state=part.state)
        assert encode(found.policy) == encode(whole.policy)
        numbers = [payment.payload["x402Version"] for payment in found.policy.accepted_payments]
        assert {type(number) for number in numbers} == {int}
        count()


@READERS
def test_a_payment_by_x402_goes_through_a2a(other_python, count, reader):
    chosen = [(version, payload) for version, payload in PAYLOADS.items()]
    sent = [submitted(payload) for _, payload in chosen]
    for (version, payload), came in zip(chosen, through_a2a(other_python, reader, sent), strict=True):
        assert x402_payment(came) == x402_payment(submitted(payload))
        assert fits(x402_payment(came), OFFERED[version])
        twin = changed(came["x402.payment.payload"], "payload/authorization/to", PAY_TO.replace("0x2", "0x3"))
        assert not fits(x402_payment(submitted(twin)), OFFERED[version])
        count()


@READERS
def test_any_policy_goes_through_a2a(other_python, count, reader):
    parts = [part for part in drawn(strategies.policies()) if is_carried(part)]
    sent = [{"mentionable": {"policy": encode(part)}} for part in parts]
    for part, one, came in zip(parts, sent, through_a2a(other_python, reader, sent), strict=True):
        assert list(differences(doubles(came), doubles(one))) == []
        before = room.read_policy(one["mentionable"]["policy"], authority="agents.example")
        after = room.read_policy(came["mentionable"]["policy"], authority="agents.example")
        assert doubles(encode(after.policy)) == doubles(encode(before.policy)), part
        assert after.diagnostics == before.diagnostics
        count()


def is_carried(part):
    """Whether a policy is read, before and after its numbers became doubles: larger ones do not travel."""
    return all(
        room.read_policy(found, authority=None).policy is not None for found in (encode(part), floated(encode(part)))
    )


# -- through mail


ASKED = question(b"From: alice@a.example\r\nTo: helper@agents.example\r\nMessage-ID: <q1@a.example>\r\n\r\nHello?\r\n")
FIELD = "x-mentionable-policy"


def mail_with(value):
    """A mail with this field, folded by hand into lines of at most 76 characters."""
    first = 76 - len("X-Mentionable-Policy: ")
    lines = [value[:first], *[value[at : at + 75] for at in range(first, len(value), 75)]]
    field = "X-Mentionable-Policy: " + "\r\n ".join(lines)
    assert max(map(len, field.split("\r\n"))) <= 76
    head = "From: helper@agents.example\r\nTo: alice@a.example\r\nSubject: Pay, please\r\n"
    return f"{head}{field}\r\nMIME-Version: 1.0\r\n\r\nPay, please.\r\n".encode()


def values_in(parser, mails, node):
    """The value of the field in each mail, as a parser gives it."""
    if parser == "email":
        return [message_from_bytes(raw, policy=email_policy.compat32).get_all(FIELD) for raw in mails]
    return node("mail.fields", parser=parser, name=FIELD, mails=[b64encode(raw).decode() for raw in mails])


EVERY_PARSER = pytest.mark.parametrize("parser", ["postal-mime", "mailparser", "email"])


@EVERY_PARSER
def test_a_long_folded_field_comes_out_of_a_mail_as_it_went_in(node, count, parser):
    wordy = required(*[way(2)] * 20, message="Zahlen Sie bitte 10 ¢. 🪙 " * 20)
    parts = [required(way(1)), required(way(2)), wordy]
    mails = [mail_with(b64encode(json.dumps(encode(part)).encode()).decode()) for part in parts]
    for part, values in zip(parts, values_in(parser, mails, node), strict=True):
        (value,) = values
        assert json.loads(b64decode(re.sub(r"\s", "", value), validate=True)) == encode(part)
        count()


@EVERY_PARSER
def test_the_policy_of_a_mail_that_answers_comes_out_as_it_went_in(node, count, parser):
    parts = [required(way(1)), required(way(2)), *drawn(strategies.policies(), 40)]
    outs = []
    for part in parts:
        response = NormalizedResponse.to(ASKED, CarriedPolicy(policy=part))
        outs.append(mail.reply(response, to=ASKED, sender="helper@agents.example", now=NOW, entropy=bytes(32)))
    with_field = [(part, out.data) for part, out in zip(parts, outs, strict=True) if not out.diagnostics]
    assert len(with_field) > len(parts) / 2
    for (part, _), (value,) in zip(with_field, values_in(parser, [raw for _, raw in with_field], node), strict=True):
        assert json.loads(b64decode(re.sub(r"\s", "", value), validate=True)) == encode(part)
        count()
