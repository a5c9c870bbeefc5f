"""`mentionable demo connector`: somebody speaks in Slack, and an agent elsewhere knows who they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .. import a2a, identity
from .._asks import drive
from .._caller import Caller
from .._model.capabilities import AgentChain
from .._model.message import NormalizedResponse
from .._outcome import Received, Rejected
from .._text import plain_text, render_agent_chain, shorten
from .._value import evolve
from ..connectors import slack
from ..testing.lookups import LookupTable
from ..testing.peers import ENDPOINT
from ..testing.platforms import ConnectorPeer, SlackPeer
from ._demo_steps import HELPER, NOW, Astray, at, passed, random_for, told
from ._show import field_line, twin_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from .._http import HttpRequest
    from .._model.identity import IdentityEvidence
    from .._model.message import NormalizedMessage
    from .._settings import Settings

_INTRO: Final = """\
Somebody mentions an agent in Slack. A connector verifies the request of Slack, says in signed evidence exactly what it
has verified, and calls the agent over A2A. The agent knows nobody in Slack, but it trusts this connector about members
of one workspace: so it knows who asks, decides by its own list, and answers. Nothing is sent or fetched.
"""
_OUTRO: Final = (
    "The same in programs: examples/slack_connector.py, examples/agent_server.py, docs/how-to/connect-slack.md"
)
_ISSUER: Final = "slack.agents.example"
_STRANGER: Final = "slack.stranger.example"
_FIRST: Final = AgentChain(hop=1, max_hops=3, is_final=False)


def run(text: str = "What is *our* uptime?") -> int:
    """The exit status: 0 when every step came out as it is told.

    Args:
        text: What is typed in Slack, in its own markup.
    """
    return told(_INTRO, _story(text), _OUTRO)


def _story(text: str) -> Iterator[str]:
    alice, connector = SlackPeer(), ConnectorPeer(issuer=_ISSUER)
    yield "Slack → the connector"
    message = yield from _heard(alice, text)
    yield "The connector → the agent, over A2A"
    (evidence,) = slack.attest(
        message, audience=HELPER, key=connector.key, settings=alice.settings(issuer=_ISSUER), now=at(1)
    )
    request = _called(message, evidence, second=1)
    yield field_line("evidence", f"{evidence.subject}, {evidence.assurance}, for {evidence.audience}")
    yield field_line("signed", f"by {evidence.issuer}; it holds until {evidence.expires_at}")
    yield field_line("request", f"POST {request.url}, {len(request.body)} bytes")

    yield "The agent"
    agent = _Agent(connector, alice)
    got = passed(agent.receive(request, second=2), Received)
    yield from _known(agent, got, plain_text(message))
    answer = NormalizedResponse.to(got.message, "It was **99.98 %** this month.")
    out = a2a.reply(answer, to=got.message, now=at(3), entropy=random_for("answer"))

    yield "The agent → the connector → Slack"
    back = passed(a2a.result(out.response, to=message), NormalizedResponse)
    post = slack.reply(back, to=message)
    yield field_line("answer", f"{post.method} in {post.params.get('channel')}: {post.params.get('text')}")

    yield "Those who try"
    yield from _refused(agent, message, evidence)


def _heard(alice: SlackPeer, text: str) -> Generator[str, None, NormalizedMessage]:
    """What the connector takes from Slack. One other byte, and it takes nothing."""
    settings = alice.settings(issuer=_ISSUER)
    event = alice.write(text, now=NOW)
    at_byte = event.body.rindex(b">") + 2  # the first letter of what is typed
    twin = evolve(event, body=event.body[:at_byte] + b"_" + event.body[at_byte + 1 :])
    outcomes = []
    for unit in (event, twin):
        flow = slack.receive(
            unit, now=NOW, entropy=random_for("slack"), recipient=HELPER, agent_chain=_FIRST, settings=settings
        )
        outcomes.append(drive(flow, LookupTable({**alice.lookups, "MESSAGE *": None})))
    message = passed(outcomes[0], Received).message
    (shown,) = message.sender.identities or (None,)
    if shown is None or isinstance(outcomes[1], Received):
        raise Astray("the connector took what Slack did not sign, or did not take what Slack signed")
    yield field_line("hears", f"{message.sender.display_name}: {plain_text(message)}")
    yield field_line("shown", f"{shown.subject}, by the signature of Slack")
    yield twin_line(passed(outcomes[1], Rejected), at_byte)
    return message


def _called(message: NormalizedMessage, evidence: IdentityEvidence, *, second: int) -> HttpRequest:
    """The connector's request to the agent, which stands first in a chain of agents."""
    return a2a.call(message, url=ENDPOINT, evidence=(evidence,), entropy=random_for("call", str(second)))


