from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Address, UsageError
from mentionable._wire.address import agent_address, canonical, canonical_domain, is_canonical, shows_other_domain
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
        ("x" * 64 + "@b.example", "@" + "x" * 64 + "@b.example"),
    ],
)
def test_the_forms_of_an_address_have_one_canonical_form(text, address):
    assert Address(text) == canonical(text) == address
    assert is_canonical(address)
    assert is_canonical(text) == (text == address)


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
        "acct:al%69ce@example.org",
        ".a@b.example",
        "a.@b.example",
        "a..b@c.example",
        '"a b"@c.example',
        "é@b.example",
        "a b@c.example",
        "x" * 65 + "@b.example",
        "a@-b.example",
        "a@b-.example",
        "a@b.example-",
        "a@b.-example",
        "a@b..example",
        "a@b.example.",
        "a@1.2.3.4",
        "a@b.0x7f",
        "a@[127.0.0.1]",
        "a@b_c.example",
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
    assert canonical(text) is None
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


@given(strategies.addresses())
def test_a_canonical_address_is_a_fixed_point(text):
    address = Address(text)
    assert address == text
    assert Address(address.mailbox) == address
    assert canonical(f"acct:{text[1:]}") == (None if "%" in text else address)
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
