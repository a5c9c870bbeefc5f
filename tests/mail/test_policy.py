"""A policy in the header section of a mail."""

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from typing import Any

import pytest
from hypothesis import given

from mentionable import (
    CarriedPolicy,
    FilePart,
    Limits,
    NormalizedResponse,
    Settings,
    SigningKey,
    TextPart,
    WireError,
    encode,
    mail,
    policy,
)
from mentionable._model.base import replace
from mentionable._text.response_text import render_response_text
from mentionable._wire.canonical_json import canonical_json
from mentionable.mail._write.body import canonical_text
from mentionable.testing import strategies
from tests.mail.answering import header, parsed, question, read_back, reply
from tests.mail.receiving import receive
from tests.mail.signed import Zone, record, signed, verify

ASKED = question()
KEY = SigningKey.from_seed(bytes(range(32)), key_id="s._domainkey.agents.example")
PAYMENT = policy.PaymentRequired(
    message="Pay 1 €.",
    url="https://agents.example/pay",
    state="s" * 43,
    accepted_payments=(policy.AcceptedPayment(scheme="stripe.checkout", payload={"session_id": "cs_1"}),),
)
FORBIDDEN = policy.Forbidden(message="No.", url="https://a.example/why")
VALUE = b64encode(json.dumps(encode(FORBIDDEN)).encode()).decode()
AT = "/headers/x-mentionable-policy"


def demanding(*values: str | bytes, body: bytes = b"Pay first.\r\n", more: bytes = b"") -> bytes:
    """A mail of alice with these fields."""
    fields = [value if isinstance(value, bytes) else value.encode() for value in values]
    head = b"".join(b"X-Mentionable-Policy: " + value + b"\r\n" for value in fields)
    return b"From: Alice <alice@a.example>\r\nMessage-ID: <m@a.example>\r\n" + more + head + b"\r\n" + body


def noted(got: Any) -> list[tuple[str, str]]:
    return [(note.code, note.at) for note in got.diagnostics]


def is_readable(demand: policy.PolicyPart) -> bool:
    """Whether every reader takes the numbers of a policy."""
    try:
        canonical_json(encode(demand))
    except WireError:
        return False
    return True


@pytest.mark.uncounted
@given(strategies.policies())
def test_a_policy_comes_back_as_it_was_behind_the_text_of_the_mail(demand: policy.PolicyPart) -> None:
    carried = CarriedPolicy(policy=demand)
    out = reply(carried, to=ASKED)
    got = read_back(out.data)
    face = canonical_text(render_response_text(got.message.received_trace))
    said = (TextPart(content=face),) if face and not face.isspace() else ()
    readable = is_readable(demand)
    assert got.message.parts == ((*said, carried) if readable else said)
    assert [note.code for note in out.diagnostics] == ([] if readable else ["part-changed"])
    assert got.message.received_trace == NormalizedResponse.to(ASKED, carried)
    assert got.diagnostics == ()
    assert (parsed(out.data)["X-Mentionable-Policy"] is not None) == readable
    head = out.data.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 76


def test_the_field_is_compact_json_in_base64_beside_the_words_for_people() -> None:
    out = reply("First:", CarriedPolicy(policy=PAYMENT))
    value = header(out.data, "X-Mentionable-Policy")
    assert value is not None
    text = b64decode("".join(value.split())).decode()
    assert text == json.dumps(encode(PAYMENT), ensure_ascii=False, separators=(",", ":"))
    for kind in ("plain", "html"):
        body = parsed(out.data).get_body((kind,))
        assert body is not None
        assert "Pay 1 €." in body.get_content()
        assert "https://agents.example/pay" in body.get_content()


def test_an_answer_without_a_policy_has_no_field() -> None:
    assert header(reply("Yes.").data, "X-Mentionable-Policy") is None
    nothing = NormalizedResponse(reply_to=ASKED.id, parts=(), status="ok")
    assert header(reply(nothing, to=ASKED).data, "X-Mentionable-Policy") is None


def test_a_policy_has_its_own_id() -> None:
    other = replace(PAYMENT, state="t" * 43)
    first, second = (reply(CarriedPolicy(policy=one), to=ASKED) for one in (PAYMENT, other))
    assert first.native_id != second.native_id


