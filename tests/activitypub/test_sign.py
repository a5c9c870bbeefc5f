from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from mentionable import HttpRequest, SigningKey, UsageError, activitypub
from tests.activitypub.servers import ALICE, AS2, EDDSA, NOW, RSA, create, note
from tests.activitypub.signing import INBOX, post, signed, verdict


def test_a_post_is_signed_over_method_url_time_and_body() -> None:
    made = signed()
    assert [name for name, _ in made.headers] == ["host", "date", "content-type", "digest", "signature"]
    assert (made.header("host"), made.header("date")) == ("agents.example", "Sat, 21 Nov 2026 20:56:00 GMT")
    assert 'algorithm="rsa-sha256",headers="(request-target) host date digest"' in (made.header("signature") or "")
    assert 'algorithm="hs2019"' in (signed(key=EDDSA).header("signature") or "")
    assert (made.body, made.url, made.method) == (post().body, INBOX, "POST")


def test_a_get_is_signed_without_a_digest() -> None:
    request = HttpRequest(method="GET", url=ALICE + "?page=1", headers={"accept": "application/activity+json"})
    made = activitypub.sign(request, key=RSA, now=NOW)
    assert made.header("digest") is None
    assert 'headers="(request-target) host date"' in (made.header("signature") or "")
    other = activitypub.sign(request, key=RSA, now=NOW, form="rfc9421")
    assert other.header("content-digest") is None
    assert (other.header("signature-input") or "").startswith('sig1=("@method" "@target-uri");created=')


def test_the_same_inputs_give_the_same_bytes_whatever_the_zone() -> None:
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    assert signed() == signed(now=tokyo)
    assert signed(form="rfc9421") == signed(form="rfc9421", now=tokyo)


def test_headers_of_an_older_signature_are_replaced() -> None:
    for form in ("cavage", "rfc9421"):
        again = activitypub.sign(signed(), key=RSA, now=NOW, form=form)
        assert verdict(again).verified
        assert sum(name == "signature" for name, _ in again.headers) == 1


def test_a_document_carries_its_proof() -> None:
    whole = activitypub.sign_object(create(note()), key=EDDSA, now=NOW)
    assert whole["proof"]["created"] == "2026-11-21T20:56:00Z"
    assert whole["proof"]["@context"] == AS2
    assert activitypub.sign_object(whole, key=EDDSA, now=NOW) == whole
    assert "@context" not in activitypub.sign_object({"type": "Note"}, key=EDDSA, now=NOW)["proof"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: activitypub.sign(b"", key=RSA, now=NOW),  # type: ignore[arg-type]
        lambda: activitypub.sign(post(), key="key", now=NOW),  # type: ignore[arg-type]
        lambda: activitypub.sign(post(), key=RSA, now=datetime(2026, 11, 21)),  # noqa: DTZ001
        lambda: activitypub.sign(post(), key=RSA, now="now"),  # type: ignore[arg-type]
        lambda: activitypub.sign(post(), key=RSA, now=NOW, form="jws"),  # type: ignore[arg-type]
        lambda: activitypub.sign(post(url="https:///inbox"), key=RSA, now=NOW),
        lambda: activitypub.sign(post(), key=SigningKey(key_id='a"b', kind="rsa", native=RSA.native), now=NOW),
        lambda: activitypub.sign(post(), key=SigningKey(key_id="", kind="rsa", native=RSA.native), now=NOW),
        lambda: activitypub.sign(HttpRequest(method="A\nB", url=INBOX), key=RSA, now=NOW, form="rfc9421"),
        lambda: activitypub.sign_object(create(), key=RSA, now=NOW),
        lambda: activitypub.sign_object({"x": 2**60}, key=EDDSA, now=NOW),
        lambda: activitypub.sign_object({"x": object()}, key=EDDSA, now=NOW),
        lambda: activitypub.sign_object("{}", key=EDDSA, now=NOW),  # type: ignore[arg-type]
        lambda: activitypub.sign_object([], key=EDDSA, now=NOW),  # type: ignore[arg-type]
    ],
    ids=range(14),
)
def test_what_cannot_be_signed_is_the_programs_fault(call: Any) -> None:
    with pytest.raises(UsageError):
        call()


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/\ud800",
        "https://user:pw@a.example/",
        "https://a.example/a b",
        "https://a.example/\r\nx: y",
        "ftp://a.example/",
    ],
)
def test_only_requests_to_web_addresses_are_signed(url):
    with pytest.raises(UsageError, match=r"request\.url"):
        activitypub.sign(HttpRequest(method="GET", url=url), key=RSA, now=NOW)
