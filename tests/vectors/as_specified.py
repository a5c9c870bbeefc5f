"""The cases of senders who are shown, or are not, for which the specification alone decides.

Everything that it does not name, such as the code of a refusal, is left open. Ruling R66.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors import _a2a_rows as a2a
from tests.vectors import _ap as activitypub
from tests.vectors import case_file
from tests.vectors._a2a_tokens import T, token
from tests.vectors._email_head import from_is
from tests.vectors._email_rows import POLICY, as_raw, zone
from tests.vectors._email_signing import MAIL, RSA, record, signed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Case = dict[str, Any]
OPEN = {"$any": "json"}
NOBODY: Case = {
    "method": "none", "verified": False, "address": OPEN, "key_id": OPEN, "code": OPEN, "temporary": OPEN
}  # fmt: skip
NOTE = "Who is shown by what the specification says alone: codes, and names of keys without a form, are left open."


def files() -> Iterator[tuple[Path, str]]:
    """One file for each transport."""
    for area, cases in (("email", mails()), ("activitypub", activities()), ("a2a", calls())):
        yield case_file(area, "verify-as-specified", f"{area}.verify", NOTE, [*cases])


def row(where: str, section: str, why: str, given: Case, unit: Case, **verdict: Any) -> Case:
    """A case, and what of its verdict is not that nobody is shown."""
    area, _, name = where.partition("/")
    return {
        "id": f"{area}/verify-as-specified/{name}",
        "section": section,
        "level": "MUST",
        "why": why,
        "given": given,
        "input": unit,
        "value": {**NOBODY, **verdict},
    }


def mails() -> Iterator[Case]:
    """Mail: by the domain of From, by DMARC, or not at all."""

    def mail(name: str, why: str, raw: bytes, records: Case, section: str = "NM 5.3.2", **more: Any) -> Case:
        unit = {"raw": as_raw(raw), **more.pop("unit", {})}
        return row(f"email/{name}", section, why, {"lookups": zone(records)}, unit, **more)

    def published(domain: str, **more: str) -> Case:
        return {f"s._domainkey.{domain}": record(RSA), **more}

    def by(domain: str, author: str) -> bytes:
        return signed(from_is(f"Alice <alice@{author}>"), RSA, tags={"d": domain})

    own = by("a.example", "a.example")
    shown: Case = {"verified": True, "address": "@alice@a.example"}
    why = "A signature of the very domain of From shows the sender."
    yield mail("dkim", why, own, published("a.example"), method="email-dkim", **shown)
    why = "Two domains of one organisation belong together by DMARC, and DMARC passes."
    sibling = by("guest.corp.example", "hr.corp.example")
    names = published("guest.corp.example") | {"_dmarc.corp.example": POLICY}
    shown = {"verified": True, "address": "@alice@hr.corp.example"}
    yield mail("dmarc", why, sibling, names, method="email-dmarc", **shown)
    why = "A signature of somebody else shows nobody, and DMARC does not pass."
    names = published("mailer.example") | {"_dmarc.a.example": POLICY}
    yield mail("dkim-of-another", why, by("mailer.example", "a.example"), names)
    why = "The body must be the one that was signed."
    yield mail("body-changed", why, own.replace(b"Bye", b"Pay"), published("a.example"), section="NM 3.1")
    yield mail("unsigned", "Where nothing is signed nobody is shown.", MAIL, {})
    envelope = {"mail_from": "alice@a.example", "rcpt_to": ["helper@agents.example"], "spf": "pass"}
    why = "SPF that passes shows nobody by itself."
    yield mail("spf-alone", why, MAIL, {}, unit={"envelope": envelope})


def activities() -> Iterator[Case]:
    """ActivityPub: a signed request, a proof in the object, or nothing."""

    def sent(name: str, section: str, why: str, unit: Case, jrd: Any = None, **verdict: Any) -> Case:
        finger = activitypub.finger() if jrd is None else jrd
        lookups = activitypub.world(jrd=finger, **{"GET *": finger})
        return row(f"activitypub/{name}", section, why, {"lookups": lookups}, unit, **verdict)

    alice: Case = {"verified": True, "address": "@alice@social.example"}
    request = activitypub.cavage(activitypub.post(), activitypub.USUAL + " content-type")
    why = "A signature of the request that passes shows the actor, and names the key."
    by = {"method": activitypub.HTTP, "key_id": activitypub.KEY_ID}
    yield sent("http-signature", "NM 5", why, request, **alice, **by)
    why = "A proof in the object that passes shows the actor too."
    proven = activitypub.post(activitypub.proven())
    yield sent("object-proof", "NM 3.1", why, proven, **alice, method=activitypub.PROOF)
    why = "Where WebFinger does not know the address, nobody can tell it confidently."
    yield sent("address-unknown", "NM 3.1", why, request, {"status": 404, "content_type": "text/plain", "body": ""})
    why = "Where WebFinger names another actor, the address is not this one's."
    link = {"rel": "self", "type": "application/activity+json", "href": "https://social.example/users/bob"}
    other = activitypub.finger(activitypub.descriptor(links=[link]))
    yield sent("address-of-another", "NM 3.1", why, request, other)


def calls() -> Iterator[Case]:
    """A2A: a token that is valid, or is not."""

    def called(name: str, why: str, text: str, **verdict: Any) -> Case:
        return row(f"a2a/{name}", "NM 5", why, a2a.given(), a2a.request(text), **verdict)

    alice: Case = {"verified": True, "address": "@alice@a.example"}
    why = "A token that verifies, is for this audience and has not expired shows the caller, and names the key."
    yield called("token", why, token(), method="a2a-jwt", key_id="k1", **alice)
    expired, other = token(exp=T - 3_600, iat=T - 7_200), token(aud="https://other.example")
    yield called("token-expired", "What has expired shows nobody.", expired, method=OPEN)
    yield called("token-for-another", "A token for somebody else shows nobody.", other, method=OPEN)
