"""Mutants of what is asked about the sender of an activity."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.mutants import mutant
from tests.mutants._receiving import looks_up
from tests.mutants._signatures import AREA, concerns

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.mutants import Perform

Answer = "Mapping[str, Any]"
FINGER = "/.well-known/webfinger"


def verdicts(name: str, rule: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Registers a mutant that gives another verdict on what is signed."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        answer = honest(op, given, unit)
        member = "value" if op in ("activitypub.verify", "activitypub.verify_reader") else "verdict"
        if not concerns(unit, "signed") or not isinstance(answer.get(member), dict):
            return answer
        return {**answer, member: change(dict(answer[member]))}

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def documents(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that takes documents of ActivityStreams for others."""

    def changed(row: str, answer: Any) -> Any:
        if not row.startswith("GET ") or FINGER in row:
            return answer
        if isinstance(answer, list):
            return [changed(row, found) for found in answer]
        return change({**answer, "row": row.removeprefix("GET ")}) if isinstance(answer, dict) else answer

    def cleaned(row: str, answer: Any) -> Any:
        found = changed(row, answer)
        return {name: member for name, member in found.items() if name != "row"} if isinstance(found, dict) else found

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
        if not concerns(unit, "signed"):
            return honest(op, given, unit)
        lookups = {row: cleaned(row, answer) for row, answer in copy.deepcopy(given["lookups"]).items()}
        return honest(op, {**given, "lookups": lookups}, unit)

    wrong.__name__ = name
    mutant(AREA, rule)(wrong)


