import ast
import re
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mentionable import HttpRequest, SigningKey
from mentionable._crypto.keys import public_key_of_pem
from mentionable._crypto.verification import VerificationFailed
from mentionable._wire.base64 import base64_decode
from mentionable.activitypub._auth.signature import (
    SKEW,
    _seconds,
    check_created,
    check_digests,
    check_expired,
    read_signatures,
    signed_request,
    signing_string,
)
from tests.activitypub.servers import EDDSA, NOW, RSA
from tests.activitypub.signing import INBOX, SECONDS, cavage, changed, code, elsewhere, signed, verdict

ALL = "(request-target) host date digest"
TIMES = "(request-target) host (created) digest"


def bare(**headers: str | None) -> HttpRequest:
    """A delivery with Host, Date and Digest, not signed yet."""
    return changed(signed(), **({"signature": None} | headers))


@pytest.mark.parametrize("key", [RSA, EDDSA], ids=["rsa", "ed25519"])
def test_a_signed_delivery_is_verified_step_by_step(key: SigningKey) -> None:
    found = verdict(signed(key=key))
    assert (found.method, found.address, found.key_id) == (
        "ap-http-signature",
        "@alice@social.example",
        key.key_id,
    )
    assert found.steps == (
        *("parse", "coverage", "time", "digest", "host"),
        *("key", "binding", "signature", "address"),
    )


@pytest.mark.parametrize(
    "request_",
    [
        cavage(bare(), ALL),
        cavage(bare(), ALL, algorithm='"hs2019"'),
        cavage(bare(), ALL, algorithm='"hs2019"', key=EDDSA),
        cavage(bare(), ALL, key=EDDSA),
        cavage(bare(), TIMES, algorithm='"hs2019"', created=str(SECONDS)),
        cavage(bare(date=None), TIMES, created=str(SECONDS)),
        cavage(bare(), TIMES + " (expires)", created=str(SECONDS), expires=str(SECONDS + 9)),
        cavage(bare(), TIMES + " date", created=str(SECONDS)),
        cavage(bare(), ALL + " content-type"),
        cavage(bare(host="agents.example:443"), ALL),
        cavage(bare(host="AGENTS.example"), ALL),
    ],
    ids=range(11),
)
def test_every_honest_form_is_taken(request_: HttpRequest) -> None:
    assert code(request_) is None


def test_an_end_that_is_not_signed_ends_nothing_that_is_remembered() -> None:
    """Else a delivery could come again without it, when its use is forgotten."""
    end = str(SECONDS + 60)
    signed_end = verdict(cavage(bare(), TIMES + " (expires)", created=str(SECONDS), expires=end)).replays[0]
    free_end = verdict(cavage(bare(), TIMES, created=str(SECONDS), expires=end)).replays[0]
    no_end = verdict(cavage(bare(), TIMES, created=str(SECONDS))).replays[0]
    assert signed_end is not None
    assert free_end is not None
    assert no_end is not None
    assert signed_end.until == NOW + timedelta(seconds=61 + SKEW)
    assert free_end.until == no_end.until == NOW + timedelta(hours=13, seconds=1)


def test_quoted_times_and_blanks_after_commas_are_taken() -> None:
    made = cavage(bare(), TIMES + " (expires)", created=str(SECONDS), expires=str(SECONDS + 9))
    header = made.header("signature") or ""
    quoted = header.replace(f"created={SECONDS}", f'created="{SECONDS}"').replace(",", ", ")
    assert code(changed(made, signature=quoted)) is None


def test_names_of_headers_are_read_in_any_case() -> None:
    made = signed()
    header = (made.header("signature") or "").replace("host date digest", "Host Date Digest")
    assert code(changed(made, signature=header)) is None


@pytest.mark.parametrize("target", ["/inbox", "/inbox?a=1"])
def test_the_query_may_be_signed_or_not(target: str) -> None:
    there = elsewhere(bare(), INBOX + "?a=1")
    assert code(cavage(there, ALL, target=target)) is None
    assert code(cavage(there, ALL, target="/inbox?a=2")) == "bad-signature"


SHA256 = re.sub(r"^SHA-256=", "", bare().header("digest") or "")


