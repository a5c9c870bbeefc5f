"""What a server says about itself."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest, UsageError
from mentionable.discovery import nodeinfo_response, write_nodeinfo

WHOLE = write_nodeinfo(
    software="helper-2",
    version="1.0",
    users=2,
    posts=0,
    repository="https://agents.example/code",
    homepage="http://agents.example/",
    metadata={"nodeName": "Agents"},
)
PROFILE = 'application/json; profile="http://nodeinfo.diaspora.software/ns/schema/2.1#"'


def get(path, *, method="GET", host="https://agents.example"):
    return nodeinfo_response(HttpRequest(method=method, url=host + path), nodeinfo=WHOLE)


def test_all_that_a_server_can_say():
    assert WHOLE == {
        "version": "2.1",
        "software": {
            "name": "helper-2",
            "version": "1.0",
            "repository": "https://agents.example/code",
            "homepage": "http://agents.example/",
        },
        "protocols": ["activitypub"],
        "services": {"inbound": [], "outbound": []},
        "openRegistrations": False,
        "usage": {"users": {"total": 2}, "localPosts": 0},
        "metadata": {"nodeName": "Agents"},
    }
    assert write_nodeinfo(software="x", version="0")["usage"] == {"users": {}}


def test_a_reader_follows_the_link_to_the_document():
    links = json.loads(get("/.well-known/nodeinfo").body)["links"]
    assert [link["rel"] for link in links] == ["http://nodeinfo.diaspora.software/ns/schema/2.1"]
    response = nodeinfo_response(HttpRequest(method="GET", url=links[0]["href"]), nodeinfo=WHOLE)
    assert (response.status, response.header("content-type")) == (200, PROFILE)
    assert json.loads(response.body) == WHOLE
    assert response.header("access-control-allow-origin") == "*"
    assert response.header("cache-control") == "public, max-age=300"
    assert get("/.well-known/nodeinfo", host="http://localhost:8000").body.count(b"http://localhost:8000/nodeinfo") == 1


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/nodeinfo/2.1", "HEAD", 200),
        ("/nodeinfo/2.1?x=/.well-known/nodeinfo", "GET", 200),
        ("/nodeinfo/2.1", "PUT", 405),
        ("/nodeinfo/2.1/", "GET", 404),
        ("/nodeinfo/2.0", "GET", 404),
        ("", "GET", 404),
    ],
)
def test_nothing_else_is_answered(path, method, status):
    response = get(path, method=method)
    assert response.status == status
    assert bool(response.body) == (status == 200 and method == "GET")
    assert response.header("allow") == ("GET, HEAD" if status == 405 else None)


@given(url=st.text(max_size=60))
def test_no_url_raises(url):
    response = nodeinfo_response(HttpRequest(method="GET", url=f"x://{url}"), nodeinfo=WHOLE)
    assert response.status in (200, 404)


@pytest.mark.parametrize(
    "wrong",
    [
        {"software": "Helper"},
        {"software": "é"},
        {"software": ""},
        {"software": None},
        {"version": ""},
        {"version": "x" * 101},
        {"version": "\ud800"},
        {"version": 1},
        {"users": -1},
        {"users": True},
        {"posts": "3"},
        {"posts": 2**53},
        {"repository": "x"},
        {"homepage": 7},
        {"metadata": []},
        {"metadata": {"x": object()}},
    ],
    ids=range(16),
)
def test_a_document_that_readers_refuse_is_not_made(wrong):
    with pytest.raises(UsageError):
        write_nodeinfo(**({"software": "helper", "version": "1.0"} | wrong))


@pytest.mark.parametrize("nodeinfo", [None, {}, {"version": "2.0"}, []])
def test_only_what_was_written_is_served(nodeinfo):
    with pytest.raises(UsageError):
        nodeinfo_response(HttpRequest(method="GET", url="https://agents.example/nodeinfo/2.1"), nodeinfo=nodeinfo)
    with pytest.raises(UsageError):
        nodeinfo_response(b"", nodeinfo=WHOLE)
