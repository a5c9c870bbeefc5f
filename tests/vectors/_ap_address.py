"""Cases of the address: the domain must say that it belongs to the actor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.vectors._ap import (
    ACTIVITY_JSON,
    ALICE,
    AS2,
    BOB,
    FINGER,
    HTTP,
    SERVER,
    Cases,
    actor,
    cavage,
    descriptor,
    document,
    failed,
    finger,
    post,
    shown,
    unshown,
    world,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

SPLIT = "acct:alice@example.org"
SPLIT_FINGER = "https://example.org/.well-known/webfinger?resource=acct:alice@example.org"
THERE = shown(HTTP, address="@alice@example.org")


def behaviours() -> Iterator[tuple[str, Cases]]:
    yield "Addresses that their domain confirms.", confirmed()
    yield "Addresses that it does not.", unconfirmed()


def link(**members: Any) -> dict[str, Any]:
    return {"rel": "self", "type": ACTIVITY_JSON, "href": ALICE} | members


def confirmed() -> Cases:
    cases = Cases("verify-address", "R26")
    signed = cavage(post())

    def add(variant: str, why: str, jrd: Any, expected: Any = None, **more: Any) -> None:
        answers = {name: more.pop(name) for name in [*more] if name.startswith("GET ")}
        cases.add(variant, why, signed, expected, lookups=world(jrd=jrd, **answers), **more)

    add("usual", "The domain links the address to exactly this actor.", finger(), max_asks=2)
    profile = f'application/ld+json; profile="{AS2}"'
    add(
        "the-other-type",
        "The link may have the other type of ActivityStreams.",
        finger(descriptor(links=[link(type=profile)])),
    )
    add("plain-json", "Some servers call it plain JSON.", finger(content_type="application/json; charset=utf-8"))
    page = {
        "rel": "http://webfinger.net/rel/profile-page",
        "type": "text/html",
        "href": "https://social.example/@alice",
    }
    add(
        "among-other-links",
        "Other links may stand before it.",
        finger(descriptor(links=[page, {"rel": "x"}, "odd", link()])),
    )
    add("subject-in-capitals", "Hosts have no case.", finger(descriptor("acct:alice@Social.Example")))
    add("scheme-in-capitals", "Neither have schemes.", finger(descriptor("ACCT:alice@social.example")))
    there = finger(descriptor(SPLIT))
    why = "A server may serve the users of another domain: then that domain says so itself."
    add("split-domain", why, there, THERE, **{f"GET {SPLIT_FINGER}": there}, max_asks=3)
    redirected = finger(
        descriptor(SPLIT), url="https://social.example/.well-known/webfinger?resource=acct:alice@example.org"
    )
    why = "It may lead to the server by a redirect of its own."
    add("split-domain-by-redirect", why, there, THERE, **{f"GET {SPLIT_FINGER}": redirected})
    other = actor(preferredUsername="al-ice_1.x")
    row = f"GET {SERVER}/.well-known/webfinger?resource=acct:al-ice_1.x@social.example"
    found = world(other, **{row: finger(descriptor("acct:al-ice_1.x@social.example"))})
    cases.add(
        "signs-in-the-name", "Names have signs.", signed, shown(address="@al-ice_1.x@social.example"), lookups=found
    )
    escaped = f"GET {SERVER}/.well-known/webfinger?resource=acct:a%3Db%26c%2Bd@social.example"
    named = world(actor(preferredUsername="a=b&c+d"), **{escaped: finger(descriptor("acct:a=b&c+d@social.example"))})
    why = "What has a meaning in a query is escaped in it (RFC 7033 4.1)."
    cases.add("signs-of-queries", why, signed, shown(address="@a=b&c+d@social.example"), lookups=named)
    return cases


def unconfirmed() -> Cases:
    cases = Cases("verify-address-refused", "NM 8")
    signed = cavage(post())

    def refuse(variant: str, why: str, jrd: Any, **more: Any) -> None:
        answers = {name: more.pop(name) for name in [*more] if name.startswith("GET ")}
        facts = {"lookups": world(jrd=jrd, **answers), "attack": True}
        cases.add(variant, why, signed, "address-unconfirmed", **(facts | more))

    def linked(variant: str, why: str, **members: Any) -> None:
        refuse(variant, why, finger(descriptor(links=[link(**members)])))

    linked("links-another-server", "The address belongs to somebody else.", href=BOB)
    linked("links-another-user", "One host is not one person.", href=f"{SERVER}/users/eve")
    linked("links-a-longer-id", "An id is the whole of it.", href=ALICE + "/")
    linked("links-another-case", "Paths have case.", href=ALICE.replace("alice", "Alice"))
    linked("link-of-another-relation", "What she likes is not what she is.", rel="me")
    linked("link-to-html", "A page is not an actor.", type="text/html")
    linked("link-without-a-type", "The type tells what it leads to.", type=None)
    refuse("no-links", "A domain that links nothing confirms nothing.", finger(descriptor(links=[])))
    refuse("links-are-text", "Links are a list.", finger(descriptor(links=ALICE)))
    refuse("no-subject", "It must say of whom it speaks.", finger(descriptor(subject=...)))
    refuse("subject-is-a-url", "That is an address.", finger(descriptor(ALICE)))
    refuse("subject-is-no-address", "And one that can be.", finger(descriptor("acct:alice")))
    refuse("not-found", "The domain does not know her.", finger(status=404))
    refuse("gone", "Or knows her no more.", finger(status=410))
    refuse("html", "A page is not an answer.", finger(content_type="text/html"))
    refuse("not-json", "What cannot be read confirms nothing.", finger("{"))
    refuse("a-list", "A list confirms nothing.", finger("[]"))
    why = "Two readers would see two subjects."
    refuse(
        "member-twice", why, finger('{"subject":"acct:alice@social.example","subject":"acct:bob@x.example","links":[]}')
    )
    refuse(
        "redirected-to-http",
        "What anybody on the way may change confirms nothing.",
        finger(url=FINGER.replace("https", "http")),
    )
    there = finger(descriptor(SPLIT))
    elsewhere = finger(descriptor(SPLIT, links=[link(href="https://example.org/users/alice")]))
    why = "The address of another domain is confirmed by that domain alone: else any server could take it."
    refuse("address-of-a-victim", why, there, **{f"GET {SPLIT_FINGER}": elsewhere}, max_asks=3)
    refuse("victim-does-not-know", why, there, **{f"GET {SPLIT_FINGER}": finger(status=404)}, max_asks=3)
    onward = finger(descriptor("acct:alice@example.net"))
    third = ["GET https://example.net/.well-known/webfinger?resource=acct:alice@example.net"]
    why = "From domain to domain is one step, and not a walk."
    refuse("third-domain", why, there, **{f"GET {SPLIT_FINGER}": onward}, must_not_ask=third)
    back = finger(descriptor())
    refuse("two-domains-in-a-ring", why, there, **{f"GET {SPLIT_FINGER}": back}, max_asks=3)
    private = finger(descriptor("acct:alice@router.internal"))
    refuse(
        "private-domain",
        "A domain that is not public is not asked.",
        private,
        must_not_ask=["GET https://router.internal/*"],
        section="NM 5.1.1",
    )
    local = finger(descriptor("acct:alice@192.0.2.1"))
    refuse(
        "address-at-an-ip", "Nor is an IP address.", local, must_not_ask=["GET https://192.0.2.1/*"], section="NM 5.1.1"
    )

    def open_(variant: str, why: str, jrd: Any, *, temporary: bool = True, **answers: Any) -> None:
        verdict = unshown("address-unresolvable", temporary=temporary)
        cases.add(variant, why, signed, verdict, lookups=world(jrd=jrd, **answers), section="R21")

    open_("timeout", "A domain that does not answer now may answer later.", failed())
    open_("server-error", "So may one that fails.", finger(status=500))
    open_("too-many", "So may one that is asked too much.", finger(status=429))
    open_("never", "What cannot be asked at all is told apart.", failed("refused", temporary=False), temporary=False)
    open_("split-domain-timeout", "So may the other domain.", there, **{f"GET {SPLIT_FINGER}": failed()})

    def named(variant: str, why: str, username: Any) -> None:
        found = {
            **world(actor(preferredUsername=username)),
            "GET *": finger(descriptor(f"acct:{username}@social.example")),
        }
        cases.add(variant, why, signed, "address-unconfirmed", lookups=found, attack=True, max_asks=1)

    named("name-holds-a-domain", "A name with a domain in it would show another address.", "alice@victim.example")
    named("name-holds-a-slash", "A name with a slash is none.", "alice/x")
    named("name-holds-a-blank", "Nor is one with a blank.", "ali ce")
    named("name-holds-a-control", "Nor one with a control.", "alice\u0007")
    named("name-turns-direction", "Nor one that is shown backwards.", "\u202eecila")
    named("name-is-a-number", "A name is text.", 5)
    claimed = document(actor(preferredUsername="eve", webfinger="alice@victim.example"))
    row = f"GET {SERVER}/.well-known/webfinger?resource=acct:eve@social.example"
    found = {**world(), f"GET {ALICE}": claimed, row: finger(status=404)}
    why = "What the actor says about her address is a claim, and not the word of its domain."
    cases.add(
        "claimed-by-the-actor",
        why,
        signed,
        "address-unconfirmed",
        lookups=found,
        attack=True,
        must_not_ask=["GET https://victim.example/*"],
    )
    return cases
