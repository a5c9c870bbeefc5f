"""`mentionable demo connector`: a Slack user asks an agent that trusts the connector of their workspace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ... import a2a, identity
from ..._flow.flow import drive
from ..._flow.outcome import Answered, Received, Rejected
from ..._flow.settings import Settings
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.identity import IdentityEvidence
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._text.plain_text import plain_text, render_agent_chain
from ..._transport.caller import Caller
from ..._wire.http import HttpRequest
from ...connectors import slack
from ...policy import ConsentRequired
from ...testing.connector_peer import ConnectorPeer
from ...testing.lookups import LookupTable
from ...testing.peers import ENDPOINT
from ...testing.slack_peer import SlackPeer
from .._show import field_line
from .slack_event import receive_event, retry_line
from .story import HELPER, NOW, at, expect, random_for, run_demo, transcript

_INTRO: Final = """\
Alice mentions an agent in Slack. A connector verifies Slack's signature, signs evidence of who wrote the message, and
calls the agent over A2A. The agent trusts this connector for one workspace, so it accepts the evidence, checks Alice's
permissions, and replies. Then three attackers send evidence that the agent must ignore. Nothing is sent or fetched.\
"""
_OUTRO: Final = (
    "The same in programs: examples/slack_connector.py, examples/agent_server.py, docs/how-to/connect-slack.md"
)
_ISSUER: Final = "slack.agents.example"
_STRANGER: Final = "slack.stranger.example"
_TYPED: Final = "What is *our* uptime? See <https://status.example/?a=1&amp;b=2|the page>."
_READ: Final = "What is **our** uptime? See [the page](https://status.example/?a=1&b=2)."
_REPLY: Final = "It was **99.98 %** this month, says [the page](https://status.example/)."

_CONSENT: Final = ConsentRequired(
    message="May I read your calendar?", state="c3RhdGUtb2YtdGhlLWRlbW8", return_to=f"https://{_ISSUER}/done"
)


def run(typed: str = _TYPED, read: str = _READ) -> int:
    """The exit status: 0 if every line is as `connector.txt` expects.

    Args:
        typed: The text that Alice types in Slack, in Slack's markup.
        read: The same text in Markdown, as the agent must read it.
    """
    return run_demo(_INTRO, [_story(typed)], transcript("connector.txt", read=read), _OUTRO)


def _story(typed: str) -> Iterator[str]:
    alice, connector = SlackPeer(), ConnectorPeer(issuer=_ISSUER)
    settings = alice.settings(issuer=_ISSUER)
    yield "Slack calls the connector"
    chain = AgentChain(hop=1, max_hops=3, is_final=False)
    event = alice.write(typed, now=NOW)
    message = yield from receive_event(event, settings, alice.lookups, chain=chain)
    yield retry_line(event, settings)

    yield "The connector calls the agent over A2A"
    (evidence,) = slack.attest(message, audience=HELPER, key=connector.key, settings=settings, now=at(1))
    yield field_line("evidence", f"{evidence.subject} wrote this, signed by {evidence.issuer} for {evidence.audience}")

    yield "The agent receives the call"
    agent = _Agent(connector, alice)
    received = expect(agent.receive(_call(message, evidence, second=1), second=2), Received, "reads")
    yield from _show_received(agent, received)
    reply = NormalizedResponse.to(received.message, _REPLY)
    out = a2a.reply(reply, to=received.message, now=at(3), entropy=random_for("answer"))

    yield "The connector posts the agent's reply in Slack"
    returned = expect(a2a.result(out.response, to=message), Answered, "reply").response
    post = slack.reply(returned, to=message)
    yield field_line("reply", f"{post.method} in {post.params.get('channel')}: {post.params.get('text')}")
    asked = slack.reply(NormalizedResponse.to(message, _CONSENT), to=message)
    yield field_line("asks", f"{asked.method} to {asked.params.get('user')} alone: {asked.params.get('text')}")

    yield "Three attacks: each message arrives, but its sender has no permissions"
    yield from _attacks(agent, message, evidence)


def _call(message: NormalizedMessage, evidence: IdentityEvidence, *, second: int) -> HttpRequest:
    """The connector's request to the agent."""
    return a2a.call(
        message, url=ENDPOINT, context=a2a.CallContext(evidence=(evidence,)), entropy=random_for("call", str(second))
    )


