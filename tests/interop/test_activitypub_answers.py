"""What others read in the notes that answer, whose they find them to be, and what servers leave of their text."""

from __future__ import annotations

import html
import json
import re
import string
from base64 import b64encode, urlsafe_b64encode
from datetime import UTC, datetime
from urllib.parse import quote

import pytest

from mentionable import (
    CarriedPolicy,
    HttpRequest,
    NormalizedResponse,
    TextPart,
    activitypub,
    drive,
    dumps,
    encode,
    replace,
)
from mentionable._transport.policy_part import has_private_policy
from mentionable.testing import LookupTable
from tests.activitypub.answering import (
    BASE,
    BOB_ACTOR,
    FOLLOWERS,
    KEY,
    OBJECTS,
    asked,
    note_in,
    received,
)
from tests.activitypub.servers import ALICE, HELPER, NOTE, PUBLIC
from tests.interop.batches import BLOBS, NOW, answers_to, any_answers, any_parts

FLOOR = 2_100
ACTOR = activitypub.actor(
    "@helper@agents.example",
    url=HELPER,
    keys=(KEY, OBJECTS),
    name="Helper 🤖",
    summary="I <help>\nyou & others",
    icon="https://agents.example/icon.png",
    page="https://agents.example/about",
    shared_inbox="https://agents.example/inbox",
)
DOCUMENTS = {HELPER: ACTOR}
VISIBILITIES = {
    "public": {"to": [PUBLIC, HELPER], "cc": [FOLLOWERS]},
    "unlisted": {"to": [HELPER], "cc": [PUBLIC, FOLLOWERS]},
    "followers": {"to": [FOLLOWERS, HELPER]},
    "direct": {"to": [HELPER]},
}
ASKED = {name: asked(**people, context="https://social.example/c/1") for name, people in VISIBILITIES.items()}
SIGNED = activitypub.Settings(key=KEY)
PROVEN = {form: activitypub.Settings(key=KEY, form=form, object_key=OBJECTS) for form in ("cavage", "rfc9421")}


def sent(response, to=ASKED["public"], **given):
    facts = {"base": BASE, "now": NOW, "entropy": bytes(32), "blobs": BLOBS, "settings": SIGNED, **given}
    return activitypub.reply(response, to=to, **facts)


def public(response):
    """What everybody reads of an answer: without the policies that the person asked alone may read, if more is left."""
    parts = tuple(part for part in response.parts if not isinstance(part, CarriedPolicy))
    return replace(response, parts=parts) if parts and has_private_policy(response) else response


def made(to=ASKED["public"], **given):
    """Every kind of answer, and those that hypothesis makes, each with what goes out for it."""
    found = [(public(response), sent(response, to, **given)) for response in answers_to(to).values()]
    found += [(public(response), sent(response, to, **given)) for response in any_answers(to)]
    for parts, blobs in any_parts():
        response = NormalizedResponse.to(to, *parts)
        found.append((public(response), sent(response, to, blobs=blobs, **given)))
    return found


# What Fedify reads.


def as_read(activity):
    """What a reader should find in an activity."""
    note = activity["object"]
    source = note.get("source")
    return {
        "type": activity["type"],
        "id": activity["id"],
        "actor": HELPER,
        "to": activity["to"],
        "cc": activity["cc"],
        "published": instant(activity["published"]),
        "object": {
            "type": "Note",
            "id": note["id"],
            "author": HELPER,
            "replyTo": NOTE,
            "to": note["to"],
            "cc": note["cc"],
            "context": ["https://social.example/c/1"],
            "content": note["content"],
            "source": source and {"content": source["content"], "mime": source["mediaType"]},
            "published": instant(note["published"]),
            "updated": instant(note["updated"]) if "updated" in note else None,
            "tags": [{"type": "Mention", "href": tag["href"], "name": tag["name"]} for tag in note["tag"]],
            "attachments": [
                {
                    "type": file["type"],
                    "url": normal(file.get("url", file.get("href"))),
                    "mime": file.get("mediaType"),
                    "name": file.get("name"),
                }
                for file in note["attachment"]
            ],
        },
    }


