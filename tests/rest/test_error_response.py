import json

import pytest

from mentionable import CODES, Rejected, UsageError, rest


@pytest.mark.parametrize(
    ("code", "status"),
    [("malformed", 422), ("no-served-recipient", 404), ("too-large", 413), ("media-type-unsupported", 415)],
)
def test_the_status_is_that_of_the_code(code, status):
    response = rest.error_response(Rejected(code=code))
    assert (response.status, response.header("content-type")) == (status, "application/problem+json")
    assert json.loads(response.body) == {
        "type": f"https://mentionable.dev/ns/transport-rest/v0.1#{code}",
        "title": CODES[code].text,
        "status": status,
        "code": code,
    }


def test_who_must_show_who_they_are_is_challenged():
    response = rest.error_response(Rejected(code="verification-required"))
    assert response.header("www-authenticate") == 'Mentionable error="verification-required"'
    assert rest.error_response(Rejected(code="malformed")).header("www-authenticate") is None


def test_a_rejection_is_never_a_success():
    assert rest.error_response(Rejected(code="unsupported-activity")).status == 400


def test_something_else_is_a_mistake_of_the_program():
    with pytest.raises(UsageError):
        rest.error_response("malformed")
