"""What goes out is what our own reader gives back: calls, answers in JSON, and streams."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    AgentChain,
    Answers,
    CarriedPolicy,
    DigestRef,
    NormalizedResponse,
    RecipientCapabilities,
    Rejected,
    ResponseError,
    Sender,
    TextPart,
    drive,
    replace,
    rest,
    split,
)
from mentionable._model.parts import inline
from mentionable._text.media import bytes_of
from mentionable._transport.forwarded import canonical_part, without_secrets
from mentionable.rest import Field
from mentionable.testing import strategies
from tests.a2a.carried import sendable
from tests.answered import response_in
from tests.rest.asking import FACTS, HELPER, message, question

SESSION = {"rest": {"session": "s1"}}
"""What the far side knows beside the response: how to go on."""

TO, STREAMED = question(), question("text/event-stream")
ASKED = message()
errors = st.builds(ResponseError, code=st.text(max_size=5), message=st.text(max_size=9), retriable=st.booleans())


def canonical(part, blobs, *, inside):
    """A part as the other side has it."""
    reference = getattr(part, "bytes_ref", None)
    if inside and isinstance(reference, DigestRef) and reference.url is None:
        part = replace(part, bytes_ref=inline(bytes_of(part, blobs)))
    return canonical_part(part)


@given(sendable(), st.none() | errors)
def test_an_answer_in_json_is_read_back_equal(sent, error):
    parts, blobs = sent
    response = replace(NormalizedResponse.to(TO, *parts), status="error" if error else "ok", error=error)
    out = rest.reply(response, to=TO, accept="application/json", blobs=blobs, **FACTS)
    wanted = tuple(canonical(part, blobs, inside=True) for part in parts)
    assert response_in(rest.result(out.response, to=TO)) == replace(response, parts=wanted, extra=SESSION)


@given(sendable(), strategies.carried_policies())
def test_a_demand_is_read_back_as_the_last_part(sent, demand):
    parts, blobs = sent
    bare = replace(demand.policy, url=None, action_label=None, extra={})
    response = NormalizedResponse.to(TO, *parts, CarriedPolicy(policy=bare))
    try:
        out = rest.reply(response, to=TO, blobs=blobs, **FACTS)
    except ValueError:  # a state that can be guessed, a link that leads elsewhere
        return
    got = response_in(rest.result(out.response, to=TO))
    if isinstance(got, Rejected):  # what has no canonical form is no policy
        return
    assert got.parts[:-1] == tuple(canonical(part, blobs, inside=True) for part in parts)
    assert got.parts[-1].policy.kind == bare.kind
    assert got.extra == SESSION


def streamable(part):
    """A part as a stream carries it."""
    if isinstance(part, TextPart):
        content = part.content.replace("\r\n", "\n").replace("\r", "\n")
        mime = "text/markdown" if part.mime == "text/html" else part.mime
        return replace(part, content=content, mime=mime, extra={})
    return part


@given(sendable(), st.integers(1, 4))
def test_a_stream_of_frames_is_read_back_equal(sent, size):
    parts, blobs = sent
    parts = tuple(streamable(canonical(part, blobs, inside=True)) for part in parts)
    whole = NormalizedResponse.to(STREAMED, *parts)
    body = b""
    for frame in split(whole, stream_id="x", text_chars=size):
        out = rest.reply(frame, to=STREAMED, blobs=blobs, **FACTS)
        body += out.response.body
    got = response_in(rest.result(replace(out.response, body=body), to=STREAMED))
    assert got == replace(whole, extra=SESSION)
    once = rest.reply(got, to=STREAMED, **FACTS)
    assert response_in(rest.result(once.response, to=STREAMED)) == got


def seen(turn):
    """A turn as the other agent sees it."""
    said = (replace(part) if not isinstance(part, CarriedPolicy) else part for part in turn.parts)
    sender = Sender(address=turn.sender.address, display_name=turn.sender.display_name, profile=turn.sender.profile)
    role = "assistant" if sender.address == HELPER else "user"
    parts = tuple(canonical_part(part) for part in said)
    return without_secrets(replace(turn, role=role, sender=sender, parts=parts, extra={}))


turns = strategies.turns(recipient=HELPER).filter(
    lambda turn: not any(isinstance(part, CarriedPolicy) for part in turn.parts)
)


@given(
    sendable(),
    strategies.mention_relays(),
    st.none() | strategies.agent_chains(),
    st.lists(turns, max_size=3),
    st.text(min_size=1, max_size=5),
)
def test_a_call_is_received_equal(sent, relay, chain, history, session):
    parts, blobs = sent
    capabilities = RecipientCapabilities(mention_relay=relay, agent_chain=chain)
    asked = message(*parts, recipient_capabilities=capabilities, received_via="connector")
    request = rest.call(
        asked,
        url="https://agents.example/helper",
        session=session,
        context=rest.CallContext(history=tuple(history), blobs=blobs),
        entropy=bytes(32),
    )
    got = drive(rest.receive(request, recipient=HELPER, **FACTS), Answers())
    assert got.message.parts == tuple(without_secrets(canonical(part, blobs, inside=False)) for part in parts)
    assert got.message.thread_id == session
    wanted = replace(relay, extra={})
    assert got.message.recipient_capabilities.mention_relay == wanted
    if chain is not None:
        assert got.message.recipient_capabilities.agent_chain == replace(chain, extra={})
    assert sorted(map(repr, got.message.history or ())) == sorted(repr(seen(turn)) for turn in history)
    assert got.blobs.keys() == {sha256(data).hexdigest() for data in got.blobs.values()}
    for part in got.message.parts:
        reference = getattr(part, "bytes_ref", None)
        if isinstance(reference, DigestRef) and reference.digest in blobs:
            assert got.blobs[reference.digest] == blobs[reference.digest]


def test_a_chain_is_counted_on():
    chain = AgentChain(hop=1, max_hops=2, is_final=False)
    asked = replace(ASKED, recipient_capabilities=replace(ASKED.recipient_capabilities, agent_chain=chain))
    request = rest.call(asked, url="https://agents.example/helper", entropy=bytes(32))
    got = drive(rest.receive(request, recipient=HELPER, **FACTS), Answers())
    assert got.message.recipient_capabilities.agent_chain == AgentChain(hop=2, max_hops=2, is_final=True)


names = st.sampled_from(["user", "assistant", "session", "message_id", "parts", "history", "x", "identity_evidence"])
names |= st.sampled_from(["policy_resolution", "recipient_capabilities"])
values = st.binary(max_size=9) | st.text(max_size=9) | st.sampled_from(["[]", "{}", "[{}]", '[{"kind":"text"}]', "7"])
media = st.sampled_from([None, "text/plain", "text/html; charset=x", "image/png", "?", "application/json"])
forms = st.lists(st.builds(Field, names, values, media, st.sampled_from([None, "", "a.txt"])), max_size=6)


@given(forms)
def test_any_form_is_a_message_or_a_documented_rejection(fields):
    got = drive(rest.receive(fields, recipient=HELPER, **FACTS), Answers())
    assert isinstance(got, Rejected) or got.message.recipient == HELPER
    again = drive(rest.receive(fields, recipient=HELPER, **FACTS), Answers())
    assert got == again
