import json
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import Failed, HttpRequest, Limits, Settings, SigningKey, UsageError, Verdict, activitypub
from mentionable.activitypub import Reader, Synchronization, followers_digest
from tests.activitypub.answering import KEY
from tests.activitypub.servers import ALICE, AS2, BOB, EDDSA, HELPER, NOW, RSA, World, fetched, keyed
from tests.activitypub.signing import Form, changed, post, proven, world
from tests.linearity import time_grows_linearly

OTHER = "https://agents.example/actors/other"
FOLLOWERS = f"{ALICE}/followers"
PARTIAL = f"{ALICE}/followers_synchronization"
NAME = "collection-synchronization"
BOTH = pytest.mark.parametrize("form", ["cavage", "rfc9421"])


def header(ids: Any = (HELPER,), **members: str) -> str:
    found = {"collectionId": FOLLOWERS, "url": PARTIAL, "digest": followers_digest(ids)} | members
    return ", ".join(f'{name}="{value}"' for name, value in found.items())


def delivery(text: str | None = None, *, form: Form = "cavage", key: SigningKey = RSA, body: Any = None) -> HttpRequest:
    request = post(body, **{NAME: header() if text is None else text})
    return activitypub.sign(request, key=key, now=NOW, form=form)


def server(ids: Any = (HELPER,), partial: Any = None, **members: Any) -> World:
    listed = activitypub.collection(PARTIAL, items=ids)
    answers = {PARTIAL: fetched(listed) if partial is None else partial}
    return world(keyed(**({"followers": FOLLOWERS} | members)), **answers)


def outcome(request: HttpRequest, where: World | None = None, known: Any = (HELPER,), **facts: Any) -> Synchronization:
    facts = {"actor": ALICE, "now": NOW} | facts
    found: Synchronization = (where or server()).drive(activitypub.synchronize(request, known=known, **facts))
    return found


NO_COLLECTION = "it is no collection, or no page of one"

# --- the digest and the header


@given(ids=st.sets(st.text(min_size=1, max_size=40).filter(lambda text: text.isascii())), data=st.data())
def test_the_digest_is_that_of_a_set(ids: set[str], data: st.DataObject) -> None:
    again = data.draw(st.permutations(sorted(ids) * 2))
    assert followers_digest(again) == followers_digest(ids)
    assert (followers_digest(ids) == "0" * 64) == (not ids)
    for one in sorted(ids)[:3]:
        assert followers_digest(ids - {one}) != followers_digest(ids)


@BOTH
@pytest.mark.parametrize("key", [RSA, EDDSA])
def test_what_is_written_is_covered_and_read(form: Form, key: SigningKey) -> None:
    followers = [HELPER, OTHER, BOB, "https://agents.example.evil.example/actors/helper"]
    request = post(**{NAME: "old"})
    written = activitypub.with_synchronization(request, followers=followers, collection=FOLLOWERS, url=PARTIAL)
    assert written.header(NAME) == header([HELPER, OTHER])
    signed = activitypub.sign(written, key=key, now=NOW, form=form)
    assert outcome(signed, known=[OTHER, HELPER]).state == "in-sync"
    where = server()
    assert where.drive(activitypub.verify(signed, now=NOW)).verified
    assert where.drive(activitypub.verify(changed(signed, **{NAME: header()}), now=NOW)).code == "bad-signature"


def test_a_delivery_to_a_host_without_followers_has_the_digest_of_none() -> None:
    inbox = HttpRequest(method="POST", url="http://localhost/inbox", body=b"{}")
    written = activitypub.with_synchronization(inbox, followers=[HELPER], collection=FOLLOWERS, url=PARTIAL)
    assert written.header(NAME) == header([])


