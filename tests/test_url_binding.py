"""Which URLs a policy may lead people to: one URL, and those of a whole policy."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import UsageError, WireError, policy
from mentionable._errors.exceptions import Problem
from mentionable._transport.url_binding import bind_url, unbound_urls, url_violation
from mentionable._wire.authority import is_authority
from tests.linearity import time_grows_linearly

HOST = "agent.example.com"

GOOD = [
    "https://agent.example.com",
    "https://agent.example.com/",
    "https://agent.example.com/pay/42",
    "https://agent.example.com/pay?order=7&next=/a//b/../c",
    "https://agent.example.com?order=7",
    "https://agent.example.com#top",
    "https://agent.example.com/a#b?c/../d",
    "https://agent.example.com/.well-known/pay",
    "https://agent.example.com/a.b/..c/d../...",
    "https://agent.example.com/%E2%82%AC/caf%C3%A9",
    "https://agent.example.com/a;b=(c)*d+e,f!g$h&i~j_k-l:m@n",
    "https://agent.example.com/?back=https://evil.com/",
    "https://agent.example.com/?q=%2e%2e%2f%5c%01%7f",
    "https://agent.example.com/" + "a" * 2_022,
]

ELSEWHERE = [
    # other hosts, and the right one in the wrong place
    "https://evil.com",
    "https://evil.com/",
    "https://evil.com/agent.example.com",
    "https://evil.com/https://agent.example.com/",
    "https://evil.com?agent.example.com",
    "https://evil.com?https://agent.example.com/",
    "https://evil.com#agent.example.com",
    "https://evil.com#https://agent.example.com/",
    "https://agent.example.com.evil.com/",
    "https://agent.example.com-evil.com/",
    "https://agent.example.comevil.com/",
    "https://agent.example.co",
    "https://agent.example.co/m",
    "https://agent.example.como/",
    "https://evilagent.example.com/",
    "https://evil-agent.example.com/",
    "https://sub.agent.example.com/",
    "https://www.agent.example.com/",
    "https://.agent.example.com/",
    "https://*.agent.example.com/",
    "https://example.com/",
    "https://agent/",
    "https://agent.example/",
    "https://agent-example.com/",
    "https://agent.example.org/",
    "https://com.example.agent/",
    "https://agent.example.com,evil.com/",
    "https://agent.example.com;evil.com/",
    "https://agent.example.com&evil.com/",
    "https://agent.example.com=evil.com/",
    "https://agent.example.com!/",
    "https://agent.example.com*/",
    "https://agent.example.com$.evil.com/",
    "https://agent.example.com'/",
    "https://agent.example.com(evil.com)/",
    "https://agent_example.com/",
    # trailing dots and doubled dots
    "https://agent.example.com./",
    "https://agent.example.com.",
    "https://agent.example.com../",
    "https://agent..example.com/",
    # letter case, encodings and look-alikes of the host
    "https://AGENT.example.com/",
    "https://agent.example.COM/",
    "https://Agent.Example.Com/",
    "https://agent.example%2ecom/",
    "https://agent%2Eexample.com/",
    "https://%61gent.example.com/",
    "https://agent.example.com%00.evil.com/",
    "https://agent.example.com%2f.evil.com/",
    "https://agent.example.com%2F@evil.com/",
    "https://agent.example.com%23.evil.com/",
    "https://agent.example.com%3f.evil.com/",
    "https://agent.example.com%5c@evil.com/",
    "https://agent.example.com%20/",
    "https://аgent.example.com/",
    "https://agent.examp\u0142e.com/",
    "https://agent\u3002example\u3002com/",
    "https://agent\uff0eexample\uff0ecom/",
    "https://agent.example.com\uff0fevil.com/",
    "https://agent.example.com\uff03@evil.com/",
    "https://agent.example.com\u2044evil.com/",
    "https://agent.example.com\u00ad/",
    "https://agent.example.com\u200b/",
    "https://\u202eagent.example.com/",
    "https://ａｇｅｎｔ.example.com/",
    "https://agent.example.\u217dom/",
    "https://\u24d0gent.example.com/",
    "https://xn--agent-example.com/",
    "https://xn--gent-83d.example.com/",
    "https://xn--agent.example.com/",
    "https://agent.example.xn--com/",
    # userinfo
    "https://evil.com@agent.example.com/",
    "https://user:pass@agent.example.com/",
    "https://user@agent.example.com/",
    "https://@agent.example.com/",
    "https://:@agent.example.com/",
    "https://agent.example.com@evil.com/",
    "https://agent.example.com:443@evil.com/",
    "https://agent.example.com:x@evil.com/",
    "https://agent.example.com%40evil.com/",
    "https://a@b@agent.example.com/",
    "https://agent.example.com@agent.example.com/",
    "https://agent.example.com#@evil.com/\\",
    # ports
    "https://agent.example.com:443/",
    "https://agent.example.com:443",
    "https://agent.example.com:/",
    "https://agent.example.com:",
    "https://agent.example.com:80/",
    "https://agent.example.com:8443/",
    "https://agent.example.com:0443/",
    "https://agent.example.com:65979/",
    "https://agent.example.com:evil.com/",
    "https://agent.example.com:-1/",
    "https://agent.example.com:\u0664\u0664\u0663/",
    # backslashes
    r"https://evil.com\@agent.example.com/",
    r"https://evil.com\.agent.example.com/",
    r"https:\\agent.example.com\ ",
    r"https:\\agent.example.com/",
    r"https:/\agent.example.com/",
    r"https://agent.example.com\.evil.com/",
    r"https://agent.example.com\@evil.com/",
    r"https://agent.example.com\evil",
    r"https://agent.example.com/\evil.com",
    r"https://agent.example.com/a\..\b",
    r"https://agent.example.com/?a=\b",
    r"https://agent.example.com/#\b",
    r"\\agent.example.com/",
    # schemes
    "http://agent.example.com/",
    "HTTPS://agent.example.com/",
    "Https://agent.example.com/",
    "https:agent.example.com/",
    "https:/agent.example.com/",
    "https:///agent.example.com/",
    "https:////agent.example.com/",
    "https//agent.example.com/",
    "httpss://agent.example.com/",
    "xhttps://agent.example.com/",
    "ftp://agent.example.com/",
    "ws://agent.example.com/",
    "wss://agent.example.com/",
    "file://agent.example.com/",
    "javascript:alert(1)//https://agent.example.com/",
    "javascript://agent.example.com/%0aalert(1)",
    "data:text/html,https://agent.example.com/",
    "blob:https://agent.example.com/1",
    "view-source:https://agent.example.com/",
    "intent://agent.example.com/#Intent;scheme=https;end",
    "//agent.example.com/",
    "agent.example.com/",
    "/pay",
    "pay",
    "?order=7",
    "#top",
    "",
    " ",
    # blanks and control characters
    " https://agent.example.com/",
    "https://agent.example.com/ ",
    "https:// agent.example.com/",
    "https://agent.example.com /",
    "https://agent.example.com/a b",
    "\thttps://agent.example.com/",
    "ht\ttps://agent.example.com/",
    "https://agent.exam\tple.com/",
    "https://agent.example.com/a\tb",
    "https://agent.example.com\r\nLocation: https://evil.com/",
    "https://agent.example.com/\r\nLocation: https://evil.com/",
    "https://agent.example.com/\n",
    "https://agent.example.com\n",
    "\nhttps://agent.example.com/",
    "https://evil.com/\nhttps://agent.example.com/",
    "https://agent.example.com/\0",
    "https://agent.example.com\0.evil.com/",
    "https://agent.example.com/\x7f",
    "https://agent.example.com/\x0b",
    "https://agent.example.com/\x1b[2J",
    "https://agent.example.com/\x85",
    "https://agent.example.com/\xa0",
    "https://agent.example.com/\u2028",
    "\ufeffhttps://agent.example.com/",
    # characters that no URL has
    'https://agent.example.com/"onclick="x',
    "https://agent.example.com/'onclick='x",
    "https://agent.example.com/<script>",
    "https://agent.example.com/a>b",
    "https://agent.example.com/{a}",
    "https://agent.example.com/a|b",
    "https://agent.example.com/a^b",
    "https://agent.example.com/`id`",
    "https://agent.example.com/[a]",
    "https://agent.example.com/?a[]=1",
    "https://agent.example.com/a#b#c",
    "https://agent.example.com/\u20ac",
    "https://agent.example.com/\ud800",
    # broken and hiding percent signs
    "https://agent.example.com/%",
    "https://agent.example.com/%4",
    "https://agent.example.com/%zz",
    "https://agent.example.com/%u0041",
    "https://agent.example.com/?%",
    "https://agent.example.com/#%g1",
    "https://agent.example.com/%00",
    "https://agent.example.com/%01",
    "https://agent.example.com/%0d%0aLocation:%20https://evil.com/",
    "https://agent.example.com/%1F",
    "https://agent.example.com/%7f",
    "https://agent.example.com/%7F",
    "https://agent.example.com/%2e%2e/evil",
    "https://agent.example.com/%2E./evil",
    "https://agent.example.com/a%2fb",
    "https://agent.example.com/a%2Fb",
    "https://agent.example.com/%5cevil.com",
    "https://agent.example.com/%5Cevil.com",
    "https://agent.example.com/?a=%00",
    "https://agent.example.com/?a=%0d",
    "https://agent.example.com/?a=%0A",
    "https://agent.example.com/#%0a",
    "https://agent.example.com?%0D%0ASet-Cookie:a=b",
    # dot segments and empty segments
    "https://agent.example.com/.",
    "https://agent.example.com/..",
    "https://agent.example.com/./a",
    "https://agent.example.com/../a",
    "https://agent.example.com/a/..",
    "https://agent.example.com/a/./b",
    "https://agent.example.com/a/../../b?c",
    "https://agent.example.com/..#a",
    "https://agent.example.com//",
    "https://agent.example.com//evil.com/",
    "https://agent.example.com/a//b",
    # IP addresses
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[agent.example.com]/",
    "https://localhost/",
    # length
    "https://agent.example.com/" + "a" * 2_023,
    "https://agent.example.com/" + "a" * 100_000,
]


@pytest.mark.parametrize("url", GOOD)
def test_a_url_of_the_agent_is_passed_on_unchanged(url):
    assert bind_url(url, HOST) is url


@pytest.mark.parametrize("url", ELSEWHERE, ids=ascii)
def test_any_other_url_is_refused(url):
    assert url_violation(url, HOST) is not None
    with pytest.raises(WireError, match="url-refused"):
        bind_url(url, HOST)


def test_the_attacks_are_many_and_different():
    assert len(set(ELSEWHERE)) == len(ELSEWHERE) >= 200


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        (None, "it is not ASCII text of 1 to 2048 characters"),
        (b"https://agent.example.com/", "it is not ASCII text of 1 to 2048 characters"),
        ("", "it is not ASCII text of 1 to 2048 characters"),
        ("http://agent.example.com/", "it does not begin with https://"),
        ("https://evil.com/", "its host is not that of the agent"),
        ("https://agent.example.com/ ", "it has characters that a URL may not have"),
        ("https://agent.example.com/..", "its path has empty or dot segments"),
        ("https://agent.example.com/%2e", "it encodes characters that it may not have"),
    ],
)
def test_the_rule_is_named(url, rule):
    assert url_violation(url, HOST) == rule


def test_the_words_of_a_refusal_do_not_repeat_the_url():
    with pytest.raises(WireError) as caught:
        bind_url("https://evil.com/secret", HOST)
    assert caught.value.problems == (Problem("", "its host is not that of the agent"),)


@pytest.mark.parametrize(
    ("url", "authority", "is_bound"),
    [
        ("https://agent.example:8443/", "agent.example:8443", True),
        ("https://agent.example:8443?a", "agent.example:8443", True),
        ("https://agent.example/", "agent.example:8443", False),
        ("https://agent.example:443/", "agent.example:8443", False),
        ("https://agent.example:84430/", "agent.example:8443", False),
        ("https://agent.example:443/", "agent.example:443", True),
        ("https://agent.example/", "agent.example:443", False),
    ],
)
def test_a_port_counts_only_as_it_is_configured(url, authority, is_bound):
    assert (url_violation(url, authority) is None) == is_bound


def test_other_hosts_count_when_they_are_listed_exactly():
    also = ("pay.example", "pay.example:8443")
    assert bind_url("https://pay.example/1", HOST, also=also) == "https://pay.example/1"
    assert bind_url("https://pay.example:8443/1", HOST, also=also) == "https://pay.example:8443/1"
    assert url_violation("https://a.pay.example/1", HOST, also=also) is not None
    assert url_violation("https://pay.example:1/", HOST, also=also) is not None


AUTHORITIES = [
    "agent.example",
    "a.b",
    "a-b.c-d.example",
    "1.2.3.4.example",
    "xn--bcher-kva.example",
    "xn--nxasmm1c.example",
    "agent.xn--fiqs8s",
    "agent.example:1",
    "agent.example:65535",
]
NO_AUTHORITIES = [
    "",
    "agent",
    "localhost",
    "agent.localhost",
    "agent.example.",
    ".agent.example",
    "agent..example",
    "Agent.example",
    "agent.exämple",
    "-agent.example",
    "agent-.example",
    "agent.example-",
    "agent_1.example",
    "agent.example/",
    "agent.example/a",
    "a@agent.example",
    "agent.example:",
    "agent.example:0",
    "agent.example:080",
    "agent.example:65536",
    "agent.example:123456",
    "agent.example:\u0661",
    "agent.example\n",
    " agent.example",
    "127.0.0.1",
    "1.2.3",
    "agent.123",
    "agent.0x7f",
    "agent.0x",
    "[::1]",
    "::1",
    "2130706433",
    "ab--c.example",
    "zz--top.example",
    "xn--.example",
    "xn---.example",
    "xn--agent-.example",
    "xn--a-.example",
    "xn--99999999.example",
    "xn--abc\u00e4.example",
    "xn--Bcher-kva.example",
    "xn--bcher-kvA.example",
    "xn--BCHER-KVA.example",
    "x" * 64 + ".example",
    "a." * 126 + "example",
    "*.example",
    "%61gent.example",
    None,
    7,
    b"agent.example",
]


@pytest.mark.parametrize("authority", AUTHORITIES)
def test_a_canonical_name_can_be_bound_to(authority):
    assert is_authority(authority)
    assert bind_url(f"https://{authority}/a", authority) == f"https://{authority}/a"


@pytest.mark.parametrize("authority", NO_AUTHORITIES, ids=ascii)
def test_what_is_no_canonical_name_binds_nothing(authority):
    assert not is_authority(authority)
    assert url_violation(f"https://{authority}/", authority) is not None
    assert url_violation(f"https://{authority}/", HOST, also=(authority,)) is not None
    with pytest.raises(UsageError, match="is not a canonical DNS name"):
        bind_url("https://agent.example/", authority)
    with pytest.raises(UsageError, match="is not a canonical DNS name"):
        bind_url("https://agent.example.com/", HOST, also=(authority,))


def label_of(shown):
    return "xn--" + shown.encode("punycode").decode("ascii") + ".example"


@pytest.mark.parametrize(
    "shown", ["\u00c4rger", "a\uff0fb", "a\u2024b", "a\u0308", "a\u200bb", "\u0430\u00adb", "\u202eb"]
)
def test_an_a_label_that_does_not_stand_for_what_it_shows_binds_nothing(shown):
    assert not is_authority(label_of(shown).lower())


def test_several_hosts_are_not_one_text():
    with pytest.raises(UsageError, match="also is a collection"):
        bind_url("https://agent.example.com/", HOST, also="pay.example")


PIECES = st.sampled_from(
    [HOST, "https://", "evil.com", "443", "%2e", "%0a", "%41", "//", "..", *"/\\@:?#.%aZ\t\n &=[];-_~'*!\u3002\uff0f"]
)
NEAR = st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=8).map(
    lambda pieces: f"https://{HOST}{''.join(pieces)}"
)


@settings(max_examples=400)
@given(NEAR)
def test_every_reader_finds_the_host_in_what_is_accepted(url):
    if url_violation(url, HOST) is None:
        split = urlsplit(url)
        assert (split.scheme, split.netloc, split.hostname) == ("https", HOST, HOST)
        assert (split.username, split.password, split.port) == (None, None, None)
        assert split.geturl() in (url, url.rstrip("?#"), url.replace("?#", "#"))


@given(st.text(max_size=40), st.text(max_size=40))
def test_nothing_from_outside_makes_it_raise(url, authority):
    assert url_violation(url, authority, also=(url,)) is not None
    reason = url_violation(f"https://{authority}/{url}", authority)
    assert reason is None or is_authority(authority) or "host" in reason or "ASCII" in reason


@pytest.mark.uncounted
def test_long_urls_cost_no_more_than_their_length():
    time_grows_linearly(lambda url: url_violation(url, HOST), lambda size: f"https://{HOST}/" + "%4" * size)


# --- the URLs of a whole policy


def challenged(**params):
    return policy.Unauthorized(message="Who?", auth_challenges=(policy.AuthChallenge(scheme="Bearer", params=params),))


def places(value, authority=HOST, **more):
    return [problem.at for problem in unbound_urls(value, authority, **more)]


def test_the_url_of_a_policy_is_looked_at():
    assert places(policy.Forbidden(message="No.", url="https://agent.example.com/a")) == []
    assert places(policy.Forbidden(message="No.")) == []
    assert unbound_urls(policy.Forbidden(message="No.", url="https://evil.com/"), HOST) == (
        Problem("/url", "its host is not that of the agent"),
    )
    assert places(policy.Forbidden(message="No.", url="https://pay.example/"), also=["pay.example"]) == []


def test_an_authority_from_outside_may_be_anything():
    assert places(policy.Forbidden(message="No.", url="https://agent.example.com/"), "") == ["/url"]
    assert places(policy.Forbidden(message="No.", url="https://localhost/"), "localhost") == ["/url"]


@pytest.mark.parametrize(
    "value",
    [
        "https://evil.com/",
        "HTTPS://evil.com",
        "http://agent.example.com/",
        "https:evil.com",
        "https:/evil.com",
        r"https:\\evil.com",
        "ftp://evil.com/",
        "javascript://evil.com/",
        " https://evil.com/",
        "ht\ttps://evil.com/",
        "\thttps://agent.example.com/",
        "https://evil.com https://agent.example.com/",
        "//evil.example/x",
        "/\\evil.example",
        r"\\evil.example\x",
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "blob:https://evil.com/1",
        "view-source:https://evil.com",
        "feed:https://evil.com",
        "<https://evil.com>",
        "///evil.example",
        "//evil%2eexample/x",
        "//evil\u3002example",
        "//[::1]/",
        "ftp:evil.example",
        "wss:evil.example",
        "view-source:https:evil.example",
        "x:https:evil.example",
        "intent:#Intent",
        "\u00a0https://evil.com",
        "\ufeffhttps://evil.com",
    ],
)
def test_a_parameter_that_looks_like_a_url_is_looked_at(value):
    assert places(challenged(realm="a", resource_metadata=value)) == ["/auth_challenges/0/params/resource_metadata"]


@pytest.mark.parametrize(
    "value", ["", "a", "//abc=", "a:b", "urn:x:y", "see https://evil.com/", "https://agent.example.com/m", "1://a"]
)
def test_other_parameters_are_left_alone(value):
    assert places(challenged(realm=value)) == []


def test_the_place_of_a_parameter_is_a_pointer():
    bad = "https://evil.com/"
    challenges = (
        policy.AuthChallenge(scheme="Basic"),
        policy.AuthChallenge(scheme="Bearer", params={"a~b": bad, "c": "d"}),
        policy.AuthChallenge(scheme="Bearer", params={"e": bad}),
    )
    value = policy.Unauthorized(message="Who?", url=bad, auth_challenges=challenges)
    assert places(value) == ["/url", "/auth_challenges/1/params/a~0b", "/auth_challenges/2/params/e"]


def test_what_a_payment_scheme_says_is_its_own():
    payment = policy.AcceptedPayment(scheme="x.pay", payload={"url": "https://checkout.example/1"})
    assert places(policy.PaymentRequired(message="Pay.", accepted_payments=(payment,))) == []