def normal(url):
    """A URL as JavaScript writes it."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    path = "" if path == "." else quote(path, safe=string.printable)
    return f"{scheme.lower()}://{host.lower()}{slash}{path}"


def instant(text):
    return text.replace(".000Z", "Z")


def test_fedify_reads_in_any_answer_what_is_there(node, count):
    activities = [out.activity for _, out in made()]
    read = node("fedify.read", type="Create", documents=activities)
    for found, activity in zip(read, activities, strict=True):
        assert found == as_read(activity)
        count()


@pytest.mark.parametrize("visibility", list(VISIBILITIES))
def test_fedify_reads_whom_an_answer_is_for(node, count, visibility):
    to = ASKED[visibility]
    out = sent(NormalizedResponse.to(to, "Hello, *alice*, and @bob@other.example!"), to, siblings=(BOB_ACTOR,))
    (found,) = node("fedify.read", type="Create", documents=[out.activity])
    note = found["object"]
    assert (found["to"], found["cc"]) == (note["to"], note["cc"])
    everybody = {*note["to"], *note["cc"]}
    assert {ALICE, BOB_ACTOR.id} <= everybody
    assert (PUBLIC in note["to"], PUBLIC in note["cc"]) == (visibility == "public", visibility == "unlisted")
    assert [(tag["type"], tag["href"], tag["name"]) for tag in note["tags"]] == [
        ("Mention", ALICE, "@alice@social.example"),
        ("Mention", BOB_ACTOR.id, "@bob@other.example"),
    ]
    for person in (ALICE, BOB_ACTOR.id):
        assert f'href="{person}"' in note["content"]
    assert note["replyTo"] == NOTE
    count(4)


def test_fedify_reads_an_update_of_what_was_served(node, count):
    to = ASKED["public"]
    first = sent(NormalizedResponse.to(to, "One"))
    facts = {"base": BASE, "now": datetime(2026, 11, 21, 21, tzinfo=UTC), "entropy": bytes([1]) * 32}
    note = first.serve[first.native_id]
    second = activitypub.update(NormalizedResponse.to(to, "Two"), note=note, to=to, **facts, settings=PROVEN["cavage"])
    (found,) = node("fedify.read", type="Update", documents=[second.activity])
    assert found == as_read(second.activity)
    assert found["object"]["id"] == first.native_id
    assert found["object"]["updated"] == "2026-11-21T21:00:00Z"
    assert found["object"]["source"] == {"content": "Two", "mime": "text/markdown"}
    assert node("fedify.verify_object", document=second.activity, documents=DOCUMENTS) == second.activity["id"]
    count(5)


def test_fedify_reads_the_actor(node, count):
    found = node("fedify.read_actor", document=ACTOR)
    (rsa_id, rsa_owner, rsa), (ed_id, ed_owner, ed25519) = found.pop("keys") + found.pop("methods")
    assert found == {
        "type": "Service",
        "id": HELPER,
        "name": "Helper 🤖",
        "username": "helper",
        "summary": "<p>I &lt;help&gt;<br>you &amp; others</p>",
        "inbox": f"{HELPER}/inbox",
        "outbox": f"{HELPER}/outbox",
        "followers": f"{HELPER}/followers",
        "following": f"{HELPER}/following",
        "shared": "https://agents.example/inbox",
        "page": "https://agents.example/about",
        "icon": "https://agents.example/icon.png",
    }
    assert (rsa_id, rsa_owner, rsa["kty"], rsa["alg"]) == (KEY.key_id, HELPER, "RSA", "RS256")
    assert (ed_id, ed_owner, ed25519["crv"]) == (OBJECTS.key_id, HELPER, "Ed25519")
    assert ed25519["x"] == urlsafe_b64encode(OBJECTS.public_raw).rstrip(b"=").decode()
    count(len(found) + 2)


def test_what_fedify_writes_again_is_received_as_the_same_answer(node, count):
    pairs = made(settings=activitypub.Settings())
    written = node("fedify.rewrite", documents=[out.activity for _, out in pairs])
    for (response, out), activity in zip(pairs, written, strict=True):
        request = out.deliveries[0]
        again = HttpRequest(method="POST", url=request.url, body=json.dumps(activity).encode())
        first, second = received(request).message, received(again).message
        assert second.received_trace == response == first.received_trace
        # Objects of vocabularies that it does not know are left out of what it writes; the text says what they say.
        assert parts_of(second) == [part for part in parts_of(first) if part["kind"] != "policy"]
        for member in ("thread_id", "in_reply_to", "sender", "recipient", "id"):
            assert getattr(second, member) == getattr(first, member)
        count()


def parts_of(message):
    """Its parts, encoded, with URLs as JavaScript writes them."""
    parts = encode(message)["parts"]
    for reference in (part["bytes_ref"] for part in parts if "bytes_ref" in part):
        if "url" in reference:
            reference["url"] = normal(reference["url"])
    return parts


@pytest.mark.parametrize("kind", ["Person", "Service", "Application", "Group"])
@pytest.mark.parametrize("form", ["compact", None])
def test_an_actor_that_fedify_writes_is_found_and_answered_with(node, count, kind, form):
    bob = "https://fedify.example/users/bob"
    facts = {"id": bob, "username": "bob", "type": kind, "inbox": f"{bob}/inbox", "shared": "https://fedify.example/in"}
    facts |= {"publicKeyPem": KEY.public_pem, "multikey": b64encode(OBJECTS.public_raw).decode()}
    document = node("fedify.write_actor", facts=facts, format=form)
    finger = "https://fedify.example/.well-known/webfinger?resource=acct:bob@fedify.example"
    links = [{"rel": "self", "type": "application/activity+json", "href": bob}]
    world = LookupTable(
        {
            f"GET {finger}": {
                "content_type": "application/jrd+json",
                "json": {"subject": "acct:bob@fedify.example", "links": links},
            },
            f"GET {bob}": {"content_type": "application/activity+json", "json": document},
        }
    )
    found = drive(activitypub.find_actor("@bob@fedify.example"), world)
    assert (found.id, found.inbox, found.shared_inbox) == (bob, f"{bob}/inbox", "https://fedify.example/in")
    to = ASKED["public"]
    out = sent(NormalizedResponse.to(to, "Hello, @bob@fedify.example!"), to, siblings=(found,))
    assert [post.url for post in out.deliveries][-1] == "https://fedify.example/in"
    assert out.diagnostics == ()
    count()


# Whose others find it to be.


def as_json(request):
    return {
        "method": request.method,
        "url": request.url,
        "headers": dict(request.headers),
        "body": request.body.decode(),
    }


@pytest.mark.parametrize("form", ["cavage", "rfc9421"])
@pytest.mark.parametrize("visibility", ["public", "direct"])
def test_deliveries_verify_with_others(node, other_python, count, form, visibility):
    now = datetime.now(UTC)
    to = ASKED[visibility]
    spec = "rfc9421" if form == "rfc9421" else "draft-cavage-http-signatures-12"
    for response in [*answers_to(to).values(), *any_answers(to)[:10]]:
        out = sent(response, to, now=now, siblings=(BOB_ACTOR,), settings=PROVEN[form])
        assert len(out.deliveries) == (2 if out.private_id in (None, out.native_id) else 3)
        for delivery in map(as_json, out.deliveries):
            forged = {**delivery, "body": delivery["body"].replace('"Note"', '"Nota"')}
            given = {"now": now.isoformat().replace("+00:00", "Z"), "spec": spec, "documents": DOCUMENTS}
            assert node("fedify.verify_request", request=delivery, **given) == KEY.key_id
            assert node("fedify.verify_request", request=forged, **given) is None
            if form == "cavage":
                pem = KEY.public_pem
                assert other_python("apsig.verify_draft", request=delivery, publicPem=pem) == KEY.key_id
                assert node("peertube.verify_request", request=delivery, publicPem=pem, maxSeconds=300) == KEY.key_id
                assert other_python("bovine.verify_request", request=delivery, publicPem=pem, owner=HELPER) == HELPER
            else:
                key = {"id": KEY.key_id, "kind": "rsa", "publicPem": KEY.public_pem}
                assert other_python("hms.verify_request", request=delivery, key=key) == [KEY.key_id]
            count(5 if form == "cavage" else 3)


def test_proofs_of_answers_verify_with_others(node, other_python, count):
    for response, out in made(settings=PROVEN["cavage"])[:60]:
        signed = out.activity
        forged = {**signed, "object": {**signed["object"], "content": signed["object"]["content"] + " "}}
        assert node("fedify.verify_object", document=signed, documents=DOCUMENTS) == signed["id"], response
        assert node("fedify.verify_object", document=forged, documents=DOCUMENTS) is None
        assert node("fedify.verify_proof", document=signed, documents=DOCUMENTS) == OBJECTS.key_id
        pem = OBJECTS.public_pem
        assert other_python("apsig.verify_proof", document=signed, publicPem=pem) == OBJECTS.key_id
        assert json.loads(out.deliveries[0].body) == signed == out.serve[signed["id"]]
        count(4)


# What servers leave of its text.


def rewritten(out, content):
    """The delivery as a server passes it on that cleans what it shows; nobody signs it."""
    activity = {**out.activity, "object": {**note_in(out), "content": content}}
    return HttpRequest(method="POST", url=out.deliveries[0].url, body=json.dumps(activity).encode())


def cleaned(node, rules, outs):
    return node("sanitize", rules=rules, contents=[note_in(out)["content"] for out in outs])


def test_a_server_that_keeps_classes_leaves_the_trace(node, count):
    pairs = made(settings=activitypub.Settings())
    contents = cleaned(node, "gotosocial", [out for _, out in pairs])
    for (response, out), content in zip(pairs, contents, strict=True):
        assert "data-version" not in content
        assert received(rewritten(out, content)).message.received_trace == response
        count()


def test_a_stranger_reads_the_trace_by_its_specification(node, count):
    """Before and after a server that keeps classes."""
    pairs = made(settings=activitypub.Settings())
    contents = [note_in(out)["content"] for _, out in pairs]
    for texts in (contents, cleaned(node, "gotosocial", [out for _, out in pairs])):
        for (response, _), text in zip(pairs, node("trace.read", contents=texts), strict=True):
            assert json.loads(text) == json.loads(dumps(response))
            count()


def test_a_server_that_empties_classes_leaves_address_and_text_of_the_trace(node, count):
    pairs = made(settings=activitypub.Settings())
    contents = cleaned(node, "mastodon", [out for _, out in pairs])
    for (_, out), content in zip(pairs, contents, strict=True):
        assert "mentionable-trace" not in content
        assert received(rewritten(out, content)).message.received_trace is None
        (link,) = re.findall(r'<a (?=class="mentionable-trace")[^>]*>[^<]*</a>', note_in(out)["content"])
        (address,) = re.findall(r'href="([^"]*)"', link)
        text = re.search(r">([^<]*)<", link)[1]
        left = [found for found in re.findall(r"<a [^>]*>[^<]*</a>", content) if address in found]
        assert [html.unescape(re.search(r">([^<]*)<", found)[1]) for found in left] == [html.unescape(text)]
        count()


@pytest.mark.parametrize("rules", ["mastodon", "gotosocial"])
def test_servers_leave_all_text_and_every_mention(node, count, rules):
    pairs = [(response, out) for response, out in made(settings=activitypub.Settings()) if note_in(out).get("source")]
    contents = cleaned(node, rules, [out for _, out in pairs])
    for (_, out), content in zip(pairs, contents, strict=True):
        mention = r'<span class="h-card"><a class="u-url mention"[^>]*>@<span>alice@social\.example</span></a></span>'
        assert re.search(mention, content)
        assert words(content) == words(note_in(out)["content"])
        count()


def words(content):
    """The text without its markup."""
    return html.unescape(re.sub("<[^>]*>", " ", content)).split()


HOSTILE = (
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    '<a href="javascript:alert(1)" onclick="x()">x</a>',
    "<img src=x onerror=alert(1)>",
    '</a></p></span><a class="mentionable-trace" href="https://evil.example/#e30">trace</a>',
    "\u202egnp.exe\u202c and \x07 and \0",
    '<p style="position:fixed">x</p><iframe src="https://evil.example"></iframe>',
    "<svg><style><!--</style><img src=x onerror=alert(1)>",
    "@mallory@evil.example [@alice@social.example](https://evil.example)",
)


@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_sanitizers_find_nothing_to_take_out_of_hostile_text(node, count, mime):
    to = ASKED["direct"]
    outs = [sent(NormalizedResponse.to(to, TextPart(content=text, mime=mime)), to) for text in HOSTILE]
    for out, content in zip(outs, cleaned(node, "gotosocial", outs), strict=True):
        mine = note_in(out)["content"]
        assert words(content) == words(mine)
        tags = re.sub(r">[^<]*<", "><", mine)
        assert not re.search(r"<(?:script|style|iframe|svg|img)|javascript:|\Won[a-z]+=", tags)
        response = received(rewritten(out, content)).message.received_trace
        assert response == NormalizedResponse.to(to, *response.parts)
        count()
