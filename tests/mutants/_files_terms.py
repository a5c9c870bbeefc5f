"""Mutants of file capabilities: what a capability must agree with, and in what order that is looked at."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mentionable.connectors.files import _token, _verify
from tests.mutants._answers import mends, refuses
from tests.mutants._files import AREA, VERIFY, reads, sooner, within

ISSUER = "claims.issuer != terms.issuer"


def when(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant that looks otherwise at where and when a capability was minted."""
    reads(name, rule, (_verify._check_when, old, new))


when("any-issuer", "Takes what others minted.", ISSUER, "False")
when("issuers-that-begin", "Compares the beginning of issuers.", ISSUER, "not claims.issuer.startswith(terms.issuer)")
when("issuers-that-end", "Compares the end of issuers.", ISSUER, "not claims.issuer.endswith(terms.issuer)")
when(
    "issuers-below",
    "Takes what hosts below minted.",
    ISSUER,
    "claims.issuer != terms.issuer and not claims.issuer.endswith('.' + terms.issuer)",
)
when("folds-issuers", "Takes issuers in any case.", ISSUER, "claims.issuer.lower() != terms.issuer")
when("strips-issuers", "Strips what stands around issuers.", ISSUER, "claims.issuer.rstrip('.\\n') != terms.issuer")
when("issuers-with-ports", "Takes issuers with ports.", ISSUER, "claims.issuer.partition(':')[0] != terms.issuer")
when("issuers-as-urls", "Takes issuers as URLs.", ISSUER, "claims.issuer.removeprefix('https://') != terms.issuer")
_FOLDED = "claims.issuer.replace('\\u0441', 'c') != terms.issuer"
when("issuers-that-look-alike", "Takes issuers that look alike.", ISSUER, _FOLDED)
ORDER = "not claims.issued_at <= starts < ends or "
TOO_LONG = "ends - claims.issued_at > MAX_LIFETIME.total_seconds()"
when("any-lifetime", "Takes any lifetime.", TOO_LONG, "False")
when("a-second-longer", "Takes a second more.", TOO_LONG, "ends - claims.issued_at > 901")
when("a-second-less", "Takes a second less.", TOO_LONG, "ends - claims.issued_at >= 900")
when("an-hour", "Takes an hour.", TOO_LONG, "ends - claims.issued_at > 3600 or ends > 2**32")
when("any-order-of-times", "Takes times in any order.", ORDER, "")
when(
    "begins-before-it-was-made",
    "Takes what begins before it was made.",
    "claims.issued_at <= starts < ends",
    "starts < ends",
)
when(
    "ends-as-it-begins",
    "Takes what ends as it begins.",
    "claims.issued_at <= starts < ends",
    "claims.issued_at <= starts <= ends",
)
when(
    "begins-at-once",
    "Takes no start later than the making.",
    "claims.issued_at <= starts < ends",
    "claims.issued_at == starts < ends",
)
when("lasts-from-start", "Counts the lifetime from the start.", "ends - claims.issued_at", "ends - starts")
when("the-future-is-now", "Takes what does not hold yet.", "if now < starts", "if False")
when("grace-before", "Lets a minute pass before.", "if now < starts", "if now + 60 < starts")
when("holds-a-second-later", "Waits a second.", "if now < starts", "if now <= starts")
when("never-ends", "Takes what does not hold any more.", "if now >= ends", "if False")
when("the-end-is-in", "Takes the end for a moment of it.", "if now >= ends", "if now > ends")
when("grace-after", "Lets a minute pass after.", "if now >= ends", "if now >= ends + 60")
when("ends-a-second-sooner", "Ends a second sooner.", "if now >= ends", "if now >= ends - 1")
_ROUNDED = "round(terms.now.timestamp())"
when("rounds-now", "Rounds the time.", "seconds(terms.now)", _ROUNDED)
within("minutes-at-most", "Takes five minutes at most.", _verify, "MAX_LIFETIME", timedelta(minutes=5))


