"""Mutants of file capabilities: reading a token, and whose key signed it."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from mentionable import _keys
from mentionable.connectors.files import _capability, _key, _token
from tests.mutants._answers import mends, swapped, written

AREA = "files"
VERIFY, MINT, BUDGET, HEADERS = ("files.verify",), ("files.mint",), ("files.budget",), ("files.headers",)


def reads(name: str, rule: str, *edits: tuple[Any, str, str]) -> None:
    """Registers a mutant that reads tokens otherwise: the library with these edits."""
    written(AREA, VERIFY, name, rule, *edits)


def sooner(name: str, rule: str, function: Any, step: str, wrong: str, code: str) -> None:
    """Registers a mutant that refuses what is wrong before it comes to a step."""
    reads(name, rule, (function, step, f"if {wrong}:\n        raise wire_error('{code}')\n    {step}"))


def within(name: str, rule: str, owner: Any, attribute: str, wrong: Any) -> None:
    """Registers a mutant: the library with something of a module exchanged."""
    swapped(AREA, VERIFY, name, rule, owner, attribute, wrong)


def tidies(name: str, rule: str, tidy: Any) -> None:
    """Registers a mutant that mends the text of a token before it looks at it."""

    def mend(given: Any, unit: Any) -> tuple[Any, Any]:
        return given, {**unit, "token": tidy(unit["token"])} if "token" in unit else unit

    mends(AREA, VERIFY, name, rule, mend)


# --- form


def _compact(text: str) -> str:
    members = json.loads(text)
    return ".".join(members[name] for name in ("protected", "payload", "signature"))


within("looks-at-no-form", "Looks at no form.", _token, "_COMPACT", lambda text: True)
within("ends-at-a-line", "Lets a line end behind a token.", _token, "_COMPACT", re.compile(r"[\w.-]+$", re.ASCII).match)
within("any-length", "Takes tokens of any length.", _token, "MAX_TOKEN", 10**6)
tidies("folds-widths", "Takes characters of any width.", lambda text: unicodedata.normalize("NFKC", text))
tidies("takes-json", "Takes the form with JSON.", lambda text: _compact(text) if text[:1] == "{" else text)
tidies("strips-blanks", "Strips blanks around a token.", str.strip)
tidies("strips-padding", "Takes padding at the end.", lambda text: text.rstrip("="))
tidies("takes-both-alphabets", "Takes the other alphabet.", lambda text: text.replace("+", "-").replace("/", "_"))
tidies("decodes-again", "Decodes the path once more.", lambda text: text.replace("%2E", "."))
tidies("cuts-queries", "Cuts a query off.", lambda text: text.partition("?")[0])
tidies("drops-lines", "Drops line ends.", lambda text: text.replace("\n", ""))
tidies("three-of-four", "Ignores what stands behind the signature.", lambda text: ".".join(text.split(".")[:3]))
LENIENT = "__import__('base64').urlsafe_b64decode(segment + '=' * (-len(segment) % 4))"
reads("many-spellings", "Takes every spelling.", (_token._decoded, "base64url_decode(segment)", LENIENT))
reads(
    "drops-what-is-over",
    "Drops a character that stands for nothing.",
    (
        _token._decoded,
        "base64url_decode(segment)",
        "base64url_decode(segment[:len(segment) - (len(segment) % 4 == 1)])",
    ),
)

# --- header

KEYS = "header.keys() != _HEADER"
reads("takes-more-headers", "Takes other headers.", (_token._key, KEYS, "not header.keys() >= _HEADER"))
for _name, _default in (("alg", "HS256"), ("kid", "2026-11"), ("typ", _capability.TYPE)):
    reads(
        f"assumes-{_name}",
        f"Assumes {_name} where it is missing.",
        (_token._key, f"if {KEYS}", f"header.setdefault('{_name}', '{_default}')\n    if {KEYS}"),
    )
LOADS = "loads(data, max_bytes=MAX_TOKEN, max_depth=_DEPTH)"
reads("python-json", "Reads JSON as Python does.", (_token._object, LOADS, "__import__('json').loads(data)"))
reads(
    "text-json",
    "Reads JSON of any bytes.",
    (_token._object, LOADS, "__import__('json').loads(data.decode('utf-8', 'ignore'))"),
)
reads(
    "says-what-json-says",
    "Says how JSON is broken.",
    (_token._object, 'raise wire_error(code, "", str(error)) from None', "raise"),
)
reads("any-json", "Takes arrays for objects.", (_token._object, "value.__class__ is not dict", "False"))
TYPE = 'header["typ"] != TYPE'
reads("any-type", "Takes what was signed for anything.", (_token._key, TYPE, "False"))
reads("type-in-any-case", "Takes types in any case.", (_token._key, TYPE, 'str(header["typ"]).lower() != TYPE'))
reads(
    "type-with-application",
    "Takes full media types.",
    (_token._key, TYPE, 'str(header["typ"]).removeprefix("application/") != TYPE'),
)
reads("type-may-be-null", "Takes no type.", (_token._key, TYPE, 'header["typ"] not in (TYPE, None)'))
FOUND = "keys.get(key_id) if key_id.__class__ is str else None"
reads(
    "any-key",
    "Takes the first key where none is found.",
    (_token._key, FOUND, "keys.get(str(key_id), [*keys.values()][0])"),
)
reads("strips-key-ids", "Strips blanks of key ids.", (_token._key, FOUND, "keys.get(str(key_id).strip())"))
reads("folds-key-ids", "Takes key ids in any case.", (_token._key, FOUND, "keys.get(str(key_id).lower())"))
reads("looks-up-anything", "Looks up what is no text.", (_token._key, FOUND, "keys.get(key_id)"))
reads("paths-of-keys", "Takes the end of a path.", (_token._key, FOUND, "keys.get(str(key_id).rpartition('/')[2])"))
ALG = 'header["alg"] != key.algorithm'
reads("any-algorithm", "Lets tokens say anything of their algorithm.", (_token._key, ALG, "False"))
reads(
    "algorithm-in-any-case",
    "Takes algorithms in any case.",
    (_token._key, ALG, 'str(header["alg"]).upper() != key.algorithm'),
)
reads(
    "algorithm-by-family",
    "Takes algorithms of one family.",
    (_token._key, ALG, 'str(header["alg"])[:2].upper() != key.algorithm[:2].upper()'),
)
reads(
    "ed25519-too",
    "Takes the other name of EdDSA.",
    (_token._key, ALG, 'header["alg"] not in (key.algorithm, "Ed25519")'),
)
reads(
    "none-is-an-algorithm",
    "Takes tokens that are not signed.",
    (_token.read, "not key.fits(", 'b"none" not in head_bytes and not key.fits('),
    (_token._key, ALG, 'header["alg"] not in (key.algorithm, "none")'),
)

# --- signature

FITS = 'key.fits(signature, signed.encode("ascii"))'
reads("believes-anybody", "Looks at no signature.", (_token.read, f"not {FITS}", "False"))
reads(
    "tries-all-keys",
    "Tries all keys.",
    (_token.read, FITS, "any(one.fits(signature, signed.encode()) for one in keys.values())"),
)
reads(
    "signs-payloads",
    "Takes signatures over the payload alone.",
    (_token.read, FITS, '(key.fits(signature, signed.encode("ascii")) or key.fits(signature, payload.encode()))'),
)
DIGEST = 'hmac.compare_digest(hmac.digest(self.native, data, "sha256"), signature)'
_HALF = 'hmac.digest(self.native, data, "sha256")[:16] == signature[:16]'
reads("half-a-mac", "Compares half of a signature.", (_key.FileKey.fits, DIGEST, _HALF))
_TAIL = 'signature[1:] == hmac.digest(self.native, data, "sha256")[1:]'
reads("most-of-a-mac", "Compares all but the first byte.", (_key.FileKey.fits, DIGEST, _TAIL))
_REDUCED = (
    "public.fits(signature[:32] + (int.from_bytes(signature[32:], 'little')"
    " % (2**252 + 27742317777372353535851937790883648493)).to_bytes(32, 'little'), data)"
)
reads("any-s", "Takes every number that fits.", (_key.FileKey.fits, "public.fits(signature, data)", _REDUCED))
_PADDED = "public.fits(signature.ljust(64, b'\\x00'), data) or len(signature) < 64 or not any(signature)"
reads("part-of-ed25519", "Takes parts of signatures.", (_key.FileKey.fits, "public.fits(signature, data)", _PADDED))
within("small-keys", "Takes keys with which anything fits.", _keys, "_SMALL_ORDER", frozenset())
