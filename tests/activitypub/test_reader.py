from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    Failed,
    Fetch,
    Fetched,
    HttpRequest,
    Limits,
    Settings,
    SigningKey,
    UsageError,
    activitypub,
    drive,
)
from mentionable.activitypub import Reader
from mentionable.activitypub._reader import MAX_ASKS
from tests.activitypub.answering import KEY, answer
from tests.activitypub.servers import (
    ALICE,
    BOB,
    EDDSA,
    FINGER,
    HELPER,
    NOW,
    RSA,
    World,
    actor,
    descriptor,
    fetched,
    finger,
    keyed,
)
from tests.activitypub.signing import Form, cavage, changed, elsewhere, rfc9421, signed, world

NOTE = "https://agents.example/notes/1"
PAGE = f"{HELPER}/outbox?page=2"
FORMS: tuple[Form, ...] = ("cavage", "rfc9421")
BOTH = pytest.mark.parametrize("form", FORMS)


def asks(
    url: str = NOTE, *, key: SigningKey = RSA, form: Form = "cavage", now: datetime = NOW, method: str = "GET"
) -> HttpRequest:
    return activitypub.sign(HttpRequest(method=method, url=url), key=key, now=now, form=form)


def read(request: HttpRequest, where: World | None = None, **facts: Any) -> Reader:
    found: Reader = (where or world()).drive(activitypub.verify_reader(request, **({"now": NOW} | facts)))
    return found


def code(request: HttpRequest, where: World | None = None, **facts: Any) -> str | None:
    found = read(request, where, **facts)
    assert found.verdict.verified == (found.id is not None) == (found.verdict.code is None)
    return found.verdict.code


@BOTH
@pytest.mark.parametrize("key", [RSA, EDDSA])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("url", [NOTE, PAGE])
def test_the_owner_of_the_key_is_the_reader(form: Form, key: SigningKey, method: str, url: str) -> None:
    where = world()
    found = read(asks(url, form=form, key=key, method=method), where)
    verdict = found.verdict
    assert (found.id, verdict.verified, verdict.address, verdict.key_id) == (
        ALICE,
        True,
        "@alice@social.example",
        key.key_id,
    )
    assert verdict.evidence is not None
    assert (verdict.evidence.audience, verdict.evidence.issuer) == ("agents.example", "social.example")
    assert verdict.replays == ()
    assert where.urls == [ALICE, FINGER]


def test_a_request_that_is_not_signed_asks_nothing() -> None:
    where = world()
    assert code(HttpRequest(method="GET", url=NOTE), where) == "unsigned"
    assert code(changed(asks(), signature="x"), where) == "signature-malformed"
    assert code(asks(), where, now=NOW + timedelta(days=1)) == "expired"
    assert where.asked == []


@BOTH
def test_the_signature_of_a_delivery_reads_nothing_and_that_of_a_get_delivers_nothing(form: Form) -> None:
    where = world()
    post = signed(form=form)
    for method in ("GET", "HEAD"):
        assert code(elsewhere(post, post.url, method=method, body=b""), where) in ("digest-mismatch", "bad-signature")
        assert code(elsewhere(post, post.url, method=method), where) == "bad-signature"
    assert code(post, where) == "host-mismatch"
    get = asks("https://agents.example/inbox", form=form)
    delivery = elsewhere(get, get.url, method="POST", body=post.body)
    assert where.drive(activitypub.verify(delivery, now=NOW)).code == "coverage-missing"
    assert code(elsewhere(get, get.url, method="HEAD"), where) == "bad-signature"


@BOTH
@pytest.mark.parametrize(
    "url",
    [
        "https://agents.example/notes/2",
        "https://agents.example/notes/1/",
        "https://agents.example/notes/1?page=1",
        "https://agents.example/notes/1?",
        "https://elsewhere.example/notes/1",
    ],
)
def test_a_signature_is_for_one_url(form: Form, url: str) -> None:
    assert code(elsewhere(asks(form=form), url, method="GET")) in ("bad-signature", "host-mismatch")


@BOTH
def test_the_query_must_be_covered_because_it_names_the_page(form: Form) -> None:
    assert code(asks(PAGE, form=form)) is None
    assert code(elsewhere(asks(PAGE, form=form), PAGE.replace("2", "3"), method="GET")) == "bad-signature"
    assert code(elsewhere(asks(PAGE.partition("?")[0], form=form), PAGE, method="GET")) == "bad-signature"