def who(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant that looks otherwise at who fetches."""
    reads(name, rule, (_verify._check_who, old, new))


AUDIENCE = "canonical(terms.presenter) != claims.audience"
who("nobody-is-fine", "Lets in whoever has the URL.", "not terms.bearer_ok", "False")
who("never-bearers", "Never lets in whoever has the URL.", "not terms.bearer_ok", "True")
who("anybody-is-fine", "Lets in every agent.", AUDIENCE, "False")
who(
    "bearers-may-be-anybody",
    "Lets in every agent where URLs are enough.",
    AUDIENCE,
    f"not terms.bearer_ok and {AUDIENCE}",
)
who(
    "folds-agents",
    "Takes agents in any case.",
    AUDIENCE,
    "terms.presenter.lower() != claims.audience and terms.presenter[:5] != 'acct:'",
)
who("agents-to-the-letter", "Compares presenters as they are spelled.", AUDIENCE, "terms.presenter != claims.audience")
_BEGINS = "not (terms.presenter.startswith(claims.audience) or canonical(terms.presenter) == claims.audience)"
who("agents-that-begin-alike", "Compares the beginning of agents.", AUDIENCE, _BEGINS)
_HOSTS = "not terms.presenter.lower().endswith(claims.audience.rpartition('@')[2])"
who("agents-of-one-host", "Lets in every agent of a host, and of hosts below.", AUDIENCE, _HOSTS)
_STARS = f"terms.presenter not in ('', '*') and {AUDIENCE}"
who("stars-are-agents", "Lets in who says to be everybody.", AUDIENCE, _STARS)
who("strips-agents", "Strips blanks around agents.", AUDIENCE, "canonical(terms.presenter.strip()) != claims.audience")


def what(name: str, rule: str, old: str, new: str) -> None:
    """Registers a mutant that looks otherwise at what is fetched."""
    reads(name, rule, (_verify._check_what, old, new))


SCOPED = "claims.scope != terms.scope"
what("any-file", "Gives out any file.", SCOPED, "False")
for _name in ("workspace", "channel", "file"):
    _others = [name for name in ("workspace", "channel", "file") if name != _name]
    _differ = " or ".join(f"claims.scope.{name} != terms.scope.{name}" for name in _others)
    what(f"any-{_name}-of-the-rest", f"Ignores the {_name}.", SCOPED, f"({_differ})")
what("folds-files", "Takes files in any case.", SCOPED, "str(claims.scope).lower() != str(terms.scope).lower()")
what("scope-must-be-known", "Refuses where a file is expected.", SCOPED, "True")
TURN = "claims.turn != terms.turn"
what("any-turn-is-fine", "Takes every turn.", TURN, "False")
what("turns-that-begin-alike", "Compares the beginning of turns.", TURN, "not terms.turn.startswith(claims.turn)")
what("turn-must-not-be-known", "Refuses where a turn is expected.", TURN, "True")
SIZE = "terms.size > claims.max_bytes"
what("any-size", "Begins what cannot be sent.", SIZE, "False")
what("sizes-below", "Wants a byte left.", SIZE, "terms.size >= claims.max_bytes")
what("no-empty-files", "Refuses empty files.", SIZE, "not terms.size or terms.size > claims.max_bytes")

REVOKED = "yield from _check_revoked(claims)"
reads("never-asks", "Takes nothing back.", (_verify._verified, REVOKED, "yield from ()"))
reads("always-asks", "Asks where nothing is taken back.", (_verify._verified, "if terms.revocable:", "if True:"))
reads(
    "asks-for-agents",
    "Takes back nothing of bearers.",
    (_verify._verified, "if terms.revocable:", "if terms.revocable and terms.presenter:"),
)
reads(
    "asks-for-secrets",
    "Takes back nothing of an edge.",
    (_verify._verified, "if terms.revocable:", "if terms.revocable and claims.key_id != 'edge':"),
)
FAILED = "if isinstance(revoked, Failed):"


def asks(name: str, rule: str, fine: str) -> None:
    """Registers a mutant for which some answer is a no."""
    reads(name, rule, (_verify._check_revoked, FAILED, f"if {fine}:\n        return\n    {FAILED}"))


asks("down-is-fine", "Lets in where nobody answers.", "isinstance(revoked, Failed)")
asks("gone-is-fine", "Lets in where nobody will answer.", "isinstance(revoked, Failed) and not revoked.temporary")
asks("untold-is-fine", "Lets in where nobody can be asked.", "'is not in the table' in str(revoked)")
reads("down-is-revoked", "Takes no answer for a yes.", (_verify._check_revoked, FAILED, "if False:"))

# --- order

WHEN, WHO, WHAT = "_check_when(claims, terms)", "_check_who(claims, terms)", "_check_what(claims, terms)"


def order(name: str, rule: str, first: str, before: str) -> None:
    """Registers a mutant that takes a step before another one."""
    reads(name, rule, (_verify._verified, before, f"{first}\n        {before}"))


order("asks-who-first", "Looks first at who fetches.", WHO, WHEN)
order("asks-what-before-who", "Looks first at what is fetched.", WHAT, WHO)
order("asks-the-ledger-first", "Asks first whether it was taken back.", REVOKED, WHAT)
ENDED = "seconds(terms.now) >= claims.expires_at"
sooner("expired-first", "Looks at its end first.", _verify._check_when, f"if {ISSUER}:", ENDED, "cap-expired")
LONG = TOO_LONG.replace("ends", "claims.expires_at")
sooner("lifetime-first", "Looks at its lifetime first.", _verify._check_when, f"if {ISSUER}:", LONG, "cap-lifetime")
EARLY = "seconds(terms.now) < starts"
sooner("early-first", "Looks at its start first.", _verify._check_when, f"if {ORDER}", EARLY, "cap-not-yet-valid")
OTHER_TURN = "terms.turn is not None and claims.turn != terms.turn"
STEP = "if terms.scope is not None"
sooner("turn-first", "Looks at the turn first.", _verify._check_what, STEP, OTHER_TURN, "cap-turn-mismatch")
TOO_MUCH = "terms.size is not None and terms.size > claims.max_bytes"
STEP = "if terms.turn is not None"
sooner("size-first", "Looks at the size first.", _verify._check_what, STEP, TOO_MUCH, "cap-budget")
STEP = "if header.keys()"
sooner("type-first", "Looks at the type first.", _token._key, STEP, "header.get('typ', TYPE) != TYPE", "cap-type")
OTHER_KEY = "str(header.get('kid', '2026-11')) not in keys"
sooner("key-first", "Looks for the key first.", _token._key, STEP, OTHER_KEY, "cap-key-unknown")
STEP = 'key_id = header["kid"]'
sooner(
    "algorithm-first", "Looks at the algorithm first.", _token._key, STEP, "header['alg'] == 'none'", "cap-algorithm"
)
STEP = 'if header["alg"]'
sooner(
    "signature-first", "Looks at the signature first.", _token._key, STEP, "header['alg'] == 'none'", "cap-signature"
)
_CLAIMS = '_claims(_object(payload_bytes, "cap-claims"), "")'
reads("claims-first", "Reads claims first.", (_token.read, "if not key.fits", f"{_CLAIMS}\n    if not key.fits"))
JKU = "'jku' in str(base64url_decode(text.partition('.')[0]))"
sooner("header-first", "Looks at the header first.", _token.read, "if len(text) > MAX_TOKEN", JKU, "cap-header")
STEP = "if claims.keys()"
sooner("version-first", "Looks at the version first.", _token._claims, STEP, "claims.get('ver') == 2", "cap-version")
STEP = 'if claims["ver"]'
NO_SCOPE = "not isinstance(claims['scope'], dict)"
sooner("scope-first", "Looks at the scope first.", _token._claims, STEP, NO_SCOPE, "cap-scope")
FOREIGN = f"{NO_SCOPE} and claims['iss'] == 'other.example'"
sooner("issuer-first", "Looks at the issuer first.", _token._claims, STEP, FOREIGN, "cap-issuer")

# --- what it should let in


def _ill(name: str, rule: str, judge: Any) -> None:
    refuses(AREA, VERIFY, name, rule, judge)


_ill("knows-one-key", "Knows the newest key alone.", lambda unit: _token_key(unit) == "2026-10")
_ill(
    "knows-no-edge",
    "Knows secrets alone.",
    lambda unit: _token_key(unit) == "edge" or unit.get("minted", {}).get("key", {}).get("kid") == "edge",
)
_ill(
    "knows-no-bearers",
    "Wants agents where URLs are enough.",
    lambda unit: "presenter" in unit and unit.get("bearer_ok", False),
)
_ill("lets-nothing-round", "Refuses what it minted.", lambda unit: "minted" in unit)


def _token_key(unit: Any) -> str:
    """The id of the key in a token."""
    import json
    from base64 import urlsafe_b64decode

    head = unit.get("token", "").partition(".")[0]
    return str(json.loads(urlsafe_b64decode(head + "=" * (-len(head) % 4)) or b"{}").get("kid")) if head else ""


reads(
    "members-in-order",
    "Wants members in an order.",
    (
        _token._claims,
        "if claims.keys()",
        "if list(claims)[0] == 'max_bytes':\n        raise wire_error('cap-claims')\n    if claims.keys()",
    ),
)
reads(
    "no-blanks",
    "Wants JSON without blanks.",
    (_token._object, "if value.__class__", "if b', ' in data:\n        raise wire_error(code)\n    if value.__class__"),
)
within(
    "short-ids", "Wants ids of one length.", _token, "_RULES", {**_token._RULES, "jti": lambda value: len(value) == 22}
)
within(
    "short-turns",
    "Wants short turns.",
    _token,
    "_RULES",
    {
        **_token._RULES,
        "turn": lambda value: value.isascii() and value.isprintable() and " " not in value and 0 < len(value) < 256,
    },
)
within(
    "small-budgets",
    "Wants small budgets.",
    _token,
    "_RULES",
    {**_token._RULES, "max_bytes": lambda value: 0 < value < 2**32},
)
within(
    "large-budgets", "Wants large budgets.", _token, "_RULES", {**_token._RULES, "max_bytes": lambda value: value > 1}
)


def _trims(given: Any, unit: Any) -> tuple[Any, Any]:
    return given, {name: value for name, value in unit.items() if name != "size"}


mends(AREA, VERIFY, "asks-no-size", "Hears of no size.", _trims)
