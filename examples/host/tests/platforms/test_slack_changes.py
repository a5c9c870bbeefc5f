import json
from hashlib import sha256

import pytest
from mentionable import HttpResponse
from sqlalchemy import select

from mentionable_host.forgetting import forget
from mentionable_host.store import blocks
from mentionable_host.store.tables import messages, native_ids, reactions
from mentionable_host.transports.slack import Slack

CHANNEL = "C123"


def test_an_edit_changes_the_stored_message(place, alice, world):
    one, now = place(), world.now()
    asked = alice.write("will it rain?", now=now)
    one.post(asked)
    one.work()
    one.post(alice.edit(asked, "will it snow?", now=now))
    one.work()

    assert one.texts() == ["<@UBOT> will it snow?"]


def test_a_deletion_removes_the_message_and_its_answer(place, alice, world, slack_api):
    one, now = place(), world.now()
    asked = alice.write("will it rain?", now=now)
    one.post(asked)
    one.work()
    one.post(alice.delete(asked, now=now))
    one.work()

    assert (one.count(messages), one.count(native_ids)) == (0, 0)
    assert "chat.delete" not in slack_api.names()


def test_a_deletion_withdraws_the_answer_where_that_is_wanted(make_host, desk, slack_api, slack_table, alice, world):
    slack_table["slack"]["withdraw"] = True
    one, now = desk(make_host(Slack, **slack_table)), world.now()
    asked = alice.write("will it rain?", now=now)
    one.post(asked)
    one.work()
    posted = one.native_id(own=True).rpartition("/")[2]
    one.post(alice.delete(asked, now=now))
    one.work()

    assert slack_api.calls[-1] == ("chat.delete", {"channel": CHANNEL, "ts": posted})


def test_the_answers_to_who_is_forgotten_are_withdrawn_where_that_is_wanted(
    make_host, desk, slack_api, slack_table, alice, world
):
    slack_table["slack"]["withdraw"] = True
    one, now = desk(make_host(Slack, **slack_table)), world.now()
    one.post(alice.write("will it rain?", now=now))
    one.work()
    posted = one.native_id(own=True).rpartition("/")[2]
    [sender] = one.read(lambda db: db.execute(select(messages.c.person).distinct()).scalars().all())
    one.write(lambda db: forget(db, sender, host=one.host))
    one.work()

    assert one.count(messages) == 0
    assert slack_api.calls[-1] == ("chat.delete", {"channel": CHANNEL, "ts": posted})


def test_a_message_that_was_deleted_before_it_came_is_not_stored(place, alice, world, slack_api):
    one, now = place(), world.now()
    asked = alice.write("will it rain?", now=now)
    one.post(alice.delete(asked, now=now))
    one.work()
    one.post(asked)
    one.work()

    assert (one.count(messages), slack_api.names()) == (0, [])


def test_a_message_that_is_deleted_while_it_waits_is_not_answered(place, alice, world, slack_api):
    one, now = place(), world.now()
    asked = alice.write("will it rain?", now=now)
    one.post(asked, alice.delete(asked, now=now))
    one.work()

    assert (one.count(messages), slack_api.names(), one.dead()) == (0, [], [])


@pytest.mark.parametrize("who", ["person", "domain"])
def test_who_is_blocked_while_the_answer_waits_does_not_get_it(place, alice, world, slack_api, who):
    one, now = place(), world.now()
    one.post(alice.write("will it rain?", now=now))
    one.work(("slack.complete", "answer"))
    (person,) = one.read(lambda db: db.execute(select(messages.c.person).distinct()).scalars().all())
    target = person if who == "person" else person.rpartition("@")[2]
    one.write(lambda db: blocks.add(db, target, now=now))
    one.work()

    assert (slack_api.names(), one.dead()) == ([], [])


def test_a_reaction_is_stored_and_removed(place, alice, world):
    one, now = place(), world.now()
    one.post(alice.write("will it rain?", now=now))
    one.work()
    posted = one.native_id(own=True)
    one.post(alice.react("thumbsup", posted, now=now))
    one.work()
    added = one.read(lambda db: db.execute(select(reactions.c.content)).scalars().all())
    one.post(alice.react("thumbsup", posted, now=now, removed=True))
    one.work()

    assert (added, one.count(reactions)) == ([":thumbsup:"], 0)


def test_an_edit_keeps_the_files_of_the_message(place, world, slack_api, slack_events):
    url = "https://files.slack.com/files-pri/T123-F1/report.txt"
    slack_api.answers["files.info"] = {"ok": True, "file": {"url_private_download": url}}
    slack_api.answers[f"GET {url}"] = HttpResponse(status=200, headers={"content-type": "text/plain"}, body=b"hello")
    one, now = place(), world.now()
    one.post(slack_events.with_file(now, size=5))
    one.work()
    one.post(slack_events.edited(one, now, "<@UBOT> read it", files=[slack_events.file(size=5)]))
    one.work()

    [value] = one.read(lambda db: db.execute(select(messages.c.value).where(messages.c.role == "user")).scalars().all())
    text, file = json.loads(value)["parts"]
    assert text["content"] == "<@UBOT> read it"
    assert file["bytes_ref"]["digest"] == sha256(b"hello").hexdigest()


def test_an_answer_that_was_on_its_way_when_its_question_was_deleted_is_withdrawn(
    make_host, desk, slack_api, slack_table, alice, world
):
    slack_table["slack"]["withdraw"] = True
    one, now = desk(make_host(Slack, **slack_table)), world.now()
    asked, posted = alice.write("will it rain?", now=now), slack_api.answers["chat.postMessage"]
    ts = json.loads(asked.body)["event"]["ts"]

    def post(request):
        one.delete(f"slack:T123/C123/{ts}")
        return posted(request)

    slack_api.answers["chat.postMessage"] = post
    one.post(asked)
    one.work()

    assert slack_api.names() == ["chat.postMessage", "chat.delete"]
    assert (one.count(messages), one.count(native_ids)) == (0, 0)
