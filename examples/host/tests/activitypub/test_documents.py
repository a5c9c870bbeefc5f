import json

import httpx
import pytest
from fastapi import FastAPI
from mentionable import FilePart, activitypub, discovery
from mentionable.testing import Peer

from mentionable_host import Agent
from mentionable_host.store import blocks, publications
from mentionable_host.store.database import StoreUnavailable
from mentionable_host.transports.activitypub import ActivityPub, actions
from mentionable_host.transports.activitypub.pending import OF_AN_ORIGIN
from mentionable_host.transports.discovery import Discovery
from mentionable_host.transports.rest import Rest

from .conftest import ACTOR, ORIGIN, Fediverse

PRIVATE = "private, no-store"


def post(fediverse, text="Good morning.", **more):
    return fediverse.run(actions.post(fediverse.transport, text, **more))


def befriend(fediverse, peer):
    out = activitypub.follow(fediverse.helper, **fediverse.facts(peer))
    assert fediverse.post(out.deliveries[0]) == [202]


def test_the_actor_says_who_it_is(fediverse_with):
    fediverse = fediverse_with(
        own={"display_name": "Helper", "summary": "Knows the weather.", "discoverable": True, "follows": "ask"},
        activitypub={"indexable": True, "also_known_as": ["https://old.example/actors/helper"]},
    )

    document = json.loads(fediverse.get(ACTOR).content)

    assert (document["id"], document["type"], document["name"]) == (ACTOR, "Service", "Helper")
    assert document["endpoints"]["sharedInbox"] == f"{ORIGIN}/inbox"
    assert document["discoverable"]
    assert document["indexable"]
    assert document["manuallyApprovesFollowers"]
    assert document["alsoKnownAs"] == ["https://old.example/actors/helper"]
    assert document["publicKey"]["id"] == f"{ACTOR}#main-key"
    assert [key["id"] for key in document["assertionMethod"]] == [f"{ACTOR}#ed25519-key"]


def test_an_agent_is_not_listed_unless_it_says_so(fediverse):
    document = json.loads(fediverse.get(ACTOR).content)

    assert document["discoverable"] is document["indexable"] is document["manuallyApprovesFollowers"] is False


def test_what_is_public_may_be_cached_and_has_a_tag(fediverse):
    first = fediverse.get(ACTOR)
    tag = first.headers["etag"]

    assert first.headers["cache-control"] == "public, max-age=180"
    assert first.headers["content-type"] == "application/activity+json"
    again = fediverse.get(ACTOR, **{"if-none-match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert fediverse.get(ACTOR, **{"if-none-match": '"other"'}).status_code == 200


def test_head_gives_the_headers_alone(fediverse):
    async def head():
        async with fediverse.client() as client:
            return await client.head(ACTOR)

    response = fediverse.run(head())

    assert (response.status_code, response.content) == (200, b"")
    assert int(response.headers["content-length"]) == len(fediverse.get(ACTOR).content)


@pytest.mark.parametrize(
    "path",
    [
        *("/objects/nothing", "/activities/x", "/stamps/x", "/files/x", "/objects/%00", "/objects/a/b"),
        *("/actors/helper/liked", "/actors/helper/outbox?page=0", "/actors/helper/outbox?page=1", "/actors/other"),
        *("/actors/helper/outbox?page=x&page=y", "/actors/helper/outbox?page=%C2%B2", "/actors/helper/outbox?page="),
    ],
)
def test_what_is_not_there_is_not_found(fediverse, path):
    expected = 200 if path.endswith("page=") else 404
    assert fediverse.get(f"{ORIGIN}{path}").status_code == expected


def test_a_private_answer_is_for_its_reader_alone(fediverse, alice, bob):
    fediverse.post(alice.write("Will it rain?", to=ACTOR, now=fediverse.world.now()))
    fediverse.work()
    note = fediverse.sent("Create")[0][1]["object"]["id"]

    strangers = [fediverse.get(note), fediverse.get(note, by=bob), fediverse.get(f"{note}1", by=bob)]
    assert {one.status_code for one in strangers} == {404}
    assert {one.headers["cache-control"] for one in strangers} == {PRIVATE}
    hers = fediverse.get(note, by=alice)
    assert (hers.status_code, hers.headers["cache-control"]) == (200, PRIVATE)
    assert json.loads(hers.content)["id"] == note


def test_what_is_for_followers_they_alone_get(fediverse, alice, bob):
    befriend(fediverse, alice)
    note = post(fediverse, visibility="followers")

    assert fediverse.get(note, by=alice).status_code == 200
    assert fediverse.get(note, by=bob).status_code == 404
    assert fediverse.get(note).status_code == 404


def test_who_waits_to_be_accepted_is_no_follower_yet(fediverse_with):
    fediverse = fediverse_with(own={"follows": "ask"})
    alice = fediverse.person("alice")
    befriend(fediverse, alice)

    assert fediverse.get(post(fediverse, visibility="followers"), by=alice).status_code == 404


def test_whom_the_operator_blocks_gets_nothing_that_is_private(fediverse, alice):
    befriend(fediverse, alice)
    note, now = post(fediverse, visibility="followers"), fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, "social.example", now=now))

    assert fediverse.get(note, by=alice).status_code == 404


