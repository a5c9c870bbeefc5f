import pytest

from mentionable import Failed, HttpRequest, UsageError, activitypub, drive
from mentionable.activitypub._auth.signature import read_signatures
from tests.activitypub.answering import KEY, answer, received
from tests.activitypub.servers import NOW


@pytest.mark.parametrize(
    ("status", "first", "second"),
    [
        (200, "done", "done"),
        (202, "done", "done"),
        (299, "done", "done"),
        (400, "other-form", "refused"),
        (401, "other-form", "refused"),
        (403, "other-form", "refused"),
        (404, "gone", "gone"),
        (410, "gone", "gone"),
        (408, "retry", "retry"),
        (425, "retry", "retry"),
        (429, "retry", "retry"),
        (500, "retry", "retry"),
        (503, "retry", "retry"),
        (405, "refused", "refused"),
        (413, "refused", "refused"),
        (422, "refused", "refused"),
        (301, "refused", "refused"),
        (308, "refused", "refused"),
        (199, "refused", "refused"),
        (0, "refused", "refused"),
    ],
)
def test_what_the_status_of_an_inbox_means(status: int, first: str, second: str) -> None:
    assert activitypub.delivery_outcome(status) == first
    assert activitypub.delivery_outcome(status, both_tried=True) == second


def test_a_delivery_is_signed_in_the_other_form_by_one_call() -> None:
    (post,) = answer("Hello").deliveries
    again = activitypub.sign(post, key=KEY, now=NOW, form="rfc9421")
    back = activitypub.sign(again, key=KEY, now=NOW, form="cavage")
    assert sorted(name for name, _ in again.headers) == [
        "content-digest",
        "content-type",
        "date",
        "host",
        "signature",
        "signature-input",
    ]
    assert isinstance(back, HttpRequest)
    assert sorted(back.headers) == sorted(post.headers)
    for request in (post, again, back):
        assert received(request).verdict.verified


def delivered(
    *statuses: object, form: activitypub.SignatureForm | None = None
) -> tuple[activitypub.Delivered, list[str]]:
    """What becomes of a delivery to an inbox that answers so, and the forms in which it was posted."""
    left, forms = list(statuses), []

    def post(ask: activitypub.Post) -> object:
        assert received(ask.request).verdict.verified
        forms.append(read_signatures(ask.request, {}).http[0].form)
        return left.pop(0)

    (delivery,) = answer("Hello").deliveries
    done = drive(activitypub.deliver(delivery, key=KEY, now=NOW, form=form), post)
    assert left == []
    return done, forms


@pytest.mark.parametrize(
    ("statuses", "outcome", "taken", "forms"),
    [
        ([202], "done", "cavage", ["cavage"]),
        ([401, 202], "done", "rfc9421", ["cavage", "rfc9421"]),
        ([401, 401], "refused", None, ["cavage", "rfc9421"]),
        ([400, 503], "retry", None, ["cavage", "rfc9421"]),
        ([503], "retry", None, ["cavage"]),
        ([410], "gone", None, ["cavage"]),
        ([405], "refused", None, ["cavage"]),
        ([Failed("nobody there")], "retry", None, ["cavage"]),
        ([401, Failed("nobody there any more")], "retry", None, ["cavage", "rfc9421"]),
        ([Failed("a private address", temporary=False)], "refused", None, ["cavage"]),
    ],
    ids=range(10),
)
def test_a_delivery_is_posted_in_the_form_that_the_inbox_takes(
    statuses: list[object], outcome: str, taken: str | None, forms: list[str]
) -> None:
    done, tried = delivered(*statuses)
    assert (done.outcome, done.form, tried) == (outcome, taken, forms)


def test_a_delivery_begins_with_the_form_that_was_taken_the_last_time() -> None:
    assert delivered(202, form="rfc9421")[1] == ["rfc9421"]
    done, forms = delivered(401, 202, form="rfc9421")
    assert (done.form, forms) == ("cavage", ["rfc9421", "cavage"])


@pytest.mark.parametrize("status", ["202", None, True])
def test_what_an_inbox_answered_is_a_status(status: object) -> None:
    with pytest.raises(UsageError, match="must be the status of a response or Failed"):
        delivered(status)


def test_a_delivery_in_a_form_that_nobody_knows_is_the_fault_of_the_program() -> None:
    with pytest.raises(UsageError, match="form must be"):
        delivered(form="hs2019")  # type: ignore[arg-type]


def test_a_status_is_a_number() -> None:
    with pytest.raises(UsageError, match="status"):
        activitypub.delivery_outcome("202")  # type: ignore[arg-type]
