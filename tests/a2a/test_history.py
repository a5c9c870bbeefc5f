from datetime import timedelta

import pytest

from mentionable import HistoryPolicy, Settings
from mentionable._flow.settings import Limits
from mentionable.a2a import RemoteAgent


def turn(number, role="ROLE_USER", **members):
    return {"messageId": f"h{number}", "role": role, "parts": [{"text": f"turn {number}"}], **members}


def turns_of(got):
    return [(t.id, t.role, t.sender.address) for t in got.message.history or ()]


PEER, HELPER = "@peer@agents.example", "@helper@agents.example"


def test_in_a_result_the_agent_is_the_peer_and_the_client_is_the_recipient(take, task):
    got = take(task(history=[turn(1), turn(2, "ROLE_AGENT")]), caller=RemoteAgent(address=PEER))
    assert turns_of(got) == [("h1", "assistant", HELPER), ("h2", "user", PEER)]
    assert not any(t.sender.verified for t in got.message.history)


def test_beside_a_message_the_agent_is_the_recipient(take, task, message):
    unit = {"message": message(), "task": task("working", history=[turn(1), turn(2, "agent")])}
    got = take(unit)
    assert turns_of(got) == [
        ("h1", "user", "@anonymous@a2a.invalid"),
        ("h2", "assistant", HELPER),
        ("s1", "assistant", HELPER),
    ]


def test_the_message_at_hand_and_repeats_are_not_history(take, task, message):
    history = [turn(1), turn(1), {**message()}, turn(2, "agent")]
    assert [t[0] for t in turns_of(take({"message": message(), "task": task(history=history)}))] == ["h1", "h2", "s1"]
    status = task()["status"]["message"]
    assert turns_of(take(task(history=[turn(1), status]))) == [("h1", "assistant", HELPER)]
    assert [t[0] for t in turns_of(take({"message": message(), "task": task(history=[status])}))] == ["s1"]


def test_malformed_turns_are_left_out_with_one_note(take, task):
    history = [turn(1), {"messageId": "x"}, turn(2, "?"), turn(3, taskId="other"), "text", turn(4, taskId="t1")]
    history.append({**turn(5), "parts": [{"raw": "*"}]})
    got = take(task(history=history))
    assert [t[0] for t in turns_of(got)] == ["h1", "h4"]
    dropped = [note for note in got.diagnostics if note.code == "history-turn-dropped"]
    assert [(note.at, note.detail) for note in dropped] == [("/history/1", "5 malformed turns were left out")]


def test_a_malformed_status_message_is_left_out_beside_a_message(take, task, message):
    odd = task("working")
    odd["status"]["message"]["parts"] = [{"raw": "*"}]
    got = take({"message": message(), "task": odd})
    assert got.message.history is None
    assert [(note.code, note.at) for note in got.diagnostics] == [("history-turn-dropped", "/task/status/message")]


def test_notes_of_a_turn_are_named_with_its_place(take, task):
    odd = turn(2)
    odd["parts"].append({"kind": "iframe"})
    got = take({"task": task(history=[turn(1), odd])})
    assert ("part-unsupported", "/task/history/1/parts/1") in [(note.code, note.at) for note in got.diagnostics]


def test_turns_without_a_time_get_the_time_of_receipt_and_a_note(take, task, codes):
    got = take(task(history=[turn(1), turn(2)]))
    assert {t.timestamp for t in got.message.history} == {"2026-11-21T20:56:00Z"}
    assert codes(got) == ["time-assumed"]


def test_times_are_read_and_gaps_filled_so_that_the_order_stays(take, task, codes):
    timed = turn(2, metadata={"mentionable": {"timestamp": "2026-11-21T20:00:00+09:00"}})
    got = take(task(history=[turn(1), timed, turn(3)]))
    assert [t.id for t in got.message.history] == ["h1", "h2", "h3"]
    assert [t.timestamp for t in got.message.history] == [
        "2026-11-21T11:00:00Z",
        "2026-11-21T11:00:00Z",
        "2026-11-21T20:56:00Z",
    ]
    assert codes(got) == ["time-assumed"]


