import asyncio
import re

import httpx
from mentionable import CarriedPolicy, Failed, UnanswerableError, plain_text, policy, replace
from recorder import ALICE, Recorder, answered, idle, play, talk
from sqlalchemy import select

from mentionable_host import Agent
from mentionable_host.agents import receipts
from mentionable_host.forgetting import forget
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.store.tables import jobs, uses

OFFER = policy.AcceptedPayment(scheme="shop.checkout", payload={"session": "cs_1"}, label="Pay 5 €")


def calendar():
    """An agent that needs consent, and counts how often it acts."""
    agent, acts = Agent(), []

    @agent.on_message
    async def answer(message, context):
        try:
            consent = await context.ask_consent("May I read your calendar?", scope="calendar.read")
        except Exception:
            return "held up"
        acts.append(consent.kind)
        return f"You are free. ({context.text})"

    return agent, acts


def shop(paid):
    """An agent that sells tables, and what its provider says."""
    agent, booked = Agent(), []

    @agent.on_message
    async def answer(message, context):
        receipt = await context.ask_payment("A table costs 5 €.", OFFER, url="https://agents.example/pay")
        booked.append(context.text)
        return f"Booked: {receipt.confirmation.transaction}"

    @agent.check_payment
    def check(ask):
        return paid(ask)

    return agent, booked


def demand(host, number=0):
    """What was asked for in an answer that went out."""
    return policy.demand_of(host.transports["email"].written[number][0])


def last(host):
    return plain_text(host.transports["email"].written[-1][0])


async def page(host, method, url, **more):
    transport = httpx.ASGITransport(app=host.app())
    async with httpx.AsyncClient(transport=transport, base_url="https://agents.example") as client:
        return await client.request(method, url, **more)


def test_who_consents_on_the_page_gets_the_answer_to_their_question(make_host):
    agent, acts = calendar()

    async def story(host):
        await talk(host, "Am I free on Friday?")
        url = demand(host).url
        shown = await page(host, "GET", url)
        assert acts == []  # opening it does nothing
        taken = await page(host, "POST", url)
        await idle(host)
        again = await page(host, "POST", url)
        await idle(host)
        return shown, taken, again

    host = make_host(Recorder, agent=agent)
    shown, taken, again = play(host, story)

    assert "May I read your calendar?" in shown.text
    assert "@alice@a.example" in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert (shown.status_code, taken.status_code, again.status_code) == (200, 200, 200)
    assert "goes on now, and answers where you asked" in taken.text
    assert acts == ["consent_required"]
    assert last(host) == "You are free. (Am I free on Friday?)"
    assert len(host.transports["email"].written) == 2


def test_a_page_of_no_question_says_nothing(make_host):
    async def story(host):
        state = "x" * 43
        return await page(host, "GET", f"/consent/{state}"), await page(host, "POST", f"/consent/{state}")

    shown, taken = play(make_host(Recorder), story)

    assert (shown.status_code, taken.status_code) == (404, 404)
    assert shown.text == taken.text


def test_a_form_of_another_site_consents_to_nothing(make_host):
    agent, acts = calendar()

    async def story(host):
        await talk(host, "Am I free?")
        response = await page(host, "POST", demand(host).url, headers={"sec-fetch-site": "cross-site"})
        await idle(host)
        return response

    assert play(make_host(Recorder, agent=agent), story).status_code == 404
    assert acts == []


def test_a_question_that_is_too_old_is_not_answered(make_host, world):
    agent, acts = calendar()

    async def story(host):
        await talk(host, "Am I free?")
        world.advance(minutes=16)
        response = await page(host, "POST", demand(host).url)
        await idle(host)
        return response

    assert play(make_host(Recorder, agent=agent), story).status_code == 404
    assert acts == []


def test_who_is_not_verified_is_not_asked_by_mail(make_host):
    agent, _ = calendar()
    mallory = replace(ALICE, verified=False, auth_method="none", key_id=None)

    async def story(host):
        await talk(host, "Am I free?", sender=mallory)

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert isinstance(demand(host), policy.Unauthorized)


