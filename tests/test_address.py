from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Address, UsageError
from mentionable._wire.address import (
    address_of_name,
    agent_address,
    canonical,
    canonical_domain,
    canonical_mailbox,
    is_canonical,
    is_opened_label,
    shows_other_domain,
    written_address,
)
from mentionable._wire.mailbox import encode_local, read_local, write_local
from mentionable.testing import strategies


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("@alice@example.org", "@alice@example.org"),
        ("alice@example.org", "@alice@example.org"),
        ("acct:alice@example.org", "@alice@example.org"),
        ("ACCT:Alice@Example.ORG", "@Alice@example.org"),
        ("first.last+tag@a-b.example", "@first.last+tag@a-b.example"),
        ("a@b.example", "@a@b.example"),
        ("a@bücher.example", "@a@xn--bcher-kva.example"),
        ("a@BÜCHER.example", "@a@xn--bcher-kva.example"),
        ("a@bu\u0308cher.example", "@a@xn--bcher-kva.example"),
        ("a@xn--bcher-kva.example", "@a@xn--bcher-kva.example"),
        ("a@1.2.3.example", "@a@1.2.3.example"),
        ("x" * 255 + "@b.example", "@" + "x" * 255 + "@b.example"),
        ("a@mail_server.example", "@a@mail_server.example"),
        ("a@_x.example", "@a@_x.example"),
        ("a@_x.bücher.example", "@a@_x.xn--bcher-kva.example"),
    ],
)
def test_the_forms_of_an_address_have_one_canonical_form(text, address):
    assert Address(text) == canonical(text) == address
    assert is_canonical(address)
    assert is_canonical(text) == (text == address)


@pytest.mark.parametrize(
    ("mailbox", "address", "written"),
    [
        ("δοκιμή@παράδειγμα.δοκιμή", "@%CE%B4%CE%BF%CE%BA%CE%B9%CE%BC%CE%AE@xn--hxajbheg2az3al.xn--jxalpdlp", None),
        ("用户@例え.jp", "@%E7%94%A8%E6%88%B7@xn--r8jz45g.jp", None),
        ('"john doe"@x.example', "@john%20doe@x.example", '"john doe"@x.example'),
        ('"a@b"@x.example', "@a%40b@x.example", '"a@b"@x.example'),
        ('"a@b.example"@x.example', "@a%40b.example@x.example", '"a@b.example"@x.example'),
        ('"john"@x.example', "@john@x.example", "john@x.example"),
        ('"john.doe"@x.example', "@john.doe@x.example", "john.doe@x.example"),
        ('"john"."d o"@x.example', "@john.d%20o@x.example", '"john.d o"@x.example'),
        ('"a\\"b\\\\c\\d"@x.example', "@a%22b%5Ccd@x.example", '"a\\"b\\\\cd"@x.example'),
        ("a.@docomo.example", "@a%2E@docomo.example", '"a."@docomo.example'),
        (".a@docomo.example", "@%2Ea@docomo.example", '".a"@docomo.example'),
        ("a..b@docomo.example", "@a.%2Eb@docomo.example", '"a..b"@docomo.example'),
        ("a.b...@docomo.example", "@a.b.%2E%2E@docomo.example", '"a.b..."@docomo.example'),
        (".@x.example", "@%2E@x.example", '"."@x.example'),
        ("50%off@x.example", "@50%25off@x.example", "50%off@x.example"),
        ("a%41@x.example", "@a%2541@x.example", "a%41@x.example"),
        ("e\u0301@x.example", "@e%CC%81@x.example", "e\u0301@x.example"),
        ("a\u200db\u202e@x.example", "@a%E2%80%8Db%E2%80%AE@x.example", "a\u200db\u202e@x.example"),
    ],
)
def test_a_mailbox_has_one_address_and_comes_back(mailbox, address, written):
    found = canonical_mailbox(mailbox)
    assert found == Address(mailbox) == canonical(address) == Address(f"acct:{address[1:]}") == address
    assert is_canonical(address)
    assert found.mailbox == (written or f"{mailbox.partition('@')[0]}@{found.domain}")
    assert canonical_mailbox(found.mailbox) == found


