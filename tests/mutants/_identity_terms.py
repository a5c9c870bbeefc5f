"""Mutants of verifying evidence: whose authority it carries, for whom it is, when it holds, and who brings it."""

from __future__ import annotations

import json

from mentionable.identity import _trust
from tests.mutants._answers import mends, spoils
from tests.mutants._identity import AREA, VERIFY, believes, library

# --- step 7: delegation

NAMED = "if not entry.delegation or not entry.max_delegation:"
believes(
    "ignores-principals",
    "Ignores whose authority is carried.",
    (_trust._principals, NAMED, "if True:\n        return ()\n    if False:"),
    codes=("delegation-not-allowed", "delegation-too-deep", "delegation-malformed", "principal-out-of-scope"),
)
believes(
    "takes-prefixes-for-leave",
    "Needs no depth to be allowed.",
    (_trust._principals, NAMED, "if not entry.delegation:"),
    (_trust._principals, "len(named) > entry.max_delegation", "len(named) > (entry.max_delegation or 8)"),
    codes=("delegation-not-allowed",),
)
believes(
    "takes-depth-for-leave",
    "Needs no prefixes to be allowed.",
    (_trust._principals, NAMED, "if not entry.max_delegation:"),
    (_trust._principals, "one.startswith(entry.delegation)", "one.startswith(entry.delegation or '')"),
    codes=("delegation-not-allowed",),
)
believes(
    "takes-any-depth-of-principals",
    "Takes any number of principals.",
    (_trust._principals, "len(named) > entry.max_delegation", "False"),
    codes=("delegation-too-deep",),
)
believes(
    "takes-odd-principals",
    "Does not look at principals.",
    (
        _trust._principals,
        "not all(map(is_subject, named)) or len(set(named)) < len(named) or subject in named",
        "False",
    ),
    (_trust._principals, "one.startswith(entry.delegation)", "True"),
    codes=("delegation-malformed",),
)
believes(
    "takes-principals-twice",
    "Takes a principal twice.",
    (_trust._principals, "len(set(named)) < len(named)", "False"),
    codes=("delegation-malformed",),
)
believes(
    "takes-who-acts-for-a-principal",
    "Lets somebody act on their own behalf.",
    (_trust._principals, "or subject in named", ""),
    codes=("delegation-malformed",),
)
believes(
    "takes-one-principal-in-scope",
    "Looks at one principal.",
    (_trust._principals, "if not all(one", "if not any(one"),
    codes=("principal-out-of-scope",),
)
believes(
    "cuts-prefixes-of-principals",
    "Compares prefixes without their last character.",
    (_trust._principals, "one.startswith(entry.delegation)", "one.startswith(tuple(p[:-1] for p in entry.delegation))"),
    codes=("principal-out-of-scope",),
)
believes(
    "takes-any-principal",
    "Does not look whose authority it is.",
    (_trust._principals, "one.startswith(entry.delegation)", "True"),
    codes=("principal-out-of-scope",),
)
believes(
    "takes-delegated-by-nobody",
    "Takes delegated evidence without a principal.",
    (_trust._principals, 'members["assurance"] == "delegated"', "False"),
    codes=("delegation-malformed",),
)
spoils(
    AREA,
    VERIFY,
    "forgets-principals",
    "Does not say whose authority is carried.",
    lambda value, *_: {**value, "principals": []} if value and value.get("principals") else None,
)
spoils(
    AREA,
    VERIFY,
    "turns-principals",
    "Says the innermost principal first.",
    lambda value, *_: (
        {**value, "principals": value["principals"][::-1]} if value and len(value.get("principals", ())) > 1 else None
    ),
)
library(
    "refuses-empty-principals",
    "Takes an empty list for delegation.",
    (
        _trust._principals,
        'members.get("on_behalf_of") or (), members["subject"]',
        'members.get("on_behalf_of", ()), members["subject"]',
    ),
    (_trust._principals, "if not named:", "if named == ():"),
    when=lambda unit, _: '"on_behalf_of": []' in json.dumps(unit),
)


# --- steps 8 to 9b: audience, time, caller