def test_many_readers_of_one_origin_are_refused_for_now(fediverse, alice):
    fediverse.transport._documents._pending._counts["social.example"] = OF_AN_ORIGIN

    assert fediverse.get(f"{ORIGIN}/objects/x", by=alice).status_code == 429


def test_with_authorized_fetch_all_must_sign_but_for_the_actor(fediverse_with):
    fediverse = fediverse_with(activitypub={"authorized_fetch": True})
    alice, bob = fediverse.person("alice"), fediverse.person("bob", "other.example")
    note, now = post(fediverse), fediverse.world.now()
    fediverse.write(lambda db: blocks.add(db, "@bob@other.example", now=now))

    assert fediverse.get(ACTOR).status_code == 200
    assert [fediverse.get(note).status_code, fediverse.get(f"{ACTOR}/outbox").status_code] == [401, 401]
    assert fediverse.get(note, by=bob).status_code == 401
    hers = fediverse.get(note, by=alice)
    assert (hers.status_code, hers.headers["cache-control"]) == (200, PRIVATE)


def test_the_outbox_has_pages_of_what_is_public(fediverse, monkeypatch):
    monkeypatch.setattr(publications, "PAGE_SIZE", 2)
    notes = [post(fediverse, f"Note {number}") for number in range(5)]
    post(fediverse, visibility="followers")
    outbox = json.loads(fediverse.get(f"{ACTOR}/outbox").content)
    assert outbox["totalItems"] == 5

    pages, url = [], outbox["first"]
    while url:
        page = json.loads(fediverse.get(url).content)
        pages.append(page)
        url = page.get("next")
    items = [item for page in pages for item in page["orderedItems"]]
    assert items == [f"{note}/activity" for note in reversed(notes)]
    assert [page.get("prev") for page in pages] == [None, pages[0]["id"], pages[1]["id"]]
    assert json.loads(fediverse.get(items[0]).content)["type"] == "Create"


def test_who_follows_is_a_count_alone(fediverse, alice):
    befriend(fediverse, alice)

    assert json.loads(fediverse.get(f"{ACTOR}/followers").content)["totalItems"] == 1
    assert "alice" not in fediverse.get(f"{ACTOR}/followers").text


def test_a_file_of_an_answer_is_served_until_no_note_has_it(fediverse_with):
    agent = Agent()

    @agent.on_message
    async def answer(message, context):
        return context.reply_to("Here.", FilePart.of(b"hour,mm\n16,3\n", mime="text/csv", name="rain.csv"))

    fediverse = fediverse_with(agent)
    alice = fediverse.person("alice")
    for text in ("One", "Two"):
        fediverse.post(alice.write(text, to=ACTOR, now=fediverse.world.now()))
    fediverse.work()
    (url,) = [row["url"] for row in fediverse.rows("documents") if "/files/" in row["url"]]
    file = fediverse.get(url)
    assert (file.status_code, file.content) == (200, b"hour,mm\n16,3\n")
    assert file.headers["x-content-type-options"] == "nosniff"

    one, two = [row["native_id"] for row in fediverse.rows("publications") if row["kind"] == "answer"]
    fediverse.run(actions.withdraw(fediverse.transport, one))
    assert fediverse.get(url).status_code == 200
    fediverse.run(actions.withdraw(fediverse.transport, two))
    assert fediverse.get(url).status_code == 404


