"""Mails for tests/differential that name others: ids of any form, folded and repeated fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.stored import HELPER, stored_message
from tests.differential.texts import chance, word

if TYPE_CHECKING:
    from random import Random

    Given = dict[str, Any]

_IDS: Final = (
    "<root@a.example>",
    "<x@y>",
    "<a.b+c@d.example>",
    "<no-at>",
    "<>",
    "<@>",
    "<a@>",
    "<a b@c>",
    "<a@b@c>",
    "<<a@b>",
    "text",
    "bare@id.example",
    "a@b@c",
    "<ü@é.example>",
    "<a\x85b@c>",
    "<a\ufeff@c>",
    "<a\u3000@c>",
    "<a\0b@c>",
    "<😀@c>",
    f"<{'x' * 2043}@yz>",
    f"<{'x' * 2044}@yz>",
    f"<{'😀' * 2043}@yz>",
    "(",
    ")",
    "(of <c@d>)",
    '"<q@r>"',
    "<m@",
    "n@o>",
    "<->",
    "<é>",
    "<f@mentionable.invalid>",
    "<Helper@agents.example>",
    "alice@a.example",
)
_INDEXES: Final = (
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9Rdw==",
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9RdwAAAAAA",
    "AQHcXuTHvU2mT0aN0kqkYbWvCw9Rdw=",
    "AQHcXuTHvU2mT0aN0kqk\r\n YbWvCw9Rdw==",
    "AAHcXuTHvU2mT0aN0kqkYbWvCw9Rdw==",
    "AQ==",
    "é",
    "",
)
_CONVERSATION: Final = "<thread-index.d081ddb130a61c1413fb752df7f80cf3@mentionable.invalid>"
_MORE_FIELDS: Final = (
    "Received: by x",
    "X-Spam: 1",
    "Comments:  a\r\n\t b",
    "List-Id: <l.l>",
    "Date : x",
    "arc-seal: 1",
)


def email_thread(random: Random) -> tuple[Any, Given]:
    lines = ["From: Alice <alice@a.example>", "To: helper@agents.example", "Date: Sat, 21 Nov 2026 10:00:00 +0000"]
    for name in ("References", "In-Reply-To", "Message-ID"):
        for _ in range(random.choice((0, 1, 1, 1, 2))):
            spelt = random.choice((name, name.lower(), name.upper()))
            ids = [
                random.choice(_IDS) if chance(random, 0.6) else f"<{word(random)}@{word(random)}.example>"
                for _ in range(random.randrange(4))
            ]
            gap = random.choice((" ", "\r\n ", "\r\n\t", "", ", ", "  "))
            lines.append(f"{spelt}:{random.choice((' ', '', '  '))}{gap.join(ids)}")
    if chance(random, 0.3):
        lines.append(f"Thread-Index: {random.choice(_INDEXES)}")
    lines += random.choices(_MORE_FIELDS, k=random.randrange(3))
    if chance(random, 0.5):
        head = lines[3:]
        random.shuffle(head)
        lines[3:] = head
    if chance(random, 0.1):
        lines.insert(random.randrange(3, len(lines) + 1), random.choice(_ODD_LINES))
    end = random.choice(("\r\n", "\r\n", "\r\n", "\n"))
    raw = end.join([*lines, "", "Hi", ""])
    if chance(random, 0.05):
        raw = raw.replace(end, "\n", random.randint(1, 3))
    if chance(random, 0.05):
        raw = f"\ufeff{raw}"
    table: Given = {"MESSAGE *": None, "HISTORY *": []}
    for one in (*_IDS, _CONVERSATION):
        if chance(random, 0.2):
            table[f"MESSAGE {one if one[0] == '<' else f'<{one}>'}"] = stored_message(random)
    return {"raw": raw}, {"recipient": HELPER, "lookups": table}


_ODD_LINES: Final = (
    *(
        "References : <odd@a.example>",
        "In-Reply-To\t: <odd@a.example>",
        "no field at all",
        ": <a@b>",
        "Réferences: <a@b>",
    ),
    *(" folded <into@before>", "In-Reply-To:", "References: \r <a@b>", "Message-ID: <a@b>\r\n\tc", "X-Y: \x00"),
)
