"""What holds for any signed mail: no forgery, no exception, no work out of proportion, and dkimpy agrees."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CODES, Answers, Failed, Limits, SigningKey, drive, mail
from mentionable.testing import answers
from tests.linearity import steps_grow_linearly, time_grows_linearly
from tests.mail.receiving import NOW
from tests.mail.signed import ED, MAIL, SECONDS, Zone, dkimpy_says, record, rsa_key, signed, signed_by_dkimpy, verify

SIMPLE = signed(form="simple/simple")
FIELD = SIMPLE.index(b"From:")


@given(st.integers(0, len(SIMPLE) - 5), st.integers(0, 255))
def test_no_signed_byte_can_be_changed(place: int, byte: int) -> None:
    value = SIMPLE.index(b" b=") + 3
    if value <= place < FIELD or SIMPLE[place] == byte:
        return
    raw = SIMPLE[:place] + bytes((byte,)) + SIMPLE[place + 1 :]
    if place < value and raw.lower() == SIMPLE.lower() and raw[:15].lower() == b"dkim-signature:":
        assert verify(raw).code in (None, "bad-signature", "signature-malformed", "algorithm-refused", "key-unknown",
                                    "digest-mismatch")  # fmt: skip
    else:
        assert not verify(raw).verified


@given(st.integers(0, 85), st.sampled_from(b"ABCabc019+/= \t-"))
def test_the_signature_itself_cannot_be_changed(place: int, byte: int) -> None:
    start = SIMPLE.index(b" b=") + 3
    raw = SIMPLE[: start + place] + bytes((byte,)) + SIMPLE[start + place + 1 :]
    verdict = verify(raw)
    assert not verdict.verified or verdict.replays == verify(SIMPLE).replays


SCRAPS = st.sampled_from([
    "v=1", "v=", "a=rsa-sha256", "a=ed25519-sha256", "c=relaxed/relaxed", "d=a.example", "d=", "s=s", "h=from:to",
    "h=", "bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "b=AAAA", "b", "=", "t=1", "x=1", "l=0", "i=@a.example",
    "q=dns/txt", "\t", "é", "\r\n ", "p=", "k=ed25519", "p=AAAA", "v=DKIM1", "v=DMARC1", "p=none", "psd=y", "adkim=s",
])  # fmt: skip
TAGS = st.lists(SCRAPS, max_size=12).map("; ".join)
ANSWERS = st.one_of(
    st.just(Failed("timeout")),
    st.lists(st.binary(max_size=40) | TAGS.map(str.encode), max_size=3),
    st.just([record()]),
    st.just([b"v=DMARC1; p=none"]),
)


@given(
    st.lists(TAGS, max_size=7),
    st.sampled_from([MAIL, SIMPLE, signed(domain="mail.a.example"), b"From: alice@a.example\r\n\r\n"]),
    st.sampled_from([None, mail.Envelope(mail_from="alice@a.example", spf="pass")]),
    st.data(),
)
def test_any_signature_and_any_zone_give_a_verdict(
    tops: list[str], raw: bytes, envelope: mail.Envelope | None, data: st.DataObject
) -> None:
    top = "".join(f"DKIM-Signature: {text}\r\n" for text in tops).encode()
    asked: list[str] = []

    def answer(ask: Any) -> Any:
        asked.append(ask.name)
        return data.draw(ANSWERS)

    verdict = drive(mail.verify(top + raw, envelope=envelope, now=NOW), Answers(lookup_txt=answer))
    assert len(asked) == len(set(asked))
    if verdict.verified:
        assert verdict.address == "@alice@a.example"
        assert verdict.evidence is not None
    else:
        assert verdict.code in CODES


BLANKS = st.sampled_from(["", " ", "  ", "\t", " \t ", "\r\n ", " \r\n\t"])
VALUES = st.lists(st.sampled_from(["a", "Bc", "é", ":", ";", "="]) | BLANKS, max_size=5).map("".join)
FIELDS = st.lists(st.tuples(st.sampled_from(["X-A", "x-b", "Received", "Resent-To"]), VALUES), max_size=5)
BODIES = st.lists(st.sampled_from(["a", " ", "\t", "  ", "\r\n", "é", "\r", "=", "--"]), max_size=12).map("".join)
ODD_TAGS: st.SearchStrategy[dict[str, str | None]] = st.dictionaries(
    st.sampled_from(["v", "a", "c", "q", "t", "x", "l", "i", "bh", "z", "h", "d", "s"]),
    st.one_of(
        st.none(),
        st.sampled_from([
            "1", "2", "", "rsa-sha256", "rsa-sha1", "ed25519-sha256", "relaxed", "simple/relaxed", "dns/txt", "0",
            str(SECONDS), str(SECONDS + 60), str(SECONDS - 60), "from", "from:to:from", "to", "@a.example", "a.example",
            "@x.a.example", "s",
        ]),
    ),
    max_size=2,
)  # fmt: skip


@given(
    FIELDS,
    BODIES,
    st.sampled_from(["relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"]),
    st.sampled_from(["ed25519", "rsa"]),
    ODD_TAGS,
)
def test_what_is_verified_here_is_verified_by_dkimpy(
    fields: list[tuple[str, str]], body: str, form: str, kind: str, tags: dict[str, str | None]
) -> None:
    key = ED if kind == "ed25519" else rsa_key()
    zone = Zone({"s._domainkey.a.example": [record(key)]})
    top = "".join(f"{name}:{value.removesuffix(chr(10))}.\r\n" for name, value in fields)
    raw = f"{top}From: alice@a.example\r\nTo:  b@b.example \r\n\r\n{body}".encode()
    names = ["From", "to", *[name for name, _ in fields], "X-A", "missing"]
    mailed = signed(raw, key=key, form=form, names=names, tags=tags)
    verdict = verify(mailed, zone)
    if verdict.verified:
        assert dkimpy_says(mailed, zone)
    if not tags:
        assert verdict.verified or verdict.code == "signature-ambiguous"


@given(
    FIELDS,
    BODIES,
    st.sampled_from(["relaxed/relaxed", "relaxed/simple", "simple/relaxed", "simple/simple"]),
    st.sampled_from(["ed25519", "rsa"]),
)
def test_what_dkimpy_signs_is_verified_here(fields: list[tuple[str, str]], body: str, form: str, kind: str) -> None:
    key = ED if kind == "ed25519" else rsa_key()
    top = "".join(f"{name}:{value}.\r\n" for name, value in fields)
    raw = f"{top}From: alice@a.example\r\nTo:  b@b.example \r\n\r\n{body}".encode()
    mailed = signed_by_dkimpy(raw, kind=kind, form=form, names=[b"From", b"to", b"X-A", b"x-b", b"X-A"])
    assert verify(mailed, Zone({"s._domainkey.a.example": [record(key)]})).verified


LOOSE = mail.Settings(limits=Limits(mail_head_bytes=10**9, mail_fields=10**9, mail_field_bytes=10**9, mail_bytes=10**9))
HEAD = b"From: alice@a.example\r\n\r\n"


def told(size: int, name: bytes, value: bytes) -> bytes:
    """A signature with one tag that is as long as may be, and a mail that is longer."""
    tag = (value * size)[:7_900]
    return b"DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=s; h=from; " + name + b"=" + tag + b"; b=AA\r\n" + HEAD


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "signatures": lambda n: b"DKIM-Signature: v=1; a=x\r\n" * n + HEAD,
    "good signatures": lambda n: SIMPLE[:FIELD] * n + SIMPLE[FIELD:],
    "semicolons": lambda n: b"DKIM-Signature: " + b";" * n + b"\r\n" + HEAD,
    "tags": lambda n: b"DKIM-Signature: " + b"a=b;" * n + b"\r\n" + HEAD,
    "one long tag": lambda n: b"DKIM-Signature: z=" + b"a" * n + b"\r\n" + HEAD,
    "folds in a signature": lambda n: b"DKIM-Signature: z=" + b"a\r\n " * n + b"\r\n" + HEAD,
    "names": lambda n: told(n, b"h", b"x:"),
    "labels": lambda n: told(n, b"d", b"a."),
    "hyphens": lambda n: told(n, b"s", b"a-"),
    "digits": lambda n: told(n, b"t", b"1"),
    "base64": lambda n: told(n, b"bh", b"A="),
    "fields of one name": lambda n: b"X: y\r\n" * n + SIMPLE,
    "blanks in the body": lambda n: signed(MAIL)[:-4] + b" " * n + b"x\r\n",
    "tabs in the body": lambda n: signed(MAIL)[:-4] + b" \t" * n + b"x\r\n",
    "empty lines": lambda n: signed(MAIL) + b"\r\n" * n,
    "broken line ends": lambda n: signed(MAIL) + b"\r" * n,
    "blanks in a field": lambda n: b"X: " + b" " * n + b"y\r\n" + SIMPLE,
}


@pytest.mark.parametrize("family", HOSTILE)
def test_work_grows_with_the_size_and_no_faster(family: str) -> None:
    make = HOSTILE[family]
    zone = Zone()

    def run(raw: bytes) -> None:
        drive(mail.verify(raw, now=NOW, settings=LOOSE), zone.world)

    steps_grow_linearly(run, make)
    time_grows_linearly(run, make, largest=1 << 16)


ZONES: dict[str, Callable[[int], list[bytes]]] = {
    "records": lambda n: [b"v=spf1 -all"] * n,
    "keys": lambda n: [record()] * n,
    "semicolons": lambda n: [b";" * n],
    "tags": lambda n: [b"p=A;" * n],
    "a long key": lambda n: [b"k=rsa; p=" + b"AAAA" * n],
    "long folds": lambda n: [b"p=" + b" " * n],
    "policies": lambda n: [b"v=DMARC1; p=none"] * n,
    "a long policy": lambda n: [b"v=DMARC1;" + b" a=b;" * n],
}


@pytest.mark.parametrize("family", ZONES)
@pytest.mark.parametrize("raw", [SIMPLE, signed(domain="mail.a.example")])
def test_answers_cost_what_they_are_long(family: str, raw: bytes) -> None:
    def run(answer: list[bytes]) -> None:
        def txt(ask: Any) -> list[bytes]:
            return [record()] if "_domainkey.mail" in ask.name else answer

        drive(mail.verify(raw, now=NOW), Answers(lookup_txt=txt))

    steps_grow_linearly(run, ZONES[family])
    time_grows_linearly(run, ZONES[family], largest=1 << 15)


RELAXED_TWINS = (
    (b"\r\n\r\n", b"\r\n \r\n"),  # an empty line, and one of blanks
    (b"\r\n\r\n", b"\r\n\t \r\n"),
    (b"text\r\n", b"text \t\r\n"),
)


@pytest.mark.parametrize(("plain", "spelled"), RELAXED_TWINS)
@pytest.mark.parametrize("encoding", [b"8bit", b"quoted-printable"])
def test_what_a_relaxed_signature_takes_for_the_same_is_read_as_the_same(
    plain: bytes, spelled: bytes, encoding: bytes
) -> None:
    body = b"".join(
        b"--b\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: " + encoding + b"\r\n\r\nNever do this:\r\n\r\n"
        b"text\r\nPay.\r\n"
        for _ in range(2)
    )
    head = b"From: alice@a.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
    key = SigningKey.from_seed(bytes(32), key_id="s._domainkey.a.example")
    raw = mail.sign(head + body + b"--b--\r\n", key=key, now=NOW)
    first, _, rest = raw.partition(b"\r\n\r\n")
    zone = answers(lookups={f"TXT {key.key_id}": [mail.dkim_record(key)]})

    def words(unit: bytes) -> list[str]:
        facts = {"recipient": "@helper@agents.example", "now": NOW, "entropy": bytes(32)}
        message = drive(mail.receive(unit, **facts), zone).message
        assert message.sender.verified
        return [" ".join(part.content.split()) for part in message.parts]

    assert words(raw) == ["Never do this: text Pay."] * 2
    for at in range(rest.count(plain)):
        pieces = rest.split(plain)
        twin = plain.join(pieces[: at + 1]) + spelled + plain.join(pieces[at + 1 :])
        assert words(first + b"\r\n\r\n" + twin) == words(raw)