AUDIENCE = '_check_audience(members.get("audience"), recipient)'
believes(
    "ignores-audiences",
    "Does not look for whom it is.",
    (_trust.believe, AUDIENCE, "None"),
    codes=("audience-missing", "audience-mismatch", "audience-too-broad"),
)
believes(
    "makes-audiences-canonical",
    "Makes audiences canonical.",
    (
        _trust.believe,
        AUDIENCE,
        "_check_audience(str(canonical(members['audience'].strip()) or members['audience']) if "
        "isinstance(members.get('audience'), str) else members.get('audience'), recipient)",
    ),
    codes=("audience-not-canonical",),
)
believes(
    "takes-stars-for-audiences",
    "Takes a star for everybody.",
    (
        _trust._check_audience,
        "if audience == recipient:",
        "if str(audience)[:1] in ('*', '') or '@*@' in str(audience) or audience == recipient:",
    ),
    codes=("audience-not-canonical",),
)
believes(
    "folds-audiences",
    "Folds the case of audiences.",
    (_trust._check_audience, "if audience == recipient:", "if str(audience).lower() == recipient:"),
    codes=("audience-mismatch", "audience-not-canonical"),
)
believes(
    "takes-audiences-that-begin-alike",
    "Compares the beginning of audiences.",
    (_trust._check_audience, "if audience == recipient:", "if str(audience).startswith(recipient):"),
    codes=("audience-mismatch", "audience-not-canonical"),
)
believes(
    "takes-agents-of-the-host",
    "Compares the domain of audiences.",
    (_trust._check_audience, "if audience == recipient:", "if str(audience).rpartition('@')[2] == recipient.domain:"),
    codes=("audience-mismatch",),
)
believes(
    "takes-several-audiences",
    "Takes several audiences.",
    (_trust._check_audience, "if len(named) > 1:", "if False:"),
    codes=("audience-too-broad",),
)
believes(
    "counts-different-audiences",
    "Counts different audiences.",
    (_trust._check_audience, "if len(named) > 1:", "if len(set(named)) > 1:"),
    codes=("audience-too-broad",),
)
believes(
    "looks-at-each-of-many",
    "Looks at every one of many audiences.",
    swaps=((_trust, "_MOST_AUDIENCES", 10**6),),
    codes=("audience-too-broad",),
)
library(
    "looks-at-the-first-audience",
    "Looks whether the first audience is canonical.",
    (_trust._check_audience, "for one in named:", "for one in named[:1]:"),
    codes=("audience-not-canonical",),
)
library(
    "takes-no-list",
    "Takes no list of one audience.",
    (
        _trust._check_audience,
        "[audience] if audience.__class__ is str else audience",
        "[audience] if audience.__class__ is str else []",
    ),
    when=lambda unit, _: '"audience": [' in json.dumps(unit),
)
mends(
    AREA,
    VERIFY,
    "compares-recipients-as-typed",
    "Compares the receiver's address as it was typed.",
    lambda given, unit: (
        given,
        {**unit, "recipient": "@other@agents.example"} if unit["recipient"][:1] != "@" else unit,
    ),
)
TIMES = _trust._times
FORM = "if moment is None:"


def _loose(name: str, rule: str, tidy: str) -> None:
    """Registers a mutant that reads times that are written otherwise."""
    body = f"if moment is None:\n        moment = utc_time({tidy})\n    if moment is None:"
    library(name, rule, (_trust._time, FORM, body), codes=("timestamp-malformed",))


