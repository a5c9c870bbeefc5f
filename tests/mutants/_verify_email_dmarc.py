"""Mutants of verifying mail: DMARC and SPF, and what the message says of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._email import AREA
from tests.mutants._receiving import asks_more, named, reports
from tests.mutants._verify_email_changes import believes, on_records, says

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


def on_dmarc(name: str, rule: str, change: Callable[[str], str]) -> None:
    """Registers a mutant that reads DMARC records otherwise."""
    on_records(name, rule, change, under="_dmarc")


believes("takes-any-signer", "Takes a signature of anybody.", "not-aligned", lambda _: True)
on_dmarc("passes-over-adkim", "Does not look at adkim=.", lambda text: text.replace("adkim=s", ""))
on_dmarc("passes-over-aspf", "Does not look at aspf=.", lambda text: text.replace("aspf=s", ""))
on_dmarc("takes-aspf-for-adkim", "Takes aspf= for adkim=.", lambda text: text.replace("aspf", "adkim"))
on_dmarc(
    "strict-by-default",
    "Takes relaxed for strict where it is named.",
    lambda text: text.replace("=r;", "=s;") if not text.endswith("adkim=r") else text[:-1] + "s",
)
on_dmarc("passes-over-psd", "Does not look at psd=.", lambda text: re.sub(r"; psd=.", "", text))
on_dmarc(
    "wants-a-policy-that-acts", "Takes p=none for no record.", lambda text: "" if text == "v=DMARC1; p=none" else text
)
on_dmarc("wants-p", "Takes a record without p= for none.", lambda text: "" if "p=" not in text.lower() else text)
on_dmarc("compares-no-case", "Reads the version in any case.", lambda text: text.replace("dmarc1", "DMARC1"))
on_dmarc(
    "reads-version-last",
    "Reads the version anywhere.",
    lambda text: text.replace("p=reject; v=DMARC1", "v=DMARC1; p=reject"),
)
on_dmarc("reads-strictly", "Refuses a record for what is wrong in it.", lambda text: "" if "nothing" in text else text)
on_dmarc(
    "wants-it-alone-in-dmarc",
    "Refuses other records beside the one.",
    lambda text: "v=DMARC1; p=none" if "spf1" in text else text,
)


@mutant(AREA, "Takes a DMARC record that cannot be had for none.")
def takes_failed_records_for_none(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    lookups = {
        row: [] if "_dmarc" in row and isinstance(found, dict) else found for row, found in given["lookups"].items()
    }
    return honest(op, {**given, "lookups": lookups}, unit)


@mutant(AREA, "Says that every failure of DMARC may pass.")
def hopes_for_every_record(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    lookups = {
        row: {"failed": "x"} if "_dmarc" in row and isinstance(found, dict) else found
        for row, found in given["lookups"].items()
    }
    return honest(op, {**given, "lookups": lookups}, unit)


@mutant(AREA, "Has no budget for mail.")
def asks_beyond_its_budget(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    settings = {name: found for name, found in given.get("settings", {}).items() if name != "limits"}
    return honest(op, {**given, "settings": settings} if op == "email.verify" else given, unit)


def _dmarc_of_author(unit: Any) -> list[str]:
    raw = unit["raw"] if isinstance(unit["raw"], str) else ""
    found = re.search(r"(?m)^From: .*@([a-z0-9.-]+)", raw)
    return [f"TXT _dmarc.{found[1]}"] if found and "DKIM-Signature" in raw else []


def asks_for_dmarc_always(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    asks = _dmarc_of_author(unit) if op == "email.verify" and answer["asks"] else []
    return {**answer, "asks": [*answer["asks"], *asks]}


named(AREA, "asks-for-dmarc-always", "Asks for DMARC where a signature decides.", asks_for_dmarc_always)

# --- SPF


def with_envelope(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that takes the envelope for another one."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if "envelope" not in unit:
            return honest(op, given, unit)
        return honest(op, given, {**unit, "envelope": change(dict(unit["envelope"]))})

    named(AREA, name, rule, wrong)


with_envelope("takes-every-spf", "Takes every result of SPF for a pass.", lambda found: {**found, "spf": "pass"})
with_envelope("passes-over-spf", "Does not look at SPF.", lambda found: {**found, "spf": "none"})


@mutant(AREA, "Takes any envelope for the sender's.")
def takes_any_envelope(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if "envelope" not in unit or "@" not in (unit["envelope"]["mail_from"] or ""):
        return honest(op, given, unit)
    return honest(op, given, {**unit, "envelope": {**unit["envelope"], "mail_from": "any@a.example"}})


says(
    "names-spf-otherwise",
    "Calls DMARC by SPF none.",
    lambda value, _: {**value, "method": "none"} if value["code"] == "spf-only" else value,
)

# --- the message


def on_sender(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that tells of verified senders otherwise."""

    def changed(one: dict[str, Any]) -> dict[str, Any]:
        return {**one, "sender": change(one["sender"])} if one["sender"]["verified"] else one

    reports(AREA, name, rule, lambda answer: {**answer, "messages": [changed(one) for one in answer["messages"]]})


