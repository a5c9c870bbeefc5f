"""Material of others: every input of the fediverse pasture, and the fixtures of three libraries.

What may be rejected is named, at most one in twenty. Of everything else the text, the thread and the number of
attachments must be right, told by a reading of its own: plain look-ups, and the standard library for HTML.
"""

import ast
import json
import os
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mentionable import FilePart, Limits, LinkPart, Received, Rejected, TextPart, UrlRef
from mentionable.activitypub._read.documents import Actor, read_actor
from mentionable.activitypub._read.json_ld import OBJECTS
from tests.activitypub.servers import AS2, HELPER, PUBLIC, World, actor, fetched

CORPORA = Path(__file__).parents[2] / ".cache" / "corpora"
ACTOR = "https://pasture-one-actor.example/actor"
REMOTE = "https://remote.example/"
CONTEXT = [AS2, {"Hashtag": "as:Hashtag", "sensitive": "as:sensitive"}]

ALLOWED = {
    "attributed_to-2": "author-mismatch",  # two authors
    "context-4": "json-ld-refused",  # no context at all
    "context-5": "json-ld-refused",  # a context that is not that of ActivityStreams
    "necessary_properties-1": "missing-member",  # no id
    "necessary_properties-null": "missing-member",  # no type
    "object_types-2": "unsupported-object",  # Document
    "object_types-7": "unsupported-object",  # Place
    "object_types-8": "unsupported-object",  # Profile
    "object_types-9": "unsupported-object",  # Relationship
    "object_types-10": "unsupported-object",  # Tombstone
    "object_types-null": "missing-member",  # no type
}
"""Inputs of the pasture that may be rejected, and why."""


NO_MEDIA = ("torrent", "metadata", "sha256")
"""Words in the links of a video that are no media."""


