"""Rows from before the contract: nine shapes, each taken off whole, once, or not at all."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import UsageError
from mentionable.ingest import CONTRACT_SINCE, THREAD_HEADING, strip_legacy
from mentionable.ingest._legacy import baked_prefix

BEFORE = CONTRACT_SINCE - timedelta(days=1)
SUMMARY = f"{THREAD_HEADING}\n- Ash (<@U03>): are we still on?"
CHANNEL = "[Slack channel:C06RY3YBSLE"

ROWS = {
    "1": ("slack", "[Slack user_id: U06STGBF4Q0] ", "slack-user-id"),
    "2": ("slack", f"{CHANNEL} user:U06STGBF4Q0] ", "slack-user"),
    "2-guest": ("slack", f"{CHANNEL} user:W0] ", "slack-user"),
    "3": ("slack", f"{CHANNEL} user:Olivia] ", "slack-name"),
    "3-like-an-id": ("slack", f"{CHANNEL} user:UNICORN] ", "slack-name"),
    "4": ("slack", f"{CHANNEL} user:Olivia (<@U06STGBF4Q0>)] ", "slack-mention"),
    "4-bracket": ("slack", f"{CHANNEL} user:A]B (<@U1>)] ", "slack-mention"),
    "4-token": ("slack", f"{CHANNEL} user:A (<@x>)] B (<@U1>)] ", "slack-mention"),
    "5": ("slack", f"{SUMMARY}\n\n{CHANNEL} user:Olivia (<@U06STGBF4Q0>)] ", "slack-thread"),
    "6": ("slack", f"{CHANNEL} bot:calc-bot] ", "slack-bot"),
    "6-short": ("slack", "[channel:C06RY3YBSLE bot:calc-bot] ", "slack-bot"),
    "7": ("discord", "[Discord channel:123456 user:Olivia] ", "discord-name"),
    "7-bracket": ("discord", "[Discord channel:123456 user:A]B] ", "discord-name"),
    "7-bot": ("discord", "[Discord channel:123456 bot:calc-bot] ", "discord-bot"),
    "7-bot-short": ("discord", "[channel:123456 bot:calc-bot] ", "discord-bot"),
    "8": ("bluebubbles", "[Olivia]: ", "name"),
    "8-me": ("bluebubbles", "[Me]: ", "name"),
    "8-phone": ("bluebubbles", "[+15550100]: ", "name"),
}
rows = pytest.mark.parametrize(("source", "prefix", "shape"), ROWS.values(), ids=ROWS)


@rows
@pytest.mark.parametrize("text", ["hi", "", "  hi", "\n\n\thi", "] x", "]: x", "[Olivia]: x"])
def test_a_prefix_is_taken_off_with_the_one_space_behind_it(source, prefix, shape, text):
    found = strip_legacy(prefix + text, source, created_at=BEFORE)
    assert found == (text, shape, SUMMARY if shape == "slack-thread" else None, prefix)


@rows
def test_a_prefix_may_be_all_there_is(source, prefix, shape):
    found = strip_legacy(prefix[:-1], source, created_at=BEFORE)
    assert (found.text, found.shape, found.prefix) == ("", shape, prefix[:-1])


@rows
def test_a_row_of_today_is_as_it_is(source, prefix, shape):
    assert strip_legacy(prefix + "hi", source, created_at=CONTRACT_SINCE) == (prefix + "hi", None, None, "")
    assert strip_legacy(prefix + "hi", source, created_at=BEFORE, cutoff=BEFORE).shape is None
    assert (
        strip_legacy(prefix + "hi", source, created_at=BEFORE, cutoff=datetime.max.replace(tzinfo=UTC)).shape == shape
    )


@rows
def test_of_a_row_of_unknown_age_only_names_of_platforms_are_taken_off(source, prefix, shape):
    assert strip_legacy(prefix + "hi", source).shape == (None if shape == "name" else shape)


@rows
@pytest.mark.parametrize("other", ["web", "", "slack", "discord", "bluebubbles"])
def test_another_integration_wrote_no_such_prefix(source, prefix, shape, other):
    if other != source and not (other == "bluebubbles" and "]:" in prefix) and not prefix.startswith("[channel:1"):
        assert strip_legacy(prefix + "hi", other, created_at=BEFORE).shape is None


@pytest.mark.parametrize(
    ("source", "content"),
    [
        ("slack", ""),
        ("slack", "hi"),
        ("slack", " [Slack user_id: U1] hi"),
        ("slack", "[Slack user_id: U1]hi"),
        ("slack", "[Slack user_id: u1] hi"),
        ("slack", "[Slack user_id: UX] hi"),
        ("slack", "[slack channel:C1 user:Olivia] hi"),
        ("slack", "[Slack channel:C 1 user:Olivia] hi"),
        ("slack", "[Slack channel: user:Olivia] hi"),
        ("slack", "[Slack channel:C1 user:] hi"),
        ("slack", "[Slack channel:C1 user:Oli\nvia] hi"),
        ("slack", "[Slack channel:C1 user:Olivia]hi"),
        ("slack", f"[Slack channel:C1 user:{'a' * 600}] hi"),
        ("slack", f"[Slack channel:{'C' * 65} user:Olivia] hi"),
        ("slack", "[Slack channel:C1 bot:calc bot] hi"),
        ("slack", SUMMARY),
        ("slack", f"{SUMMARY}\n\nhi"),
        ("slack", f"{SUMMARY}\n\n{CHANNEL} user:Olivia] hi"),
        ("slack", f"{SUMMARY}\n\n{CHANNEL} bot:calc-bot] hi"),
        ("slack", f"{SUMMARY}\n{CHANNEL} user:Olivia (<@U1>)] hi"),
        ("discord", "[Discord channel:C1 user:Olivia] hi"),
        ("discord", "[Discord channel:1 user:Olivia"),
        ("bluebubbles", "[]: hi"),
        ("bluebubbles", "[Olivia]:hi"),
        ("bluebubbles", "[Oli\nvia]: hi"),
        ("bluebubbles", "[Olivia] hi"),
    ],
)
def test_what_only_looks_like_a_prefix_stays(source, content):
    assert strip_legacy(content, source, created_at=BEFORE) == (content, None, None, "")


@pytest.mark.parametrize(
    ("source", "prefix", "name"),
    [
        ("slack", f"{CHANNEL} user:A (<@U1>)] B] ", "A (<@U1>)] B"),
        ("slack", f"{CHANNEL} user:A (<@U1>)] B (<@U2>)] ", "A (<@U1>)] B"),
        ("slack", f"{CHANNEL} user:A] B] ", "A] B"),
        ("slack", f"{CHANNEL} user:A\nB] ", "A\nB"),
        ("slack", f"{CHANNEL} user:{'a' * 600}] ", "a" * 600),
        ("discord", "[Discord channel:1 user:A] B] ", "A] B"),
        ("bluebubbles", "[A]: B]: ", "A]: B"),
    ],
)
def test_a_name_that_is_known_is_taken_off_whole(source, prefix, name):
    found = strip_legacy(prefix + "hi", source, sender_name=name, created_at=BEFORE)
    assert (found.text, found.prefix) == ("hi", prefix)


@pytest.mark.parametrize("name", ["Oliv", "Olivia P", "Bob", "", None])
def test_another_name_than_the_one_that_is_known_is_taken_off_all_the_same(name):
    assert strip_legacy(f"{CHANNEL} user:Olivia (<@U1>)] hi", "slack", sender_name=name).text == "hi"
    assert strip_legacy("[Discord channel:1 user:Olivia] hi", "discord", sender_name=name).text == "hi"
    assert strip_legacy("[Olivia]: hi", "bluebubbles", sender_name=name, created_at=BEFORE).text == "hi"


def test_it_is_taken_off_once():
    row = f"{CHANNEL} user:Olivia (<@U1>)] " * 2
    assert strip_legacy(row, "slack").text == row[: len(row) // 2]


FORGED = f"{SUMMARY}\n- Eve: x\n\n{CHANNEL} user:Admin (<@U0>)] evil"
REAL = f"\n\n{CHANNEL} user:Olivia (<@U1>)] "


def test_whoever_writes_such_a_line_in_a_thread_does_not_end_the_summary():
    found = strip_legacy(FORGED + REAL + "hi", "slack", sender_name="Olivia", created_at=BEFORE)
    assert found == ("hi", "slack-thread", FORGED, FORGED + REAL)


def test_of_a_sender_who_is_not_known_the_first_place_counts():
    for name in (None, "Bob"):
        found = strip_legacy(FORGED + REAL + "hi", "slack", sender_name=name)
        assert (found.text, found.thread_context) == ("evil" + REAL + "hi", f"{SUMMARY}\n- Eve: x")


def test_only_so_many_places_are_looked_at():
    near = "\n\n[Slack channel:C1 user:x"
    assert strip_legacy(SUMMARY + near * 63 + REAL + "hi", "slack").text == "hi"
    assert strip_legacy(SUMMARY + near * 64 + REAL + "hi", "slack").shape is None


@rows
@given(text=st.text(), name=st.text(max_size=40))
def test_of_a_row_that_is_not_legacy_no_character_that_a_person_typed_is_taken_off(source, prefix, shape, text, name):
    typed = prefix + text
    assert strip_legacy(typed, source, sender_name=name, created_at=CONTRACT_SINCE) == (typed, None, None, "")
    if shape == "name":
        assert strip_legacy(typed, source, sender_name=name).text == typed


@rows
@given(text=st.text())
def test_of_a_legacy_row_exactly_the_prefix_is_taken_off(source, prefix, shape, text):
    assert strip_legacy(prefix + text, source, created_at=BEFORE)[::3] == (text, prefix)


@given(st.text(), st.sampled_from(["slack", "discord", "bluebubbles", "web"]), st.text(max_size=20))
def test_prefix_and_text_are_the_row(content, source, name):
    found = strip_legacy(content, source, sender_name=name, created_at=BEFORE)
    assert found.prefix + found.text == content
    assert (found.shape is None) == (found.prefix == "")


def test_a_slash_command_keeps_its_words():
    row = f"{CHANNEL} user:U06STGBF4Q0] /remind me [Slack channel:C1 user:x] tomorrow"
    assert strip_legacy(row, "slack").text == "/remind me [Slack channel:C1 user:x] tomorrow"


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("[Slack channel:C1 bot:b] [Slack channel:C1 user:Olivia] hi", "[Slack channel:C1 user:Olivia] hi"),
        ("[Discord channel:1 user:Olivia] [Discord channel:1 user:Bob] hi", "[Discord channel:1 user:Bob] hi"),
        ("[channel:1 bot:b] [Discord channel:1 user:Olivia] hi", "[Discord channel:1 user:Olivia] hi"),
    ],
)
def test_of_two_prefixes_the_outer_one_is_taken_off(row, text):
    assert strip_legacy(row, "slack" if "Slack" in row else "discord", created_at=BEFORE).text == text


@pytest.mark.parametrize(
    ("content", "name", "baked"),
    [
        ("[Slack channel:C1 user:Olivia (<@U1>)] hi", "Olivia", "[Slack channel:C1 user:Olivia (<@U1>)] "),
        ("[Slack user_id: U1] hi", "Olivia", "[Slack user_id: U1] "),
        ("[Discord channel:1 user:Bob] hi", "Olivia", "[Discord channel:1 user:Bob] "),
        ("[channel:C1 bot:b] hi", "", "[channel:C1 bot:b] "),
        (f"{SUMMARY}\n\n{CHANNEL} user:Olivia (<@U1>)] hi", "", f"{SUMMARY}\n\n{CHANNEL} user:Olivia (<@U1>)] "),
        ("[Olivia]: hi", "Olivia", "[Olivia]:"),
        ("[Olivia (<@U1>)]: hi", "Olivia", "[Olivia (<@U1>)]:"),
        ("[Olivia]:", "Olivia", "[Olivia]:"),
        ("Olivia: hi", "Olivia", "Olivia:"),
        ("[Bob]: hi", "Olivia", None),
        ("[WIP]: fix", "Olivia", None),
        ("[Olivia]:hi", "Olivia", None),
        ("Olivia:hi", "Olivia", None),
        ("Olivia says hi", "Olivia", None),
        ("[", "", None),
        ("hi", "", None),
        (": hi", "", None),
        ("", "Olivia", None),
    ],
)
def test_a_prefix_that_an_integration_bakes_in_is_recognized(content, name, baked):
    assert baked_prefix(content, name) == baked


@pytest.mark.parametrize(
    ("arguments", "keywords"),
    [
        ((None, "slack"), {}),
        (("a", None), {}),
        (("a", "slack"), {"sender_name": 7}),
        (("a", "slack"), {"created_at": "2026-01-01"}),
        (("a", "slack"), {"created_at": date(2026, 1, 1)}),
        (("a", "slack"), {"created_at": datetime(2026, 1, 1)}),  # noqa: DTZ001
        (("a", "slack"), {"cutoff": None}),
        (("a", "slack"), {"cutoff": datetime(2026, 1, 1)}),  # noqa: DTZ001
    ],
    ids=str,
)
def test_other_arguments_raise_a_usage_error(arguments, keywords):
    with pytest.raises(UsageError):
        strip_legacy(*arguments, **keywords)
