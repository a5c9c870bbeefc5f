"""The way out: which calls carry an answer, where they go, and who sees them."""

from __future__ import annotations

import json

import pytest

from mentionable import (
    ArtifactPart,
    CallError,
    DigestRef,
    FilePart,
    Limits,
    LinkPart,
    NormalizedResponse,
    PushBackHint,
    Settings,
    Streaming,
    TextPart,
    ToolCallPart,
    UnknownPart,
    UrlRef,
    UsageError,
    replace,
)
from mentionable.connectors import slack
from mentionable.policy import (
    AcceptedPayment,
    ConsentRequired,
    Forbidden,
    PaymentRequired,
    TooManyRequests,
    Unauthorized,
    UnknownPolicy,
)
from tests.connectors.slack_workspace import (
    TS,
    command_unit,
    form_unit,
    mention,
    message,
    notes,
    outcome,
    request,
    said,
)

STAR = "\u2060*\u2060"
QUESTION = message(mention())
DIRECT = message(said())
STATE = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
URL = "https://hooks.slack.example/commands/T1/1/secret"
PAY = PaymentRequired(
    message="Pay <1 $> *now*.",
    title="Payment",
    url="https://agents.example/pay?a=1&b=2",
    action_label="Pay $1",
    state=STATE,
    accepted_payments=(
        AcceptedPayment(scheme="x402.exact", payload={}, label="Pay $1.00 USDC", description="sign within 5 min"),
        AcceptedPayment(scheme="other", payload={}),
    ),
)
CONSENT = ConsentRequired(message="Please agree.", state=STATE, return_to="https://slack.agents.example/back")
NO = Forbidden(message="No.")


def answer(*parts, to=QUESTION, status="ok", **facts):
    return slack.reply(NormalizedResponse.to(to, *parts, status=status), to=to, **facts)


def blocks(*parts, **facts):
    return answer(*parts, **facts).params["blocks"]


def text_of(*parts, **facts):
    return answer(*parts, **facts).params["text"]


def test_an_answer_goes_into_the_thread_of_the_question():
    post = answer("**Hi** <!channel>")
    assert (post.method, post.diagnostics) == ("chat.postMessage", ())
    assert post.params == {
        "channel": "C1",
        "thread_ts": TS,
        "text": "*Hi* &lt;!channel&gt;",
        "blocks": [
            {
                "type": "section",
                "text": {"type": "mrkdwn", "text": "*Hi* &lt;!channel&gt;", "verbatim": True},
                "expand": True,
            }
        ],
        "parse": "none",
        "link_names": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }
    json.dumps(post.params)


def test_direct_messages_have_threads_too():
    assert (answer("x", to=DIRECT).params["channel"], answer("x", to=DIRECT).params["thread_ts"]) == ("D1", TS)


def test_a_command_has_no_thread():
    command = outcome(command_unit()).message
    assert "thread_ts" not in answer("x", to=command).params


def test_several_calls_are_read_one_by_one():
    post = answer("word " * 10_000)
    assert [call.method for call in post.calls] == ["chat.postMessage"] * len(post.calls)
    assert len(post.calls) > 1
    said = " ".join(block["text"]["text"] for call in post.calls for block in call.params["blocks"])
    assert said.split() == ["word"] * 10_000
    with pytest.raises(UsageError, match=r"read \.calls"):
        post.method  # noqa: B018
    with pytest.raises(UsageError, match=r"read \.calls"):
        answer(status="ok").params  # noqa: B018
    assert hash(post.calls[0]) == hash(post.calls[0])


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (TextPart(content="*plain* <b>"), f"{STAR}plain{STAR} &lt;b&gt;"),
        (TextPart(content="<p>a <b>b</b></p>", mime="text/html"), "a *b*"),
        (LinkPart(url="https://a.example/", title="A <page>"), "<https://a.example/|A &lt;page&gt;>"),
        (LinkPart(url="https://a.example/"), "<https://a.example/>"),
        (
            LinkPart(url="https://a.example/", title="A", description="more *x*"),
            f"<https://a.example/|A>\n\nmore {STAR}x{STAR}",
        ),
        (
            FilePart(mime="text/plain", name="a|b.txt", bytes_ref=UrlRef(url="https://a.example/f")),
            "\U0001f4ce <https://a.example/f|a|b.txt> (text/plain)",
        ),
        (
            ArtifactPart(mime="image/png", bytes_ref=UrlRef(url="https://a.example/f")),
            "\U0001f4ce <https://a.example/f|file> (image/png)",
        ),
        (ToolCallPart(id="1", name="rain", args={"q": "<!here>"}, result=[1]), '🔧 rain({"q":"&lt;!here&gt;"}) → [1]'),
        (ToolCallPart(id="1", name="rain", args=1, error=CallError(message="no")), "🔧 rain(1) → ❌ no"),
    ],
)
def test_every_kind_of_part_is_shown(part, text):
    assert text_of(part) == text


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (FilePart.of(b"hi", mime="text/plain", name="<a>"), "\U0001f4ce &lt;a&gt; (text/plain)"),
        (FilePart(mime="text/plain", bytes_ref=DigestRef(digest="0" * 64)), "\U0001f4ce file (text/plain)"),
        (ToolCallPart(id="1", name="n" * 3_000, args={}), "🔧 " + "n" * 1_992 + "…"),
    ],
)
def test_what_cannot_be_carried_has_a_diagnostic(part, text):
    post = answer(part)
    assert (post.params["text"], notes(post)) == (text, ["part-changed"])
    assert post.diagnostics[0].at == "/parts/0"


