"""CloudEvents, as their SDKs read and write them; and messages of Web Push, encrypted and decrypted by others."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from datetime import timedelta
from random import Random

import pytest

from mentionable import HttpRequest, WireError, anp, dumps, encode, replace
from mentionable._wire.strict_json import MAX_SAFE_INTEGER
from mentionable._wire.time import parse_time
from mentionable.testing import strategies
from tests.interop import batches

FLOOR = 3_000
URL = "https://agents.example/events"
STRUCTURED = {"content-type": "application/cloudevents+json"}
TEXTS = ("a", "evt 1", 'say "hi" 100%', "%41+%zz", "Grüße €", "🎉 \u05d0", "a\\b", " b ", "e\u0301")


@pytest.fixture(params=["node", "other_python"])
def sdk(request):
    """The SDK of npm, and that of PyPI."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def events():
    """CloudEvents of all that there is, the same in every run."""
    kinds = (strategies.effects(), strategies.notifications(), strategies.submissions())
    made = []
    for what in (one for kind in kinds for one in batches.drawn(kind, 150)):
        at = batches.NOW if len(made) % 2 else None
        id = TEXTS[len(made) % len(TEXTS)] if isinstance(what, anp.Submission) else None
        made.append(anp.cloud_event(what, source=f"/hosts/{len(made) % 3}?a=b#c", at=at, id=id))
    return [event for event in made if is_common(event.data)]


def is_common(value):
    """Whether both SDKs keep a JSON value as it is: npm's reads numbers as doubles."""
    if isinstance(value, dict):
        return "__proto__" not in value and all(map(is_common, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_common, value))
    return not isinstance(value, int) or abs(value) <= MAX_SAFE_INTEGER


