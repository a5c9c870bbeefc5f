from __future__ import annotations

import pytest

from mentionable import HttpRequest, HttpResponse, UsageError, is_public_address
from mentionable._wire.http import is_fetchable_url, is_web_url, path_of, query_of, url_host


def test_headers_are_looked_up_without_regard_to_case_and_joined():
    request = HttpRequest(
        method="GET", url="https://a.example/", headers=[("Accept", "text/html"), ("X", "1"), ("accept", "*/*")]
    )
    assert request.header("ACCEPT") == "text/html, */*"
    assert request.header("cookie") is None
    assert request.headers == (("accept", "text/html"), ("x", "1"), ("accept", "*/*"))


def test_headers_may_be_a_mapping_and_bodies_are_not_shown():
    response = HttpResponse(status=200, headers={"Content-Type": "text/plain"}, body=b"secret")
    assert response.header("content-type") == "text/plain"
    assert "secret" not in repr(response)
    assert response == HttpResponse(status=200, headers=[("content-type", "text/plain")], body=b"secret")


SCOPE = {
    "type": "http",
    "method": "POST",
    "scheme": "https",
    "path": "/in box/é%",
    "raw_path": b"/in%20box/%C3%A9%25",
    "query_string": b"a=%20b",
    "headers": [(b"Host", b"inner.example"), (b"X-Odd", b"\xe9")],
}


def test_an_asgi_request_keeps_the_path_as_the_peer_sent_it():
    request = HttpRequest.from_asgi(SCOPE, b"body")
    assert request.url == "https://inner.example/in%20box/%C3%A9%25?a=%20b"
    assert (request.method, request.body, request.header("x-odd")) == ("POST", b"body", "é")


def test_the_origin_is_the_callers_word():
    request = HttpRequest.from_asgi(SCOPE, b"", origin="https://agents.example")
    assert request.url.startswith("https://agents.example/in%20box")


def test_an_asgi_server_without_a_raw_path_gets_the_path_encoded_again():
    scope = {key: value for key, value in SCOPE.items() if key not in {"raw_path", "query_string", "scheme"}}
    assert HttpRequest.from_asgi(scope, b"").url == "http://inner.example/in%20box/%C3%A9%25"
    assert HttpRequest.from_asgi({**scope, "headers": []}, b"", origin="https://a.example").url.endswith("%25")


ENVIRON = {
    "REQUEST_METHOD": "POST",
    "wsgi.url_scheme": "https",
    "SERVER_NAME": "server.example",
    "HTTP_HOST": "host.example",
    "HTTP_X_MAIL_FROM": "alice@a.example",
    "CONTENT_TYPE": "message/rfc822",
    "CONTENT_LENGTH": "",
    "SCRIPT_NAME": "/app",
    "PATH_INFO": "/in box/\xc3\xa9%2F",
    "QUERY_STRING": "a=1",
}


def test_a_wsgi_request_encodes_its_decoded_path_again():
    request = HttpRequest.from_wsgi(ENVIRON, b"body")
    assert request.url == "https://host.example/app/in%20box/%C3%A9%252F?a=1"
    assert request.header("x-mail-from") == "alice@a.example"
    assert request.header("content-type") == "message/rfc822"
    assert request.header("content-length") is None


@pytest.mark.parametrize("name", ["RAW_URI", "REQUEST_URI"])
def test_a_wsgi_server_that_kept_the_target_gives_it_untouched(name):
    request = HttpRequest.from_wsgi({**ENVIRON, name: "/a%2Fb?c=%20"}, b"", origin="https://agents.example")
    assert request.url == "https://agents.example/a%2Fb?c=%20"
    assert HttpRequest.from_wsgi({**ENVIRON, name: "/a"}, b"").url == "https://host.example/a"


def test_a_target_that_names_another_host_is_not_used():
    environ = {**ENVIRON, "RAW_URI": "http://evil.example/x", "PATH_INFO": "/x", "SCRIPT_NAME": "", "QUERY_STRING": ""}
    assert HttpRequest.from_wsgi(environ, b"").url == "https://host.example/x"


def test_a_wsgi_request_without_a_host_header_uses_the_server_name():
    environ = {key: value for key, value in ENVIRON.items() if key != "HTTP_HOST"}
    assert HttpRequest.from_wsgi(environ, b"").url.startswith("https://server.example/")


