"""What messages and interactions of Discord say, and what was said before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._discord_rows import (
    AGENT,
    BOB,
    OTHER,
    Case,
    case,
    direct,
    heard,
    interaction,
    message,
    posted,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

RESOLVED: Case = {
    "users": {"43": BOB},
    "members": {"43": {"nick": "Bobby"}},
    "roles": {"60": {"name": "crew"}},
    "channels": {"70": {"name": "general"}},
}
TEXTS: tuple[tuple[str, str, str, str], ...] = (
    ("user", "A mention is a name.", "<@43> and <@!43>", "@Bob and @Bob"),
    ("unknown", "What has no name here keeps its id.", "<@9> <@&60> <#70>", "@user:9 @role:60 #channel:70"),
    ("emoji", "An emoji is its name.", "<:wave:12> <a:dance:13>", ":wave: :dance:"),
    ("time", "A time is readable.", "<t:1795294560:R>", "2026-11-21 20:56 UTC"),
    ("command", "A command is its name.", "</ask now:12>", "/ask now"),
    ("code", "In code a mention is text.", "`<@43>` <@43>", "`<@43>` @Bob"),
    ("block", "In a block of code a mention is text.", "```\n<@43>\n``` <@43>", "```\n<@43>\n``` @Bob"),
    ("open-code", "What nobody closes is no code.", "` <@43>", "` @Bob"),
    ("markdown", "The rest is Markdown already.", "**a** ~~b~~ ||c||\n> d", "**a** ~~b~~ ||c||\n> d"),
    ("lines", "Lines end in one way.", "a\r\nb", "a\nb"),
)


def texts() -> Iterator[Case]:
    for name, why, content, shown in TEXTS:
        unit = heard(direct(content, mentions=[BOB]))
        yield case("discord-text", name, why, unit, value=[text(shown)], diagnostics=[])
    sly = {**BOB, "global_name": "[x](https://evil.example)"}
    why = "The name of somebody else is no markup in what another wrote."
    shown = r"@\[x\](https://evil.example)"
    unit = heard(direct("<@43>", mentions=[sly]))
    yield case("discord-text", "name-with-markup", why, unit, value=[text(shown)], diagnostics=[], flags=["attack"])
    why = "In a guild, people have other names."
    unit = heard(message("<@43> hi", mentions=[{**BOB, "member": {"nick": "Bobby"}}, {"id": "700"}]))
    yield case("discord-text", "nickname", why, unit, value=[text("@Bobby hi")], diagnostics=[])


def parts() -> Iterator[Case]:
    behaviour = "discord-parts"
    fields = [{"name": "When", "value": "Soon"}, {"value": "Later"}]
    embed = {"url": "https://news.example/", "title": "Rain", "description": "It will.", "fields": fields}
    link = {"kind": "link", "url": "https://news.example/", "title": "Rain", "description": "It will."}
    unit = heard(
        direct("", embeds=[{**embed, "image": {"url": "https://canary.example/"}, "footer": {"text": "canary"}}])
    )
    made = [link, text("**When**\nSoon\n\nLater")]
    why = "An embed is a link, and text; pictures and what else stands in it stay away."
    yield case(behaviour, "embed", why, unit, value=made, diagnostics=[], flags=["attack"])
    unit = heard(direct("", embeds=[{"title": "Rain", "description": "It will."}]))
    why = "An embed without a link is text."
    yield case(behaviour, "embed-without-link", why, unit, value=[text("**Rain**\n\nIt will.")], diagnostics=[])
    unit = heard(
        direct("Hi", embeds=[{"url": "HTTPS://CDN.discordapp.com/attachments/1/2/a.pdf?hm=canary", "title": "x"}])
    )
    why = "A URL of Discord's files opens them for whoever has it."
    outcome: Any = {"value": [text("Hi"), text("**x**")], "diagnostics": ["url-refused"], "flags": ["attack"]}
    yield case(behaviour, "embed-of-a-file", why, unit, **outcome)
    unit = heard(direct("Hi", embeds=[{"url": "javascript:alert(1)", "title": "x"}]))
    outcome = {"value": [text("Hi"), text("**x**")], "diagnostics": ["url-refused"], "flags": ["attack"]}
    yield case(behaviour, "embed-of-a-script", "Only web addresses are links.", unit, **outcome)
    snapshot = {"message": {"content": "Look <@43>\nthere", "mentions": [BOB]}}
    unit = heard(direct("", message_reference={"type": 1, "message_id": OTHER}, message_snapshots=[snapshot]))
    why = "What somebody forwards is not what they say."
    yield case(behaviour, "forwarded", why, unit, value=[text("Forwarded:\n\n> Look @Bob\n> there")], diagnostics=[])
    unit = heard(direct("Hi", sticker_items=[{"name": "wave"}], poll={"question": {"text": "canary"}}))
    why = "What cannot be carried is named."
    yield case(behaviour, "poll", why, unit, value=[text("Hi")], diagnostics=["part-unsupported", "part-unsupported"])
    unit = heard(direct("Hi", embeds=[{"url": "https://a.example/"}] * 3))
    outcome = {"rejected": {"code": "too-many-parts"}, "common": {"limits": {"parts": 3}}}
    yield case(behaviour, "too-many", "A message may be larger than anybody wants.", unit, **outcome)


def option(kind: int, value: Any, name: str = "x") -> Case:
    return {"name": name, "type": kind, "value": value}


SHOWN: Case = {
    "id": OTHER,
    "components": [
        {
            "type": 1,
            "components": [
                {"type": 2, "custom_id": "yes", "label": "Yes, *please*"},
                {"type": 3, "custom_id": "size", "options": [{"value": "s", "label": "Small"}]},
            ],
        }
    ],
}
COMMANDS: tuple[tuple[str, str, list[Case], str], ...] = (
    ("prompt", "A prompt alone is what is said.", [option(3, "Hi <@43>", "prompt")], "Hi @Bobby"),
    (
        "options",
        "Options are named.",
        [option(3, "a"), option(4, 5, "n"), option(5, True, "b")],
        "/do\nx: a\nn: 5\nb: yes",
    ),
    ("user", "A person is a name.", [option(6, "43")], "/do\nx: @Bobby"),
    ("channel", "A channel is a name.", [option(7, "70")], "/do\nx: #general"),
    ("role", "A role is a name.", [option(8, "60")], "/do\nx: @crew"),
    ("sub", "A command may have commands.", [{"name": "sub", "type": 1, "options": [option(3, "a")]}], "/do sub\nx: a"),
    ("nothing", "A command may be all.", [], "/do"),
)


def commands() -> Iterator[Case]:
    behaviour = "discord-command"
    for name, why, options, shown in COMMANDS:
        unit = posted(interaction({"name": "do", "type": 1, "options": options, "resolved": RESOLVED}))
        yield case(behaviour, name, why, unit, value=[text(shown)], diagnostics=[])
    unit = posted(interaction({"name": "Wave", "type": 2, "target_id": "43", "resolved": RESOLVED}))
    yield case(
        behaviour, "on-a-user", "A command may be about somebody.", unit, value=[text("Wave: @Bobby")], diagnostics=[]
    )
    target = {"id": OTHER, "content": "Salut\nBob", "author": BOB}
    data = {"name": "Translate", "type": 3, "target_id": OTHER, "resolved": {"messages": {OTHER: target}}}
    made = [text("Translate"), text("Bob wrote:\n\n> Salut\n> Bob")]
    why = "What a command is about was said by somebody else."
    yield case(behaviour, "on-a-message", why, posted(interaction(data)), value=made, diagnostics=[], flags=["attack"])
    data = {"custom_id": "yes", "component_type": 2}
    why = "Who presses a button says what stands on it."
    unit = posted(interaction(data, type=3, message=SHOWN))
    yield case(behaviour, "button", why, unit, value=[text(r"Yes, \*please\*")], diagnostics=[])
    data = {"custom_id": "size", "values": ["s", "xl"]}
    why = "Who chooses says what people saw."
    unit = posted(interaction(data, type=3, message=SHOWN))
    yield case(behaviour, "choice", why, unit, value=[text("Small, xl")], diagnostics=[])
    inputs = [{"type": 1, "components": [{"custom_id": name, "value": name * 2}]} for name in "ab"]
    unit = posted(interaction({"custom_id": "f", "components": inputs}, type=5))
    yield case(behaviour, "form", "A form has fields.", unit, value=[text("a: aa\nb: bb")], diagnostics=[])
    label = {"type": 18, "component": {"type": 4, "custom_id": "a", "value": "Because"}}
    unit = posted(interaction({"custom_id": "f", "components": [label]}, type=5))
    yield case(behaviour, "field", "A form of one field says it.", unit, value=[text("Because")], diagnostics=[])


def histories() -> Iterator[Case]:
    behaviour = "discord-history"
    common = {"history": {"max_messages": 5}}
    before = [
        message(
            "It did.", id=OTHER, author={"id": "700", "bot": True, "username": "helper"}, member=None, mentions=None
        ),
        message("Did it rain?", id="1309999999999999999", mentions=None),
        message("joined", id="1309999999999999998", type=7),
    ]
    user = {
        "role": "user",
        "sender": {
            "address": "@42@300.discord.invalid",
            "auth_method": "none",
            "verified": False,
            "display_name": "Al",
            "profile": {"$any": "json"},
        },
        "parts": [text("Did it rain?")],
        "timestamp": "2024-11-23T21:52:18.623Z",
        "id": "discord:500/1309999999999999999",
    }
    agent = {
        "role": "assistant",
        "sender": {"address": AGENT, "auth_method": "none", "verified": False},
        "parts": [text("It did.")],
        "timestamp": "2024-11-23T21:52:18.623Z",
        "id": f"discord:500/{OTHER}",
    }
    call = {"CALL GET /channels/500/messages": before}
    why = "The messages before are the history, oldest first; nobody in it is shown."
    codes = ["history-turn-dropped"]
    unit = heard(message())
    yield case(
        behaviour,
        "channel",
        why,
        unit,
        value=[user, agent],
        diagnostics=codes,
        world=call,
        common=common,
        flags=["attack"],
    )
    call = {"CALL GET /channels/500/messages": {"failed": "away"}}
    why = "What cannot be looked up costs the history alone."
    yield case(
        behaviour, "unanswered", why, unit, value=None, diagnostics=["lookup-unanswered"], world=call, common=common
    )
    call = {"CALL GET /channels/500/messages": [message("elsewhere", id="1", channel_id="501"), message()]}
    why = "Turns are of this channel, and the message itself is none of them."
    yield case(behaviour, "elsewhere", why, unit, value=None, diagnostics=codes, world=call, common=common)
    why = "History that nobody wants is not asked for."
    call = {"CALL GET /channels/500/messages": before}
    yield case(behaviour, "unwanted", why, unit, value=None, diagnostics=[], world=call, max_asks=3)


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-text", "discord.parts", "Markdown of Discord as others read it.", texts()
    yield "discord-parts", "discord.parts", "What a message says beside its text.", parts()
    yield "discord-command", "discord.parts", "What people say by commands, components and forms.", commands()
    yield "discord-history", "discord.history", "What was said before.", histories()
