from datetime import timedelta
from typing import Any

import pytest

from mentionable import Failed, Fetch, SigningKey, format_time
from tests.activitypub.servers import (
    ALICE,
    AS2,
    BOB,
    EDDSA,
    FINGER,
    NOW,
    RSA,
    World,
    actor,
    fetched,
    finger,
    keyed,
    private_pem,
)
from tests.activitypub.signing import changed, code, signed, verdict, world

PEM = keyed()["publicKey"]
MULTIKEY = keyed()["assertionMethod"][0]
OTHER = SigningKey.from_seed(bytes(32), key_id=RSA.key_id)
PATH_KEY = SigningKey(key_id=f"{ALICE}/main-key", kind="rsa", native=RSA.native)
PATH = {"id": PATH_KEY.key_id, "owner": ALICE, "publicKeyPem": RSA.public_pem}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ({"publicKey": PEM}, None),
        ({"publicKey": [PEM]}, None),
        ({"publicKey": [PEM | {"id": f"{ALICE}#old"}, PEM]}, None),
        ({"publicKey": [], "assertionMethod": [PEM]}, None),
        ({"publicKey": PEM | {"controller": ALICE}}, None),
        ({"publicKey": {"id": PEM["id"], "controller": ALICE, "publicKeyPem": PEM["publicKeyPem"]}}, None),
        ({"publicKey": PEM | {"expires": "2027-01-01T00:00:00Z"}}, None),
        ({"publicKey": PEM["id"], "verificationMethod": PEM}, None),
        ({"publicKey": None}, "key-unknown"),
        ({"publicKey": PEM["id"]}, "key-unknown"),
        ({"publicKey": ["x", 5, None, {}]}, "key-unknown"),
        ({"publicKey": PEM | {"id": f"{ALICE}#other"}}, "key-unknown"),
        ({"publicKey": PEM | {"owner": BOB}}, "key-mismatch"),
        ({"publicKey": PEM | {"controller": BOB}}, "key-mismatch"),
        ({"publicKey": PEM | {"owner": None}}, "key-mismatch"),
        ({"publicKey": PEM | {"owner": [ALICE]}}, "key-mismatch"),
        ({"publicKey": PEM | {"publicKeyPem": "x"}}, "key-refused"),
        ({"publicKey": PEM | {"publicKeyPem": "x" * 2_000}}, "key-refused"),
        ({"publicKey": PEM | {"publicKeyPem": OTHER.public_pem}}, "key-refused"),
        ({"publicKey": PEM | {"publicKeyMultibase": EDDSA.public_multikey}}, "key-refused"),
        ({"publicKey": {"id": PEM["id"], "owner": ALICE}}, "key-refused"),
        ({"publicKey": {"id": PEM["id"], "owner": ALICE, "publicKeyMultibase": "z" * 2_000}}, "key-refused"),
        ({"publicKey": PEM | {"expires": "2026-01-01T00:00:00Z"}}, "key-refused"),
        ({"publicKey": PEM | {"revoked": "2026-01-01T00:00:00Z"}}, "key-refused"),
        ({"publicKey": PEM | {"revoked": True}}, "key-refused"),
        ({"publicKey": MULTIKEY | {"id": PEM["id"]}}, "algorithm-refused"),
    ],
)
def test_a_key_is_the_actors_by_their_own_document(members: dict[str, Any], expected: str | None) -> None:
    assert code(signed(), world(keyed(**members))) == expected


def test_an_inner_key_is_never_believed() -> None:
    activity = {"@context": AS2, "id": f"{ALICE}/1", "actor": {**actor(), "publicKey": PEM}, "type": "Create"}
    assert code(signed(activity), world(actor())) == "key-unknown"


@pytest.mark.parametrize("key_id", [f"{BOB}#main-key", "acct:alice@social.example", "x", "http://social.example/k"])
def test_a_key_of_another_origin_is_never_asked_for(key_id: str) -> None:
    where = world()
    found = verdict(signed(key=SigningKey(key_id=key_id, kind="rsa", native=RSA.native)), where)
    assert (found.code, where.asked) == ("key-mismatch", [])
    assert found.steps == ("parse", "coverage", "time", "digest", "host")


def test_a_key_of_somebody_else_on_the_same_server_is_not_the_actors() -> None:
    where = world()
    eve = "https://social.example/users/eve#main-key"
    assert code(signed(key=SigningKey(key_id=eve, kind="rsa", native=RSA.native)), where) == "key-mismatch"
    assert where.urls == [ALICE, ALICE]


def fresh(where: World) -> list[tuple[str, bool]]:
    return [(ask.url, ask.fresh) for ask in where.asked if isinstance(ask, Fetch)]


class Rotating(World):
    """A world whose cache holds another document than alice's server."""

    def __init__(self, cached: Any, current: Any, **answers: Any) -> None:
        super().__init__(answers={ALICE: cached, FINGER: finger(), **answers})
        self.current = current

    def answer(self, ask: Any) -> object:
        found = super().answer(ask)
        return self.current if isinstance(ask, Fetch) and ask.fresh else found


OLD = SigningKey.from_pem(private_pem(), key_id=RSA.key_id)


