import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from mentionable import (
    Failed,
    Fetched,
    HttpResponse,
    NoRelay,
    NormalizedMessage,
    RecipientCapabilities,
    Sender,
    TextPart,
    format_time,
)
from mentionable.testing import Peer

from mentionable_host import Config
from mentionable_host.build import TRANSPORTS, open_database
from mentionable_host.queue.outcome import Dead, Done, Retry
from mentionable_host.store import jobs, messages, outbox
from mentionable_host.transports.transport import Reply, Transport

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
WRITTEN = NormalizedMessage(
    id="m1",
    thread_id="t1",
    sender=Sender(address="@alice@a.example", verified=True, auth_method="email-dkim", key_id="a.example"),
    recipient="@mybot@mybot.example",
    parts=(TextPart(content="Will it rain?"),),
    recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
    received_via="email",
    received_at=format_time(NOW),
    raw={},
)


class Post(Transport):
    """A transport that notes what it delivers."""

    outcome = Done()
    delivered: list[bytes] = []

    def handlers(self):
        async def deliver(job):
            self.delivered.append(job.payload)
            return self.outcome

        return {f"{self.name}.deliver": deliver}

    async def reply(self, response, *, to):
        text = response.parts[0].content
        job = jobs.Job(
            key=f"deliver {to.id}",
            kind=f"{self.name}.deliver",
            lane="x",
            payload=text.encode(),
            person=to.sender.address,
        )
        return Reply(native_ids=("n1",), store=lambda db: jobs.enqueue(db, job, now=self.host.world.now()))


class Letters(Post):
    name = "email"


class Notes(Post):
    name = "activitypub"


@pytest.fixture
def post(project, no_internet, monkeypatch):
    """The project with transports that only note what they deliver."""
    monkeypatch.setattr(Post, "outcome", Done())
    monkeypatch.setattr(Post, "delivered", [])
    monkeypatch.setattr("mentionable_host.build.transports_of", lambda config: [Letters, Notes])
    return Post


def stored(project, work):
    """What a function of the store gives."""
    database = open_database(Config.load(project / "mentionable.toml"))
    try:
        return asyncio.run(database.write(work))
    finally:
        database.close()


def put(project, *, error=None, key="one"):
    """A job; with an error it was given up."""

    def work(db):
        jobs.enqueue(db, jobs.Job(key=key, kind="email.deliver", lane="a.example", payload=b"secret text"), now=NOW)
        if error:
            jobs.bury(db, outbox.last_number(db), now=NOW, error=error)

    stored(project, work)


def state(project, number=1):
    return stored(project, lambda db: jobs.get(db, number)).state


def test_an_empty_outbox_is_counted(cli, post):
    assert cli("outbox") == (0, "0 waiting, 0 running, 0 dead, 0 done\n", "")


def test_what_was_given_up_is_listed_with_its_reason_and_without_what_it_says(cli, post, project):
    put(project, error="550 no such user\x1b[2J")
    status, out, _ = cli("outbox")

    assert (status, "550 no such user\\x1b[2J" in out, "secret" in out) == (0, True, False)
    listed = json.loads(cli("outbox", "--json")[1])
    assert (listed["counts"], listed["jobs"][0]["number"]) == ({"dead": 1}, 1)
    assert json.loads(cli("outbox", "--json", "--state", "waiting")[1])["jobs"] == []


def test_the_newest_are_listed_first_and_in_pieces(cli, post, project):
    for key in "abc":
        put(project, key=key)

    def numbers(*words):
        return [one["number"] for one in json.loads(cli("outbox", "--json", *words)[1])["jobs"]]

    assert (numbers("--limit", "2"), numbers("--before", "2"), numbers("--limit", "0")) == ([3, 2], [1], [3])


@pytest.mark.parametrize("error", [None, "550 no"])
def test_a_job_is_tried_again_at_once(cli, post, project, error):
    put(project, error=error)
    status, out, _ = cli("outbox", "retry", "1")

    assert (status, out, post.delivered, state(project)) == (0, "1 email.deliver: done\n", [b"secret text"], "done")


