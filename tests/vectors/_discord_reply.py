"""The calls that carry an answer to Discord."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import DONE, MARKDOWN, answer
from tests.vectors._discord_rows import EVENT, Case, case, heard, interaction, message, posted

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
    params: Case = {"allowed_mentions": allowed, **({"content": content} if content is not None else {})}
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
    first = {"allowed_mentions": QUIET, "content": "a" * 1900 + "\n\n"}
    second = {"allowed_mentions": QUIET, "content": "b" * 1900}
    filled = [
        {"method": "PATCH", "path": f"{path}/messages/@original", "params": first},
        {"method": "POST", "path": path, "params": second},
    ]
    facts = {"interaction_token": TOKEN}
    why = "A deferred response is filled in, and what does not fit into it follows."
    long = answer(markdown("a" * 1900 + "\n\n" + "b" * 1900))
    yield one("deferred", why, long, filled, question=COMMAND, facts=facts)
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
    many.append(post("… The answer goes on. It is too long to be shown here.", named=False))
    why = "An answer never floods a channel."
    flood = answer(markdown(("a" * 1900 + "\n\n") * 30))
    yield one("flood", why, flood, many, notes=["part-changed"], flags=["attack"])


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
    yield one("file-missing", why, answer(held), named, notes=["part-changed"], section="NM 3.2")
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
    why = "A demand is text, and a button that leads to the agent's own host."
    yield one("policy", why, demand(), [post(shown, components=rows)], section="PP")
    why = "A button leads nowhere else."
    unit = demand(url="https://evil.example/consent")
    bare = [post("First:\n\nMay I see your calendar?")]
    yield one("policy-elsewhere", why, unit, bare, notes=["url-refused"], section="PP", flags=["attack"])
    url = "https://agents.example/" + "x" * 600
    why = "Discord has no buttons for long URLs."
    long = f"First:\n\nMay I see your calendar?\n\n[Allow]({url}) (agents.example)"
    more: Any = {"notes": ["part-changed"], "section": "PP"}
    yield one("policy-long", why, demand(url=url), [post(long)], **more)


def cases() -> Iterator[Case]:
    yield from places()
    yield from words()
    yield from files()
    yield from policies()


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-reply", "discord.reply", "The calls of Discord's API that carry an answer.", cases()