@pytest.mark.parametrize(
    ("digest", "content_digest", "expected"),
    [
        (f"sha-256={SHA256}", None, None),
        (f"unixsum=30637, Sha-256={SHA256}", None, None),
        (f"SHA-256={SHA256},SHA-256={SHA256}", None, None),
        (f"SHA-256={SHA256}", f"sha-256=:{SHA256}:", None),
        (f"SHA-256={SHA256},SHA-256=AAAA", None, "digest-mismatch"),
        (f"SHA-256={SHA256},SHA-512=AAAA", None, "digest-mismatch"),
        (f"SHA-256={SHA256}", "sha-256=:AAAA:", "digest-mismatch"),
        (f"SHA-256={SHA256}", f"sha-256={SHA256}", "digest-mismatch"),
        ("SHA-256", None, "digest-mismatch"),
        (f"sha-512={SHA256}", None, "digest-mismatch"),
        (f"md5-xyz={SHA256}", None, "coverage-missing"),
        ("unixsum=30637", None, "coverage-missing"),
        ("", None, "coverage-missing"),
    ],
)
def test_every_digest_of_the_body_must_be_right(digest: str, content_digest: str | None, expected: str | None) -> None:
    assert code(cavage(bare(digest=digest, content_digest=content_digest), ALL)) == expected


def test_the_clocks_of_servers_may_differ_by_an_hour_and_no_more() -> None:
    check_created(SECONDS + SKEW, now=SECONDS)
    with pytest.raises(VerificationFailed, match="not-yet-valid"):
        check_created(SECONDS + SKEW + 1, now=SECONDS)
    assert check_expired(SECONDS - SKEW, now=SECONDS) == SECONDS
    with pytest.raises(VerificationFailed, match="expired"):
        check_expired(SECONDS - SKEW - 1, now=SECONDS)


def test_a_time_in_seconds_has_at_most_fifteen_digits() -> None:
    assert _seconds("9" * 15) == 999_999_999_999_999
    assert _seconds("9" * 16) is None


@pytest.mark.parametrize(("method", "body"), [("GET", b"{}"), ("HEAD", b"{}"), ("POST", b""), ("POST", b"{}")])
def test_a_digest_is_wanted_where_anything_can_have_a_body(method: str, body: bytes) -> None:
    request = signed_request(HttpRequest(method=method, url=INBOX, body=body))
    assert request.has_content
    with pytest.raises(VerificationFailed, match="coverage-missing"):
        check_digests(request, (), ())


def test_a_content_digest_that_is_covered_will_do() -> None:
    made = cavage(bare(digest=None, content_digest=f"sha-256=:{SHA256}:"), ALL.replace("digest", "content-digest"))
    assert code(made) is None


def test_a_digest_is_not_wanted_where_nothing_has_a_body() -> None:
    get = signed_request(HttpRequest(method="GET", url=INBOX))
    check_digests(get, (), ())
    assert not get.has_content


@pytest.mark.parametrize(
    ("names", "parameters", "expected"),
    [
        ("host date digest", {}, "coverage-missing"),
        ("(request-target) date digest", {}, "coverage-missing"),
        ("(request-target) host date", {}, "coverage-missing"),
        ("(request-target) host digest", {}, "time-missing"),
        (ALL + " host", {}, "signature-ambiguous"),
        (ALL, {"algorithm": '"rsa-sha512"'}, "algorithm-refused"),
        (ALL, {"algorithm": '"hmac-sha256"'}, "algorithm-refused"),
        (ALL, {"algorithm": '"rsa-sha256"', "key": EDDSA}, "algorithm-refused"),
        (TIMES, {"algorithm": '"rsa-sha256"', "created": str(SECONDS)}, "algorithm-refused"),
        (ALL + " content-digest", {}, "bad-signature"),
        (TIMES, {"created": '"soon"'}, "time-missing"),
        (ALL, {"expires": '"never"'}, "signature-malformed"),
        (ALL, {"expires": "1"}, "signature-malformed"),
    ],
)
def test_what_must_be_covered_must_be_covered(names: str, parameters: dict[str, Any], expected: str) -> None:
    request = bare(content_digest=f"sha-256=:{SHA256}:")
    made = cavage(request, names, **parameters)
    if expected == "bad-signature":
        made = changed(made, content_digest=None)
    assert code(made) == expected


def test_without_a_list_of_headers_only_the_time_is_covered() -> None:
    header = (signed().header("signature") or "").replace('algorithm="rsa-sha256",', "")
    assert code(changed(signed(), signature=re.sub(r'headers="[^"]*",', "", header))) == "coverage-missing"
    assert code(changed(signed(), signature=re.sub(r'headers="[^"]*"', 'headers=""', header))) == "coverage-missing"


def test_a_time_that_is_covered_and_does_not_come_along_is_missing() -> None:
    assert code(changed(signed(), date=None)) == "time-missing"
    assert code(changed(signed(), date="yesterday")) == "time-missing"


