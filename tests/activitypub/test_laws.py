"""Whatever comes in, a message or a refusal comes out, the same each time, and the work grows with the size."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mentionable import CODES, Failed, Fetched, HttpRequest, Received, Rejected, decode, decode_trusted, encode
from mentionable import NormalizedMessage as Message
from mentionable.activitypub._auth.signature import read_signatures
from tests.activitypub.servers import AS2, HELPER, NOTE, PUBLIC, World, actor, ancestor, create, fetched, note
from tests.linearity import steps_grow_linearly, time_grows_linearly

GOOD: dict[str, Any] = create(
    note(
        type="Question",
        name="Title",
        summary="<b>cw</b>",
        contentMap={"en": "<p>Hello</p>"},
        source={"content": "Hello", "mediaType": "text/x.bbcode"},
        mediaType="text/html",
        oneOf=[{"type": "Note", "name": "Sun", "replies": {"totalItems": 1}}],
        endTime="2026-11-22T08:15:30Z",
        votersCount=1,
        closed=False,
        sensitive=False,
        quote=f"{NOTE}/quoted",
        location={"type": "Place", "name": "Town hall", "address": {"addressLocality": "Springfield"}},
        image={"type": "Image", "url": "https://files.example/b.png", "name": "A cloud"},
        inReplyTo=ancestor(1)["id"],
        context="https://social.example/c/1",
        conversation="tag:social.example,2026:1",
        url=[{"type": "Link", "href": "https://social.example/@alice/2"}],
        attachment=[
            {"type": "Document", "mediaType": "image/png", "url": "https://files.example/a.png", "name": "a/b"}
        ],
        tag=[{"type": "Mention", "href": HELPER, "name": "@helper"}],
        cc=[PUBLIC],
        published="2026-11-20T08:15:30Z",
    ),
    **{"@context": [AS2, {"toot": "http://joinmastodon.org/ns#"}]},
    cc=[PUBLIC],
    bcc=[HELPER],
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(
        [NOTE, HELPER, PUBLIC, AS2, "Create", "Group", "javascript:x", "http://[::1]/", "https://a.example/é"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "type", "href", "url", "name", "content", "@context", "@graph", "mediaType", "address"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to every value inside `value`."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of `value` with `new` at `path`; `...` takes the member out."""
    if not path:
        return None if new is ... else new
    result = copy.deepcopy(value)
    holder = result
    for step in path[:-1]:
        holder = holder[step]
    if new is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = new
    return result


def outcome(world: World, unit: Any) -> Received | Rejected:
    got = world.receive(unit)
    assert isinstance(got, (Received, Rejected))
    if isinstance(got, Rejected):
        assert got.code in CODES
    else:
        for message in got.messages:
            written = json.loads(json.dumps(encode(message)))
            assert decode_trusted(Message, written) == message
            assert not decode(Message, written).sender.verified
        assert all(diagnostic.code in CODES for diagnostic in got.diagnostics)
    return got


def with_parent() -> World:
    return World(ancestor(1))


@given(st.binary(max_size=200))
def test_any_bytes_give_an_outcome(body: bytes) -> None:
    outcome(World(), body)


@settings(deadline=None)
@given(st.sampled_from(places(GOOD)), JSON | st.just(...))
def test_any_change_of_a_good_activity_gives_an_outcome(path: tuple[Any, ...], new: Any) -> None:
    outcome(with_parent(), changed(GOOD, path, new))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.binary(max_size=3))
def test_any_change_of_its_bytes_gives_an_outcome(place: int, new: bytes) -> None:
    body = json.dumps(GOOD).encode()
    place %= len(body)
    outcome(with_parent(), body[:place] + new + body[place + 1 :])


@settings(deadline=None)
@given(st.sampled_from(places(actor(icon={"url": "https://a.example/a.png"}, url=["https://a.example/"]))), JSON)
def test_any_actor_document_gives_an_outcome(path: tuple[Any, ...], new: Any) -> None:
    document = changed(actor(icon={"url": "https://a.example/a.png"}, url=["https://a.example/"]), path, new)
    outcome(World(answers={actor()["id"]: fetched(document, actor()["id"])}), create())


@settings(deadline=None)
@given(st.sampled_from(places(ancestor(1, inReplyTo=ancestor(2)["id"]))), JSON)
def test_any_ancestor_gives_a_message(path: tuple[Any, ...], new: Any) -> None:
    document = changed(ancestor(1, inReplyTo=ancestor(2)["id"]), path, new)
    world = World(answers={ancestor(1)["id"]: fetched(document, ancestor(1)["id"])})
    assert isinstance(outcome(world, GOOD), Received)


@given(
    st.builds(
        Fetched,
        url=st.sampled_from([actor()["id"], "https://evil.example/", "", "x"]),
        status=st.integers(),
        content_type=st.text(max_size=30) | st.just("application/activity+json"),
        body=st.binary(max_size=30),
    )
    | st.builds(Failed, st.text(max_size=5))
)
def test_any_answer_gives_an_outcome(answer: Fetched | Failed) -> None:
    outcome(World(answers={actor()["id"]: answer}), create())


