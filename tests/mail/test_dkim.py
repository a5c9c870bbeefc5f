"""One DKIM-Signature field."""

import pytest

from mentionable._crypto.verification import VerificationFailed
from mentionable.mail._auth.dkim import (
    Body,
    Signature,
    check_digest,
    check_time,
    field_tags,
    read_signature,
    read_tags,
    signer,
)

DIGEST = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
TAGS = {
    "v": "1",
    "a": "rsa-sha256",
    "d": "a.example",
    "s": "sel",
    "h": "from:to",
    "bh": DIGEST,
    "b": "AAAA",
}


def field(**tags: str | None) -> bytes:
    told = {**TAGS, **tags}
    return ("DKIM-Signature: " + "; ".join(f"{n}={v}" for n, v in told.items() if v is not None)).encode("latin-1")


def read(raw: bytes) -> Signature:
    tags = field_tags(raw)
    domain, selector = signer(tags)
    return read_signature(raw, tags, domain=domain, selector=selector)


def test_what_a_signature_says() -> None:
    found = read(
        field(a="ed25519-sha256", c="relaxed/simple", d="A.Example", s="Sel.x", t="1", x="2", i="@b.a.example")
    )
    assert found.kind == "ed25519"
    assert (found.relaxed_header, found.relaxed_body) == (True, False)
    assert found.key_name == "sel.x._domainkey.a.example"
    assert found.names == [b"from", b"to"]
    assert (found.created_at, found.expires_at, found.length) == (1, 2, None)
    assert found.auid_domain == "b.a.example"
    assert found.value == b"\0\0\0"
    assert len(found.body_digest) == 32


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (None, (False, False)),
        ("simple", (False, False)),
        ("relaxed", (True, False)),
        ("simple/simple", (False, False)),
        ("simple/relaxed", (False, True)),
        ("relaxed/simple", (True, False)),
        ("relaxed/relaxed", (True, True)),
    ],
)
def test_the_four_forms_and_their_defaults(form: str | None, expected: tuple[bool, bool]) -> None:
    found = read(field(c=form))
    assert (found.relaxed_header, found.relaxed_body) == expected


def test_odd_but_honest_spelling_is_read() -> None:
    raw = (
        b"dkim-signature: v = 1;\r\n\ta=rsa-sha256; q=other : dns/txt; d=a.example ; s=sel;\r\n h=To :\r\n From;"
        b" z=any; x_=; bh=47DEQpj8HBSa+/TImW+5JCe\r\n uQeRkm5NMpJWZG3hSuFU=; b=AA\r\n AA; \r\n "
    )
    found = read(raw)
    assert found.names == [b"to", b"from"]
    assert found.without_value == raw.replace(b"b=AA\r\n AA;", b"b=;")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (field(v="2"), "signature-malformed"),
        (field(v=None), "signature-malformed"),
        (field(b=None), "signature-malformed"),
        (field(bh=None), "signature-malformed"),
        (field(d=None), "signature-malformed"),
        (field(s=None), "signature-malformed"),
        (field(h=None), "signature-malformed"),
        (field(a=None), "signature-malformed"),
        (field(a="rsa-sha1"), "algorithm-refused"),
        (field(a="RSA-SHA256"), "algorithm-refused"),
        (field(c="nowsp"), "signature-malformed"),
        (field(c="relaxed/relaxed/relaxed"), "signature-malformed"),
        (field(q="dns/other"), "signature-malformed"),
        (field(d="com"), "signature-malformed"),
        (field(d="a.example\0.b"), "signature-malformed"),
        (field(d="a.example."), "signature-malformed"),
        (field(d='a"b.example'), "signature-malformed"),
        (field(d="a b.example"), "signature-malformed"),
        (field(d="b\xfccher.example"), "signature-malformed"),
        (field(s="a_b"), "signature-malformed"),
        (field(s="-a"), "signature-malformed"),
        (field(s="a..b"), "signature-malformed"),
        (field(s=""), "signature-malformed"),
        (field(s="a\0"), "signature-malformed"),
        (field(s="a" * 63 + ".a" * 94), "signature-malformed"),
        (field(h="from::to"), "signature-malformed"),
        (field(h="from:t o"), "signature-malformed"),
        (field(t="-1"), "signature-malformed"),
        (field(t=""), "signature-malformed"),
        (field(t="1" * 13), "signature-malformed"),
        (field(x="soon"), "signature-malformed"),
        (field(t="5", x="5"), "signature-malformed"),
        (field(l=""), "signature-malformed"),
        (field(i="a.example"), "signature-malformed"),
        (field(i="@b.example"), "signature-malformed"),
        (field(i="@evila.example"), "signature-malformed"),
        (field(i="@"), "signature-malformed"),
        (field(bh="AAAA"), "signature-malformed"),
        (field(bh=DIGEST[:-1]), "signature-malformed"),
        (field(b=""), "signature-malformed"),
        (field(b="AA*A"), "signature-malformed"),
        (field(b="AA==AA=="), "signature-malformed"),
        (field() + b"; d=a.example", "signature-malformed"),
        (field() + b"; nothing", "signature-malformed"),
        (field() + b";; x=1", "signature-malformed"),
        (field() + b"; =1", "signature-malformed"),
        (field() + b"; t t=1", "signature-malformed"),
        (b"DKIM-Signature:", "signature-malformed"),
        (field(z="a" * 8_192), "signature-malformed"),
    ],
)
def test_a_signature_that_is_refused(raw: bytes, code: str) -> None:
    with pytest.raises(VerificationFailed) as caught:
        read(raw)
    assert caught.value.code == code
    assert caught.value.detail
    assert not caught.value.temporary


def test_a_tag_list_ends_with_or_without_a_semicolon() -> None:
    assert read_tags(" a=1 ;b = 2; ") == read_tags("a=1;b=2") == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ({"t": "1300"}, None),
        ({"t": "1301"}, "not-yet-valid"),
        ({"x": "700"}, None),
        ({"x": "699"}, "expired"),
        ({"t": "1", "x": "699"}, "expired"),
    ],
)
def test_the_window_has_five_minutes_of_slop(tags: dict[str, str], code: str | None) -> None:
    signature = read(field(**tags))
    if code is None:
        check_time(signature, 1_000)
        return
    with pytest.raises(VerificationFailed) as caught:
        check_time(signature, 1_000)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("tags", "body", "code"),
    [
        ({"c": "relaxed/relaxed"}, b"\r\n\r\n", None),
        ({"c": "relaxed/relaxed", "l": "0"}, b"", None),
        ({"c": "relaxed/relaxed", "l": "0"}, b"more", "coverage-missing"),
        ({"c": "relaxed/relaxed", "l": "1"}, b"", "coverage-missing"),
        ({}, b"", "digest-mismatch"),
    ],
)
def test_the_whole_body_must_be_the_one_that_was_signed(tags: dict[str, str], body: bytes, code: str | None) -> None:
    signature = read(field(**tags))
    if code is None:
        check_digest(signature, Body(body))
        return
    with pytest.raises(VerificationFailed) as caught:
        check_digest(signature, Body(body))
    assert caught.value.code == code
