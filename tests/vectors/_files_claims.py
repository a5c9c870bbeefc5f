"""Tokens of ours that claim something in the wrong form: `conformance/v0.1/files/{claims,claim-forms,scope}.json`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._files_rows import AGENT, CLAIMS, GONE, SCOPE, Case, T, as_bytes, claiming, refused, scoped, token

if TYPE_CHECKING:
    from collections.abc import Iterator


def _set() -> Iterator[Case]:
    no = partial(refused, "claims", section="D C1")
    for name in CLAIMS:
        why = "A capability without an end, a file or an agent would be one for ever, for all or for everybody."
        yield no(f"without-{name.replace('_', '-')}", "cap-claims", why, claiming(**{name: GONE}))
    yield no("more", "cap-claims", "A claim that nobody reads is a rule that nobody keeps.", claiming(cnf={"jkt": "x"}))
    doubled = as_bytes(CLAIMS)
    twice = "Of two members of a name, one reader takes the first and one the last."
    yield no("twice", "cap-claims", twice, token(doubled.replace(b'"exp":', f'"exp":{T + 9_999},"exp":'.encode())))
    inner = doubled.replace(b'"file":', b'"file":"F999","file":')
    yield no("twice-inside", "cap-claims", twice, token(inner))
    spelled = doubled.replace(b'"exp":', f'"\\u0065xp":{T + 9_999},"exp":'.encode())
    yield no("twice-escaped", "cap-claims", twice, token(spelled))
    yield no("array", "cap-claims", "Claims are an object.", token([CLAIMS]))
    yield no("no-json", "cap-claims", "Claims are JSON.", token("exp=9999999999"))
    yield no("not-utf8", "cap-claims", "JSON is UTF-8.", token(doubled.replace(b"slack", b"sl\xffck")))
    yield no("byte-order-mark", "cap-claims", "JSON has no byte order mark.", token(b"\xef\xbb\xbf" + doubled))
    nan = doubled.replace(str(CLAIMS["exp"]).encode(), b"NaN")
    yield no("nan", "cap-claims", "What is no number is neither before nor after now.", token(nan))
    endless = doubled.replace(str(CLAIMS["exp"]).encode(), b"1e999")
    yield no("infinite", "cap-claims", "There is no end that never comes.", token(endless))
    half = doubled.replace(b"slack:T123", b"\\ud800")
    yield no("half-character", "cap-claims", "Half of a character can be stored and compared nowhere.", token(half))


def _forms() -> Iterator[Case]:
    no = partial(refused, "claim-forms", section="D C1")
    number = "A number that is converted is one that somebody else reads otherwise."
    for name, found in {
        "exp-text": str(T + 240),
        "exp-text-python": " 9_999_999_999 ",
        "exp-float": T + 240.5,
        "exp-whole-float": float(T + 240),
        "exp-true": True,
        "exp-null": None,
        "exp-negative": -1,
        "exp-after-9999": 253_402_300_800,
    }.items():
        yield no(name, "cap-claims", number, claiming(exp=found))
    yield no("iat-text", "cap-claims", number, claiming(iat=str(T)))
    yield no("iat-negative", "cap-claims", number, claiming(iat=-1))
    yield no("nbf-negative", "cap-claims", number, claiming(nbf=-1))
    yield no("nbf-float", "cap-claims", number, claiming(nbf=T - 60.5))
    yield no("nbf-false", "cap-claims", number, claiming(nbf=False))
    for name, found in {"text": "1", "true": True, "float": 1.0, "null": None}.items():
        yield no(f"ver-{name}", "cap-claims", number, claiming(ver=found))
    agent = "It is for one agent, whose name has one spelling."
    for name, found in {
        "list": [AGENT],
        "wildcard": "*",
        "wildcard-agent": "@*@*",
        "everybody": "",
        "without-mark": AGENT[1:],
        "acct": f"acct:{AGENT[1:]}",
        "upper-case-domain": "@helper@Agents.example",
        "two": f"{AGENT} @other@agents.example",
    }.items():
        yield no(f"aud-{name}", "cap-claims", agent, claiming(aud=found))
    yield no("iss-list", "cap-claims", "It is of one connector.", claiming(iss=["connector.example"]))
    guess = "An id that can be guessed or meet another one takes back, or uses up, what is not its own."
    for name, found in {"short": "a" * 21, "long": "a" * 129, "other-alphabet": "+" * 22, "number": 10**15}.items():
        yield no(f"jti-{name}", "cap-claims", guess, claiming(jti=found))
    turn = "A turn is named by an id, which stands in logs and keys."
    for name, found in {"empty": "", "blank": "m 1", "newline": "m1\n", "long": "m" * 257, "umlaut": "m\u00fc"}.items():
        yield no(f"turn-{name}", "cap-claims", turn, claiming(turn=found))
    budget = "A budget is a number of bytes; nothing stands for as many as there are."
    for name, found in {"zero": 0, "negative": -1, "float": 9.5, "text": "9", "null": None, "true": True}.items():
        yield no(f"budget-{name}", "cap-claims", budget, claiming(max_bytes=found))
    for version in (0, 2):
        why = "What another version means is not known here."
        yield no(f"version-{version}", "cap-version", why, claiming(ver=version))


def _scope() -> Iterator[Case]:
    no = partial(refused, "scope", section="BC")
    one = "A capability is for one file, and what it names goes into a request with the connector's own token."
    yield no("text", "cap-scope", one, claiming(scope="T123/C123/F123"))
    yield no("list", "cap-scope", one, claiming(scope=["T123", "C123", "F123"]))
    yield no("null", "cap-scope", one, claiming(scope=None))
    yield no("more", "cap-scope", one, scoped(team="T9"))
    for name in SCOPE:
        yield no(f"without-{name}", "cap-scope", one, scoped(**{name: GONE}))
    for name, found in {
        "wildcard": "*",
        "empty": "",
        "long": "F" * 65,
        "slash": "F1/F2",
        "escaped-slash": "F1%2FF2",
        "parent": "..",
        "here": ".",
        "query": "F1?pretty=1",
        "newline": "F123\n",
        "nul": "F123\x00",
        "cyrillic": "\u0424123",
        "full-width": "\uff26123",
        "number": 123,
        "list": ["F123", "F124"],
    }.items():
        yield no(f"file-{name}", "cap-scope", one, scoped(file=found))
    yield no("workspace-wildcard", "cap-scope", one, scoped(workspace="*"))
    yield no("channel-wildcard", "cap-scope", one, scoped(channel="*"))


def behaviours() -> Iterator[tuple[str, str, str, list[Any]]]:
    """What stands in each file."""
    yield "claims", "files.verify", "All claims are there, once, and no others.", list(_set())
    yield "claim-forms", "files.verify", "Nothing is converted, and nothing stands for more than one.", list(_forms())
    yield "scope", "files.verify", "The scope is one file.", list(_scope())