def test_a_receipt_that_comes_with_a_message_is_for_what_was_asked_first(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "A table for two, please.")
        await talk(host, "Here it is.", id="m2", candidate=receipt(demand(host)))
        return await answered(host, "m2", seconds=0)

    assert plain_text(play(make_host(Recorder, agent=agent), story)) == "Booked: tx1"
    assert booked == ["A table for two, please."]


def test_the_agent_sees_the_same_history_when_it_goes_on(make_host):
    agent, seen = Agent(), []

    @agent.on_message
    async def answer(message, context):
        seen.append([plain_text(turn) for turn in context.history])
        if context.text != "Hi":
            await context.ask_payment("5 €", OFFER)
        return "Hello"

    agent.check_payment(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "Hi", id="m0")
        await talk(host, "A table, please.")
        await talk(host, "Here it is.", id="m2", candidate=receipt(demand(host, -1)))

    play(make_host(Recorder, agent=agent), story)

    assert seen == [[], ["Hi", "Hello"], ["Hi", "Hello"]]


def receipt(asked):
    return policy.Candidate(
        kind="payment_required",
        state=asked.state,
        scheme=OFFER.scheme,
        original_payload=OFFER.payload,
        receipt={"paid": True},
    )


def test_a_receipt_counts_once(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "A table, please.")
        first = receipt(demand(host))
        for number in (2, 3):
            await talk(host, "Here it is.", id=f"m{number}", thread="t1", candidate=first)

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert booked == ["A table, please."]
    assert isinstance(demand(host, -1), policy.PaymentRequired)  # the second is as if it had none


