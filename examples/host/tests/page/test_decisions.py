import asyncio

import pytest
from mentionable import Sender, activitypub, anp, dumps
from operator_visits import TOKEN, Visitor, hidden
from recorder import Recorder
from sqlalchemy import insert

from mentionable_host.agents.turn import Turn
from mentionable_host.operator import Operator, records
from mentionable_host.operator.records import settings_of
from mentionable_host.store import blocks, follows, jobs, messages
from mentionable_host.store.tables import mail_recipients, notifications, reports


def read(host, work):
    return asyncio.run(host.database.read(work))


def write(host, work):
    return asyncio.run(host.database.write(work))


def state_of(host, number):
    return read(host, lambda db: jobs.get(db, number)).state


def test_jobs_are_listed_with_their_reason_and_never_with_their_payload(page, enqueue):
    enqueue(page.host, error="b.example answers <410>", person="@bob@b.example")
    enqueue(page.host, "deliver 2")

    text = page.get("/operator/deliveries").text

    assert "b.example answers &lt;410&gt;" in text
    assert "given up" in text
    assert "due <time" in text
    assert "secret payload" not in text
    assert "Nothing was given up." not in page.get("/operator/deliveries?state=dead").text
    assert "Nothing is done yet." in page.get("/operator/deliveries?state=done").text
    assert page.get("/operator/deliveries?state=nonsense").status_code == 200


def test_a_job_that_was_given_up_is_tried_again(page, enqueue):
    number = enqueue(page.host, error="away")
    got = page.send("/operator/deliveries?state=dead", f"/operator/deliveries/{number}/retry")

    assert got.headers["location"] == "/operator/deliveries?done=retried&state=dead"
    assert state_of(page.host, number) == "waiting"
    assert "The job is tried now." in page.get(got.headers["location"]).text


def test_all_jobs_that_were_given_up_are_tried_again(page, enqueue):
    numbers = [enqueue(page.host, f"deliver {number}", error="away") for number in range(3)]
    got = page.send("/operator/deliveries?state=dead", "/operator/deliveries/retry")
    form = hidden(page.get("/operator").text, "/operator/logout")

    assert {state_of(page.host, number) for number in numbers} == {"waiting"}
    assert "The jobs are tried now" in page.get(got.headers["location"]).text
    assert "done=nobody" in page.post("/operator/deliveries/retry", form).headers["location"]


def test_a_job_is_dropped_once(page, enqueue):
    number = enqueue(page.host)
    form = hidden(page.get("/operator/deliveries").text, f"/operator/deliveries/{number}/drop")
    first = page.post(f"/operator/deliveries/{number}/drop", form)
    second = page.post(f"/operator/deliveries/{number}/drop", form)

    assert state_of(page.host, number) == "done"
    assert ("done=dropped" in first.headers["location"], "done=too-late" in second.headers["location"]) == (True, True)


def test_whoever_waits_for_an_answer_that_is_dropped_learns_that_none_comes(make_host, visit, store, enqueue):
    class Waiting(Recorder):
        def give_up(self, db, message):
            self.silent.append(message.id)

    page = visit(make_host(Waiting, Operator, operator={"token": TOKEN}))
    number = store(page.host, id="m1", transport="email")
    job = enqueue(page.host, kind="answer", payload=Turn(number=number).payload())
    page.post(f"/operator/deliveries/{job}/drop", hidden(page.get("/operator").text, "/operator/logout"))

    assert state_of(page.host, job) == "done"
    assert page.host.transport("email").silent == ["m1"]


def test_a_thread_shows_what_is_not_done_of_it(page, store, enqueue, world):
    number = store(page.host)
    job = enqueue(page.host, error="away", thread_id="t1")
    row = {
        "native_id": "n",
        "mailbox": "bob@b.example",
        "message_id": "m1",
        "thread_id": "t1",
        "person": "@bob@b.example",
    }
    write(
        page.host,
        lambda db: db.execute(insert(mail_recipients).values(**row, state="bounced", reply="550 <no>", at=0.0)),
    )

    text = page.get(f"/operator/threads/{number}").text
    got = page.send(f"/operator/threads/{number}", f"/operator/deliveries/{job}/retry")

    assert "away" in text
    assert "550 &lt;no&gt;" in text
    assert "no answer so far" in text
    assert got.headers["location"] == f"/operator/threads/{number}?done=retried"
    assert "550 &lt;no&gt;" in page.get("/operator/deliveries").text


def test_a_word_in_the_address_says_nothing_that_was_not_foreseen(page):
    text = page.get("/operator?done=Send+your+token+to+evil.example").text

    assert "evil.example" not in text
    assert 'role="status"' not in text


def test_people_are_listed_and_searched(page, store):
    store(page.host, sender="@alice@a.example")
    named = Sender(address="@bob@b.example", display_name="Bob <b>", verified=False)
    store(page.host, sender=named)

    every, some = page.get("/operator/people").text, page.get("/operator/people?q=BOB").text

    assert ("@alice@a.example" in every, "@alice@a.example" in some) == (True, False)
    assert "Bob &lt;b&gt;" in some
    assert "Nobody is called so." in page.get("/operator/people?q=%25").text


