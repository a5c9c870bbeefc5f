"""What people see of a message of iMessage is read, each word by who wrote it; own messages come as rows."""

import pytest

from mentionable import LinkPart, NormalizedResponse, UnanswerableError
from mentionable.connectors import bluebubbles
from mentionable.ingest import from_message
from tests.connectors.bluebubbles_events import FILES, GUID, SETTINGS, codes, posted, received, settings, told

OWN = settings(own_messages=True, groups=True, files=FILES)
GROUP = [{"guid": "iMessage;+;chat8675309", "style": 43, "displayName": " The\ncrew "}]


def parts(*, own=SETTINGS, **changes):
    return [(part.content, dict(part.extra)) for part in received(told(**changes), own=own).message.parts]


def test_what_is_typed_is_there_byte_for_byte():
    assert parts(text="\ufffcHi\r\nyou") == [("Hi\nyou", {"native_text": "Hi\r\nyou"})]
    assert parts(subject="Rain", text="a\r\nb") == [
        ("Rain", {"native_text": "Rain"}),
        ("a\nb", {"native_text": "a\r\nb"}),
    ]


@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("com.apple.MobileSMS.expressivesend.invisibleink", "invisibleink"),
        ("com.apple.messages.effect.CKConfettiEffect", "Confetti"),
    ],
)
def test_an_effect_has_a_name(style, name):
    assert parts(expressiveSendStyleId=style) == [("Hi", {"native_text": "Hi"}), (f"[effect: {name}]", {})]


@pytest.mark.parametrize("style", ["com.apple.x", 5, "com.apple.messages.effect.CKxEffect\n"])
def test_an_effect_without_a_name_is_named_by_a_diagnostic(style):
    got = received(told(expressiveSendStyleId=style))
    assert [(note.code, note.at) for note in got.diagnostics] in (
        [("part-unsupported", "/data/expressiveSendStyleId")],
        [],  # a blank at the end is none
    )


def test_a_voice_message_says_its_words():
    body = [{"string": "\ufffc", "runs": [{"attributes": {"IMAudioTranscription": "Will it\nrain?"}}, {}, 5]}, 5]
    assert parts(text="\ufffc", isAudioMessage=True, attributedBody=body) == [
        ("[voice message]\n[voice message] Will it rain?", {})
    ]


def test_numbers_behind_mentions_are_not_read():
    body = [{"string": "@Bob", "runs": [{"attributes": {"__kIMMentionConfirmedMention": "+15550199"}}]}]
    got = received(told(text="@Bob hi", attributedBody=body))
    assert "5550199" not in repr(got) + repr(got.message)


def test_the_preview_of_a_link_is_by_its_site():
    preview = {"url": "https://news.example/rain", "title": "Rain", "summary": "It will.", "siteName": "Me"}
    url_by = {"written_by": {"display_name": "news.example"}}
    got = received(told(text="https://news.example/rain", payloadData={"urlData": [preview]})).message
    assert [(part.content, part.extra) for part in got.parts] == [
        ("https://news.example/rain", {}),
        ("Me\nRain\nIt will.", url_by),
    ]
    got = received(told(text="look", payloadData=[{"urlData": [preview]}])).message
    assert got.parts[1] == LinkPart(url="https://news.example/rain", extra=url_by)
    assert parts(payloadData={"urlData": [{"title": "Rain", "url": "x"}]})[1:] == [
        ("Rain", {"written_by": {"display_name": "a linked page"}})
    ]


def test_what_an_app_shows_is_by_the_app():
    app = {"appName": "Chess", "ldtext": "Your move", "userInfo": {"caption": "Your move", "subcaption": "e4"}}
    assert parts(text="", balloonBundleId="x", payloadData={"appData": [app, {"ldtext": "x"}, {}]}) == [
        ("Your move\ne4", {"written_by": {"display_name": "Chess"}}),
        ("x", {"written_by": {"display_name": "an app"}}),
    ]
    assert received(told(text="", balloonBundleId="x", payloadData=5)).code == "part-unsupported"


def test_a_member_that_is_odd_costs_itself():
    got = received(told(subject=5))
    assert ([part.content for part in got.message.parts], codes(got)) == (["Hi"], ["wrong-type"])


def test_a_file_that_cannot_be_named_is_named_by_a_diagnostic():
    got = received(told(attachments=[{"guid": "a/b", "transferName": "a.pdf"}, {"guid": 5}]))
    assert [note.detail for note in got.diagnostics] == [
        "a file that cannot be named: a.pdf",
        "a file that cannot be named",
    ]


def test_the_name_of_a_group_is_in_raw():
    assert received(told(chats=GROUP), own=OWN).message.raw["group_name"] == "The crew"
    assert "group_name" not in received(told()).message.raw


# --- own messages


def own_message(**changes):
    return received(told(isFromMe=True, handle=None, **changes), own=OWN)


def test_an_own_message_is_no_message_unless_that_is_set():
    assert received(told(isFromMe=True)).code == "own-message"
    for odd in (None, 1, "true"):
        assert received(told(isFromMe=odd), own=OWN).code == "own-message"


def test_an_own_message_is_a_row_of_me():
    got = own_message()
    said = got.message
    assert (said.sender.address, said.sender.display_name, got.identities) == ("@me@home.bluebubbles.invalid", "Me", ())
    assert codes(got) == ["evidence-withheld"]
    row = from_message(said)
    assert (row.content, row.metadata.sender_display_name, row.metadata.is_from_me) == ("Hi", "Me", True)
    assert (row.metadata.extra["message_guid"], row.metadata.source) == (GUID, "bluebubbles")


def test_the_row_of_another_person_is_not_mine():
    metadata = from_message(received(told()).message).metadata
    assert (metadata.is_from_me, metadata.extra["message_guid"]) == (None, GUID)


def test_an_own_message_is_never_answered():
    said = own_message().message
    assert (bool(said.answerable), said.answerable.reason) == (False, "own-message")
    with pytest.raises(UnanswerableError, match="own-message"):
        bluebubbles.reply(NormalizedResponse.to(said, "Hi"), to=said)


def test_the_chat_of_an_own_message_is_known():
    request = posted(told(isFromMe=True, handle=None))
    assert list(bluebubbles.chats(request, settings=OWN).values()) == ["iMessage;-;+15550100"]