def on_raw(name: str, rule: str, member: str, change: Callable[[Any], Any]) -> None:
    """Registers a mutant that tells of signatures in raw otherwise."""

    def changed(one: dict[str, Any]) -> dict[str, Any]:
        found = one["raw"].get(member)
        return {**one, "raw": {**one["raw"], member: change(found)}} if found is not None else one

    reports(AREA, name, rule, lambda answer: {**answer, "messages": [changed(one) for one in answer["messages"]]})


def on_results(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that tells of each signature otherwise."""
    on_raw(name, rule, "dkim", lambda dkim: {"results": [change(one) for one in dkim["results"]]})


def on_settings(name: str, rule: str, **members: bool) -> None:
    """Registers a mutant with settings of its own."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        return honest(op, {**given, "settings": {**given.get("settings", {}), **members}}, unit)

    named(AREA, name, rule, wrong)


on_sender(
    "hides-evidence",
    "Gives no evidence.",
    lambda one: {name: found for name, found in one.items() if name != "identities"},
)
on_sender(
    "hides-keys",
    "Does not say which key.",
    lambda one: {name: found for name, found in one.items() if name != "key_id"},
)
on_sender(
    "evidence-for-one",
    "Gives evidence to the first agent alone.",
    lambda one: {**one, "identities": [{**each, "audience": "@helper@agents.example"} for each in one["identities"]]},
)
on_results("hides-codes", "Does not say why a signature does not count.", lambda one: {**one, "code": None})
on_results("hides-signed-fields", "Does not say what is signed.", lambda one: {**one, "signed_fields": None})
on_results(
    "says-fail-for-all",
    "Calls every fault a failure.",
    lambda one: {**one, "status": "pass" if one["code"] is None else "fail"},
)
on_raw("hides-results", "Tells of the first signature alone.", "dkim", lambda dkim: {"results": dkim["results"][:1]})
on_raw(
    "hides-alignment",
    "Does not say what DMARC rests on.",
    "dmarc",
    lambda found: {**found, "aligned": None, "signer": None},
)
on_raw("hides-dmarc", "Does not say what DMARC says.", "dmarc", lambda _: None)
on_raw("hides-spf", "Does not say what SPF says.", "spf", lambda _: None)
on_settings("takes-all-mail", "Takes mail that shows nobody.", require_verified=False)
on_settings("takes-copies", "Does not look for copies.", use_once=False)
on_settings("looks-for-copies", "Looks for copies unasked.", use_once=True)
asks_more(
    AREA,
    "uses-up-nothing",
    "Uses up what shows nobody.",
    lambda unit: [] if "DKIM-Signature" in str(unit["raw"]) else ["ONCE mail:x"],
)


@mutant(AREA, "Looks keys up for nobody.")
def asks_before_serving(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    served = "rejected" not in answer or answer["rejected"]["code"] != "no-served-recipient"
    return answer if served else {**answer, "asks": [*answer["asks"], "TXT s._domainkey.a.example"]}


@mutant(AREA, "Loses a mail whose key cannot be had now.")
def loses_mail(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if answer.get("rejected") == {"code": "lookup-failed"} and op == "email.receive" and answer["verdict"]:
        return {**answer, "rejected": {"code": "verification-required"}}
    return answer


@mutant(AREA, "Takes a copy that cannot be told for a new one.")
def hopes_for_new(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(
        op,
        {
            **given,
            "lookups": {
                row: found for row, found in given["lookups"].items() if row != "ONCE *" or not isinstance(found, dict)
            },
        },
        unit,
    )


@mutant(AREA, "Refuses mail that shows nobody, unasked.")
def refuses_unverified(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    code = (answer.get("verdict") or {}).get("code")
    if "messages" in answer and code not in (None, "unsigned"):
        return {"asks": answer["asks"], "verdict": answer["verdict"], "rejected": {"code": "verification-required"}}
    return answer