@pytest.mark.parametrize(
    ("url", "shown", "fetched"),
    [
        ("https://a.example", True, True),
        ("https://a.example/", True, True),
        ("https://a.example:443/x?y=%20z#f", True, True),
        ("https://a.example?q", True, True),
        ("HTTPS://a.example/", True, False),
        ("http://a.example/", True, False),
        ("https://a.example:8443/", True, False),
        ("https://bücher.example/é", True, False),
        ("https://127.0.0.1/", True, False),
        ("https://[::1]:8080/x", True, False),
        ("https://localhost/", True, False),
        ("https://printer.local/", True, False),
        ("https://db.internal/", True, False),
        ("https://a.localhost/", True, False),
        ("https://x.home.arpa/", True, False),
        ("https://abc.onion/", True, False),
        ("https://0x7f.1/", True, False),
        ("https://a.example./", True, False),
        ("https://a%2eexample/", False, False),
        ("https://alice:secret@a.example/", False, False),
        ("https://a.example/a b", False, False),
        ("https://a.example/\n", False, False),
        ("https://a.example/\\x", False, False),
        ("https://a.example/<x>", False, False),
        ("https:///x", False, False),
        ("https://[::1", False, False),
        ("https:a.example", False, False),
        ("ftp://a.example/", False, False),
        ("javascript:alert(1)", False, False),
        ("", False, False),
        ("https://a.example/" + "x" * 8192, False, False),
    ],
)
def test_what_may_be_shown_and_what_may_be_asked_for(url, shown, fetched):
    assert is_web_url(url) is shown
    assert is_fetchable_url(url) is fetched


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://A.example:443/x", "a.example"),
        ("https://a.example?x", "a.example"),
        ("https://a.example#x", "a.example"),
        ("https://[::1]:80/", "[::1]"),
    ],
)
def test_the_host_of_a_url(url, host):
    assert url_host(url) == host


@pytest.mark.parametrize("ip", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"])
def test_public_addresses(ip):
    assert is_public_address(ip)


@pytest.mark.parametrize(
    "ip",
    [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "224.0.0.1",
        "240.0.0.1",
        "0.0.0.0",
        "::1",
        "::",
        "fe80::1",
        "fc00::1",
        "ff02::1",
        "2001:db8::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2130706433",
        "a.example",
        "",
    ],
)
def test_addresses_that_are_not_public(ip):
    assert not is_public_address(ip)


@pytest.mark.parametrize(
    "make",
    [
        lambda body: HttpRequest(method="POST", url="https://a.example/", body=body),
        lambda body: HttpResponse(status=200, body=body),
    ],
    ids=["request", "response"],
)
def test_a_body_is_bytes(make):
    with pytest.raises(UsageError, match="must be bytes, not str"):
        make("text")


def test_a_url_is_absolute():
    with pytest.raises(UsageError, match="must be absolute"):
        HttpRequest(method="POST", url="/inbox")


def test_a_slash_at_the_end_of_the_origin_is_not_doubled():
    scope = {"method": "POST", "scheme": "https", "path": "/inbox", "headers": [], "query_string": b""}
    assert HttpRequest.from_asgi(scope, b"", origin="https://a.example/").url == "https://a.example/inbox"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://[::1]/", True),
        ("https://[::::::]/", False),
        ("https://[1.2.3.4]/", False),
        ("https://b\u00fccher.example/", True),
        ("https://good\uff20evil.example/", False),
        ("https://a.example:65535/", True),
        ("https://a.example:65536/", False),
        ("https://a.example/\u202e", False),
        ("https://a_b.example/", True),
        ("https://%61.example/", False),
    ],
)
def test_the_host_of_a_link_is_a_host(url, shown):
    assert is_web_url(url) is shown


def test_the_values_of_headers_are_not_shown():
    request = HttpRequest(method="GET", url="https://a.example/", headers={"Authorization": "Bearer secret"})
    assert repr(request) == "HttpRequest(method='GET', url='https://a.example/', headers=['authorization'])"


@pytest.mark.parametrize(
    ("fields", "token"),
    [
        (["Bearer t1"], "t1"),
        (["bearer  t1 "], "t1"),
        ([], None),
        (["Bearer"], None),
        (["Basic t1"], None),
        (["Bearer t1, Basic t2"], None),
        (["Bearer t1 t2"], None),
        (["Bearer t1", "Bearer t1"], None),
    ],
)
def test_a_bearer_token_is_that_of_the_one_authorization_header(fields, token):
    headers = [("Authorization", field) for field in fields]
    assert HttpRequest(method="GET", url="https://a.example/", headers=headers).bearer_token == token


@pytest.mark.parametrize(
    ("url", "path", "query"),
    [
        ("https://a.example/b/c?d=1&e#f?g", "/b/c", "d=1&e"),
        ("https://a.example", "", ""),
        ("https://a.example?d", "", "d"),
        ("https://a.example/b#f?d", "/b", ""),
        ("a.example/b?d", "", "d"),
    ],
)
def test_the_path_and_the_query_of_a_url_are_as_they_are_written(url, path, query):
    assert (path_of(url), query_of(url)) == (path, query)