@pytest.mark.parametrize("text", ["@al%69ce", "acct:al%69ce", "@a%2f", "@a%2Eb", "@%2eb", "@a%2Bb", "@%"])
def test_percent_signs_have_one_spelling(text):
    assert canonical(f"{text}@x.example") is None
    assert not is_canonical(f"{text}@x.example")


def test_an_account_of_webfinger_is_percent_encoded():
    address = "@juliet%40capulet.example@shoppingsite.example"
    assert canonical(f"acct:{address[1:]}") == address


@pytest.mark.parametrize("text", ['"alice"@a.example', "jörg@a.example", "a.@a.example"])
def test_what_only_mail_writes_is_an_address_in_mail_alone(text):
    assert canonical(text) is None
    assert canonical_mailbox(text) == Address(text) == agent_address(text) == written_address(text) != None  # noqa: E711


@pytest.mark.parametrize("text", ["@alice@a.example", "acct:alice@a.example", "ACCT:alice@a.example", "alice", ""])
def test_what_mail_does_not_write_is_no_mailbox(text):
    assert canonical_mailbox(text) is None


def test_a_percent_sign_in_a_name_is_no_escape():
    assert address_of_name("al%69ce", "a.example") == "@al%2569ce@a.example"
    assert address_of_name("é", "a.example") is None


LOCALS = st.text(max_size=6) | st.text(st.sampled_from('a.%2E"\\ @é'), max_size=8)


@given(LOCALS, LOCALS)
def test_each_local_part_has_an_encoding_of_its_own(one, other):
    first, second = encode_local(one), encode_local(other)
    assert first is None or (first == second) == (one == other)


@given(LOCALS)
def test_every_local_part_that_can_be_written_comes_back(local):
    encoded = encode_local(local)
    if encoded is not None:
        assert read_local(write_local(local)) == local
        address = Address(f"@{encoded}@a.example")
        assert (address.local, address.mailbox) == (encoded, f"{write_local(local)}@a.example")
        assert canonical_mailbox(address.mailbox) == address
        assert is_canonical(address)
        assert address.isascii()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "@",
        "alice",
        "@alice",
        "alice@",
        "@@example.org",
        "@alice@localhost",
        "a@b@c.example",
        "acct:@alice@example.org",
        "@.a@b.example",
        "@a.@b.example",
        "@a..b@c.example",
        "acct:a..b@c.example",
        "acct:al%69ce@example.org",
        '@"a b"@c.example',
        "@é@b.example",
        "acct:é@b.example",
        "@50%@b.example",
        "@50%of@b.example",
        "acct:50%zz@b.example",
        "@a%00b@b.example",
        "@a%0D%0Ab@b.example",
        "@a%C2%85b@b.example",
        "@%FF@b.example",
        "@%ED%A0%80@b.example",
        "@%EF%BF%BD@b.example",
        "a b@c.example",
        '""@b.example',
        '"a"b@c.example',
        '"a@b.example',
        '"a\\"@b.example',
        '"a\r\nb"@b.example',
        "a\ufffdb@c.example",
        "a\x9fb@c.example",
        "a\\b@c.example",
        "a,b@c.example",
        "<a@b.example",
        "x" * 256 + "@b.example",
        "é" * 128 + "@b.example",
        "a@-b.example",
        "a@b-.example",
        "a@b.example-",
        "a@b.-example",
        "a@b..example",
        "a@b.example.",
        "a@1.2.3.4",
        "a@b.0x7f",
        "a@[127.0.0.1]",
        "a@b.c_d",
        "a@_",
        "a@例_え.example",
        "a@b。example",
        "a@b．example",
        "a@\u200b.example",
        "a@\u200dx.example",
        "a@" + "é" * 300 + ".example",
        "a@" + "x" * 64 + ".example",
        "a@b." + "x" * 64,
        "a@" + "b." * 125 + "example",
        "a@b.example\n",
        "a@b.example:443",
    ],
)
def test_what_is_no_address_is_refused(text):
    assert written_address(text) is None
    assert not is_canonical(text)
    with pytest.raises(UsageError, match="not an address of the form @local@domain"):
        Address(text)


