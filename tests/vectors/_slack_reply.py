"""The calls that carry an answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._slack_click import click
from tests.vectors._slack_rows import SETTINGS, TS, Case, bare, case, command, form, mention, said, signed, unit

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANNEL: Final[Case] = unit(mention())
DIRECT: Final[Case] = unit(said())
STATE: Final = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
RESPOND: Final = "https://hooks.slack.example/commands/T1/1/secret"
PLACE: Final[Case] = {"channel": "C1", "thread_ts": TS}
QUIET: Final[Case] = {"parse": "none", "link_names": False}
FOLDED: Final[Case] = {"unfurl_links": False, "unfurl_media": False}
UPDATED: Final = "1795294501.000000"
KEPT: Final = "\u2060*\u2060"
"""A star that is no mark."""


def markdown(content: str) -> Case:
    return {"kind": "text", "mime": "text/markdown", "content": content}


def section(text: str) -> Case:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text, "verbatim": True}, "expand": True}


def plain(text: str) -> Case:
    return {"type": "plain_text", "text": text, "emoji": False}


def words(text: str) -> Case:
    return {"type": "section", "text": plain(text), "expand": True}


def verbatim(*elements: Case) -> Case:
    """A paragraph in which nothing is markup."""
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


def small(*lines: str) -> Case:
    return {"type": "context", "elements": list(map(plain, lines))}


def post(text: str, *blocks: Case, place: Case = PLACE) -> Case:
    """A message that everybody sees."""
    params = {**place, "text": text, "blocks": list(blocks) or [section(text)], **QUIET, **FOLDED}
    return {"method": "chat.postMessage", "params": params}


def private(text: str, *blocks: Case) -> Case:
    """A message that the asker alone sees."""
    params = {"channel": "C1", "user": "U1", "thread_ts": TS, "text": text, "blocks": list(blocks) or [section(text)]}
    return {"method": "chat.postEphemeral", "params": {**params, **QUIET}}


def response(*parts: Any, status: str = "ok", **more: Any) -> Case:
    return {"parts": list(parts), "status": status, **more}


def one(name: str, why: str, answer: Case, made: list[Case], **more: Any) -> Case:
    """A case of answering."""
    given = {"question": more.pop("question", CHANNEL), "response": answer, **more.pop("facts", {})}
    return case("slack-reply", name, why, given, **{"value": made, "diagnostics": [], "section": "NM 4", **more})


def places() -> Iterator[Case]:
    """Where an answer goes, and who sees it."""
    hi = response(markdown("**Hi**"))
    yield one("channel", "An answer goes into the thread of the question.", hi, [post("*Hi*")])
    there = {"channel": "D1", "thread_ts": TS}
    yield one(
        "direct",
        "An answer to a direct message goes into its thread.",
        hi,
        [post("*Hi*", place=there)],
        question=DIRECT,
    )
    nowhere = {"channel": "C1"}
    yield one("command", "A command has no thread.", hi, [post("*Hi*", place=nowhere)], question=command())
    yield one("ephemeral", "Some answers are for the asker alone.", hi, [private("*Hi*")], facts={"ephemeral": True})
    grown = {"channel": "C1", "ts": UPDATED, "text": "*Hi*", "blocks": [section("*Hi*")], **QUIET}
    facts: Case = {"update": UPDATED}
    yield one(
        "update",
        "An answer that grows replaces what it showed.",
        hi,
        [{"method": "chat.update", "params": grown}],
        facts=facts,
    )
    facts = {"broadcast": True}
    shown = {"method": "chat.postMessage", "params": {**post("*Hi*")["params"], "reply_broadcast": True}}
    yield one("broadcast", "An answer may be shown in the channel, too.", hi, [shown], facts=facts)
    answered = {
        "response_type": "in_channel",
        "replace_original": False,
        "text": "*Hi*",
        "blocks": [section("*Hi*")],
        **FOLDED,
    }
    facts = {"response_url": RESPOND}
    made = [{"method": "response_url", "url": RESPOND, "params": answered}]
    yield one("response-url", "A command is answered where Slack says.", hi, made, facts=facts, question=command())
    container = {"message_ts": TS, "channel_id": "C1", "is_ephemeral": True}
    why = "What the asker alone saw is answered to the asker alone."
    alone = [{"method": "response_url", "url": RESPOND, "params": {**answered, "response_type": "ephemeral"}}]
    clicked = click(container=container)
    yield one("response-url-ephemeral", why, hi, alone, facts=facts, question=clicked, flags=["attack"])
    yield one("click-ephemeral", why, hi, [private("*Hi*")], question=clicked, flags=["attack"])
    other = response(markdown("Hi"), push_back={"thread_ref": "slack:T1/C1/1795290000.000001"})
    yield one(
        "other-thread",
        "An answer may go to another thread.",
        other,
        [post("Hi", place={**PLACE, "thread_ts": "1795290000.000001"})],
    )
    for name, ref in (
        ("other-channel", "slack:T1/C2/1795290000.000001"),
        ("other-team", "slack:T2/C1/1795290000.000001"),
    ):
        away = response(markdown("Hi"), push_back={"thread_ref": ref})
        yield one(
            name,
            "An agent chooses no other channel.",
            away,
            [post("Hi")],
            diagnostics=["part-changed"],
            flags=["attack"],
        )


def contents() -> Iterator[Case]:
    """What an answer shows."""
    forged = response(markdown("<!channel> <@U2> <@U3>"))
    yield one(
        "forged",
        "No answer wakes people by itself.",
        forged,
        [post("&lt;!channel&gt; &lt;@U2&gt; &lt;@U3&gt;")],
        flags=["attack"],
    )
    facts = {"mentions": ["U3"]}
    yield one(
        "mentions", "Who is named may be mentioned.", forged, [post("&lt;!channel&gt; &lt;@U2&gt; <@U3>")], facts=facts
    )
    woken = response(markdown("ask @rain@agents.example."))
    facts = {"siblings": {"@rain@agents.example": "U7"}}
    yield one(
        "siblings",
        "Another agent is brought in by its address.",
        woken,
        [post("ask <@U7>.")],
        facts=facts,
        section="NM 3.3.1",
    )
    text = response({"kind": "text", "mime": "text/plain", "content": "*a* <b> https://a.example/."})
    elements = [{"type": "text", "text": "*a* <b> "}, {"type": "link", "url": "https://a.example/"}]
    shown = verbatim(*elements, {"type": "text", "text": "."})
    fallback = f"{KEPT}a{KEPT} &lt;b&gt; <https://a.example/>."
    yield one("plain", "Plain text has no markup.", text, [post(fallback, shown)])
    quiet = response({"kind": "text", "mime": "text/plain", "content": "it's 10:30 in snake_case"})
    yield one("plain-without-marks", "Words without marks are a section.", quiet, [post("it's 10:30 in snake_case")])
    marks = response(markdown("**a** \\*b\\* :wave:"))
    elements = [
        {"type": "text", "text": "a", "style": {"bold": True}},
        {"type": "text", "text": " *b* "},
        {"type": "emoji", "name": "wave"},
    ]
    fallback = f"*a* {KEPT}b{KEPT} :wave:"
    yield one("literal-mark", "A star that is no mark is shown.", marks, [post(fallback, verbatim(*elements))])
    html = response({"kind": "text", "mime": "text/html", "content": "<p>a <b>b</b></p>"})
    yield one("html", "HTML is read before it is shown.", html, [post("a *b*")])
    link = response({"kind": "link", "url": "https://a.example/", "title": "A <b>"})
    yield one("link", "A link has a title.", link, [post("<https://a.example/|A &lt;b&gt;>")])
    file = {
        "kind": "file",
        "mime": "text/csv",
        "name": "a.csv",
        "bytes_ref": {"kind": "url", "url": "https://a.example/f"},
    }
    linked = [post("\U0001f4ce <https://a.example/f|a.csv> (text/csv)")]
    yield one("file", "A file is a link to it.", response(file), linked, level="SHOULD")
    held = {**file, "bytes_ref": {"kind": "inline", "data_base64": "aGk="}}
    uploads: list[Case] = [
        {"method": "files.getUploadURLExternal", "params": {"filename": "a.csv", "length": 2}},
        {
            "method": "upload_url",
            "url": "{upload_url}",
            "params": {},
            "needs": [["upload_url", 0, "upload_url"]],
            "files": ["a.csv"],
        },
        {
            "method": "files.completeUploadExternal",
            "params": {"files": [{"id": "{file_0}", "title": "a.csv"}], "channel_id": "C1", "thread_ts": TS},
            "needs": [["file_0", 0, "file_id"]],
        },
    ]
    yield one("file-uploaded", "Bytes are uploaded, and shared in the thread.", response(held), uploads)
    yield one(
        "file-ephemeral",
        "No file can be for one person alone, and that is told.",
        response(held),
        [private("\U0001f4ce a.csv (text/csv)")],
        facts={"ephemeral": True},
        diagnostics=["part-changed"],
        level="SHOULD",
    )
    call = {"kind": "tool_call", "id": "c1", "name": "rain", "args": {"q": "<!here>"}, "result": [1]}
    line = '🔧 rain({"q":"&lt;!here&gt;"}) → [1]'
    calls = response(call, markdown("It will."), {**call, "id": "c2", "args": {}})
    blocks = [small(line), section("It will."), small("🔧 rain({}) → [1]")]
    made = [post(f"{line}\n\nIt will.\n\n🔧 rain({{}}) → [1]", *blocks)]
    yield one("tool-calls", "Tool calls are small print in their place.", calls, made, section="NM 3.2")
    failed = response(status="error", error={"code": "x", "message": "Out of *order*.", "retriable": False})
    order = verbatim({"type": "text", "text": "Out of *order*."})
    yield one(
        "error", "Who gets no answer learns why.", failed, [post(f"Out of {KEPT}order{KEPT}.", order)], section="R32"
    )
    yield one("nothing", "Nothing to say is no message.", response(), [])
    unknown = response({"kind": "poll", "secret": 1}, markdown("Hi"))
    yield one(
        "unknown-part", "A part that nobody knows is told of.", unknown, [post("Hi")], diagnostics=["part-changed"]
    )
    long = response(markdown("a" * 2_000 + "\n\n" + "b" * 2_000))
    text = "a" * 2_000 + "…"
    made = [post(text, section("a" * 2_000), section("b" * 2_000))]
    yield one("long", "What is too long for a section goes on in the next.", long, made)
    paragraphs = "\n\n".join(letter * 3_000 for letter in "abcde")
    first = [post("a" * 2_999 + "…", *[section(letter * 3_000) for letter in "abcd"]), post("e" * 3_000)]
    yield one("longer", "What is too long for a message goes on in the next.", response(markdown(paragraphs)), first)


def policies() -> Iterator[Case]:
    """What an answer demands."""
    pay: Case = {
        "kind": "payment_required",
        "title": "Payment",
        "message": "Pay <1 $> *now*.",
        "state": STATE,
        "url": "https://agents.example/pay",
        "action_label": "Pay $1",
        "accepted_payments": [{"scheme": "x402.exact", "payload": {}, "label": "USDC", "description": "in 5 min"}],
    }

    def demand(**more: Any) -> Case:
        made = {name: one for name, one in {**pay, **more}.items() if one is not None}
        return {"kind": "policy", "policy": made}

    def button(label: str, url: str = "https://agents.example/pay", **more: Any) -> Case:
        found = {"type": "button", "text": plain(label), "url": url, "action_id": "mentionable:link"}
        return {"type": "actions", "elements": [{**found, **more}]}

    header = {"type": "header", "text": plain("Payment")}
    blocks = [
        header,
        words("Pay &lt;1 $&gt; *now*."),
        words("• USDC: in 5 min"),
        button("Pay $1", style="primary"),
        small("Opens agents.example"),
    ]
    link = "Pay $1: <https://agents.example/pay>\n\nOpens agents.example"
    text = f"Payment\n\nPay &lt;1 $&gt; {KEPT}now{KEPT}.\n\n• USDC: in 5 min\n\n{link}"

    def policy(name: str, why: str, answer: Case, made: list[Case], **more: Any) -> Case:
        return one(name, why, answer, made, **{"section": "BC", **more})

    yield policy(
        "payment", "In a channel a demand is for the asker alone.", response(demand()), [private(text, *blocks)]
    )
    there = {"channel": "D1", "thread_ts": TS}
    direct = [post(text, *blocks, place=there)]
    yield policy(
        "payment-direct", "In a direct message nobody else is there.", response(demand()), direct, question=DIRECT
    )
    both = [post("First:"), private(text, *blocks)]
    yield policy(
        "payment-and-words", "Words are for all, a demand is not.", response(markdown("First:"), demand()), both
    )
    said_: Case = {"kind": "forbidden", "message": "No *way*."}
    no = response({"kind": "policy", "policy": said_})
    yield policy("refusal", "A refusal is words.", no, [private(f"No {KEPT}way{KEPT}.", words("No *way*."))])
    consent = {
        "kind": "consent_required",
        "message": "Agree?",
        "state": STATE,
        "return_to": "https://slack.agents.example/back",
    }
    asked = response({"kind": "policy", "policy": {**consent, "url": "https://agents.example/ok"}})
    shown = [
        words("Agree?"),
        button("Review", "https://agents.example/ok", style="primary"),
        small("Opens agents.example"),
    ]
    text = "Agree?\n\nReview: <https://agents.example/ok>\n\nOpens agents.example"
    yield policy("consent", "A consent is given on the agent's own page.", asked, [private(text, *shown)])
    login = {"kind": "unauthorized", "message": "Who?", "auth_challenges": [], "url": "https://agents.example/in"}
    shown = [words("Who?"), button("Sign in", "https://agents.example/in"), small("Opens agents.example")]
    text = "Who?\n\nSign in: <https://agents.example/in>\n\nOpens agents.example"
    yield policy(
        "sign-in",
        "Who must sign in learns where.",
        response({"kind": "policy", "policy": login}),
        [private(text, *shown)],
    )
    away = response(
        demand(url="https://evil.example/pay", title=None, accepted_payments=[{"scheme": "x", "payload": {}}])
    )
    told: Any = {"diagnostics": ["url-refused"], "flags": ["attack"]}
    made = [private(f"Pay &lt;1 $&gt; {KEPT}now{KEPT}.", words("Pay &lt;1 $&gt; *now*."))]
    yield policy("foreign-url", "A demand leads to the agent's own host, or nowhere.", away, made, **told)
    strange = {"kind": "example:age", "message": "Age?"}
    yield policy(
        "unknown",
        "A demand that nobody knows is shown, too.",
        response({"kind": "policy", "policy": strange}),
        [private("Age?", words("Age?"))],
    )


PROGRAM: Final[Case] = unit(mention(bot_id="B2", user=None))
GROUP: Final[Case] = unit(mention(channel="G1", channel_type="mpim"))
CONSENT: Final[Case] = {
    "kind": "policy",
    "policy": {
        "kind": "consent_required",
        "message": "Agree?",
        "state": STATE,
        "return_to": "https://slack.agents.example/back",
    },
}


def demands() -> Iterator[Case]:
    """Demands that nobody but the asker may read."""
    both = response(markdown("First:"), CONSENT)
    asked = words("Agree?")

    def kept(name: str, why: str, made: Any, **more: Any) -> Case:
        outcome = {"flags": ["attack"], **more}
        given = {"question": outcome.pop("question", CHANNEL), "response": both, **outcome.pop("facts", {})}
        return case("slack-private", name, why, given, value=made, **outcome)

    yield kept("channel", "In a channel the asker alone sees a demand.", [post("First:"), private("Agree?", asked)])
    group = {**PLACE, "channel": "G1"}
    there = {"method": "chat.postEphemeral", "params": {**private("Agree?", asked)["params"], "channel": "G1"}}
    yield kept("group", "In a group of direct messages, too.", [post("First:", place=group), there], question=GROUP)
    direct = {"channel": "D1", "thread_ts": TS}
    made = [post("First:", place=direct), post("Agree?", asked, place=direct)]
    yield kept("direct", "In a direct message nobody else is there.", made, question=DIRECT)
    updated = {"channel": "C1", "ts": UPDATED, "text": "First:", "blocks": [section("First:")], **QUIET}
    made = [{"method": "chat.update", "params": updated}, private("Agree?", asked)]
    yield kept("update", "A message that all see is never replaced by a demand.", made, facts={"update": UPDATED})
    shown = {"method": "chat.postMessage", "params": {**post("First:")["params"], "reply_broadcast": True}}
    yield kept("broadcast", "A demand is not shown in the channel.", [shown, private("Agree?", asked)],
               facts={"broadcast": True})  # fmt: skip

    def answered(kind: str, text: str, block: Case) -> Case:
        params = {"response_type": kind, "replace_original": False, "text": text, "blocks": [block], **FOLDED}
        return {"method": "response_url", "url": RESPOND, "params": params}

    made = [answered("in_channel", "First:", section("First:")), answered("ephemeral", "Agree?", asked)]
    facts = {"response_url": RESPOND}
    yield kept("response-url", "A command is answered to the asker.", made, facts=facts, question=command())
    yield kept(
        "program",
        "Where a program asked, nothing can be shown to it alone: no answer, and never a public one.",
        {"unanswerable": "no-private-way"},
        question=PROGRAM,
    )
    login = {"kind": "unauthorized", "message": "Who?", "auth_challenges": [], "url": "https://agents.example/in"}
    yield kept(
        "program-sign-in",
        "A link to sign in is no less private: who follows that of another may become that person for the agent.",
        {"unanswerable": "no-private-way"},
        question=PROGRAM,
        facts={"response": response({"kind": "policy", "policy": login})},
    )


def choices() -> Iterator[Case]:
    """Answers to pick with a click."""

    def button(number: int, label: str, value: str) -> Case:
        action = f"mentionable:choice#{number}"
        return {"type": "button", "text": plain(label), "value": value, "action_id": action}

    ask = response(markdown("Shall I?"))
    two = [{"label": "Yes & *now*", "value": "y"}, {"label": "No", "value": "n"}]
    row = {"type": "actions", "elements": [button(0, "Yes &amp; *now*", "y"), button(1, "No", "n")]}
    text = f"Shall I?\n\n• Yes &amp; {KEPT}now{KEPT}\n• No"
    made = [post(text, section("Shall I?"), row)]
    yield one("choices", "A few choices are buttons.", ask, made, facts={"choices": two})
    six = [{"label": f"l{number}", "value": f"v{number}"} for number in range(6)]
    options = [{"text": plain(f"l{number}"), "value": f"v{number}"} for number in range(6)]
    menu = {
        "type": "static_select",
        "action_id": "mentionable:choice",
        "placeholder": plain("Choose"),
        "options": options,
    }
    text = "Shall I?\n\n" + "\n".join([f"• l{number}" for number in range(6)])
    made = [post(text, section("Shall I?"), {"type": "actions", "elements": [menu]})]
    yield one("choices-menu", "Many choices are a menu.", ask, made, facts={"choices": six})
    partial = {**ask, "status": "partial"}
    yield one("choices-partial", "Choices come at the end.", partial, [post("Shall I?")], facts={"choices": two})


def response_urls() -> Iterator[Case]:
    """Where a command may be answered."""
    for name, why, given, value in (
        ("command", "The program keeps the URL, since no message may hold it.", command(), RESPOND),
        ("none", "A form without it has none.", form(command="/rain"), None),
        ("http", "A credential goes over https alone.", form(response_url="http://hooks.slack.example/"), None),
        ("address", "A credential goes to a name.", form(response_url="https://127.0.0.1/"), None),
        ("click", "A click has one, too.", form(payload=json.dumps({"response_url": RESPOND})), RESPOND),
        ("event", "An event has none.", {"request": signed("{}"), "settings": SETTINGS}, None),
    ):
        yield bare("slack-response-url", name, why, given, value=value)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    rows = [*places(), *contents(), *policies(), *choices()]
    yield "slack-reply", "slack.reply", "The calls that carry an answer.", iter(rows)
    yield "slack-private", "slack.reply", "Demands that nobody but the asker may read.", demands()
    yield "slack-response-url", "slack.response_url", "Where a command may be answered.", response_urls()