@pytest.mark.parametrize("cached", [actor(), keyed(publicKey=PEM | {"publicKeyPem": OLD.public_pem})])
def test_a_key_that_is_unknown_or_does_not_fit_is_asked_for_once_more(cached: Any) -> None:
    where = Rotating(fetched(cached), fetched(keyed()))
    found = verdict(signed(), where)
    assert found.verified
    assert found.steps[5:] == ("key", "binding", "signature", "address")
    assert fresh(where) == [(ALICE, False), (ALICE, True), (FINGER, False)]


def test_what_does_not_fit_the_second_time_is_a_bad_signature() -> None:
    old = keyed(publicKey=PEM | {"publicKeyPem": OLD.public_pem})
    where = Rotating(fetched(old), fetched(old))
    found = verdict(signed(), where)
    assert (found.code, found.steps[-2:]) == ("bad-signature", ("key", "binding"))
    assert fresh(where) == [(ALICE, False), (ALICE, True)]


@pytest.mark.parametrize(
    ("answer", "expected", "temporary"),
    [
        (Failed("timeout"), "key-unresolvable", True),
        (Failed("refused", temporary=False), "key-unresolvable", False),
        (fetched(keyed(), status=503), "key-unresolvable", True),
        (fetched(keyed(), status=404), "key-unknown", False),
        (fetched(keyed(), status=410), "key-unknown", False),
        (fetched(keyed(), content_type="text/html"), "key-unresolvable", False),
        (fetched(keyed(), "https://evil.example/users/alice"), "key-unresolvable", False),
        (fetched(keyed(preferredUsername="a b")), "address-unconfirmed", False),
    ],
)
@pytest.mark.parametrize("past_cache", [False, True])
def test_a_document_that_cannot_be_had_says_why(answer: Any, expected: str, temporary: bool, past_cache: bool) -> None:
    where = Rotating(fetched(actor()) if past_cache else answer, answer)
    found = verdict(signed(), where)
    assert (found.code, found.temporary) == (expected, temporary)
    assert fresh(where) == [(ALICE, False), (ALICE, True)][: 1 + past_cache]


STUB = {"@context": AS2, "id": ALICE, "type": "Person", "preferredUsername": "alice", "publicKey": PATH}
ALONE = {"@context": "https://w3id.org/security/v1", **PATH}


@pytest.mark.parametrize("document", [STUB, ALONE], ids=["wrapped", "alone"])
def test_a_key_that_is_only_named_is_asked_for_by_its_id(document: dict[str, Any]) -> None:
    where = world(keyed(publicKey=PATH_KEY.key_id), **{PATH_KEY.key_id: fetched(document, PATH_KEY.key_id)})
    assert code(signed(key=PATH_KEY), where) is None
    assert where.urls == [ALICE, PATH_KEY.key_id, FINGER]
    assert [ask.purpose for ask in where.asked] == ["actor", "key", "webfinger"]


def test_a_key_in_the_actors_document_is_not_asked_for_again() -> None:
    where = world(keyed(publicKey=PATH))
    assert code(signed(key=PATH_KEY), where) is None
    assert where.urls == [ALICE, FINGER]


@pytest.mark.parametrize(
    ("document", "facts", "expected"),
    [
        (ALONE | {"owner": BOB}, {}, "key-mismatch"),
        (ALONE | {"id": f"{ALICE}/other-key"}, {}, "key-mismatch"),
        (STUB | {"publicKey": PATH | {"id": f"{ALICE}/other-key"}}, {}, "key-mismatch"),
        (ALONE, {"content_type": "application/json"}, "key-unresolvable"),
        (ALONE, {"status": 404}, "key-unknown"),
        (ALONE, {"status": 500}, "key-unresolvable"),
        (b"[]", {}, "key-unresolvable"),
        (b"{", {}, "key-unresolvable"),
    ],
)
def test_a_document_of_a_key_must_be_what_its_url_promised(document: Any, facts: Any, expected: str) -> None:
    answer = fetched(document, PATH_KEY.key_id, **facts)
    where = world(keyed(publicKey=PATH_KEY.key_id), **{PATH_KEY.key_id: answer})
    assert code(signed(key=PATH_KEY), where) == expected


def test_a_key_document_that_the_actor_does_not_name_proves_nothing() -> None:
    where = world(keyed(), **{PATH_KEY.key_id: fetched(STUB, PATH_KEY.key_id)})
    assert code(signed(key=PATH_KEY), where) == "key-mismatch"
    assert PATH_KEY.key_id not in where.urls


def test_an_id_longer_than_ids_may_be_is_refused() -> None:
    key = SigningKey(key_id=ALICE + "#" + "x" * 2_100, kind="rsa", native=RSA.native)
    header = (signed().header("signature") or "").replace(RSA.key_id, key.key_id)
    assert code(changed(signed(), signature=header)) == "key-mismatch"


@pytest.mark.parametrize(("seconds", "expected"), [(0, "key-refused"), (1, None)])
def test_a_key_counts_until_it_expires_and_no_longer(seconds: int, expected: str | None) -> None:
    until = format_time(NOW + timedelta(seconds=seconds))
    assert code(signed(), world(keyed(publicKey=PEM | {"expires": until}))) == expected


@pytest.mark.parametrize(("before", "expected"), [(63, None), (64, "key-unknown")])
def test_so_many_keys_of_an_actor_are_looked_at(before: int, expected: str | None) -> None:
    others = [PEM | {"id": f"{ALICE}#{number}"} for number in range(before)]
    assert code(signed(), world(keyed(publicKey=[*others, PEM]))) == expected
