"""Messages and interactions of Discord, whole, and those that are none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import SIGNED_AT
from tests.vectors._discord_rows import (
    AGENT,
    ALICE,
    EVENT,
    FILES,
    ISSUER,
    OTHER,
    PROFILE,
    SETTINGS,
    Case,
    case,
    direct,
    evidence,
    heard,
    interaction,
    message,
    posted,
    sender,
    text,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE: Case = {"method": "none", "verified": False, "code": "platform-only"}
IN_GUILD: Case = whole(PROFILE, {"locale": None})
ALONE: Case = {
    "display_name": "Alice A",
    "username": "alice",
    "provider": "discord",
    "provider_subject": "discord:dm/42",
    "extensions": {"discord": {"user_id": "42"}},
}


def received(*parts: Case, **more: Any) -> Case:
    """The message that becomes of an event."""
    raw = {
        "platform": "discord",
        "kind": "message",
        "type": 0,
        "id": EVENT,
        "channel_id": "500",
        "guild_id": "300",
        "timestamp": "2024-11-23T21:52:18.623Z",
    }
    return {
        "id": {"$any": "uuid7"},
        "thread_id": "discord:500",
        "sender": sender(IN_GUILD),
        "recipient": AGENT,
        "parts": list(parts),
        "recipient_capabilities": {"mention_relay": {"kind": "inline"}},
        "received_via": "connector",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": {**raw, **more.pop("raw", {})},
        **more,
    }


ASKED = ["AGENT discord:700", f"ONCE discord:message:500/{EVENT} 700", f"MESSAGE discord:500/{EVENT}"]


def messages() -> Iterator[Case]:
    """Events that become messages, whole."""
    behaviour = "discord-message"

    def one(name: str, why: str, unit: Case, made: Case, **more: Any) -> Case:
        return case(behaviour, name, why, unit, messages=[made], verdict=CODE, **{"diagnostics": [], **more})

    command = {"kind": "command", "type": 2, "application_id": "700", "name": "ask"}
    yield one(
        "command",
        "Of a command that Discord signed, the message holds what was said and ids alone, and evidence of who said it.",
        posted(interaction()),
        received(text("Will it rain?"), sender=sender(PROFILE), raw=command),
        flags=["attack"],
        max_asks=4,
    )
    yield one(
        "guild",
        "A message of the gateway came through the session of the bot itself.",
        heard(message()),
        received(text("<@700> Will it rain?", mentions={"<@700>": "helper"})),
        flags=["attack"],
    )
    envelope = {"op": 0, "s": 1, "t": "MESSAGE_CREATE", "d": message()}
    yield one(
        "envelope",
        "The gateway wraps events.",
        heard(envelope),
        received(text("<@700> Will it rain?", mentions={"<@700>": "helper"})),
        level="SHOULD",
    )
    shown = {"subject": "discord:dm/42", "method": "urn:mentionable:auth:discord-user:v0.1"}
    yield one(
        "direct",
        "In direct messages there is no guild, and nobody is a member of one.",
        heard(direct()),
        received(
            text("Will it rain?"), sender=sender(ALONE, "@42@dm.discord.invalid", **shown), raw={"guild_id": None}
        ),
    )
    chain = {"hop": 1, "max_hops": 3, "is_final": False}
    capabilities = {"mention_relay": {"kind": "inline"}, "agent_chain": chain}
    yield one(
        "chain",
        "The dispatcher knows where the agent stands in its chain.",
        heard(message(), agent_chain=chain),
        received(text("<@700> Will it rain?", mentions={"<@700>": "helper"}), recipient_capabilities=capabilities),
    )
    reference = {"type": 0, "message_id": OTHER, "channel_id": "500", "guild_id": "300"}
    yield one(
        "answer",
        "An answer names the message that it answers.",
        heard(message("And then?", type=19, message_reference=reference)),
        received(text("And then?"), in_reply_to=f"discord:500/{OTHER}", raw={"type": 19}),
    )
    known = {"id": "m1", "thread_id": "discord:500", "sender": "@42@300.discord.invalid"}
    yield one(
        "again",
        "Discord sends an event again when its connection broke; it is the same message.",
        heard(message()),
        received(text("<@700> Will it rain?", mentions={"<@700>": "helper"}), id="m1"),
        world={f"MESSAGE discord:500/{EVENT}": known},
        diagnostics=["redelivered"],
    )
    yield one(
        "again-and-not-stored",
        "An event that comes again is a redelivery, also where no message is stored.",
        heard(message()),
        received(text("<@700> Will it rain?", mentions={"<@700>": "helper"})),
        world={f"ONCE discord:message:500/{EVENT} 700": "same"},
        diagnostics=["redelivered"],
        section="R70",
    )

    roles = {**SETTINGS, "role_ids": ["60"]}
    yield one(
        "role",
        "Who mentions the role of the bot asks the bot.",
        heard(message("<@&60> Will it rain?", mentions=None, mention_roles=["60"]), settings=roles),
        received(text("<@&60> Will it rain?")),
    )


def rejected() -> Iterator[Case]:
    """Events that are no messages for the agent."""
    bot = {"id": "9", "username": "bot", "bot": True}
    asked = {"message_id": OTHER, "channel_id": "500"}
    rows: tuple[tuple[str, str, str, Case, Case], ...] = (
        (
            "own",
            "own-message",
            "An agent that answers itself never ends.",
            message(author={"id": "700", "bot": True}),
            {},
        ),
        (
            "own-answer-to-a-command",
            "own-message",
            "What the application answers to commands is its own, by whatever id.",
            message(author={**bot}, application_id="700", webhook_id="9"),
            {},
        ),
        ("not-named", "unsupported-event", "In a guild, not all is for the agent.", message("Hi", mentions=[]), {}),
        (
            "answers-somebody-else",
            "unsupported-event",
            "An answer to somebody else is not for the agent.",
            message("Hi", mentions=[], message_reference=asked, referenced_message={"author": {"id": "9"}}),
            {},
        ),
        (
            "program-that-talks",
            "unsupported-event",
            "Two programs that hear everything would talk for ever.",
            message("Hi", mentions=[], author=bot),
            {"settings": {**SETTINGS, "hears": "everything"}},
        ),
        ("joined", "unsupported-event", "Discord tells who joined in a message, too.", message(type=7), {}),
        ("edited", "unsupported-event", "A change is no new message.", {"t": "MESSAGE_UPDATE", "d": message()}, {}),
        ("empty", "unsupported-event", "Discord withholds the content where it may.", message(""), {}),
        ("number-for-id", "missing-member", "Ids of Discord do not fit into numbers.", message(id=13100000), {}),
        ("number-for-guild", "malformed", "What a guild reads is no direct message.", message(guild_id=300), {}),
        ("no-author", "missing-member", "Somebody must have written it.", message(author=None), {}),
        ("content-no-text", "wrong-type", "Content is text.", message(5), {}),
        (
            "sticker-without-name",
            "part-unsupported",
            "A sticker without a name has no words.",
            direct("", sticker_items=[{"id": "8"}]),
            {},
        ),
        (
            "other-application",
            "no-served-recipient",
            "A bot may be given events of another application.",
            interaction(application_id="701"),
            {},
        ),
        ("unknown-interaction", "unsupported-event", "Discord may think of more.", interaction(type=9), {}),
    )
    for name, code, why, event, more in rows:
        yield case("discord-rejected", name, why, heard(event, **more), rejected={"code": code})
    yield case(
        "discord-rejected",
        "not-served",
        "Nobody may be served under this application.",
        heard(message()),
        rejected={"code": "no-served-recipient"},
        world={"AGENT discord:700": None},
    )
    used = {f"ONCE discord:message:500/{EVENT} 700": "other"}
    yield case(
        "discord-rejected",
        "used-by-another",
        "An event counts once.",
        heard(message()),
        rejected={"code": "unsupported-event"},
        world=used,
        flags=["attack"],
    )
    used = {f"ONCE discord:message:500/{EVENT} 700": {"failed": "away"}}
    why = "When nobody knows whether an event was used, it was."
    outcome: Any = {"rejected": {"code": "lookup-failed"}, "world": used, "flags": ["attack"]}
    yield case("discord-rejected", "use-not-known", why, heard(message()), **outcome)
    why = "Who wants to know who asks is not told by a program."
    outcome = {"rejected": {"code": "verification-required"}, "common": {"require_verified": True}}
    yield case("discord-rejected", "nobody-shown", why, heard(message(author=bot)), verdict=CODE, **outcome)


def people() -> Iterator[Case]:
    """Who wrote something, and who is shown."""
    behaviour = "discord-people"

    def one(name: str, why: str, event: Case, value: Any, *codes: str, **more: Any) -> Case:
        return case(behaviour, name, why, heard(event), value=value, diagnostics=list(codes), **more)

    def unshown(profile: Case, user: str = "42") -> Case:
        address = {"address": f"@{user}@300.discord.invalid", "auth_method": "none", "verified": False}
        return {**address, "display_name": profile["display_name"], "profile": profile}

    program = {"display_name": "rain", "provider": "discord"}
    yield one(
        "bot",
        "A bot says of itself what it likes; no person stands behind it.",
        message(author={"id": "9", "username": "rain", "bot": True}, member={}),
        unshown(program, "9"),
        "loop-risk",
        "evidence-withheld",
        flags=["attack"],
    )
    yield one(
        "webhook",
        "Whoever has the URL of a webhook writes under any name and picture.",
        message(author={"id": "9", "username": "rain"}, webhook_id="9", member={}),
        unshown(program, "9"),
        "loop-risk",
        "evidence-withheld",
        flags=["attack"],
    )
    for name, more in (
        ("webhook-by-number", {"webhook_id": 9}),
        ("bot-by-number", {"author": {"id": "9", "username": "rain", "bot": 1}}),
        ("system-by-text", {"author": {"id": "9", "username": "rain", "system": "true"}}),
    ):
        yield one(
            name,
            "Whatever says that a program wrote it counts, in whatever form.",
            message(**{"author": {"id": "9", "username": "rain"}, "member": {}, **more}),
            unshown(program, "9"),
            "loop-risk",
            "evidence-withheld",
            flags=["attack"],
        )
    yield one(
        "not-a-member",
        "Without the membership, nothing shows that somebody is a member.",
        message(member=None),
        unshown({**IN_GUILD, "display_name": "Alice A"}),
        "evidence-withheld",
        flags=["attack"],
    )
    named = {**IN_GUILD, "display_name": "Alice A"}
    yield one(
        "no-nickname",
        "Who has no nickname is called by their display name.",
        message(member={"nick": None}),
        sender(named),
    )
    named = {**IN_GUILD, "display_name": "alice"}
    plain = message(author={**ALICE, "global_name": None}, member={})
    yield one("no-display-name", "Who has no display name is called by their user name.", plain, sender(named))
    named = {**IN_GUILD, "display_name": "bob@bank.example"}
    shown = message(member={"nick": "bob@bank.example"})
    yield one("name-of-another", "A name may show an address.", shown, sender(named), "name-holds-address")
    hidden = {**IN_GUILD, "display_name": "Al x"}
    odd = message(member={"nick": "\u202eAl\n\u200bx"})
    yield one("name-that-hides", "A name may turn what stands behind it.", odd, sender(hidden), flags=["attack"])


SEED = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"


def attested() -> Iterator[Case]:
    behaviour = "discord-attest"
    key = {"seed": SEED, "kid": "2026-11"}
    proof = {"type": "signed-attestation", "alg": "Ed25519", "kid": "2026-11", "canonicalization": "jcs"}
    made = evidence(**SIGNED_AT, proof={**proof, "value": {"$any": "json"}})
    made["claims"] = {"profile": IN_GUILD}
    why = "Evidence says what Discord showed, for one agent and five minutes."
    unit = heard(message(), audience=AGENT, key=key)
    yield case(behaviour, "member", why, unit, value=[made])
    why = "Of somebody whom Discord does not show, nothing is said."
    unit = heard(message(member=None), audience=AGENT, key=key)
    yield case(behaviour, "nobody", why, unit, value=[], flags=["attack"])
    why = "An audience is written in one way."
    unit = heard(message(), audience="helper@agents.example", key=key)
    yield case(behaviour, "audience", why, unit, rejected={"code": "malformed"})


def files() -> Iterator[Case]:
    behaviour = "discord-files"
    held = {
        "id": "8",
        "filename": "../report.pdf",
        "content_type": "application/pdf; charset=x",
        "size": 12,
        "url": "https://files.discord.example/attachments/500/8/report.pdf?hm=canary",
    }
    reference = {
        "kind": "url",
        "url": f"https://{ISSUER}/api/discord/files/",
        "expires_at": "2026-11-21T21:01:00Z",
    }
    claims = {
        "iss": ISSUER,
        "aud": AGENT,
        "turn": f"discord:500/{EVENT}",
        "scope": {"workspace": "300", "channel": "500", "file": "8"},
        "max_bytes": 12,
    }
    made = {"kind": "file", "mime": "application/pdf", "name": "report.pdf", "size_bytes": 12, "bytes_ref": reference}
    why = "An agent fetches a file through the connector: Discord's own URL opens it for everybody."
    unit = heard(message(attachments=[held]), settings=FILES)
    yield case(behaviour, "given-out", why, unit, value=[{**made, "claims": claims}], diagnostics=[], flags=["attack"])
    unit = heard(direct(attachments=[held]), settings=FILES)
    scope = {"workspace": "dm", "channel": "500", "file": "8"}
    why = "A direct message is in no guild."
    yield case(behaviour, "direct", why, unit, value=[{**made, "claims": {**claims, "scope": scope}}], diagnostics=[])
    why = "A connector without a key of its own gives nothing out, and says so."
    unit = heard(message(attachments=[held]))
    yield case(behaviour, "no-key", why, unit, value=[], diagnostics=["part-unsupported"], flags=["attack"])
    data = {
        "name": "read",
        "options": [{"name": "what", "type": 11, "value": "8"}],
        "resolved": {"attachments": {"8": held}},
    }
    why = "A command may bring a file along."
    unit = posted(interaction(data), settings=FILES)
    yield case(behaviour, "of-a-command", why, unit, value=[{**made, "claims": claims}], diagnostics=[])
    forward = {
        "message_reference": {"type": 1, "message_id": OTHER},
        "message_snapshots": [{"message": {"attachments": [held]}}],
    }
    why = "A file that somebody forwards is not by them."
    value = [{**made, "claims": claims, "written_by": {}}]
    unit = heard(message(**forward), settings=FILES)
    yield case(behaviour, "forwarded", why, unit, section="R62", value=value, diagnostics=[], flags=["attack"])


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "discord-message", "discord.receive", "Events that become messages, whole.", messages()
    yield "discord-rejected", "discord.receive", "Events that are no messages for the agent.", rejected()
    yield "discord-people", "discord.sender", "Who wrote something, and who is shown.", people()
    yield "discord-attest", "discord.attest", "Evidence, signed.", attested()
    yield "discord-files", "discord.files", "Files, each with what its token says.", files()
