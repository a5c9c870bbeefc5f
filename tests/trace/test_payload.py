"""The response in a link: written, shortened, left out, and read back."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CallError, NormalizedResponse, TextPart, ToolCallPart, UsageError, WireError, dumps, replace
from mentionable._flow.settings import MAX_TRACE_BYTES
from mentionable.testing import strategies
from mentionable.trace import read, viewer_of, write
from tests.linearity import time_grows_linearly

VIEWER = "https://traces.example/view?x=1"


def response(*parts, **members):
    return NormalizedResponse(reply_to="m1", parts=parts, **members)


HELLO = response(TextPart(content="Hello"))


def digits(value):
    return b64encode(dumps(value)).decode()


@given(strategies.responses(), st.sampled_from([None, VIEWER, VIEWER + "#there"]))
def test_every_response_comes_back_from_its_link_and_from_its_json(whole, viewer):
    written = write(whole, viewer=viewer)
    assert read(written.href) == whole
    assert read(written.data) == whole
    assert written.diagnostic is None


@given(strategies.responses(), st.booleans(), st.integers(0, 2))
def test_both_alphabets_are_read_padded_or_not(whole, url_safe, stripped):
    encoded = (urlsafe_b64encode if url_safe else b64encode)(dumps(whole)).decode()
    payload = encoded.rstrip("=") if stripped else encoded
    for address in (f"{VIEWER}#{payload}", f"data:application/json;base64,{payload}", payload, f" {payload}\n"):
        assert read(address) == whole
    assert read(payload.encode()) == whole


def test_with_a_viewer_the_payload_is_its_fragment():
    page, mark, payload = write(HELLO, viewer=VIEWER + "#old").href.partition("#")
    assert (page, mark) == (VIEWER, "#")
    assert payload == urlsafe_b64encode(dumps(HELLO)).rstrip(b"=").decode()


def test_the_link_of_every_viewer_that_may_be_set_is_read():
    for viewer in ("https://bücher.example/trace", "https://漢字.example/", "https://[::1]/t", "https://a.example/ä?ö"):
        assert viewer_of(viewer) == (viewer, None)
        assert read(write(HELLO, viewer=viewer).href) == HELLO
    with pytest.raises(WireError, match="trace-malformed"):
        read(write(HELLO).href.encode().replace(b"mentionable.dev", b"mentionable\xff.dev"))


def test_without_a_viewer_the_link_is_the_payload():
    assert write(HELLO, viewer=None).href == f"data:application/json;base64,{digits(HELLO)}"


def test_the_scheme_of_a_data_uri_may_be_in_capitals():
    assert read(f"DATA:Application/JSON;BASE64,{digits(HELLO)}") == HELLO


@pytest.mark.parametrize("viewer", ["http://traces.example/", "javascript:alert(1)", "", "https://u:p@x.example/"])
def test_a_viewer_is_an_https_page(viewer):
    with pytest.raises(UsageError, match="viewer is the https URL"):
        write(HELLO, viewer=viewer)


@pytest.mark.parametrize(
    "whole",
    [
        replace(HELLO, extra={"x-more": [1]}, status="error"),
        response(ToolCallPart(id="c", name="n", args=json.loads("[" * 95 + "]" * 95))),
        response(ToolCallPart(id="c", name="n", args=None, result=2**200, extra={"a": "\x00\u2028"})),
    ],
)
def test_nothing_of_a_response_is_lost(whole):
    assert read(write(whole).href) == whole


# ------------------------------------------------------------------------------------------------------------- budget


def sized(whole):
    return len(digits(whole))


def big(count, letter="x", **members):
    return response(ToolCallPart(id="c", name="n", args={"q": letter * count}, **members))


def test_a_payload_at_the_limit_goes_out_whole():
    written = write(HELLO, limit=sized(HELLO))
    assert (written.data, written.diagnostic) == (dumps(HELLO), None)


def test_a_payload_over_the_limit_is_shortened_and_then_left_out():
    whole = big(600, result=["y" * 600])
    short = replace(
        whole, parts=(replace(whole.parts[0], args='{"q":"' + "x" * 191 + "…", result='["' + "y" * 195 + "…"),)
    )
    limit = sized(short)
    written = write(whole, limit=sized(whole) - 1)
    assert (read(written.href), written.diagnostic.code) == (short, "trace-shortened")
    assert read(write(whole, limit=limit).data) == short
    dropped = write(whole, limit=limit - 1)
    assert (dropped.href, dropped.data, dropped.html) == (None, None, "")
    assert (dropped.diagnostic.code, dropped.text) == ("trace-dropped", "[trace: n ✓]")


@pytest.mark.parametrize("letter", ["x", "é", "日", "🔧"])
def test_what_is_left_of_arguments_is_cut_between_characters(letter):
    part = read(write(big(60_000, letter)).data).parts[0]
    assert len(part.args.encode()) in range(197, 201)
    assert part.args.startswith('{"q":"' + letter)
    assert part.args.endswith(letter + "…")


def test_small_arguments_are_their_json_and_what_is_absent_stays_absent():
    whole = response(
        ToolCallPart(id="a", name="n", args={"q": 1}),
        ToolCallPart(id="b", name="n", args=None, error=CallError(message="x")),
        ToolCallPart(id="c", name="n", args="x" * 60_000, result=None),
        TextPart(content="t"),
    )
    running, failed, done, text = read(write(whole).data).parts
    assert (running.args, running.state) == ('{"q":1}', "running")
    assert (failed.args, failed.error.message) == ("null", "x")
    assert (done.result, text) == ("null", TextPart(content="t"))


@pytest.mark.parametrize(("more", "kept"), [(0, True), (1, False)])
def test_64_kib_of_base64_are_the_most(more, kept):
    filled = response(TextPart(content="x" * (49_152 - len(dumps(response(TextPart(content="")))) + more)))
    written = write(filled, limit=1_000_000)
    assert (written.data is not None) == kept
    if kept:
        assert read(written.href) == filled
    else:
        assert written.diagnostic.code == "trace-dropped"
        with pytest.raises(WireError) as caught:
            read(dumps(filled))
        assert caught.value.code == "trace-too-large"


@given(strategies.responses(), st.integers(-1, 1000))
def test_whatever_the_limit_is_what_goes_out_fits_and_can_be_read(whole, limit):
    written = write(whole, limit=limit)
    assert (written.data is None) == (written.href is None)
    if written.data is not None:
        assert len(b64encode(written.data)) <= limit
        assert read(written.href).reply_to == whole.reply_to


# ----------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    "annotation",
    [
        "",
        "#",
        "=",
        "e30",
        "https://mentionable.dev/trace",
        "https://mentionable.dev/trace#",
        "https://mentionable.dev/trace#e",
        "https://mentionable.dev/trace#e30===",
        "https://mentionable.dev/trace#e30%3D",
        "https://mentionable.dev/trace#W10",
        "https://mentionable.dev/trace#e30",
        "javascript:alert(1)#" + digits(HELLO),
        "data:text/html;base64," + digits(HELLO),
        "data:application/json," + digits(HELLO),
        "e30x=",
        digits(HELLO)[:4] + "-/" + digits(HELLO)[6:],
        digits(HELLO)[:8] + "\n" + digits(HELLO)[8:],
        b"{}",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"reply_to": "m1", "parts": [], "parts": [], "status": "ok"}',
        b'{"reply_to": "m1", "parts": [{"kind": "text"}], "status": "ok"}',
        b'{"reply_to": "m1", "parts": [], "status": "maybe"}',
        b'{"reply_to": "m1", "parts": [], "status": "ok", "x": ' + b"[" * 130 + b"]" * 130 + b"}",
        b'{"reply_to": "m1", "parts": [], "status": "ok", "x": "\\ud800"}',
        b'{"reply_to": "m1", "parts": [], "status": "ok", "x": NaN}',
        "\ud800",
    ],
)
def test_what_is_no_trace_is_refused(annotation):
    with pytest.raises(WireError) as caught:
        read(annotation)
    assert caught.value.code == "trace-malformed"


def test_the_faults_of_a_response_are_told_with_their_place():
    with pytest.raises(WireError) as caught:
        read(b'{"parts": [{"kind": "text"}], "status": "ok"}')
    assert {problem.at for problem in caught.value.problems} >= {"/reply_to"}


@given(st.text() | st.binary())
def test_reading_raises_wire_errors_alone(annotation):
    with pytest.raises(WireError):
        read(annotation)


@pytest.mark.uncounted
@pytest.mark.parametrize(
    ("before", "again"),
    [
        ("", "A"),
        ("", "="),
        ("", "#"),
        ("", " "),
        ("{", '"a":['),
        ("https://x.example/", "a#"),
        (VIEWER + "#", "-/"),
    ],
)
def test_reading_takes_time_by_the_length_of_the_text(before, again):
    def refused(annotation):
        with pytest.raises(WireError):
            read(annotation)

    time_grows_linearly(refused, lambda size: before + again * size, largest=1 << 17)


def test_more_than_a_link_can_carry_is_too_large():
    with pytest.raises(WireError, match="trace-too-large"):
        read("{" + " " * MAX_TRACE_BYTES + "}")
    with pytest.raises(WireError, match="trace-too-large"):
        read(" " * (2 * MAX_TRACE_BYTES + 1))
