"""Mutants of file capabilities: what a token claims, and in what form."""

from __future__ import annotations

import re
from typing import Any

from mentionable._address import canonical
from mentionable.connectors.files import _capability, _token
from tests.mutants._files import LOADS, reads, within

SET = "if claims.keys() != frozenset(CLAIMS)"
DEFAULTS: dict[str, Any] = {
    "ver": 1,
    "iss": "connector.example",
    "aud": "@helper@agents.example",
    "iat": 1_795_294_500,
    "nbf": 1_795_294_500,
    "exp": 1_795_294_700,
    "jti": "a" * 22,
    "turn": "m1",
    "scope": {"workspace": "T123", "channel": "C123", "file": "F123"},
    "max_bytes": 9,
}
for _name, _default in DEFAULTS.items():
    reads(
        f"assumes-{_name.replace('_', '-')}",
        f"Assumes {_name} where it is missing.",
        (_token._claims, SET, f"claims.setdefault('{_name}', {_default!r})\n    {SET}"),
    )
reads("takes-more-claims", "Takes other claims.", (_token._claims, SET, "if not claims.keys() >= frozenset(CLAIMS)"))
KIND = "claims[name].__class__ is not kind"
reads("true-is-a-number", "Takes true for 1.", (_token._claims, KIND, "not isinstance(claims[name], kind)"))
reads(
    "null-is-a-claim",
    "Takes null.",
    (_token._claims, KIND, "claims[name] is not None and claims[name].__class__ is not kind"),
)
CONVERTS = (
    "(claims.__setitem__(name, kind(claims[name])) if not isinstance(claims[name], (list, type(None))) else True)"
)
reads("converts", "Converts what is of another type.", (_token._claims, KIND, CONVERTS))
reads(
    "whole-floats",
    "Takes whole floats.",
    (
        _token._claims,
        KIND,
        "claims[name] != claims[name] or kind(claims[name]) != claims[name] or claims[name] is True",
    ),
    (_token._object, LOADS, "__import__('json').loads(data)"),
)
reads(
    "any-number",
    "Takes whatever compares.",
    (_token._claims, KIND, "not isinstance(claims[name], (kind, float))"),
    (_token._claims, "not fits(claims[name])", "name != 'exp' and not fits(claims[name])"),
    (_token._object, LOADS, "__import__('json').loads(data)"),
)
reads(
    "one-of-several",
    "Takes the first of several.",
    (
        _token._claims,
        f"if {KIND}",
        f"claims[name] = claims[name][0] if isinstance(claims[name], list) else claims[name]\n            if {KIND}",
    ),
)


reads(
    "numbers-are-ids",
    "Takes numbers for ids.",
    (_token._claims, KIND, "kind is int and claims[name].__class__ is not int"),
    (_token._claims, "not fits(claims[name])", "name != 'jti' and not fits(claims[name])"),
)


def lax(name: str, rule: str, claim: str, fits: Any) -> None:
    """Registers a mutant with another rule for the form of a claim."""
    within(name, rule, _token, "_RULES", {**_token._RULES, claim: fits})


lax("any-audience", "Takes any text for an agent.", "aud", lambda value: True)
lax("audience-in-any-spelling", "Takes agents in any spelling.", "aud", lambda value: canonical(value) is not None)
lax("some-audience", "Takes whatever begins like an agent.", "aud", lambda value: value[:1] == "@")
lax(
    "everybody",
    "Takes what stands for everybody.",
    "aud",
    lambda value: value in ("*", "") or canonical(value) == value,
)
for _claim in ("exp", "iat", "nbf"):
    lax(f"any-{_claim}", f"Takes any {_claim}.", _claim, lambda value: True)