def test_own_documents_come_from_the_store(fediverse):
    note = post(fediverse, visibility="followers")

    async def own(url):
        found = await fediverse.transport.own_document(url)
        return found and found.status

    urls = [ACTOR, note, f"{ORIGIN}/objects/x", f"{ORIGIN}/other", "https://social.example/objects/x"]
    assert [fediverse.run(own(url)) for url in urls] == [200, 200, 404, None, None]
    fediverse.run(actions.withdraw(fediverse.transport, note))
    assert fediverse.run(own(note)) == 410


def test_a_store_that_is_away_is_said(fediverse, monkeypatch):
    async def away(work):
        raise StoreUnavailable("the server is away")

    monkeypatch.setattr(fediverse.host.database, "read", away)
    alice = Peer.activitypub("@alice@social.example")

    assert fediverse.get(ACTOR).status_code == 503
    assert fediverse.post(alice.write("Hello", to=ACTOR, now=fediverse.world.now())) == [503]


def test_webfinger_leads_to_the_actor(fediverse):
    url = f"{ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example"
    found = json.loads(fediverse.get(url).content)

    assert found["subject"] == "acct:helper@agents.example"
    assert ACTOR in [link.get("href") for link in found["links"]]
    assert fediverse.get(f"{ORIGIN}/.well-known/webfinger?resource=acct:x@agents.example").status_code == 404
    assert fediverse.get(f"{ORIGIN}/.well-known/webfinger").status_code == 400


def test_nodeinfo_says_which_software_it_is(fediverse):
    post(fediverse)
    index = json.loads(fediverse.get(f"{ORIGIN}/.well-known/nodeinfo").content)
    found = json.loads(fediverse.get(index["links"][0]["href"]).content)

    assert found["software"]["name"] == "mentionable-host"
    assert found["usage"]["users"]["total"] == 1
    assert found["usage"]["localPosts"] == 1


def test_an_agent_that_cannot_be_called_has_no_card(fediverse):
    assert fediverse.get(f"{ORIGIN}/.well-known/agent-card/helper").status_code == 404


def test_the_card_has_a_section_of_each_transport(make_host, world):
    class Called(ActivityPub):
        def describe(self):
            auth = discovery.A2AAuth(scheme="none")
            section = discovery.A2ASection(endpoint=f"{ORIGIN}/a2a/helper", transport="https+jsonrpc", auth=auth)
            return {**super().describe(), "a2a": section}

    class Email(Rest):
        name = "email"

        def routes(self):
            return ()

    fediverse = Fediverse(make_host(Called, Email, Discovery), world)
    card = json.loads(fediverse.get(f"{ORIGIN}/.well-known/agent-card/helper").content)
    assert (card["a2a"]["endpoint"], card["activitypub"]["actor"]) == (f"{ORIGIN}/a2a/helper", ACTOR)
    finger = fediverse.get(f"{ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example").text
    assert "agent-card/helper" in finger
    assert "mailto:helper@agents.example" in finger
    assert {"a2a", "activitypub", "email"} <= set(card["mentionable"]["supported_inbound"])
    assert ACTOR in finger


BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_a_person_with_a_browser_sees_a_page_of_what_is_public(fediverse):
    note = post(fediverse, "Rain at **four**. <script>alert(1)</script>")
    post(fediverse, "For followers.", visibility="followers")

    for url in (ACTOR, note):
        found = fediverse.get(url, **BROWSER)
        assert found.headers["content-type"] == "text/html; charset=utf-8"
        assert found.headers["vary"] == "accept"
        assert found.headers["content-security-policy"].startswith("default-src 'none'; style-src 'sha256-")
        assert "<strong>four</strong>" in found.text
        assert "@helper@agents.example" in found.text
        assert "noindex" in found.text
        assert "<script" not in found.text
        assert "For followers." not in found.text
    assert fediverse.get(f"{note}/activity", **BROWSER).headers["content-type"] == "application/activity+json"


