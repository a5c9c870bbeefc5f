from __future__ import annotations

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    AddressingRelay,
    AgentChain,
    ArtifactPart,
    CallError,
    CarriedPolicy,
    DigestRef,
    FilePart,
    HistoricalMessage,
    InlineRelay,
    LinkPart,
    NoRelay,
    NormalizedResponse,
    RecipientCapabilities,
    RecipientFieldRelay,
    ResponseError,
    Sender,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    bytes_of,
    plain_text,
    policy,
    render_agent_chain,
    render_mention_relay_capability,
    render_recipient_capabilities,
    serialize_tool_call_to_text,
)
from mentionable._text.plain_text import clean, part_text, shorten, summary, tool_call_outcome
from mentionable.testing import strategies

CALL = {"id": "c1", "name": "web_search", "args": {"q": "rain"}}


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [("a\r\nb", "a\nb"), ("a\rb", "a\rb"), ("a\0b\r\n", "ab\n"), ("\r\0\n", "\n"), ("plain", "plain")],
)
def test_text_is_cleaned_of_crlf_and_nul(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "budget", "short"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc…"),
        ("ééé", 5, "é…"),
        ("é" * 3, 6, "ééé"),
        ("abcd", 3, "…"),
        ("abc", 2, "ab"),
    ],
)
def test_text_is_cut_between_characters(text, budget, short):
    assert shorten(text, budget) == short


@given(st.text(max_size=30), st.integers(3, 40))
def test_shortened_text_fits(text, budget):
    short = shorten(text, budget)
    assert len(short.encode()) <= budget
    assert short == text or short.endswith("…")


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ({"result": [1, 2]}, '🔧 web_search({"q":"rain"}) → [1,2]'),
        ({"result": None}, '🔧 web_search({"q":"rain"}) → null'),
        ({}, '🔧 web_search({"q":"rain"}) → …'),
        ({"error": CallError(message="no\nnet")}, '🔧 web_search({"q":"rain"}) → ❌ no net'),
        ({"result": "a\u2028b\x85c"}, '🔧 web_search({"q":"rain"}) → "a b c"'),
        ({"name": "a\r\nb"}, '🔧 a b({"q":"rain"}) → …'),
        ({"result": "x" * 300}, '🔧 web_search({"q":"rain"}) → "' + "x" * 196 + "…"),
    ],
)
def test_a_tool_call_is_one_line(members, line):
    assert serialize_tool_call_to_text(ToolCallPart(**{**CALL, **members})) == line


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (-0.0, "0"),
        (-1.0, "-1"),
        (0.1, "0.1"),
        (2**53 + 1, "9007199254740992"),
        (10**21, "1e+21"),
        (10**400, "null"),
        ({"1.0": [1.0, {"b": "1.0", "a": 1e-7}]}, '{"1.0":[1,{"b":"1.0","a":1e-7}]}'),
        ([[], {}, True, None, 1.0], "[[],{},true,null,1]"),
    ],
)
def test_numbers_of_a_line_are_those_of_ecmascript(value, text):
    assert summary(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_written_as_another_implementation_of_rfc_8785_writes_it(number):
    assert summary([number]) == rfc8785.dumps([number]).decode()


def test_the_budget_of_a_side_can_be_given():
    part = ToolCallPart(**CALL, result="long enough")
    assert serialize_tool_call_to_text(part, budget=8) == '🔧 web_search({"q":…) → "long…'


@given(strategies.tool_call_parts())
def test_every_tool_call_is_one_line(part):
    assert len(serialize_tool_call_to_text(part).splitlines()) == 1


@pytest.mark.parametrize(
    ("relay", "wake", "routed"),
    [
        (InlineRelay(), "write their @handle in the body of your reply", "body @-mentions are routed"),
        (RecipientFieldRelay(fields=("to", "cc")), "add them to To or Cc of your reply", "NOT routed"),
        (RecipientFieldRelay(fields=("to", "cc", "bcc")), "add them to To, Cc or Bcc of your reply", "NOT routed"),
        (
            AddressingRelay(envelope_fields=("to",)),
            "add them to To of your reply AND write their @handle@host in its body",
            "NOT routed",
        ),
        (NoRelay(), "no other agent can be woken through your reply", "NOT routed"),
    ],
)
def test_how_to_wake_another_agent_in_words(relay, wake, routed):
    text = render_mention_relay_capability(relay)
    assert text.startswith("The platform that delivered this message routes mentions to other agents as follows:\n\n")
    assert f"\n  • mechanism: {relay.kind}\n" in text
    assert wake in text
    assert routed in text
    assert text.endswith("ispatch the sibling directly via A2A and weave the answer into your reply.")


def test_the_words_for_email_are_those_of_the_specification():
    assert render_mention_relay_capability(RecipientFieldRelay(fields=("to", "cc"))) == (
        "The platform that delivered this message routes mentions to other agents as follows:\n"
        "\n"
        "  • mechanism: recipient-field\n"
        "  • to wake another agent, add them to To or Cc of your reply\n"
        "  • body @-mentions are NOT routed by this platform\n"
        "\n"
        "If you can’t add recipients, dispatch the sibling directly via A2A and weave the answer into your reply."
    )


@pytest.mark.parametrize(
    ("chain", "text"),
    [
        (None, None),
        (
            AgentChain(hop=1, max_hops=3, is_final=False),
            "You are responding as hop 1 of a chain capped at 3 hops. [2 hops remaining.]",
        ),
        (
            AgentChain(hop=2, max_hops=3, is_final=False),
            "You are responding as hop 2 of a chain capped at 3 hops. [1 hop remaining.]",
        ),
        (
            AgentChain(hop=3, max_hops=3, is_final=True),
            "You are responding as the FINAL hop (3 of 3). Synthesize a conclusion — do not invite another agent.",
        ),
    ],
)
def test_where_an_agent_stands_in_words(chain, text):
    assert render_agent_chain(chain) == text


def test_both_descriptions_are_one_block():
    chain = AgentChain(hop=1, max_hops=1, is_final=True)
    alone = RecipientCapabilities(mention_relay=NoRelay())
    assert render_recipient_capabilities(alone) == render_mention_relay_capability(NoRelay())
    assert render_recipient_capabilities(RecipientCapabilities(mention_relay=NoRelay(), agent_chain=chain)) == (
        f"{render_mention_relay_capability(NoRelay())}\n\n{render_agent_chain(chain)}"
    )


URL = "https://a.example/x"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (TextPart(content="\nHi\n"), "Hi"),
        (TextPart(content="**Hi**", mime="text/markdown"), "**Hi**"),
        (TextPart(content="<p>Hi <b>you</b></p>", mime="text/html"), "Hi you"),
        (LinkPart(url=URL), URL),
        (LinkPart(url=URL, title="X"), f"X <{URL}>"),
        (FilePart.of(b"hi", mime="text/plain", name="a.txt"), "[a.txt (text/plain)]"),
        (FilePart.of(b"hi", mime="text/plain", name="[a]: <b>"), "[(a): \u2039b\u203a (text/plain)]"),
        (FilePart.of(b"hi", mime="text/plain", name="12 lines]"), "[file 12 lines) (text/plain)]"),
        (FilePart(mime="image/png", bytes_ref=UrlRef(url=URL)), f"[file (image/png)] <{URL}>"),
        (
            ArtifactPart(mime="text/csv", name="t", bytes_ref=DigestRef(digest="0" * 64, url=URL)),
            f"[t (text/csv)] <{URL}>",
        ),
        (ToolCallPart(**CALL), '🔧 web_search({"q":"rain"}) → …'),
        (CarriedPolicy(policy=policy.Forbidden(message="No.")), "No."),
        (CarriedPolicy(policy=policy.Forbidden(message="No.", url=URL)), f"No.\n{URL}"),
        (UnknownPart(kind="poll"), ""),
    ],
)
def test_each_part_has_a_plain_text(part, text):
    assert plain_text(NormalizedResponse(reply_to="m", parts=(part,))) == text


