"""What becomes a message, and what does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.vectors._slack_rows import (
    NATIVE,
    ROOT,
    SETTINGS,
    TRIGGER,
    TS,
    Case,
    case,
    command,
    form,
    mention,
    message,
    native,
    raw,
    said,
    sender,
    signed,
    text,
    unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

VERDICT: Case = {"method": "none", "verified": False, "code": "platform-only"}
EVERYTHING = {**SETTINGS, "hears": "everything"}
APP = {"<@UBOT>": "helper"}
HELLO = text("<@UBOT> hello", mentions=APP)
THREAD = {"CALL conversations.replies C1": {"ok": True, "messages": []}}
REPLY: Case = {"thread_id": f"slack:T1/C1/{ROOT}", "in_reply_to": f"slack:T1/C1/{ROOT}", "raw": raw(thread_ts=ROOT)}


def direct(event: Case, *parts: Case, **more: Any) -> Case:
    """The message that becomes of what was said to the app alone."""
    seen = sender(source={"transport": "slack", "connector": "slack-connector", "channel": "D1"})
    kept = raw(type="message", channel="D1", channel_type="im")
    return message(*parts, **{"thread_id": f"slack:T1/D1/{TS}", "sender": seen, "raw": kept, **more})


def taken() -> Iterator[Case]:
    """Messages."""

    def one(name: str, why: str, event: Case, made: Case, **more: Any) -> Case:
        settings = more.pop("own", SETTINGS)
        given = unit(event, settings=settings, more=more.pop("envelope", None))
        given |= more.pop("facts", {})
        return case(
            "slack-receive", name, why, given, **{"messages": [made], "verdict": VERDICT, "diagnostics": [], **more}
        )

    yield one("mention", "A mention in a channel is a message for the agent.", mention(), message(HELLO))
    yield one("direct", "What is said to the app alone needs no mention.", said(), direct(said(), text("hello")))
    yield one(
        "mention-in-message",
        "Slack tells of a mention in a channel as a message, too.",
        said("hi <@UBOT>", channel="C1", channel_type="channel"),
        message(text("hi <@UBOT>", mentions=APP), raw=raw(type="message", channel_type="channel")),
    )
    yield one(
        "everything",
        "An operator may let the agent hear a whole channel.",
        said("hi", channel="C1", channel_type="group"),
        message(text("hi"), raw=raw(type="message", channel_type="group")),
        own=EVERYTHING,
    )
    for subtype in ("file_share", "me_message", "thread_broadcast"):
        why = "Some ways to say something have a subtype."
        yield one(subtype.replace("_", "-"), why, said(subtype=subtype), direct({}, text("hello")))
    yield one("reply", "A reply names what it answers.", mention(thread_ts=ROOT), message(HELLO, **REPLY), world=THREAD)
    for variant, why, known, thread in (
        ("reply-in-known-thread", "A thread goes on as the store knows it.", "slack:T1/C1/0", "slack:T1/C1/0"),
        (
            "attack-thread-of-another-protocol",
            "Who sends a message by A2A under an id of Slack must not draw a conversation of Slack there.",
            "ctx-1",
            REPLY["thread_id"],
        ),
    ):
        row = {"id": "m0", "thread_id": known, "sender": "@U1@t1.slack.invalid"}
        yield one(
            variant,
            why,
            mention(thread_ts=ROOT),
            message(HELLO, **{**REPLY, "thread_id": thread, "in_reply_to": "m0"}),
            world={**THREAD, f"MESSAGE slack:T1/C1/{ROOT}": row},
        )
    yield one(
        "first-of-thread",
        "Once it has replies, the first message of a thread names itself.",
        mention(thread_ts=TS),
        message(HELLO, raw=raw(thread_ts=TS)),
    )
    yield one(
        "retry",
        "Slack tries again when nobody answers in three seconds: the message keeps its id.",
        mention(),
        message(HELLO, id="m1"),
        world={f"MESSAGE {NATIVE}": {"id": "m1", "thread_id": "t1", "sender": "@U1@t1.slack.invalid"}},
        diagnostics=["redelivered"],
        section="R44",
    )
    yield one(
        "retry-of-what-is-not-stored",
        "A retry is a redelivery, also where no message is stored.",
        mention(),
        message(HELLO),
        world={f"ONCE slack:message:T1/C1/{TS} A1": "same"},
        diagnostics=["redelivered"],
        section="R70",
    )
    bot = {"address": "@B2@t1.slack.invalid", "auth_method": "none", "verified": False}
    yield one(
        "bot-mentions",
        "An agent wakes another one by a mention; a program is never a member.",
        mention(user=None, team=None, bot_id="B2", app_id="A2", subtype="bot_message"),
        message(HELLO, sender=bot, raw=raw(user=None, bot="B2")),
        diagnostics=["loop-risk", "evidence-withheld"],
    )
    for name, mark in (
        ("bot-with-an-account", {"bot_id": "B2"}),
        ("bot-by-subtype", {"subtype": "bot_message"}),
        ("bot-by-profile", {"bot_profile": {"name": "rain"}}),
        ("bot-by-number", {"bot_id": 2}),
    ):
        named = "B2" if mark.get("bot_id") == "B2" else "B0"
        yield one(
            name,
            "What a program wrote with the account of a person, no person wrote.",
            mention(**mark),
            message(HELLO, sender=sender(shown=False), raw=raw(bot=named)),
            diagnostics=["loop-risk", "evidence-withheld"],
            flags=["attack"],
        )
    pasted = "<@UBOT> `&lt;@U9&gt;`"
    yield one(
        "token-in-code",
        "Whoever pastes code does not speak to the people in it.",
        mention(pasted),
        message(native("<@UBOT> `<@U9>`", pasted, "text/markdown", mentions={"<@UBOT>": "helper"})),
        must_not_ask=["CALL users.info U9"],
        flags=["attack"],
        section="R62",
    )
    question = [{"type": "section", "text": {"type": "plain_text", "text": "Will it rain?"}}]
    yield one(
        "text-malformed",
        "An odd member costs itself alone: what the blocks show was said.",
        mention(5, blocks=question),
        message(text("Will it rain?", "text/markdown")),
        diagnostics=["wrong-type"],
    )
    yield one(
        "agent-of-app",
        "Where no user of the app is named, the app itself names the agent.",
        mention("hello"),
        message(text("hello")),
        envelope={"authorizations": []},
        world={"AGENT slack:T1/UBOT": None},
    )
    chain = {"hop": 2, "max_hops": 3, "is_final": False}
    yield one(
        "agent-chain",
        "Who dispatches knows the place in the chain.",
        mention(),
        message(HELLO, recipient_capabilities={"mention_relay": {"kind": "inline"}, "agent_chain": chain}),
        facts={"agent_chain": chain},
        section="NM 3.3.5",
    )
    yield case(
        "slack-receive",
        "command",
        "A command is what was typed; where to answer it is a credential and stays outside.",
        command(),
        messages=[
            message(
                native("/rain in **Seoul** & Busan", "/rain in *Seoul* &amp; Busan", "text/markdown"),
                thread_id=f"slack:T1/C1/{TRIGGER}",
                sender=sender(id=f"slack:{TRIGGER}"),
                raw=raw(type="command", event_id=TRIGGER, ts=None),
            )
        ],
        diagnostics=[],
        verdict=VERDICT,
    )


NO_MESSAGE: tuple[tuple[str, str, str, Case, Case], ...] = (
    ("own-user", "own-message", "What the agent says itself must not wake it again.", said(user="UBOT"), {}),
    ("own-app", "own-message", "What the app says by its bot is its own.", said(bot_id="B1", app_id="A1"), {}),
    (
        "own-profile",
        "own-message",
        "Old messages of bots name their app in the profile.",
        said(user=None, bot_id="B1", bot_profile={"app_id": "A1"}, subtype="bot_message"),
        {},
    ),
    (
        "other-bot",
        "unsupported-event",
        "Two programs that answer each other never end.",
        said(bot_id="B2", app_id="A2"),
        {},
    ),
    (
        "not-mentioned",
        "unsupported-event",
        "In a channel people talk to each other.",
        said(channel="C1", channel_type="channel"),
        {},
    ),
    (
        "group-direct",
        "unsupported-event",
        "A conversation of several people is theirs.",
        said(channel="G1", channel_type="mpim"),
        {},
    ),
    ("changed", "unsupported-event", "A typo that was mended asks nothing again.", said(subtype="message_changed"), {}),
    ("deleted", "unsupported-event", "What was deleted asks nothing.", said(subtype="message_deleted"), {}),
    ("joined", "unsupported-event", "Who joins says nothing.", said(subtype="channel_join"), {}),
    ("hidden", "unsupported-event", "What nobody sees was not said.", said(hidden=True), {}),
    ("nobody", "unsupported-event", "Somebody must have said it.", said(user=None), {}),
    ("nothing", "unsupported-event", "Empty text says nothing.", said(" \n"), {}),
    ("reaction", "unsupported-event", "A reaction is no message.", said(type="reaction_added"), {}),
    ("rate-limited", "unsupported-event", "A notice of Slack is no event.", said(), {"type": "app_rate_limited"}),
    ("no-team", "missing-member", "Without a workspace nobody knows who wrote.", said(), {"team_id": None}),
    ("no-event-id", "missing-member", "Without an id an event could count twice.", said(), {"event_id": None}),
    ("team-malformed", "malformed", "Where an id stands no token can stand.", said(), {"team_id": "xoxb-1"}),
    ("channel-malformed", "malformed", "Where an id stands no path can stand.", said(channel="../C1"), {}),
    ("ts-malformed", "malformed", "A time is seconds and six digits.", said(ts="now"), {}),
    ("text-malformed", "wrong-type", "Text is text.", said(text=["a"]), {}),
)


def rejected() -> Iterator[Case]:
    """What does not become a message."""
    for name, code, why, event, more in NO_MESSAGE:
        outcome: Any = {"rejected": {"code": code}, "must_not_ask": ["CALL users.info U1"] if name != "nothing" else []}
        if not outcome["must_not_ask"]:
            del outcome["must_not_ask"]
        yield case("slack-rejected", name, why, unit(event, more=more), **outcome)
    nobody = {"AGENT slack:T1/UBOT": None, "AGENT slack:T1/A1": None}
    yield case(
        "slack-rejected",
        "not-served",
        "An app without an agent has nobody to ask.",
        unit(mention()),
        world=nobody,
        rejected={"code": "no-served-recipient"},
    )
    brought = f"ONCE slack:message:T1/C1/{TS} A1"
    failed = {"failed": "no store"}
    for name, row, value, code, why in (
        ("message-of-another", brought, "other", "unsupported-event", "Two events may bring one message."),
        ("message-use-not-known", brought, failed, "lookup-failed", "Two answers are one too many."),
    ):
        outcome = {"rejected": {"code": code}, "must_not_ask": ["CALL users.info U1"], "section": "R44"}
        yield case("slack-rejected", name, why, unit(mention()), world={row: value}, **outcome)
    forged = {"request": signed(json.dumps({"type": "x"}), Signature="v0=" + "0" * 64), "settings": SETTINGS}
    yield case(
        "slack-rejected",
        "forged",
        "Nothing of a request is read before its signature fits.",
        {**forged, "request": {**forged["request"], "body": "\x00{"}},
        rejected={"code": "request-unverified"},
        verdict={"code": "bad-signature"},
        section="BC",
        flags=["attack"],
    )
    yield case(
        "slack-rejected",
        "evidence-required",
        "Where only members may ask, a guest may not.",
        unit(mention()),
        common={"require_verified": True},
        world={"CALL users.info U1": {"ok": True, "user": {"id": "U1", "team_id": "T1", "is_restricted": True}}},
        rejected={"code": "verification-required"},
    )
    for name, code, why, given in (
        ("command-malformed", "malformed", "A command without its trigger could count twice.", command(trigger_id="x")),
        ("no-command", "unsupported-event", "A form without a command is none.", command(command="rain")),
        ("form-repeated", "duplicate-member", "A field that is there twice can be read in two ways.", None),
    ):
        twice = {
            "request": signed("team_id=T1&team_id=T2", kind="application/x-www-form-urlencoded"),
            "settings": SETTINGS,
        }
        yield case("slack-rejected", name, why, given or twice, rejected={"code": code})


def handshakes() -> Iterator[Case]:
    """Requests that want an answer of their own."""

    def one(name: str, why: str, given: Case, body: str = "") -> Case:
        return case("slack-handshake", name, why, given, value={"status": 200, "body": body}, must_not_ask=["AGENT *"])

    def posted(document: Any) -> Case:
        return {"request": signed(json.dumps(document)), "settings": SETTINGS}

    challenge = {"type": "url_verification", "token": "xoxb-canary", "challenge": "3eZbrw1aBm2rZgRNFdxV"}
    yield one("challenge", "Slack asks whether somebody is there.", posted(challenge), "3eZbrw1aBm2rZgRNFdxV")
    yield one("ssl-check", "Slack looks at certificates now and then.", form(ssl_check="1", token="x"))
    click = {"type": "block_actions", "actions": [{"action_id": "mentionable:link", "type": "button"}]}
    yield one(
        "link-button", "Slack tells of clicks on links, and shows an error otherwise.", form(payload=json.dumps(click))
    )
    for name, code, why, given in (
        (
            "challenge-with-lines",
            "malformed",
            "What is echoed must not become a header.",
            posted({**challenge, "challenge": "a\r\nb"}),
        ),
        ("challenge-too-long", "malformed", "What is echoed is short.", posted({**challenge, "challenge": "a" * 257})),
        (
            "other-button",
            "unsupported-event",
            "A click on something else is for somebody else.",
            form(payload=json.dumps({**click, "actions": [*click["actions"], {"action_id": "x"}]})),
        ),
        (
            "no-button",
            "unsupported-event",
            "A click on nothing is none.",
            form(payload=json.dumps({**click, "actions": []})),
        ),
        (
            "other-interaction",
            "unsupported-event",
            "A dialog is no button.",
            form(payload=json.dumps({**click, "type": "view_submission"})),
        ),
    ):
        yield case("slack-handshake", name, why, given, rejected={"code": code})


def content() -> Iterator[Case]:
    """What of a text is content: what was typed, with mentions in readable form."""
    bob = {"CALL users.info U2": {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"real_name": "Bob"}}}}

    def one(name: str, why: str, typed: str, made: Case, **more: Any) -> Case:
        return case("slack-content", name, why, unit(said(typed)), value=[made], **more)

    plain = "a_b 2*3 # [x](y) \\ &lt;b&gt; &amp;amp;"
    yield one(
        "plain",
        "Without markup, text is what was typed to the letter.",
        plain,
        native("a_b 2*3 # [x](y) \\ <b> &amp;", plain),
    )
    yield one(
        "markup",
        "Markup of Slack becomes Markdown.",
        "*a* _b_ ~c~",
        native("**a** _b_ ~~c~~", "*a* _b_ ~c~", "text/markdown"),
    )
    yield one("mention-of-app", "The app is called as its agent.", "<@UBOT> hi", text("<@UBOT> hi", mentions=APP))
    yield one(
        "mention",
        "A mention shows the name of a person.",
        "ask <@U2>",
        text("ask <@U2>", mentions={"<@U2>": "Bob"}),
        world=bob,
    )
    yield one(
        "mention-unknown",
        "A name that Slack wrote beside the id is better than none.",
        "ask <@U2|bob>",
        native("ask <@U2>", "ask <@U2|bob>", mentions={"<@U2>": "bob"}),
        diagnostics=["lookup-unanswered"],
    )
    yield one(
        "notice",
        "Who was notified can be read.",
        "<!here> <#C2|general>",
        native("@here <#C2>", "<!here> <#C2|general>", mentions={"<#C2>": "general"}),
    )
    yield one(
        "bare-link",
        "A link that Slack made of what was typed is what was typed.",
        "<http://a.example|a.example>",
        native("a.example", "<http://a.example|a.example>"),
    )


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-receive", "slack.receive", "What becomes a message.", taken()
    yield "slack-rejected", "slack.receive", "What becomes none.", rejected()
    yield "slack-handshake", "slack.receive", "What Slack wants to be answered.", handshakes()
    yield "slack-content", "slack.parts", "What was typed.", content()