def test_an_end_that_is_covered_must_come_along() -> None:
    made = cavage(bare(), TIMES + " (expires)", created=str(SECONDS), expires=str(SECONDS + 9))
    header = (made.header("signature") or "").replace(f"expires={SECONDS + 9},", "")
    assert code(changed(made, signature=header)) == "bad-signature"


def test_a_header_cannot_stand_for_a_parameter() -> None:
    made = cavage(bare(), TIMES, created=str(SECONDS))
    later = NOW + timedelta(days=2)
    header = (made.header("signature") or "").replace(str(SECONDS), str(SECONDS + 172_800))
    forged = changed(made, signature=header)
    forged = HttpRequest(
        method="POST", url=INBOX, headers=[*forged.headers, ("(created)", str(SECONDS))], body=forged.body
    )
    assert code(forged, now=later) == "bad-signature"


@pytest.mark.parametrize(
    ("hours", "expected"), [(-1.1, "not-yet-valid"), (-0.9, None), (12.9, None), (13.1, "expired")]
)
def test_a_signature_counts_for_half_a_day_and_an_hour(hours: float, expected: str | None) -> None:
    assert code(signed(), now=NOW + timedelta(hours=hours)) == expected
    made = cavage(bare(date=None), TIMES, created=str(SECONDS))
    assert code(made, now=NOW + timedelta(hours=hours)) == expected


def test_an_end_may_have_parts_of_a_second() -> None:
    assert code(cavage(bare(), ALL, expires=f"{SECONDS + 300}.25")) is None
    assert code(cavage(bare(), ALL, expires=f'"{SECONDS + 300}.x"')) == "signature-malformed"


@pytest.mark.parametrize(("minutes", "expected"), [(10, None), (64, None), (67, "expired")])
def test_an_end_is_honoured_with_an_hour_of_grace(minutes: int, expected: str | None) -> None:
    made = cavage(bare(), ALL, expires=str(SECONDS + 300))
    assert code(made, now=NOW + timedelta(minutes=minutes)) == expected


def test_both_times_count_when_both_are_covered() -> None:
    made = cavage(bare(), TIMES + " date", created=str(SECONDS - 50_000))
    assert code(made) == "expired"


def test_the_host_must_be_ours() -> None:
    assert code(cavage(bare(host="other.example"), ALL)) == "host-mismatch"
    assert code(elsewhere(signed(), "https://other.example/inbox")) == "host-mismatch"
    assert code(elsewhere(signed(), "https:///inbox")) == "host-mismatch"
    twice = HttpRequest(method="POST", url=INBOX, headers=[*signed().headers, ("host", "other.example")])
    assert code(elsewhere(twice, INBOX, body=signed().body)) == "host-mismatch"


def test_a_line_break_in_a_header_hides_nothing() -> None:
    made = changed(cavage(bare(accept="a"), ALL + " accept"), accept="a\nb: c")
    assert code(made) == "signature-ambiguous"


def test_bytes_beyond_ascii_are_signed_as_they_came() -> None:
    for text in ("caf\u00e9", "\u65e5\u672c"):
        assert code(cavage(bare(x_note=text), ALL + " x-note")) is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (('keyId="', 'keyId="x",keyId="'), "signature-ambiguous"),
        (("keyId=", "nokeyId="), "signature-malformed"),
        (('algorithm="rsa-sha256"', "algorithm=rsa-sha256"), "signature-malformed"),
        (('signature="', 'signature="*'), "signature-malformed"),
        (('signature="', 'signature="\u00e9'), "signature-malformed"),
        (('signature="', 'nosignature="'), "signature-malformed"),
        (('keyId="', '!keyId="'), "signature-malformed"),
        (('keyId="', ',keyId="'), "signature-malformed"),
        (('keyId="', f'pad="{"x" * 20_000}",keyId="'), "signature-malformed"),
    ],
)
def test_a_header_that_can_be_read_in_two_ways_or_in_none_counts_for_nothing(
    change: tuple[str, str], expected: str
) -> None:
    header = (signed().header("signature") or "").replace(*change)
    assert code(changed(signed(), signature=header)) == expected
    assert code(changed(signed(), signature=(signed().header("signature") or "") + ",")) == "signature-malformed"


def test_another_body_path_or_method_is_never_verified() -> None:
    made = signed()
    assert code(elsewhere(made, INBOX, body=made.body + b" ")) == "digest-mismatch"
    assert code(elsewhere(made, INBOX + "2")) == "bad-signature"
    assert code(elsewhere(made, INBOX, method="PUT")) == "bad-signature"