class _Agent:
    """The receiving agent: which connectors it trusts, and who has which role.

    Attributes:
        acl: Its list of permissions.
        answers: Its answers to what `receive` asks, and a log of them.
    """

    def __init__(self, connector: ConnectorPeer, alice: SlackPeer) -> None:
        workspace = f"slack:{alice.team}/"
        entry = connector.trusted(workspace)
        grant = identity.Grant(role="user", subject_prefixes=(workspace,), methods=entry.methods)
        self.acl = identity.AgentACL(agent=HELPER, grants=(grant,))
        self.answers = LookupTable({**connector.lookups, "MESSAGE *": None})
        trust = identity.TrustPolicy(entries=(entry,))
        self._settings: Settings = a2a.Settings(trust=trust)

    def receive(self, request: HttpRequest, *, second: int, caller: str = _ISSUER) -> Received | Rejected:
        """Receive a request from a caller that the server authenticated, for instance by TLS."""
        flow = a2a.receive(
            request,
            caller=Caller(subject=f"connector@{caller}"),
            recipient=HELPER,
            now=at(second),
            entropy=random_for("agent", str(second)),
            settings=self._settings,
        )
        return drive(flow, self.answers)

    def fetched(self, host: str) -> list[str]:
        """The documents that the agent fetched from a host."""
        return [row for row in self.answers.asked if row.startswith(f"GET https://{host}/")]


def _show_received(agent: _Agent, received: Received) -> Iterator[str]:
    """The message, its verified sender, and the sender's roles."""
    message = received.message
    yield field_line("reads", f"{message.sender.display_name}: {plain_text(message)}")
    verified = "; ".join(f"{one.subject}, by {one.issuer}, key {one.key_id}" for one in received.identities)
    yield field_line("verifies", verified)
    yield field_line("fetches", ", ".join(agent.fetched(_ISSUER)))
    yield field_line("chain", str(render_agent_chain(message.recipient_capabilities.agent_chain)))
    roles = ", ".join(sorted(agent.acl.roles(received.identities)))
    yield field_line("roles", f"{roles}, because the agent's own list grants it")


def _attacks(agent: _Agent, message: NormalizedMessage, evidence: IdentityEvidence) -> Iterator[str]:
    """Evidence that is replayed, signed by a connector that the agent does not trust, or changed after signing."""
    other = replace(message, parts=NormalizedResponse.to(message, "Delete everything.").parts)
    yield _attack(agent, "replayed", _call(other, evidence, second=4), second=4)
    forged = ConnectorPeer(issuer=_STRANGER).attest(evidence.subject, audience=HELPER, now=at(5))
    yield _attack(agent, "untrusted", _call(other, forged, second=5), second=5, caller=_STRANGER)
    yield field_line("", f"the agent fetched {len(agent.fetched(_STRANGER))} documents of that connector")
    changed = replace(evidence, subject=f"{evidence.subject}7", id=f"{evidence.id}7")
    yield _attack(agent, "changed", _call(message, changed, second=6), second=6)


def _attack(agent: _Agent, name: str, request: HttpRequest, *, second: int, caller: str = _ISSUER) -> str:
    """A request whose evidence the agent must ignore, while it receives the message."""
    received = expect(agent.receive(request, second=second, caller=caller), Received, name)
    details = "; ".join(one.detail for one in received.diagnostics if one.code == "evidence-refused")
    accepted = received.identities or agent.acl.allows(received.identities, role="user")
    return field_line(name, f"evidence {'accepted' if accepted else 'ignored'}: {details}")
