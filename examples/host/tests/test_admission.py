import asyncio
from types import SimpleNamespace

import pytest
from mentionable import AgentChain, NoRelay, RecipientCapabilities, Sender, replace
from sqlalchemy import select

from mentionable_host import Config
from mentionable_host.admission import admit
from mentionable_host.store import blocks, messages
from mentionable_host.store.tables import counts


@pytest.fixture
def host(database):
    limits = {"sender_per_hour": 6, "domain_per_hour": 12, "thread_turns": 5}
    config = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}, "limits": limits})
    return SimpleNamespace(config=config, database=database)


@pytest.fixture
def store(host, world):
    """Stores a message, and says whether it is answered."""

    def run(message, **more):
        def work(db):
            messages.put(db, message, transport="activitypub", files={})
            return admit(db, message, host=host, now=world.now(), **more)

        return asyncio.run(host.database.write(work))

    return run


def on_host(host, work):
    return asyncio.run(host.database.write(work))


def unproven(address):
    return Sender(address=address)


def test_a_message_is_answered(store, make_message):
    assert store(make_message()) is None


@pytest.mark.parametrize("target", ["@alice@a.example", "alice@A.example", "a.example", "example", "*.example"])
def test_who_is_blocked_is_not_answered(host, world, store, make_message, target):
    on_host(host, lambda db: blocks.add(db, target, now=world.now()))

    assert store(make_message()).reason == "blocked"
    assert store(make_message(sender="@alice@b.test", thread_id="t2")) is None


def test_a_domain_is_not_blocked_by_one_that_ends_like_it(host, world, store, make_message):
    on_host(host, lambda db: blocks.add(db, "example.com", now=world.now()))

    assert store(make_message(sender="@alice@notexample.com")) is None
    assert store(make_message(sender="@alice@deep.sub.example.com")).reason == "blocked"


def test_who_blocks_the_agent_is_not_answered(host, world, store, make_message):
    on_host(host, lambda db: blocks.add(db, "@alice@a.example", now=world.now(), by="peer"))

    assert store(make_message()).reason == "blocked"


def test_a_sender_is_told_once_in_an_hour_that_it_was_too_much(store, make_message, world):
    refusals = [store(make_message(f"{n}?", thread_id=f"t{n}")) for n in range(9)]

    assert refusals[:6] == [None] * 6
    assert [one.reason for one in refusals[6:]] == ["sender-limit"] * 3
    assert [one.notice for one in refusals[6:]] == [
        "That was much at once. I can answer again in an hour.",
        None,
        None,
    ]
    world.advance(hours=1)
    assert store(make_message("Again?", thread_id="t10")) is None


def test_the_notice_says_how_long_to_wait(store, make_message, world):
    world.advance(minutes=48)
    refusals = [store(make_message(f"{n}?", thread_id=f"t{n}")) for n in range(7)]

    assert refusals[6].notice == "That was much at once. I can answer again in 12 minutes."


def test_all_senders_of_a_domain_together_have_a_limit(store, make_message):
    refusals = [store(make_message(f"{n}?", thread_id=f"t{n}", sender=f"@u{n}@a.example")) for n in range(13)]

    assert refusals[:12] == [None] * 12
    assert refusals[12].reason == "domain-limit"
    assert store(make_message(sender="@alice@b.example", thread_id="other")) is None


def test_of_whom_nothing_is_proven_is_answered_less_and_told_nothing(store, make_message):
    refusals = [store(message_of(make_message, n, sender=unproven("@eve@e.example"))) for n in range(3)]

    assert refusals[0] is None
    assert [(one.reason, one.notice) for one in refusals[1:]] == [("sender-limit", None)] * 2


def message_of(make_message, number, *, sender, thread_id="t1"):
    return replace(make_message(f"{number}?", thread_id=thread_id), sender=sender)


def test_who_forges_an_address_uses_up_nothing_of_the_person(store, make_message):
    for n in range(20):
        store(message_of(make_message, n, sender=unproven("@alice@a.example"), thread_id=f"forged{n}"))

    assert store(make_message("I am Alice.", thread_id="own")) is None


def test_senders_of_whom_nothing_is_proven_have_one_limit_together(store, make_message):
    refusals = [
        store(message_of(make_message, n, sender=unproven(f"@u@d{n}.example"), thread_id=f"t{n}")) for n in range(13)
    ]

    assert refusals[:12] == [None] * 12
    assert (refusals[12].reason, refusals[12].notice) == ("domain-limit", None)