def test_a_person_shows_why_they_are_not_verified(page, store):
    store(page.host, sender=Sender(address="@bob@b.example", verified=False))

    text = page.get("/operator/person?address=@bob@b.example").text

    assert "signature-malformed" in text
    assert page.get("/operator/person?address=@nobody@b.example").status_code == 404


def test_a_person_is_silenced_blocked_and_heard_again(page, store):
    store(page.host)
    place = "/operator/person?address=@alice@a.example"
    for severity, word in (("silence", "silenced"), ("none", "heard again"), ("suspend", "blocked")):
        got = page.send(place, "/operator/person/block", severity=severity, note="spam <b>")
        assert word in page.get(got.headers["location"]).text, severity

    [block] = read(page.host, lambda db: list(blocks.every(db)))

    assert (block.target, block.severity, block.note) == ("@alice@a.example", "suspend", "spam <b>")
    assert page.send(place, "/operator/person/block", severity="none").status_code == 303
    assert page.send(place, "/operator/person/block", severity="worse").status_code == 422


def test_a_person_is_forgotten_when_their_address_is_written_once_more(page, store):
    number = store(page.host, answer=("Hello.",))
    place = "/operator/person/forget?address=@alice@a.example"
    wrong = page.send(place, "/operator/person/forget", confirmation="@bob@b.example")
    still_there = read(page.host, lambda db: messages.entry(db, number))
    right = page.send(place, "/operator/person/forget", confirmation="Alice@A.example")

    assert (wrong.status_code, still_there is not None) == (422, True)
    assert (right.status_code, "messages" in right.text) == (200, True)
    assert read(page.host, lambda db: messages.entry(db, number)) is None
    assert "There was nothing" in page.send(place, "/operator/person/forget", confirmation="@alice@a.example").text


def test_blocks_are_added_imported_exported_and_removed(page):
    page.send("/operator/blocks", "/operator/blocks", target="*.evil.example", severity="suspend", note="")
    bad = page.send("/operator/blocks", "/operator/blocks", target="no <domain>", severity="suspend")
    form = hidden(page.get("/operator/blocks").text, "/operator/blocks/import")
    listed = b"#domain,#severity\nworse.example,suspend\nquiet.example,silence\nfine.example,noop\nno domain,suspend\n"
    got = page.post("/operator/blocks/import", form, files={"list": ("domain_blocks.csv", listed, "text/csv")})
    text = page.get("/operator/blocks").text

    assert bad.status_code == 422
    assert "no &lt;domain&gt;" in bad.text
    assert "2 are blocked or silenced; 1 lines name nobody to block; 1 cannot be read: lines 5" in " ".join(
        got.text.split()
    )
    assert all(one in text for one in ("evil.example", "worse.example", "quiet.example"))
    assert "worse.example,suspend" in page.get("/operator/blocks/export?kind=domain").text
    page.send("/operator/blocks", "/operator/blocks/remove", target="worse.example")
    assert "worse.example" not in page.get("/operator/blocks").text
    assert "quiet.example" not in page.get("/operator/blocks?q=evil").text


def test_a_long_list_of_blocks_is_read_in_pieces(page, world):
    def work(db):
        for number in range(120):
            blocks.add(db, f"d{number:03}.example", now=world.now())

    write(page.host, work)
    seen, path = [], "/operator/blocks"
    for _ in range(3):
        text = page.get(path).text
        seen.append(text.count("Hear them again"))
        path = text.partition('rel="next" href="')[2].partition('"')[0].replace("&amp;", "&")

    assert seen == [50, 50, 20]
    assert path == ""


def follower(name):
    actor = f"https://a.example/{name}"
    return activitypub.Actor(id=actor, address=f"@{name}@a.example", inbox=f"{actor}/inbox")


def test_followers_are_accepted_rejected_and_removed(fediverse, visit, world):
    page = visit(fediverse)

    def work(db):
        for name, state in (("ann", "pending"), ("ben", "pending"), ("cat", "accepted")):
            actor = follower(name)
            follow = {"id": f"{actor.id}/follow", "type": "Follow", "actor": actor.id, "object": "x"}
            facts = {"agent": fediverse.address, "state": state, "activity": follow, "now": world.now()}
            follows.put_relation(db, "followers", actor, **facts)
        report = {
            "id": "r1",
            "actor": "https://a.example/dan",
            "address": "@dan@a.example",
            "objects": b'["https://x/1"]',
        }
        db.execute(insert(reports).values(**report, content="It is <rude>", at=0.0))

    write(fediverse, work)
    before = page.get("/operator/followers").text
    for name, decision in (("ann", "accept"), ("ben", "reject"), ("cat", "reject")):
        got = page.send("/operator/followers", "/operator/followers/decide", actor=follower(name).id, decision=decision)
        assert f"done={decision}ed" in got.headers["location"]
    found = read(fediverse, lambda db: follows.relations(db, "followers", agent=fediverse.address))

    assert "It is &lt;rude&gt;" in before
    assert before.count(">Accept<") == 2
    assert [(one.actor.address, one.state) for one in found] == [("@ann@a.example", "accepted")]
    nobody = page.send("/operator/followers", "/operator/followers/decide", actor="x", decision="reject")
    assert "done=nobody" in nobody.headers["location"]
    assert page.get("/operator/followers?side=following").status_code == 200


