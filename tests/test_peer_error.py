"""The errors of peers: what they mean, and what is kept of their words."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import CODES, HttpResponse, Limits, Rejected, UsageError, a2a, discovery, rest
from mentionable._transport.peer_error import error_of_response, peer_error
from tests.a2a.questions import bare, request

TO = bare()

LEAF = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
NAMES = st.sampled_from(["error", "code", "message", "data", "details", "reason", "metadata", "status", "type"])
JSON = st.recursive(LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4))


def told(error, **facts):
    return peer_error(error, **facts).problems[0].rule


def test_the_words_of_a_peer_are_kept_in_one_short_line():
    assert told({"code": -32603, "message": "Out\n of\x1b[31m \u202epaper."}) == (
        "the peer answered with error -32603: Out of [31m paper."
    )
    assert told({"message": "a" * 5_000}).endswith("a…")
    assert len(told({"message": "a" * 5_000})) < 340
    assert told("Gone fishing.") == "the peer answered with error: Gone fishing."
    assert told({"error": {"detail": "Inside."}, "message": "Outside."}).endswith("Inside.")
    assert told({"error": "Old.", "code": 10**40}) == "the peer answered with error: Old."


@pytest.mark.parametrize("error", [None, 7, [], {}, {"message": 5}, {"message": ""}])
def test_an_error_without_words_has_none(error):
    assert told(error) == "the peer answered with error"


def test_a_credential_in_the_words_is_not_kept():
    assert told({"message": "bad token Bearer abcdefgh12345678abcdefgh"}) == "the peer answered with error"


@pytest.mark.parametrize(
    ("content_type", "body", "words"),
    [
        ("text/plain", b"Out of order.", ": Out of order."),
        (None, b"Out of order.", ": Out of order."),
        ("text/html", b"<p>Out of order.</p>", ""),
        ("application/problem+json", b'{"title": "Bad", "detail": "Out of order."}', ": Out of order."),
        ("application/json", b"{", ""),
    ],
)
@pytest.mark.parametrize("room", [a2a, rest], ids=["a2a", "rest"])
def test_a_server_that_failed_is_not_busy_and_its_words_are_kept(room, content_type, body, words):
    headers = {} if content_type is None else {"content-type": content_type}
    got = room.result(HttpResponse(status=500, headers=headers, body=body), to=TO)
    assert (got.code, got.temporary) == ("peer-error", False)
    assert got.problems[0].rule == f"the peer answered with HTTP status 500{words}"


def test_the_body_says_more_than_the_status():
    error = {"code": 404, "status": "NOT_FOUND", "details": [{"reason": "TASK_NOT_FOUND"}]}
    response = HttpResponse(status=404, body=json.dumps({"error": error}).encode())
    assert error_of_response(response, Limits()).code == "peer-task-not-found"
    refused = {"jsonrpc": "2.0", "error": {"code": -32603, "data": {"code": "verification-required"}}}
    assert peer_error(refused).code == "peer-unauthorized"
    assert peer_error({"details": [7, {"metadata": 7}] * 50 + [{"reason": "TASK_NOT_FOUND"}]}).code == "peer-error"


@pytest.mark.parametrize("way", ["1.0", "1.0-rest", "0.3", "0.3-rest"])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("verification-required", "peer-unauthorized"),
        ("task-not-found", "peer-task-not-found"),
        ("version-unsupported", "peer-version-unsupported"),
        ("replayed", "peer-forbidden"),
        ("lookup-failed", "peer-busy"),
        ("missing-member", "peer-error"),
    ],
)
def test_what_this_library_refuses_is_known_again(way, code, expected):
    refused = a2a.error_response(Rejected(code=code), request=request(way))
    assert a2a.result(refused, to=TO).code == expected


@given(JSON, st.sampled_from([200, 302, 400, 401, 404, 500, 503]))
def test_any_error_has_a_code_of_a_peer(value, status):
    error = peer_error(value)
    assert error.code.startswith("peer-")
    assert len(error.problems[0].rule) < 350
    assert CODES[error.code].temporary == (error.code == "peer-busy")
    error_of_response(HttpResponse(status=status, body=json.dumps(value).encode()), Limits())


# the next dialect

WRONG = Rejected(code="peer-version-unsupported")


def test_an_older_version_is_next():
    assert a2a.next_dialect(WRONG, dialect="1.0") == "0.3"
    assert a2a.next_dialect(WRONG, dialect="1.0-rest") == "0.3-rest"
    assert a2a.next_dialect(WRONG, dialect="0.3") is None


def test_over_rest_a_path_that_is_not_there_may_mean_another_version():
    gone = Rejected(code="peer-not-found")
    assert a2a.next_dialect(gone, dialect="1.0-rest") == "0.3-rest"
    assert a2a.next_dialect(gone, dialect="1.0") is None


def test_the_card_says_what_is_next():
    ways = [
        discovery.Endpoint(url="https://b.example/", dialect=dialect)
        for dialect in ("1.0-rest", "0.3", "1.0-rest", "1.0")
    ]
    assert a2a.next_dialect(WRONG, dialect="1.0-rest", endpoints=ways) == "0.3"
    assert a2a.next_dialect(WRONG, dialect="0.3", endpoints=ways) == "1.0"
    assert a2a.next_dialect(WRONG, dialect="1.0", endpoints=ways) is None
    assert a2a.next_dialect(WRONG, dialect="0.3-rest", endpoints=ways) == "1.0-rest"


@pytest.mark.parametrize("facts", [{"rejected": None}, {"dialect": "2.0"}, {"endpoints": ["1.0"]}, {"endpoints": 5}])
def test_arguments_of_the_wrong_kind_are_mistakes_of_the_program(facts):
    given = {"rejected": WRONG, "dialect": "1.0", **facts}
    with pytest.raises(UsageError):
        a2a.next_dialect(given.pop("rejected"), **given)
