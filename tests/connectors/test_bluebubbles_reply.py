from base64 import b64encode
from hashlib import sha256

import pytest

from mentionable import (
    DigestRef,
    FilePart,
    InlineRef,
    NormalizedResponse,
    PushBackHint,
    Streaming,
    TextPart,
    UnanswerableError,
    UnknownPart,
    UrlRef,
    UsageError,
    replace,
)
from mentionable.connectors import bluebubbles
from mentionable.policy import ConsentRequired, Forbidden
from tests.connectors.bluebubbles_events import CHAT, GUID, SETTINGS, posted, received, settings, told

QUESTION = received(told()).message
FRAME = Streaming(stream_id="s", seq=0, final=False)


def answered(*parts, **facts):
    return bluebubbles.reply(NormalizedResponse.to(QUESTION, *parts), to=QUESTION, **facts)


def test_an_answer_is_a_text_for_the_chat():
    out = answered("Hello!", chat_guid=CHAT)
    (post,) = out.calls
    assert (out.thread, post.path, post.files) == (QUESTION.thread_id, "/api/v1/message/text", ())
    temporary = post.params["tempGuid"]
    assert post.params == {
        "chatGuid": CHAT,
        "method": "apple-script",
        "tempGuid": temporary,
        "message": "Hello!",
    }
    assert temporary.startswith("temp-")
    assert len(temporary) == 41
    assert "+1555" not in repr(post)


def test_without_the_chat_the_caller_adds_it():
    (post,) = answered("Hello!").calls
    assert "chatGuid" not in post.params


def test_the_same_answer_has_the_same_temporary_id():
    assert answered("Hello!") == answered("Hello!")
    assert answered("Hello!").calls[0].params["tempGuid"] != answered("x" * 9_000).calls[1].params["tempGuid"]


def test_an_answer_goes_into_the_chat_of_the_question_alone():
    moved = replace(NormalizedResponse.to(QUESTION, "Hello!"), push_back=PushBackHint(thread_ref="bluebubbles:x"))
    out = bluebubbles.reply(moved, to=QUESTION, private_api=True)
    assert out.thread == QUESTION.thread_id
    assert out.calls == answered("Hello!", private_api=True).calls
    assert [(note.code, note.at) for note in out.diagnostics] == [("part-changed", "/push_back/thread_ref")]
    same = replace(moved, push_back=PushBackHint(thread_ref=QUESTION.thread_id))
    assert bluebubbles.reply(same, to=QUESTION).diagnostics == ()


def test_a_long_answer_is_several_messages_and_never_a_flood():
    texts = [call.params["message"] for call in answered(TextPart(content="word " * 2_000)).calls]
    assert [len(text) for text in texts] == [4_000, 4_000, 2_000]
    first, second = answered("x" * 5_000, private_api=True).calls
    assert ("selectedMessageGuid" in first.params, "selectedMessageGuid" in second.params) == (True, False)
    demand = Forbidden(message="Not you", url="https://agents.example/why")
    out = answered("word " * 200_000, *[FilePart.of(b"x", mime="a/b")] * 3, demand)
    texts = [call.params.get("message") for call in out.calls]
    assert (len(texts), texts[25][:20]) == (28, "… The answer goes on")
    assert texts[26:] == ["Not you\nhttps://agents.example/why", None]
    assert [note.at for note in out.diagnostics] == ["/parts", "/parts"]
    assert len(answered(*[FilePart.of(b"x", mime="a/b")] * 40).calls) == 25


def test_what_a_peer_may_answer_raises_nothing():
    big = FilePart(mime="a/b", name="b", bytes_ref=InlineRef(data_base64=b64encode(bytes(100_000)).decode()))
    assert len(answered(big).calls[0].files[0].data) == 100_000
    huge = FilePart(mime="a/b", name="b", bytes_ref=DigestRef(digest="0" * 64))
    out = answered(huge)
    assert out.calls[0].params["message"] == "[b (a/b)]"
    assert [note.code for note in out.diagnostics] == ["part-changed"]
    frame = replace(NormalizedResponse.to(QUESTION, "So far", status="partial"), streaming=FRAME)
    assert len(bluebubbles.reply(replace(frame, parts=(*frame.parts, big)), to=QUESTION).calls) == 1


