"""That `requirements.json` covers the five documents and the rulings, and that every case is claimed by a demand."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from fnmatch import translate
from functools import cache
from typing import Any, Final

import mentionable_conformance as suite
import pytest

from tests import tiers
from tests.packages import ROOT
from tests.suite_cases import every_case

CASES: Final = every_case()
REQUIREMENTS: Final[list[dict[str, Any]]] = json.loads((suite.root() / "requirements.json").read_text())["requirements"]
BY_ID: Final = {requirement["id"]: requirement for requirement in REQUIREMENTS}
RULINGS: Final = {*range(1, 67), *range(69, 81)}  # 67 and 68: reports, Pythons

NUMBERED: Final = {
    "NM 3": "the shape",
    "NM 3.1": "what each member promises",
    "NM 3.2": "parts",
    "NM 3.3": "what a platform offers",
    "NM 3.3.1": "its value for each protocol",
    "NM 3.3.1.1": "A2A on behalf of a platform",
    "NM 3.3.2": "what agents are told of it",
    "NM 3.3.4": "what callers forward of it",
    "NM 3.3.5": "the place in a chain",
    "NM 3.4": "resolutions",
    "NM 4": "the response",
    "NM 5": "the table of the three protocols",
    "NM 5.1": "parts of an activity",
    "NM 5.1.1": "threads of activities",
    "NM 5.2": "parts over A2A",
    "NM 5.3": "parts of a mail",
    "NM 5.3.1": "threads of mail",
    "NM 5.3.2": "methods of mail",
    "NM 5.4": "history",
    "NM 6": "what stands in raw",
    "NM 7": "one form of everything",
    "NM 8": "who conforms",
    "NM 10.1": "what a trace is for",
    "NM 10.2": "its payload",
    "NM 10.3": "where it stands",
    "NM 10.4": "the setting of its viewer",
    "NM 10.5": "how large it is",
    "NM 10.6": "that it comes back",
    "NM 10.7": "its words",
    "NM 10.8": "what it is at a message",
    "NM 10.9": "that nothing is negotiated",
    "NM 10.10": "what it must not be",
    "ANP 2": "three flags",
    "ANP 2.1": "address",
    "ANP 2.2": "target",
    "ANP 2.3": "handler",
    "ANP 3": "one owner",
    "ANP 3.1": "channels",
    "ANP 4.1": "events for the user",
    "ANP 4.2": "events for the agent",
    "ANP 5.1": "states",
    "ANP 5.2": "what the agent knows of the user",
    "ANP 6.1": "internal turns",
    "ANP 6.1.1": "classes of actions",
    "ANP 6.1.2": "who classifies them",
    "ANP 6.2": "the watchdog",
    "ANP 6.3": "leases",
    "ANP 6.4": "order",
    "ANP 7": "duplicates",
    "ANP 7.1": "keys",
    "ANP 8.1": "the schema",
    "ANP 8.2": "its members",
}
"""Each numbered section that demands something, and what it is about."""

WITHOUT_DEMANDS: Final = {
    "NM 1": "goals",
    "NM 2": "what is no goal",
    "NM 3.3.3": "why the capabilities are a union",
    "NM 9": "questions that are open",
    "ANP 1": "abstract",
    "ANP 4": "how to read the two tables",
    "ANP 5": "says of the states what its first section demands",
    "ANP 6": "a heading",
    "ANP 8": "a heading",
    "ANP 9": "limits that are known",
    "ANP 9.1": "what is not demanded of a context",
}
"""The numbered sections that demand nothing of their own."""

PARTS: Final = {
    "PP": {
        "what policies are for": ("pp/when-to-demand", "pp/5/next-turn"),
        "seven kinds": ("pp/kinds", "pp/http", "pp/3-6/unknown-kinds", "pp/3-6/unknown-on-wires"),
        "members of every kind": (
            "pp/message", "pp/data", "pp/https", "pp/own-host", "pp/translations", "pp/never-an-error",
            "pp/issue-whole",
        ),
        "members of each kind": ("pp/kinds/*",),
        "schemes of payment": ("pp/unknown-scheme", "pp/words-and-link"),
        "resolutions": ("pp/5/*",),
        "two ways to resume": ("pp/5/in-band", "pp/5/out-of-band"),
        "how each transport carries them": (
            "pp/place-on-a2a", "pp/receipt-on-a2a", "pp/final-frame", "pp/mail", "pp/activitypub", "pp/http",
            "pp/rest-demands",
        ),
        "rules of security": ("d/b3/*", "d/b11/*", "pp/own-host-on-wires"),
        "how an agent declares them": ("pp/declared", "r/41/card"),
        "mistakes that are common": ("d/b11/agent-rules", "nm/8/agent-answers"),
    },
    "BC": {
        "what a connector is": ("bc/assert-what-is-verified",),
        "what it needs: verification": ("bc/*/verify", "bc/bluebubbles/secret"),
        "what it needs: finding the agent": ("bc/resolution",),
        "what it needs: messages": ("bc/slack/*", "bc/discord/*", "bc/bluebubbles/*"),
        "what it needs: evidence": ("bc/slack/evidence", "bc/discord/people", "bc/evidence-form"),
        "what it needs: a card": ("bc/card", "bc/card-route"),
        "what it needs: policies": ("bc/native-demands", "bc/single-use"),
        "what it needs: words for operators": ("bc/operators-are-told",),
        "attestations": ("bc/attestation", "bc/*/attest", "bc/no-linking"),
        "profiles": ("bc/profile", "bc/profile-*", "bc/slack/name-order", "bc/slack/picture-order"),
        "history": ("bc/history-*", "bc/*/history"),
        "files": ("bc/files/*",),
        "trust": ("bc/trust-*",),
        "the list of checks": (
            "bc/audience-canonical", "bc/five-minutes", "bc/rotation", "bc/no-strange-cards", "bc/public-hosts",
            "bc/no-secrets-in-claims", "bc/replay-ids",
        ),
    },
    "MI": {
        "the rule": ("mi/content*", "mi/every-way-in"),
        "why it exists": ("mi/attribution", "mi/historic-rows"),
        "the metadata": ("mi/required", "mi/optional", "mi/extra-members", "mi/types-told-apart", "mi/hints*"),
        "an example: Slack": ("mi/examples", "mi/token", "mi/token-copied"),
        "what a model sees": ("mi/attribution", "mi/header", "mi/thread-context"),
        "an example: Discord": ("mi/examples", "mi/token"),
        "an example: BlueBubbles": ("mi/examples", "mi/token"),
        "what assembly does": (
            "mi/header", "mi/attribution", "mi/thread-context", "mi/idempotent", "mi/metadata-inside", "mi/passive",
            "mi/summary", "mi/agents", "mi/prompt-*", "mi/stored-rows", "mi/back-to-a-turn",
        ),
        "the list of checks": ("mi/content", "mi/required", "mi/token", "mi/context-apart", "mi/interfaces"),
        "historic rows": ("mi/historic-rows", "d/i18/*"),
    },
}  # fmt: skip
"""Each part of a document without numbers, and the requirements that stand for it."""


IDS: Final = sorted(case.id for case in CASES)


@cache
def ids_like(pattern: str) -> tuple[str, ...]:
    """The ids of the cases that a pattern names."""
    begin = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    fits = re.compile(translate(pattern)).match
    near = IDS[bisect_left(IDS, begin) : bisect_left(IDS, begin + "\x7f")]
    return tuple(filter(fits, near))


LEVELS: Final = {case.id: case.level for case in CASES}


def test_every_numbered_section_has_a_requirement() -> None:
    named = {requirement["section"] for requirement in REQUIREMENTS}
    assert set(NUMBERED) - named == set()


def test_no_requirement_names_a_section_that_is_not_listed() -> None:
    named = {one["section"] for one in REQUIREMENTS if re.match(r"(NM|ANP) ", one["section"])}
    assert named - set(NUMBERED) == set()


def test_every_case_of_a_document_is_of_a_section_that_demands_something() -> None:
    named = {case.section for case in CASES if re.match(r"(NM|ANP) ", case.section)}
    assert named - set(NUMBERED) == set()
    assert set(NUMBERED).isdisjoint(WITHOUT_DEMANDS)


@pytest.mark.parametrize(
    ("document", "part"), [(document, part) for document, parts in PARTS.items() for part in parts]
)
def test_every_part_of_a_document_without_numbers_has_requirements(document: str, part: str) -> None:
    for pattern in PARTS[document][part]:
        fits = re.compile(translate(pattern)).match
        assert any(map(fits, BY_ID)), pattern


def test_every_requirement_of_a_document_without_numbers_is_of_one_of_its_parts() -> None:
    fits = re.compile("|".join(translate(p) for parts in PARTS.values() for ids in parts.values() for p in ids)).match
    inside = re.compile(r"(PP|BC|MI)( |$)").match
    loose = {one["id"] for one in REQUIREMENTS if inside(one["section"]) and not fits(one["id"])}
    assert loose == set()


def test_every_ruling_has_a_requirement() -> None:
    named = {requirement["section"] for requirement in REQUIREMENTS}
    assert {f"R{number}" for number in RULINGS} - named == set()


def test_every_pattern_names_a_case() -> None:
    patterns = {pattern for requirement in REQUIREMENTS for pattern in requirement["cases"]}
    assert {pattern for pattern in patterns if not ids_like(pattern)} == set()


def test_every_demand_that_must_be_met_has_a_case_that_must_pass_or_says_why_not() -> None:
    levels = {
        requirement["id"]: {LEVELS[one] for pattern in requirement["cases"] for one in ids_like(pattern)}
        for requirement in REQUIREMENTS
        if "beyond_cases" not in requirement
    }
    assert [name for name, found in levels.items() if not found] == []
    assert [name for name, found in levels.items() if BY_ID[name]["level"] == "MUST" and "MUST" not in found] == []


def test_every_case_is_claimed_by_a_requirement() -> None:
    claimed = {one for requirement in REQUIREMENTS for pattern in requirement["cases"] for one in ids_like(pattern)}
    assert [case.id for case in CASES if case.id not in claimed] == []


def test_a_case_is_published_where_a_sentence_of_its_document_implies_it() -> None:
    published = {case.id for case in CASES if case.tier == "published"}
    assert published == {case.id for case in CASES if tiers.is_of_a_document(case.section) and tiers.implied(case.id)}


def test_a_sentence_implies_cases_of_its_requirement_and_of_a_document() -> None:
    of_documents = {case.id for case in CASES if tiers.is_of_a_document(case.section)}
    wrong = []
    for one in REQUIREMENTS:
        claimed = {case_id for pattern in one["cases"] for case_id in ids_like(pattern)}
        for pattern in one.get("sentence", {}).get("implies", ()):
            found = {*ids_like(pattern)} & of_documents
            wrong += [] if found and found <= claimed else [(one["id"], pattern)]
        wrong += [(one["id"], "")] if "sentence" in one and not tiers.is_of_a_document(one["section"]) else []
    assert wrong == []


def test_every_demand_on_connectors_names_its_sentence() -> None:
    """What the guide does not say is a decision about a platform, and has a label of its own."""
    demands = {one["id"]: "sentence" in one for one in REQUIREMENTS if one["section"] == "BC"}
    assert [name for name, is_said in demands.items() if not is_said] == []
    said = {case_id for name in demands for pattern in BY_ID[name]["cases"] for case_id in ids_like(pattern)}
    assert [case.id for case in CASES if case.section == "BC" and case.id not in said] == []


def test_a_reason_names_files_that_exist() -> None:
    named = [
        path for one in REQUIREMENTS for path in re.findall(r"`((?:tests|docs)/[^`]+)`", one.get("beyond_cases", ""))
    ]
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_a_reason_names_requirements_and_cases_that_exist() -> None:
    named = {
        pattern
        for one in REQUIREMENTS
        for pattern in re.findall(r"`([a-z*][a-z0-9*-]*/[a-z0-9*/-]+)`", one.get("beyond_cases", ""))
        if not pattern.startswith(("tests", "docs"))
    }
    assert {pattern for pattern in named if not ids_like(pattern)} == set()


def test_no_two_demands_are_the_same() -> None:
    demands = [requirement["demand"] for requirement in REQUIREMENTS]
    assert len(demands) == len(set(demands))


def test_a_demand_is_a_sentence() -> None:
    assert [one["id"] for one in REQUIREMENTS if not re.fullmatch(r"\S.*[.]", one["demand"])] == []


def test_every_code_that_a_case_expects_is_words_joined_by_hyphens() -> None:
    codes = {code for case in CASES for code in _codes(case.expect)}
    assert len(codes) > 100
    assert {code for code in codes if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", code)} == set()


def _codes(expect: dict[str, Any]) -> set[str]:
    """The codes of a rejection, a verdict and diagnostics that are expected."""
    found = [(expect.get(name) or {}).get("code") for name in ("rejected", "verdict")]
    return {code for code in (*found, *expect.get("diagnostics", ())) if code and code != {"$any": "json"}}