def test_callers_without_an_address_share_no_limit_of_a_sender(store, make_message):
    anyone = unproven("@anonymous@a2a.invalid")
    refusals = [store(message_of(make_message, n, sender=anyone, thread_id=f"t{n}")) for n in range(12)]

    assert refusals == [None] * 12


def test_callers_whom_the_configuration_names_are_no_strangers(store, make_message):
    named = unproven("@crm@agents.example")
    calls = [message_of(make_message, n, sender=named, thread_id=f"t{n}") for n in range(7)]
    refusals = [store(one, transport="a2a") for one in calls]

    assert refusals[:6] == [None] * 6
    assert refusals[6].reason == "sender-limit"


def test_a_silenced_domain_is_answered_like_those_of_whom_nothing_is_proven(host, world, store, make_message):
    on_host(host, lambda db: blocks.add(db, "a.example", now=world.now(), severity="silence"))

    assert store(make_message("1")) is None
    assert store(make_message("2", thread_id="t2")).reason == "sender-limit"


def test_a_thread_has_a_limit_whoever_writes(store, make_message):
    refusals = [store(make_message(f"{n}?", sender=f"@u{n}@d{n}.example")) for n in range(6)]

    assert refusals[:5] == [None] * 5
    assert refusals[5].reason == "thread-limit"


def test_two_programs_that_talk_to_each_other_stop_until_a_person_writes(store, make_message, world):
    answered = 0
    for n in range(30):
        world.advance(minutes=20)
        answered += store(make_message(f"{n}", sender="@bot@b.example"), is_program=True) is None
    assert answered == 5

    assert store(make_message("Go on.")) is None
    assert store(make_message("Gladly.", sender="@bot@b.example"), is_program=True) is None


def test_a_program_is_not_told_that_it_was_too_much(store, make_message):
    refusals = [store(make_message(f"{n}", thread_id=f"t{n}"), is_program=True) for n in range(8)]

    assert {one.notice for one in refusals if one is not None} == {None}


def test_the_same_again_and_again_in_a_thread_is_not_answered(store, make_message):
    refusals = [store(make_message("I am on holiday.")) for _ in range(4)]

    assert refusals[:3] == [None] * 3
    assert refusals[3].reason == "repeats"
    assert store(make_message("I am back.")) is None


def test_a_chain_of_agents_has_an_end_whatever_it_says_itself(store, make_message):
    def at(hop):
        chain = AgentChain(hop=hop, max_hops=1_000, is_final=False)
        return make_message(
            f"{hop}", recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay(), agent_chain=chain)
        )

    assert store(at(8)) is None
    assert store(at(9)).reason == "chain-too-long"
    assert store(at(9), transport="a2a").notice == "I am agent 9 of a chain: that is one too many."


def test_who_waits_on_a_connection_learns_of_it_each_time(store, make_message):
    refusals = [store(make_message(f"{n}?", thread_id=f"t{n}"), transport="rest") for n in range(9)]

    assert all("I can answer again in" in one.notice for one in refusals[6:])


def test_what_is_counted_is_one_statement_and_one_row_each(host, store, make_message):
    for n in range(3):
        store(make_message(f"{n}?"))

    with host.database.snapshot() as db:
        rows = {row.key: row[2] for row in db.execute(select(counts))}
    assert rows == {
        "domain a.example": 3,
        "sender @alice@a.example": 3,
        "thread @helper@agents.example t1": 3,
    }


@pytest.mark.parametrize("odd", ["a\0b", "𝔸" * 9_000, "'; DROP TABLE messages; --"])
def test_ids_that_a_peer_chose_are_stored_counted_and_found(host, store, make_message, odd):
    made = [make_message(f"{n}", thread_id=odd, id=f"{odd}{n}") for n in range(6)]
    refusals = [store(one) for one in made]

    assert refusals[:5] == [None] * 5
    assert refusals[5].reason == "thread-limit"
    rows = {(odd, one.recipient): messages.own_row(one) for one in made[:1]}
    on_host(host, lambda db: messages.put_native_ids(db, rows))
    assert on_host(host, lambda db: messages.find(db, odd, made[0].recipient)).thread_id == odd
    assert len(on_host(host, lambda db: messages.thread(db, odd, agent=made[0].recipient))) == 6