def test_who_opens_the_address_of_the_server_is_led_to_that_page(fediverse, fediverse_with):
    async def opened(host):
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=host.app()), base_url=ORIGIN) as client:
            return await client.get("/")

    led = fediverse.run(opened(fediverse.host))
    signed_only = fediverse_with(activitypub={"authorized_fetch": True})

    assert (led.status_code, led.headers["location"]) == (307, "/actors/helper")
    assert signed_only.run(opened(signed_only.host)).status_code == 404


def test_there_is_no_page_of_what_is_private(fediverse, alice):
    note = post(fediverse, "For followers.", visibility="followers")

    assert fediverse.get(note, **BROWSER).status_code == 404


def test_with_authorized_fetch_there_is_no_page(fediverse_with):
    fediverse = fediverse_with(activitypub={"authorized_fetch": True})
    note = post(fediverse)

    assert fediverse.get(note, **BROWSER).status_code == 401
    assert fediverse.get(ACTOR, **BROWSER).headers["content-type"] == "application/activity+json"


def test_the_routes_go_into_a_program_with_fastapi(fediverse, alice):
    app = FastAPI(lifespan=fediverse.host.running)
    app.router.routes.extend(fediverse.host.routes())

    async def ask():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            request = alice.write("Hello", to=ACTOR, now=fediverse.world.now())
            sent = await client.post(request.url, headers=dict(request.headers), content=request.body)
            return sent.status_code, (await client.get(ACTOR)).status_code

    assert fediverse.run(ask()) == (202, 200)


def test_nodeinfo_leaves_the_count_out_where_the_store_is_away(fediverse, monkeypatch):
    async def away(work):
        raise StoreUnavailable("the server is away")

    monkeypatch.setattr(fediverse.host.database, "read", away)

    assert "localPosts" not in json.loads(fediverse.get(f"{ORIGIN}/nodeinfo/2.1").content)["usage"]


def test_webfinger_has_a_tag_and_may_be_cached(fediverse):
    url = f"{ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example"
    first = fediverse.get(url)

    assert "max-age" in first.headers["cache-control"]
    assert fediverse.get(url, **{"if-none-match": first.headers["etag"]}).status_code == 304


def test_without_the_fediverse_there_is_no_webfinger(make_host, world):
    fediverse = Fediverse(make_host(Rest, Discovery), world, name="rest")

    assert fediverse.get(f"{ORIGIN}/.well-known/webfinger?resource=acct:helper@agents.example").status_code == 404


def test_the_agent_is_found_without_the_network_by_itself(fediverse):
    actor = fediverse.run(actions.find_actor(fediverse.transport, "@helper@agents.example"))
    assert actor.id == ACTOR

    with pytest.raises(actions.ActorNotFound):
        fediverse.run(actions.find_actor(fediverse.transport, "@other@agents.example"))


@pytest.mark.parametrize("origin", ["http://127.0.0.1:8000", "https://127.0.0.1:8443"])
def test_an_agent_that_others_cannot_reach_is_not_on_the_fediverse(fediverse_with, origin):
    fediverse = fediverse_with(server={"origin": origin})
    webfinger = f"{origin}/.well-known/webfinger?resource=acct:helper@agents.example"

    async def statuses():
        async with fediverse.client() as client:
            return [(await client.get(path)).status_code for path in ("/actors/helper", webfinger)]

    assert fediverse.run(statuses()) == [404, 404]
    assert fediverse.run(fediverse.transport.own_document(f"{origin}/actors/helper")) is None


def test_documents_of_others_are_told_apart_before_anything_is_made(fediverse, monkeypatch):
    found = Discovery(fediverse.host)
    monkeypatch.setattr(found, "descriptor", lambda: pytest.fail("it would be made for each delivery"))

    assert fediverse.run(found.own_document("https://social.example/users/alice")) is None