def fingers(name: str, rule: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Registers a mutant that takes answers to WebFinger for others."""

    def changed(row: str, answer: Any) -> Any:
        return change(copy.deepcopy(answer)) if FINGER in row and isinstance(answer, dict) else answer

    looks_up(AREA, name, rule, changed)


# --- documents of actors and keys


def no_uploads(found: dict[str, Any]) -> dict[str, Any]:
    kind = found.get("content_type", "")
    return {**found, "content_type": "application/activity+json"} if kind.startswith("text/") or not kind else found


def any_json(found: dict[str, Any]) -> dict[str, Any]:
    return {**found, "content_type": "application/activity+json"} if "json" in found.get("content_type", "") else found


documents(
    "takes-pages", "Takes a page for an actor.", lambda found: no_uploads(found) if "failed" not in found else found
)
documents("takes-plain-json", "Takes JSON of any type for an actor.", any_json)
documents(
    "one-type-alone",
    "Knows one type of ActivityStreams only.",
    lambda found: (
        {**found, "content_type": "x/x"} if found.get("content_type", "").startswith("application/ld") else found
    ),
)
documents(
    "no-parameters-of-types",
    "Knows no charset.",
    lambda found: {**found, "content_type": "x/x"} if "charset" in found.get("content_type", "") else found,
)
documents(
    "follows-redirects",
    "Takes a document wherever it came from.",
    lambda found: {name: member for name, member in found.items() if name != "url"},
)
documents(
    "gone-is-open",
    "Takes gone for not answered.",
    lambda found: {"failed": "gone", "temporary": False} if found.get("status") in (404, 410) else found,
)
documents("open-is-gone", "Takes not answered for gone.", lambda found: {"status": 404} if "failed" in found else found)
documents(
    "never-is-later",
    "Takes what cannot be asked for what may be asked later.",
    lambda found: {**found, "temporary": True} if "failed" in found else found,
)
documents(
    "busy-is-refused",
    "Takes a busy server for one that refuses.",
    lambda found: {**found, "status": 400} if found.get("status") in (429, 503) else found,
)
documents(
    "refused-is-gone",
    "Takes a server that refuses for one that knows nobody.",
    lambda found: {"status": 404} if found.get("status") == 401 else found,
)


@mutant(AREA, "Tries again at once.")
def tries_again(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    code = (answer.get("value") or {}).get("code")
    return (
        {**answer, "asks": [*answer["asks"], *answer["asks"]]}
        if code in ("key-unresolvable", "key-unknown")
        else answer
    )


@mutant(AREA, "Asks for the actor before it looks at the request.")
def asks_at_once(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    if (
        op != "activitypub.verify"
        or answer["asks"]
        or answer["value"]["code"] not in ("digest-mismatch", "expired", "host-mismatch")
    ):
        return answer
    return {**answer, "asks": ["GET https://social.example/users/alice"]}


@mutant(AREA, "Asks for the domain twice.")
def asks_twice(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    first = next((ask for ask in answer.get("asks", ()) if FINGER in ask), None)
    return answer if first is None else {**answer, "asks": [*answer["asks"], first]}


@mutant(AREA, "Knows no budget.")
def knows_no_budget(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    limits = given.get("settings", {}).get("limits", {})
    return honest(op, given, unit) if limits.get("asks", 9) > 1 else honest(op, {**given, "settings": {}}, unit)


# --- the address


def link_of(found: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """An answer with its links changed."""
    document = found.get("json")
    if isinstance(document, dict) and isinstance(document.get("links"), list):
        for link in document["links"]:
            if isinstance(link, dict):
                change(link)
    return found


ALICE = "https://social.example/users/alice"
fingers(
    "any-server",
    "Takes a link to anybody.",
    lambda found: link_of(found, lambda link: link.update(href=ALICE) if "other" in str(link.get("href")) else None),
)
fingers(
    "any-user-of-the-host",
    "Takes a link to anybody of the server.",
    lambda found: link_of(
        found, lambda link: link.update(href=ALICE) if "social.example/users" in str(link.get("href")) else None
    ),
)
fingers(
    "any-relation", "Takes a link of any relation.", lambda found: link_of(found, lambda link: link.update(rel="self"))
)
fingers(
    "any-link-type",
    "Takes a link of any type.",
    lambda found: link_of(found, lambda link: link.update(type="application/activity+json")),
)
fingers(
    "one-link-type",
    "Knows one type of links only.",
    lambda found: link_of(found, lambda link: link.update(type="x/x") if "ld+json" in str(link.get("type")) else None),
)
fingers(
    "first-link",
    "Looks at the first link only.",
    lambda found: (
        found | {"json": found["json"] | {"links": found["json"]["links"][:1]}}
        if isinstance(found.get("json"), dict) and isinstance(found["json"].get("links"), list)
        else found
    ),
)
fingers(
    "jrd-alone",
    "Wants the type of WebFinger.",
    lambda found: (
        found
        if found.get("content_type") == "application/jrd+json" or "failed" in found
        else {**found, "content_type": "x/x"}
    ),
)
fingers(
    "any-finger-type",
    "Takes WebFinger of any type.",
    lambda found: {**found, "content_type": "application/json"} if "content_type" in found else found,
)
fingers(
    "any-finger-url",
    "Takes WebFinger over http.",
    lambda found: {name: member for name, member in found.items() if name != "url"},
)
fingers(
    "follows-no-redirect",
    "Knows no redirect of WebFinger.",
    lambda found: {**found, "status": 404} if found.get("url", "").startswith("https:") else found,
)
fingers(
    "unknown-is-later",
    "Takes an unknown address for one that may be known later.",
    lambda found: {"failed": "x"} if found.get("status") in (404, 410) else found,
)
fingers(
    "later-is-unknown",
    "Takes a domain that does not answer for one that knows nobody.",
    lambda found: {"status": 404} if "failed" in found or found.get("status") in (429, 500) else found,
)
fingers(
    "never-is-later-there",
    "Takes a domain that cannot be asked for one that may be asked later.",
    lambda found: {**found, "temporary": True} if "failed" in found else found,
)


def lenient(found: dict[str, Any]) -> dict[str, Any]:
    """What somebody takes who reads on whatever stands there."""
    link = {"rel": "self", "type": "application/activity+json", "href": ALICE}
    return (
        {"content_type": "application/jrd+json", "json": {"subject": "acct:alice@social.example", "links": [link]}}
        if "body" in found
        else found
    )


fingers("reads-anything", "Takes a descriptor that cannot be read.", lenient)


def linkless(found: dict[str, Any]) -> dict[str, Any]:
    document = found.get("json")
    is_linkless = isinstance(document, dict) and (not document.get("links") or isinstance(document["links"], str))
    return lenient({"body": ""}) if is_linkless else found


fingers("needs-no-links", "Takes a domain that links nothing.", linkless)


def subjectless(found: dict[str, Any]) -> dict[str, Any]:
    document = found.get("json")
    odd = isinstance(document, dict) and "@" not in str(document.get("subject"))
    return lenient({"body": ""}) if odd else found


fingers("needs-no-subject", "Takes a domain that does not say of whom it speaks.", subjectless)
fingers(
    "subjects-have-case",
    "Takes a subject in capitals for another.",
    lambda found: (
        found | {"json": found["json"] | {"subject": "acct:x@x.example"}}
        if isinstance(found.get("json"), dict)
        and str(found["json"].get("subject")) != str(found["json"].get("subject")).lower()
        else found
    ),
)


@mutant(AREA, "Takes a name that makes no address.")
def takes_any_name(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    if "GET *" not in given["lookups"] or op != "activitypub.verify":
        return honest(op, given, unit)
    answer = honest(op, given, unit)
    return {**answer, "value": {**answer["value"], "verified": True, "address": "@alice@victim.example"}}


@mutant(AREA, "Takes the address that the actor claims.")
def believes_claims(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    document = given["lookups"].get(f"GET {ALICE}")
    claim = (
        document.get("json", {}).get("webfinger")
        if isinstance(document, dict) and isinstance(document.get("json"), dict)
        else None
    )
    return {**answer, "value": {**answer["value"], "verified": True, "address": f"@{claim}"}} if claim else answer


# --- the verdict

verdicts(
    "forgets-the-key",
    "Does not say which key it was.",
    lambda found: found | {"key_id": None} if found["method"] == "ap-object-integrity-proof" else found,
)
verdicts("never-temporary", "Never says that trying again may help.", lambda found: found | {"temporary": False})
verdicts(
    "always-temporary",
    "Says of what could not be asked that trying again may help.",
    lambda found: found | {"temporary": found["temporary"] or str(found["code"]).endswith("-unresolvable")},
)
verdicts(
    "one-method",
    "Calls every proof a signature.",
    lambda found: found | {"method": "ap-http-signature"} if found["verified"] else found,
)
