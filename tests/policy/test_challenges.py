"""Authentication challenges as header fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable.policy import AuthChallenge
from mentionable.policy._challenges import read_challenges, write_challenges
from tests.linearity import time_grows_linearly


def challenge(scheme, token68=None, **params):
    return AuthChallenge(scheme=scheme, params=params or None, extra={} if token68 is None else {"token68": token68})


@pytest.mark.parametrize(
    ("challenges", "text"),
    [
        ([], None),
        ([challenge("Negotiate")], "Negotiate"),
        ([challenge("Basic", realm="a")], 'Basic realm="a"'),
        ([challenge("Bearer", realm="a", scope="b c")], 'Bearer realm="a", scope="b c"'),
        ([challenge("Basic", realm="a"), challenge("Negotiate")], 'Basic realm="a", Negotiate'),
        ([challenge("Basic", realm='say "a\\b"')], r'Basic realm="say \"a\\b\""'),
        ([challenge("Basic", realm="")], 'Basic realm=""'),
        ([challenge("Basic", realm="a\tb")], 'Basic realm="a\tb"'),
        ([challenge("Negotiate", "a+/b==")], "Negotiate a+/b=="),
        ([challenge("Negotiate", "not one")], "Negotiate"),
        ([challenge("Negotiate", "a\r\nX: y")], "Negotiate"),
        ([challenge("Negotiate", 7)], "Negotiate"),
        ([challenge("Negotiate", "abc", realm="a")], 'Negotiate realm="a"'),
        ([challenge("Negotiate", "abc", realm="\u20ac")], "Negotiate"),
        ([challenge("Basic", realm="caf\u00e9", charset="UTF-8")], 'Basic charset="UTF-8"'),
        ([challenge("Basic", realm="\u20ac")], "Basic"),
        ([AuthChallenge(scheme="Basic", params={})], "Basic"),
    ],
)
def test_challenges_are_written_as_header_values(challenges, text):
    assert write_challenges(challenges) == text


def test_only_so_many_challenges_are_written():
    assert write_challenges([challenge("A")] * 17) == ", ".join(["A"] * 16)


def test_only_so_many_parameters_are_written():
    written = write_challenges([challenge("A", **{f"p{n}": "" for n in range(40)})])
    assert written == "A " + ", ".join(f'p{n}=""' for n in range(32))


def test_a_challenge_that_is_too_long_is_left_out():
    long = challenge("Basic", realm="a" * 8_190)
    assert write_challenges([long]) is None
    assert write_challenges([long, challenge("Negotiate")]) == "Negotiate"


@pytest.mark.parametrize(
    ("lines", "challenges"),
    [
        ([], []),
        ([""], []),
        ([" , ,"], []),
        (["Negotiate"], [challenge("Negotiate")]),
        (["Negotiate "], [challenge("Negotiate")]),
        (['Basic realm="a"'], [challenge("Basic", realm="a")]),
        (["Basic realm=a"], [challenge("Basic", realm="a")]),
        (['Basic REALM="a"'], [challenge("Basic", realm="a")]),
        (['basic   realm \t= \t"a"  '], [challenge("basic", realm="a")]),
        (['Basic realm=""'], [challenge("Basic", realm="")]),
        ([r'Basic realm="a \"b\" \\ \c"'], [challenge("Basic", realm='a "b" \\ c')]),
        (['Basic realm="a, Bearer b=c"'], [challenge("Basic", realm="a, Bearer b=c")]),
        (['Basic realm="caf\xe9"'], [challenge("Basic", realm="caf\xe9")]),
        (['Digest a=b,c="d" , ,e=f,,'], [challenge("Digest", a="b", c="d", e="f")]),
        (
            ['Newauth realm="apps", type=1,title="Login to \\"apps\\"", Basic realm="simple"'],
            [challenge("Newauth", realm="apps", type="1", title='Login to "apps"'), challenge("Basic", realm="simple")],
        ),
        (
            ["Basic realm=a, Negotiate, Bearer"],
            [challenge("Basic", realm="a"), challenge("Negotiate"), challenge("Bearer")],
        ),
        (["Negotiate abc=="], [challenge("Negotiate", "abc==")]),
        (["Negotiate abc", "Basic realm=a"], [challenge("Negotiate", "abc"), challenge("Basic", realm="a")]),
        (["Negotiate abc=, NTLM"], [challenge("Negotiate", "abc="), challenge("NTLM")]),
        (["Basic realm="], [challenge("Basic", "realm=")]),
        (["Basic realm"], [challenge("Basic", "realm")]),
        ([", Basic realm=a"], [challenge("Basic", realm="a")]),
        (["Basic realm=a", "charset=b"], [challenge("Basic", realm="a", charset="b")]),
    ],
)
def test_header_values_are_read(lines, challenges):
    assert read_challenges(lines) == tuple(challenges)


@pytest.mark.parametrize(
    "text",
    [
        "=",
        "realm=a",
        'realm="a"',
        'Basic realm="a',
        'Basic realm="a\\"',
        'Basic realm="a"b',
        "Basic realm=a b",
        "Basic realm==a",
        "Basic realm=a=",
        "Basic realm=a, realm=b",
        "Basic realm=a, REALM=a",
        "Basic, realm=a",
        "Basic , realm=a",
        "Negotiate abc, realm=a",
        "Negotiate abc def",
        "Basic\trealm=a",
        'Basic realm="a\nb"',
        'Basic realm="a\x00b"',
        'Basic realm="\u20ac"',
        "B\xe4sic realm=a",
        "Basic realm='a b'",
        "Basic (realm=a)",
        '"Basic" realm=a',
        "Basic; realm=a",
        'Basic realm="a", @',
        "Basic realm=a\r\nX: y",
        "Basic " + "a" * 8_192,
        ", ".join(["A"] * 17),
        ", ".join(["A a=b"] * 17),
        ", ".join(["A"] * 400),
        "A " + ", ".join(f"p{n}=a" for n in range(33)),
    ],
    ids=lambda text: f"{ascii(text)[:40]} {len(text)}",
)
def test_what_cannot_be_read_gives_no_challenges_at_all(text):
    assert read_challenges([text]) == ()


def test_a_fault_in_one_line_spoils_the_others():
    assert read_challenges(["Bearer realm=a", "="]) == ()


def test_sixteen_challenges_and_thirty_two_parameters_are_read():
    parameters = ", ".join(f"p{n}=a" for n in range(32))
    found = read_challenges([", ".join([f"A{n} {parameters}" for n in range(16)])])
    assert [len(one.params) for one in found] == [32] * 16


def test_one_line_may_stand_alone():
    assert read_challenges("Negotiate") == (challenge("Negotiate"),)


PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.just("\t"), max_size=12)
TOKENS = st.text("abcXYZ019!#$%&'*+-.^_`|~", min_size=1, max_size=8)
CHALLENGES = st.builds(
    AuthChallenge,
    scheme=TOKENS,
    params=st.none() | st.dictionaries(TOKENS.map(str.lower), PLAIN, min_size=1, max_size=4),
) | st.builds(
    AuthChallenge,
    scheme=TOKENS,
    extra=st.from_regex(r"[A-Za-z0-9._~+/-]+=*", fullmatch=True).map(lambda t: {"token68": t}),
)


@given(st.lists(CHALLENGES, max_size=6))
def test_what_was_written_is_read_again(challenges):
    assert read_challenges([write_challenges(challenges) or ""]) == tuple(challenges)


@given(st.lists(st.text('Basic realm="a\\,= \t=\xe9\n', max_size=30) | st.text(max_size=20), max_size=3))
def test_nothing_from_outside_makes_it_raise(lines):
    found = read_challenges(lines)
    assert read_challenges([write_challenges(found) or ""]) is not None


@pytest.mark.uncounted
@pytest.mark.parametrize("piece", ['"', 'a="', "a ", "a,", 'a="\\"', ", ", "\\", "a=b,", "=", "a" * 3])
def test_reading_takes_as_long_as_the_text(piece):
    def read(text):
        for start in range(0, len(text), 8_000):
            read_challenges(["A " + text[start : start + 8_000]])

    time_grows_linearly(read, lambda size: piece * (size * 8_000 // len(piece)), size=1, largest=16)