class _Agent:
    """The receiving side: whom it trusts, and who may do what.

    Attributes:
        acl: Its own list.
        asked: Everything that it had to ask.
    """

    def __init__(self, connector: ConnectorPeer, alice: SlackPeer) -> None:
        self.acl = identity.AgentACL(
            agent=HELPER, grants=(identity.Grant(role="user", subject_prefixes=(f"slack:{alice.team}/",)),)
        )
        trust = identity.TrustPolicy(entries=(connector.trusted(f"slack:{alice.team}/"),))
        self._settings: Settings = a2a.Settings(trust=trust)
        self._world = LookupTable({**connector.lookups, "MESSAGE *": None})

    @property
    def asked(self) -> list[str]:
        """What it asked so far."""
        return self._world.asked

    def receive(self, request: HttpRequest, *, second: int, caller: str = _ISSUER) -> Received | Rejected:
        """What its endpoint makes of a request from a caller whom it has authenticated, by TLS for instance."""
        flow = a2a.receive(
            request,
            caller=Caller(subject=f"connector@{caller}"),
            recipient=HELPER,
            now=at(second),
            entropy=random_for("agent", str(second)),
            settings=self._settings,
        )
        return drive(flow, self._world)

    def allows(self, got: Received) -> bool:
        """Whether who asks may ask."""
        return self.acl.allows(got.identities, role="user")


def _known(agent: _Agent, got: Received, said: str) -> Iterator[str]:
    """Who the agent knows asks."""
    message = got.message
    if plain_text(message) != said or not agent.allows(got):
        raise Astray("the agent has other words, or does not know who asks")
    (shown,) = got.identities
    yield field_line("reads", f"{message.sender.display_name}: {plain_text(message)}")
    yield field_line("verified", f"{shown.subject}, by {shown.issuer}, key {shown.key_id}")
    asked = [shorten(row, 64) for row in agent.asked if row.startswith(("GET", "ONCE"))]
    yield field_line("asked", ", ".join(asked))
    yield field_line("chain", str(render_agent_chain(message.recipient_capabilities.agent_chain)))
    yield field_line(
        "allowed", f"roles {', '.join(sorted(agent.acl.roles(got.identities)))}; the list decides, not the name"
    )


def _refused(agent: _Agent, message: NormalizedMessage, evidence: IdentityEvidence) -> Iterator[str]:
    """What becomes of evidence that somebody else shows, or shows again: the message comes, and nobody is known."""
    other = evolve(message, parts=NormalizedResponse.to(message, "Delete everything.").parts)
    yield from _unknown(agent, "replay", _called(other, evidence, second=4), "replayed", second=4)
    forged = ConnectorPeer(issuer=_STRANGER).attest(evidence.subject, audience=HELPER, now=at(5))
    yield from _unknown(
        agent, "stranger", _called(other, forged, second=5), "issuer-untrusted", second=5, caller=_STRANGER
    )
    cards = [row for row in agent.asked if row.startswith("GET") and _STRANGER in row]
    yield field_line("", f"{len(cards)} documents of that stranger were asked for")
    changed = evolve(evidence, subject=f"{evidence.subject}7", id=f"{evidence.id}7")  # which nobody signed
    yield from _unknown(agent, "changed", _called(message, changed, second=6), "signature-invalid", second=6)


def _unknown(
    agent: _Agent, name: str, request: HttpRequest, code: str, *, second: int, caller: str = _ISSUER
) -> Iterator[str]:
    """A request whose evidence must be refused, while its message is taken."""
    got = passed(agent.receive(request, second=second, caller=caller), Received)
    details = [note.detail for note in got.diagnostics if note.code == "evidence-refused"]
    if got.identities or agent.allows(got) or not any(code in detail for detail in details):
        raise Astray(f"expected evidence-refused, {code}, and there came {details}")
    yield field_line(name, f"{details[0]}; the message is taken, and its sender may do nothing")
