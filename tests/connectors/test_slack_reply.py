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
    UnanswerableError,
    UnknownPart,
    UrlRef,
    UsageError,
    replace,
)
from mentionable.connectors import Choice, slack
from mentionable.connectors.slack import PostOptions
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
BOT = message(mention(bot_id="B2", user=None))
BOT_USER = message(mention(bot_id="B2"))
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
    post = slack.reply(frame, to=QUESTION, options=PostOptions(update="1795294501.000000"))
    assert post.method == "chat.update"
    assert (post.params["channel"], post.params["ts"], post.params["text"]) == ("C1", "1795294501.000000", "So _far_")
    assert "thread_ts" not in post.params
    assert (post.params["parse"], post.params["link_names"]) == ("none", False)
    long = replace(frame, parts=(TextPart(content="word " * 10_000),))
    assert len(slack.reply(long, to=QUESTION, options=PostOptions(update=TS)).calls) == 1
    final = slack.reply(replace(long, status="ok", streaming=None), to=QUESTION, options=PostOptions(update=TS))
    assert [call.method for call in final.calls][:2] == ["chat.update", "chat.postMessage"]
    assert answer(NO, options=PostOptions(update=TS)).method == "chat.postEphemeral"
    early = slack.reply(replace(frame, parts=NormalizedResponse.to(QUESTION, "So far", NO).parts), to=QUESTION)
    assert ([call.method for call in early.calls], [note.at for note in early.diagnostics]) == (
        ["chat.postMessage"],
        ["/parts/1"],
    )


def test_the_asker_alone_can_see_it():
    post = answer("x", options=PostOptions(ephemeral=True))
    assert (post.method, post.params["user"], post.params["thread_ts"]) == ("chat.postEphemeral", "U1", TS)
    assert "unfurl_links" not in post.params
    assert answer("x", to=DIRECT, options=PostOptions(ephemeral=True)).method == "chat.postMessage"
    with pytest.raises(UnanswerableError) as raised:
        answer("x", to=BOT, options=PostOptions(ephemeral=True))
    assert raised.value.reason == "no-private-way"


@pytest.mark.parametrize(
    "options",
    [
        {"update": "x"},
        {"update": TS, "ephemeral": True},
        {"update": TS, "response_url": URL},
        {"response_url": "http://a.example/"},
        {"response_url": 7},
        {"broadcast": True, "ephemeral": True},
        {"broadcast": True, "response_url": URL},
    ],
)
def test_options_that_exclude_each_other_are_the_callers_fault(options):
    with pytest.raises(UsageError):
        PostOptions(**options)


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
    assert answer(replace(CONSENT, state="weak"), "after").calls
    with pytest.raises(UsageError, match="at most 1"):
        answer("a", "b", settings=Settings(limits=Limits(parts=1)))


def test_a_command_is_answered_where_slack_says():
    assert slack.response_url(command_unit()) == URL
    post = answer("Hi", PAY, options=PostOptions(response_url=URL))
    first, second = post.calls
    assert (first.method, first.url, first.params["response_type"]) == ("response_url", URL, "in_channel")
    assert (second.params["response_type"], second.params["replace_original"]) == ("ephemeral", False)
    assert "channel" not in first.params
    assert answer("Hi", options=PostOptions(response_url=URL, ephemeral=True)).params["response_type"] == "ephemeral"
    assert "secret" not in repr(post)
    with pytest.raises(UsageError, match="a response URL takes 5"):
        answer("word " * 20_000, options=PostOptions(response_url=URL))


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
    text = "<@U3> <@U2>, ask @rain@agents.example"
    assert text_of(text, mentions=["U3"]) == "<@U3> &lt;@U2&gt;, ask @rain@agents.example"
    assert text_of(text, siblings={"rain@Agents.example": "U7"}) == "&lt;@U3&gt; &lt;@U2&gt;, ask <@U7>"


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
        (NormalizedResponse.to(QUESTION, "x"), QUESTION, {"options": None}),
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


GROUP = message(mention(channel="G1", channel_type="mpim"))
PRIVATE = [PAY, CONSENT, UnknownPolicy(kind="example:age", message="Age?", url="https://agents.example/age")]


def canary(policy):
    return replace(policy, message="canary", title="canary", action_label="canary")


