"""Whatever a platform answers, a call ends in a clean outcome."""

import asyncio
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mentionable import HttpResponse, InlineRelay, NormalizedMessage, RecipientCapabilities, Sender
from mentionable.connectors import ApiRequest

from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.transports.bluebubbles import BlueBubbles
from mentionable_host.transports.discord import Discord
from mentionable_host.transports.platforms.calls import Taken
from mentionable_host.transports.slack import Slack

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ERRORS = st.sampled_from(["invalid_auth", "message_not_found", "internal_error", "missing_scope", "ratelimited"])
MEMBERS = {
    "ok": st.booleans() | VALUES,
    "error": ERRORS | VALUES,
    "code": st.sampled_from([10008, 10015, 50001]) | VALUES,
    "message": VALUES,
    "needed": VALUES,
    "ts": VALUES,
    "channel": VALUES,
    "id": VALUES,
    "data": VALUES,
    "retry_after": VALUES,
}
ANSWERS = st.fixed_dictionaries({}, optional=MEMBERS) | VALUES
BODIES = ANSWERS.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=30) | st.just(b"[" * 100_000)
STATUSES = st.sampled_from([200, 201, 204, 302, 400, 401, 403, 404, 429, 500, 503])
CALLS = st.sampled_from(
    [
        ApiRequest(method="POST", path="/channels/500/messages", params={"content": "Hi"}),
        ApiRequest(method="PATCH", path="/webhooks/700/canary-token/messages/@original", as_bot=False),
        ApiRequest(method="DELETE", path="/channels/500/messages/1"),
        ApiRequest(method="chat.postMessage", params={"channel": "C1"}),
        ApiRequest(method="response_url", url="https://hooks.slack.com/canary", params={"text": "Hi"}),
    ]
)

QUESTION = NormalizedMessage(
    id="m1",
    thread_id="slack:T1/C1/1355517523.000005",
    sender=Sender(address="@U1@t1.slack.invalid"),
    recipient="@helper@agents.example",
    parts=(),
    received_via="connector",
    raw=None,
    recipient_capabilities=RecipientCapabilities(mention_relay=InlineRelay()),
    received_at="2026-11-21T00:00:00Z",
)


@pytest.fixture(params=[Slack, Discord, BlueBubbles])
def transport(request, make_host, slack_table):
    tables = {
        **slack_table,
        "discord": {"public_key": "c4" * 32, "application_id": "700", "bot_token": "canary-bot-token"},
        "bluebubbles": {
            "url": "https://mac.example",
            "password": "canary-password",
            "webhook_token": "a-secret-of-your-own-server",
        },
    }
    [one] = make_host(request.param, **tables).transports.values()
    return one


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(call=CALLS, status=STATUSES, body=BODIES)
def test_every_answer_is_taken_tried_again_or_given_up(transport, world, call, status, body):
    world.responses = lambda request: HttpResponse(status=status, body=body)
    outcome = asyncio.run(transport.post(call, key="k"))

    assert isinstance(outcome, Taken | Retry | Dead)
    if not isinstance(outcome, Taken):
        assert "canary" not in outcome.reason
        assert outcome.reason.isprintable()
    else:
        assert transport.native_id(outcome.answer, to=QUESTION) is None or isinstance(outcome.answer, dict)
