"""`mentionable demo policy` prints what the code did: a step with another result fails."""

from __future__ import annotations

import pytest

from mentionable import (
    HttpResponse,
    NoRelay,
    NormalizedMessage,
    PolicyResolution,
    Problem,
    RecipientCapabilities,
    Sender,
    a2a,
    policy,
    replace,
)
from mentionable.cli import main
from mentionable.cli.demo import policy as _demo_policy
from mentionable.cli.demo.store import Store
from mentionable.cli.demo.story import HELPER, NOW
from mentionable.testing import answers
from tests.cli.demos import name, printed, wrong

TURN = NormalizedMessage(
    id="m1",
    thread_id="t1",
    sender=Sender(address="@planner@peer.example"),
    recipient=HELPER,
    parts=(),
    recipient_capabilities=RecipientCapabilities(mention_relay=NoRelay()),
    received_via="a2a",
    received_at="2026-11-21T20:56:00Z",
    raw=None,
)


@pytest.fixture
def demo(capsys):
    """Runs the demo, and gives its status and its lines."""

    def run() -> tuple[int, list[str]]:
        status = main(["demo", "policy"])
        return status, printed(capsys)

    return run


def of(lines: list[str], name: str) -> list[str]:
    """What the lines of one name say, a line for each story."""
    return [line[14:] for line in lines if line.startswith(f"  {name} ")]


def issuance(key: str, *, verified: bool) -> policy.Issuance:
    """The record of a policy requirement, whose task names it too."""
    offer = policy.AcceptedPayment(scheme="x402.exact", payload=dict(_demo_policy._TABLE))
    part = policy.PaymentRequired(message="Pay.", accepted_payments=(offer,))
    record = policy.issue(part, to=TURN, now=NOW, entropy=bytes(32)).record
    return replace(record, key=key * 64, principal_verified=verified)


def codes(lines: list[str], name: str) -> list[str]:
    return [line.partition("rejected, ")[2].partition(".")[0] for line in of(lines, name)]


def test_the_story_runs_on_each_transport(demo):
    status, lines = demo()
    assert status == 0
    assert wrong(lines) == []
    assert [line.partition(":")[0] for line in of(lines, "asks")] == [
        "@planner@peer.example, verified, by a2a-jwt",
        "@alice@a.example, verified, by email-dkim",
    ]
    assert [line.partition(",")[0] for line in of(lines, "requires")] == [
        "payment_required",
        "consent_required",
    ]
    assert len(of(lines, "resume")) == len(of(lines, "accept")) == 2
    assert codes(lines, "again") == ["already-consumed"] * 2


def test_the_peer_reads_the_requirement(demo):
    _, lines = demo()
    assert [line.rpartition(", in ")[2] for line in of(lines, "peer reads")] == [
        "the metadata of the task",
        "X-Mentionable-Policy",
    ]
    assert "    │ - Pay 0.01 USDC" in lines
    assert "    │ May I read your calendar?" in lines
    assert any(line.startswith("    │ https://agents.example/consent?state=") for line in lines)
    assert [line[:8] for line in of(lines, "as HTTP")] == ["HTTP 402", "HTTP 401"]


def test_a_receipt_is_a_claim_until_it_is_verified(demo):
    _, lines = demo()
    assert codes(lines, "forged") == ["payload-mismatch"]
    assert codes(lines, "stranger") == ["subject-mismatch"]
    assert codes(lines, "too soon") == ["payment-unverified", "consent-unverified"]
    assert of(lines, "pays")[0] == "with x402.exact, in the task in state input-required"


def test_the_answer_is_that_to_the_question(demo):
    _, lines = demo()
    assert [line.partition(" (")[0] for line in of(lines, "reply")] == [
        "Your table is booked.",
        "You are free from four on.",
    ]
    asked = [line.partition(": ")[2] for line in of(lines, "asks")]
    assert [line.partition("answers: ")[2] for line in of(lines, "resume")] == asked


def test_each_run_prints_the_same(demo):
    assert demo() == demo()


def test_another_price_makes_another_story(demo, monkeypatch):
    requirement = {**_demo_policy._TABLE["requirement"], "amount": "1"}
    monkeypatch.setattr(_demo_policy, "_TABLE", {**_demo_policy._TABLE, "requirement": requirement})
    status, lines = demo()
    assert status == 1
    assert codes(lines, "forged") == ["payment-unverified"]
    assert "forged" in [name(fault) for fault in wrong(lines)]


# -- a program that does not do its part


def test_a_store_that_forgets_what_was_used_fails(demo, monkeypatch):
    monkeypatch.setattr(Store, "use_once", lambda self, ask: "first")
    status, lines = demo()
    assert (status, [name(fault) for fault in wrong(lines)]) == (1, ["again"] * 2)
    assert all(line.endswith("not rejected, Resumed") for line in of(lines, "again"))


def test_a_store_that_keeps_no_demands_fails(demo, monkeypatch):
    monkeypatch.setattr(Store, "keep", lambda self, turn, record, *, now: None)
    status, lines = demo()
    assert status == 1
    assert codes(lines, "forged") == codes(lines, "stranger") == ["state-unknown"]
    assert codes(lines, "too soon") == ["state-unknown"] * 2


def test_a_payment_service_that_confirms_everything_fails(demo, monkeypatch):
    monkeypatch.setattr(Store, "check_payment", lambda self, ask: policy.PaymentStatus())
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["too soon", "accept"]
    assert codes(lines, "again") == ["already-consumed"] * 2


