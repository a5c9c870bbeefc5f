"""Mutants of verifying mail: ARC."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._email import AREA, bytes_of
from tests.mutants._receiving import reports
from tests.mutants._verify_email_changes import says

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"

_VERIFIED = {"method": "email-dmarc", "verified": True, "address": "@alice@a.example", "code": None}
_KEY = "s._domainkey.lists.example"


def believes_seal(name: str, rule: str, when: Callable[[bytes], object]) -> None:
    """Registers a mutant that verifies mails whose chain is refused."""

    def change(value: dict[str, Any], raw: bytes) -> dict[str, Any]:
        is_refused = b"ARC-Seal:" in raw and not value["verified"]
        return {**value, **_VERIFIED, "key_id": _KEY} if is_refused and when(raw) else value

    says(name, rule, change)


def has(text: str) -> Callable[[bytes], object]:
    """Whether a mail holds what a pattern fits."""
    return re.compile(text.encode()).search


def _sealers(unit: Any) -> list[str]:
    return [domain.decode() for domain in re.findall(rb"(?m)^ARC-Seal:.*? d=([^;]+);", bytes_of(unit))]


@mutant(AREA, "Trusts each sealer, whatever the settings say.")
def trusts_each_sealer(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if not op.startswith("email.") or "raw" not in unit:
        return honest(op, given, unit)
    settings = {**given.get("settings", {}), "trusted_arc_sealers": _sealers(unit)}
    return honest(op, {**given, "settings": settings}, unit)


@mutant(AREA, "Trusts each sealer when one of them is trusted.")
def trusts_all_for_one(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    settings = given.get("settings", {})
    if op.startswith("email.") and {*settings.get("trusted_arc_sealers", ())} & {*_sealers(unit)}:
        settings = {**settings, "trusted_arc_sealers": _sealers(unit)}
    return honest(op, {**given, "settings": settings} if settings else given, unit)


@mutant(AREA, "Never believes a seal.")
def trusts_no_sealer(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    settings = {name: value for name, value in given.get("settings", {}).items() if name != "trusted_arc_sealers"}
    return honest(op, {**given, "settings": settings} if "settings" in given else given, unit)


@mutant(AREA, "Trusts what is below a trusted domain.")
def trusts_subdomains(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = dict(honest(op, given, unit))
    if op == "email.verify" and "x.lists.example" in _sealers(unit):
        answer["value"] = {**answer["value"], **_VERIFIED}
    return answer


believes_seal("passes-over-cv", "Does not look at cv=.", has(r"cv=fail"))
believes_seal("takes-cv-none-anywhere", "Takes cv=none in the middle of a chain.", has(r"i=2; .*cv=none"))
believes_seal("takes-cv-pass-at-first", "Takes cv=pass for the first set.", has(r"Seal: i=1; .*cv=pass"))
believes_seal("wants-no-cv", "Takes a seal without cv=.", has(r"Seal: i=1; a=rsa-sha256; d="))
believes_seal("counts-no-sets", "Takes a chain of any length.", lambda raw: raw.count(b"ARC-Seal:") > 50)
believes_seal("skips-instances", "Takes a chain with a gap.", has(r"Seal: i=3(?s:.)*Seal: i=1"))
believes_seal(
    "begins-anywhere",
    "Takes a chain that begins with instance 2.",
    has(r"\AARC-Seal: i=2(?!(?s:.)*Seal: i=1)"),
)
believes_seal("begins-at-zero", "Takes instance 0.", has(r"ARC-Seal: i=0;"))
believes_seal("reads-numbers-loosely", "Takes an instance with a zero before it.", has(r"i=01;"))
believes_seal("takes-a-set-twice", "Takes a seal that is there twice.", lambda raw: raw.count(b"ARC-Seal: i=1;") == 2)
believes_seal("takes-results-twice", "Takes results that are there twice.", has(r"Results: i=1(?s:.)*Results: i=1"))
believes_seal("wants-no-results", "Takes a set without results.", has(r"(?s)\A(?!.*Results:)"))
believes_seal("wants-no-message-signature", "Takes a set without message signature.", has(r"(?s)\A(?!.*ARC-Message)"))
believes_seal("signs-seals", "Takes a message signature over seals.", has(r"h=from:subject:arc-seal"))
believes_seal("wants-no-from", "Takes a message signature that does not cover From.", has(r"h=to:subject;"))
believes_seal("takes-length-in-a-chain", "Takes l= in a message signature.", has(r"l=5"))
believes_seal("takes-fields-in-a-seal", "Takes h= in a seal.", has(r"ARC-Seal:.*h=from"))
believes_seal("takes-a-digest-in-a-seal", "Takes bh= in a seal.", has(r"ARC-Seal:.*bh="))
believes_seal("takes-sha-1-in-a-seal", "Takes SHA-1 in a seal.", has(r"ARC-Seal:.*rsa-sha1"))
believes_seal("passes-over-times-of-seals", "Does not look at t= of a seal.", has(r"ARC-Seal:.* t=18"))
believes_seal("passes-over-expiry-of-seals", "Does not look at x= of a message signature.", has(r"x=1600000000"))
believes_seal("hashes-no-body-of-seals", "Does not compare bh= of a chain.", has(r"\r\nPay!\r\n"))
believes_seal("verifies-the-newest-seal-alone", "Does not verify the seals before the newest.", has(r"n=2"))
believes_seal("reads-comments-as-results", "Reads results in comments.", has(r"\(x; dkim=pass"))
believes_seal("reads-strings-as-results", "Reads results in quoted strings.", has(r'"x; dkim=pass'))
believes_seal("reads-odd-results", "Reads results whose comment has no end.", has(r"a\.example \(x\r\n"))
believes_seal(
    "takes-failed-results",
    "Takes any result of DKIM for a pass.",
    has(r"example; dkim=fail header\S*\r"),
)
believes_seal("takes-spf-of-others", "Takes SPF that another server saw.", has(r"\.example; spf=pass smtp"))
believes_seal("takes-dmarc-of-others", "Takes DMARC that another server saw.", has(r"dmarc=pass header\.from"))
believes_seal("takes-any-domain-of-results", "Takes a result for another domain.", has(r"pass header\.d=b\.example\r"))
believes_seal("takes-subdomains-of-results", "Takes a result for a subdomain.", has(r"header\.d=x\.a\.example"))


def _with_evidence(answer: dict[str, Any]) -> dict[str, Any]:
    for message in answer["messages"]:
        sender = message["sender"]
        if sender["verified"] and "identities" not in sender:
            sender["identities"] = [{"subject": sender["address"], "issuer": "lists.example"}]
    return answer


reports(AREA, "makes-evidence-of-seals", "Makes evidence of what a forwarder says.", _with_evidence)
