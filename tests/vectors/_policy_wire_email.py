"""Demands by mail: `conformance/v0.1/policy/wire-email-out.json` and `wire-email-in.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _answer_email as mails
from tests.vectors._answer_rows import PLAIN, Case, answer, standard, url_safe
from tests.vectors._answer_signed import key
from tests.vectors._email_receive import SHOWN, STORE, VERDICT, message, sender
from tests.vectors._email_rows import zone
from tests.vectors._email_signing import HEAD, NAMES, signed
from tests.vectors._policy_wire_rows import KINDS, NO, PAGE, PAY, carried, rows, text, x402

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELD: Final = "X-Mentionable-Policy"
LINKED: Final[Case] = {**NO, "url": "https://a.example/why"}
out = rows("wire-email-out", "reply", "email")
into = rows("wire-email-in", "email")


def writes(name: str, section: str, why: str, *parts: Case, **more: Any) -> Case:
    """An answer, and facts about the mail that goes out."""
    lookups: Case = {
        f"AGENT {mails.HELPER}": "@helper@agents.example",
        "AGENT *": None,
        "MESSAGE *": None,
        "HISTORY *": [],
        "TXT *": [],
    }
    unit = {"question": {"raw": mails.asked()}, "response": answer(*parts), **more.pop("unit", {})}
    if "facts" in more:
        more.setdefault("diagnostics", [])
    return out(name, section, why, unit, given={"lookups": lookups}, **more)


def deep(levels: int) -> Any:
    """Arrays in arrays."""
    return [] if levels == 0 else [deep(levels - 1)]


def written() -> Iterator[Case]:
    """Demands that go out."""
    for name, policy in KINDS.items():
        yield writes(
            name,
            "R41",
            "The demand is in the head for programs, and in the text for people.",
            carried(policy),
            facts={"policy": policy, "folded": True, "has": {"text": {policy["message"]: True}}},
        )
    linked = {**PAY, "title": "One more step", "url": PAGE, "action_label": "Pay now"}
    yield writes(
        "words",
        "PP",
        "People read what is demanded and where to act, and in HTML the host that they are led to.",
        PLAIN,
        carried(linked),
        facts={
            "text": f"It will rain.\n\nOne more step\nPay 1 €.\nPay now: {PAGE}",
            "words": "It will rain.\nOne more step\nPay 1 €.\nPay now (agents.example)",
            "links": [[PAGE, "Pay now"]],
            "policy": linked,
        },
    )
    long = {**NO, "title": "Grüße 東京 🌧", "com.example.long": "x" * 3000}
    yield writes(
        "long-and-in-any-script",
        "R41",
        "Whatever is in it, the field is ASCII in short lines.",
        carried(long),
        facts={
            "policy": long,
            "folded": True,
            "wire": {"crlf": True, "short_lines": True, "ascii": True, "nul": False},
        },
    )
    sly = {**NO, "message": "No.\r\nBcc: mallory@evil.example", "title": "a\r\nReply-To: mallory@evil.example"}
    yield writes(
        "line-ends",
        "R41",
        "A line end in a demand makes no field.",
        carried(sly),
        facts={"policy": sly, "bcc": [], "has": {"head": {"mallory": False}}},
        flags=["attack"],
    )
    yield writes(
        "x402",
        "R41",
        "Offers come through as they are.",
        carried(x402()),
        facts={"policy": x402(), "folded": True},
    )
    yield writes(
        "nothing-demanded", "R41", "Without a demand there is no field.", PLAIN, facts={"policy": None, "folded": True}
    )
    signs = {"key": key("mail-ed25519", "s._domainkey.agents.example")}
    for name, parts in (("demand", [carried(NO)]), ("no-demand", [PLAIN])):
        yield writes(
            f"sealed-with-{name}",
            "R41",
            "A signed mail has no place where anybody on the way could add a demand.",
            *parts,
            unit=signs,
            facts={"policy_sealed": True},
            flags=["attack"],
        )
    bob = {"unit": {"siblings": ["@bob@b.example"]}}
    yield writes(
        "demand-to-the-asker-alone",
        "R59",
        "What the asker alone may read goes to no other recipient.",
        PLAIN,
        carried(linked),
        **bob,
        facts={"rcpt_to": ["alice@a.example"], "cc": []},
        diagnostics=["private-policy"],
        flags=["attack"],
    )
    yield writes(
        "refusal-to-siblings",
        "R59",
        "What asks nothing of the asker alone goes to all of them.",
        PLAIN,
        carried(NO),
        **bob,
        facts={"rcpt_to": ["alice@a.example", "bob@b.example"]},
    )
    for name, head in (
        ("reply-to", {"Reply_To": "team@a.example"}),
        ("reply-to-many", {"Reply_To": "team@a.example, alice@a.example"}),
    ):
        yield writes(
            f"demand-and-{name}",
            "R59",
            "Reply-To may be a list: what the asker alone may read does not follow it.",
            carried(linked),
            unit={"question": {"raw": mails.asked(**head)}},
            facts={"rcpt_to": ["alice@a.example"]},
            diagnostics=["private-policy"],
            flags=["attack"],
        )
    yield writes(
        "demand-to-a-list",
        "R59",
        "A mail of a list has many readers, also where its answers are asked for.",
        carried(linked),
        unit={"question": {"raw": mails.asked(List_Id="<all.a.example>")}},
        rejected={"code": "malformed"},
        flags=["attack"],
    )
    yield writes(
        "demand-through-a-list",
        "R59",
        "A list that put itself into From may be many readers, also where no field names it.",
        carried(linked),
        unit={"question": {"raw": mails.asked(From="Alice via All <all@lists.example>", Reply_To="alice@a.example")}},
        rejected={"code": "malformed"},
        flags=["attack"],
    )
    short = "What no reader takes goes out as text alone; the diagnostic says so."
    yield writes(
        "too-long",
        "R41",
        short,
        carried({**NO, "com.example.more": "x" * 20_000}),
        facts={"policy": None, "text": "No."},
        diagnostics=["part-changed"],
        level="SHOULD",
    )
    yield writes(
        "foreign-url",
        "PP",
        "A demand leads nowhere but to the agent that makes it.",
        carried({**NO, "url": "https://a.example/pay"}),
        rejected={"code": "malformed"},
        flags=["attack"],
    )


def packed(value: Any) -> str:
    """JSON in base64."""
    return standard(value if isinstance(value, bytes) else json.dumps(value, ensure_ascii=False).encode())


def folded(value: str, width: int, blank: str = " ") -> str:
    """The value in lines."""
    return f"\r\n{blank}".join(value[at : at + width] for at in range(0, len(value), width))


def mail(*values: str, head: str = HEAD, body: str = "Pay first.\r\n") -> str:
    """A mail of alice with these fields."""
    return f"{head}{''.join(f'{FIELD}: {value}' + chr(13) + chr(10) for value in values)}\r\n{body}"


def reads(name: str, section: str, why: str, raw: str, *parts: Case, notes: tuple[str, ...] = (), **more: Any) -> Case:
    """A mail, and the message that it becomes."""
    given = {"lookups": {**STORE, **zone()}}
    is_shown = more.pop("is_shown", False)
    if is_shown:
        more["verdict"] = VERDICT
    found = message(SHOWN if is_shown else sender(), parts=list(parts))
    return into(name, section, why, {"raw": raw}, given=given, messages=[found], diagnostics=list(notes), **more)


def read() -> Iterator[Case]:
    """Demands that come in."""
    said = text("Pay first.\n")
    demand = carried(LINKED)
    form = "Base64 and JSON are read, however they are folded; the text that says the same stays."
    value = packed(LINKED)
    for name, written_so in (
        ("base64", value),
        ("base64-folded", folded(value, 20)),
        ("base64-folded-by-tabs", folded(value, 7, "\t")),
        ("base64-folded-at-once", f"\r\n {value}"),
        ("json", json.dumps(LINKED)),
        ("json-folded", json.dumps(LINKED).replace(", ", ",\r\n ")),
        ("base64-of-spaced-json", standard(json.dumps(LINKED, indent=2).encode())),
    ):
        yield reads(name, "R41", form, mail(written_so), said, demand)
    city = {"kind": "forbidden", "message": "Grüße 東京"}
    yield reads("any-script", "R41", "In every script.", mail(packed(city)), said, carried(city))
    yield reads(
        "name-in-any-case",
        "RFC 5322 1.2.2",
        "Names of fields have no case.",
        mail(value).replace(FIELD, FIELD.upper()),
        said,
        demand,
    )
    unknown = KINDS["unknown"]
    yield reads(
        "unknown-kind", "PP 3.6", "A kind that is not known is kept.", mail(packed(unknown)), said, carried(unknown)
    )
    broken = "A demand that cannot be read counts for nothing; the text stays."
    for name, bad in (
        ("empty", ""),
        ("words", "Please pay."),
        ("cut", value[:-5]),
        ("other-letters", value.rstrip("=") + "!"),
        ("url-safe", url_safe({**NO, "message": "~~~~ ???? >>>>"})),
        ("not-utf8", packed(b"\xff")),
        ("not-json", packed(b"{")),
        ("member-twice", packed(b'{"kind":"forbidden","kind":"payment_required","message":"No."}')),
        ("array", packed([LINKED])),
        ("no-message", packed({"kind": "forbidden"})),
        ("no-offer", packed({**PAY, "accepted_payments": []})),
        ("large-number", packed({**NO, "com.example.n": 2**60})),
        ("too-deep", packed({**NO, "com.example.n": deep(70)})),
        ("too-long", packed({**NO, "com.example.n": "x" * 20_000})),
        ("json-cut", json.dumps(LINKED)[:-3]),
    ):
        yield reads(f"broken-{name}", "R41", broken, mail(bad), said, notes=("policy-malformed",))
    yield reads(
        "twice",
        "R41",
        "Of two demands nobody knows which one counts.",
        mail(value, packed(PAY)),
        said,
        notes=("policy-malformed",),
        flags=["attack"],
    )
    yield reads(
        "same-twice",
        "R41",
        "Even of two that are the same.",
        mail(value, value),
        said,
        notes=("policy-malformed",),
        flags=["attack"],
    )
    for name, url in (("foreign", "https://evil.example/pay"), ("subdomain", "https://pay.a.example/")):
        yield reads(
            f"url-{name}",
            "PP",
            "A demand leads nowhere but to the domain of its sender; the rest of it counts.",
            mail(packed({**NO, "url": url, "action_label": "Here"})),
            said,
            carried(NO),
            notes=("url-refused",),
            flags=["attack"],
        )
    spelled = f"{NAMES}:{FIELD}"
    whole, bare = mail(value).encode(), mail(value).encode()
    yield reads(
        "signed",
        "R41",
        "What the signature covers counts.",
        signed(whole, tags={"h": spelled}).decode(),
        said,
        demand,
        is_shown=True,
    )
    yield reads(
        "not-in-the-signature",
        "R41",
        "Anybody on the way may have added what the signature leaves out.",
        signed(bare).decode(),
        said,
        notes=("field-unsigned",),
        is_shown=True,
        flags=["attack"],
    )
    yield reads(
        "signature-broken",
        "R41",
        "In a mail that shows nobody the demand is what its text is: anybody's word.",
        signed(bare).decode().replace("Pay first.", "Pay twice."),
        text("Pay twice.\n"),
        demand,
        verdict={"verified": False},
    )
    yield reads(
        "no-body",
        "R40",
        "The demand stands behind the subject, which is the text of a mail without one.",
        mail(value, body=""),
        text("Hi"),
        demand,
    )


def behaviours() -> Iterator[tuple[str, str, list[Case]]]:
    """The files."""
    yield "wire-email-out", "email.reply", [*written()]
    yield "wire-email-in", "email.receive", [*read()]