def test_an_answer_that_is_tried_again_is_what_the_program_says(cli, post, project):
    job = jobs.Job(key="answer m1", kind="answer", lane="answer t1", payload=b"1", thread_id="t1")
    stored(project, lambda db: messages.put(db, WRITTEN, transport="email", files={}))
    stored(project, lambda db: jobs.enqueue(db, job, now=NOW))

    assert cli("outbox", "retry", "1")[:2] == (0, "1 answer: done\n")
    assert stored(project, lambda db: jobs.get(db, 2)).payload == b"You wrote: Will it rain?"


def test_a_job_that_fails_again_says_why(cli, post, project):
    put(project, error="550 no")
    post.outcome = Dead("551 gone")

    assert cli("outbox", "retry", "1")[:2] == (1, "1 email.deliver: given up: 551 gone\n")
    post.outcome = Retry("nobody answers", after=timedelta(hours=1))
    status, out, _ = cli("outbox", "retry", "1")
    assert (status, "waiting, at 2026-11-27" in out, "nobody answers" in out) == (0, True, True)


def test_a_job_is_dropped_and_its_text_with_it(cli, post, project):
    put(project)
    status, out, _ = cli("outbox", "drop", "1")

    assert (status, out) == (0, "1 is dropped\n")
    assert stored(project, lambda db: jobs.get(db, 1)).payload == b""


def test_what_a_server_is_doing_just_now_is_left_to_it(cli, post, project):
    put(project)
    stored(project, lambda db: outbox.take(db, 1, now=NOW, until=NOW + timedelta(hours=1)))
    status, _, errors = cli("outbox", "retry", "1")

    assert (status, "no job 1 waits" in errors, post.delivered) == (2, True, [])
    assert stored(project, lambda db: outbox.take(db, 1, now=NOW, until=NOW)) is None


@pytest.mark.parametrize("words", [("retry",), ("drop",), ("drop", "7"), ("retry", "7"), ("list", "7")])
def test_a_number_that_is_missing_or_wrong_is_said(cli, post, words):
    status, _, errors = cli("outbox", *words)

    assert (status, "`outbox" in errors) == (2, True)


def test_a_mail_is_sent_and_stored(cli, post, project):
    status, out, _ = cli("send", "bob@mail.example", "It **will** rain.\nSoon.")

    assert (status, out, post.delivered) == (0, "1 email.deliver: done\n", [b"It **will** rain.\nSoon."])
    row = stored(project, lambda db: messages.find(db, "n1", "@mybot@mybot.example"))
    turns = stored(project, lambda db: messages.thread(db, row.thread_id, agent="@mybot@mybot.example"))
    assert [(one.role, one.person, one.transport) for one in turns] == [("assistant", "@bob@mail.example", "email")]


def test_a_mail_that_is_refused_is_status_1(cli, post):
    post.outcome = Dead("550 no such user")

    assert cli("send", "bob@mail.example", "Hello")[:2] == (1, "1 email.deliver: given up: 550 no such user\n")


def test_a_note_goes_to_an_actor_of_the_fediverse(cli, post, no_internet):
    for row, found in Peer.activitypub("@alice@social.example").lookups.items():
        url, body = row.removeprefix("GET "), json.dumps(found["json"]).encode()
        no_internet.documents[url] = Fetched(url=url, status=200, content_type=found["content_type"], body=body)

    assert cli("send", "@alice@social.example", "Hello")[:2] == (0, "1 activitypub.deliver: done\n")


def test_a_note_is_published_to_the_followers(cli, project, no_internet, monkeypatch):
    activitypub = pytest.importorskip("mentionable_host.transports.activitypub")
    monkeypatch.setattr("mentionable_host.build.transports_of", lambda config: [activitypub.ActivityPub])
    status, out, _ = cli("send", "followers", "It rains.")

    assert (status, out.startswith("https://mybot.example/"), "is published" in out) == (0, True, True)


