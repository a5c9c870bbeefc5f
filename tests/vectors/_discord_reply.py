"""The calls that carry an answer to Discord."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import DONE, MARKDOWN, answer
from tests.vectors._connector_sections import PLATFORM
from tests.vectors._discord_rows import EVENT, OTHER, Case, case, direct, heard, interaction, message, posted
from tests.vectors._own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION: Case = heard(message())
COMMAND: Case = posted(interaction())
TOKEN = "aW50ZXJhY3Rpb246MTMxMDAwMDA"
STATE = "c2l4dGVlbi1yYW5kb20tYnl0ZXM_MTIz"
QUIET: Case = {"parse": []}


def plain(content: str) -> Case:
    return {"kind": "text", "mime": "text/plain", "content": content}


def markdown(content: str) -> Case:
    return {"kind": "text", "mime": "text/markdown", "content": content}


def post(content: str | None, *, named: bool = True, allowed: Case = QUIET, **more: Any) -> Case:
    """A message in the channel."""
    params: Case = {"allowed_mentions": allowed, "flags": 4, **({"content": content} if content is not None else {})}
    if named:
        params["message_reference"] = {"message_id": EVENT, "fail_if_not_exists": False}
    return {"method": "POST", "path": "/channels/500/messages", "params": {**params, **more}}


def one(name: str, why: str, response: Case, made: Any, *, question: Case = QUESTION, **more: Any) -> Case:
    """A case of answering."""
    facts = more.pop("facts", {})
    unit = {"question": question, "response": response, **facts}
    outcome = (
        {"value": made, "diagnostics": more.pop("notes", [])}
        if isinstance(made, list)
        else {"rejected": {"code": made}}
    )
    return case("discord-reply", name, why, unit, **{"section": "NM 4", **outcome, **more})


def places() -> Iterator[Case]:
    """Where an answer goes."""
    hi = answer(markdown("Hi"))
    yield one("channel", "An answer goes into the channel, and names the question.", hi, [post("Hi")])
    why = "A command is no message that an answer could name."
    yield one("command", why, hi, [post("Hi", named=False)], question=COMMAND)
    path = f"/webhooks/700/{TOKEN}"
    first = {"allowed_mentions": QUIET, "flags": 4, "content": "a" * 1900 + "\n\n"}
    second = {"allowed_mentions": QUIET, "flags": 4, "content": "b" * 1900}
    filled = [
        {"method": "PATCH", "path": f"{path}/messages/@original", "params": first},
        {"method": "POST", "path": path, "params": second},
    ]
    facts = {"interaction_token": TOKEN}
    why = "A deferred response is filled in, and what does not fit into it follows."
    long = answer(markdown("a" * 1900 + "\n\n" + "b" * 1900))
    yield one("deferred", why, long, filled, question=COMMAND, facts=facts)
    followed = [filled[0], {**filled[1], "params": {**second, "flags": 68}}]
    why = "What follows a response that the asker alone sees is for the asker alone, too."
    unit: Any = {"question": COMMAND, "facts": {**facts, "ephemeral": True}}
    yield one("deferred-ephemeral", why, long, followed, flags=["attack"], **unit)
    behind = [{**filled[1], "params": {**first, "content": "Hi"}}]
    why = "A further answer follows the response that shows the first one, and does not replace it."
    yield one("follow-up", why, hi, behind, question=COMMAND, facts={**facts, "filled": True})
    behind = [{**behind[0], "params": {**behind[0]["params"], "flags": 68}}]
    why = "A further answer to what the asker alone sees is for the asker alone, too."
    unit = {"question": COMMAND, "facts": {**facts, "ephemeral": True, "filled": True}}
    yield one("follow-up-ephemeral", why, hi, behind, flags=["attack"], **unit)
    why = "An answer that was shown stays where nothing follows it."
    yield one("follow-up-nothing", why, answer(), [], question=COMMAND, facts={**facts, "filled": True})
    why = "An answer that grows replaces the message that showed the first of it."
    grown = {"allowed_mentions": QUIET, "flags": 4, "components": [], "content": "Hi"}
    edit = [{"method": "PATCH", "path": "/channels/500/messages/900", "params": grown}]
    yield one("update", why, hi, edit, facts={"update": "900"})
    why = "What is replaced is a message of this channel, whatever is given as its id."
    yield one("update-with-a-path", why, hi, "malformed", facts={"update": "../../501/messages/9"}, flags=["attack"])
    gone = [{"method": "DELETE", "path": f"{path}/messages/@original", "params": {}}]
    why = "Nobody waits for an answer that does not come."
    yield one("deferred-nothing", why, answer(), gone, question=COMMAND, facts=facts)
    why = "A token in a path must not lead elsewhere."
    facts = {"interaction_token": "../../users/@me/channels"}
    yield one("token-with-a-path", why, hi, "malformed", question=COMMAND, facts=facts, flags=["attack"])
    why = "A message of the gateway has no token."
    yield one("token-of-a-message", why, hi, "malformed", facts={"interaction_token": TOKEN})
    there = {**hi, "push_back": {"thread_ref": "discord:501"}}
    why = "Who asks chooses the channel: an agent cannot choose another."
    yield one("elsewhere", why, there, [post("Hi")], notes=["part-changed"], flags=["attack"])
    there = {**hi, "push_back": {"thread_ref": "slack:T1/C1"}}
    yield one("other-platform", why, there, [post("Hi")], notes=["part-changed"])
    half = answer(markdown("a" * 1900 + "\n\n" + "b" * 1900), status="partial")
    half |= {"streaming": {"stream_id": "s", "seq": 0, "final": False}}
    first = post("a" * 1900 + "\n\n")
    yield one("partial", "While an answer is partial one message is shown.", half, [first])
    why = "A partial answer may say nothing yet, and takes nothing away."
    facts = {"interaction_token": TOKEN}
    yield one("nothing-yet", why, {**half, "parts": []}, [], question=COMMAND, facts=facts)
    many = [post("a" * 1900 + "\n\n", named=not number) for number in range(25)]
    why = "An answer never floods a channel."
    flood = answer(markdown(("a" * 1900 + "\n\n") * 30))
    for suffix, last, level in own_words("… The answer goes on. It is too long to be shown here."):
        whole = [*many, post(last, named=False)]
        yield one(f"flood{suffix}", why, flood, whole, notes=["part-changed"], flags=["attack"], level=level)


def words() -> Iterator[Case]:
    """What an answer says."""
    everyone = "@everyone <@43> <@&60>"
    why = "An agent never pings anybody, whatever it writes."
    yield one("everyone", why, answer(markdown(everyone)), [post(everyone)], flags=["attack"])
    siblings = {"@bob@agents.example": "43"}
    allowed = {"parse": [], "users": ["43"]}
    why = "Another agent is brought in by a mention of its bot, and nobody else is."
    told = [post("Ask <@43>, not `@bob@agents.example` or @eve@agents.example", allowed=allowed)]
    said = answer(markdown("Ask @bob@agents.example, not `@bob@agents.example` or @eve@agents.example"))
    yield one("sibling", why, said, told, facts={"siblings": siblings}, section="NM 3.3")
    why = "Plain text is no markup."
    yield one("plain", why, answer(plain("1 * 2 * 3_4")), [post(r"1 \* 2 \* 3\_4")])
    sly = "# h\n- l\n1. o\n-# s\n> q\n_y_ ~~z~~ ||s|| [a](https://b.example/_x_) <@43> :smile: C:\\*"
    plainly = (
        "\\# h\n\\- l\n1\\. o\n\\-# s\n\\> q\n\\_y\\_ \\~\\~z\\~\\~ \\|\\|s\\|\\|"
        " \\[a\\](https://b.example/_x_) \\<@43\\>"
        " \\:smile: C:\\\\\\*"
    )
    why = "No character of plain text becomes markup of Discord's own."
    yield one("plain-marks", why, answer(plain(sly)), [post(plainly)], flags=["attack"])
    why = "Who writes Markdown may escape a mark, and it stays the mark."
    yield one("markdown-escaped", why, answer(markdown(r"2 \* 3")), [post(r"2 \* 3")])
    why = "A label that looks like an address does not hide where a link leads."
    mask = {"kind": "link", "url": "https://evil.example/", "title": "https://bank.example"}
    shown = "[https://bank.example](<https://evil.example/>) (evil.example)"
    yield one("link-mask", why, answer(mask), [post(shown)], flags=["attack"])
    why = "A tool call is its line."
    line = r"""It will **rain**.

