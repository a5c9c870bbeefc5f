"""What reads well and is right, and beside it what must be caught: every line that ends in `# wrong: …`.

Type checkers read this file; it is never run.
"""

import asyncio
from datetime import UTC, datetime
from typing import assert_never, assert_type

from mentionable import UNSET, Answered, Answers, ArtifactPart, AsyncAnswers, CarriedPolicy, FilePart, FindAgent, FindHistory, FindMessage, HttpRequest, IdentityEvidence, LinkPart, LookupTxt, NormalizedMessage, NormalizedResponse, Part, Received, Rejected, TextPart, ToolCallPart, UnknownPart, UseOnce, VerifiedIdentity, a2a, activitypub, adrive, anp, decode, drive, identity, mail, policy, trace
from mentionable.connectors import slack

NOW, ENTROPY = datetime.now(UTC), bytes(32)


def text_of(part: Part) -> str:
    match part:
        case TextPart(content=content):
            return content
        case LinkPart(url=url):
            return url
        case FilePart(name=name) | ArtifactPart(name=name):
            return name or ""
        case ToolCallPart() as call:
            return f"{call.name}: {call.state} {call.result if call.result is not UNSET else ''} {call.args['q']}"
        case CarriedPolicy(policy=demand):
            return demand.message
        case UnknownPart(kind=kind):
            return kind
        case _:
            assert_never(part)


def forgets_a_part(part: Part) -> str:
    match part:
        case TextPart() | LinkPart() | FilePart() | ArtifactPart() | ToolCallPart() | UnknownPart():
            return part.kind
        case _:
            assert_never(part)  # wrong: CarriedPolicy is left


def demanded(demand: policy.PolicyPart) -> object:
    match demand:
        case policy.PaymentRequired(accepted_payments=payments):
            return payments
        case policy.ConsentRequired(state=state):
            return state
        case policy.TooManyRequests(retry_after_seconds=wait) | policy.ServiceUnavailable(retry_after_seconds=wait):
            return wait
        case policy.Unauthorized() | policy.Forbidden() | policy.UnavailableForLegalReasons():
            return demand.code
        case policy.UnknownPolicy(kind=kind):
            return kind
        case _:
            assert_never(demand)


def mail_answer(ask: mail.MailAsk) -> object:
    match ask:
        case LookupTxt():
            return ()
        case FindAgent():
            return None
        case FindMessage():
            return None
        case FindHistory():
            return ()
        case UseOnce():
            return "first"
        case _:
            assert_never(ask)


def forgets_an_ask(ask: mail.MailAsk) -> object:
    match ask:
        case FindAgent() | FindMessage() | FindHistory() | UseOnce():
            return None
        case _:
            assert_never(ask)  # wrong: LookupTxt is left


request = HttpRequest(method="POST", url="https://agents.example/inbox")
outcome = drive(mail.receive(b"", now=NOW, entropy=ENTROPY), mail_answer)
assert_type(outcome, Received | mail.ReceivedReport | Rejected)
drive(activitypub.receive(request, now=NOW, entropy=ENTROPY), mail_answer)  # wrong: it does not answer Fetch
mail.receive(b"", now=NOW)  # wrong: entropy is missing
mail.receive("text", now=NOW, entropy=ENTROPY)  # wrong: a mail is bytes
mail.receive(b"", now=NOW, entropy=ENTROPY).messages  # wrong: a flow that was never driven
drive(mail.receive(b"", now=NOW, entropy=ENTROPY), Answers()).message  # wrong: it may be Rejected


def find_agent(ask: FindAgent) -> str | None:
    return ask.native_id


def lookup_text(ask: LookupTxt) -> int:
    return len(ask.name)


async def find_agent_later(ask: FindAgent) -> str | None:
    return ask.native_id


Answers(find_agent=find_agent)
AsyncAnswers(find_agent=find_agent_later)
AsyncAnswers(find_agent=find_agent)
Answers(lookup_txt=lookup_text)  # wrong: an integer is no answer
Answers(find_agent=lambda ask: True)  # wrong: True is no agent
Answers(find_agent=find_agent_later)  # wrong: an awaitable, which is for AsyncAnswers
Answers(find_agents=find_agent)  # wrong: no such member


def answered(message: NormalizedMessage) -> NormalizedResponse:
    response = NormalizedResponse.to(message, "Hello!", LinkPart(url="https://a.example/"))
    response.parts = ()  # wrong: values are frozen
    return response