DRAFT_KEY = """-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDCFENGw33yGihy92pDjZQhl0C3
6rPJj+CvfSC8+q28hxA161QFNUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6
Z4UMR7EOcpfdUE9Hf3m/hs+FUR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJw
oYi+1hqp1fIekaxsyQIDAQAB
-----END PUBLIC KEY-----
"""
DRAFT_HEADERS = {
    "host": "example.com",
    "date": "Sun, 05 Jan 2014 21:31:40 GMT",
    "content-type": "application/json",
    "digest": "SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
    "content-length": "18",
}


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (
            "date",
            "SjWJWbWN7i0wzBvtPl8rbASWz5xQW6mcJmn+ibttBqtifLN7Sazz6m79cNfwwb8DMJ5cou1s7uEGKKCs+FLEEaDV5lp7q25WqS+lavg7"
            "T8hc0GppauB6hbgEKTwblDHYGEtbGmtdHgVCk9SuS13F0hZ8FD0k/5OxEPXe5WozsbM=",
        ),
        (
            "(request-target) host date",
            "qdx+H7PHHDZgy4y/Ahn9Tny9V3GP6YgBPyUXMmoxWtLbHpUnXS2mg2+SbrQDMCJypxBLSPQR2aAjn7ndmw2iicw3HMbe8VfEdKFYRqzi"
            "c+efkb3nndiv/x1xSHDJWeSWkx3ButlYSuBskLu6kd9Fswtemr3lgdDEmn04swr2Os0=",
        ),
        (
            "(request-target) host date content-type digest content-length",
            "vSdrb+dS3EceC9bcwHSo4MlyKS59iFIrhgYkz8+oVLEEzmYZZvRs8rgOp+63LEM3v+MFHB32NfpB2bEKBIvB1q52LaEUHFv120V01IL+"
            "TAD48XaERZFukWgHoBTLMhYS2Gb51gWxpeIq8knRmPnYePbF5MOkR0Zkly4zKH7s1dE=",
        ),
    ],
)
def test_the_examples_of_the_draft_fit(names: str, value: str) -> None:
    header = f'keyId="Test",algorithm="rsa-sha256",headers="{names}",signature="{value}"'
    request = HttpRequest(
        method="POST",
        url="https://example.com/foo?param=value&pet=dog",
        headers={**DRAFT_HEADERS, "signature": header},
        body=b'{"hello": "world"}',
    )
    assert fits(request, DRAFT_KEY)


def fits(request: HttpRequest, pem: str) -> bool:
    seen = signed_request(request)
    (found,) = read_signatures(request, {}).http
    assert found.fault is None
    check_digests(seen, {"digest", "content-digest"} & seen.headers.keys(), ("digest", "content-digest"))
    text = signing_string(found.covered or (), found, seen, seen.target.path_and_query)
    return public_key_of_pem(pem).fits(base64_decode(found.signature or "") or b"", text)


@pytest.mark.skipif(find_spec("bovine") is None, reason="bovine is not installed")
def test_requests_that_another_library_signed_fit() -> None:
    import bovine.crypto
    import bovine.testing

    source = (Path(bovine.crypto.__file__).parent / "test_crypto.py").read_text()
    found = 0
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != "MagicMock":
            continue
        facts = {word.arg: word.value for word in node.keywords}
        if "url" not in facts:
            continue
        headers = ast.literal_eval(facts["headers"])
        body = b'{"cows": "good"}' if "get_data" in facts else b""
        method = ast.literal_eval(facts["method"]).upper()
        request = HttpRequest(method=method, url=ast.literal_eval(facts["url"]), headers=headers, body=body)
        if body or method == "GET":
            assert fits(request, bovine.testing.public_key)
            found += 1
    assert found == 3


def test_a_body_that_is_not_covered_fails_before_anything_else_is_looked_at() -> None:
    found = verdict(cavage(bare(), "(request-target) host date"))
    assert (found.code, found.steps) == ("coverage-missing", ("parse",))


@pytest.mark.parametrize("algorithm", ['algorithm="rsa-sha256",', 'algorithm="",', ""])
@pytest.mark.parametrize("covered", [ALL, "", " date  digest\t", "Date\u00e9"])
@pytest.mark.parametrize("signature", ["AA==", ""])
def test_the_usual_form_of_a_signature_is_read_like_any_other(algorithm: str, covered: str, signature: str) -> None:
    usual = f'keyId="https://a.example/#k",{algorithm}headers="{covered}",signature="{signature}"'
    (found,) = read_signatures(HttpRequest(method="POST", url=INBOX, headers={"signature": usual}), {}).http
    (other,) = read_signatures(HttpRequest(method="POST", url=INBOX, headers={"signature": f" {usual}"}), {}).http
    assert found == other