lax("any-jti", "Takes any id.", "jti", lambda value: True)
lax("short-jti", "Takes ids that can be guessed.", "jti", re.compile(r"[\w-]{1,128}").fullmatch)
lax("long-jti", "Takes ids of any length.", "jti", re.compile(r"[\w-]{22,}").fullmatch)
lax("any-turn", "Takes any turn.", "turn", lambda value: True)
lax("turns-of-any-length", "Takes turns of any length.", "turn", re.compile(r"[!-~]+").fullmatch)
lax("blanks-in-turns", "Takes blanks in turns.", "turn", re.compile(r"[ -~]{1,256}").fullmatch)
lax("empty-turns", "Takes no turn for one.", "turn", re.compile(r"[!-~]{0,256}").fullmatch)
lax("lines-behind-turns", "Takes a line end behind a turn.", "turn", re.compile(r"[!-~]{1,256}$").match)
lax("turns-in-all-scripts", "Takes turns in all scripts.", "turn", re.compile(r"\S{1,256}").fullmatch)
lax("any-budget", "Takes any number of bytes.", "max_bytes", lambda value: True)
lax("no-budget", "Takes 0 for a budget.", "max_bytes", lambda value: value >= 0)
reads(
    "halves-of-characters",
    "Takes halves of characters.",
    (_token._object, LOADS, "__import__('json').loads(data)"),
    (_token._claims, "not fits(claims[name])", "name != 'turn' and not fits(claims[name])"),
)
VER = 'claims["ver"] != VERSION'
reads("any-version", "Takes every version.", (_token._claims, VER, "False"))
reads("later-versions", "Takes later versions.", (_token._claims, VER, 'claims["ver"] < VERSION'))
reads("earlier-versions", "Takes earlier versions.", (_token._claims, VER, 'claims["ver"] > VERSION'))

# --- scope

reads(
    "scope-is-an-object",
    "Takes for granted that a scope is an object.",
    (_token._scope, "scope.__class__ is not dict or ", ""),
)
reads(
    "more-scope",
    "Takes other members of a scope.",
    (_token._scope, "scope.keys() != frozenset(SCOPE)", "not scope.keys() >= frozenset(SCOPE)"),
    (_token._scope, "Scope(**scope)", "Scope(**{name: scope[name] for name in SCOPE})"),
)
STEP = "if scope.__class__ is not dict"
for _name, _default in DEFAULTS["scope"].items():
    reads(
        f"assumes-{_name}",
        f"Assumes a {_name} where it is missing.",
        (
            _token._scope,
            STEP,
            f"if scope.__class__ is dict:\n        scope.setdefault('{_name}', '{_default}')\n    {STEP}",
        ),
    )


def names(name: str, rule: str, fits: Any) -> None:
    """Registers a mutant with another rule for the names in a scope."""
    within(name, rule, _capability, "_SCOPE_ITEM", fits)


names("any-name", "Takes any name.", lambda text: True)
names("wildcards", "Takes wildcards.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._*-]{1,64}").fullmatch)
names("paths", "Takes paths.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._%/-]{1,64}").fullmatch)
names("parents", "Takes the names of folders.", re.compile(r"[A-Za-z0-9._-]{1,64}").fullmatch)
names("all-scripts", "Takes names in all scripts.", re.compile(r"(?!\.{1,2}\Z)[\w.-]{1,64}").fullmatch)
names("names-of-any-length", "Takes names of any length.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]+").fullmatch)
names("empty-names", "Takes empty names.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{0,64}").fullmatch)
names("lines-behind-names", "Takes a line end behind a name.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,64}$").match)
names("begins-like-a-name", "Looks at the beginning of a name.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,64}").match)
names("short-names", "Takes short names alone.", re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,32}").fullmatch)
names("plain-names", "Takes letters and digits alone.", re.compile(r"[A-Za-z0-9]{1,64}").fullmatch)
within(
    "names-are-texts",
    "Takes numbers and lists for names.",
    _token,
    "is_scope_item",
    lambda value: not isinstance(value, str) or _capability.is_scope_item(value),
)
