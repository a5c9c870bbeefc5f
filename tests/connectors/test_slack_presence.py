"""What people see of an agent between its answers."""

from __future__ import annotations

import pytest

from mentionable import UsageError, replace
from mentionable.connectors import slack
from tests.connectors.slack_workspace import TS, command_unit, mention, message, outcome

QUESTION = message(mention())
COMMAND = outcome(command_unit()).message


def test_people_see_that_the_agent_is_at_work():
    post = slack.typing(to=QUESTION)
    assert post.method == "assistant.threads.setStatus"
    assert post.params == {"channel_id": "C1", "thread_ts": TS, "status": "is typing…"}


def test_a_status_has_words_and_is_taken_away():
    assert slack.typing(to=QUESTION, status="looks\nit up").params["status"] == "looks it up"
    assert len(slack.typing(to=QUESTION, status="x" * 1_000).params["status"].encode()) <= 100
    assert slack.typing(to=QUESTION, status="").params["status"] == ""


@pytest.mark.parametrize("emoji", ["eyes", ":eyes:", "👀", "👀\ufe0f"])
def test_a_reaction_is_named(emoji):
    post = slack.react(emoji, to=QUESTION)
    assert (post.method, post.params) == ("reactions.add", {"channel": "C1", "timestamp": TS, "name": "eyes"})
    assert slack.unreact(emoji, to=QUESTION).method == "reactions.remove"


def test_a_reaction_has_a_tone():
    assert slack.react("+1::skin-tone-2", to=QUESTION).params["name"] == "+1::skin-tone-2"


def test_a_command_has_nothing_to_show_it_at():
    for post in (slack.typing(to=COMMAND), slack.react("eyes", to=COMMAND)):
        assert (post.calls, [note.code for note in post.diagnostics]) == ((), ["part-changed"])


@pytest.mark.parametrize("emoji", ["", ":", "::", "a b", "<!channel>", "🦕", None, 7])
def test_what_slack_does_not_know_is_the_callers_fault(emoji):
    with pytest.raises(UsageError):
        slack.react(emoji, to=QUESTION)


def test_other_messages_are_the_callers_fault():
    for to in (None, replace(QUESTION, received_via="a2a"), replace(QUESTION, thread_id="discord:1")):
        with pytest.raises(UsageError):
            slack.typing(to=to)
        with pytest.raises(UsageError):
            slack.react("eyes", to=to)
    with pytest.raises(UsageError):
        slack.typing(to=QUESTION, status=None)
