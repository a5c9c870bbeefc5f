"""Mutants of the BlueBubbles connector: the secret, what is a message, whom it names, and the calls that answer."""

from __future__ import annotations

from tests.mutants._discord import kept, with_member

VERIFY, RECEIVE, SENDER = ("bluebubbles.verify",), ("bluebubbles.receive",), ("bluebubbles.sender",)
FILES, REPLY, CHATS = ("bluebubbles.files",), ("bluebubbles.reply",), ("bluebubbles.chats",)


# --- whom it names

kept(
    "bluebubbles",
    "inline",
    "Says that mentions are routed.",
    with_member(("recipient_capabilities", "mention_relay", "kind"), "inline"),
)
