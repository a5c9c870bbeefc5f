import json
from typing import Any

import pytest

from mentionable import HttpRequest, Limits
from mentionable.activitypub._auth.signature import Signatures, read_signatures
from mentionable.activitypub._raw import raw_of
from mentionable.activitypub._read.json_ld import read_node
from mentionable.activitypub._read.object import Activity, ActivityHead, Content, addressing
from tests.activitypub.servers import ALICE, BOB, HELPER, NOTE, PUBLIC, actor, create, note

UNSIGNED = Signatures((), (), ())


def known(activity: dict[str, Any]) -> Activity:
    head = ActivityHead(document=activity, id=activity["id"], actor=ALICE, host="social.example")
    return Activity(head=head, node=read_node(activity), object=activity["object"])


def read(activity: dict[str, Any], document: dict[str, Any] | None = None, **headers: str) -> dict[str, Any]:
    embedded = activity["object"] if document is None else document
    facts = known(activity)
    to = addressing(facts.node, read_node(embedded), limits=Limits())
    request = HttpRequest(method="POST", url="https://agents.example/inbox", headers=headers)
    content = Content(node=read_node(embedded), id=NOTE, type="Note")
    return raw_of(facts, content, actor=actor(), to=to, signatures=read_signatures(request, activity, embedded))


def test_raw_has_the_shape_of_the_specification() -> None:
    activity = create(cc=[PUBLIC])
    assert read(activity) == {
        "activity": activity,
        "actor": actor(),
        "delivery": {"to": [HELPER], "cc": [PUBLIC]},
    }


def test_a_signature_is_described_when_there_is_one() -> None:
    assert read(create(), signature='keyId="k"')["signature"]["keyId"] == "k"


def test_an_object_that_was_fetched_stands_inside_the_activity() -> None:
    activity = create(NOTE)
    assert read(activity, note(content="fetched"))["activity"] == activity | {"object": note(content="fetched")}
    assert activity["object"] == NOTE


def test_blind_recipients_stand_only_in_the_delivery() -> None:
    activity = create(note(bto=[HELPER]), bcc=BOB, bto=[BOB])
    raw = read(activity)
    assert raw["delivery"] == {"to": [HELPER], "cc": [], "bcc": [BOB, HELPER]}
    assert raw["activity"] == create()
    assert activity["bcc"] == BOB


@pytest.mark.parametrize("nothing", [None, [], PUBLIC, [None]])
def test_blind_members_are_removed_whatever_they_hold(nothing: object) -> None:
    assert read(create(note(), bcc=nothing))["activity"] == create()
    assert read(create(note(bto=nothing)))["activity"] == create()
    assert read(create(NOTE, bto=nothing), note(bcc=nothing))["activity"] == create()


def test_what_could_be_used_again_is_taken_out_at_any_depth() -> None:
    secret = {"proof": {"value": "CANARY"}}
    activity = create(
        note(metadata={"mentionable": {"identity_evidence": [secret]}}, tag=[{"policy_resolution": secret}]),
        identity_evidence=secret,
    )
    raw = read(activity)
    assert "CANARY" not in json.dumps(raw)
    assert raw["activity"]["object"]["tag"] == [{"policy_resolution": "[redacted]"}]
    assert raw["activity"]["object"]["content"] == "<p>Hello</p>"
    assert activity["identity_evidence"] == secret


@pytest.mark.parametrize(
    "secret",
    [
        {"identityEvidence": "CANARY"},
        {"IDENTITY_EVIDENCE": {"proof": "CANARY"}},
        {"policy.resolution": "CANARY"},
        {"access_token": "CANARY"},
        {"tag": [{"icon": {"client_secret": "CANARY"}}]},
        {"headers": [["AUTHORIZATION", "CANARY"], ["accept", "text/html"]]},
        {"header": ["Authorization", "CANARY"]},
        {"mentionable.identity_evidence" + "x" * 100: "CANARY"},
        {"note": "Bearer CANARY-CANARY"},
    ],
)
def test_a_secret_is_known_by_its_name_in_every_spelling(secret: dict[str, Any]) -> None:
    assert "CANARY" not in json.dumps(read(create(note(**secret))))
    assert "CANARY" not in json.dumps(read(create(**secret)))


def test_long_names_are_judged_each_time_and_stay() -> None:
    harmless: dict[str, Any] = {"x" * 100: ["a", "b"], "y": [["c", "d"], [1, 2], [], ["e", {}]]}
    for _ in range(2):
        assert read(create(note(**harmless)))["activity"] == create(note(**harmless))


def test_a_fetched_object_hides_nothing() -> None:
    raw = read(create(NOTE), note(identity_evidence="CANARY", header="Bearer CANARY-CANARY"))
    assert "CANARY" not in json.dumps(raw)


def test_the_actor_stands_in_it_without_secrets() -> None:
    activity = create()
    facts = known(activity)
    embedded = read_node(activity["object"])
    to = addressing(facts.node, embedded, limits=Limits())
    document = actor(endpoints={"access_token": "CANARY"}, attachment=["Bearer CANARY-CANARY"])
    raw = raw_of(facts, Content(node=embedded, id=NOTE, type="Note"), actor=document, to=to, signatures=UNSIGNED)
    assert raw["actor"] == actor(endpoints={"access_token": "[redacted]"}, attachment=["[redacted]"])
    assert "CANARY" in str(document)
