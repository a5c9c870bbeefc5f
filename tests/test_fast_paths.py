"""Fast paths give what the careful ones give; `.ci/nightly fast-paths` has a million inputs of each."""

from __future__ import annotations

import base64
import runpy
import sys
from random import Random

import pytest

from mentionable._wire import accelerated
from mentionable.mail._read import mime, transfer
from tests.fast_paths import PATHS, main

LONG = bytes(range(256)) * 40


@pytest.fixture(params=["pybase64", "nothing installed"])
def decoder(request, monkeypatch):
    if request.param == "pybase64":
        pytest.importorskip("pybase64")
    else:
        monkeypatch.setitem(sys.modules, "pybase64", None)
    loaded = runpy.run_path(accelerated.__file__)
    monkeypatch.setattr(transfer, "strict_base64", loaded["strict_base64"])


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("name", PATHS)
def test_a_fast_path_has_answers_for_many_inputs_and_none_differs(name):
    outcome = PATHS[name](Random(7), 2_000)
    assert outcome.fast > 100
    assert outcome.differing == []


def test_a_difference_is_shown_and_fails(monkeypatch, capsys):
    monkeypatch.setattr(transfer, "_decode_regular_base64", lambda body: b"other")
    assert main(["base64", "--inputs", "5"]) == 1
    assert "base64: 5 inputs, 5 on the fast path, 5 differences" in capsys.readouterr().out


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
@pytest.mark.parametrize("end", [b"", b"\r\n", b"\r\n\r\n \t"])
def test_a_large_body_with_equal_lines_is_read_from_the_middle_of_a_mail(line_end, end):
    body = base64.encodebytes(LONG).rstrip().replace(b"\n", line_end) + end
    raw = b"before" + body + b"after"
    assert transfer.decode_transfer(raw, "base64", 6, 6 + len(body)) == (LONG, None)


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("odd", [b"\xff", b"=", b"\r\n", b"==", b"*"])
def test_a_large_body_with_something_odd_is_read_with_care(odd):
    body = base64.encodebytes(LONG).replace(b"\n", b"\r\n")
    spoiled = body[:5_000] + odd + body[5_000:]
    assert transfer.decode_transfer(spoiled, "base64") == transfer.decode_base64(spoiled)


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize("text", [b"AAA", b"AA=A", b"=AAA", b"AA==AA==", b"AAAA\n", b" AAAA", b"AA\x00A", b"AA-_"])
def test_a_decoder_refuses_what_is_not_base64_alone(text):
    with pytest.raises(ValueError, match=r"."):
        transfer.strict_base64(bytearray(text))


PADDED = base64.encodebytes(bytes(5_700)).rstrip() + b"="


@pytest.mark.usefixtures("decoder")
@pytest.mark.parametrize(
    "body", [b"A" * 5_000, b"\n" * 5_000, b"\r\n" * 3_000, b"AAA\n" * 2_000, b"AAAA\nAAAAA" * 600, PADDED]
)
def test_a_large_body_of_another_shape_is_read_with_care(body):
    assert transfer._decode_regular_base64(memoryview(body)) is None
    assert transfer.decode_transfer(body, "base64") == transfer.decode_base64(body)


def test_a_delimiter_may_be_longer_than_what_is_searched_for_it_first():
    delimiter = b"--" + b"-" * mime._NEAR
    assert mime._find_delimiter(b"\n" + delimiter, delimiter, 0, 2_000) == 1
    assert mime._find_delimiter(delimiter * 2, delimiter, 3, 5_000) == 3