def test_one_transaction_pays_for_one_demand(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        for number in (1, 2):
            await talk(host, f"Table {number}", id=f"m{number}", thread=f"t{number}")
        demands = [demand(host, 0), demand(host, 1)]
        for number, one in enumerate(demands, start=1):
            await talk(host, "Paid.", id=f"p{number}", thread=f"t{number}", candidate=receipt(one))

    play(make_host(Recorder, agent=agent), story)

    assert len(booked) == 1


def test_what_was_not_paid_is_asked_for_again(make_host):
    agent, booked = shop(lambda ask: None)

    async def story(host):
        await talk(host, "A table, please.")
        await talk(host, "Trust me.", id="m2", candidate=receipt(demand(host)))

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert booked == []
    assert isinstance(demand(host, 1), policy.PaymentRequired)


def test_nobody_is_asked_to_pay_again_while_nobody_can_tell(make_host, world):
    said = [Failed("no connection")]
    agent, booked = shop(lambda ask: said[0])

    async def story(host):
        await talk(host, "A table, please.")
        await talk(host, "Paid.", id="m2", candidate=receipt(demand(host)))
        written = len(host.transports["email"].written)
        said[0] = policy.PaymentStatus(transaction="tx1")
        world.advance(seconds=10)
        host.wake()
        await idle(host)
        return written

    host = make_host(Recorder, agent=agent)

    assert play(host, story) == 1
    assert booked == ["A table, please."]


def test_a_check_that_fails_cannot_tell(make_host, caplog):
    def check(ask):
        raise OSError("no connection")

    agent, booked = shop(check)

    async def story(host):
        await talk(host, "A table, please.")
        await talk(host, "Paid.", id="m2", candidate=receipt(demand(host)))

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert (booked, len(host.transports["email"].written)) == ([], 1)


def test_a_callback_of_the_provider_lets_the_agent_go_on(make_host):
    agent, booked = shop(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "A table, please.")
        is_known = await host.complete(receipt(demand(host)))
        await host.complete(receipt(demand(host)))
        await idle(host)
        return is_known, await host.complete(replace(receipt(demand(host)), state="x" * 43))

    host = make_host(Recorder, agent=agent)

    assert play(host, story) == (True, False)
    assert booked == ["A table, please."]
    assert last(host) == "Booked: tx1"


def test_a_receipt_that_was_consumed_before_the_process_was_killed_is_not_lost(make_host):
    agent, runs = Agent(), []

    @agent.on_message
    async def answer(message, context):
        await context.ask_payment("A table costs 5 €.", OFFER)
        runs.append(message.id)
        if len(runs) == 1:
            await asyncio.Event().wait()
        return "Booked"

    agent.check_payment(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def killed(host):
        await talk(host, "A table, please.")
        await host.complete(receipt(demand(host)))
        while not runs:
            await asyncio.sleep(0.01)

    play(make_host(Recorder, agent=agent), killed)
    again = make_host(Recorder, agent=agent)
    play(again, idle)

    assert last(again) == "Booked"
    assert (len(runs), len({*runs})) == (2, 1)


def test_an_agent_that_fails_after_it_was_paid_is_tried_again(make_host, world, caplog):
    agent, runs = Agent(), []

    @agent.on_message
    async def answer(message, context):
        await context.ask_payment("A table costs 5 €.", OFFER)
        runs.append(message.id)
        if len(runs) == 1:
            raise OSError("the kitchen does not answer")
        return "Booked"

    agent.check_payment(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "A table, please.")
        await host.complete(receipt(demand(host)))
        await idle(host)
        world.advance(seconds=10)
        host.wake()
        await idle(host)

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert last(host) == "Booked"


def test_one_message_may_need_a_payment_and_a_consent(make_host):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        paid = await context.ask_payment("It costs 5 €.", OFFER)
        agreed = await context.ask_consent("May I?", scope={"what": "all"})
        return f"{paid.kind}, {agreed.kind}: {context.text}"

    agent.check_payment(lambda ask: policy.PaymentStatus(transaction="tx1"))

    async def story(host):
        await talk(host, "Do it.")
        await host.complete(receipt(demand(host)))
        await idle(host)
        await page(host, "POST", demand(host, 1).url)
        await idle(host)

    host = make_host(Recorder, agent=agent)
    play(host, story)

    assert last(host) == "payment_required, consent_required: Do it."


def test_the_words_before_a_question_are_kept(make_host):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        yield "I need to look into your calendar. "
        await context.ask_consent("May I?", scope="calendar")

    async def story(host):
        await talk(host, "Hi")

    host = make_host(Recorder, agent=agent)
    play(host, story)
    parts = host.transports["email"].written[0][0].parts

    assert plain_text(host.transports["email"].written[0][0]).startswith("I need to look into your calendar.")
    assert isinstance(parts[-1], CarriedPolicy)


def test_a_payment_that_nothing_checks_is_not_asked_for(make_host, caplog):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        await context.ask_payment("5 €", OFFER)

    async def story(host):
        await talk(host, "Hi")
        return await answered(host, seconds=0)

    assert play(make_host(Recorder, agent=agent), story).error.code == "agent-failed"
    assert "check_payment" in caplog.text


def test_no_state_is_stored_beside_the_answer_that_carries_it(make_host):
    agent, _ = calendar()

    async def story(host):
        await talk(host, "Hi")
        await page(host, "POST", demand(host).url)
        await idle(host)

    host = make_host(Recorder, agent=agent)
    play(host, story)
    state = demand(host).state
    with host.database.engine.connect() as db:
        left = [*db.execute(select(jobs.c.payload)).scalars(), *db.execute(select(uses.c.key)).scalars()]

    assert not [one for one in left if state in str(one)]
    assert re.fullmatch(r"[\w-]{43}", state)


def test_over_plain_http_the_next_request_brings_the_receipt(make_host):
    agent, acts = calendar()

    class Http(Recorder):
        name = "rest"

    nobody = replace(ALICE, address="@anonymous@rest.invalid", verified=False, auth_method="none", key_id=None)

    async def story(host):
        await talk(host, "Am I free?", sender=nobody, transport="rest", via="rest")
        asked = policy.demand_of(host.transports["rest"].written[0][0])
        thanks = await page(host, "POST", asked.url)
        await idle(host)
        before = list(acts)
        given = policy.Candidate(
            kind="consent_required", state=asked.state, scope_hash=policy.scope_hash("calendar.read")
        )
        await talk(host, "Yes.", id="m2", sender=nobody, transport="rest", via="rest", candidate=given)
        return before, await answered(host, "m2", seconds=0), thanks

    before, response, thanks = play(make_host(Http, agent=agent), story)

    assert "goes on when you ask again" in thanks.text
    assert (before, acts) == ([], ["consent_required"])
    assert plain_text(response) == "You are free. (Am I free?)"


def test_a_consent_of_an_account_is_not_given_on_the_page_of_the_host(make_host):
    agent, acts = Agent(), []

    @agent.on_message
    async def answer(message, context):
        await context.ask_consent("May I?", scope="all", url="https://agents.example/own", subject="account-7")
        acts.append(1)
        return "done"

    granted = []
    agent.check_consent(lambda ask: policy.ConsentStatus() if granted else None)

    async def story(host):
        await talk(host, "Do it")
        asked = demand(host)
        status = (await page(host, "POST", f"/consent/{asked.state}")).status_code
        given = policy.Candidate(kind="consent_required", state=asked.state, scope_hash=policy.scope_hash("all"))
        granted.append(1)
        await host.complete(given, subject="account-8")
        await idle(host)
        others = list(acts)
        await host.complete(given, subject="account-7")
        await idle(host)
        return status, others, asked

    status, others, asked = play(make_host(Recorder, agent=agent), story)

    assert asked.url == f"https://agents.example/own?state={asked.state}"
    assert (status, others, acts) == (404, [], [1])


def test_a_signature_is_settled_once_whatever_happens_after(make_host, world, monkeypatch, caplog):
    terms = {
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": "0x" + "b" * 40,
        "maxTimeoutSeconds": 300,
    }
    offer = policy.AcceptedPayment(
        scheme="x402.exact",
        payload={"x402Version": 2, "resource": {"url": "https://agents.example/table"}, "requirement": terms},
    )
    agent, settled = Agent(), []

    @agent.on_message
    async def answer(message, context):
        return (await context.ask_payment("A table costs 0.01 USDC.", offer)).confirmation.transaction

    @agent.check_payment
    async def settle(ask):
        settled.append(ask.payment.nonce)
        return policy.PaymentStatus(transaction="0xabc", payer="0x" + "c" * 40)

    authorization = {
        "from": "0x" + "c" * 40,
        "to": terms["payTo"],
        "value": terms["amount"],
        "validAfter": "0",
        "validBefore": "1900000000",
        "nonce": "0x" + "1" * 64,
    }
    payment = {
        "x402Version": 2,
        "resource": {"url": "https://agents.example/table"},
        "accepted": terms,
        "payload": {"signature": "0xgood", "authorization": authorization},
    }
    consume, times = receipts._consume, []

    async def fails_first(*given):
        times.append(1)
        if len(times) == 1:
            raise StoreUnavailable("the disk is full")
        return await consume(*given)

    monkeypatch.setattr(receipts, "_consume", fails_first)

    def bindings(db):
        return str(db.execute(select(uses.c.binding)).scalars().all())

    async def story(host):
        await talk(host, "A table, please.")
        given = policy.Candidate(
            kind="payment_required", state=demand(host).state, scheme="x402.exact", receipt=payment
        )
        await host.complete(given)
        await idle(host)
        world.advance(seconds=10)
        host.wake()
        await idle(host)
        before = await host.database.read(bindings)
        await host.database.write(lambda db: forget(db, ALICE.address, host=host))
        return before, await host.database.read(bindings)

    host = make_host(Recorder, agent=agent)
    before, after = play(host, story)

    assert last(host) == "0xabc"
    assert "0xccc" in before
    assert "0xccc" not in after  # the account of who is forgotten
    assert settled == ["0x" + "1" * 64]


def test_an_answer_that_cannot_go_out_is_dead_with_the_reason_alone(make_host):
    class Closed(Recorder):
        async def reply(self, response, *, to):
            raise UnanswerableError("task-ended", "the task has ended")

    async def story(host):
        await talk(host, "Anybody there?")
        return await host.database.read(lambda db: db.execute(select(jobs.c.error)).scalar())

    assert play(make_host(Closed), story) == "there is no way to answer: task-ended (the task has ended)"
