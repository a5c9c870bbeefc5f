"""Mutants of binding URLs: those that parse and compare, those that mend what they read, and those that lack a rule."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from tests.mutants import MUTANTS, Mutant
from tests.mutants._answers import refuses, takes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.mutants import Perform

AREA = "policy"
BIND = ("policy.bind_url",)
READ = ("policy.read",)
Answer = "Mapping[str, Any]"


def _checks(name: str, rule: str, check: Callable[[str, str], bool]) -> None:
    """Registers a mutant that shows a URL when `check(url, authority)` holds, and never else."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
        answer = honest(op, given, unit)
        if op not in BIND or answer.get("rejected", {}).get("code") == "malformed":
            return answer
        shown = any(check(unit["url"], authority) for authority in (unit["authority"], *unit.get("also", ())))
        return {"value": unit["url"]} if shown else {"rejected": {"code": "url-refused"}}

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=BIND))


def _plain(url: str) -> bool:
    """Whether a URL has nothing in it that hurts in a page."""
    return re.search(r"[\x00-\x20\x7f-\uffff\"'<>`{}\\]|/\.\.?(?:[/?]|$)|%(?:00|0[aAdD]|2[eEfF]|5[cC])", url) is None


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


_checks(
    "trusts-the-host-by-prefix", "Compares the beginning of a URL.", lambda url, host: url.startswith(f"https://{host}")
)
_checks(
    "trusts-the-host-by-suffix",
    "Compares the end of the host.",
    lambda url, host: _plain(url) and url[:8] == "https://" and urlsplit(url).netloc.endswith(host.partition(":")[0]),
)
_checks(
    "parses-and-compares-hosts",
    "Compares the host that a parser finds.",
    lambda url, host: _host(url) == host.partition(":")[0],
)
_checks(
    "parses-and-compares-origins",
    "Compares scheme and authority that a parser finds.",
    lambda url, host: _host(url) is not None and urlsplit(url)[:2] == ("https", host),
)
_checks("finds-the-host-anywhere", "Looks for the host in a URL.", lambda url, host: _plain(url) and host in url)
_checks(
    "matches-hosts-by-pattern",
    "Takes subdomains.",
    lambda url, host: (
        _plain(url) and fnmatchcase(urlsplit(url).netloc, f"*{host}") and f".{host}" in f".{urlsplit(url).netloc}"
    ),
)
_checks(
    "takes-any-host",
    "Looks at everything but the host.",
    lambda url, host: _plain(url) and url[:8] == "https://" and len(url) > 8,
)


