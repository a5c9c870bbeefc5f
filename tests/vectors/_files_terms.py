"""What a capability must agree with: `conformance/v0.1/files/{verify,terms,revoked,order}.json`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tests.vectors._files_rows import (
    AGENT,
    CLAIMS,
    GONE,
    HEADER,
    HOST,
    OLD_SECRET,
    OTHER_SECRET,
    SCOPE,
    TURN,
    Case,
    T,
    as_bytes,
    at,
    claiming,
    edge_token,
    fetch,
    headed,
    refused,
    taken,
    token,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHER = "@other@agents.example"
JTI = CLAIMS["jti"]
DOWN = {"failed": "no connection"}


def _taken() -> Iterator[Case]:
    plain = token()
    yield taken("plain", "A file that an agent was given can be had.", fetch(plain))
    edge = "An edge that has the public half alone can serve files."
    yield taken("edge", edge, fetch(edge_token()), value={"key_id": "edge"})
    old = token(header={**HEADER, "kid": "2026-10"}, secret=OLD_SECRET)
    yield taken("old-key", "Keys change while capabilities are out.", fetch(old), value={"key_id": "2026-10"})
    yield taken(
        "bearer",
        "A connector may let in whoever has the URL, if it says so.",
        fetch(plain, presenter=GONE, bearer_ok=True),
    )
    yield taken("bearer-and-agent", "Then its agent is let in as well.", fetch(plain, bearer_ok=True))
    yield taken("first-second", "It holds at once.", fetch(plain), given=at(-60))
    yield taken("last-moment", "It holds until it ends.", fetch(plain), given=at(239.999))
    longest = claiming(iat=T - 60, exp=T + 840)
    yield taken(
        "longest", "A quarter of an hour is allowed.", fetch(longest), value={"expires_at": "2026-11-21T21:10:00Z"}
    )
    later = claiming(nbf=T - 1)
    yield taken("later-start", "It may hold from later on.", fetch(later))
    yield taken("scope-known", "The file that the path names is the one.", fetch(plain, scope=SCOPE))
    yield taken("turn-known", "The turn that is going on is the one.", fetch(plain, turn=TURN))
    yield taken("size-known", "A file may have as many bytes as are allowed.", fetch(plain, size=12_345))
    yield taken("size-zero", "A file may be empty.", fetch(plain, size=0))
    never = "Who takes nothing back need not keep what was."
    yield taken("unrevocable", never, fetch(plain, revocable=False), must_not_ask=["REVOKED *"], given={"lookups": {}})
    spelled = "A presenter is compared by its canonical address."
    yield taken("presenter-spelled", spelled, fetch(plain, presenter="acct:helper@Agents.example"), level="SHOULD")
    turned = token(dict(reversed(CLAIMS.items())), dict(reversed(HEADER.items())))
    yield taken("other-order", "The order of members means nothing.", fetch(turned))
    blanks = token(as_bytes(CLAIMS).replace(b",", b", "))
    yield taken("blanks", "Nor do blanks in JSON.", fetch(blanks))
    yield taken("long-id", "An id may have more bits.", fetch(claiming(jti="a" * 128)), value={"token_id": "a" * 128})
    most = {"workspace": "T" * 64, "channel": "general_1-2", "file": "a.b"}
    yield taken(
        "scope-forms", "Platforms name things in many ways.", fetch(claiming(scope=most)), value={"scope": most}
    )
    yield taken("one-byte", "The smallest budget is a byte.", fetch(claiming(max_bytes=1)), value={"max_bytes": 1})
    huge = 2**53 - 1
    yield taken(
        "huge",
        "There is no other largest one than that of JSON.",
        fetch(claiming(max_bytes=huge)),
        value={"max_bytes": huge},
    )
    long = "m" * 256
    yield taken("long-turn", "Ids of turns may be long.", fetch(claiming(turn=long)), value={"turn": long})


def _issuer() -> Iterator[Case]:
    no = partial(refused, "issuer", section="BC")
    for name, found in {
        "other": "other.example",
        "url": f"https://{HOST}",
        "port": f"{HOST}:443",
        "final-dot": f"{HOST}.",
        "upper-case": HOST.upper(),
        "ends-alike": f"evil-{HOST}",
        "begins-alike": f"{HOST}.evil.example",
        "below": f"a.{HOST}",
        "newline": f"{HOST}\n",
        "cyrillic": HOST.replace("c", "\u0441", 1),
    }.items():
        why = "A connector serves what it minted, even where another one has its key."
        yield no(name, "cap-issuer", why, claiming(iss=found))


def _when() -> Iterator[Case]:
    no = partial(refused, "time", section="BC")
    short = "What leaked once must be worth nothing soon."
    yield no("too-long", "cap-lifetime", short, claiming(exp=T + 841))
    old = claiming(iat=T - 800)
    yield no("long-before-start", "cap-lifetime", "Its life begins when it was made.", old)
    yield no("for-ever", "cap-lifetime", short, claiming(exp=253_402_300_799))
    yield no("no-time", "cap-lifetime", "It must end after it begins.", claiming(iat=T, nbf=T, exp=T))
    yield no("backwards", "cap-lifetime", "It must end after it begins.", claiming(iat=T + 60, nbf=T + 60, exp=T))
    yield no(
        "starts-before", "cap-lifetime", "A start before it was made stretches its life.", claiming(iat=T, nbf=T - 900)
    )
    yield no("starts-at-end", "cap-lifetime", "It must hold some time.", claiming(nbf=T + 240))
    yield no(
        "early", "cap-not-yet-valid", "What is from the future was not minted here.", claiming(iat=T + 1, nbf=T + 1)
    )
    yield no("early-by-a-moment", "cap-not-yet-valid", "There is no grace.", token(), given=at(-60.001))
    yield no("start-later", "cap-not-yet-valid", "It says from when it holds.", claiming(nbf=T + 1))
    yield no("at-end", "cap-expired", "There is no grace.", token(), given=at(240))
    yield no("after-end", "cap-expired", "There is no grace.", token(), given=at(241))
    yield no("next-day", "cap-expired", "Mails and logs keep URLs.", token(), given=at(86_400))


def _who() -> Iterator[Case]:
    no = partial(refused, "presenter", section="BC")
    plain = token()
    yield no("nobody", "cap-presenter-missing", "Who has the URL need not be the agent.", fetch(plain, presenter=GONE))
    yield no("other", "cap-audience", "Other agents were not given the file.", fetch(plain, presenter=OTHER))
    yield no(
        "other-bearer",
        "cap-audience",
        "Not even where URLs alone are enough.",
        fetch(plain, presenter=OTHER, bearer_ok=True),
    )
    exact = "Agents are told apart to the letter."
    for name, found in {
        "other-case": "@Helper@agents.example",
        "other-domain": "@helper@agents.example.evil.example",
        "below": "@helper@a.agents.example",
        "begins-alike": "@helper2@agents.example",
        "empty": "",
        "wildcard": "*",
        "newline": f"{AGENT}\n",
        "host": "agents.example",
    }.items():
        yield no(name, "cap-audience", exact, fetch(plain, presenter=found))


def _what() -> Iterator[Case]:
    no = partial(refused, "expected", section="BC")
    plain = token()
    for name in SCOPE:
        other = {**SCOPE, name: SCOPE[name] + "4"}
        yield no(f"{name}-other", "cap-scope-mismatch", "It is for one file in one channel.", fetch(plain, scope=other))
    lower = {**SCOPE, "file": "f123"}
    yield no("file-case", "cap-scope-mismatch", "Ids of platforms have their case.", fetch(plain, scope=lower))
    yield no("turn-other", "cap-turn-mismatch", "It is for one turn.", fetch(plain, turn=f"{TURN}1"))
    yield no("size-over", "cap-budget", "Nothing is begun that cannot be sent as a whole.", fetch(plain, size=12_346))


def _revoked() -> Iterator[Case]:
    no = partial(refused, "revoked", quiet=False)
    rows = {"lookups": {f"REVOKED {JTI}": True}}
    yield no("revoked", "cap-revoked", "What was taken back stays so.", token(), given=rows)
    yield no("of-edge", "cap-revoked", "Whoever signed it.", edge_token(), given=rows)
    down = {"lookups": {f"REVOKED {JTI}": DOWN}}
    closed = "Whether it was taken back must be known."
    yield no("unavailable", "cap-revocation-unavailable", closed, token(), given=down)
    yield no("unanswered", "cap-revocation-unavailable", closed, token(), given={"lookups": {}})
    gone = {"lookups": {f"REVOKED {JTI}": {"failed": "no such table", "temporary": False}}}
    yield no("gone", "cap-revocation-unavailable", closed, token(), given=gone)
    bearer = fetch(token(), presenter=GONE, bearer_ok=True)
    yield no("of-bearer", "cap-revoked", "Who need not say who they are are not let in more.", bearer, given=rows)


def _order() -> Iterator[Case]:
    no = partial(refused, "order", section="D C1", flags=["order"])
    why = "One answer to two faults everywhere; and what costs or tells more comes later."
    bad = {"secret": OTHER_SECRET}
    yield no("form-header", "cap-malformed", why, f"{headed(jku='x')}=")
    yield no("header-type", "cap-header", why, headed(jku="x", typ="JWT"))
    yield no("type-key", "cap-type", why, headed(typ="JWT", kid="x"))
    yield no("key-algorithm", "cap-key-unknown", why, headed(kid="x", alg="none"))
    yield no("algorithm-signature", "cap-algorithm", why, token(header={**HEADER, "alg": "none"}, **bad))
    yield no("signature-claims", "cap-signature", why, token({}, **bad))
    yield no("signature-json", "cap-signature", why, token("{", **bad))
    yield no("signature-expired", "cap-signature", why, token(**bad), given=at(999))
    yield no("claims-version", "cap-claims", why, claiming(ver=2, exp="x"))
    yield no("version-scope", "cap-version", why, claiming(ver=2, scope="x"))
    yield no("scope-issuer", "cap-scope", why, claiming(iss="other.example", scope="x"))
    yield no("issuer-lifetime", "cap-issuer", why, claiming(iss="other.example", exp=T + 9_999))
    yield no("lifetime-early", "cap-lifetime", why, claiming(iat=T + 1, nbf=T + 1, exp=T + 9_999))
    yield no("lifetime-expired", "cap-lifetime", why, claiming(exp=T + 900), given=at(900))
    yield no("expired-nobody", "cap-expired", why, fetch(token(), presenter=GONE), given=at(240))
    yield no("expired-other", "cap-expired", why, fetch(token(), presenter=OTHER), given=at(240))
    other = {**SCOPE, "file": "F999"}
    yield no("nobody-scope", "cap-presenter-missing", why, fetch(token(), presenter=GONE, scope=other))
    yield no("other-scope", "cap-audience", why, fetch(token(), presenter=OTHER, scope=other))
    yield no("scope-turn", "cap-scope-mismatch", why, fetch(token(), scope=other, turn="m9"))
    yield no("turn-size", "cap-turn-mismatch", why, fetch(token(), turn="m9", size=99_999))
    rows = {"lookups": {"REVOKED *": True}}
    yield no("size-revoked", "cap-budget", why, fetch(token(), size=99_999), given=rows)


def behaviours() -> Iterator[tuple[str, str, str, list[Any]]]:
    """What stands in each file."""
    yield "verify", "files.verify", "Whoever may have a file gets it.", list(_taken())
    yield "issuer", "files.verify", "A capability is one of this connector.", list(_issuer())
    yield "time", "files.verify", "A capability is short, and has no grace.", list(_when())
    yield "presenter", "files.verify", "A capability is for one agent.", list(_who())
    yield "expected", "files.verify", "A capability is for what the connector expects, where it does.", list(_what())
    yield "revoked", "files.verify", "A capability may be taken back.", list(_revoked())
    yield "order", "files.verify", "Of two faults the first in order counts.", list(_order())