def test_the_same_inputs_give_the_same_message() -> None:
    assert with_parent().receive(GOOD) == with_parent().receive(GOOD)


ESCAPED = "\\u0061"
HOSTILE = {
    "recipients": lambda size: create(to=[f"https://a.example/{number}" for number in range(min(size, 900))]),
    "recipients-objects": lambda size: create(cc=[{"x": 1, "id": HELPER}] * size),
    "mentions": lambda size: create(note(tag=[{"type": "Mention", "href": HELPER}] * min(size, 990))),
    "types": lambda size: create(note(type=["x"] * size + ["Note"])),
    "contexts": lambda size: create(**{"@context": [AS2, *[{"x": {"@context": {"y": "z"}}}] * size]}),
    "authors": lambda size: create(note(attributedTo=[actor()["id"]] * size)),
    "urls": lambda size: create(note(attachment={"url": ["x"] * size})),
    "media": lambda size: create(note(type="Image", url=["x"] * size)),
    "options": lambda size: create(note(type="Question", oneOf=[{"name": "a  b"}] * size)),
    "places": lambda size: create(note(type="Event", location=["a  b"] * size)),
    "quotes": lambda size: create(note(quote=["x"] * size, quoteUrl=[f"{NOTE}/{number}" for number in range(size)])),
    "quoted-texts": lambda size: create(note(quote="<p>a b " * size)),
    "votes": lambda size: create(note(type="Question", oneOf=[{"name": "a", "replies": {"totalItems": 1}}] * size)),
    "streams": lambda size: create(note(type="Video", url={"href": "x", "tag": [{"href": "y"}] * size})),
    "unknown-types": lambda size: create(note(type=["x"] * size)),
    "long-type": lambda size: create(note(type="Review" + "s/" * size)),
    "unknown-members": lambda size: create(note(type="Review", **{f"m{number}": 1 for number in range(size)})),
    "answers": lambda size: create(note(inReplyTo=["x"] * size)),
    "long-id": lambda size: create(id="https://social.example/" + "a" * size),
    "long-actor": lambda size: create(actor="https://" + "a." * size + "example/"),
    "long-content": lambda size: create(note(content="<p>\r\n" * size, summary="<b &amp;" * size, name="<i>" * size)),
    "long-file-name": lambda size: create(note(attachment={"url": "https://a.example/", "name": "/\n" * size})),
    "long-media-type": lambda size: create(note(attachment={"url": "https://a.example/", "mediaType": "a/" * size})),
    "secrets": lambda size: create(note(x=[{"identity_evidence": "x"}] * size)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_reading_is_linear(name: str) -> None:
    def read(activity: bytes) -> object:
        return World().receive(activity)

    def unit(size: int) -> bytes:
        return json.dumps(HOSTILE[name](size)).encode()

    steps_grow_linearly(read, unit, size=200)
    time_grows_linearly(read, unit, size=2_000, largest=16_000)


@pytest.mark.parametrize("text", ['a="', "a=b, ", ";profile=", " \t"])
def test_content_types_are_read_in_linear_time(text: str) -> None:
    body = json.dumps(create()).encode()

    def read(value: str) -> object:
        answer = fetched(actor(), content_type="application/ld+json;" + value)
        return World(answers={actor()["id"]: answer}).receive(body)

    time_grows_linearly(read, lambda size: text * size, size=2_000, largest=64_000)


@pytest.mark.parametrize("name", ["signature", "signature-input"])
@pytest.mark.parametrize("text", ['a="', "a=b,", "sig1=(", 'sig1=("a" ', "s=();a;", '("a"', '\\"', " \t", "a=:AA:,"])
def test_signatures_are_read_in_linear_time_and_not_at_all_beyond_a_size(name: str, text: str) -> None:
    def request(size: int) -> HttpRequest:
        value = "s=" * (name == "signature-input") + text * size
        headers = {name: value} if name == "signature" else {name: value, "signature": value}
        return HttpRequest(method="POST", url="https://agents.example/inbox", headers=headers)

    def read(sent: HttpRequest) -> object:
        return read_signatures(sent, {})

    steps_grow_linearly(read, request, size=100)
    time_grows_linearly(read, request, size=200, largest=200)
    (found,) = read_signatures(request(20_000), {}).http
    assert found.fault == ("signature-malformed", "longer than any honest signature")


def test_a_display_name_is_read_in_linear_time() -> None:
    def read(name: str) -> object:
        return World(actor(name=name)).receive(create())

    for text in ("@a.b ", "\n", "\u202e", "a@"):
        time_grows_linearly(read, lambda size, text=text: text * size, size=2_000, largest=64_000)  # type: ignore[misc]
