"""Mutants of file capabilities: minting, counting bytes, and headers."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mentionable._model import trust
from mentionable.connectors.files import _budget, _capability, _key, _mint, _response
from mentionable.testing import lookups
from tests.mutants._answers import spoils, swapped, takes, written
from tests.mutants._files import AREA, BUDGET, HEADERS, MINT

# --- minting


def mints(name: str, rule: str, *edits: tuple[str, str]) -> None:
    """Registers a mutant that mints otherwise."""
    written(AREA, MINT, name, rule, *[(_mint.mint, old, new) for old, new in edits])


def _claims(name: str, rule: str, change: Any, *, when: Any = lambda unit: True) -> None:
    """Registers a mutant whose tokens claim otherwise, where it matters."""

    def spoil(value: Any, _: Any, unit: Any) -> Any:
        if "claims" in value and when(unit):
            change(value["claims"])
            return value
        return None

    spoils(AREA, MINT, name, rule, spoil)


mints("with-query", "Puts the token into a query.", ("/files/{_token", "/files?token={_token"))
mints("one-provider", "Serves one platform.", ("/api/{provider}/", "/api/slack/"))
mints(
    "ends-late",
    "Ends later than asked for.",
    ("seconds(now) + lifetime // _SECOND", "seconds(now) + lifetime // _SECOND + 1"),
)
mints(
    "rounds-up",
    "Rounds up to seconds.",
    ("issued, ends = seconds(now), seconds(now)", "issued, ends = round(now.timestamp()), round(now.timestamp())"),
)
mints("five-minutes", "Holds for five minutes whatever is asked.", ("lifetime // _SECOND", "300"))
mints(
    "tells-a-later-end",
    "Says a later end than it has.",
    ("format_time(moment_of(ends))", "format_time(moment_of(ends + 1))"),
)
mints("other-id", "Tells another id.", ("token_id=token_id", "token_id=token_id + '0'"))
mints("starts-before", "Starts a minute before.", ('"nbf": issued', '"nbf": issued - 60'))
mints("one-agent", "Mints for one agent.", ('"aud": audience', '"aud": "@helper@agents.example"'))
mints("one-host", "Mints for one host.", ('"iss": issuer', '"iss": "connector.example"'))
mints("one-budget", "Allows the same to all.", ('"max_bytes": max_bytes', '"max_bytes": 12345'))
mints("one-turn", "Mints for one turn.", ('"turn": turn', '"turn": "slack:T123/C123/1700000000.000100"'))
mints(
    "one-file",
    "Mints for one file.",
    ('"scope": named', '"scope": {"workspace": "T123", "channel": "C123", "file": "F123"}'),
)
_HEADER = '{"alg": key.algorithm, "kid": key.key_id, "typ": TYPE}'
written(AREA, MINT, "always-hs256", "Says HS256 of every key.", (_mint._token, "key.algorithm", '"HS256"'))
swapped(
    AREA,
    MINT,
    "plain-jwt",
    "Gives tokens the type of all.",
    _mint,
    "TYPE",
    "JWT",
    when=lambda unit: unit["turn"] == "m1",
)
written(
    AREA,
    (*MINT, "files.verify"),
    "signs-nothing",
    "Signs something else.",
    (_mint._token, "key.sign(signed.encode())", "key.sign(signed[1:].encode())"),
)


def careless(name: str, rule: str, function: Any, *checks: tuple[str, str]) -> None:
    """Registers a mutant that mints what it must not."""
    written(AREA, MINT, name, rule, *[(function, old, new) for old, new in checks])


SECRET = "len(self.native) < _LEAST_SECRET or _PEM in self.native"
written(
    AREA,
    MINT,
    "short-secrets",
    "Takes short secrets.",
    (_key.FileKey.__attrs_post_init__, SECRET, "_PEM in self.native"),
)
written(
    AREA,
    MINT,
    "public-secrets",
    "Takes public keys for secrets.",
    (_key.FileKey.__attrs_post_init__, SECRET, "len(self.native) < _LEAST_SECRET"),
)
careless("any-key-id", "Takes any id of a key.", _key._check_id, ("not _KEY_ID(key_id)", "False"))
careless(
    "empty-key-ids", "Takes no id of a key.", _key._check_id, ("not _KEY_ID(key_id)", "key_id and not _KEY_ID(key_id)")
)
careless("long-key-ids", "Takes long ids of keys.", _key._check_id, ("not _KEY_ID(key_id)", "not _KEY_ID(key_id[:64])"))
careless(
    "stripped-key-ids", "Strips ids of keys.", _key._check_id, ("not _KEY_ID(key_id)", "not _KEY_ID(key_id.strip())")
)
takes(
    AREA,
    MINT,
    "mints-with-public-keys",
    "Mints with public keys.",
    lambda given, unit: {},
    "malformed",
    when=lambda unit: "public" in unit["key"],
)
mints("mints-for-any-host", "Mints for any issuer.", ("check_issuer(issuer)", "None"))
ISSUER, FETCHED = "canonical_domain(text) == text", 'is_fetchable_url(f"https://{text}/")'
careless(
    "issuers-in-any-case",
    "Takes issuers in any case.",
    trust.is_issuer,
    (ISSUER, "canonical_domain(text) is not None"),
)
careless(
    "mints-for-ports",
    "Takes issuers with ports.",
    trust.is_issuer,
    (ISSUER, "canonical_domain(text.partition(':')[0]) == text.partition(':')[0]"),
    (FETCHED, "True"),
)
careless(
    "issuers-with-dots",
    "Takes a final dot.",
    trust.is_issuer,
    (ISSUER, "canonical_domain(text.rstrip('.')) == text.rstrip('.')"),
    (FETCHED, "True"),
)
careless("any-provider", "Takes any platform.", _mint._check, ("not _PROVIDER(provider)", "False"))
careless(
    "providers-in-any-case",
    "Takes platforms in any case.",
    _mint._check,
    ("not _PROVIDER(provider)", "not _PROVIDER(provider.lower())"),
)
careless("mints-for-anybody", "Mints for anybody.", _mint._check, ("not is_canonical(audience)", "False"))
careless(
    "audiences-as-spelled",
    "Takes agents as they are spelled.",
    _mint._check,
    ("not is_canonical(audience)", "audience == '*'"),
)
careless("mints-any-turn", "Mints for any turn.", _mint._check, ("not is_turn(turn)", "False"))
careless("long-turns", "Mints for long turns.", _mint._check, ("not is_turn(turn)", "not is_turn(turn[:256])"))
careless("mints-any-budget", "Allows any number of bytes.", _mint._check, ("not is_budget(max_bytes)", "False"))
careless(
    "mints-no-budget",
    "Allows none.",
    _mint._check,
    ("not is_budget(max_bytes)", "max_bytes and not is_budget(max_bytes)"),
)
careless(
    "unsafe-budgets", "Allows more than JSON can tell.", _mint._check, ("not is_budget(max_bytes)", "max_bytes < 1")
)
swapped(AREA, MINT, "mints-any-file", "Mints for any file.", _capability, "is_scope_item", lambda value: True)
LIFE = "not _SECOND <= lifetime <= MAX_LIFETIME"
careless("mints-for-ever", "Mints for any time.", _mint._check_lifetime, (LIFE, "False"))
careless("no-lifetime", "Mints for no time.", _mint._check_lifetime, (LIFE, "lifetime > MAX_LIFETIME"))
swapped(AREA, MINT, "an-hour-at-most", "Mints for an hour.", _mint, "MAX_LIFETIME", timedelta(hours=1))
swapped(
    AREA,
    MINT,
    "less-than-a-quarter",
    "Mints for less than a quarter of an hour.",
    _mint,
    "MAX_LIFETIME",
    timedelta(seconds=899),
)
swapped(
    AREA,
    MINT,
    "two-seconds",
    "Mints for two seconds or more.",
    _mint,
    "_SECOND",
    timedelta(seconds=2),
    when=lambda unit: unit.get("lifetime_seconds") == 1,
)

# --- counting


def counts(name: str, rule: str, *edits: tuple[Any, str, str]) -> None:
    """Registers a mutant that counts otherwise."""
    written(AREA, BUDGET, name, rule, *edits)


TAKE, OVER, DEBITED = _budget.ByteBudget._take, _budget.ByteBudget._over, _budget.ByteBudget._debited
EXPIRED = "now >= self._capability.expires_at"
counts(
    "counts-nothing",
    "Counts nothing.",
    (OVER, "size > limit", "False"),
    (TAKE, "yield from self._debited(n, before)", "None"),
)
counts("counts-one-less", "Refuses the last byte.", (OVER, "size > limit", "size >= limit"))
counts("counts-for-itself", "Shares no budget.", (TAKE, "yield from self._debited(n, before)", "None"))
counts("asks-at-once", "Asks before it looks itself.", (TAKE, "if self._refused is None and n:", "if n:"))
counts("asks-for-nothing", "Asks for nothing.", (TAKE, "if self._refused is None and n:", "if self._refused is None:"))
counts("counts-after-the-end", "Goes on after the end.", (TAKE, EXPIRED, "False"))
counts("ends-after-the-end", "Goes on at the end.", (TAKE, EXPIRED, "now > self._capability.expires_at"))
counts("ends-by-what-is-sent", "Looks at the end for bytes alone.", (TAKE, EXPIRED, f"n and {EXPIRED}"))
counts(
    "forgives",
    "Goes on after a refusal.",
    (TAKE, "if self._refused is None:\n        if now", "self._refused = None\n    if True:\n        if now"),
)
AGAIN = """yield from self._debited(n, before)
                if self._refused and self._refused.temporary:
                    said, self._refused = self._refused, None
                    return None if before else said"""
counts(
    "forgives-ledgers",
    "Asks a ledger again that did not answer.",
    (TAKE, "yield from self._debited(n, before)", AGAIN),
)
counts("yes-is-yes", "Takes a no for a yes.", (DEBITED, "None if answer else", "None if True else"))
FAILED = "if isinstance(answer, Failed):"


def takes_failures(name: str, rule: str, which: str, said: str) -> None:
    """Registers a mutant for which no answer is one."""
    counts(name, rule, (DEBITED, FAILED, f"if {which}:\n        return {said}\n    {FAILED}"))


takes_failures("down-is-yes", "Takes no answer for a yes.", "isinstance(answer, Failed)", "None")
GONE = "isinstance(answer, Failed) and not answer.temporary"
takes_failures("gone-is-yes", "Takes a ledger that is gone for a yes.", GONE, "None")
takes_failures("down-is-no", "Takes no answer for a no.", "isinstance(answer, Failed)", "_refusal('cap-budget', '')")
CHECK = _budget.ByteBudget.check_size
counts("begins-any-size", "Lets any size begin.", (CHECK, "self._refused or self._over(size)", "self._refused"))
counts(
    "sizes-are-sent",
    "Counts what was only told.",
    (
        CHECK,
        "return self._refused or self._over(size)",
        "self._refused = self._refused or self._over(size)\n    return self._refused",
    ),
)
counts(
    "sizes-after-all",
    "Lets a size begin after a refusal.",
    (CHECK, "self._refused or self._over(size)", "self._over(size)"),
)
counts(
    "debits-what-fails", "Counts what was refused.", (lookups.LookupTable._debit, "if total <= ask.limit:", "if True:")
)
spoils(
    AREA,
    BUDGET,
    "takes-nothing-for-all",
    "Refuses nothing to be sent.",
    lambda value, _, unit: [
        "cap-budget" if step.get("take") == 0 else said for step, said in zip(unit["steps"], value, strict=True)
    ],
)
spoils(
    AREA,
    BUDGET,
    "fits-below",
    "Wants a byte left of a size.",
    lambda value, _, unit: [
        "cap-budget" if step.get("size") == 10 else said for step, said in zip(unit["steps"], value, strict=True)
    ],
)

# --- headers


def heads(name: str, rule: str, *edits: tuple[Any, str, str]) -> None:
    """Registers a mutant that sends other headers."""
    written(AREA, HEADERS, name, rule, *edits)


for _name in ("cache-control", "referrer-policy", "x-content-type-options"):
    _left = tuple((name, "" if name == _name else value) for name, value in _response.RESPONSE_HEADERS)
    swapped(AREA, HEADERS, f"no-{_name}", f"Sends no {_name}.", _response, "RESPONSE_HEADERS", _left)
DISPOSITION, NAMED = _response._disposition, _response.response_headers
heads("inline", "Shows files.", (DISPOSITION, 'return "attachment"\n', 'return "inline"\n'))
heads("nameless", "Tells no names.", (DISPOSITION, "if name is None:", "if True:"))
heads("raw-names", "Sends names as they are.", (NAMED, "file_name(well_formed(name))", "name"))
heads("sends-any-type", "Sends types as they are.", (NAMED, "media_type(mime)", "mime"))
heads("one-type", "Tells no type.", (NAMED, "(media_type(mime) if mime else None) or OCTET_STREAM", "OCTET_STREAM"))
heads("quotes-in-names", "Leaves quotes in names.", (DISPOSITION, "if char in _NAME_CHARS", "if char.isascii()"))
heads("ascii-alone", "Tells ASCII names alone.", (DISPOSITION, "; filename*=UTF-8''{quote(name, safe='')}", ""))
