"""Deliveries in the shape of the servers of the network, written from their field lists."""

import json
from pathlib import Path

import pytest

from mentionable import FilePart, LinkPart, Part, TextPart, activitypub
from tests.activitypub.servers import ENTROPY, HELPER, NOW, World, codes, descriptor, fetched, finger, taken

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.json"))


def shape(part: Part) -> str:
    match part:
        case TextPart(mime=mime):
            return mime
        case FilePart(mime=mime):
            return f"file {mime}"
        case LinkPart():
            return "link"
    raise AssertionError(part)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_a_delivery_of_each_server_becomes_the_message_it_is(path: Path) -> None:
    sample = json.loads(path.read_text("utf-8"))
    expected = sample["expect"]
    got = taken(World(sample["actor"]).receive(sample["activity"]))
    message = got.message
    assert message.sender.address == expected["sender"]
    assert message.thread_id == expected["thread_id"]
    assert message.in_reply_to == expected.get("in_reply_to")
    assert [shape(part) for part in message.parts] == expected["parts"]
    assert any(expected["words"] in part.content for part in message.parts if isinstance(part, TextPart))
    assert codes(got.diagnostics) == expected.get("diagnostics", [])
    assert got.verdict.code == "unsigned"


def test_no_server_of_the_list_is_missing() -> None:
    names = {path.stem.partition("-")[0] for path in SAMPLES}
    assert names == {
        *("akkoma", "bookwyrm", "friendica", "gotosocial", "lemmy", "mastodon", "misskey"),
        *("mobilizon", "nodebb", "peertube", "pixelfed", "pleroma", "wordpress"),
    }


@pytest.mark.parametrize("path", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_what_is_only_named_reads_as_it_would_have_been_delivered(path: Path) -> None:
    sample = json.loads(path.read_text("utf-8"))
    activity, actor = sample["activity"], sample["actor"]
    author = {"attributedTo": actor["id"], "@context": activity["@context"]}
    # For the agent, lest a direct message be for nobody; most samples are public.
    document = author | activity["object"] | {"to": [HELPER]}
    where = World(actor)
    delivered = taken(where.receive(activity | {"object": document})).message
    where.web[document["id"]] = fetched(document)
    host, name = actor["id"].split("/")[2], actor["preferredUsername"]
    url = f"https://{host}/.well-known/webfinger?resource=acct:{name}@{host}"
    where.web[url] = finger(descriptor(f"acct:{name}@{host}", actor["id"]), url)
    flow = activitypub.receive_object(document["id"], recipient="@helper@agents.example", now=NOW, entropy=ENTROPY)
    got = taken(where.drive(flow))
    assert got.message.parts == delivered.parts
    assert (got.message.sender.address, got.message.in_reply_to) == (delivered.sender.address, delivered.in_reply_to)
    assert (got.verdict.code, got.native_id) == ("origin-only", document["id"])
