from typing import Any

from mentionable import Address, HttpRequest, activitypub
from mentionable.activitypub._auth.signature import read_signatures
from mentionable.activitypub._write.recipients import Recipient, deliveries_to, inboxes_for
from tests.activitypub.answering import KEY
from tests.activitypub.servers import NOW, codes

CAROL = Recipient(
    Address("@carol@a.example"), "https://a.example/c", "", "https://a.example/c/in", "https://a.example/in"
)
DAVE = CAROL._replace(id="https://a.example/d", inbox="https://a.example/d/in")
ERIN = Recipient(Address("@erin@b.example"), "https://b.example/e", "", "https://b.example/e/in", None)


def test_what_is_public_goes_to_shared_inboxes_once() -> None:
    for visibility in ("public", "unlisted"):
        inboxes, diagnostics = inboxes_for([CAROL, DAVE, ERIN], visibility)
        assert inboxes == ["https://a.example/in", "https://b.example/e/in"]
        assert diagnostics == []


def test_what_is_for_a_few_goes_to_their_own_inboxes() -> None:
    for visibility in ("direct", "followers"):
        inboxes, _ = inboxes_for([CAROL, DAVE, ERIN, ERIN], visibility)
        assert inboxes == ["https://a.example/c/in", "https://a.example/d/in", "https://b.example/e/in"]


def test_a_recipient_without_an_inbox_has_a_diagnostic() -> None:
    inboxes, diagnostics = inboxes_for([ERIN._replace(inbox=None), CAROL], "direct")
    assert inboxes == ["https://a.example/c/in"]
    assert codes(diagnostics) == ["undeliverable"]


def test_a_delivery_is_a_signed_post() -> None:
    def delivery(**members: Any) -> HttpRequest:
        (post,) = deliveries_to(["https://a.example/in"], b"{}", settings=activitypub.Settings(**members), now=NOW)
        return post

    post = delivery(key=KEY)
    assert (post.method, post.url, post.body) == ("POST", "https://a.example/in", b"{}")
    assert post.header("content-type") == "application/activity+json"
    assert read_signatures(post, {}).http[0].form == "cavage"
    assert read_signatures(delivery(key=KEY, form="rfc9421"), {}).http[0].form == "rfc9421"
    assert delivery().headers == (("content-type", "application/activity+json"),)