@pytest.mark.parametrize(
    "said", [None, {}, {"data": {}}, {"data": {"guid": 5}}, {"data": {"guid": "+15550100"}}, {"data": []}]
)
def test_what_names_no_message_has_no_native_id(said):
    assert bluebubbles.native_id(said, to=QUESTION) is None
    assert bluebubbles.native_id({"data": {"guid": GUID}}, to=QUESTION) == f"bluebubbles:{GUID}"
    assert bluebubbles.native_id({"data": {"guid": GUID}}, to=replace(QUESTION, thread_id="discord:5")) is None


def test_the_private_api_shows_what_is_answered():
    (post,) = answered("Hello!", private_api=True).calls
    assert (post.params["method"], post.params["selectedMessageGuid"]) == ("private-api", GUID)
    lost = replace(QUESTION, raw=None)
    (post,) = bluebubbles.reply(NormalizedResponse.to(lost, "Hi"), to=lost, private_api=True).calls
    assert "selectedMessageGuid" not in post.params


def test_files_go_by_themselves():
    data = b"x" * 70_000
    digest = sha256(data).hexdigest()
    big = FilePart(mime="image/png", name="b.png", bytes_ref=DigestRef(digest=digest))
    link = FilePart(mime="a/b", name="c", bytes_ref=UrlRef(url="https://a.example/c"))
    text, first, second = answered(
        "Here", FilePart.of(b"hi", mime="text/plain"), big, link, blobs={digest: data}, chat_guid=CHAT
    ).calls
    assert text.params["message"] == "Here\n\n[c (a/b)] <https://a.example/c>"
    assert (first.path, first.params["name"], first.files[0].data) == ("/api/v1/message/attachment", "file-2", b"hi")
    assert (second.params["name"], second.files[0].mime, second.params["chatGuid"]) == ("b.png", "image/png", CHAT)
    (only,) = answered(FilePart.of(b"hi", mime="text/plain")).calls
    assert only.files[0].name == "file-1"


def test_an_error_says_why_and_nothing_says_nothing_new():
    failed = NormalizedResponse.failed(QUESTION, "No rain.", code="x")
    assert bluebubbles.reply(failed, to=QUESTION).calls[0].params["message"] == "No rain."
    assert answered().calls == ()


def test_what_cannot_be_shown_is_noted():
    out = answered("Hi", UnknownPart(kind="video", extra={}))
    assert [(note.code, note.at) for note in out.diagnostics] == [("part-unsupported", "/parts/1")]


def test_a_policy_is_text():
    (post,) = answered(Forbidden(message="Not you", url="https://agents.example/why")).calls
    assert post.params["message"] == "Not you\nhttps://agents.example/why"
    out = answered(Forbidden(message="Not you", url="https://evil.example/why"))
    assert (out.calls[0].params["message"], out.diagnostics[0].code) == ("Not you", "url-refused")


# --- a demand reaches the person asked alone

PRIVATE = "iMessage;-;+15550199"
IN_GROUP = told(handle={"address": "+15550199", "service": "iMessage"}, chats=[{"guid": "iMessage;+;c1", "style": 43}])
GROUP = received(IN_GROUP, own=settings(groups=True)).message
CONSENT = ConsentRequired(message="May I?", state="A" * 43, return_to="https://agents.example/done")


def in_group(*parts, **facts):
    return bluebubbles.reply(NormalizedResponse.to(GROUP, *parts), to=GROUP, chat_guid="iMessage;+;c1", **facts)


def test_a_demand_in_a_group_goes_to_the_chat_with_the_asker():
    public, private = in_group("First:", CONSENT, direct_chat_guid=PRIVATE).calls
    assert (public.params["chatGuid"], public.params["message"]) == ("iMessage;+;c1", "First:")
    assert (private.params["chatGuid"], private.params["message"]) == (PRIVATE, "May I?")
    (only,) = in_group(CONSENT, direct_chat_guid=PRIVATE).calls
    assert only.params["chatGuid"] == PRIVATE


