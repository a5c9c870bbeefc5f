"""Presentations as messages of Web Push."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import UsageError, anp, decode, replace
from mentionable.anp._web_push import MAX_PAYLOAD, MAX_TTL
from tests.anp import events
from tests.anp.events import NOW
from tests.anp.test_presentation import shown
from tests.linearity import time_grows_linearly

HOUR = timedelta(hours=1)


def pushed(what: Any = None, **how: Any) -> anp.WebPush:
    return anp.to_web_push(shown() if what is None else what, **{"now": NOW, "secret": None, **how})


def body(push: anp.WebPush) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(push.payload)
    return found


def test_it_holds_the_presentation():
    push = pushed(shown(metadata={"a": "ä"}))
    assert decode(anp.Presentation, push.payload) == shown(metadata={"a": "ä"})
    assert not push.is_cut
    assert "payload" not in repr(push)


def test_what_was_settled_takes_the_place_of_what_waits():
    done = anp.Settled(id="e1", revision=1, lease=1, how="seen", surface="inbox", user_id="olivia")
    push = pushed(done)
    assert (push.topic, push.urgency, push.is_cut) == (pushed(shown(user_id="olivia")).topic, "low", False)
    assert body(push)["kind"] == "settled"
    assert decode(anp.Effect, push.payload) == done
    with pytest.raises(UsageError, match="do not fit into 20 bytes"):
        pushed(done, max_bytes=20)


def test_its_headers_are_those_of_rfc_8030():
    push = pushed(shown(metadata={"urgency": "Very Low"}), ttl=HOUR)
    assert push.headers == {"TTL": "3600", "Urgency": "very-low", "Topic": push.topic}
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", push.topic)


def test_the_topic_is_that_of_the_event_and_cannot_be_guessed():
    again = pushed(shown(revision=2, lease=2, content="2"), now=NOW + HOUR)
    assert pushed().topic == again.topic
    others = [pushed(shown(id="e2")), pushed(shown(user_id="bob")), pushed(secret=bytes(16)), pushed(secret=b"t" * 16)]
    assert len({pushed().topic, *(push.topic for push in others)}) == 5


@pytest.mark.parametrize(
    ("hint", "urgency"),
    [
        *((word, word) for word in ("very-low", "low", "normal", "high")),
        ("CRITICAL", "high"),
        (" time_sensitive\n", "high"),
        ("Very High", "high"),
        ("minor", "low"),
        ("what?", "normal"),
        ("", "normal"),
        *((odd, "normal") for odd in (None, 5, ["high"], {"a": 1}, True)),
    ],
)
def test_a_hint_of_urgency_is_read_as_it_is_meant(hint, urgency):
    assert anp.push_urgency(hint) == urgency
    assert pushed(shown(metadata={"urgency": hint})).urgency == urgency


@pytest.mark.parametrize(
    ("ttl", "seconds"),
    [(HOUR, 3600), (timedelta(), 0), (-HOUR, 0), (timedelta(days=400), 2_419_200), (timedelta.max, 2_419_200)],
)
def test_it_is_kept_for_no_longer_than_push_services_do(ttl, seconds):
    assert pushed(ttl=ttl).ttl == seconds


@pytest.mark.parametrize(
    ("now", "seconds"),
    [
        (events.LATER, 7 * 86_400),
        (events.LATER + timedelta(days=6), 86_400),
        (events.LATER + timedelta(days=8), 0),
        (datetime(9999, 12, 31, tzinfo=UTC), 0),
    ],
)
def test_it_is_not_kept_beyond_the_deadline_of_the_event(now, seconds):
    assert pushed(events.escalated("user", "user", "agent"), now=now).ttl == seconds


def test_an_event_without_a_deadline_is_kept_as_long_as_can_be():
    assert pushed(events.routed("user", "user", "system")).ttl == MAX_TTL.total_seconds()


LONG = {"a": "x" * 5000}


def test_metadata_and_unknown_members_go_first():
    push = pushed(shown(metadata=LONG, actions=("rm",), extra={"new": 1}))
    assert body(push) == {**body(pushed(shown(actions=("rm",)))), "cut": ["metadata", "new"]}
    assert push.is_cut


@pytest.mark.parametrize("char", ["x", "ä", "🎉", '"', "\n", "\x01"])
def test_then_the_end_of_the_content_goes(char):
    push = pushed(shown(content=char * 5000, actions=("rm",)))
    found = body(push)
    width = len(json.dumps(char, ensure_ascii=False).encode()) - 2
    assert found["cut"] == ["content"]
    assert found["actions"] == ["rm"]
    assert found["content"].rstrip("…") == char * len(found["content"][:-1])
    assert MAX_PAYLOAD - width < len(push.payload) <= MAX_PAYLOAD


def test_then_the_actions_go():
    found = body(pushed(shown(actions=("r" * 200,) * 20)))
    assert (found["content"], found["cut"]) == ("Backup failed.", ["actions"])
    found = body(pushed(shown(content="x" * 5000, actions=("r" * 200,) * 18)))
    assert (found["cut"], len(found["content"]) > 3000) == (["actions", "content"], True)


@pytest.mark.parametrize("more", [{}, {"metadata": LONG}])
def test_what_just_fits_is_not_cut_further(more):
    whole = shown(content="x" * 1000)
    push = pushed(replace(whole, **more))
    size = len(push.payload)
    assert pushed(replace(whole, **more), max_bytes=size).payload == push.payload
    assert "content" in body(pushed(replace(whole, **more), max_bytes=size - 1))["cut"]


def test_the_actions_stay_while_256_bytes_are_left_for_the_content():
    whole = shown(content="x" * 1000, actions=("rm",))
    cut = [body(pushed(whole, max_bytes=most))["cut"] for most in range(350, 500)]
    first = cut.index(["content"])
    assert cut == [["actions", "content"]] * first + [["content"]] * (150 - first)
    found = body(pushed(whole, max_bytes=350 + first))
    assert len(found["content"][:-1]) == 256


def test_what_was_cut_before_stays_cut():
    push = pushed(shown(cut=("metadata",)))
    assert (push.is_cut, body(push)["cut"]) == (True, ["metadata"])
    assert body(pushed(shown(cut=("metadata",), content="x" * 5000)))["cut"] == ["metadata", "content"]


def test_ids_that_do_not_fit_are_a_mistake():
    with pytest.raises(UsageError, match="no room for anything else in 3993 bytes"):
        pushed(shown(id="x" * 4000))


@given(st.text(min_size=1), st.integers(min_value=220, max_value=700), st.lists(st.text(min_size=1), max_size=3))
@settings(max_examples=60)
def test_it_always_fits_and_says_what_was_cut(text, most, actions):
    whole = shown(content=text * 9, actions=tuple(actions) or None, metadata={"t": text})
    push = pushed(whole, max_bytes=most)
    found = decode(anp.Presentation, push.payload)
    assert len(push.payload) <= most
    assert push.is_cut is bool(found.cut) is (found != whole)
    cut = found.cut or ()
    assert found.content == whole.content or ("content" in cut and whole.content.startswith(found.content[:-1]))
    assert all(getattr(found, name) in (None, getattr(whole, name)) for name in ("actions", "metadata"))


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"now": datetime(2026, 1, 1)}, "aware"),  # noqa: DTZ001 - that is the mistake
        ({"now": 5}, "aware"),
        ({"ttl": 3600}, "ttl must be timedelta"),
        ({"secret": "s" * 16}, "at least 16 random bytes"),
        ({"secret": b""}, "at least 16 random bytes"),
        ({"max_bytes": "9"}, "number of bytes"),
        ({"max_bytes": True}, "number of bytes"),
        ({"what": events.submitted("user", "user", "system")}, "nothing of it is shown"),
        ({"what": "e1"}, "expected an effect"),
    ],
)
def test_mistakes_of_the_program_are_named(how, words):
    with pytest.raises(UsageError, match=words):
        pushed(**how)


@pytest.mark.uncounted
def test_a_long_content_is_cut_in_linear_time():
    time_grows_linearly(pushed, lambda size: shown(content="ä" * size))
