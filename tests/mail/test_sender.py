"""The sender."""

from base64 import b64encode

import pytest

from mentionable import Limits, WireError
from mentionable.mail._read.header_section import read_header_section
from mentionable.mail._read.message import Author, read_author
from tests.mail.receiving import receive


def author(fields: str) -> Author:
    return read_author(read_header_section(f"{fields}\r\n\r\n".encode(), limits=Limits()), limits=Limits())


def test_the_address_in_from_is_the_sender() -> None:
    sender = author(
        'From: "Alice" <Alice+tag@A.Example>\r\nSender: eve@evil.example\r\nResent-From: eve@evil.example'
    ).sender
    assert sender.address == "@Alice+tag@a.example"
    assert (sender.auth_method, sender.verified, sender.display_name) == ("none", False, "Alice")
    assert sender.profile is not None
    assert (sender.profile.display_name, sender.profile.provider) == ("Alice", "email")
    assert sender.profile.provider_subject == "email:Alice+tag@a.example"


def test_a_name_may_be_missing() -> None:
    found = author("From: alice@a.example")
    assert found.sender.display_name is None
    assert found.diagnostics == ()


def test_a_unicode_domain_becomes_a_labels() -> None:
    assert author("From: alice@bücher.example").sender.address == "@alice@xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("mailbox", "address", "subject"),
    [
        ('"john doe"@a.example', "@john%20doe@a.example", '"john doe"@a.example'),
        ("<用户@例え.jp>", "@%E7%94%A8%E6%88%B7@xn--r8jz45g.jp", "用户@xn--r8jz45g.jp"),
        ("<a.@docomo.example>", "@a%2E@docomo.example", '"a."@docomo.example'),
        ("a..b@docomo.example", "@a.%2Eb@docomo.example", '"a..b"@docomo.example'),
        ("Docomo <.a@docomo.example>", "@%2Ea@docomo.example", '".a"@docomo.example'),
        ("50%off@shop.example", "@50%25off@shop.example", "50%off@shop.example"),
        ("Mail <cron@mail_server.example>", "@cron@mail_server.example", "cron@mail_server.example"),
        (f"{'x' * 65}@a.example", f"@{'x' * 65}@a.example", f"{'x' * 65}@a.example"),
    ],
)
def test_an_address_keeps_what_mail_allows(mailbox: str, address: str, subject: str) -> None:
    found = author(f"From: {mailbox}")
    assert (found.sender.address, found.diagnostics) == (address, ())
    assert found.sender.profile is not None
    assert found.sender.profile.provider_subject == f"email:{subject}"


@pytest.mark.parametrize(
    "fields",
    [
        "Subject: none",
        "From:",
        "From: alice@a.example\r\nFrom: alice@a.example",
        "From: alice@a.example, bob@b.example",
        "From: Alice",
        "From: undisclosed:;",
        "From: alice@localhost",
        "From: alice@[192.0.2.1]",
        'From: ""@a.example',
        "From: a\ufffdb@a.example",
        'From: "Alice" bob@a.example',
        "From: a@b@c.example",
        "From: <a.example!alice>",
        "From: alice@a。example",
        "From: alice@a．example",
        "From: alice@a｡example",
        "From: =?utf-8?q?alice=40a.example?=",
        "From: @alice@a.example",
        f"From: {'x' * 250} <a@b.example>, <c@d.example>",
    ],
)
def test_a_from_without_exactly_one_address_is_refused(fields: str) -> None:
    with pytest.raises(WireError) as caught:
        author(fields)
    assert caught.value.code == "sender-unaddressable"


@pytest.mark.parametrize(
    ("fields", "detail"),
    [
        ("From: alice@a.example (Alice)", "a comment"),
        ("From: Team: alice@a.example;", "a group"),
        ("From: acct:alice@a.example", "a group without its end"),
        ("From: Nobody, alice@a.example", "more than one mailbox"),
        ("From: alice@a.example, bob@localhost", "more than one mailbox"),
        ("From: <@r.example:alice@a.example>", "a route before an address"),
    ],
)
def test_a_from_that_can_be_misread_is_noted(fields: str, detail: str) -> None:
    found = author(fields)
    assert found.sender.address == "@alice@a.example"
    assert [(note.code, note.at, note.detail) for note in found.diagnostics] == [
        ("address-ambiguous", "/headers/from", detail)
    ]


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ('"admin@bank.example"', ["name-holds-address"]),
        ('"Admin (admin@BANK.example)"', ["name-holds-address"]),
        ('"eve@evil.example"', []),
        ('"eve@EVIL.example, at work"', []),
    ],
)
def test_a_name_that_shows_another_domain_is_noted(name: str, codes: list[str]) -> None:
    assert [note.code for note in author(f"From: {name} <eve@evil.example>").diagnostics] == codes


@pytest.mark.parametrize(("length", "codes"), [(1_024, []), (1_025, ["name-too-long"])])
def test_a_name_that_is_too_long_is_dropped_and_noted(length: int, codes: list[str]) -> None:
    found = author(f"From: {'x' * length} <alice@a.example>")
    assert [note.code for note in found.diagnostics] == codes
    assert found.sender.display_name == (None if codes else "x" * length)
    assert found.sender.profile is not None
    assert found.sender.profile.display_name == found.sender.display_name


def test_an_at_sign_in_quotes_can_be_misread() -> None:
    found = author('From: "alice@b.example"@a.example')
    assert found.sender.address == "@alice%40b.example@a.example"
    assert [(odd.code, odd.detail) for odd in found.diagnostics] == [("address-ambiguous", "an at sign in quotes")]


@pytest.mark.parametrize("charset", [b"shift_jis", b"utf-8", b"koi8-r"])
@pytest.mark.parametrize(
    "author",
    [b"\xb1\xb2@x.example", b"A <\xb1\xb2@x.example>", b"a@\xb1\xb2.example", b'"\xb1"(c)@x.example'],
)
def test_bytes_that_are_not_utf8_never_name_a_mailbox(author: bytes, charset: bytes) -> None:
    raw = b"From: " + author + b"\r\nContent-Type: text/plain; charset=" + charset + b"\r\n\r\nx"
    assert receive(raw, recipient="@helper@agents.example").code == "sender-unaddressable"


def test_a_name_in_bytes_that_are_not_utf8_is_guessed_beside_an_address() -> None:
    raw = b"From: \xc1\xcc\xc9\xd3\xc1 <a@x.example>\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\nx"
    message = receive(raw, recipient="@helper@agents.example").message
    assert (message.sender.display_name, message.sender.address) == ("алиса", "@a@x.example")


@pytest.mark.parametrize("number", range(0x80))
def test_a_name_with_any_shifted_byte_is_received(number: int) -> None:
    word = b64encode(b"\x1b.F\x1bN" + bytes((number,))).decode()
    raw = f"From: =?iso-2022-jp?B?{word}?= <a@a.example>\r\nSubject: =?iso-2022-jp?B?{word}?=\r\n\r\nx".encode()
    assert receive(raw, recipient="@helper@agents.example").message.sender.address == "@a@a.example"
