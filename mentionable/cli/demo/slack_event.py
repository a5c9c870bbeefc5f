"""Receives an event of Slack for a demo, and the same event with one byte changed."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from ..._flow.flow import drive
from ..._flow.outcome import Received
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.message import NormalizedMessage
from ..._text.plain_text import plain_text
from ..._wire.http import HttpRequest
from ...connectors import Claimed, slack
from ...testing.lookups import LookupTable
from .._show import field_line, tampered_line
from .story import HELPER, NOW, change_byte, expect, expect_outcome, random_for


def receive_event(
    event: HttpRequest, settings: slack.Settings, lookups: Mapping[str, Any], *, chain: AgentChain | None = None
) -> Generator[str, None, NormalizedMessage]:
    """Receive an event, and print its message and the verified account."""
    place = event.body.index(b'"text"') + 8  # the first byte of the text
    outcomes = []
    for request in (event, replace(event, body=change_byte(event.body, place))):
        flow = slack.receive(
            request, now=NOW, entropy=random_for("slack"), recipient=HELPER, agent_chain=chain, settings=settings
        )
        outcomes.append(expect_outcome(drive(flow, LookupTable({**lookups, "MESSAGE *": None})), "receives"))
    message = expect(outcomes[0], Received, "receives").message
    yield field_line("receives", f"{message.sender.display_name}: {plain_text(message)}")
    subjects = ", ".join(evidence.subject for evidence in message.sender.identities or ())
    yield field_line("verifies", f"{subjects}, by the signature of Slack")
    yield tampered_line(outcomes[1], place)
    return message


def received(event: HttpRequest, settings: slack.Settings, lookups: Mapping[str, Any]) -> NormalizedMessage:
    """The message of an event."""
    flow = slack.receive(event, now=NOW, entropy=random_for("slack"), recipient=HELPER, settings=settings)
    return expect(drive(flow, LookupTable({**lookups, "MESSAGE *": None})), Received, "receives").message


def retry_line(event: HttpRequest, settings: slack.Settings) -> str:
    """The line that describes the same event when Slack sends it again: it is claimed once."""
    table = LookupTable({})
    claims = [drive(slack.claim(event, now=NOW, recipient=HELPER, settings=settings), table) for _ in range(2)]
    first, again = (isinstance(claim, Claimed) and claim.is_new for claim in claims)
    result = "claimed before, so it is one question" if first and not again else "not claimed once"
    return field_line("retry", f"the same event again: {result}")