def test_an_error_shows_at_most_eighty_characters():
    with pytest.raises(UsageError) as caught:
        Address("x" * 1000)
    assert len(str(caught.value)) < 140


def test_an_address_is_a_string_with_halves():
    address = Address("@alice@example.org")
    assert isinstance(address, str)
    assert (address.local, address.domain, address.mailbox) == ("alice", "example.org", "alice@example.org")
    assert repr(address) == "Address('@alice@example.org')"
    assert hash(address) == hash("@alice@example.org")
    assert type(str(address)) is str


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_an_address_stays_one_when_it_is_copied(copied):
    address = copied(Address("@alice@example.org"))
    assert type(address) is Address
    assert address == "@alice@example.org"


@pytest.mark.parametrize(
    ("text", "domain"),
    [("Example.ORG", "example.org"), ("münchen.example", "xn--mnchen-3ya.example"), ("org", None), ("", None)],
)
def test_a_domain_has_one_canonical_form(text, domain):
    assert canonical_domain(text) == domain


def test_only_a_name_that_is_no_host_may_have_underscores():
    assert canonical_domain("_a_.b.example") is None
    assert canonical_domain("_A_.b.example", has_underscores=True) == "_a_.b.example"
    assert canonical_domain("b._example", has_underscores=True) is None


@given(strategies.addresses())
def test_a_canonical_address_is_a_fixed_point(text):
    address = Address(text)
    assert address == text
    assert Address(address.mailbox) == address
    assert canonical(f"acct:{text[1:]}") == address
    assert f"@{address.local}@{address.domain}" == address


@given(st.text(max_size=40) | st.text(alphabet="@.aA-é:%", max_size=20))
def test_any_text_is_an_address_or_none(text):
    address = canonical(text)
    assert address is None or is_canonical(address)


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("Alice", False),
        ("Alice @home", False),
        ("alice@a.example", False),
        ("Alice (ALICE@A.example).", False),
        ("alice@b.example", True),
        ("Your bank <service@bank.example>", True),
        ("alice@a.example via list@lists.example", True),
        ("pay@bank.example", True),
        ("", False),
    ],
)
def test_a_name_that_shows_an_address_of_another_domain_is_noticed(text, elsewhere):
    assert shows_other_domain(text, Address("@alice@a.example")) is elsewhere


def test_text_that_is_far_too_long_is_no_address():
    assert canonical("a@" + "b." * 100_000 + "example") is None


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("Alice", False),
        ("alice@a.example", False),
        ("<alice@A.example>", False),
        ("alice@b.example", True),
        ("alice @ b.example", True),
        ("alice\uff20b\u3002example", True),
        ("alice@b\u2024example now", True),
        ("alice@a.example now", False),
        ("alice.smith@a.example", False),
        ("me@home", False),
        ("@", False),
    ],
)
def test_text_may_show_an_address_of_another_domain(text, elsewhere):
    assert shows_other_domain(text, Address("@alice@a.example")) is elsewhere


def test_a_letter_that_lower_cases_into_ascii_makes_no_domain():
    assert canonical("a@\u212aernel.example") is None


@pytest.mark.parametrize("text", ["helper", "", 5, None])
def test_an_agent_address_is_the_word_of_the_program(text):
    with pytest.raises(UsageError, match="not an agent address"):
        agent_address(text)
    assert agent_address("helper@agents.example") == "@helper@agents.example"


@pytest.mark.parametrize(
    ("label", "is_opened"),
    [
        ("xn--mnchen-3ya", True),
        ("xn--abc-", False),  # it decodes to letters of ASCII, which need no such form
        ("xn--xn--mnchen-3ya", False),
        ("xn--", False),
        ("ab--cd", False),
    ],
)
def test_a_label_is_opened_where_its_letters_need_its_form(label, is_opened):
    assert is_opened_label(label) is is_opened
