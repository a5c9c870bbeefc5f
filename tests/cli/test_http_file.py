"""Raw HTTP requests in files."""

from __future__ import annotations

import pytest

from mentionable.cli._error import CliError
from mentionable.cli._http_file import is_request, read_request


def test_an_absolute_target_is_the_url():
    request = read_request(b"POST http://t/rpc\naccept: */*\nX-Two:  b \n\n{}")
    assert (request.method, request.url, request.body) == ("POST", "http://t/rpc", b"{}")
    assert request.headers == (("accept", "*/*"), ("x-two", "b"))


def test_a_path_is_joined_to_the_host():
    request = read_request(b"POST /inbox?x=https://y HTTP/1.1\r\nHost: agents.example\r\n\r\nbody\r\n")
    assert request.url == "https://agents.example/inbox?x=https://y"
    assert request.body == b"body\r\n"


def test_content_length_ends_the_body_and_line_ends_after_it_do_not_count():
    assert read_request(b"POST https://a.example/ HTTP/1.1\nContent-Length: 2\n\n{}\r\n\n").body == b"{}"


def test_the_answer_of_a_saved_exchange_is_left_out():
    assert read_request(b'POST http://t/\n\n{"a":1}\n\n--- 200\nx: y\n\n{}').body == b'{"a":1}\n'
    assert read_request(b"POST http://t/\n\n--- 200\n").body == b""
    assert read_request(b"POST http://t/\nx: y\n\n\n--- 200\n").body == b""


@pytest.mark.parametrize("behind", [b"", b"\n", b"--- 200\nx: y\n", b"\r\n\n--- 200\n\n--- a/file\n"])
def test_a_body_of_a_known_length_may_have_the_lines_of_a_diff(behind):
    body = b"diff:\n--- a/file\n+++ b/file\n"
    head = b"POST http://t/\nContent-Length: %d\n\n" % len(body)
    assert read_request(head + body + behind).body == body


def test_a_head_alone_is_a_request_without_a_body():
    assert read_request(b"GET https://a.example/ HTTP/2\n").body == b""
    assert read_request(b"GET https://a.example/ HTTP/2\nX: y").header("x") == "y"


@pytest.mark.parametrize(
    "data", [b'{"a": 1}', b"[", b"", b"\nPOST / HTTP/1.1\n", b"post / HTTP/1.1\n", b"From: a@b.c\n"]
)
def test_other_files_are_no_request(data):
    assert not is_request(data)
    with pytest.raises(CliError, match="first line"):
        read_request(data)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"POST /inbox HTTP/1.1\n\n{}", "a whole URL"),
        (b"POST inbox HTTP/1.1\nHost: a.example\n\n{}", "a whole URL"),
        (b"POST https://a.example/\nno field\n\n", "line 2 is not a header field"),
        (b"POST https://a.example/\n folded: x\n\n", "line 2 is not a header field"),
        (b"POST https://a.example/\n" + b"a: b\n" * 1001 + b"\n", "line 1002 is not a header field"),
        (b"POST https://a.example/\nContent-Length: two\n\n{}", "not a number"),
        (b"POST https://a.example/\nContent-Length: 5\n\n{}", "2 bytes long, but Content-Length says 5"),
        (b"POST https://a.example/\nContent-Length: 1\n\n{}", "2 bytes long, but Content-Length says 1"),
        (b"POST https://a.example/\nContent-Length: 1\n\n{}\n--- 200\n", "2 bytes long, but Content-Length says 1"),
    ],
)
def test_a_broken_request_fails(data, complaint):
    with pytest.raises(CliError, match=complaint):
        read_request(data)
