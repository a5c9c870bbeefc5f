"""Traces that come in by ActivityPub: `conformance/v0.1/trace/activitypub.json`."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Final

from tests.vectors._answer_rows import (
    ANY,
    DATA,
    MARKDOWN,
    PLAIN,
    USUAL,
    UUID,
    Case,
    link,
    response,
    row,
    standard,
    url_safe,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTOR: Final = "https://social.example/users/alice"
PROFILE: Final = "https://mentionable.dev/ns/normalized-message/v0.1"
AP: Final = "https://www.w3.org/ns/activitystreams"
OTHER: Final = response({**PLAIN, "content": "Another."})
HELLO: Final = "<p>Hello</p>"


def anchor(href: str = link(USUAL), attributes: str = 'class="mentionable-trace" data-version="0.1"') -> str:
    """The link as senders write it."""
    return f'<a {attributes} href="{escape(href)}">[trace: web_search ✓ 412ms]</a>'


def message(parts: list[Any], trace: Any, **members: Any) -> Case:
    """The message that an ActivityPub delivery becomes."""
    found: Case = {
        "id": UUID,
        "thread_id": "https://social.example/notes/2/activity",
        "sender": {
            "address": "@alice@social.example",
            "auth_method": "none",
            "verified": False,
            "profile": {"username": "alice", "provider": "activitypub", "provider_subject": ACTOR},
        },
        "recipient": "@helper@agents.example",
        "parts": parts,
        "recipient_capabilities": {
            "mention_relay": {"kind": "addressing", "envelope_fields": ["to", "cc"], "also_inline": True}
        },
        "received_via": "activitypub",
        "received_at": "2026-11-21T20:56:00Z",
        "raw": ANY,
        **members,
    }
    return found if trace is None else {**found, "received_trace": trace}


def html(text: str) -> Case:
    """A part of HTML."""
    return {"kind": "text", "mime": "text/html", "content": text}


def of_activity(
    name: str, section: str, why: str, note: Any, parts: Any, trace: Any = USUAL, *notes: str, **more: Any
) -> Case:
    """A delivery; `note` is its content, or members of the note."""
    note = note if isinstance(note, dict) else {"content": note}
    parts = parts if isinstance(parts, list) else [html(parts)]
    lookups: Case = {
        f"GET {ACTOR}": {
            "status": 200,
            "content_type": "application/activity+json",
            "json": {"@context": AP, "id": ACTOR, "type": "Person", "preferredUsername": "alice"},
        },
        "AGENT https://agents.example/actors/helper": "@helper@agents.example",
        "AGENT *": None,
        "MESSAGE *": None,
        **more.pop("lookups", {}),
    }
    body = {
        "@context": AP,
        "id": "https://social.example/notes/2/activity",
        "type": "Create",
        "actor": ACTOR,
        "to": ["https://agents.example/actors/helper"],
        "object": {"id": "https://social.example/notes/2", "type": "Note", "attributedTo": ACTOR, **note},
    }
    unit = {
        "method": "POST",
        "url": "https://agents.example/inbox",
        "headers": [["content-type", "application/activity+json"]],
        "body": body,
    }
    messages = [message(parts, trace, **more.pop("members", {}))]
    also = more.pop("also", None)
    outcome: Case = {"messages": messages, "verdict": {"verified": False}, "diagnostics": list(notes)}
    if also is not None:
        outcome = {"any_of": [outcome, also]}
    flags = ["trace", "activitypub", *more.pop("flags", [])]
    return row(
        f"trace/activitypub/{name}", section, why, unit, given={"lookups": lookups}, flags=flags, **outcome, **more
    )


def activities() -> Iterator[Case]:
    """Traces in ActivityPub."""
    case = of_activity
    own = f"{HELLO}<p>{anchor()}</p>"
    plain = 'class="mentionable-trace"'
    yield case(
        "own-paragraph", "NM 10.6", "The structure comes back, and the payload does not reach a prompt.", own, HELLO
    )
    yield case(
        "after-the-text",
        "NM 10.3",
        "The anchor is appended to the text, in a paragraph or not.",
        HELLO + anchor(),
        HELLO,
    )
    yield case(
        "inside-the-last-paragraph", "D B4", "What stands beside it stays.", f"<p>Hello {anchor()}</p>", "<p>Hello </p>"
    )
    yield case(
        "blanks-in-its-paragraph",
        "D B4",
        "A paragraph that held nothing else goes too.",
        f"{HELLO}\n<p> {anchor()} </p>",
        f"{HELLO}\n",
        level="SHOULD",
    )
    yield case(
        "text-after-it",
        "D B4",
        "Servers append quotes and signatures.",
        f"{HELLO}{anchor()}<p>Bye</p>",
        f"{HELLO}<p>Bye</p>",
    )
    yield case(
        "attributes-in-another-order",
        "NM 10.3",
        "Attributes of HTML have no order.",
        HELLO + f'<a href="{link(USUAL)}" data-version="0.1" {plain}>[trace]</a>',
        HELLO,
    )
    yield case(
        "more-attributes",
        "R34",
        "GoToSocial adds rel and target, and drops what it does not know.",
        HELLO + anchor(attributes=f'{plain} rel="nofollow noreferrer noopener" target="_blank"'),
        HELLO,
    )
    yield case(
        "class-among-others",
        "D B10",
        "Servers add classes of their own.",
        HELLO + anchor(attributes='class="u-url mentionable-trace" data-version="0.1"'),
        HELLO,
    )
    yield case(
        "class-emptied",
        "R34",
        "Mastodon empties the class: then it is a link like any other.",
        HELLO + anchor(attributes='class=""'),
        HELLO + anchor(attributes='class=""'),
        None,
    )
    yield case(
        "class-that-only-begins-so",
        "NM 10.3",
        "Another class is another thing.",
        HELLO + anchor(attributes='class="mentionable-traces"'),
        HELLO + anchor(attributes='class="mentionable-traces"'),
        None,
    )
    yield case(
        "address-stripped",
        "NM 10.8",
        "Without its address the words remain, and nothing was broken by us.",
        HELLO + "<a>[trace: web_search ✓]</a>",
        HELLO + "<a>[trace: web_search ✓]</a>",
        None,
    )
    yield case(
        "single-quotes",
        "NM 10.3",
        "Single quotes need not be read; whoever reads them takes the anchor out.",
        HELLO + f"<a class='mentionable-trace' data-version='0.1' href='{link(USUAL)}'>[trace]</a>",
        HELLO,
        level="MAY",
        also={
            "messages": [
                message(
                    [html(HELLO + f"<a class='mentionable-trace' data-version='0.1' href='{link(USUAL)}'>[trace]</a>")],
                    None,
                )
            ]
        },
    )
    yield case("no-version", "R34", "Sanitizers drop the attribute.", HELLO + anchor(attributes=plain), HELLO)
    other = HELLO + anchor(attributes=f'{plain} data-version="0.2"')
    yield case(
        "other-version",
        "R33",
        "A form that is not known is not guessed at.",
        other,
        other,
        None,
        "trace-version-unsupported",
    )
    two = HELLO + anchor() + anchor(link(OTHER))
    yield case(
        "two-anchors",
        "NM 10.3",
        "Only the first is the sender's; a quoted one may follow.",
        two,
        HELLO + anchor(link(OTHER)),
    )
    broken = HELLO + anchor("https://mentionable.dev/trace#e30") + anchor(link(OTHER))
    yield case(
        "first-anchor-broken",
        "NM 10.3",
        "The second is not looked for.",
        broken,
        broken,
        None,
        "trace-malformed",
        flags=["attack"],
    )
    yield case("data-address", "NM 10.4", "A trace without a viewer.", HELLO + anchor(DATA + standard(USUAL)), HELLO)
    yield case(
        "foreign-viewer",
        "D B10",
        "Any viewer may be named, and none is fetched.",
        HELLO + anchor(link(USUAL, "https://viewer.example/show")),
        HELLO,
        must_not_ask=["GET https://viewer.example/*", "GET https://mentionable.dev/*"],
    )
    yield case(
        "escaped-address",
        "NM 10.3",
        "An address in HTML is escaped.",
        HELLO + anchor(link(USUAL, "https://viewer.example/show?a=1&lang=ko")),
        HELLO,
    )
    yield case(
        "markup-in-the-payload",
        "NM 10.2",
        "Nothing in a payload is markup.",
        HELLO + anchor(link(response({**PLAIN, "content": "</a><script>x()</script>"}))),
        HELLO,
        response({**PLAIN, "content": "</a><script>x()</script>"}),
    )
    yield case(
        "members-not-known",
        "R33",
        "What a later version says is kept.",
        HELLO + anchor(link({**USUAL, "usage": {"tokens": 3}})),
        HELLO,
        {**USUAL, "usage": {"tokens": 3}},
    )
    for name, why, href, code in (
        ("payload-cut", "A server cut the address.", link(USUAL)[:90], "trace-malformed"),
        (
            "payload-of-nothing",
            "The fragment was dropped on the way.",
            "https://mentionable.dev/trace",
            "trace-malformed",
        ),
        ("payload-of-another-shape", "JSON that is no response.", link({"hello": 1}), "trace-malformed"),
        (
            "payload-too-large",
            "Nobody reads more than 64 KiB.",
            link(response({**PLAIN, "content": "x" * 49200})),
            "trace-too-large",
        ),
        (
            "script-address",
            "What it would do in a browser does not matter; it is not read.",
            f"javascript:alert(1)#{url_safe(USUAL)}",
            "trace-malformed",
        ),
    ):
        text = f"{HELLO}<p>{anchor(href)}</p>"
        yield case(
            name, "NM 10.6", f"{why} The message is delivered all the same.", text, text, None, code, flags=["attack"]
        )
    for name, why, text in (
        ("in-a-comment", "What nobody sees is not an anchor.", f"{HELLO}<!-- {anchor()} -->"),
        ("as-text", "An example in a text is a text.", HELLO + escape(anchor())),
        (
            "another-element",
            "The carrier is an anchor, and nothing else.",
            f'{HELLO}<span class="mentionable-trace" data-version="0.1" data-href="{link(USUAL)}">x</span>',
        ),
        ("in-an-attribute", "Markup inside an attribute is none.", f"<p title='{anchor()}'>Hello</p>"),
    ):
        yield case(name, "NM 10.3", why, text, text, None, flags=["attack"])
    yield case(
        "plain-text-note",
        "NM 10.3",
        "A note that is no HTML has no anchors.",
        {"mediaType": "text/plain", "content": anchor()},
        [{"kind": "text", "mime": "text/plain", "content": anchor()}],
        None,
    )
    yield case(
        "content-in-languages",
        "D B4",
        "The text may stand under its language.",
        {"contentMap": {"en": HELLO + anchor()}},
        HELLO,
    )
    source = {"content": "Hello **you**", "mediaType": "text/markdown"}
    yield case(
        "beside-a-source",
        "D B4",
        "The text may come from the source; the trace stands in the HTML.",
        {"content": "<p>Hello <b>you</b></p>" + anchor(), "source": source},
        [{**MARKDOWN, "content": "Hello **you**"}],
    )
    attached = {"type": "Document", "mediaType": "image/png", "url": "https://files.example/a.png"}
    again = {"type": "Link", "href": link(USUAL), "name": "Trace"}
    image = {"kind": "file", "mime": "image/png", "bytes_ref": {"kind": "url", "url": "https://files.example/a.png"}}
    yield case(
        "attached-too",
        "NM 10.3",
        "The attached link of the trace is no part of what was said.",
        {"content": HELLO + anchor(), "attachment": [attached, again]},
        [html(HELLO), image],
    )
    yield case(
        "attached-alone",
        "NM 10.3",
        "The anchor is canonical; a link alone is a link.",
        {"content": HELLO, "attachment": [again]},
        [html(HELLO), {"kind": "link", "url": link(USUAL), "title": "Trace"}],
        None,
    )
    other_link = {"type": "Link", "href": "https://a.example/page"}
    yield case(
        "other-link-attached",
        "NM 10.3",
        "Other links stay.",
        {"content": HELLO + anchor(), "attachment": [again, other_link]},
        [html(HELLO), {"kind": "link", "url": "https://a.example/page"}],
    )
    forged = response(PLAIN, sender={"address": "@bob@b.example", "verified": True}, recipient="@bob@b.example")
    yield case(
        "claims-of-the-payload",
        "D B10",
        "A trace is its sender's word: it makes nobody another, nor verified.",
        HELLO + anchor(link(forged)),
        HELLO,
        forged,
        flags=["attack"],
    )
    yield case(
        "answers-another-question",
        "NM 10.8",
        "Whom it answered is for the reader to judge.",
        HELLO + anchor(link(response(PLAIN, reply_to="x"))),
        HELLO,
        response(PLAIN, reply_to="x"),
    )
    parent = "https://social.example/notes/1"
    old = {
        "@context": AP,
        "id": parent,
        "type": "Note",
        "attributedTo": ACTOR,
        "published": "2026-11-21T20:00:00Z",
        "content": HELLO + anchor(),
    }
    turn = {
        "id": ANY,
        "role": "user",
        "sender": ANY,
        "parts": [html(HELLO)],
        "timestamp": "2026-11-21T20:00:00Z",
    }
    yield case(
        "in-history",
        "D B10",
        "Turns of history have no trace, and no payload in their text.",
        {"content": "<p>And now?</p>", "inReplyTo": parent},
        "<p>And now?</p>",
        None,
        lookups={f"GET {parent}": {"status": 200, "content_type": "application/activity+json", "json": old}},
        members={"in_reply_to": parent, "thread_id": parent, "history": [turn]},
    )


def behaviours() -> Iterator[tuple[str, str, str, str, list[Case]]]:
    """The files."""
    note = "Written by tests/vectors/_answer_received.py; change that."
    yield "trace", "activitypub", "activitypub.receive", note, list(activities())