class Words(HTMLParser):
    """The words of HTML by the standard library, which is slow and right on such small texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        if self.lasttag != "script":
            self.found += data.split()


def letters(text: str) -> str:
    """Without what a plain rendering adds: marks of lists, quotes and strokes, and where links lead."""
    words = [word for word in text.split() if word not in ("-", "1.", ">") and "://" not in word]
    return "".join(words).replace("~", "")


def first_text(document: dict[str, Any], member: str) -> str | None:
    value = document.get(member)
    if value is None:
        value = next(iter((document.get(f"{member}Map") or {}).values()), None)
    return value


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def web_url(attachment: Any) -> str | None:
    if not isinstance(attachment, dict):
        return str(attachment) if str(attachment).startswith("http") else None
    targets = listed(attachment.get("url")) + listed(attachment.get("href"))
    urls = [str(target.get("href") if isinstance(target, dict) else target) for target in targets]
    return next((url for url in urls if url.startswith("http")), None)


def expected_thread(activity: dict[str, Any]) -> str:
    """By the letter of the specification, where nothing above can be fetched."""
    document = activity["object"]
    named = document.get("context") or document.get("conversation")
    if isinstance(named, str):
        return named
    for above in listed(document.get("inReplyTo")):
        iri = above.get("id") or above.get("href") if isinstance(above, dict) else above
        if iri:
            return str(iri)
    return str(activity["id"])


def check(activity: dict[str, Any], got: Received) -> None:
    """The message says what the activity says."""
    document, message = activity["object"], got.message
    assert message.thread_id == expected_thread(activity)
    texts = [part for part in message.parts if isinstance(part, TextPart)]
    source = document.get("source")
    body = first_text(document, "content")
    if isinstance(source, dict) and source.get("mediaType") in ("text/markdown", "text/plain"):
        body = source["content"] or body
    if body and body.strip():
        assert body.replace("\r\n", "\n") in [part.content for part in texts]
    for member in ("name", "summary"):
        words = "".join(Words(first_text(document, member) or "").found)
        if words:
            assert any(words in letters(part.content) for part in texts if part.mime == "text/plain")
    places = [where(part) for part in message.parts if isinstance(part, (FilePart, LinkPart))]
    attachments = [url for url in map(web_url, listed(document.get("attachment"))) if url]
    media = [url for url in map(web_url, media_of(document)) if url]
    quotes = [url for url in dict.fromkeys(quoted(document)) if url.startswith("http")]
    pictures = {web_url(entry) for member in ("image", "icon") for entry in listed(document.get(member))}
    assert sorted(places) == sorted([*attachments, *media, *quotes, *pictures.difference(attachments, media)])


def where(part: FilePart | LinkPart) -> str:
    if isinstance(part, LinkPart):
        return part.url
    assert isinstance(part.bytes_ref, UrlRef)
    return part.bytes_ref.url


def media_of(document: dict[str, Any]) -> list[Any]:
    """The links of a video to its page and its files, by a list of what is neither."""
    if document["type"] not in ("Audio", "Video", "Image"):
        return []
    links = listed(document.get("url"))
    links += [inner for link in links if isinstance(link, dict) for inner in listed(link.get("tag"))]
    return [link for link in links if not any(word in json.dumps(facts(link)) for word in NO_MEDIA)]


def facts(link: Any) -> Any:
    """A link without those in its tags."""
    return {**link, "tag": None} if isinstance(link, dict) else link


def quoted(document: dict[str, Any]) -> Iterator[str]:
    yield from (
        document[member] for member in ("quote", "quoteUrl", "quoteUri", "_misskey_quote") if member in document
    )
    for tag in listed(document.get("tag")):
        if tag.get("type") == "Link" and "activity" in tag.get("mediaType", ""):
            yield tag["href"]


def material_is_there(there: bool, what: str) -> bool:
    """In CI everything must be there: a skipped test would say nothing."""
    assert there or os.environ.get("CI") != "true", f"{what} is not installed: run python tests/setup_corpora.py"
    return there


def pasture() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every input as a Create, as the pasture itself sends it, with ids that stay the same."""
    if not material_is_there(find_spec("fediverse_pasture_inputs") is not None, "fediverse-pasture-inputs"):
        return
    from fediverse_pasture_inputs import available

    for name, entry in sorted(available.items()):
        for number, example in enumerate(entry.examples):
            to = [PUBLIC, REMOTE]
            base = {"type": "Note", "attributedTo": "http://pasture-one-actor/actor", "to": to}
            document = {**base, "id": f"{ACTOR}/object/{name}-{number}", "published": "2026-11-20T08:15:30Z", **example}
            document["to"] = [*dict.fromkeys([*document["to"], REMOTE])]
            activity = {
                "@context": document.get("@context", CONTEXT) if "@context" in document else CONTEXT,
                "type": "Create",
                "actor": "http://pasture-one-actor/actor",
                "to": document["to"],
                "id": f"{ACTOR}/activity/{name}-{number}",
                "object": {key: member for key, member in document.items() if key != "@context"},
            }
            text = json.dumps(activity).replace("http://pasture-one-actor/", "https://pasture-one-actor.example/")
            # its number differs from version to version
            label = "null" if example.get("type", "") is None else number
            yield f"{name}-{label}", json.loads(text)


PASTURE = list(pasture())


@pytest.mark.parametrize(("name", "activity"), PASTURE, ids=[name for name, _ in PASTURE])
def test_each_input_of_the_pasture(name: str, activity: dict[str, Any]) -> None:
    world = World(actor(ACTOR))
    world.agents[REMOTE] = "@helper@agents.example"
    got = world.receive(activity)
    if isinstance(got, Rejected):
        assert ALLOWED.get(name) == got.code
    else:
        assert name not in ALLOWED
        check(activity, got)


def test_the_whole_pasture_was_there_and_few_were_rejected() -> None:
    assert not PASTURE or len(PASTURE) >= 262
    assert len(ALLOWED) <= max(len(PASTURE), 262) * 0.05
    assert not PASTURE or ALLOWED.keys() <= {name for name, _ in PASTURE}