def test_a_part_of_an_unknown_kind_is_told_of():
    post = answer(UnknownPart(kind="poll", extra={"a": "secret"}), "hi")
    assert (post.params["text"], notes(post)) == ("hi", ["part-changed"])


def test_tool_calls_are_small_print_in_their_place():
    call = ToolCallPart(id="1", name="rain", args={}, result=1)
    found = blocks("a", call, replace(call, id="2"), "b", "c", replace(call, id="3"))
    assert [block["type"] for block in found] == ["section", "context", "section", "context"]
    assert [len(block.get("elements", ())) for block in found] == [0, 2, 0, 1]
    assert found[2]["text"]["text"] == "b\n\nc"
    assert found[1]["elements"][0] == {"type": "plain_text", "text": "🔧 rain({}) → 1", "emoji": False}


def test_an_error_says_why():
    failed = NormalizedResponse.failed(QUESTION, "Out of *order*.", code="x")
    assert slack.reply(failed, to=QUESTION).params["text"] == f"Out of {STAR}order{STAR}."
    bare = NormalizedResponse(reply_to=QUESTION.id, parts=(), status="error")
    assert slack.reply(bare, to=QUESTION).params["text"] == "The agent could not answer."
    assert slack.reply(replace(failed, parts=(TextPart(content="hm"),)), to=QUESTION).params["text"] == "hm"
    assert len(slack.reply(NormalizedResponse.to(QUESTION, NO, status="error"), to=QUESTION).calls) == 1


def test_nothing_to_say_is_no_call():
    assert answer().calls == ()
    assert answer(" ").calls == ()


def test_an_answer_that_grows_replaces_what_it_showed():
    frame = replace(
        NormalizedResponse.to(QUESTION, "So *far*", status="partial"),
        streaming=Streaming(stream_id="s", seq=0, final=False),
    )
    assert slack.reply(frame, to=QUESTION).method == "chat.postMessage"
    post = slack.reply(frame, to=QUESTION, update="1795294501.000000")
    assert post.method == "chat.update"
    assert (post.params["channel"], post.params["ts"], post.params["text"]) == ("C1", "1795294501.000000", "So _far_")
    assert "thread_ts" not in post.params
    assert (post.params["parse"], post.params["link_names"]) == ("none", False)
    long = replace(frame, parts=(TextPart(content="word " * 10_000),))
    assert len(slack.reply(long, to=QUESTION, update=TS).calls) == 1
    final = slack.reply(replace(long, status="ok", streaming=None), to=QUESTION, update=TS)
    assert [call.method for call in final.calls][:2] == ["chat.update", "chat.postMessage"]
    assert answer(NO, update=TS).method == "chat.postEphemeral"
    early = slack.reply(replace(frame, parts=NormalizedResponse.to(QUESTION, "So far", NO).parts), to=QUESTION)
    assert ([call.method for call in early.calls], [note.at for note in early.diagnostics]) == (
        ["chat.postMessage"],
        ["/parts/1"],
    )


def test_the_asker_alone_can_see_it():
    post = answer("x", ephemeral=True)
    assert (post.method, post.params["user"], post.params["thread_ts"]) == ("chat.postEphemeral", "U1", TS)
    assert "unfurl_links" not in post.params
    assert answer("x", to=DIRECT, ephemeral=True).method == "chat.postMessage"
    bot = message(mention(bot_id="B2", user=None))
    assert answer("x", to=bot, ephemeral=True).method == "chat.postMessage"