@pytest.mark.parametrize(
    "wrong",
    [
        {"delivery": b""},
        {"followers": HELPER},
        {"followers": [7]},
        {"collection": "x"},
        {"url": "x"},
        {"url": "https://other.example/x"},
        {"url": f'{PARTIAL}"'},
    ],
    ids=range(7),
)
def test_no_header_is_written_that_could_not_be_read(wrong: dict[str, Any]) -> None:
    call: dict[str, Any] = {"delivery": post(), "followers": [], "collection": FOLLOWERS, "url": PARTIAL} | wrong
    with pytest.raises(UsageError):
        activitypub.with_synchronization(**call)


# --- the receiving end


def test_without_the_header_nothing_is_asked() -> None:
    where = server()
    assert outcome(post(), where) == Synchronization(state="absent")
    assert where.asked == []


@BOTH
def test_the_difference_is_what_only_one_side_knows(form: Form) -> None:
    listed = [OTHER, "https://agents.example/actors/third", BOB]
    where = server(listed)
    found = outcome(delivery(header(listed), form=form), where, known=[HELPER, OTHER])
    assert found == Synchronization(
        state="differs", not_followers=(HELPER,), not_known=("https://agents.example/actors/third",)
    )
    assert where.urls == [ALICE, PARTIAL]


def test_agents_on_another_host_than_the_inbox_are_not_compared() -> None:
    elsewhere = "https://second.example/actors/helper"
    assert outcome(delivery(), known=[HELPER, elsewhere]).state == "in-sync"
    found = outcome(delivery(header([OTHER])), server([OTHER]), known=[HELPER, elsewhere])
    assert found == Synchronization(state="differs", not_followers=(HELPER,), not_known=(OTHER,))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        header() + ",",
        header() + ', more="x"',
        header() + f', url="{PARTIAL}"',
        f'collectionId="{FOLLOWERS}", url="{PARTIAL}"',
        header(digest="0" * 63),
        header(digest="G" * 64),
        header(digest=followers_digest([HELPER]).upper()),
        header(url="x" * 2_049),
        header().replace('"', ""),
        header() + " " * 9_000,
    ],
    ids=range(12),
)
def test_a_header_that_cannot_be_read_is_ignored(text: str) -> None:
    where = server()
    assert outcome(delivery(text), where) == Synchronization(state="ignored", detail="the header cannot be read")
    assert where.asked == []


def test_a_header_that_is_there_twice_is_ignored() -> None:
    request = delivery()
    twice = HttpRequest(method="POST", url=request.url, headers=[*request.headers, (NAME, header())], body=request.body)
    assert outcome(twice).state == "ignored"


@pytest.mark.parametrize(
    "members",
    [
        {"url": f"{BOB}/followers_synchronization"},
        {"collectionId": f"{BOB}/followers"},
        {"url": PARTIAL.replace("https", "http")},
        {"url": "https://127.0.0.1/x"},
        {"collectionId": "followers"},
    ],
    ids=range(5),
)
def test_a_collection_of_another_origin_is_never_asked_for(members: dict[str, str]) -> None:
    where = server()
    assert outcome(delivery(header([], **members)), where).state == "ignored"
    assert outcome(delivery(header([], **members)), where, actor="urn:x").state == "ignored"
    assert where.asked == []


def test_the_collection_must_be_that_of_the_signer() -> None:
    carol = "https://social.example/users/carol"
    for text in (header([], collectionId=f"{carol}/followers"), header([])):
        where = server(followers=f"{ALICE}/others") if text == header([]) else server()
        found = outcome(delivery(text), where)
        assert (found.state, where.urls) == ("ignored", [ALICE])
    keyless = world(keyed(), **{carol: fetched(keyed(carol, followers=f"{carol}/followers", publicKey=None))})
    text = header([], collectionId=f"{carol}/followers", url=f"{carol}/sync")
    assert outcome(delivery(text), keyless, actor=carol).state == "ignored"