🔧 web\_search({"q":"rain"}) → \[{"title":"Rain"}\]"""
    yield one("tool-call", why, answer(MARKDOWN, DONE), [post(line)], section="NM 3.2")
    why = "A link in angle brackets ends where it ends."
    link = {"kind": "link", "url": "https://a.example/(x)", "title": "A [b]"}
    yield one("link", why, answer(link), [post(r"[A \[b\]](<https://a.example/(x)>)")])
    failed = answer(status="error", error={"code": "x", "message": "No *rain*.", "retriable": False})
    yield one("error", "Who gets no answer is told why.", failed, [post(r"No \*rain\*.")])
    code = "```py\n" + "x = 1\n" * 400 + "```"
    first = "```py\n" + "x = 1\n" * 326 + "```"
    second = "```py\n" + "x = 1\n" * 74 + "```"
    why = "A block of code that is cut stays a block of code."
    yield one("code", why, answer(markdown(code)), [post(first), post(second, named=False)])
    rain = "\U0001f327" * 1500
    why = "A character beyond the basic plane may count twice."
    halves = [post("\U0001f327" * 981), post("\U0001f327" * 519, named=False)]
    yield one("emoji", why, answer(plain(rain)), halves)


def files() -> Iterator[Case]:
    """Files that go along."""
    data = b"rain"
    digest = sha256(data).hexdigest()
    part = {"kind": "file", "mime": "image/png", "name": "../r.png"}
    held = {**part, "bytes_ref": {"kind": "content_addressed", "algo": "sha256", "digest": digest}}
    sent = {"name": "r.png", "mime": "image/png", "data": b64encode(data).decode()}
    made = {**post("Hi", attachments=[{"id": 0, "filename": "r.png"}]), "files": [sent]}
    facts = {"blobs": {digest: "rain"}}
    yield one("file", "A file goes along.", answer(markdown("Hi"), held), [made], facts=facts, section="NM 3.2")
    why = "A file that nobody has is named."
    named = [post(r"\[r.png (image/png)\]")]
    yield one("file-missing", why, answer(held), named, notes=["part-changed"], section="NM 3.2", level="SHOULD")
    why = "Other bytes than those that an answer names never go out."
    yield one("file-other", why, answer(held), "malformed", facts={"blobs": {digest: "snow"}}, section="NM 3.2")
    linked = {**part, "bytes_ref": {"kind": "url", "url": "https://a.example/r.png"}}
    why = "A file behind a URL is a link."
    yield one("file-linked", why, answer(linked), [post("[r.png](<https://a.example/r.png>)")], section="NM 3.2")


def policies() -> Iterator[Case]:
    """What people must act on."""
    policy = {
        "kind": "consent_required",
        "message": "May I see your calendar?",
        "url": "https://agents.example/consent",
        "action_label": "Allow",
        "state": STATE,
        "return_to": "https://agents.example/done",
    }

    def demand(**changes: Any) -> Case:
        return answer(markdown("First:"), {"kind": "policy", "policy": {**policy, **changes}})

    button = {"type": 2, "style": 5, "label": "Allow", "url": "https://agents.example/consent"}
    rows = [{"type": 1, "components": [button]}]
    shown = "First:\n\nMay I see your calendar?\n\n[Allow](https://agents.example/consent) (agents.example)"
    why = "A demand is text, and a button that leads to the agent's own host. The person asked alone reads it."
    opened = {"method": "POST", "path": "/users/@me/channels", "params": {"recipient_id": "42"}}
    answers: Case = {"answers": [{"id": "9", "channel_id": "500"}, {"id": "77", "type": 1}]}

    def direct_message(content: str, **more: Any) -> Case:
        return {**post(content, named=False, **more), "path": "/channels/77/messages"}

    words = "May I see your calendar?"
    shown = f"{words}\n\n[Allow](https://agents.example/consent) (agents.example)"
    private = [post("First:"), opened, direct_message(shown, components=rows)]
    more: Any = {"section": "R59", "flags": ["attack"]}
    yield one("policy", why, demand(), private, facts=answers, **more)
    why = "A button leads nowhere else."
    unit = demand(url="https://evil.example/consent")
    bare = [post("First:"), opened, direct_message(words)]
    yield one("policy-elsewhere", why, unit, bare, facts=answers, notes=["url-refused"], section="PP", flags=["attack"])
    url = "https://agents.example/" + "x" * 600
    why = "Discord has no buttons for long URLs."
    long = [post("First:"), opened, direct_message(f"{words}\n\n[Allow]({url}) (agents.example)")]
    yield one("policy-long", why, demand(url=url), long, facts=answers, notes=["part-changed"], section="PP")

    why = "Behind a command the asker alone sees a demand; the response is filled in first, or Discord shows it to all."
    path = f"/webhooks/700/{TOKEN}"
    token: Case = {"interaction_token": TOKEN, "answers": [{"id": "88", "channel_id": "500"}]}
    follow_up = {"allowed_mentions": QUIET, "flags": 68, "content": shown, "components": rows}

    def interacted(content: str) -> list[Case]:
        filled = {"allowed_mentions": QUIET, "flags": 4, "content": content}
        return [
            {"method": "PATCH", "path": f"{path}/messages/@original", "params": filled},
            {"method": "POST", "path": path, "params": follow_up},
        ]

    yield one("demand-of-a-command", why, demand(), interacted("First:"), question=COMMAND, facts=token, **more)
    alone = answer({"kind": "policy", "policy": policy})
    notice = interacted("Only you can see the answer, below.")
    why = "A demand alone does not take the place of the response, which all may read."
    yield one("demand-alone", why, alone, notice, question=COMMAND, facts=token, level="SHOULD", **more)
    why = "When the response cannot be filled in, the demand is not sent: Discord would show it in its place, to all."
    failed = {**token, "answers": [{"code": 10015, "message": "Unknown Webhook"}]}
    yield one("demand-after-a-failure", why, demand(), "malformed", question=COMMAND, facts=failed, **more)
    why = "When Discord opens no direct message, a demand goes nowhere else."
    failed = {"answers": [{"id": "9", "channel_id": "500"}, {"code": 50007}]}
    yield one("demand-without-a-channel", why, demand(), "malformed", facts=failed, **more)
    why = "No private way leads to the person behind a bot or a webhook."
    bot = heard(message(author={"id": "9", "username": "b", "bot": True}))
    yield one("demand-of-a-bot", why, demand(), "malformed", question=bot, **more)
    hook = heard(message(author={"id": "9", "username": "b"}, webhook_id="9", member=None))
    yield one("demand-of-a-webhook", why, demand(), "malformed", question=hook, **more)
    why = "In direct messages the asker alone reads, so that a demand is part of the answer."
    whole = [post(f"First:\n\n{shown}", components=rows)]
    yield one("demand-direct", why, demand(), whole, question=heard(direct()), section="R59")
    why = "What only one person saw is answered where only that person reads."
    click = interaction({"custom_id": "mentionable:choice:y"}, type=3, message={"id": OTHER, "flags": 64})
    apart: Case = {"answers": [{"id": "77", "type": 1}]}
    answered = [opened, direct_message("Hi")]
    yield one("private-click", why, answer(markdown("Hi")), answered, question=posted(click), facts=apart, **more)
    why = "A link to sign in is for the asker: who follows that of another may become that person for the agent."
    login = {
        "kind": "unauthorized",
        "message": "Who?",
        "auth_challenges": [],
        "url": "https://agents.example/in",
        "action_label": "Sign in",
    }
    entrance = [{"type": 1, "components": [{**button, "label": "Sign in", "url": "https://agents.example/in"}]}]
    asked = [
        opened,
        direct_message("Who?\n\n[Sign in](https://agents.example/in) (agents.example)", components=entrance),
    ]
    unit = answer({"kind": "policy", "policy": login})
    yield one("demand-sign-in", why, unit, asked, facts=apart, **more)
    why = "What refuses is no demand, and all may read it."
    refusal = {"kind": "policy", "policy": {"kind": "forbidden", "message": "Members only."}}
    yield one("refusal", why, answer(refusal), [post("Members only.")], section="R59")


def choices() -> Iterator[Case]:
    """What people may click."""
    asked = answer(markdown("Which?"))
    few = [{"label": "Yes", "value": "y"}, {"label": "No", "value": "n", "description": "Leave it"}]
    buttons = [
        {"type": 2, "style": 2, "label": "Yes", "custom_id": "mentionable:choice:y"},
        {"type": 2, "style": 2, "label": "No", "custom_id": "mentionable:choice:n"},
    ]
    why = "A few choices are buttons."
    shown = [post("Which?", components=[{"type": 1, "components": buttons}])]
    yield one("choices", why, asked, shown, facts={"choices": few}, section=PLATFORM)
    many = [*few, *[{"label": f"{number}", "value": f"{number}"} for number in range(4)]]
    menu = {"type": 3, "custom_id": "mentionable:choice:", "options": many}
    why = "More of them are a menu."
    shown = [post("Which?", components=[{"type": 1, "components": [menu]}])]
    yield one("choices-many", why, asked, shown, facts={"choices": many}, section=PLATFORM)
    why = "A label is cut to what Discord takes, a value never."
    long = [{"label": "x" * 81, "value": "v"}]
    button = {**buttons[0], "label": "x" * 79 + "…", "custom_id": "mentionable:choice:v"}
    shown = [post("Which?", components=[{"type": 1, "components": [button]}])]
    yield one("choices-long-label", why, asked, shown, facts={"choices": long}, section=PLATFORM)
    why = "What a click says must be what was offered."
    for name, wrong in (
        ("choices-long-value", [{"label": "x", "value": "v" * 82}]),
        ("choices-alike", [few[0], few[0]]),
        ("choices-too-many", [{"label": f"{number}", "value": f"{number}"} for number in range(26)]),
    ):
        yield one(name, why, asked, "malformed", facts={"choices": wrong}, section=PLATFORM)


def cases() -> Iterator[Case]:
    yield from places()
    yield from words()
    yield from files()
    yield from policies()
    yield from choices()


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-reply", "discord.reply", "The calls of Discord's API that carry an answer.", cases()