@pytest.mark.parametrize("policy", PRIVATE, ids=lambda policy: policy.kind)
@pytest.mark.parametrize("to", [QUESTION, GROUP], ids=["channel", "group"])
@pytest.mark.parametrize(
    "options",
    [PostOptions(), PostOptions(update=TS), PostOptions(broadcast=True), PostOptions(response_url=URL)],
    ids=["thread", "update", "broadcast", "response-url"],
)
def test_a_private_demand_is_in_no_call_that_others_see(policy, to, options):
    calls = answer("Words for all.", canary(policy), to=to, options=options).calls
    public = [call for call in calls if "canary" not in json.dumps(call.params)]
    private = [call for call in calls if call not in public]
    assert [call.method for call in private] == ["response_url" if options.response_url else "chat.postEphemeral"]
    assert private[0].params.get("response_type", "ephemeral") == "ephemeral"
    assert private[0].params.get("user", "U1") == "U1"
    assert "reply_broadcast" not in private[0].params
    assert "Words for all." in json.dumps(public[0].params)


@pytest.mark.parametrize("to", [BOT, BOT_USER], ids=["bot", "account of a bot"])
@pytest.mark.parametrize("policy", PRIVATE, ids=lambda policy: policy.kind)
def test_a_private_demand_on_a_program_is_not_answered(policy, to):
    with pytest.raises(UnanswerableError) as raised:
        answer("Words.", policy, to=to)
    assert raised.value.reason == "no-private-way"


def test_a_refusal_of_a_program_is_for_all():
    assert answer(NO, to=BOT).method == "chat.postMessage"


def test_a_demand_in_a_direct_message_is_a_plain_message():
    assert answer(CONSENT, to=DIRECT).method == "chat.postMessage"


def test_an_answer_may_be_shown_in_the_channel_too():
    first, second = answer("word " * 3_000, options=PostOptions(broadcast=True)).calls
    assert (first.params["reply_broadcast"], "reply_broadcast" in second.params) == (True, False)
    assert "reply_broadcast" not in answer(options=PostOptions(broadcast=True)).calls
    command = outcome(command_unit()).message
    assert "reply_broadcast" not in answer("x", to=command, options=PostOptions(broadcast=True)).params


FILE = FilePart.of(b"hi", mime="text/plain", name="<a>.txt")


def test_files_are_uploaded_in_three_calls():
    post = answer("See:", FILE)
    assert [call.method for call in post.calls] == [
        "chat.postMessage",
        "files.getUploadURLExternal",
        "upload_url",
        "files.completeUploadExternal",
    ]
    assert "a.txt" not in json.dumps(post.calls[0].params)
    assert post.calls[1].params == {"filename": "<a>.txt", "length": 2}
    answers = [POSTED, {"ok": True, "file_id": "F7", "upload_url": "https://files.slack.example/upload/v1/x"}]
    upload = post.request(2, answers)
    assert (upload.url, upload.files[0].data, upload.as_bot) == (
        "https://files.slack.example/upload/v1/x",
        b"hi",
        False,
    )
    assert post.request(3, [*answers, None]).params == {
        "files": [{"id": "F7", "title": "<a>.txt"}],
        "channel_id": "C1",
        "thread_ts": TS,
    }


def test_several_files_are_shared_at_once():
    command = outcome(command_unit()).message
    post = answer(FILE, FILE, to=command)
    assert [call.method for call in post.calls] == [
        *["files.getUploadURLExternal", "upload_url"] * 2,
        "files.completeUploadExternal",
    ]
    answers = [{"file_id": "F1", "upload_url": URL}, None, {"file_id": "F2", "upload_url": URL}, None]
    assert post.request(4, answers).params == {
        "files": [{"id": "F1", "title": "<a>.txt"}, {"id": "F2", "title": "<a>.txt"}],
        "channel_id": "C1",
    }


def test_no_answer_floods_a_channel_with_files():
    post = answer(*[FILE] * 12)
    assert len([call for call in post.calls if call.method == "upload_url"]) == 10
    assert [(note.code, note.at) for note in post.diagnostics] == [("part-changed", "/parts")]


@pytest.mark.parametrize("options", [PostOptions(ephemeral=True), PostOptions(response_url=URL)])
def test_a_file_that_one_person_alone_may_see_is_named(options):
    post = answer(FILE, options=options)
    assert ([note.at for note in post.diagnostics], len(post.calls)) == (["/parts/0"], 1)
    assert "a&gt;.txt" in post.params["text"]