def test_a_block_ends_that_they_follow(fediverse, visit, world):
    page, actor = visit(fediverse), follower("ann")
    facts = {"agent": fediverse.address, "state": "accepted", "activity": {"id": "x"}, "now": world.now()}
    write(fediverse, lambda db: follows.put_relation(db, "followers", actor, **facts))

    page.send("/operator/blocks", "/operator/blocks", target="a.example", severity="suspend")

    assert read(fediverse, lambda db: follows.relations(db, "followers", agent=fediverse.address)) == []
    page.send("/operator/blocks", "/operator/blocks/remove", target="a.example")
    assert read(fediverse, lambda db: list(blocks.every(db))) == []


def test_without_the_fediverse_nobody_can_follow(page):
    assert "The Fediverse is not configured" in page.get("/operator/followers").text
    form = hidden(page.get("/operator").text, "/operator/logout")
    got = page.post("/operator/followers/decide", {**form, "actor": "x", "decision": "accept"})
    assert got.status_code == 400


def test_a_form_that_lacks_a_field_is_refused(page):
    form = hidden(page.get("/operator").text, "/operator/logout")

    assert page.post("/operator/blocks/remove", form).status_code == 400


def test_notifications_are_listed(page):
    routing = anp.Routing(address="user", target="user", handler="agent")
    times = {"created_at": "2026-11-27T12:00:00Z", "changed_at": "2026-11-27T12:00:00Z"}
    event = anp.Notification(
        id="n1",
        content="It <rains>.",
        user_id="@alice@a.example",
        routing=routing,
        requested=routing,
        status="pending",
        **times,
    )
    row = {"id": "n1", "person": "@alice@a.example", "status": "pending", "version": 1, "value": dumps(event)}
    write(page.host, lambda db: db.execute(insert(notifications).values(**row)))

    text = page.get("/operator/notifications").text

    assert "It &lt;rains&gt;." in text
    assert "pending" in text


def test_the_settings_show_no_secret(make_host):
    host = make_host(
        Operator,
        operator={"token": "canary-token-of-the-operator"},
        a2a={"callers": {"canary-caller": "@carol@c.example"}},
        mail={"relay": "smtp://user:canary-password@relay.example:587"},
        slack={"signing_secret": "canary-slack", "bot_token": "canary-bot", "app_id": "A1"},
        discord={"public_key": "canary-key", "application_id": "1", "bot_token": "canary-bot"},
        bluebubbles={"url": "https://canary.example", "password": "canary-p", "webhook_token": "canary-w" * 4},
    )
    visitor = Visitor(host)
    visitor.post("/operator/login", {"token": "canary-token-of-the-operator"})

    text = visitor.get("/operator/settings").text

    assert "canary" not in text
    assert "@carol@c.example" in text
    assert "a relay" in text
    assert settings_of(host.config)["store"]["kind"] == "sqlite"


def test_who_is_no_person_is_not_forgotten_blocked_or_heard(page):
    form = hidden(page.get("/operator").text, "/operator/logout")
    forget = {**form, "address": "evil.example", "confirmation": "evil.example"}

    assert page.post("/operator/person/forget", forget).status_code == 422
    assert page.post("/operator/blocks/remove", {**form, "target": "no <target>"}).status_code == 422
    assert page.post("/operator/blocks/import", {**form, "list": "a.example\n" * 200_001}).status_code == 422


def test_others_see_what_is_checked(page, world):
    pytest.importorskip("mentionable_host.checks")
    got = page.send("/operator/records", "/operator/records")

    assert got.status_code == 200
    assert "put it right" in got.text
    assert "Check again" in got.text


def test_checks_that_take_too_long_are_given_up(page, monkeypatch):
    pytest.importorskip("mentionable_host.checks")
    monkeypatch.setattr(records, "SECONDS", 0)

    assert "took too long" in page.send("/operator/records", "/operator/records").text


def test_a_database_whose_url_is_a_secret_is_not_named(make_host):
    config = make_host(store={"url": "env:DATABASE_URL"}).config

    assert settings_of(config)["store"]["kind"] == "as the environment says"


def test_keys_are_shown_by_their_ids_alone(page):
    text = page.get("/operator/records").text

    assert "https://agents.example/actors/helper#main-key" in text
    assert "PRIVATE" not in text