def doubles(value):
    """JSON with every number as npm's SDK has it."""
    if isinstance(value, dict):
        return {name: doubles(member) for name, member in value.items()}
    if isinstance(value, list):
        return [doubles(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def comparable(event):
    """A CloudEvent as JSON: its time as a moment in milliseconds, its media type without parameters."""
    found = {**event, "data": doubles(event.get("data"))}
    if "time" in found:
        found["time"] = parse_time(re.sub(r"\.\d+", lambda digits: digits[0][:4], found["time"]))
    if "datacontenttype" in found:
        found["datacontenttype"] = found["datacontenttype"].partition(";")[0]
    return found


def structured(event):
    return {"headers": STRUCTURED, "body": dumps(event).decode()}


def binary(event):
    return {"headers": event.headers, "body": event.body.decode()}


def read(message):
    """What is read here of a message that an SDK wrote."""
    body = message["body"]
    body = body if isinstance(body, str) else json.dumps(body)
    return anp.read_cloud_event(HttpRequest(method="POST", url=URL, headers=message["headers"], body=body.encode()))


def decodes(sdk):
    """Whether an SDK encodes and decodes attributes in header fields; npm's has them as they are."""
    return sdk("versions", packages=["cloudevents"]) == ["2.2.0"]


@pytest.mark.parametrize("write", [structured, binary])
def test_the_sdks_read_what_is_written_here(sdk, events, count, write):
    found = sdk("cloudevents.read", messages=[write(event) for event in events])
    as_it_is = () if write is structured or decodes(sdk) else ("id", "subject", "source")
    assert len(events) > 300
    for event, theirs in zip(events, found, strict=True):
        assert theirs is not None, event
        ours = encode(event)
        ours |= {name: event.headers[f"ce-{name}"] for name in as_it_is if name in ours}
        if "time" not in ours:  # a reader of an event without one puts its own there
            del theirs["time"]
        assert comparable(theirs) == comparable(ours)
    count(len(events))


def test_what_the_sdks_write_is_read_here_in_both_modes(sdk, events, count):
    given = [replace(event, time=event.time or "2026-11-21T20:56:00.123Z") for event in events]
    if not decodes(sdk):
        given = [event for event in given if re.fullmatch(r"[!#-$&-~]+", f"{event.id}{event.subject}")]
    assert len(given) > 100
    written = sdk("cloudevents.write", events=[encode(event) for event in given])
    for event, messages in zip(given, written, strict=True):
        for message in messages:
            assert comparable(encode(read(message))) == comparable(encode(event))
    count(2 * len(given))


FLAGS = {"address": "session", "target": "USER", "handler": "Handler.AGENT"}


def test_a_plugin_submits_with_the_sdk_of_its_choice(sdk, count):
    random = Random(7)
    texts = ["".join(random.choices("aä€🎉 \n\"\\%{}<&'", k=12)) + "." for _ in range(50)]
    wire = [
        {
            "id": f"n-{number}",
            "source": "/plugins/backup",
            "specversion": "1.0",
            "type": "dev.mentionable.anp.submission",
            "time": "2026-11-21T20:56:00Z",
            "datacontenttype": "application/json",
            "data": {"content": text, "session_id": text, "routing": FLAGS, "metadata": {"n": [text, 1.5, None]}},
        }
        for number, text in enumerate(texts)
    ]
    for text, messages in zip(texts, sdk("cloudevents.write", events=wire), strict=True):
        found = [read(message) for message in messages]
        assert [anp.submission_of(event, user_id="olivia").content for event in found] == [text, text]
        assert found[0].key == found[1].key
    count(2 * len(texts))


GOOD = {
    "specversion": "1.0",
    "id": "1",
    "source": "/a",
    "type": "a.b",
    "subject": "s",
    "time": "2026-11-21T20:56:00Z",
    "datacontenttype": "application/json",
    "traceparent": "00-1",
    "data": {"a": 1},
}
SPOILT = {
    "specversion": ("", "0.2", "1", "2.0", 1, ...),
    "id": ("", 1, [], ...),
    "source": ("", "a b", "a\\b", "a#b#c", "ä", "%", "a%2", "<", "{", 1, ...),
    "type": ("", 1, {}, ...),
    "subject": ("", 1, []),
    "time": ("", "now", "2026-11-21", "20:56", "2026-13-21T20:56:00Z", 1),
    "datacontenttype": ("", 1),
    "Extension": ("a",),
    "a_b": ("a",),
    "a-b": ("a",),
    "ä": ("a",),
}


def test_what_an_sdk_refuses_is_refused_here(sdk, count):
    twins = [(f"{name}={word!r}", {**GOOD, name: word}) for name, words in SPOILT.items() for word in words]
    twins = [(what, {name: member for name, member in twin.items() if member is not ...}) for what, twin in twins]
    twins.insert(0, ("good", GOOD))
    found = sdk("cloudevents.read", messages=[{"headers": STRUCTURED, "body": json.dumps(twin)} for _, twin in twins])
    ours = []
    for _, twin in twins:
        try:
            ours.append(anp.read_cloud_event(json.dumps(twin)))
        except WireError:
            ours.append(None)
    only_there = [
        what for (what, _), mine, theirs in zip(twins, ours, found, strict=True) if mine is not None and theirs is None
    ]
    assert only_there == []
    assert (ours[0] is not None, found[0] is not None) == (True, True)
    assert sum(theirs is None for theirs in found) >= 10
    count(len(twins))


# -- Web Push

SEED = b64encode(bytes(range(1, 33))).decode()
AUTH = "AAECAwQFBgcICQoLDA0ODw"
URGENCIES = (None, "critical", "LOW", "very low", "what?")


def pushes():
    """Messages short and long, of every urgency, kept for some time or not at all."""
    random = Random(8030)
    for number in range(120):
        length = random.choice((1, 10, 500, 2_000, 4_000, 60_000))
        shown = anp.Presentation(
            id=f"evt {number}",
            revision=1 + number % 3,
            lease=1 + number % 2,
            surface="inbox",
            user_id="olivia",
            content="".join(random.choices('aä€🎉"\n', k=length)),
            replaces=False,
            actions=("rm",) * (number % 4) or None,
            metadata={"urgency": URGENCIES[number % 5]},
        )
        ttl = timedelta(seconds=random.choice((0, 60, 10**7)))
        yield anp.to_web_push(shown, now=batches.NOW, ttl=ttl, secret=bytes(16))


def test_a_push_is_encrypted_and_decrypted_to_the_same_bytes(node, other_python, count):
    made = list(pushes())
    given = [{"payload": b64encode(push.payload).decode(), "headers": push.headers} for push in made]
    keys = {"p256dh": other_python("webpush.keys", seed=SEED), "auth": AUTH}
    requests = node("webpush.requests", keys=keys, pushes=given)
    read = other_python("webpush.decrypt", seed=SEED, auth=AUTH, bodies=[one["body"] for one in requests])
    for push, transmitted, text in zip(made, requests, read, strict=True):
        assert b64decode(text) == push.payload
        assert push.headers.items() <= {name: str(value) for name, value in transmitted["headers"].items()}.items()
        assert len(b64decode(transmitted["body"])) <= 4096
    assert max(len(b64decode(one["body"])) for one in requests) > 4090
    assert {push.urgency for push in made} == {"very-low", "low", "normal", "high"}
    count(3 * len(made))