def test_standard_input_is_sent(cli, post, monkeypatch, capsys):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("From a pipe"))

    assert cli("send", "bob@mail.example", "-")[0] == 0
    assert post.delivered == [b"From a pipe"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("bob@mail.example", " "), "nothing to send"),
        (("bob", "Hello"), "cannot be sent"),
        (("@", "Hello"), "no address"),
        (("@nobody@social.example", "Hello"), "neither a person nor an agent"),
        (("@nobody@social.example", "Hello", "--by", "fediverse"), "nobody is found on the Fediverse"),
        (("bob@mail.example", "Hello", "--by", "a2a"), "neither a person nor an agent"),
    ],
)
def test_what_cannot_be_sent_is_said(cli, post, words, hint):
    status, _, errors = cli("send", *words)

    assert (status, hint in errors) == (2, True), errors


def test_a_transport_that_is_not_configured_is_named(cli, post, monkeypatch):
    monkeypatch.setattr("mentionable_host.build.transports_of", lambda config: [])

    assert "email is not configured" in cli("send", "bob@mail.example", "Hello")[2]


def test_another_agent_is_called(cli, post, no_internet):
    from mentionable import discovery

    card = discovery.AgentCard(
        address="@other@agents.example",
        name="Other",
        version="1.0.0",
        a2a=discovery.A2ASection(
            endpoint="https://agents.example/a2a",
            transport="https+jsonrpc",
            protocol_version="1.0",
            auth=discovery.A2AAuth(scheme="none"),
        ),
        mentionable=discovery.MentionableSection(supported_inbound=("a2a",)),
    )
    url = discovery.agent_card_url(card.address)
    jrd = discovery.write_jrd(card.address, agent_card=url)
    webfinger = "https://agents.example/.well-known/webfinger?resource=acct:other@agents.example"
    for place, document in ((webfinger, jrd), (url, discovery.write_agent_card(card))):
        body = json.dumps(document).encode()
        no_internet.documents[place] = Fetched(url=place, status=200, content_type="application/json", body=body)

    def answer(request):
        message = {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "It will.\x1b"}]}
        body = {"jsonrpc": "2.0", "id": json.loads(request.body)["id"], "result": {"message": message}}
        return HttpResponse(status=200, headers={"content-type": "application/json"}, body=json.dumps(body).encode())

    no_internet.responses = answer
    assert cli("send", "@other@agents.example", "Will it rain?")[:2] == (0, "It will.\\x1b\n")
    no_internet.responses = lambda request: Failed("no route")
    assert "does not answer: no route" in cli("send", "@other@agents.example", "Will it rain?")[2].replace("\n", " ")
    no_internet.mx["agents.example"] = [(10, "mx.agents.example")]
    found = json.loads(cli("resolve", "@other@agents.example", "--json")[1])
    assert (found["A2A 1.0"], found["agent"], found["mail"]) == (
        "https://agents.example/a2a",
        "Other",
        "mx.agents.example",
    )
    assert found["no actor"].startswith("actor-un")


def test_somebody_is_looked_up(cli, post, no_internet):
    for row, found in Peer.activitypub("@alice@social.example").lookups.items():
        url, body = row.removeprefix("GET "), json.dumps(found["json"]).encode()
        no_internet.documents[url] = Fetched(url=url, status=200, content_type=found["content_type"], body=body)
    status, out, _ = cli("resolve", "alice@social.example")

    assert (status, "actor\thttps://social.example/users/alice" in out, "the domain takes none" in out) == (
        0,
        True,
        True,
    )


def test_nobody_is_found_with_the_reasons(cli, post):
    status, out, _ = cli("resolve", "@nobody@social.example")

    assert (status, "no actor\t" in out, "no card\t" in out) == (1, True, True)
    assert cli("resolve", "nobody")[0] == 2


def test_every_transport_of_the_table_has_a_place():
    assert all(place.count(":") == 1 for place, _ in TRANSPORTS.values())


def test_conversations_are_shown(cli, post, project):
    pytest.importorskip("mentionable_host.store.conversations")
    assert cli("inbox")[0] == 1
    cli("send", "bob@mail.example", "It will rain.")
    status, out, _ = cli("inbox")

    assert (status, "It will rain." in out, "@bob@mail.example" in out) == (0, True, True)
    assert cli("inbox", "1")[1].splitlines()[1] == "It will rain."
    assert json.loads(cli("inbox", "--search", "WILL", "--json")[1])[0]["text"] == "It will rain."
    assert cli("inbox", "--search", "snow")[0] == 1
    assert "there is no message 9" in cli("inbox", "9")[2]