def test_a_header_that_no_valid_signature_covers_is_ignored() -> None:
    where = server()
    for request in (
        post(**{NAME: header([])}),
        changed(activitypub.sign(post(), key=RSA, now=NOW), **{NAME: header([])}),
        post(proven(), **{NAME: header([])}),
    ):
        assert outcome(request, where).detail == "coverage-missing: no signature covers the header"
    assert where.asked == []
    assert outcome(changed(delivery(), **{NAME: header([])}), where).detail.startswith("bad-signature")
    other = SigningKey(key_id=RSA.key_id, kind="rsa", native=KEY.native)
    assert outcome(delivery(key=other), where).state == "ignored"
    assert outcome(delivery(), where, now=datetime.fromisoformat("2026-11-23T00:00:00Z")).state == "ignored"


def test_a_proof_does_not_vouch_for_a_header_beside_a_false_signature() -> None:
    false = SigningKey(key_id=EDDSA.key_id, kind="rsa", native=KEY.native)
    request = delivery(header([]), key=false, body=proven())
    where = server()
    assert where.drive(activitypub.verify(request, now=NOW)).verified
    assert outcome(request, where).state == "ignored"


@pytest.mark.parametrize(
    ("partial", "detail"),
    [
        (Failed("no time"), "the collection: not answered: no time"),
        (fetched({}, PARTIAL, status=404), "the collection: status 404"),
        (
            fetched({"@context": AS2, "id": PARTIAL, "type": "Note"}),
            "the collection: it is no collection, or no page of one",
        ),
        (fetched(activitypub.collection(PARTIAL, items=[OTHER])), "the collection has another digest than the header"),
    ],
    ids=range(4),
)
def test_nothing_changes_unless_the_whole_collection_was_read(partial: Any, detail: str) -> None:
    found = outcome(delivery(header([])), server(partial=partial))
    assert found == Synchronization(state="unresolved", detail=detail)


def test_what_cannot_be_asked_now_is_unresolved() -> None:
    found = outcome(delivery(), World(answers={ALICE: Failed("no time")}))
    assert found.state == "unresolved"
    assert outcome(delivery(header([])), settings=Settings(limits=Limits(asks=1))).state == "unresolved"


@pytest.mark.uncounted
def test_reading_a_header_takes_linear_time() -> None:
    where = server()

    def read(text: str) -> None:
        assert outcome(post(**{NAME: text}), where).state == "ignored"

    time_grows_linearly(read, lambda size: 'url="' + "x" * size)
    time_grows_linearly(read, lambda size: " " * size + "=")


@pytest.mark.parametrize(
    "wrong",
    [{"request": b""}, {"actor": None}, {"known": HELPER}, {"now": datetime(2026, 11, 21)}, {"settings": 5}],  # noqa: DTZ001
)
def test_wrong_arguments_are_the_programs_fault(wrong: dict[str, Any]) -> None:
    call: dict[str, Any] = {"request": delivery(), "actor": ALICE, "known": [], "now": NOW} | wrong
    with pytest.raises(UsageError):
        activitypub.synchronize(**call)


# --- serving it


def test_a_server_sees_its_own_users_alone() -> None:
    url = f"{HELPER}/followers_synchronization"
    verdict = Verdict(method="ap-http-signature", verified=True, address="@social.example@social.example")
    reader = Reader(verdict=verdict, id="https://social.example/actor")
    carol = "https://social.example/users/carol"
    response = activitypub.synchronization_response([carol, BOB, ALICE, ALICE], url=url, reader=reader)
    assert response.header("cache-control") == "private, no-store"
    assert json.loads(response.body) == activitypub.collection(url, total=2, items=[ALICE, carol])
    hidden = activitypub.document_response(None)
    unverified = Reader(verdict=Verdict(method="none", verified=False, code="unsigned"))
    for nobody in (None, unverified):
        assert activitypub.synchronization_response([ALICE], url=url, reader=nobody) == hidden
    with pytest.raises(UsageError):
        activitypub.synchronization_response([], url=url, reader=ALICE)  # type: ignore[arg-type]


@pytest.mark.parametrize("ids", [None, 5, HELPER, [None]])
def test_followers_are_a_list_of_ids(ids: Any) -> None:
    with pytest.raises(UsageError, match="ids"):
        activitypub.followers_digest(ids)