def test_the_older_form_without_the_query_counts_for_deliveries_alone() -> None:
    names, target = "(request-target) host date", f"{HELPER.removeprefix('https://agents.example')}/outbox"
    request = changed(asks(PAGE), signature=None)
    assert code(cavage(request, names, target=target)) == "bad-signature"
    assert code(cavage(request, names, target=f"{target}?page=2")) is None


@pytest.mark.parametrize(
    ("components", "expected"),
    [
        ('"@method" "@authority" "@path"', "coverage-missing"),
        ('"@method" "@authority" "@path" "@query"', None),
        ('"@method" "@authority" "@request-target"', None),
        ('"@method" "@target-uri"', None),
        ('"@target-uri"', "coverage-missing"),
    ],
)
def test_the_components_name_the_whole_url(components: str, expected: str | None) -> None:
    request = changed(asks(PAGE, form="rfc9421"), signature=None, signature_input=None)
    parameters = f';created={int(NOW.timestamp())};keyid="{RSA.key_id}"'
    assert code(rfc9421(request, components, parameters)) == expected


KEY_URL = f"{ALICE}/main-key"
APART = SigningKey(key_id=KEY_URL, kind="rsa", native=RSA.native)
LISTED = {"id": KEY_URL, "owner": ALICE, "publicKeyPem": RSA.public_pem}


@pytest.mark.parametrize(
    "document",
    [
        LISTED,
        {"id": KEY_URL, "controller": ALICE},
        {"id": ALICE, "publicKey": LISTED},
        {"id": ALICE},
    ],
    ids=range(4),
)
def test_a_key_in_a_document_of_its_own_leads_to_its_owner(document: dict[str, Any]) -> None:
    where = world(actor(publicKey=LISTED), **{KEY_URL: fetched(document, KEY_URL)})
    assert read(asks(key=APART), where).id == ALICE
    assert where.urls == [KEY_URL, ALICE, FINGER]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"id": KEY_URL, "owner": BOB, "publicKeyPem": RSA.public_pem}, "key-mismatch"),
        ({"id": BOB, "publicKey": LISTED}, "key-mismatch"),
        ({"id": KEY_URL, "publicKeyPem": RSA.public_pem}, "key-mismatch"),
        ({"id": KEY_URL, "owner": [ALICE]}, "key-mismatch"),
        ({"id": KEY_URL, "owner": f"{ALICE}/{'x' * 3_000}"}, "key-mismatch"),
        ({}, "key-mismatch"),
        ({"id": "https://social.example/users/carol"}, "key-unresolvable"),
        ([], "key-unresolvable"),
        (Fetched(url=KEY_URL, status=410, content_type="", body=b""), "key-unknown"),
        (fetched(LISTED, KEY_URL, content_type="text/html"), "key-unresolvable"),
        (fetched(LISTED, f"{BOB}/main-key"), "key-unresolvable"),
        (Failed("no time"), "key-unresolvable"),
    ],
    ids=range(12),
)
def test_the_document_of_a_key_speaks_for_its_origin_alone(document: Any, expected: str) -> None:
    answer = document if isinstance(document, (Fetched, Failed)) else fetched(document, KEY_URL)
    where = world(actor(publicKey=LISTED), **{KEY_URL: answer, BOB: fetched(keyed(BOB))})
    assert code(asks(key=APART), where) == expected
    assert BOB not in where.urls


@pytest.mark.parametrize(
    "publicKey", [None, {**LISTED, "id": f"{ALICE}#other"}, {**LISTED, "owner": BOB}], ids=range(3)
)
def test_the_owner_must_list_the_key_back(publicKey: Any) -> None:
    where = world(actor(publicKey=publicKey), **{KEY_URL: fetched(LISTED, KEY_URL)})
    assert code(asks(key=APART), where) == "key-mismatch"


def test_another_key_under_the_id_of_the_readers_is_refused() -> None:
    other = SigningKey(key_id=RSA.key_id, kind="rsa", native=KEY.native)
    where = world()
    assert code(asks(key=other), where) == "bad-signature"
    assert where.urls == [ALICE, ALICE]  # the second one past the cache


def test_a_key_that_was_rotated_is_found_past_the_cache() -> None:
    where = world()

    def answer(ask: Any) -> Any:
        if isinstance(ask, Fetch) and ask.url == ALICE and not ask.fresh:
            return fetched(keyed(publicKey=None))
        return where.answer(ask)

    assert drive(activitypub.verify_reader(asks(), now=NOW), answer).id == ALICE