def test_a_policy_is_for_the_asker():
    said_, demanded = answer("First *pay*.", PAY).calls
    assert (said_.method, demanded.method, demanded.params["user"]) == ("chat.postMessage", "chat.postEphemeral", "U1")
    assert answer(PAY, to=DIRECT).method == "chat.postMessage"


def test_a_policy_is_words_and_one_button():
    header, words, offers, button, where = blocks(PAY)
    assert header == {"type": "header", "text": {"type": "plain_text", "text": "Payment", "emoji": False}}
    assert words["text"] == {"type": "plain_text", "text": "Pay &lt;1 $&gt; *now*.", "emoji": False}
    assert offers["text"]["text"] == "• Pay $1.00 USDC: sign within 5 min"
    assert button == {
        "type": "actions",
        "elements": [
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "Pay $1", "emoji": False},
                "url": "https://agents.example/pay?a=1&b=2",
                "action_id": "mentionable:link",
                "style": "primary",
            }
        ],
    }
    assert where["elements"][0]["text"] == "Opens agents.example"
    assert STATE not in json.dumps(answer(PAY).params)


@pytest.mark.parametrize(
    ("policy", "label", "style"),
    [
        (replace(CONSENT, url="https://agents.example/"), "Review", "primary"),
        (replace(PAY, action_label=None), "Pay", "primary"),
        (Unauthorized(message="Who?", auth_challenges=(), url="https://agents.example/in"), "Sign in", None),
        (TooManyRequests(message="Slow.", url="https://agents.example/why", action_label="Why?"), "Why?", None),
        (UnknownPolicy(kind="example:age", message="Age?", url="https://agents.example/age"), "Open", None),
    ],
)
def test_buttons_say_what_they_do(policy, label, style):
    (button,) = next(block for block in blocks(policy) if block["type"] == "actions")["elements"]
    assert (button["text"]["text"], button.get("style")) == (label, style)


@pytest.mark.parametrize("policy", [NO, CONSENT, UnknownPolicy(kind="example:age", message="Age?")])
def test_a_policy_without_a_url_is_words_alone(policy):
    assert [block["type"] for block in blocks(policy)] == ["section"]


def test_long_words_of_a_policy_are_all_there():
    offers = PAY.accepted_payments[1:]
    policy = replace(PAY, title="t " * 100, action_label="l" * 100, message="m " * 3_000, accepted_payments=offers)
    found = blocks(policy)
    assert [block["type"] for block in found] == ["section"] * 3 + ["actions", "section", "context"]
    shown = [block["text"]["text"].split() for block in found if block["type"] == "section"]
    assert (shown[0], shown[1] + shown[2], shown[3]) == (["t"] * 100, ["m"] * 3_000, ["l" * 100])
    button = next(block for block in found if block["type"] == "actions")["elements"][0]
    assert button["text"]["text"] == "l" * 74 + "…"


def test_no_answer_floods_a_channel():
    post = answer("word " * 100_000)
    assert len(post.calls) == 26
    assert post.calls[-1].params["text"] == "… The answer goes on. It is too long to be shown here."
    assert [(note.code, note.at) for note in post.diagnostics] == [("part-changed", "/parts")]


def test_no_policy_is_so_long_that_its_button_gets_lost():
    post = answer(replace(PAY, message="m" * 1_000_000, title="t" * 1_000_000))
    assert (len(post.calls), notes(post), post.diagnostics[0].at) == (2, ["part-changed"], "/parts/0/policy")
    assert "actions" in [block["type"] for block in post.calls[-1].params["blocks"]]


def test_a_policy_leads_to_the_host_of_the_agent():
    post = answer("x", replace(PAY, url="https://evil.example/"))
    assert [(note.code, note.at) for note in post.diagnostics] == [("url-refused", "/parts/1/policy/url")]
    assert [block["type"] for block in post.calls[1].params["blocks"]] == ["header", "section", "section"]
    assert "evil" not in json.dumps([call.params for call in post.calls])
    settings = Settings(policy_hosts=("pay.example",))
    assert "actions" in [block["type"] for block in blocks(replace(PAY, url="https://pay.example/"), settings=settings)]


def test_what_another_agent_wrote_never_makes_the_program_fail():
    large = FilePart.of(b"x" * 70_000, mime="text/plain", name="large")
    assert notes(answer(large)) == ["part-changed"]
    assert answer(replace(CONSENT, state="weak"), "after").calls
    with pytest.raises(UsageError, match="at most 1"):
        answer("a", "b", settings=Settings(limits=Limits(parts=1)))