def deep(levels: int) -> Any:
    return [] if levels == 0 else [deep(levels - 1)]


@pytest.mark.parametrize(
    ("demand", "limits"),
    [
        (replace(PAYMENT, message="x" * 13_000), Limits()),
        (replace(PAYMENT, message="x" * 70_000), Limits(mail_field_bytes=200_000)),
        (replace(PAYMENT, extra={"x": deep(20)}), Limits(json_depth=16)),
    ],
    ids=["long", "longer", "deep"],
)
def test_a_policy_that_readers_would_not_take_goes_out_as_text(demand: Any, limits: Limits) -> None:
    out = reply("Hm.", CarriedPolicy(policy=demand), settings=Settings(limits=limits))
    assert header(out.data, "X-Mentionable-Policy") is None
    assert ("part-changed", "/parts/1") in noted(out)
    (text,) = read_back(out.data).message.parts
    assert text.content.endswith("https://agents.example/pay")


def test_the_longest_field_that_is_written_is_read() -> None:
    for size in range(11_700, 11_760, 7):
        out = reply(CarriedPolicy(policy=policy.Forbidden(message="x" * size)))
        written = header(out.data, "X-Mentionable-Policy") is not None
        parts = read_back(out.data).message.parts
        assert (parts[-1].kind == "policy") == written


def test_members_of_other_versions_around_a_policy_are_left_out() -> None:
    out = reply(CarriedPolicy(policy=PAYMENT, extra={"x": 1}))
    assert noted(out) == [("part-changed", "/parts/0/extra")]
    assert read_back(out.data).message.parts[-1] == CarriedPolicy(policy=PAYMENT)


@pytest.mark.parametrize(
    "value",
    [
        VALUE,
        "\r\n ".join(VALUE),
        "\t" + VALUE[:8] + "\r\n\t" + VALUE[8:],
        '{"kind": "forbidden",\r\n "message": "No.",\r\n\t"url": "https://a.example/why"}',
        '{"kind":"forbidden","message":"No.","url":"https://a.example/why"}',
    ],
    ids=range(5),
)
def test_base64_and_json_are_read_however_they_are_folded(value: str) -> None:
    got = receive(demanding(value))
    assert got.message.parts == (TextPart(content="Pay first.\n"), CarriedPolicy(policy=FORBIDDEN))
    assert got.diagnostics == ()


def test_json_beyond_ascii_is_read() -> None:
    got = receive(demanding('{"kind":"forbidden","message":"Zürich"}'))
    assert got.message.parts[-1] == CarriedPolicy(policy=policy.Forbidden(message="Zürich"))


def packed(text: str | bytes) -> str:
    return b64encode(text if isinstance(text, bytes) else text.encode()).decode()


@pytest.mark.parametrize(
    ("value", "at"),
    [
        ("", ""),
        ("canary-receipt", ""),
        (VALUE.rstrip("=") + "!", ""),
        ("Zürich", ""),
        (packed("{"), ""),
        (packed(b"\xff"), ""),
        (packed('{"kind":"forbidden","kind":"forbidden","message":"No."}'), ""),
        (packed("[" * 65 + "]" * 65), ""),
        (packed("[]"), ""),
        (packed('{"kind":"forbidden"}'), "/message"),
        ('{"kind":"payment_required","message":"Pay.","accepted_payments":[]}', ""),
        ('{"kind":"forbidden","message":7}', "/message"),
        (b'{"kind":"forbidden","message":"\xff"}', ""),
        ('{"kind":"forbidden",', ""),
        (packed('{"kind":"forbidden","message":"' + "x" * 13_000 + '"}'), ""),
    ],
    ids=range(15),
)
def test_a_policy_that_cannot_be_read_costs_the_policy_alone(value: str | bytes, at: str) -> None:
    got = receive(demanding(value))
    assert got.message.parts == (TextPart(content="Pay first.\n"),)
    assert ("policy-malformed", AT + at) in noted(got)
    assert got.message.raw["headers"]["x-mentionable-policy"] != "[redacted]"