def test_turns_with_times_need_no_note(take, task):
    timed = turn(2, metadata={"mentionable": {"timestamp": "2026-11-21T20:00:00Z"}})
    assert take(task(history=[timed])).diagnostics == ()


@pytest.mark.parametrize(
    ("stamp", "read", "noted"),
    [
        ("2026-11-21T09:00:00+09:00", "2026-11-21T00:00:00Z", []),
        ("2026-11-21T09:00:00.123456789Z", "2026-11-21T09:00:00.123456Z", []),
        ("2026-11-21T09:00:00.090337", "2026-11-21T09:00:00.090337Z", ["time-assumed"]),
        ("yesterday", "2026-11-21T20:56:00Z", ["time-assumed", "time-assumed"]),
        ("", "2026-11-21T20:56:00Z", ["time-assumed", "time-assumed"]),
        (7, "2026-11-21T20:56:00Z", ["time-assumed", "time-assumed"]),
    ],
)
def test_the_status_message_has_the_time_of_the_status(take, task, message, codes, stamp, read, noted):
    unit = task()
    unit["status"]["timestamp"] = stamp
    got = take({"message": message(), "task": unit})
    assert [t.timestamp for t in got.message.history] == [read]
    assert codes(got) == noted


def test_a_time_without_offset_is_noted_in_a_result_too(take, task):
    unit = task(text=None)
    unit["status"]["timestamp"] = "2026-11-21T09:00:00"
    assert [(note.code, note.at) for note in take(unit).diagnostics] == [("time-assumed", "/status/timestamp")]


def test_the_policy_trims_from_the_oldest_end(take, task, codes):
    settings = Settings(history=HistoryPolicy(max_messages=1, max_age=timedelta(days=1)))
    got = take(task(history=[turn(1), turn(2)]), settings=settings)
    assert [t.id for t in got.message.history] == ["h2"]
    assert "history-trimmed" in codes(got)


FORWARDED = {
    "role": "user",
    "sender": {"address": "@bob@slack.example", "auth_method": "a2a-jwt", "verified": True, "key_id": "k"},
    "parts": [{"kind": "text", "mime": "text/plain", "content": "earlier"}],
    "timestamp": "2026-11-21T20:00:00Z",
}


def forwards(*turns):
    return {"metadata": {"mentionable": {"history": list(turns)}}}


def test_forwarded_turns_are_taken_unverified(take, message):
    got = take(message(**forwards(FORWARDED)))
    (only,) = got.message.history
    assert only.parts[0].content == "earlier"
    assert (only.sender.address, only.sender.verified, only.sender.auth_method) == ("@bob@slack.example", False, "none")
    assert only.sender.key_id is None


def test_forwarded_turns_of_the_recipient_are_assistant(take, message):
    own = {**FORWARDED, "sender": {**FORWARDED["sender"], "address": HELPER}}
    assert turns_of(take(message(**forwards(own)))) == [(None, "assistant", HELPER)]


def test_malformed_forwarded_turns_are_left_out(take, message):
    got = take({"message": message(**forwards({"role": "user"}, FORWARDED, 7))})
    assert len(got.message.history) == 1
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("history-turn-dropped", "/message/metadata/mentionable/history/0"),
        ("history-turn-dropped", "/message/metadata/mentionable/history/2"),
    ]


@pytest.mark.parametrize("odd", [5, {"kind": "text", "mime": "text/plain", "content": "x"}], ids=["odd", "good"])
def test_a_forwarded_turn_has_as_many_parts_as_a_message_may_have(take, message, odd):
    full = {**FORWARDED, "parts": [odd] * Limits().parts}
    got = take({"message": message(**forwards(full, {**full, "parts": [*full["parts"], odd]}))})
    assert len(got.message.history) == 1
    codes = [note.code for note in got.diagnostics]
    assert codes == ["history-turn-dropped"] or (odd == 5 and codes[-1] == "diagnostics-omitted")