def test_an_empty_file_is_named():
    post = answer(FilePart.of(b"", mime="text/plain", name="a.txt"))
    assert ([note.at for note in post.diagnostics], post.params["text"]) == (
        ["/parts/0"],
        "\U0001f4ce a.txt (text/plain)",
    )


def test_a_direct_message_takes_files():
    post = answer(FILE, to=DIRECT, options=PostOptions(ephemeral=True))
    assert post.calls[-1].params["channel_id"] == "D1"


def test_files_wait_for_the_final_frame():
    post = answer("So far", FILE, status="partial")
    assert (post.params["text"], post.diagnostics) == ("So far", ())


YES_NO = (Choice(label="Yes & *now*", value="y"), Choice(label="No", value="n", description="never"))


def test_choices_are_buttons_under_the_answer():
    *_, actions = blocks("Shall I?", choices=YES_NO)
    assert actions == {
        "type": "actions",
        "elements": [
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "Yes &amp; *now*", "emoji": False},
                "value": "y",
                "action_id": "mentionable:choice#0",
            },
            {
                "type": "button",
                "text": {"type": "plain_text", "text": "No", "emoji": False},
                "value": "n",
                "action_id": "mentionable:choice#1",
            },
        ],
    }
    assert text_of("Shall I?", choices=YES_NO[1:]) == "Shall I?\n\n• No"


def test_many_choices_are_a_menu():
    many = [Choice(label=f"l{number}", value=f"v{number}", description="d" * (number % 2)) for number in range(6)]
    *_, actions = blocks("Which?", choices=many)
    (menu,) = actions["elements"]
    assert (menu["type"], menu["action_id"]) == ("static_select", "mentionable:choice")
    assert menu["options"][1] == {
        "text": {"type": "plain_text", "text": "l1", "emoji": False},
        "value": "v1",
        "description": {"type": "plain_text", "text": "d", "emoji": False},
    }
    assert "description" not in menu["options"][0]


def test_choices_come_with_the_last_message_of_the_final_frame():
    first, second = answer("word " * 3_000, choices=YES_NO).calls
    assert [block["type"] for block in first.params["blocks"]].count("actions") == 0
    assert second.params["blocks"][-1]["type"] == "actions"
    assert len(blocks("x", choices=YES_NO, status="partial")) == 1
    assert [call.method for call in answer(CONSENT, choices=YES_NO).calls] == ["chat.postMessage", "chat.postEphemeral"]


@pytest.mark.parametrize(
    "choices",
    [
        [Choice(label="x", value=str(number)) for number in range(101)],
        [Choice(label="", value="v")],
        [Choice(label=" ", value="v")],
        [Choice(label="l" * 76, value="v")],
        [Choice(label="\U0001f600" * 38, value="v")],
        [Choice(label="l", value="")],
        [Choice(label="l", value="v" * 2_001)],
        [Choice(label="l", value=f"{number}" * 151) for number in range(6)],
        [Choice(label="l", value="v", description="d" * 76)],
        [Choice(label="l", value="v"), Choice(label="m", value="v")],
        ["yes"],
        "yes",
        5,
        [Choice(label=5, value="v")],
        [Choice(label="l", value=5)],
        [Choice(label="l", value="v", description=5)],
        [Choice(label="\ud83d", value="v")],
        [Choice(label="l", value="\ud83d")],
    ],
)
def test_choices_that_slack_does_not_take_are_the_callers_fault(choices):
    with pytest.raises(UsageError):
        answer("x", choices=choices)


@pytest.mark.parametrize(
    ("mime", "text"),
    [
        ("text/plain", "ask <@U1>"),
        ("text/markdown", "ask <@U1>"),
        ("text/markdown", "ask <&#64;U1>"),
        ("text/html", "<p>ask &lt;@U1&gt;</p>"),
        ("text/html", "<p>ask &lt;&#64;U1&gt;</p>"),
    ],
)
def test_a_token_is_copied_however_its_characters_are_written(mime, text):
    answer = slack.reply(NormalizedResponse.to(QUESTION, TextPart(content=text, mime=mime)), to=QUESTION)
    assert answer.params["text"] == "ask <@U1>"
