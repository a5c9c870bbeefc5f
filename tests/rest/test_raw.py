import json
from hashlib import sha256

from mentionable import HttpRequest, encode
from mentionable.rest import Caller, Field
from tests.rest.asking import URL, as_json, asked, take


def raw_of(*fields, **facts):
    return take(*fields, **facts).message.raw


def test_raw_holds_the_fields_as_they_came():
    raw = raw_of("Hi", Field("session", "s1"), Field("mood", "fine"), Field("photo", b"x", "image/png", "a.png"))
    assert [(one["name"], one.get("value")) for one in raw["fields"]] == [
        ("user", "Hi"),
        ("session", "s1"),
        ("mood", "fine"),
        ("photo", None),
    ]
    photo = raw["fields"][3]
    assert (photo["filename"], photo["content_type"], photo["size_bytes"]) == ("a.png", "image/png", 1)
    assert photo["sha256"] == sha256(b"x").hexdigest()
    assert raw.keys() == {"message_id", "fields"}


def test_raw_tells_who_called_and_by_which_request():
    request = HttpRequest(method="POST", url=f"{URL}?access_token=canary#f", headers={"Accept": "text/html"})
    raw = raw_of("Hi", Field("message_id", "q1"), request=request, caller=Caller(subject="x", claims={"a": 1}))
    assert raw["request"] == {"method": "POST", "url": URL, "headers": {"accept": "text/html"}}
    assert raw["auth"] == {"subject": "x", "claims": {"a": 1}}
    assert raw["message_id"] == "q1"


def test_an_unknown_field_of_json_is_parsed():
    raw = raw_of(
        "Hi", as_json("options", {"a": [1], "api_key": "canary"}), Field("n", "7"), Field("broken", ' {"token"')
    )
    assert [one["value"] for one in raw["fields"][1:]] == [{"a": [1], "api_key": "[redacted]"}, 7, "[redacted]"]


def test_bytes_that_are_no_text_are_named_by_their_digest():
    assert raw_of("Hi", Field("x", b"\xff"))["fields"][1]["sha256"] == sha256(b"\xff").hexdigest()


def test_no_secret_reaches_the_message_or_raw():
    canary = "canary-7f3a"
    evidence = {"subject": "slack:T1/U1", "proof": {"type": "signed-attestation", "value": canary}}
    turn = {
        "role": "user",
        "sender": {"address": "@b@b.example", "identities": [evidence], "token": canary},
        "parts": [{"kind": "text", "mime": "text/plain", "content": "a", "secret": canary}],
        "timestamp": "2026-11-21T20:00:00Z",
    }
    got = take(
        "Hi",
        Field("session", "s1"),
        as_json("identity_evidence", [evidence]),
        as_json("policy_resolution", {"in_reply_to_state": canary}),
        as_json("history", [turn]),
        as_json("parts", [{"kind": "text", "mime": "text/plain", "content": "a", "password": canary}]),
        as_json("metadata", {"authorization": canary, "nested": [{"cookie": canary}]}),
        Field("access_token", canary),
        Field("note", f"Bearer {canary}"),
        request=asked(
            authorization=f"Bearer {canary}", cookie=canary, x_payment=canary, payment_signature=canary, x_own=canary
        ),
        caller=Caller(subject="@c@c.example", claims={"token": canary}),
    )
    assert canary not in json.dumps(encode(got.message))
    assert canary not in repr(got)
