"""Where a policy may lead people: `conformance/v0.1/policy/url*.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._policy_rows import HOST, Case, one

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = f"https://{HOST}"
IDN = "xn--bcher-kva.example"


def in_ascii(label: str) -> str:
    """A host whose first label is in letters, whatever they are."""
    return f"xn--{label.encode('punycode').decode()}.example"


LONGEST = HOME + "/" + "a" * (2048 - len(HOME) - 1)

GOOD = (
    ("host", "The host alone is an address.", HOME, HOST),
    ("root", "The usual end of a host.", f"{HOME}/", HOST),
    ("path", "An address with everything.", f"{HOME}/pay/7?order=7&x=a/b?c#top/1?", HOST),
    ("query-after-host", "A path may be missing.", f"{HOME}?order=7", HOST),
    ("fragment-after-host", "A path may be missing.", f"{HOME}#pay", HOST),
    ("signs", "What a path may hold, it may hold.", f"{HOME}/a-._~!$&()*+,;=:@z/%20%C3%A4", HOST),
    ("dots-in-names", "Names may have dots.", f"{HOME}/a.b/..c/d../...", HOST),
    ("dots-in-query", "A query has no segments.", f"{HOME}/?next=/../a//b", HOST),
    ("encoded-in-query", "Slashes in a query lead nowhere.", f"{HOME}/?next=%2Fa%2e%5c", HOST),
    ("at-in-path", "Behind the host an @ means nothing.", f"{HOME}/@alice", HOST),
    ("longest", "2048 characters are enough, and allowed.", LONGEST, HOST),
    ("port", "The operator may configure a port, which then stands there.", f"{HOME}:8443/pay", f"{HOST}:8443"),
    ("international", "A host in letters is written in ASCII.", f"https://{IDN}/", IDN),
    (
        "international-sign",
        "Hosts of signs exist, and are written in ASCII.",
        "https://xn--n3h.example/",
        "xn--n3h.example",
    ),
)
"""Name, why, URL, authority."""

ATTACKS: tuple[tuple[str, str, str], ...] = (
    ("u1-empty", "Nothing is no address.", ""),
    ("u1-too-long", "Nobody reads an address of pages.", LONGEST + "a"),
    ("u1-other-script", "ａ looks like a and is not.", "https://ａgents.example/"),
    ("u1-letter-in-path", "An address is written in ASCII.", f"{HOME}/é"),
    ("u2-http", "Whoever is on the way reads along.", f"http://{HOST}/"),
    ("u2-capitals", "There is one spelling.", f"HTTPS://{HOST}/"),
    ("u2-blank-before", "Browsers drop what stands before.", f" {HOME}/"),
    ("u2-script", "A script must not run.", f"javascript:alert(1)//{HOST}/"),
    ("u2-no-scheme", "What has no scheme takes any.", f"//{HOST}/"),
    ("u2-one-slash", "Browsers put slashes in.", f"https:/{HOST}/"),
    ("u2-three-slashes", "Browsers take slashes out.", f"https:///{HOST}/"),
    ("u2-backslashes", "Browsers turn backslashes.", f"https:\\\\{HOST}/"),
    ("u3-other-host", "Another host is another host.", "https://evil.example/"),
    ("u3-host-in-capitals", "There is one spelling.", "https://Agents.example/"),
    ("u3-longer-host", "A host that begins alike is another host.", f"{HOME}.evil.example/"),
    ("u3-longer-label", "A label that begins alike is another label.", f"{HOME}-evil.example/"),
    ("u3-host-behind", "A host that ends alike is another host.", "https://evilagents.example/"),
    ("u3-host-behind-hyphen", "A host that ends alike is another host.", "https://evil-agents.example/"),
    ("u3-host-in-path", "What stands in the path is no host.", f"https://evil.example/{HOST}"),
    ("u3-host-in-query", "What stands in the query is no host.", f"https://evil.example/?{HOME}/"),
    ("u3-host-in-fragment", "What stands in the fragment is no host.", f"https://evil.example/#{HOST}"),
    ("u3-no-host", "Without a host it leads anywhere.", "https://"),
    ("u4-userinfo", "What stands before an @ is no host.", f"{HOME}@evil.example/"),
    ("u4-userinfo-of-ours", "Who reads the beginning sees another name.", f"https://evil.example@{HOST}/"),
    ("u4-password", "What stands before an @ is no host.", f"{HOME}:443@evil.example/"),
    ("u4-backslash-at", "Some read a host here where browsers read another.", f"https://evil.example\\@{HOST}/"),
    ("u4-usual-port", "There is one spelling.", f"{HOME}:443/"),
    ("u4-other-port", "Another port is another server.", f"{HOME}:8443/"),
    ("u4-empty-port", "There is one spelling.", f"{HOME}:/"),
    ("u4-trailing-dot", "There is one spelling.", f"{HOME}./"),
    ("u4-subdomain", "A subdomain may be somebody else's.", f"https://pay.{HOST}/"),
    ("u4-backslash", "Browsers turn it into a slash, others do not.", f"{HOME}\\evil.example/"),
    ("u4-semicolon", "What goes on is another host.", f"{HOME};evil.example/"),
    ("u4-encoded-slash", "What goes on is another host.", f"{HOME}%2f@evil.example/"),
    ("u5-backslash-in-path", "Browsers turn it into a slash.", f"{HOME}/a\\..\\b"),
    ("u5-blank", "An address has no blanks.", f"{HOME}/a b"),
    ("u5-tab", "Browsers take it out.", f"{HOME}/a\tb"),
    ("u5-line-end", "What follows is another line of a header.", f"{HOME}/a\r\nset-cookie:x=1"),
    ("u5-line-end-last", "Many patterns overlook a last line end.", f"{HOME}/a\n"),
    ("u5-nul", "Some stop reading here.", f"{HOME}/a\0b"),
    ("u5-quote", "It would end an attribute.", f'{HOME}/"onclick="x'),
    ("u5-apostrophe", "It would end an attribute.", f"{HOME}/'onclick='x"),
    ("u5-angle", "It would begin a tag.", f"{HOME}/<script>"),
    ("u5-braces", "It would fill in a template.", f"{HOME}/{{x}}"),
    ("u5-backtick", "It would begin a template.", f"{HOME}/`x`"),
    ("u5-bad-percent", "What is half encoded is read in two ways.", f"{HOME}/%zz"),
    ("u5-percent-at-end", "What is half encoded is read in two ways.", f"{HOME}/%2"),
    ("u5-two-fragments", "There is one fragment.", f"{HOME}/#a#b"),
    ("u5-delete", "A control character shows nothing.", f"{HOME}/\x7f"),
    ("u6-dots", "A path goes down, not up.", f"{HOME}/pay/../admin"),
    ("u6-dot", "There is one spelling.", f"{HOME}/./pay"),
    ("u6-dots-at-end", "A path goes down, not up.", f"{HOME}/pay/.."),
    ("u6-dots-before-query", "A path goes down, not up.", f"{HOME}/pay/..?x"),
    ("u6-two-slashes", "Servers read it as a host.", f"{HOME}//evil.example/"),
    ("u6-encoded-dots", "Servers decode before they look.", f"{HOME}/%2e%2E/admin"),
    ("u6-half-encoded-dots", "Servers decode before they look.", f"{HOME}/.%2e/admin"),
    ("u6-encoded-slash", "Servers decode before they look.", f"{HOME}/a%2Fb"),
    ("u6-encoded-backslash", "Servers decode before they look.", f"{HOME}/a%5cb"),
    ("u6-encoded-nul", "Some stop reading here.", f"{HOME}/a%00"),
    ("u6-encoded-control", "Controls have no business in a path.", f"{HOME}/a%1fb"),
    ("u6-encoded-delete", "Controls have no business in a path.", f"{HOME}/a%7Fb"),
    ("u6-encoded-line-end", "A redirect would write two headers.", f"{HOME}/?next=%0D%0Ax:y"),
    ("u6-nul-in-query", "Some stop reading here.", f"{HOME}/?a=%00"),
    ("u6-line-end-in-fragment", "A script may use it.", f"{HOME}/#%0a"),
)
"""Name, why, URL: refused for the host of the agent."""

PORTS = (
    ("no-port", "Where a port is configured it stands there.", f"{HOME}/", f"{HOST}:8443"),
    ("another-port", "Another port is another server.", f"{HOME}:8444/", f"{HOST}:8443"),
    ("longer-port", "A port that begins alike is another one.", f"{HOME}:84430/", f"{HOST}:8443"),
    ("port-with-zero", "There is one spelling.", f"{HOME}:08443/", f"{HOST}:8443"),
)
NO_AUTHORITY = (
    ("one-label", "A name in the local network is anybody's.", "intranet"),
    ("localhost", "Everybody's own computer is no host.", "localhost"),
    ("localhost-below", "Everybody's own computer is no host.", "agents.localhost"),
    ("address", "An address of four numbers is no name.", "192.0.2.1"),
    ("address-in-hex", "Browsers read 0x7f.1 as an address.", "127.0x1"),
    ("address-v6", "An address is no name.", "[2001:db8::1]"),
    ("capitals", "There is one spelling.", "Agents.example"),
    ("trailing-dot", "There is one spelling.", "agents.example."),
    ("blank", "A host has no blanks.", "agents .example"),
    ("with-scheme", "An authority is no address.", HOME),
    ("with-path", "An authority has no path.", f"{HOST}/pay"),
    ("port-zero", "There is no such port.", f"{HOST}:0"),
    ("port-too-large", "There is no such port.", f"{HOST}:65536"),
    ("reserved-hyphens", "Labels with hyphens in the third place mean something else.", "ab--c.example"),
    ("no-international-label", "What decodes to nothing shows nothing.", "xn--.example"),
    ("ascii-in-disguise", "What decodes to ASCII is spelled in two ways.", "xn--abc-.example"),
    (
        "capital-in-disguise",
        "What decodes to a capital is spelled in two ways.",
        in_ascii("bÜcher"),
    ),
    ("mark-in-disguise", "A mark that has no letter is drawn on what is before it.", in_ascii("\u0301a")),
    ("hyphen-in-disguise", "No label begins or ends with a hyphen.", in_ascii("bücher-")),
    ("two-directions-in-disguise", "Readers see letters of two directions in another order.", in_ascii("aא")),
    ("joiner-in-disguise", "A joiner between letters that do not join is not seen.", in_ascii("a\u200db")),
    ("capitals-in-label", "There is one spelling.", "xn--Bcher-kva.example"),
    ("other-script", "A host in letters is written in ASCII.", "bücher.example"),
)
"""Name, why, authority: nothing is bound to it."""


def bound() -> Iterator[Case]:
    """URLs that may be shown: they come out unchanged."""
    for name, why, url, authority in GOOD:
        unit = {"url": url, "authority": authority}
        yield one("url", name, "D B11", why, unit, value=url, flags=["honest"])
    also = ["pay.example", "shop.example:8443"]
    why = "Other hosts of a card count exactly."
    for name, url in (("own", f"{HOME}/"), ("first", "https://pay.example/7"), ("port", "https://shop.example:8443/7")):
        unit = {"url": url, "authority": HOST, "also": also}
        yield one("url", f"also-{name}", "D B11", why, unit, value=url, flags=["honest"])


def unbound() -> Iterator[Case]:
    """URLs that may not be shown."""
    rows = [(name, why, url, HOST) for name, why, url in ATTACKS]
    for name, why, url, authority in (*rows, *PORTS):
        unit = {"url": url, "authority": authority}
        yield one("url-refused", name, "D B11", why, unit, rejected={"code": "url-refused"}, flags=["attack"])
    also = ["pay.example", "shop.example:8443"]
    for name, why, url in (
        ("below", "A subdomain of a host of the card is another host.", "https://a.pay.example/"),
        ("port", "A host of the card has its port, or none.", "https://pay.example:8443/"),
        ("no-port", "A host of the card has its port, or none.", "https://shop.example/"),
        ("behind", "A host that ends alike is another host.", "https://evilpay.example/"),
    ):
        unit = {"url": url, "authority": HOST, "also": also}
        beside: Any = {"rejected": {"code": "url-refused"}, "flags": ["attack"]}
        yield one("url-refused", f"also-{name}", "D B11", why, unit, **beside)


def authorities() -> Iterator[Case]:
    """What no URL can be bound to: whoever configured it is told so."""
    for name, why, authority in NO_AUTHORITY:
        unit = {"url": f"https://{authority}/", "authority": authority}
        yield one("url-authority", name, "D B11", why, unit, rejected={"code": "malformed"})
    unit = {"url": f"{HOME}/", "authority": HOST, "also": ["localhost"]}
    why = "A bad host among others binds nothing."
    yield one("url-authority", "also", "D B11", why, unit, rejected={"code": "malformed"})


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The case files of this module."""
    yield "policy", "url", "policy.bind_url", "URLs that may be shown.", list(bound())
    yield "policy", "url-refused", "policy.bind_url", "URLs that may not be shown.", list(unbound())
    yield "policy", "url-authority", "policy.bind_url", "Authorities that bind nothing.", list(authorities())