def objects() -> Iterator[tuple[str, dict[str, Any]]]:
    """Notes and the like of other libraries' fixtures, each as a Create of an actor of its own origin."""
    if not material_is_there(CORPORA.is_dir(), "the corpora"):
        return
    documents = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(CORPORA.glob("*/*.json"))}
    for path in sorted(CORPORA.glob("federation/*.py")):
        for line in ast.parse(path.read_text("utf-8")).body:
            if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                documents[line.targets[0].id] = ast.literal_eval(line.value)
    for name, document in documents.items():
        inner = document.get("object") if document.get("type") in ("Create", "Update") else document
        kinds = listed(inner.get("type")) if isinstance(inner, dict) else []
        if kinds and kinds[0] in OBJECTS:
            yield name, as_create(inner)


def as_create(document: dict[str, Any]) -> dict[str, Any]:
    """A Create of `document`, with an id and an author of one origin where its own are others."""
    own = document.get("id") or ""
    if not own.startswith("https://"):
        own = "https://granary.example/objects/1"
    author = f"https://{own.split('/')[2]}/users/alice"
    document = {**document, "id": own, "type": listed(document["type"])[0], "attributedTo": author}
    return {"@context": AS2, "id": f"{own}#create", "type": "Create", "actor": author, "to": HELPER, "object": document}


OBJECT_SAMPLES = list(objects())


@pytest.mark.parametrize(("name", "activity"), OBJECT_SAMPLES, ids=[name for name, _ in OBJECT_SAMPLES])
def test_each_object_of_other_libraries(name: str, activity: dict[str, Any]) -> None:
    activity["object"].pop("@context", None)
    got = World(actor(activity["actor"])).receive(activity)
    assert isinstance(got, Received), (name, got)
    check(activity, got)


def creates() -> Iterator[tuple[str, dict[str, Any]]]:
    """Whole activities as real servers sent them."""
    for path in sorted(CORPORA.glob("apmodel/*_activity.json")):
        yield path.stem, json.loads(path.read_text("utf-8"))
    for path in sorted(CORPORA.glob("federation/*.py")):
        for line in ast.parse(path.read_text("utf-8")).body:
            if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
                activity = ast.literal_eval(line.value)
                if activity.get("type") == "Create":
                    yield line.targets[0].id, activity


CREATES = list(creates())


@pytest.mark.parametrize(("name", "activity"), CREATES, ids=[name for name, _ in CREATES])
def test_each_real_create_as_it_was_sent(name: str, activity: dict[str, Any]) -> None:
    body = json.dumps(activity).encode()
    got = World(actor(activity["actor"])).receive(body, recipient="@helper@agents.example")
    assert isinstance(got, Received), (name, got)
    check(activity, got)
    assert got.verdict.code == "unsigned"


def actors() -> Iterator[tuple[str, dict[str, Any]]]:
    """Actor documents of real servers."""
    for path in sorted(CORPORA.glob("apmodel/*_actor.json")):
        yield path.stem, json.loads(path.read_text("utf-8"))


ACTORS = list(actors())


@pytest.mark.parametrize(("name", "document"), ACTORS, ids=[name for name, _ in ACTORS])
def test_each_real_actor_document(name: str, document: dict[str, Any]) -> None:
    found = read_actor(fetched(document), document["id"], limits=Limits())
    assert isinstance(found, Actor), (name, found)
    assert found.sender.address == f"@{document['preferredUsername']}@{document['id'].split('/')[2]}"
    assert found.sender.profile is not None
    assert (found.sender.profile.url, found.diagnostics) == (document["url"], ())
    assert (found.sender.profile.avatar is not None) == bool(document.get("icon"))


def test_the_corpora_were_there() -> None:
    assert len(OBJECT_SAMPLES) >= 25 or not CORPORA.is_dir()
    assert len(CREATES) >= 5 or not CORPORA.is_dir()
    assert len(ACTORS) >= 4 or not CORPORA.is_dir()