def _mended(name: str, rule: str, mend: Callable[[str], str]) -> None:
    """Registers a mutant that reads another URL than stands there: what it mends, it lets through."""

    def wrong(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
        mended = mend(unit["url"]) if op in BIND else ""
        return honest(op, given, {**unit, "url": mended} if op in BIND else unit)

    MUTANTS.append(Mutant(name, AREA, rule, wrong, ops=BIND))


_mended("strips-urls", "Takes off blanks around a URL.", str.strip)
_mended("lowers-schemes", "Reads schemes without their case.", lambda url: url[:5].lower() + url[5:])
_mended(
    "lowers-hosts",
    "Reads hosts without their case.",
    lambda url: re.sub("(?<=^https://)[^/]*", lambda host: host[0].lower(), url),
)
_mended("drops-usual-port", "Takes off the usual port.", lambda url: re.sub(r":443(?=/)|:(?=/(?!/))", "", url))
_mended("drops-ports", "Takes off every port.", lambda url: re.sub(r"(?<=\w):[0-9]+(?=/)", "", url))
_mended("drops-last-dot", "Takes off the dot behind a host.", lambda url: url.replace("example./", "example/"))
_mended(
    "turns-backslashes",
    "Takes backslashes for slashes, as browsers do.",
    lambda url: url.replace("\\", "/").replace("/..", ""),
)
_mended("drops-userinfo", "Takes off what stands before an @.", lambda url: re.sub("(?<=https://)[^@/]*@", "", url))
_mended("drops-line-ends", "Takes out tabs and line ends, as browsers do.", lambda url: re.sub("[\t\r\n]", "", url))
_mended("sees-no-difference-to-http", "Takes http for https.", lambda url: re.sub("^http:", "https:", url))
_mended(
    "puts-https-before", "Puts a scheme where there is none.", lambda url: "https:" + url if url[:2] == "//" else url
)
_mended("counts-no-slashes", "Takes any number of slashes.", lambda url: re.sub(r"^https:[/\\]*", "https://", url))
_mended("drops-subdomains", "Takes off subdomains.", lambda url: re.sub(r"^https://(?:pay|a)\.", "https://", url))
_mended(
    "knows-no-empty-host",
    "Reads an empty host as its own.",
    lambda url: url + "agents.example" if url == "https://" else url,
)
_mended("shows-nothing", "Takes no URL for its own.", lambda url: url or "https://agents.example")
_mended("cuts-long-urls", "Cuts off what is too long.", lambda url: url[:2048])
_mended("folds-letters", "Reads letters of other scripts as what they look like.", lambda url: normalize("NFKC", url))
_mended("encodes-letters", "Encodes letters of other scripts.", lambda url: url.replace("é", "%C3%A9"))
_mended(
    "resolves-paths",
    "Resolves segments of dots.",
    lambda url: re.sub(r"(?<!\.)/(?:[a-z]+/)?\.\.?(?=[/?]|$)", "", url).replace("example//", "example/"),
)
_mended(
    "decodes-urls", "Decodes what is encoded.", lambda url: re.sub(r"\.\./", "", unquote(url)) if "%" in url else url
)
_mended("stops-at-a-nul", "Reads up to a NUL.", lambda url: re.split("\0|%00", url)[0])
_mended(
    "cuts-at-odd-signs", "Reads up to what a host cannot have.", lambda url: re.sub("(?<=example)[;%\\\\].*", "", url)
)


for _name, _text, _pattern in (
    ("bare-hosts", "Wants a slash behind the host.", r"https://[^/]*$"),
    ("roots", "Wants a path.", r"https://[^/]*/$"),
    ("queries", "Wants a path before a query.", r"https://[^/]*\?"),
    ("fragments", "Wants no fragment.", r".*#"),
    ("signs", "Takes letters and digits alone.", r"https://[^/]*/.*[!$&(~]"),
    ("dots", "Refuses two dots anywhere.", r".*\.\."),
    ("slashes", "Refuses two slashes anywhere.", r"https://.*//"),
    ("encoded-slashes", "Refuses what is encoded anywhere.", r".*%2F"),
    ("at", "Refuses an @ anywhere.", r".*@"),
    ("ports", "Wants no port.", r"https://[^/]*:"),
    ("international", "Knows no international hosts.", r"https://xn--"),
):
    refuses(AREA, BIND, f"refuses-{_name}", _text, lambda unit, pattern=_pattern: bool(re.match(pattern, unit["url"])))

takes(
    AREA, BIND, "shows-with-any-authority", "Binds URLs to what is no host.", lambda _, unit: unit["url"], "malformed"
)

# --- links of policies that came in


def _without_links(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
    """Shows no link at all."""
    answer = honest(op, given, unit)
    policy = (answer.get("value") or {}).get("policy") if op in READ else None
    if not policy or "url" not in policy:
        return answer
    bare = {name: member for name, member in policy.items() if name != "url"}
    return {**answer, "value": {**answer["value"], "policy": bare}}


def _payload_links(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Mapping[str, Any]:
    """Drops ways to pay that lead elsewhere."""
    answer = honest(op, given, unit)
    policy = (answer.get("value") or {}).get("policy") if op in READ else None
    offers = (policy or {}).get("accepted_payments", ())
    if not any("url" in offer["payload"] for offer in offers):
        return answer
    return {**answer, "value": {**answer["value"], "policy": None}}


MUTANTS.append(Mutant("shows-no-links", AREA, "Shows no link at all.", _without_links, ops=READ))
MUTANTS.append(Mutant("looks-into-payloads", AREA, "Drops ways to pay that lead elsewhere.", _payload_links, ops=READ))
