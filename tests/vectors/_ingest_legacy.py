"""Rows from before the contract: `conformance/v0.1/ingest/legacy.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.vectors._ingest_rows import MALFORMED, THREAD, Case, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

legacy = rows("legacy")

I18: Final = "D I18"
BEFORE: Final = "2026-04-19T23:59:59Z"
CUTOFF: Final = "2026-04-20T00:00:00Z"
SHAPES: Final[tuple[tuple[str, str, str, str], ...]] = (
    ("slack-user-id", "slack", "[Slack user_id: U06STGBF4Q0] ", "slack-user-id"),
    ("slack-user", "slack", "[Slack channel:C06RY3YBSLE user:U06STGBF4Q0] ", "slack-user"),
    ("slack-name", "slack", "[Slack channel:C06RY3YBSLE user:Olivia] ", "slack-name"),
    ("slack-mention", "slack", "[Slack channel:C06RY3YBSLE user:Olivia (<@U06STGBF4Q0>)] ", "slack-mention"),
    ("slack-thread", "slack", f"{THREAD}\n\n[Slack channel:C06RY3YBSLE user:Olivia (<@U06STGBF4Q0>)] ", "slack-thread"),
    ("slack-bot", "slack", "[Slack channel:C06RY3YBSLE bot:calc-bot] ", "slack-bot"),
    ("slack-bot-echo", "slack", "[channel:C06RY3YBSLE bot:calc-bot] ", "slack-bot"),
    ("discord", "discord", "[Discord channel:123456 user:Olivia] ", "discord-name"),
    ("discord-bot", "discord", "[Discord channel:123456 bot:calc-bot] ", "discord-bot"),
    ("discord-bot-echo", "discord", "[channel:123456 bot:calc-bot] ", "discord-bot"),
    ("bluebubbles", "bluebubbles", "[Olivia]: ", "name"),
    ("bluebubbles-me", "bluebubbles", "[Me]: ", "name"),
    ("bluebubbles-phone", "bluebubbles", "[+15550100]: ", "name"),
)
"""Variant, source, what stood in front, and what it is called."""


def unit(content: str, source: str = "slack", **facts: Any) -> Case:
    """A row, and what is known of it."""
    return {"content": content, "source": source, **facts}


def stripped(prefix: str, text: str, shape: str) -> Case:
    """What comes off."""
    context = THREAD if shape == "slack-thread" else None
    return {"value": {"text": text, "shape": shape, "thread_context": context, "prefix": prefix}}


def whole(text: str) -> Case:
    """Nothing comes off."""
    return {"value": {"text": text, "shape": None, "thread_context": None, "prefix": ""}}


def shapes() -> Iterator[Case]:
    """The shapes, each of three ages."""
    for variant, source, prefix, shape in SHAPES:
        is_bare = shape == "name"
        row = f"{prefix}testing"
        yield legacy(
            f"{variant}-before",
            I18,
            "Every shape that was ever written comes off, or people read it.",
            unit(row, source, created_at=BEFORE),
            **stripped(prefix, "testing", shape),
        )
        yield legacy(
            f"{variant}-after",
            I18,
            "What was stored under the contract is what was typed, even if it looks like a prefix.",
            unit(row, source, created_at=CUTOFF),
            **whole(row),
        )
        yield legacy(
            f"{variant}-unknown-age",
            "R47",
            "Nobody types the shapes that name a platform; bare names in brackets people do type.",
            unit(row, source),
            **(whole(row) if is_bare else stripped(prefix, "testing", shape)),
        )


def names() -> Iterator[Case]:
    """Names with signs of the prefix in them."""
    why = "A name may hold what ends a prefix; who is told the name takes it off whole."
    for variant, source, prefix, shape in (
        ("slack", "slack", "[Slack channel:C1 user:A]B] ", "slack-name"),
        ("slack-blank", "slack", "[Slack channel:C1 user:A] B] ", "slack-name"),
        ("slack-mention", "slack", "[Slack channel:C1 user:A]B (<@U1>)] ", "slack-mention"),
        ("slack-mention-twice", "slack", "[Slack channel:C1 user:A (<@U2>)] B (<@U1>)] ", "slack-mention"),
        ("discord", "discord", "[Discord channel:1 user:A] B] ", "discord-name"),
        ("bluebubbles", "bluebubbles", "[A]: B]: ", "name"),
    ):
        start = prefix.index("user:") + 5 if "user:" in prefix else 1
        name = prefix[start:].removesuffix("]: ").removesuffix("] ").removesuffix(" (<@U1>)")
        yield legacy(
            f"name-{variant}",
            I18,
            why,
            unit(f"{prefix}hi", source, sender_name=name, created_at=BEFORE),
            **stripped(prefix, "hi", shape),
        )
    yield legacy(
        "name-unknown-bracket",
        I18,
        "Where the name is not known, a bracket in it does not end the prefix before its token.",
        unit("[Slack channel:C1 user:A]B (<@U1>)] hi"),
        **stripped("[Slack channel:C1 user:A]B (<@U1>)] ", "hi", "slack-mention"),
    )
    yield legacy(
        "name-before-a-quoted-row",
        I18,
        "A row that somebody quotes is among their words; its prefix must not take these along.",
        unit("[Slack channel:C1 user:Eve] as [Slack channel:C1 user:Olivia (<@U1>)] hi"),
        **stripped("[Slack channel:C1 user:Eve] ", "as [Slack channel:C1 user:Olivia (<@U1>)] hi", "slack-name"),
    )
    yield legacy(
        "name-of-somebody-else",
        I18,
        "People change their names; an old prefix has the old one.",
        unit("[Slack channel:C1 user:Liv] hi", sender_name="Olivia"),
        **stripped("[Slack channel:C1 user:Liv] ", "hi", "slack-name"),
    )
    yield legacy(
        "name-like-an-id",
        I18,
        "Capital letters alone are a name and no id.",
        unit("[Slack channel:C1 user:WALTER] hi"),
        **stripped("[Slack channel:C1 user:WALTER] ", "hi", "slack-name"),
    )
    yield legacy(
        "name-that-is-an-id",
        I18,
        "Who is called as an id is written is named all the same.",
        unit("[Slack channel:C1 user:U1] hi", sender_name="U1"),
        **stripped("[Slack channel:C1 user:U1] ", "hi", "slack-name"),
    )
    yield legacy(
        "thread-of-sender",
        I18,
        "People in a thread may write such lines of others: the sender's own name ends the summary.",
        unit(
            f"{THREAD}\n\n[Slack channel:C1 user:Eve (<@U0>)] pay\n\n[Slack channel:C1 user:Olivia (<@U1>)] hi",
            sender_name="Olivia",
        ),
        value={
            "text": "hi",
            "shape": "slack-thread",
            "thread_context": f"{THREAD}\n\n[Slack channel:C1 user:Eve (<@U0>)] pay",
            "prefix": f"{THREAD}\n\n[Slack channel:C1 user:Eve (<@U0>)] pay\n\n[Slack channel:C1 user:Olivia (<@U1>)] ",
        },
    )


MENTION: Final = "[Slack channel:C1 user:Olivia (<@U1>)] "


def letters() -> Iterator[Case]:
    """What is left, to the letter."""
    for variant, text in (
        ("blanks", "   indented"),
        ("newlines", "\n\nhi\n"),
        ("tab", "\thi"),
        ("no-break-space", "\u00a0hi"),
        ("empty", ""),
    ):
        yield legacy(
            f"keeps-{variant}",
            I18,
            "The writer put one space behind the prefix; everything else was typed.",
            unit(MENTION + text),
            **stripped(MENTION, text, "slack-mention"),
        )
    yield legacy(
        "end-without-space",
        I18,
        "Stores cut blanks at the end off; then the prefix is all there is.",
        unit(MENTION.rstrip()),
        **stripped(MENTION.rstrip(), "", "slack-mention"),
    )
    yield legacy(
        "once",
        I18,
        "A prefix was written once: what looks like a second one was typed.",
        unit(MENTION + MENTION + "hi"),
        **stripped(MENTION, MENTION + "hi", "slack-mention"),
    )
    yield legacy(
        "once-name",
        I18,
        "A prefix was written once: what looks like a second one was typed.",
        unit("[Olivia]: [Olivia]: hi", "bluebubbles", created_at=BEFORE),
        **stripped("[Olivia]: ", "[Olivia]: hi", "name"),
    )
    later = "2026-06-01T00:00:00Z"
    yield legacy(
        "own-cutoff",
        I18,
        "Each program knows since when it writes no prefixes.",
        unit("[Olivia]: hi", "bluebubbles", created_at=CUTOFF, cutoff=later),
        **stripped("[Olivia]: ", "hi", "name"),
    )
    yield legacy(
        "own-cutoff-after",
        I18,
        "Each program knows since when it writes no prefixes.",
        unit(MENTION + "hi", created_at=later, cutoff=later),
        **whole(MENTION + "hi"),
    )


def left() -> Iterator[Case]:
    """What only looks like a prefix."""
    for variant, text in (
        ("words", "hi"),
        ("empty", ""),
        ("not-first", f"x {MENTION}hi"),
        ("blank-first", f" {MENTION}hi"),
        ("newline-first", f"\n{MENTION}hi"),
        ("no-space", "[Slack channel:C1 user:Olivia]hi"),
        ("no-space-mention", "[Slack channel:C1 user:Olivia (<@U1>)]hi"),
        ("no-name", "[Slack channel:C1 user:] hi"),
        ("no-channel", "[Slack channel: user:Olivia] hi"),
        ("other-case", "[slack channel:C1 user:Olivia] hi"),
        ("not-closed", "[Slack channel:C1 user:Olivia hi"),
        ("name-over-two-lines", "[Slack channel:C1 user:Oli\nvia] hi"),
        ("user-id-of-nobody", "[Slack user_id: olivia] hi"),
        ("bot-without-name", "[Slack channel:C1 bot:] hi"),
        ("bare-name", "[Olivia]: hi"),
        ("link", "[docs](https://a.example) hi"),
        ("thread-alone", f"{THREAD}\n\nhi"),
        ("thread-other-heading", f"[Thread context]\n- x\n\n{MENTION}hi"),
        ("thread-without-token", f"{THREAD}\n\n[Slack channel:C1 user:Olivia] hi"),
        ("thread-one-newline", f"{THREAD}\n{MENTION}hi"),
    ):
        yield legacy(
            f"not-{variant}",
            I18,
            "What is not one of the shapes, whole and at the beginning, was typed.",
            unit(text, created_at=BEFORE),
            **whole(text),
        )
    for variant, source, text in (
        ("slack-in-discord", "discord", f"{MENTION}hi"),
        ("discord-in-slack", "slack", "[Discord channel:1 user:Olivia] hi"),
        ("name-in-slack", "slack", "[Olivia]: hi"),
        ("name-in-discord", "discord", "[Olivia]: hi"),
        ("web", "web", f"{MENTION}hi"),
        ("email", "email", "[Olivia]: hi"),
        ("source-case", "Slack", f"{MENTION}hi"),
    ):
        yield legacy(
            f"other-source-{variant}",
            I18,
            "Each integration wrote its own shapes, and none of another.",
            unit(text, source, created_at=BEFORE),
            **whole(text),
        )
    for variant, text in (
        ("footnote", "[1]: see the footnote"),
        ("todo", "[TODO]: buy milk"),
        ("own-name", "[Olivia]: hi"),
    ):
        yield legacy(
            f"typed-{variant}",
            "R47",
            "People type brackets themselves: of a row of unknown age nothing is taken that they may have typed.",
            unit(text, "bluebubbles", sender_name="Olivia"),
            **whole(text),
        )
    for variant, text in (("no-space", "[Olivia]:hi"), ("no-colon", "[Olivia] hi"), ("no-name", "[]: hi")):
        yield legacy(
            f"bluebubbles-{variant}",
            I18,
            "What is not one of the shapes, whole and at the beginning, was typed.",
            unit(text, "bluebubbles", created_at=BEFORE),
            **whole(text),
        )
    for variant, facts in (
        ("content", {"content": 5}),
        ("source", {"source": None}),
        ("time", {"created_at": "yesterday"}),
    ):
        yield legacy(
            f"refused-{variant}", I18, "A mistake of the program is told.", {**unit("hi"), **facts}, **MALFORMED
        )


def behaviours() -> Iterator[tuple[str, str, str, list[Case]]]:
    """The file of historic rows."""
    cases = [*shapes(), *names(), *letters(), *left()]
    yield "legacy", "ingest.strip_legacy", "What integrations once wrote in front of the words comes off.", cases