def test_a_demand_in_a_group_goes_nowhere_without_a_chat_with_the_asker():
    with pytest.raises(UnanswerableError) as raised:
        in_group("First:", CONSENT)
    assert raised.value.reason == "no-private-way"
    assert in_group("First:", Forbidden(message="No")).calls[0].params["message"] == "First:\n\nNo"


def test_a_demand_in_a_chat_of_two_is_part_of_the_answer():
    (post,) = answered("First:", CONSENT).calls
    assert post.params["message"] == "First:\n\nMay I?"


def test_a_chat_that_is_not_known_to_be_of_two_is_a_group():
    lost = replace(QUESTION, raw=None)
    with pytest.raises(UnanswerableError):
        bluebubbles.reply(NormalizedResponse.to(lost, CONSENT), to=lost)


def test_a_demand_stays_private_behind_a_flood():
    out = in_group("word " * 200_000, Forbidden(message="No"), CONSENT, direct_chat_guid=PRIVATE)
    texts = [(call.params["chatGuid"], call.params["message"]) for call in out.calls]
    assert texts[-2:] == [("iMessage;+;c1", "No"), (PRIVATE, "May I?")]
    assert not any("May I" in text for chat, text in texts if chat != PRIVATE)


@pytest.mark.parametrize(
    ("webhook", "chat"),
    [
        (told(), CHAT),
        (IN_GROUP, PRIVATE),
        (told(handle={"address": "a;b", "service": "iMessage"}, chats=[{"guid": "x;+;y"}]), None),
        (told(handle={"address": "a", "service": "fax"}, chats=[{"guid": "x;+;y"}]), None),
        (told(guid="x"), None),
    ],
)
def test_the_chat_with_the_sender_alone_is_named(webhook, chat):
    assert bluebubbles.direct_chat(posted(webhook), settings=SETTINGS) == chat
    assert bluebubbles.direct_chat(posted(webhook, "?secret=no"), settings=SETTINGS) is None


# --- presence


def test_typing_reading_and_reactions_are_calls_of_the_private_api():
    chat = {"to": QUESTION, "chat_guid": CHAT}
    calls = [one.calls[0] for one in (bluebubbles.typing(**chat), bluebubbles.mark_read(**chat))]
    assert [(call.method, call.path) for call in calls] == [
        ("POST", "/api/v1/chat/iMessage%3B-%3B%2B15550100/typing"),
        ("POST", "/api/v1/chat/iMessage%3B-%3B%2B15550100/read"),
    ]
    love, gone = (one.calls[0] for one in (bluebubbles.react("love", **chat), bluebubbles.unreact("love", **chat)))
    assert (love.path, love.params["reaction"], gone.params["reaction"]) == ("/api/v1/message/react", "love", "-love")
    assert (love.params["chatGuid"], love.params["selectedMessageGuid"]) == (CHAT, GUID)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"to": "x"}, "^to "),
        ({"to": replace(QUESTION, thread_id="discord:5")}, "^to "),
        ({"to": replace(QUESTION, raw=None)}, "keep raw"),
        ({"chat_guid": ""}, "chat_guid"),
        ({"reaction": "+1"}, "reaction is one of"),
    ],
)
def test_a_reaction_is_a_tapback_to_a_message(change, words):
    facts = {"reaction": "like", "to": QUESTION, "chat_guid": CHAT, **change}
    with pytest.raises(UsageError, match=words):
        bluebubbles.react(facts.pop("reaction"), **facts)


@pytest.mark.parametrize("guid", ["", 5, "x" * 321])
def test_a_chat_is_a_chat(guid):
    with pytest.raises(UsageError, match="direct_chat_guid"):
        answered("Hi", direct_chat_guid=guid)
    with pytest.raises(UsageError, match="chat_guid"):
        answered("Hi", chat_guid=guid)


def test_messages_of_other_platforms_are_answered_elsewhere():
    with pytest.raises(UsageError, match="connector of bluebubbles"):
        bluebubbles.reply(NormalizedResponse.to(QUESTION, "Hi"), to=replace(QUESTION, thread_id="discord:5"))