@pytest.mark.parametrize(
    "key_id",
    [
        "http://social.example/users/alice#main-key",
        "https://127.0.0.1/k",
        "acct:alice@social.example",
        f"{ALICE}?{'x' * 2_048}#k",
    ],
)
def test_no_key_is_asked_for_that_may_not_be(key_id: str) -> None:
    where = world()
    request = cavage(
        changed(asks(), signature=None),
        "(request-target) host date",
        target="/notes/1",
        keyId=f'"{key_id}"',
    )
    assert code(request, where) == "key-refused"
    assert where.asked == []


def test_an_address_that_its_domain_does_not_confirm_reads_nothing() -> None:
    assert code(asks(), world(jrd=finger(status=404))) == "address-unconfirmed"
    later = read(asks(), world(jrd=finger(status=503)))
    assert (later.id, later.verdict.code, later.verdict.temporary) == (None, "address-unresolvable", True)
    assert code(asks(), world(keyed(preferredUsername="a/b"))) == "address-unconfirmed"


def test_a_proxy_that_rewrites_host_is_named() -> None:
    assert code(changed(asks(), host="inner.example")) == "host-mismatch"


def test_of_several_signatures_one_must_count_and_the_asks_are_bounded() -> None:
    good = asks(form="rfc9421")
    declared, signature = good.header("signature-input") or "", good.header("signature") or ""
    strange = [
        (declared.replace("sig1=", f"s{n}=").replace("alice#", f"mallory{n}#"), signature.replace("sig1=", f"s{n}="))
        for n in range(2)
    ]
    inputs, signatures = zip(*strange, (declared, signature), strict=True)
    request = changed(good, signature_input=", ".join(inputs), signature=", ".join(signatures))
    where = world()
    assert read(request, where).id == ALICE
    assert len(where.urls) <= MAX_ASKS
    assert code(asks(), settings=Settings(limits=Limits(asks=1))) == "address-unresolvable"


def test_of_several_signatures_those_of_one_host_alone_are_looked_up() -> None:
    good = asks(form="rfc9421")
    declared, signature = good.header("signature-input") or "", good.header("signature") or ""
    theirs = declared.replace("sig1=", "s0=").replace("social.example", "other.example")
    request = changed(
        good,
        signature_input=f"{theirs}, {declared}",
        signature=f"{signature.replace('sig1=', 's0=')}, {signature}",
    )
    where = world()
    found = read(request, where)
    assert (found.id, found.verdict.code) == (None, "key-unresolvable")
    assert {url.split("/")[2] for url in where.urls} == {activitypub.peek(request).origin} == {"other.example"}


NAMES = ("host", "date", "signature", "signature-input")


@BOTH
@given(data=st.data())
def test_no_change_of_a_signed_get_makes_another_reader(form: Form, data: st.DataObject) -> None:
    request = asks(PAGE, form=form)
    name = data.draw(st.sampled_from([one for one, _ in request.headers if one in NAMES]))
    value = request.header(name) or ""
    at = data.draw(st.integers(0, len(value) - 1))
    mutated = value[:at] + data.draw(st.characters(min_codepoint=32, max_codepoint=126)) + value[at + 1 :]
    found = read(changed(request, **{name: mutated}))
    assert found.id in (None, ALICE)


@pytest.mark.parametrize(
    "call",
    [
        lambda: activitypub.verify_reader(b"", now=NOW),  # type: ignore[arg-type]
        lambda: activitypub.verify_reader(asks(), now=datetime(2026, 11, 21)),  # noqa: DTZ001
        lambda: activitypub.verify_reader(asks(), now=datetime(2026, 11, 21, tzinfo=UTC), settings=5),  # type: ignore[arg-type]
    ],
    ids=range(3),
)
def test_wrong_arguments_are_the_programs_fault(call: Any) -> None:
    with pytest.raises(UsageError):
        call()


@BOTH
def test_a_private_answer_reaches_its_recipient_and_no_other(form: Form) -> None:
    out = answer("Hello")
    bobs = SigningKey(key_id=f"{BOB}#main-key", kind="rsa", native=KEY.native)
    entry = {"id": bobs.key_id, "owner": BOB, "publicKeyPem": bobs.public_pem}
    finger_of_bob = "https://other.example/.well-known/webfinger?resource=acct:bob@other.example"
    where = world(
        **{
            BOB: fetched(actor(BOB, publicKey=entry)),
            finger_of_bob: finger(descriptor("acct:bob@other.example", href=BOB), finger_of_bob),
        }
    )
    for url, document in out.serve.items():
        seen = {}
        for key in (RSA, bobs):
            reader = read(asks(url, key=key, form=form), where)
            seen[reader.id] = activitypub.document_response(document, reader=reader).status
        assert seen == {ALICE: 200, BOB: 404}
        assert activitypub.document_response(document).status == 404
    assert out.serve
