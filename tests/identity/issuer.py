"""A connector, evidence that it signed, and answers in which its card is stored and nothing was used yet."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from mentionable import Answers, Failed, Fetched, Sender, Settings, SigningKey, decode, drive, identity
from tests.used import remembering
from tests.vectors._identity_rows import AGENT, BOT, CARD, CARD_URL, ENTRY, HOST, KID, signed

NOW = datetime(2026, 11, 21, 20, 56, tzinfo=UTC)
KEY = SigningKey.from_seed(bytes(range(32)), key_id=KID)
TRUST = Settings(trust=decode(identity.TrustPolicy, [ENTRY]))
JSON = "application/json"
SENDER = Sender(address=BOT)


def trusting(*entries):
    return Settings(trust=decode(identity.TrustPolicy, list(entries)))


class World:
    """Answers what verifying asks, and remembers what it was asked."""

    def __init__(self, *cards, url=CARD_URL, free=True):
        self.cards = cards or (CARD,)
        self.url = url
        self.free = free
        self.used = {}
        self.asked = []

    def fetch(self, ask):
        self.asked.append(ask)
        card = self.cards[min(ask.fresh, len(self.cards) - 1)]
        if isinstance(card, (Failed, Fetched)):
            return card
        return Fetched(url=self.url, status=200, content_type=JSON, body=json.dumps(card).encode())

    def use_once(self, ask):
        self.asked.append(ask)
        if self.free is not True:
            return self.free
        return remembering(self.used)(ask)

    @property
    def answers(self):
        return Answers(fetch=self.fetch, use_once=self.use_once)


def as_bytes(evidence):
    return evidence if isinstance(evidence, bytes) else json.dumps(evidence).encode()


def verified(evidence, world=None, *, recipient=AGENT, caller=BOT, message_digest=b"Hi", now=NOW, settings=TRUST):
    flow = identity.verify(
        as_bytes(evidence),
        recipient=recipient,
        caller=caller,
        message_digest=message_digest,
        now=now,
        settings=settings,
    )
    return drive(flow, (world or World()).answers)


def forwarded(
    carrier, world=None, *, sender=SENDER, recipient=AGENT, caller=BOT, message_digest=b"Hi", now=NOW, settings=TRUST
):
    flow = identity.verify_all(
        carrier,
        sender=sender,
        recipient=recipient,
        caller=caller,
        message_digest=message_digest,
        now=now,
        settings=settings,
    )
    return drive(flow, (world or World()).answers)


def attested(**members):
    usual = {"subject": "slack:T123/U456", "method": ENTRY["methods"][0], "assurance": "platform"}
    terms = {"issuer": HOST, "audience": AGENT, "key": KEY, "now": NOW}
    chosen = {name: members.pop(name) for name in ("issuer", "audience", "key", "now", "lifetime") if name in members}
    return identity.attest(identity.Statement(**{**usual, **members}), **{**terms, **chosen})


SHOWN = verified(signed())