def test_of_two_policies_none_counts() -> None:
    got = receive(demanding(VALUE, VALUE))
    assert [part.kind for part in got.message.parts] == ["text"]
    assert noted(got) == [("policy-malformed", AT)]


def test_a_url_of_another_host_is_left_out() -> None:
    got = receive(demanding(packed('{"kind":"forbidden","message":"No.","url":"https://e.example/pay"}')))
    assert got.message.parts[-1] == CarriedPolicy(policy=policy.Forbidden(message="No."))
    assert noted(got) == [("url-refused", f"{AT}/url")]


def test_a_policy_is_the_last_part() -> None:
    assert [part.kind for part in receive(demanding(VALUE, body=b"")).message.parts] == ["policy"]
    got = receive(demanding(VALUE, body=b"", more=b"Subject: Pay\r\n"))
    assert [part.kind for part in got.message.parts] == ["text", "policy"]
    assert got.message.parts[0].content == "Pay"
    out = reply(FilePart.of(b"x", mime="text/csv", name="a.csv"), CarriedPolicy(policy=PAYMENT))
    assert [part.kind for part in read_back(out.data).message.parts] == ["text", "file", "policy"]


def test_a_policy_counts_as_a_part() -> None:
    few = Settings(limits=Limits(parts=1))
    assert receive(demanding(VALUE), settings=few).code == "too-many-parts"
    assert receive(demanding(VALUE, body=b""), settings=few).message.parts == (CarriedPolicy(policy=FORBIDDEN),)


def test_a_policy_that_the_signature_covers_counts() -> None:
    zone = Zone({KEY.key_id: [record()]})
    out = reply(CarriedPolicy(policy=PAYMENT), settings=mail.Settings(key=KEY))
    got = receive(out.data, recipient="@alice@a.example", world=zone.world)
    assert got.verdict.verified
    assert got.message.parts[-1] == CarriedPolicy(policy=PAYMENT)
    raw = signed(demanding(VALUE), names=("from", "message-id", "X-Mentionable-Policy"))
    got = receive(raw, recipient="@helper@agents.example", world=Zone().world)
    assert got.verdict.verified
    assert got.message.parts[-1] == CarriedPolicy(policy=FORBIDDEN)
    assert got.diagnostics == ()


def test_a_policy_that_the_signature_leaves_out_does_not_count() -> None:
    raw = signed(demanding(VALUE), names=("from", "message-id"))
    got = receive(raw, recipient="@helper@agents.example", world=Zone().world)
    assert got.verdict.verified
    assert [part.kind for part in got.message.parts] == ["text"]
    assert noted(got) == [("field-unsigned", AT)]


def test_without_a_signature_that_fits_a_policy_is_taken_as_the_text_is() -> None:
    raw = signed(demanding(VALUE), names=("from", "message-id")).replace(b"Pay first.", b"Pay twice.")
    got = receive(raw, recipient="@helper@agents.example", world=Zone().world)
    assert not got.verdict.verified
    assert [part.kind for part in got.message.parts] == ["text", "policy"]


@pytest.mark.parametrize("parts", [("Yes.",), (CarriedPolicy(policy=PAYMENT),)], ids=["none", "one"])
def test_nobody_can_add_a_policy_to_a_signed_mail(parts: tuple[Any, ...]) -> None:
    zone = Zone({KEY.key_id: [record()]})
    data = reply(*parts, settings=mail.Settings(key=KEY)).data
    assert verify(data, zone).verified
    field = f"X-Mentionable-Policy: {VALUE}\r\n".encode()
    assert not verify(field + data, zone).verified
    assert not verify(data.replace(b"MIME-Version", field + b"MIME-Version", 1), zone).verified


def test_a_mail_without_a_policy_does_not_load_what_reads_one() -> None:
    program = (
        "import sys; from datetime import UTC, datetime; from mentionable import Answers, drive, mail\n"
        "raw = b'From: alice@a.example\\n\\nHello\\n'; now = datetime(2026, 11, 21, tzinfo=UTC)\n"
        "drive(mail.receive(raw, recipient='@h@b.example', now=now, entropy=bytes(32)), Answers()).message\n"
        "print('mentionable.policy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
