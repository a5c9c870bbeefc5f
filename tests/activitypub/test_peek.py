import json
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest, Limits, Settings, UsageError, activitypub
from tests.activitypub.servers import ALICE, BOB, NOW, RSA, create
from tests.activitypub.signing import post, signed, world
from tests.linearity import time_grows_linearly

GET = HttpRequest(method="GET", url="https://agents.example/notes/1")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["type", "id", "actor", "href"]) | st.text(), inner)
    ),
)


def test_a_delivery_is_of_the_host_of_its_actor() -> None:
    claimed = activitypub.peek(signed())
    assert (claimed.origin, claimed.type, claimed.id) == ("social.example", "Create", create()["id"])
    assert claimed.digest == sha256(signed().body).hexdigest()
    assert activitypub.peek(post(create(actor="https://Social.Example/u"))).origin == "social.example"
    assert activitypub.peek(post(create(actor={"id": BOB}, type=["Like", "x"]))).origin == "other.example"


@pytest.mark.parametrize("form", ["cavage", "rfc9421"])
def test_a_get_is_of_the_host_of_its_key(form: Any) -> None:
    assert activitypub.peek(activitypub.sign(GET, key=RSA, now=NOW, form=form)).origin == "social.example"
    assert activitypub.peek(GET).origin is None


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("body", [b"x", b"{}", json.dumps({"actor": BOB, "type": "Like", "id": "x"}).encode()])
def test_a_get_with_a_body_is_of_the_host_of_its_key_all_the_same(method: str, body: bytes) -> None:
    signed_get = activitypub.sign(HttpRequest(method=method, url=GET.url, body=body), key=RSA, now=NOW)
    claimed = activitypub.peek(signed_get)
    assert (claimed.origin, claimed.type, claimed.id) == ("social.example", None, None)
    where = world()
    where.drive(activitypub.verify_reader(signed_get, now=NOW))
    assert where.urls[0] == ALICE


def test_a_get_is_of_the_host_of_its_first_key_that_could_be_asked_for() -> None:
    headers = {
        "signature-input": f'a=();keyid="thumbprint", b=();keyid="{ALICE}#main-key", c=();keyid="{BOB}#main-key"',
        "signature": "a=:AA==:, b=:AA==:, c=:AA==:",
    }
    assert activitypub.peek(HttpRequest(method="GET", url=GET.url, headers=headers)).origin == "social.example"


@pytest.mark.parametrize(
    "actor",
    [None, [], [ALICE, BOB], "http://social.example/u", "https://10.0.0.1/u", "urn:x", 7, {}, [[ALICE]]],
    ids=range(9),
)
def test_a_host_that_is_never_asked_is_no_origin(actor: Any) -> None:
    assert activitypub.peek(post(create(actor=actor))).origin is None


def test_what_is_hostile_is_left_out() -> None:
    claimed = activitypub.peek(post({"type": "x\n", "id": "x" * 3_000, "actor": ALICE}))
    assert (claimed.origin, claimed.type, claimed.id) == ("social.example", None, None)
    assert activitypub.peek(post({"type": "T" * 101})).type is None
    small = Settings(limits=Limits(activitypub_bytes=10))
    assert activitypub.peek(post(), settings=small).origin is None


@given(body=st.binary() | JSON.map(lambda value: json.dumps(value).encode()), headers=st.text(max_size=200))
def test_no_bytes_raise(body: bytes, headers: str) -> None:
    request = HttpRequest(method="POST", url=GET.url, headers={"signature": headers}, body=body)
    assert activitypub.peek(request).digest == sha256(body).hexdigest()


@pytest.mark.uncounted
def test_it_takes_linear_time() -> None:
    time_grows_linearly(activitypub.peek, lambda size: post(b"[" * size))
    time_grows_linearly(activitypub.peek, lambda size: post({"actor": [ALICE] * size}))


def test_wrong_arguments_are_the_programs_fault() -> None:
    with pytest.raises(UsageError):
        activitypub.peek(b"")  # type: ignore[arg-type]
    with pytest.raises(UsageError):
        activitypub.peek(GET, settings=5)  # type: ignore[arg-type]