def test_forwarded_turns_carry_no_secrets(take, message):
    odd = {**FORWARDED, "authorization": "Bearer canary-7f3a", "identity_evidence": ["canary-7f3a"]}
    odd["parts"] = [{"kind": "text", "mime": "text/plain", "content": "Bearer with me"}]
    (only,) = take(message(**forwards(odd))).message.history
    assert only.extra == {"authorization": "[redacted]", "identity_evidence": "[redacted]"}
    assert only.parts[0].content == "Bearer with me"


def test_what_forwarded_turns_say_is_not_redacted(take, message):
    call = {"kind": "tool_call", "id": "c", "name": "n", "args": {"page_token": "p2"}, "result": {"token": "p3"}}
    got = take(message(**forwards({**FORWARDED, "parts": [call]})))
    (only,) = got.message.history
    assert (only.parts[0].args, only.parts[0].result) == ({"page_token": "p2"}, {"token": "p3"})
    assert "p2" not in repr(got.message.raw)


def test_unknown_members_inside_forwarded_turns_are_redacted(take, message):
    profile = {"display_name": "Bob", "extensions": {"slack": {"auth_token": "canary", "team": "a"}}}
    sender = {**FORWARDED["sender"], "profile": profile, "token": "canary"}
    parts = [{**FORWARDED["parts"][0], "token": "canary", "mood": "fine"}, {"kind": "poll", "token": "canary"}]
    (only,) = take(message(**forwards({**FORWARDED, "sender": sender, "parts": parts}))).message.history
    assert "canary" not in repr(only)
    assert only.parts[0].extra == {"token": "[redacted]", "mood": "fine"}
    assert only.sender.extra == {"token": "[redacted]"}
    assert only.sender.profile.extensions == {"slack": {"auth_token": "[redacted]", "team": "a"}}


def test_forwarded_parts_are_canonical(take, message):
    ref = {"kind": "inline", "data_base64": "aGk="}
    parts = [
        {"kind": "text", "mime": "text/plain", "content": "a\r\nb\0"},
        {"kind": "file", "mime": "image/png", "bytes_ref": ref, "name": "../../a.png"},
        {"kind": "file", "mime": "image/png", "bytes_ref": ref},
        {"kind": "artifact", "mime": "image/png", "bytes_ref": ref, "name": "in / out"},
        {"kind": "artifact", "mime": "image/png", "bytes_ref": ref, "name": "C:\\a"},
        {"kind": "artifact", "mime": "image/png", "bytes_ref": ref},
        {"kind": "link", "url": "https://a.example/"},
    ]
    text, *others, link = take(message(**forwards({**FORWARDED, "parts": parts}))).message.history[0].parts
    assert text.content == "a\nb"
    assert [part.name for part in others] == ["a.png", None, "in \u2215 out", "a", None]
    assert link.url == "https://a.example/"


@pytest.mark.parametrize(("most", "kept"), [(2, ["2", "3"]), (1, ["3"])])
def test_the_newest_of_too_many_forwarded_turns_count(take, message, most, kept):
    turns = [{**FORWARDED, "id": str(number)} for number in (1, 2, 3)]
    got = take({"message": message(**forwards(*turns))}, settings=Settings(limits=Limits(parts=most)))
    assert [turn.id for turn in got.message.history] == kept
    assert [(note.code, note.at) for note in got.diagnostics] == [
        ("history-trimmed", "/message/metadata/mentionable/history")
    ]


@pytest.mark.parametrize(
    ("forwarded", "noted"), [([], 0), (None, 0), ("none", 1), ({"a": 1}, 1), ("", 1), ({}, 1)], ids=str
)
def test_what_is_no_list_of_turns_counts_for_nothing(take, message, forwarded, noted):
    got = take({"message": message(metadata={"mentionable": {"history": forwarded}})})
    assert got.message.history is None
    at = "/message/metadata/mentionable/history"
    assert [(note.code, note.at) for note in got.diagnostics] == [("member-dropped", at)] * noted


def test_the_history_of_the_task_goes_before_a_forwarded_one(take, message, task):
    got = take({"message": message(**forwards(FORWARDED)), "task": task(history=[turn(1)])})
    assert [t[0] for t in turns_of(got)] == ["h1", "s1"]


def test_a_message_without_history_has_none(take, message):
    assert take(message()).message.history is None
