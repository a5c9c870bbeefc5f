"""What was said before in a thread: bounded, attributed, and never a ground for a decision."""

from __future__ import annotations

import pytest

from mentionable import HistoryPolicy, Limits
from mentionable.connectors import slack
from tests.connectors.slack_workspace import (
    AGENT,
    ISSUER,
    SECRET,
    TS,
    event_unit,
    mention,
    notes,
    outcome,
    receive,
    said,
)

ROOT = "1795294400.000001"
BOB = {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"display_name": "Bob"}}}


def ts(number):
    return f"17952944{number:02}.000001"


def turn(text, *, at=0, **more):
    return {"type": "message", "user": "U2", "team": "T1", "ts": ts(at), "thread_ts": ROOT, "text": text, **more}


def thread(*messages, event=None, world=None, settings=None, more=None, **page):
    answer = {"ok": True, "messages": list(messages), **page}
    rows = {"CALL conversations.replies C1": answer, "CALL users.info U2": BOB, **(world or {})}
    facts = {} if settings is None else {"settings": slack.Settings(signing_secret=SECRET, issuer=ISSUER, **settings)}
    return receive(event_unit(event or mention(thread_ts=ROOT), **(more or {})), world=rows, **facts)


def history(*messages, **facts):
    return thread(*messages, **facts)[0].message.history or ()


def test_a_thread_becomes_history():
    first, second, third = history(
        turn("is it *late*?", ts=ROOT),
        turn("Soon.", at=1, user="UBOT", bot_id="B1", app_id="A1"),
        turn("thanks", at=2, user="U1"),
    )
    assert (first.role, first.sender.address, first.sender.display_name) == ("user", "@U2@t1.slack.invalid", "Bob")
    assert (first.id, first.timestamp) == (f"slack:T1/C1/{ROOT}", "2026-11-21T20:53:20.000001Z")
    assert (first.parts[0].content, first.parts[0].mime) == ("is it **late**?", "text/markdown")
    assert (second.role, second.sender.address) == ("assistant", AGENT)
    assert third.sender.display_name == "Alice"
    assert [one.sender.identities for one in (first, second, third)] == [None] * 3
    assert first.sender.verified is False


def test_what_is_not_read_of_a_turn_is_told():
    found, _ = thread(turn("see", attachments=[{"text": "t"}] * 3), settings={"limits": Limits(parts=2)})
    assert [part.content for part in found.message.history[0].parts] == ["see", "t"]
    assert [(note.code, note.at, note.detail) for note in found.diagnostics] == [
        ("too-many-parts", f"/messages/{ts(0)}", "2 of 4 parts")
    ]


def test_no_more_is_told_of_turns_than_the_agent_sees():
    many = [turn("see", at=at, attachments=[{"text": "t"}] * 3) for at in range(4)]
    settings = {"limits": Limits(parts=2), "history": HistoryPolicy(max_messages=1)}
    found, _ = thread(*many, settings=settings)
    assert [note.at for note in found.diagnostics if note.code == "too-many-parts"] == [f"/messages/{ts(3)}"]


def test_files_of_a_turn_are_named():
    files = [{"id": "F1", "name": "rain.png", "url_private": "https://files.example/canary"}, {"title": "Plan"}, "x"]
    (first, second) = history(turn("", ts=ROOT, files=files), turn("see", at=1, files=[{"mimetype": "a/b"}]))
    assert [part.content for part in first.parts] == ["[file: rain.png]", "[file: Plan]", "[file: a file]"]
    assert [part.content for part in second.parts] == ["see", "[file: a/b]"]


def test_people_are_asked_about_once():
    asked = thread(turn("a"), turn("b", at=1), turn("c", at=2, user="U1"), turn("d", at=3, user="U3"))[1]
    calls = [row for row in asked if row.startswith("CALL")]
    assert calls == ["CALL users.info U1", "CALL conversations.replies C1", "CALL users.info U3", "CALL users.info U2"]


def test_nobody_is_asked_about_bots_and_the_app_itself():
    found, asked = thread(turn("a", user=None, bot_id="B2"), turn("b", at=1, user="UBOT"))
    assert found.message.history[0].sender.address == "@B2@t1.slack.invalid"
    assert [row for row in asked if row.startswith("CALL users")] == ["CALL users.info U1"]


@pytest.mark.parametrize(
    "other",
    [
        turn("later", ts=TS),
        turn("later", ts="1795294500.000101"),
        turn("of another thread", at=1, thread_ts="1795294300.000001"),
        turn("", at=1),
        turn("joined", at=1, subtype="channel_join"),
        turn("odd", at=1, subtype={}),
        turn("odd", at=1, type="other"),
        turn("odd", ts="1"),
        turn("odd", at=1, user="nobody"),
        turn(7, at=1),
        "text",
    ],
)
def test_what_is_none_of_the_thread_is_left_out(other):
    assert [one.parts[0].content for one in history(other, turn("kept", ts=ROOT))] == ["kept"]