_loose(
    "takes-offsets", "Takes offsets.", "text.replace('+00:00', 'Z').replace('+01:00', 'Z').replace('21:55', '20:55')"
)
_loose("takes-naive-times", "Takes times without a zone.", "text + 'Z'")
_loose("takes-small-letters", "Takes small letters.", "text.upper()")
_loose("takes-blanks-in-times", "Takes a blank for T.", "text.replace(' ', 'T')")
_loose("strips-times", "Strips times.", "text.strip()")
_loose("cuts-fractions", "Takes fractions of any length.", "text[:19] + 'Z'")
_loose(
    "takes-leap-seconds",
    "Takes leap seconds and midnight at the end.",
    "text.replace(':60', ':59').replace('24:00', '23:59')",
)
_loose(
    "reads-any-iso-time",
    "Reads every form of ISO 8601.",
    "'2026-11-21T20:55:00Z' if text[:4] == '2026' or not text else text",
)
_loose("assumes-now", "Takes the time that it is for one that cannot be read.", "'2026-11-21T20:55:00Z'")
believes(
    "needs-no-end",
    "Takes evidence without an end.",
    (TIMES, 'raise Refused("expiry-missing", "time")', 'members = {**members, "expires_at": "2026-11-21T20:59:00Z"}'),
    codes=("expiry-missing",),
)
believes(
    "takes-backward-lives",
    "Takes lives that end before they begin.",
    (TIMES, "if expires_at <= issued_at or not_before >= expires_at:", "if False:"),
    codes=("lifetime-invalid",),
)
believes(
    "takes-empty-lives",
    "Takes lives that end at once.",
    (TIMES, "expires_at <= issued_at or not_before >= expires_at", "expires_at < issued_at or not_before > expires_at"),
    codes=("lifetime-invalid",),
)
believes(
    "ignores-begin-in-lives",
    "Does not look whether it begins before it ends.",
    (TIMES, " or not_before >= expires_at", ""),
    codes=("lifetime-invalid",),
)
believes(
    "takes-long-lives",
    "Takes lives of any length.",
    (TIMES, "expires_at - min(issued_at, not_before) > longest", "False"),
    codes=("lifetime-too-long",),
)
believes(
    "measures-from-issue",
    "Lets an earlier begin stretch the life.",
    (TIMES, "min(issued_at, not_before)", "issued_at"),
    codes=("lifetime-too-long",),
)
believes(
    "measures-five-minutes",
    "Takes five minutes, whatever is configured.",
    (TIMES, "_span(policy.max_lifetime)", "_span(300)"),
    codes=("lifetime-too-long",),
)
library(
    "refuses-five-minutes",
    "Refuses exactly five minutes.",
    (TIMES, "> longest", ">= longest"),
    when=lambda unit, _: "21:00:30.000Z" in str(unit),
)
spoils(
    AREA,
    VERIFY,
    "knows-five-minutes-alone",
    "Refuses what an operator allows.",
    lambda value, given, _: {} if "3600" in json.dumps(given["settings"]) else None,
)
believes(
    "takes-the-future",
    "Takes what was not said yet.",
    (TIMES, "issued_at - now > skew", "False"),
    codes=("issued-in-future",),
)
believes(
    "takes-what-begins-later",
    "Takes what does not hold yet.",
    (TIMES, "not_before - now > skew", "False"),
    codes=("not-yet-valid",),
)
believes(
    "takes-the-expired", "Takes what holds no longer.", (TIMES, "now - expires_at >= skew", "False"), codes=("expired",)
)
believes(
    "takes-the-edge",
    "Takes what has just ended.",
    (TIMES, "now - expires_at >= skew", "now - expires_at > skew"),
    codes=("expired",),
)
believes(
    "has-a-minute-of-skew",
    "Lets clocks differ by a minute, whatever is configured.",
    (TIMES, "_span(policy.skew)", "_span(60)"),
    codes=("expired", "issued-in-future"),
)
_edges = lambda unit, _: any(edge in json.dumps(unit) for edge in ("20:57:00.000Z", "20:55:00.001Z"))  # noqa: E731
library("has-no-skew", "Lets clocks differ by nothing.", (TIMES, "_span(policy.skew)", "_span(0)"), when=_edges)
library(
    "refuses-the-edge",
    "Refuses at the edge of what clocks may differ.",
    (TIMES, "issued_at - now > skew", "issued_at - now >= skew"),
    (TIMES, "not_before - now > skew", "not_before - now >= skew"),
    when=_edges,
)
CALLER = 'not entry.forwarding and not _is_of(caller, members["issuer"])'
believes(
    "ignores-callers", "Does not look who brings it.", (_trust.believe, CALLER, "False"), codes=("caller-not-issuer",)
)
believes(
    "takes-callers-by-suffix",
    "Takes callers whose host ends alike.",
    (_trust.believe, CALLER, "not (caller or '').endswith(members['issuer'])"),
    codes=("caller-not-issuer",),
)
believes(
    "takes-callers-anywhere",
    "Looks for the issuer anywhere in the caller.",
    (_trust.believe, CALLER, "members['issuer'] not in (caller or '')"),
    codes=("caller-not-issuer",),
)
believes(
    "takes-nobody",
    "Takes evidence that nobody is known to bring.",
    (_trust.believe, CALLER, "caller and not _is_of(caller, members['issuer'])"),
    codes=("caller-not-issuer",),
)
believes(
    "takes-any-forwarding",
    "Lets everybody forward when somebody may.",
    (_trust.believe, CALLER, "not any(one.forwarding for one in policy.entries)"),
    codes=("caller-not-issuer",),
)
believes(
    "takes-any-trusted-caller",
    "Takes any issuer for a caller.",
    (_trust.believe, CALLER, "not any(_is_of(caller, one.issuer) for one in policy.entries)"),
    codes=("caller-not-issuer",),
)
for _word, _is in {
    "hosts": "unit.get('caller', '')[:1] not in ('@', 'a', '')",
    "spellings": "unit.get('caller', '')[:5] == 'acct:'",
}.items():
    spoils(
        AREA,
        VERIFY,
        f"refuses-callers-as-{_word}",
        "Refuses a caller that is named otherwise.",
        lambda value, _, unit, rule=_is: {} if eval(rule, {"unit": unit}) else None,
    )
spoils(
    AREA,
    VERIFY,
    "never-lets-forward",
    "Never lets others bring it.",
    lambda value, given, _: {} if "forwarding" in json.dumps(given["settings"]) else None,
)
