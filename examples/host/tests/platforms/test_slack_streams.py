CHANNEL = "C123"


def test_an_answer_grows_in_a_stream_of_slack(place, alice, world, slack_api, slack_events):
    one = place(slack_events.growing(world))
    one.post(alice.write("will it rain?", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.startStream", "chat.appendStream", "chat.appendStream", "chat.stopStream"]
    chunks = [chunk["text"] for _, params in slack_api.calls for chunk in params.get("chunks", [])]
    assert "".join(chunks) == "It will rain."


def test_an_answer_that_comes_fast_is_shown_once_a_second(place, alice, world, slack_api, slack_events):
    one = place(slack_events.growing(world, seconds=0.3))
    one.post(alice.write("will it rain?", now=world.now()))
    one.work()

    assert slack_api.names() == ["chat.startStream", "chat.stopStream"]
    assert slack_api.calls[-1][1]["chunks"] == [{"type": "markdown_text", "text": " will rain."}]


def test_a_stream_that_a_crash_interrupted_is_replaced_by_the_whole_answer(
    place, alice, world, slack_api, slack_events
):
    one = place(slack_events.growing(world, fail_at=2))
    one.post(alice.write("will it rain?", now=world.now()))
    one.work_until_killed(slack_events)
    one.host.transports["slack"].growing.clear()
    one.host.agent = slack_events.growing(world)
    one.restart()
    one.work()

    assert slack_api.names() == ["chat.startStream", "chat.appendStream", "chat.stopStream", "chat.update"]
    assert slack_api.calls[-1][1]["text"] == "It will rain."
    assert "chunks" not in slack_api.calls[-2][1]


def test_a_stream_that_slack_has_ended_is_written_anew(place, alice, world, slack_api, slack_events):
    slack_api.answers["chat.stopStream"] = {"ok": False, "error": "message_not_in_streaming_state"}
    one = place(slack_events.growing(world, seconds=0.3))
    one.post(alice.write("will it rain?", now=world.now()))
    one.work()

    assert slack_api.names()[-1] == "chat.update"
    assert slack_api.calls[-1][1]["text"] == "It will rain."


def test_where_slack_streams_nothing_the_answer_comes_as_a_whole(place, alice, world, slack_api, slack_events):
    slack_api.answers["chat.startStream"] = {"ok": False, "error": "missing_scope", "needed": "chat:write"}
    one = place(slack_events.growing(world))
    one.post(alice.write("will it rain?", now=world.now()))
    one.work()

    assert slack_api.names()[-1] == "chat.postMessage"
    assert one.dead() == []