def test_a_command_is_answered_where_slack_says():
    assert slack.response_url(command_unit()) == URL
    post = answer("Hi", PAY, response_url=URL)
    first, second = post.calls
    assert (first.method, first.url, first.params["response_type"]) == ("response_url", URL, "in_channel")
    assert (second.params["response_type"], second.params["replace_original"]) == ("ephemeral", False)
    assert "channel" not in first.params
    assert answer("Hi", response_url=URL, ephemeral=True).params["response_type"] == "ephemeral"
    assert "secret" not in repr(post)
    with pytest.raises(UsageError, match="a response URL takes 5"):
        answer("word " * 20_000, response_url=URL)


@pytest.mark.parametrize(
    "unit",
    [
        request("{}"),
        form_unit(),
        form_unit(response_url="http://hooks.slack.example/"),
        form_unit(response_url="https://127.0.0.1/"),
        request(b"a=1&a=2", kind="application/x-www-form-urlencoded"),
    ],
)
def test_other_requests_have_no_response_url(unit):
    assert slack.response_url(unit) is None


def test_people_and_agents_are_mentioned_where_they_are_named():
    text = "<@U1> <@U2>, ask @rain@agents.example"
    assert text_of(text, mentions=["U1"]) == "<@U1> &lt;@U2&gt;, ask @rain@agents.example"
    assert text_of(text, siblings={"rain@Agents.example": "U7"}) == "&lt;@U1&gt; &lt;@U2&gt;, ask <@U7>"


POSTED = {"ok": True, "channel": "C1", "ts": "1795294501.000200"}


def test_an_answer_is_stored_under_the_id_that_slack_gave_it():
    assert slack.native_id(POSTED, to=QUESTION) == "slack:T1/C1/1795294501.000200"


@pytest.mark.parametrize(
    "answer",
    [None, {}, {**POSTED, "ok": False}, {**POSTED, "channel": "C2"}, {**POSTED, "ts": "now"}, {"ok": True}],
)
def test_what_slack_did_not_post_has_no_id(answer):
    assert slack.native_id(answer, to=QUESTION) is None
    assert slack.native_id(POSTED, to=replace(QUESTION, thread_id="t1")) is None


def hinted(**hint):
    return replace(NormalizedResponse.to(QUESTION, "x"), push_back=PushBackHint(**hint))


def test_an_answer_may_go_to_another_thread_of_the_channel():
    post = slack.reply(hinted(thread_ref="slack:T1/C1/1795290000.000001"), to=QUESTION)
    assert (post.params["thread_ts"], post.diagnostics) == ("1795290000.000001", ())


@pytest.mark.parametrize("ref", ["slack:T1/C2/1795290000.000001", "slack:T2/C1/1795290000.000001", "slack:x"])
def test_an_agent_cannot_choose_another_channel(ref):
    post = slack.reply(hinted(thread_ref=ref), to=QUESTION)
    assert (post.params["channel"], post.params["thread_ts"], notes(post)) == ("C1", TS, ["part-changed"])


@pytest.mark.parametrize(
    ("response", "to", "facts"),
    [
        ("x", QUESTION, {}),
        (replace(NormalizedResponse.to(QUESTION, "x"), reply_to="other"), QUESTION, {}),
        (NormalizedResponse.to(QUESTION, "x"), replace(QUESTION, received_via="a2a"), {}),
        (NormalizedResponse.to(QUESTION, "x"), replace(QUESTION, thread_id="discord:1"), {}),
        (NormalizedResponse.to(QUESTION, "x"), replace(QUESTION, thread_id="slack:1"), {}),
        (NormalizedResponse.to(QUESTION, "x"), None, {}),
        (hinted(channel="email"), QUESTION, {}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"update": "x"}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"update": TS, "ephemeral": True}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"update": TS, "response_url": URL}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"response_url": "http://a.example/"}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"mentions": "U1"}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"mentions": ["channel"]}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"mentions": [f"U{n}" for n in range(101)]}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"siblings": ["@a@b.example"]}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"siblings": {"@a@b.example": "here"}}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"siblings": {"a": "U1"}}),
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"settings": None}),
    ],
)
def test_wrong_arguments_are_the_callers_fault(response, to, facts):
    with pytest.raises(UsageError):
        slack.reply(response, to=to, **facts)