def test_parts_are_apart_by_a_blank_line():
    turn = HistoricalMessage(
        role="user",
        sender=Sender(address="@a@b.example"),
        parts=(TextPart(content="a"), UnknownPart(kind="poll"), TextPart(content="b")),
        timestamp="2026-11-21T20:56:00Z",
    )
    assert plain_text(turn) == "a\n\nb"


def test_bytes_come_from_the_part_or_from_the_blobs():
    part = FilePart(mime="text/plain", bytes_ref=DigestRef(digest="0" * 64))
    assert bytes_of(FilePart.of(b"hi", mime="text/plain")) == b"hi"
    assert bytes_of(part) is None
    assert bytes_of(part, {"0" * 64: b"hi"}) == b"hi"
    assert bytes_of(FilePart(mime="text/plain", bytes_ref=UrlRef(url=URL))) is None


@pytest.mark.parametrize(
    ("members", "outcome"),
    [
        ({"result": [1]}, "[1]"),
        ({"result": None}, "null"),
        ({}, "…"),
        ({"error": CallError(message="no\nnet")}, "no net"),
        ({"result": "x" * 300}, '"' + "x" * 196 + "…"),
    ],
)
def test_the_outcome_of_a_call_is_one_line(members, outcome):
    assert tool_call_outcome(ToolCallPart(**CALL, **members)) == outcome


@given(strategies.json_values(), st.integers(3, 60))
def test_the_summary_of_any_json_is_one_short_line(value, budget):
    line = summary(value, budget)
    assert len(line.encode()) <= budget
    assert len(line.splitlines()) == 1


@given(strategies.parts())
def test_every_part_has_a_text(part):
    assert plain_text(NormalizedResponse(reply_to="m1", parts=(part,))) == part_text(part)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ResponseError(code="x", message="Try later.", retriable=True), "Try later."),
        (ResponseError(code="x", message="", retriable=True), "The agent could not answer."),
        (None, "The agent could not answer."),
    ],
)
def test_a_failure_says_why(error, text):
    assert plain_text(NormalizedResponse(reply_to="m", parts=(), status="error", error=error)) == text
    assert plain_text(NormalizedResponse(reply_to="m", parts=(TextPart(content="a"),), status="error")) == "a"
    assert plain_text(NormalizedResponse(reply_to="m", parts=())) == ""
