"""WebFinger: an address counts when its own domain says so."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mentionable import Address, Failed, Fetch, Fetched, Limits, drive
from mentionable._crypto.verification import VerificationFailed
from mentionable._transport.webfinger import Link, confirmed, webfinger_url
from tests.linearity import time_grows_linearly

ALICE = "https://social.example/users/alice"
ASKED = Address("@alice@social.example")
URL = "https://social.example/.well-known/webfinger?resource=acct:alice@social.example"
SPLIT = "https://example.org/.well-known/webfinger?resource=acct:alice@example.org"
SELF = {"rel": "self", "type": "application/activity+json", "href": ALICE}


def jrd(subject: Any = "acct:alice@social.example", links: Any = (SELF,), **members: Any) -> dict[str, Any]:
    return {"subject": subject, "links": list(links) if isinstance(links, tuple) else links} | members


def answer(document: Any, url: str = URL, status: int = 200, content_type: str = "application/jrd+json") -> Fetched:
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Fetched(url=url, status=status, content_type=content_type, body=body)


def ask(answers: dict[str, Any], address: Address = ASKED) -> tuple[Any, list[str]]:
    """What comes of it, a code when it failed, and what was asked."""
    asked: list[Fetch] = []

    def answered(one: Fetch) -> object:
        asked.append(one)
        return answers.get(one.url, Failed("nobody is there"))

    def points(link: Link) -> bool:
        return link.rel == "self" and link.href == ALICE and link.type.startswith("application/activity+json")

    try:
        address, link = drive(confirmed(address, points=points, limits=Limits()), answered)
        found: object = address
        assert points(link)
    except VerificationFailed as fault:
        found = (fault.code, fault.temporary)
    assert all(one.purpose == "webfinger" and "jrd+json" in one.accept for one in asked)
    return found, [one.url for one in asked]


@pytest.mark.parametrize(
    "document",
    [
        jrd(),
        jrd("ACCT:alice@SOCIAL.example"),
        jrd(links=("odd", {}, {"rel": 5, "href": None}, SELF)),
        jrd(aliases=[ALICE]),
        jrd(aliases="odd"),
        jrd(aliases=[5, None]),
        jrd(links=(SELF, SELF | {"rel": 5}, {"rel": "me", "href": {}}, None)),
    ],
)
def test_an_address_is_confirmed_by_its_own_domain(document: Any) -> None:
    assert ask({URL: answer(document)}) == (ASKED, [URL])
    assert ask({URL: answer(document, content_type="application/json; charset=utf-8")}) == (ASKED, [URL])
    assert ask({URL: answer(document, "https://www.social.example/elsewhere")}) == (ASKED, [URL])


def test_a_domain_may_pass_its_users_on_to_another_one_that_agrees() -> None:
    passed_on = {URL: answer(jrd("acct:alice@example.org")), SPLIT: answer(jrd("acct:alice@example.org"))}
    assert ask(passed_on) == (Address("@alice@example.org"), [URL, SPLIT])
    passed_on[SPLIT] = answer(jrd("acct:alice@example.org", links=()))
    assert ask(passed_on) == (("address-unconfirmed", False), [URL, SPLIT])
    passed_on[SPLIT] = answer(jrd("acct:alice@third.example"))
    assert ask(passed_on) == (("address-unconfirmed", False), [URL, SPLIT])
    passed_on[SPLIT] = answer(jrd())
    assert ask(passed_on) == (("address-unconfirmed", False), [URL, SPLIT])
    del passed_on[SPLIT]
    assert ask(passed_on) == (("address-unresolvable", True), [URL, SPLIT])


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Failed("timeout"), ("address-unresolvable", True)),
        (Failed("refused", temporary=False), ("address-unresolvable", False)),
        (answer(jrd(), status=503), ("address-unresolvable", True)),
        (answer(jrd(), status=429), ("address-unresolvable", True)),
        (answer(jrd(), status=404), ("address-unconfirmed", False)),
        (answer(jrd(), content_type="text/html"), ("address-unconfirmed", False)),
        (answer(jrd(), content_type="application/jsonp"), ("address-unconfirmed", False)),
        (answer(jrd(), "http://social.example/"), ("address-unconfirmed", False)),
        (answer(b"[]"), ("address-unconfirmed", False)),
        (answer(b"{"), ("address-unconfirmed", False)),
        (answer(b'{"links":[], "links":[]}'), ("address-unconfirmed", False)),
        (answer(jrd(None)), ("address-unconfirmed", False)),
        (answer(jrd(ALICE)), ("address-unconfirmed", False)),
        (answer(jrd("alice@social.example")), ("address-unconfirmed", False)),
        (answer(jrd("acct:alice")), ("address-unconfirmed", False)),
        (answer(jrd(links=None)), ("address-unconfirmed", False)),
        (answer(jrd(links=SELF)), ("address-unconfirmed", False)),
        (answer(jrd(links=(SELF | {"href": [ALICE]},))), ("address-unconfirmed", False)),
        (answer(jrd(links=(SELF | {"rel": ["self"]},))), ("address-unconfirmed", False)),
        (answer(jrd(5)), ("address-unconfirmed", False)),
        (answer(jrd(links=())), ("address-unconfirmed", False)),
        (answer(jrd(links=(SELF | {"href": ALICE + "2"},))), ("address-unconfirmed", False)),
        (answer(jrd(links=(SELF | {"rel": "me"},))), ("address-unconfirmed", False)),
        (answer(jrd(links=(SELF | {"type": "text/html"},))), ("address-unconfirmed", False)),
        (answer(jrd(pad="x" * 20_000)), ASKED),
        (answer(b" " * 2_000_000), ("address-unconfirmed", False)),
    ],
)
def test_anything_else_confirms_nothing(found: Any, expected: Any) -> None:
    assert ask({URL: found}) == (expected, [URL])


def test_a_domain_that_may_not_be_asked_confirms_nothing() -> None:
    assert ask({}, Address("@alice@printer.local")) == (("address-unconfirmed", False), [])
    inward = {URL: answer(jrd("acct:alice@printer.local"))}
    assert ask(inward) == (("address-unconfirmed", False), [URL])


def test_odd_letters_are_escaped() -> None:
    assert webfinger_url(Address("@a+b&c=d#e@social.example")).endswith(
        "?resource=acct:a%2Bb%26c%3Dd%23e@social.example"
    )


@pytest.mark.uncounted
def test_a_descriptor_is_read_in_linear_time() -> None:
    def read(size: int) -> object:
        return ask({URL: answer(jrd(links=tuple([SELF | {"rel": "x"}] * size)))})

    time_grows_linearly(read, lambda size: size, size=100, largest=2_000)