def sent(message: NormalizedMessage, response: NormalizedResponse) -> None:
    letter = mail.reply(response, to=message, now=NOW, entropy=ENTROPY)
    assert_type(letter.data, bytes)
    mail.reply(message, to=message, now=NOW, entropy=ENTROPY)  # wrong: a message is no answer
    mail.reply(response, to=message, now=NOW)  # wrong: entropy is missing
    letter.deliveries  # wrong: a mail has none
    activitypub.reply(response, to=message, now=NOW, entropy=ENTROPY)  # wrong: base is missing
    activitypub.delivery_outcome("202")  # wrong: a status is a number
    drive(a2a.reply(response, to=message, now=NOW, entropy=ENTROPY), Answers())  # wrong: reply asks nothing
    a2a.error_response(response, request=request)  # wrong: only what was rejected is refused
    a2a.result(request, to=message)  # wrong: a request is no response
    read = a2a.result(a2a.reply(response, to=message, now=NOW, entropy=ENTROPY).response, to=message)
    assert_type(read, Answered | Rejected)
    assert_type(trace.read("https://mentionable.dev/trace#e30"), NormalizedResponse)
    trace.write(response).html.encode()
    trace.write(response).href.encode()  # wrong: there may be none


def authorized(acl: identity.AgentACL, got: Received, badge: IdentityEvidence) -> bool:
    assert_type(got.identities, tuple[VerifiedIdentity, ...])
    acl.roles([badge])  # wrong: evidence shows nobody
    acl.allows(got.message.sender.identities or (), role="user")  # wrong: nor does what a message says
    identity.verify(b"{}", recipient="@helper@agents.example", now=NOW)  # wrong: who brought it, and with what
    slack.receive(request, now=NOW, entropy=ENTROPY)  # wrong: the signing secret is missing
    return acl.allows(got.identities, role="user")


def done(effect: anp.Effect) -> object:
    match effect:
        case anp.Present(channel=channel, content=content) | anp.Update(channel=channel, content=content):
            return channel, content
        case anp.AddFact() | anp.InjectContext():
            return effect.scope, effect.agent_instructions
        case anp.StartTurn(turn=turn):
            return turn
        case anp.WakeAt(at=at):
            return at
        case _:
            return effect.id, effect.revision, effect.lease


def happened(command: anp.Command) -> str:
    match command:
        case anp.Submit() | anp.Route() | anp.Tick() | anp.Abandon() | anp.Reconnect() | anp.DeliveryFailed():
            return command.kind
        case anp.ClientAck() | anp.ContextCommitted() | anp.Claim() | anp.Action() | anp.CommitTurn():
            return command.kind
        case anp.TurnFailed():
            return command.kind
        case _:
            assert_never(command)  # wrong: Extend is left


def notified(event: anp.Notification) -> None:
    decision = anp.decide(event, anp.Claim(lease=event.owner_lease, holder="w1"), now=NOW)
    assert_type(decision, anp.Decision | Rejected)
    assert_type(anp.read_submission({}, user_id="olivia"), anp.Submission)
    anp.decide(event, anp.Tick(), now=NOW).record  # wrong: it may be Rejected
    anp.decide(event, anp.Tick())  # wrong: the time is missing
    anp.decide(event, anp.Dispatch(id="e1", revision=1, lease=1), now=NOW)  # wrong: an effect is no command
    anp.Routing(address="session", target="human", handler="system")  # wrong: the word is user
    anp.Rules(lanes="room")  # wrong: lanes are of a user or of a session
    anp.Claim(lease=1)  # wrong: a claim names a worker
    event.status = "delivered"  # wrong: values are frozen


async def main() -> None:
    got = await adrive(a2a.receive(request, now=NOW, entropy=ENTROPY), AsyncAnswers(), gather=asyncio.gather)
    assert_type(got, Received | Rejected)


assert_type(decode(NormalizedMessage, b"{}"), NormalizedMessage)
assert_type(decode(tuple[TextPart, ...], "[]"), tuple[TextPart, ...])
TextPart(content="Hi")
TextPart("Hi")  # wrong: members are given by name
TextPart(content=1)  # wrong: content is text
TextPart(content="Hi", mime="text/css")  # wrong: not a kind of text
FilePart(mime="text/plain")  # wrong: bytes_ref is required
NormalizedMessage(id="x")  # wrong: required members
Rejected(code="no-such-code")  # wrong: not a code