def test_a_thread_is_asked_for_once_it_has_begun_and_where_history_is_wanted():
    assert not [row for row in thread(event=mention(thread_ts=TS))[1] if "replies" in row]
    assert not [row for row in thread(settings={"history": HistoryPolicy(max_messages=0)})[1] if "replies" in row]


def test_the_ask_says_up_to_where():
    asks = []

    def call_api(ask):
        asks.append(ask)
        return {"ok": False}

    from mentionable import Answers, drive
    from tests.connectors.slack_workspace import NOW, SETTINGS

    world = Answers(call_api=call_api, use_once=lambda ask: "first", find_message=lambda ask: None)
    unit = event_unit(said("hi", thread_ts=ROOT))
    drive(slack.receive(unit, now=NOW, entropy=bytes(32), recipient=AGENT, settings=SETTINGS), world)
    assert asks[0].params == (("user", "U1"), ("include_locale", "true"))
    assert asks[1].params == (("channel", "D1"), ("ts", ROOT), ("limit", "51"), ("latest", TS))
    assert asks[1].name == "conversations.replies D1"
    assert slack.CallApi(method="auth.test").name == "auth.test"


def test_pages_are_walked_no_further_than_the_limit():
    pages = []

    def run(cursors, limits):
        from mentionable import Answers, drive
        from tests.connectors.slack_workspace import NOW

        pages.clear()

        def call_api(ask):
            if ask.method == "users.info":
                return {"ok": False}
            pages.append(dict(ask.params).get("cursor"))
            number = len(pages)
            cursor = cursors[number - 1] if number <= len(cursors) else ""
            return {
                "ok": True,
                "messages": [turn(f"{number}", at=number)],
                "response_metadata": {"next_cursor": cursor},
            }

        settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, limits=limits)
        world = Answers(call_api=call_api, use_once=lambda ask: "first", find_message=lambda ask: None)
        flow = slack.receive(
            event_unit(mention(thread_ts=ROOT)), now=NOW, entropy=bytes(32), recipient=AGENT, settings=settings
        )
        return drive(flow, world)

    found = run(["c1", "c2"], Limits())
    assert (pages, [one.parts[0].content for one in found.message.history]) == ([None, "c1", "c2"], ["1", "2", "3"])
    found = run(["c1", "c2", "c3"], Limits(walk_depth=2))
    assert pages == [None, "c1"]
    assert "thread-truncated" in notes(found)
    run(["c1", "c1", "c1"], Limits())
    assert pages == [None, "c1"]
    run(["x" * 1025], Limits())
    assert pages == [None]
    run([7], Limits())
    assert pages == [None]
    assert "thread-truncated" not in notes(run([], Limits(walk_depth=0)))


def test_no_more_people_are_asked_about_than_the_limit():
    messages = [turn(f"{number}", at=number, user=f"U{number + 10}") for number in range(20)]
    asked = thread(*messages, settings={"limits": Limits(asks=16)})[1]
    assert sum("users.info" in row for row in asked) == 6
    assert sum("users.info" in row for row in thread(*messages, settings={"limits": Limits(asks=0)})[1]) == 0


def test_a_thread_that_cannot_be_had_costs_a_diagnostic():
    found = thread(world={"CALL conversations.replies C1": {"failed": "ratelimited"}})[0]
    assert (found.message.history, notes(found)) == (None, ["lookup-unanswered"])


def test_foreigners_in_a_thread_stay_foreign():
    found = history(turn("a", ts=ROOT, team="T9"), turn("b", at=1, team="T9", user_team="T1"))
    assert [one.sender.address for one in found] == ["@U2@t9.slack.invalid", "@U2@unknown.slack.invalid"]
    assert [one.sender.profile.provider_subject for one in found] == [None, None]


def test_history_is_trimmed_by_its_policy():
    found = thread(
        turn("a", ts=ROOT), turn("b", at=1), turn("c", at=2), settings={"history": HistoryPolicy(max_messages=2)}
    )[0]
    assert [one.parts[0].content for one in found.message.history] == ["b", "c"]
    assert "history-trimmed" in notes(found)


def test_a_message_of_the_thread_counts_once():
    assert len(history(turn("a", ts=ROOT), turn("a", ts=ROOT))) == 1


def test_the_thread_of_a_direct_message_is_context_too():
    answer = {
        "CALL conversations.replies D1": {"ok": True, "messages": [turn("before", ts=ROOT)]},
        "CALL users.info U2": BOB,
    }
    got = outcome(event_unit(said("now", thread_ts=ROOT)), world=answer).message
    assert [one.parts[0].content for one in got.history] == ["before"]
