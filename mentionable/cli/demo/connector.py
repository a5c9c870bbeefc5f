"""`mentionable demo connector`: somebody speaks in Slack, and an agent elsewhere knows who they are."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from ... import a2a, identity
from ..._flow.flow import drive
from ..._flow.outcome import Received, Rejected
from ..._flow.settings import Settings
from ..._model.base import replace
from ..._model.capabilities import AgentChain
from ..._model.identity import IdentityEvidence
from ..._model.message import NormalizedMessage, NormalizedResponse
from ..._text.plain_text import plain_text, render_agent_chain, shorten
from ..._transport.caller import Caller
from ..._wire.http import HttpRequest
from ..._wire.time import signed_time
from ...connectors import slack
from ...testing.lookups import LookupTable
from ...testing.peers import ENDPOINT
from ...testing.platforms import ConnectorPeer, SlackPeer
from .._show import field_line, refusal_of, twin_line
from .steps import HELPER, NOW, at, random_for
from .tell import Line, Wrong, checked, known, passed, tell

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
_CHAIN: Final = "You are responding as hop 1 of a chain capped at 3 hops. [2 hops remaining.]"
_FIRST: Final = AgentChain(hop=1, max_hops=3, is_final=False)


_TYPED: Final = "What is *our* uptime? See <https://status.example/?a=1&amp;b=2|the page>."
_READ: Final = "What is **our** uptime? See [the page](https://status.example/?a=1&b=2)."
_ANSWER: Final = "It was **99.98 %** this month, says [the page](https://status.example/)."
_ANSWER_IN_SLACK: Final = "It was *99.98 %* this month, says <https://status.example/|the page>."


def run(typed: str = _TYPED, read: str = _READ) -> int:
    """The exit status: 0 when every line is as it should be.

    Args:
        typed: What is typed in Slack, in its own markup.
        read: The same in Markdown, as the agent must read it.
    """
    return tell(_INTRO, _story(typed, read), _OUTRO)


def _story(typed: str, read: str) -> Iterator[Line]:
    alice, connector = SlackPeer(), ConnectorPeer(issuer=_ISSUER)
    subject, words = f"slack:{alice.team}/{alice.user}", f"{alice.name}: @helper {read}"
    yield "Slack → the connector"
    message = yield from _heard(alice, typed, words)
    yield "The connector → the agent, over A2A"
    (evidence,) = slack.attest(
        message, audience=HELPER, key=connector.key, settings=alice.settings(issuer=_ISSUER), now=at(1)
    )
    request = _called(message, evidence, second=1)
    claim = f"{evidence.subject}, {evidence.assurance}, for {evidence.audience}"
    yield checked(field_line("evidence", claim), f"{subject}, platform, for {HELPER}", claim)
    signed = f"by {evidence.issuer}; it holds until {evidence.expires_at}"
    yield checked(field_line("signed", signed), f"by {_ISSUER}; it holds until {signed_time(at(301))}", signed)
    yield checked(field_line("request", f"POST {request.url}, {len(request.body)} bytes"), ENDPOINT, request.url)

    yield "The agent"
    agent = _Agent(connector, alice)
    got = passed(agent.receive(request, second=2), Received, "reads")
    yield from _known(agent, got, words, subject)
    answer = NormalizedResponse.to(got.message, _ANSWER)
    out = a2a.reply(answer, to=got.message, now=at(3), entropy=random_for("answer"))

    yield "The agent → the connector → Slack"
    back = passed(a2a.result(out.response, to=message), NormalizedResponse, "answer")
    post = slack.reply(back, to=message)
    text = f"{post.method} in {post.params.get('channel')}: {post.params.get('text')}"
    yield checked(field_line("answer", text), f"chat.postMessage in C123: {_ANSWER_IN_SLACK}", text)

    yield "Those who try"
    yield from _refused(agent, message, evidence)


def _heard(alice: SlackPeer, typed: str, words: str) -> Generator[Line, None, NormalizedMessage]:
    """What the connector takes from Slack. One other byte, and it takes nothing."""
    settings = alice.settings(issuer=_ISSUER)
    event = alice.write(typed, now=NOW)
    at_byte = event.body.index(b">") + 2  # the first letter of what is typed
    twin = replace(event, body=event.body[:at_byte] + b"_" + event.body[at_byte + 1 :])
    outcomes = []
    for unit in (event, twin):
        flow = slack.receive(
            unit, now=NOW, entropy=random_for("slack"), recipient=HELPER, agent_chain=_FIRST, settings=settings
        )
        outcomes.append(known(drive(flow, LookupTable({**alice.lookups, "MESSAGE *": None})), "hears"))
    message = passed(outcomes[0], Received, "hears").message
    heard = f"{message.sender.display_name}: {plain_text(message)}"
    yield checked(field_line("hears", heard), words, heard)
    known_as = ", ".join(one.subject for one in message.sender.identities or ())
    yield checked(
        field_line("shown", f"{known_as}, by the signature of Slack"), f"slack:{alice.team}/{alice.user}", known_as
    )
    yield checked(twin_line(outcomes[1], at_byte), "request-unverified", refusal_of(outcomes[1]))
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


def _known(agent: _Agent, got: Received, words: str, subject: str) -> Iterator[Line]:
    """Who the agent knows asks."""
    message = got.message
    read = f"{message.sender.display_name}: {plain_text(message)}"
    yield checked(field_line("reads", read), words, read)
    known = "; ".join(f"{one.subject}, by {one.issuer}, key {one.key_id}" for one in got.identities)
    yield checked(field_line("verified", known), f"{subject}, by {_ISSUER}, key test", known)
    asked = [row for row in agent.asked if row.startswith(("GET", "ONCE"))]
    card, once = f"GET https://{_ISSUER}/.well-known/adapter-card", "ONCE identity"
    line = field_line("asked", ", ".join(shorten(row, 64) for row in asked))
    yield checked(line, [card, once], [row.partition(":")[0] if row.startswith("ONCE") else row for row in asked])
    chain = str(render_agent_chain(message.recipient_capabilities.agent_chain))
    yield checked(field_line("chain", chain), _CHAIN, chain)
    roles = ", ".join(sorted(agent.acl.roles(got.identities)))
    yield checked(field_line("allowed", f"roles {roles}; the list decides, not the name"), "user", roles)


def _refused(agent: _Agent, message: NormalizedMessage, evidence: IdentityEvidence) -> Iterator[Line]:
    """What becomes of evidence that somebody else shows, or shows again: the message comes, and nobody is known."""
    other = replace(message, parts=NormalizedResponse.to(message, "Delete everything.").parts)
    yield _unknown(agent, "replay", _called(other, evidence, second=4), "replayed", second=4)
    forged = ConnectorPeer(issuer=_STRANGER).attest(evidence.subject, audience=HELPER, now=at(5))
    yield _unknown(agent, "stranger", _called(other, forged, second=5), "issuer-untrusted", second=5, caller=_STRANGER)
    cards = [row for row in agent.asked if row.startswith("GET") and _STRANGER in row]
    yield checked(field_line("", f"{len(cards)} documents of that stranger were asked for"), 0, len(cards))
    changed = replace(evidence, subject=f"{evidence.subject}7", id=f"{evidence.id}7")  # which nobody signed
    yield _unknown(agent, "changed", _called(message, changed, second=6), "signature-invalid", second=6)


def _unknown(agent: _Agent, name: str, request: HttpRequest, code: str, *, second: int, caller: str = _ISSUER) -> Line:
    """A request whose evidence must be refused, while its message is taken."""
    got = passed(agent.receive(request, second=second, caller=caller), Received, name)
    details = "; ".join(note.detail for note in got.diagnostics if note.code == "evidence-refused")
    if got.identities or agent.allows(got) or code not in details:
        return Wrong(
            field_line(name, details or "nothing is refused"), f"no evidence taken, {code}", details or "nothing"
        )
    return field_line(name, f"{details}; the message is taken, and its sender may do nothing")
