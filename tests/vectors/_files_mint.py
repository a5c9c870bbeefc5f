"""Minting, serving and counting: `conformance/v0.1/files/{mint,mint-refused,round-trip,budget,headers}.json`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._answer_rows import row
from tests.vectors._files_rows import (
    AGENT,
    CLAIMS,
    HEADER,
    HOST,
    KEYS,
    SCOPE,
    SECRET,
    SEED,
    TURN,
    Case,
    T,
    at,
    b64,
    capability,
    changed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ANY: Case = {"$any": "json"}
NOW = {"iat": T, "nbf": T, "exp": T + 300, "jti": ANY}
KEY: Case = {"kid": "2026-11", "secret": b64(SECRET)}
EDGE_KEY: Case = {"kid": "edge", "seed": b64(SEED)}
PLAIN: Case = {
    "key": KEY,
    "issuer": HOST,
    "provider": "slack",
    "audience": AGENT,
    "scope": SCOPE,
    "turn": TURN,
    "max_bytes": 12_345,
}
JTI = CLAIMS["jti"]


def _minting(**changes: Any) -> Case:
    return changed(PLAIN, changes)


def _minted(name: str, why: str, claims: Case | None = None, **changes: Any) -> Case:
    around = {"given": changes.pop("given")} if "given" in changes else {}
    provider = changes.get("provider", "slack")
    header = {"alg": "EdDSA", "kid": "edge", "typ": HEADER["typ"]} if "key" in changes else HEADER
    expected = {
        "url": f"https://{changes.get('issuer', HOST)}/api/{provider}/files/",
        "expires_at": changes.pop("ends", "2026-11-21T21:01:00Z"),
        "header": header,
        "claims": {**CLAIMS, **NOW, **(claims or {})},
        "same_id": True,
    }
    return row(f"files/mint/{name}", "BC", why, _minting(**changes), value=expected, **around)


def _mint() -> Iterator[Case]:
    yield _minted("plain", "A descriptor has a URL of the connector, and says until when.")
    yield _minted("edge", "An edge can verify what it could not have minted.", key=EDGE_KEY)
    yield _minted("provider", "A connector may serve several platforms.", provider="discord")
    short = {"exp": T + 1}
    yield _minted("shortest", "One second is a lifetime.", short, lifetime_seconds=1, ends="2026-11-21T20:56:01Z")
    long = {"exp": T + 900}
    yield _minted("longest", "A quarter of an hour is one.", long, lifetime_seconds=900, ends="2026-11-21T21:11:00Z")
    yield _minted("between-seconds", "It never ends later than it says.", given=at(0.999))
    yield _minted("other-agent", "Each recipient gets its own.", {"aud": "@b@b.example"}, audience="@b@b.example")
    yield _minted("other-host", "It is of the connector that mints.", {"iss": "c.example"}, issuer="c.example")
    yield _minted("budget", "The budget stands in it.", {"max_bytes": 1}, max_bytes=1)
    yield _minted("turn", "So does the turn.", {"turn": "m1"}, turn="m1")
    other = {"workspace": "1", "channel": "2", "file": "3"}
    yield _minted("scope", "And the file.", {"scope": other}, scope=other)


def _mint_refused() -> Iterator[Case]:
    def no(name: str, why: str, **changes: Any) -> Case:
        unit = _minting(**changes)
        return row(f"files/mint-refused/{name}", "D C1", why, unit, rejected={"code": "malformed"})

    weak = "A short secret can be found by trying."
    yield no("short-secret", weak, key={"kid": "2026-11", "secret": b64(SECRET[:31])})
    public = b64(b"-----BEGIN PUBLIC KEY-----\n" + bytes(40))
    yield no("pem-as-secret", "A public key is known to everybody.", key={"kid": "2026-11", "secret": public})
    yield no("public-key", "With a public key nothing is minted.", key=KEYS[2])
    for name, found in {"empty": "", "long": "k" * 65, "slash": "a/b", "newline": "a\n"}.items():
        yield no(f"key-id-{name}", "The id of a key stands in every token.", key={**KEY, "kid": found})
    for name, found in {
        "url": f"https://{HOST}",
        "port": f"{HOST}:8443",
        "upper-case": HOST.upper(),
        "final-dot": f"{HOST}.",
        "address": "127.0.0.1",
        "one-label": "localhost",
    }.items():
        yield no(f"issuer-{name}", "A connector is named by its bare host.", issuer=found)
    for name, found in {"empty": "", "slash": "a/b", "upper-case": "Slack", "parent": ".."}.items():
        yield no(f"provider-{name}", "The platform is one segment of the path.", provider=found)
    for name, found in {"wildcard": "*", "acct": f"acct:{AGENT[1:]}", "case": "@helper@Agents.example"}.items():
        yield no(f"audience-{name}", "It is for one agent, whose name has one spelling.", audience=found)
    for name, found in {"wildcard": "*", "empty": "", "long": "F" * 65, "slash": "a/b", "parent": ".."}.items():
        yield no(f"file-{name}", "It is for one file.", scope={**SCOPE, "file": found})
    yield no("channel-wildcard", "In one channel.", scope={**SCOPE, "channel": "*"})
    yield no("workspace-wildcard", "Of one workspace.", scope={**SCOPE, "workspace": "*"})
    for name, found in {"empty": "", "long": "m" * 257, "newline": "m1\n"}.items():
        yield no(f"turn-{name}", "A turn is named by an id.", turn=found)
    for name, number in {"zero": 0, "negative": -1, "unsafe": 2**53}.items():
        yield no(f"budget-{name}", "A budget is a number of bytes.", max_bytes=number)
    for name, number in {"zero": 0, "negative": -1, "too-long": 901}.items():
        yield no(f"lifetime-{name}", "It holds for a quarter of an hour at most.", lifetime_seconds=number)


def _round_trip() -> Iterator[Case]:
    free = {"given": {"lookups": {"REVOKED *": False}}}
    times = {"issued_at": "2026-11-21T20:56:00Z", "expires_at": "2026-11-21T21:01:00Z", "token_id": ANY}
    for name, key, key_id in (("secret", KEY, "2026-11"), ("edge", EDGE_KEY, "edge")):
        unit = {"minted": _minting(key=key), "keys": KEYS, "issuer": HOST, "presenter": AGENT, "turn": TURN}
        why = "What was minted is let in."
        yield row(f"files/round-trip/{name}", "BC", why, unit, value=capability(**times, key_id=key_id), **free)


def _steps(name: str, why: str, steps: list[Case], said: list[str], **more: Any) -> Case:
    unit = {"capability": capability(max_bytes=more.pop("limit", 10)), "steps": steps}
    return row(f"files/budget/{name}", "BC", why, unit, value=said, **more)


def _take(n: int, **more: Any) -> Case:
    return {"take": n, **more}


def _budget() -> Iterator[Case]:
    one = partial(_steps)
    yield one("all", "All that is allowed is sent.", [_take(4), _take(6)], ["sent", "sent"])
    yield one("one-more", "Not a byte more.", [_take(10), _take(1)], ["sent", "cap-budget"])
    yield one(
        "at-once", "A chunk that does not fit is not begun.", [_take(11)], ["cap-budget"], must_not_ask=["DEBIT *"]
    )
    again = [_take(6), _take(4, of=1), _take(1, of=2)]
    yield one("shared", "Ranges and retries share one budget.", again, ["sent", "sent", "cap-budget"])
    fits = [_take(6), _take(6, of=1), _take(4, of=2)]
    yield one("what-did-not-fit", "What was refused was not sent.", fits, ["sent", "cap-budget", "sent"])
    for_good = [_take(11), _take(1), _take(0)]
    why = "A response that was broken off is not taken up."
    yield one("for-good", why, for_good, ["cap-budget"] * 3, must_not_ask=["DEBIT *"])
    yield one("nothing", "An empty chunk costs nothing.", [_take(0), _take(10)], ["sent", "sent"])
    yield one("nothing-unasked", "And asks nobody.", [_take(0)], ["sent"], must_not_ask=["DEBIT *"])
    ends = [_take(1, at=239), _take(1, at=240), _take(1, at=239)]
    yield one("ends", "A capability that ends in the middle ends.", ends, ["sent", "cap-expired", "cap-expired"])
    late = [_take(1, at=240)]
    yield one("ended", "Nobody is asked then.", late, ["cap-expired"], must_not_ask=["DEBIT *"])
    yield one("ends-empty", "Not even nothing is sent after it.", [_take(0, at=240)], ["cap-expired"])
    yield one(
        "declared", "A size that is told is looked at first.", [{"size": 10}, {"size": 11}], ["fits", "cap-budget"]
    )
    tell = [{"size": 11}, _take(1)]
    yield one("declared-only", "To ask is not to send.", tell, ["cap-budget", "sent"])
    after = [_take(11), {"size": 1}]
    yield one("declared-after", "After a refusal nothing fits.", after, ["cap-budget", "cap-budget"])
    no = {"given": {"lookups": {f"DEBIT {JTI}": False}}}
    yield one("ledger-says-no", "What others sent counts.", [_take(1)], ["cap-budget"], **no)
    down = {"given": {"lookups": {f"DEBIT {JTI}": {"failed": "no connection"}}}}
    why = "A ledger that cannot be asked has no bytes to give."
    yield one("ledger-down", why, [_take(1)], ["cap-ledger-unavailable"], **down)
    yield one("ledger-down-for-good", why, [_take(1), _take(1)], ["cap-ledger-unavailable"] * 2, **down)
    gone = {"given": {"lookups": {f"DEBIT {JTI}": {"failed": "no such table", "temporary": False}}}}
    yield one("ledger-gone", why, [_take(1)], ["cap-ledger-unavailable"], **gone)


def _headers() -> Iterator[Case]:
    def one(behaviour: str, why: str, disposition: str, kind: str = "application/octet-stream", **unit: Any) -> Case:
        headers = {
            "cache-control": "no-store",
            "content-disposition": disposition,
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "content-type": kind,
        }
        return row(f"files/headers/{behaviour}", "D C1", why, unit, value=headers)

    bare = "attachment"
    yield one("bare", "Nothing keeps, shows or guesses at a file.", bare)
    yield one(
        "named",
        "It is saved under its name.",
        'attachment; filename="report 1.pdf"',
        "application/pdf",
        name="report 1.pdf",
        mime="application/pdf",
    )
    yield one("type-parameters", "A type is a bare one.", bare, "text/html", mime="Text/HTML; charset=x")
    yield one("type-broken", "What is no type adds no header.", bare, mime="text/html\r\nx: y")
    yield one("folders", "A name leads nowhere.", 'attachment; filename="passwd"', name="../../etc/passwd")
    yield one("folders-windows", "Nowhere else either.", 'attachment; filename="a.txt"', name="C:\\temp\\a.txt")
    yield one("dots", "Folders are no names.", bare, name="..")
    quoted = "attachment; filename=\"a__ filename__b\"; filename*=UTF-8''a%22%3B%20filename%3D%22b"
    yield one("quotes", "A name ends nothing.", quoted, name='a"; filename="b')
    lines = 'attachment; filename="a  Set-Cookie_ b"; ' + "filename*=UTF-8''a%20Set-Cookie%3A%20b"
    yield one("lines", "A name begins no header.", lines.replace("a  Set", "a Set"), name="a\r\nSet-Cookie: b")
    over = "attachment; filename=\"___.pdf\"; filename*=UTF-8''%EB%B3%B4%EA%B3%A0%EC%84%9C.pdf"
    yield one("korean", "Names have all scripts.", over, name="\ubcf4\uace0\uc11c.pdf")
    yield one("turned", "A name reads as it is.", 'attachment; filename="afdp.exe"', name="a\u202efdp.exe")


def behaviours() -> Iterator[tuple[str, str, str, list[Any]]]:
    """What stands in each file."""
    yield (
        "mint",
        "files.mint",
        "A URL for one file, one agent, one turn, a few minutes and so many bytes.",
        list(_mint()),
    )
    yield "mint-refused", "files.mint", "What a connector must not mint.", list(_mint_refused())
    yield "round-trip", "files.verify", "What was minted is let in.", list(_round_trip())
    yield "budget", "files.budget", "Bytes are counted before they are sent, over all fetches.", list(_budget())
    yield "headers", "files.headers", "What is sent along with a file.", list(_headers())