def test_a_consent_page_that_forgets_fails(demo, monkeypatch):
    monkeypatch.setattr(Store, "check_consent", lambda self, ask: None)
    status, lines = demo()
    assert (status, wrong(lines)) == (
        1,
        ['line "accept      consent-unverified": expected Accepted, got consent-unverified'],
    )


def test_receipts_that_do_not_fit_are_counted(monkeypatch):
    stores = []
    monkeypatch.setattr(_demo_policy, "Store", lambda: stores.append(Store()) or stores[-1])
    assert _demo_policy.run() == 0
    assert [max(record.failures for record in store.requirements.values()) for store in stores] == [1, 1]


@pytest.mark.parametrize("verified", [True, False])
def test_a_task_names_the_demand_that_the_rules_of_its_sender_say(verified):
    store, first = Store(), issuance("a", verified=verified)
    second = replace(first, key="b" * 64)
    store.keep(TURN, first, now=NOW)
    store.keep(TURN, second, now=NOW)
    assert store.find_issuance(policy.FindIssuance(key=first.key)) == first
    assert store.find_issuance(policy.FindIssuance(key=second.key)) == second
    named = store.find_issuance(policy.FindIssuance(key=first.aliases[0]))
    assert named == (second if verified else first)


def test_something_that_is_consumed_too_soon_fails(demo, monkeypatch):
    keep = Store.keep
    monkeypatch.setattr(
        Store, "keep", lambda self, *what, now: (keep(self, *what, now=now), self.used.update({"a": "b"}))
    )
    status, lines = demo()
    assert (status, [name(fault) for fault in wrong(lines)]) == (1, ["accept"] * 2)


# -- a library that does not do its part


def test_a_sender_who_is_not_verified_fails(demo, monkeypatch):
    monkeypatch.setattr(_demo_policy, "answers", lambda *peers, agents: answers(agents=agents))
    status, lines = demo()
    assert status == 1
    assert [line.partition(":")[0].partition(", ")[2] for line in of(lines, "asks")] == [
        "not verified, key-unresolvable"
    ] * 2
    assert [name(fault) for fault in wrong(lines) if name(fault) == "asks"] == ["asks"] * 2


def test_a_receipt_that_counts_before_it_is_verified_fails(demo, monkeypatch):
    def receive(request, **facts):
        got = yield from real(request, **facts)
        paid = policy.PaymentConfirmation(scheme="x402.exact", original_payload={})
        resolution = PolicyResolution(
            in_reply_to_state="s" * 22, kind="payment_required", confirmation=paid, verified_by="no check"
        )
        if got.candidate is None:
            return got
        return replace(got, messages=(replace(got.message, policy_resolution=resolution),))

    real = a2a.receive
    monkeypatch.setattr(a2a, "receive", receive)
    status, lines = demo()
    assert (status, wrong(lines)) == (
        1,
        ['line "pays        a resolution": expected no resolution before it is verified, got a resolution'],
    )


@pytest.mark.parametrize(
    ("only", "words"),
    [
        ("record", 'line "sent        /x: no": expected a valid response, got /x: no'),
        ("resumed", 'line "reply       /x: no": expected a valid response, got /x: no'),
    ],
)
def test_an_answer_that_may_not_go_out_fails(demo, monkeypatch, only, words):
    monkeypatch.setattr(policy, "check_response", lambda *_, **facts: (Problem("/x", "no"),) if only in facts else ())
    status, lines = demo()
    assert (status, wrong(lines)) == (1, [words] * 2)


def test_another_requirement_at_the_peer_fails(demo, monkeypatch):
    monkeypatch.setattr(policy, "demand_of", lambda answer: policy.Forbidden(message="No."))
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["peer reads"] * 2


@pytest.mark.parametrize("status", [500, 429])
def test_a_demand_that_is_another_one_over_http_fails(demo, monkeypatch, status):
    monkeypatch.setattr(policy, "to_http", lambda part: HttpResponse(status=status))
    assert (
        wrong(demo()[1])
        == ['line "as HTTP     something else": expected the policy requirement, got something else'] * 2
    )


def test_an_answer_that_does_not_arrive_fails(demo, monkeypatch):
    def send(response, message, **facts):
        sent = real(response, message, **facts)
        return sent if policy.demand_of(response) else sent._replace(read=None, received="rejected, malformed")

    real = _demo_policy.send
    monkeypatch.setattr(_demo_policy, "send", send)
    assert [fault.rpartition(", got ")[2] for fault in wrong(demo()[1])] == ["rejected, malformed"] * 2


def test_an_answer_in_another_thread_fails(demo, monkeypatch):
    def send(response, message, **facts):
        sent = real(response, message, **facts)
        if policy.demand_of(response) or message.received_via == "a2a":
            return sent
        return sent._replace(read=replace(sent.read, thread_id="elsewhere"))

    real = _demo_policy.send
    monkeypatch.setattr(_demo_policy, "send", send)
    fault = 'line "reply       another thread": expected the thread of the question, got another thread'
    assert wrong(demo()[1]) == [fault]


def test_words_that_are_lost_fail(demo, monkeypatch):
    monkeypatch.setattr(_demo_policy, "plain_text", lambda _: "Lost")
    status, lines = demo()
    assert status == 1
    assert {"asks", "│ Lost", "reply"} <= {name(fault) for fault in wrong(lines)}
