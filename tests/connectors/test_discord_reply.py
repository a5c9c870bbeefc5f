from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import (
    ArtifactPart,
    CallError,
    DigestRef,
    FilePart,
    InlineRef,
    LinkPart,
    NormalizedResponse,
    PushBackHint,
    Settings,
    Streaming,
    TextPart,
    ToolCallPart,
    UnanswerableError,
    UnknownPart,
    UrlRef,
    UsageError,
    WireError,
    replace,
)
from mentionable.connectors import Choice, discord
from mentionable.policy import ConsentRequired, Forbidden
from tests.connectors.discord_events import ALICE, EVENT, OTHER, direct, interaction, message, received

TOKEN = "aW50ZXJhY3Rpb246MTMx"
QUESTION = received(message()).message
COMMAND = received(interaction()).message


def answered(*parts, to=QUESTION, **facts):
    return discord.reply(NormalizedResponse.to(to, *parts), to=to, **facts)


def texts(*parts, **facts):
    return [post.params.get("content") for post in answered(*parts, **facts).calls]


def test_an_answer_is_a_message_in_the_channel_that_names_the_question():
    (post,) = answered("**Hello!**").calls
    assert (post.method, post.path, post.as_bot, post.files) == ("POST", "/channels/500/messages", True, ())
    assert post.params == {
        "content": "**Hello!**",
        "allowed_mentions": {"parse": []},
        "flags": 4,
        "message_reference": {"message_id": EVENT, "fail_if_not_exists": False},
    }


def test_a_command_is_answered_in_the_channel_without_naming_it():
    (post,) = answered("Hi", to=COMMAND).calls
    assert "message_reference" not in post.params


def test_a_deferred_command_is_filled_in():
    first, second = answered("a" * 1900 + "\n\n" + "b" * 1900, to=COMMAND, interaction_token=TOKEN).calls
    assert (first.method, first.path) == ("PATCH", f"/webhooks/700/{TOKEN}/messages/@original")
    assert (second.method, second.path) == ("POST", f"/webhooks/700/{TOKEN}")
    assert not first.as_bot
    assert TOKEN not in repr(first)
    assert len({first, second}) == 2


def test_nothing_to_say_takes_the_deferred_response_away():
    (post,) = answered(to=COMMAND, interaction_token=TOKEN).calls
    assert (post.method, post.path) == ("DELETE", f"/webhooks/700/{TOKEN}/messages/@original")
    assert answered().calls == ()


def test_nobody_is_pinged_whatever_the_text_says():
    (post,) = answered("@everyone <@43> <@&1>").calls
    assert post.params["allowed_mentions"] == {"parse": []}


def test_a_sibling_is_mentioned_where_its_address_stands():
    siblings = {"@Bob@agents.example": "43", "@eve@agents.example": "44"}
    text = "Ask @bob@agents.example. Not `@bob@agents.example`, nor @carol@agents.example or @eve@agents.examples"
    (post,) = answered(text, siblings=siblings).calls
    assert post.params["content"] == (
        "Ask <@43>. Not `@bob@agents.example`, nor @carol@agents.example or @eve@agents.examples"
    )
    assert post.params["allowed_mentions"] == {"parse": [], "users": ["43"]}


def test_a_sibling_is_allowed_only_where_it_stands():
    first, second = answered("a" * 1990 + "\n\n@bob@agents.example", siblings={"@bob@agents.example": "43"}).calls
    assert first.params["allowed_mentions"] == {"parse": []}
    assert second.params["allowed_mentions"] == {"parse": [], "users": ["43"]}


@pytest.mark.parametrize("siblings", [["@a@b.example"], {"bob": "1"}, {"@a@b.example": "x"}, {5: "1"}])
def test_siblings_are_a_table(siblings):
    with pytest.raises(UsageError, match="siblings"):
        answered("Hi", siblings=siblings)
    with pytest.raises(UsageError, match="at most"):
        answered("Hi", siblings={f"@a{number}@b.example": "1" for number in range(51)})


def test_each_part_is_shown():
    call = ToolCallPart(id="c", name="web_search", args={"q": "rain"}, result=[1])
    failed = ToolCallPart(id="d", name="f", args={}, error=CallError(message="no"))
    assert texts(
        TextPart(content="1 * 2 * 3"),
        TextPart(content="<p>a <b>b</b></p>", mime="text/html"),
        TextPart(content="\n*c*\n", mime="text/markdown"),
        LinkPart(url="https://a.example/(x)", title="A [title]", description="more\nwords_"),
        LinkPart(url="https://a.example/"),
        FilePart(mime="a/b", name="f.pdf", bytes_ref=UrlRef(url="https://a.example/f")),
        ArtifactPart(mime="a/b", bytes_ref=UrlRef(url="https://a.example/g")),
        call,
        failed,
    ) == [
        "1 \\* 2 \\* 3\n\na **b**\n\n*c*\n\n[A \\[title\\]](<https://a.example/(x)>)\nmore words\\_\n\n<https://a.example/>\n\n"
        "[f.pdf](<https://a.example/f>)\n\n<https://a.example/g>\n\n"
        '🔧 web\\_search({"q":"rain"}) → \\[1\\]\n\n🔧 f({}) → ❌ no'
    ]


def test_what_cannot_be_shown_is_noted():
    out = answered(UnknownPart(kind="video", extra={}), "Hi")
    assert [note.code for note in out.diagnostics] == ["part-unsupported"]
    assert out.calls[0].params["content"] == "Hi"


def test_an_error_says_why():
    response = NormalizedResponse.failed(QUESTION, "No *rain*.", code="x")
    assert discord.reply(response, to=QUESTION).calls[0].params["content"] == r"No \*rain\*."


def test_files_go_along():
    data = b"x" * 70_000
    digest = sha256(data).hexdigest()
    big = FilePart(mime="image/png", name="a/b.png", bytes_ref=DigestRef(digest=digest))
    small = FilePart.of(b"hi", mime="text/plain")
    (post,) = answered("Here", small, big, blobs={digest: data}).calls
    assert post.params["content"] == "Here"
    assert post.params["attachments"] == [{"id": 0, "filename": "file-1"}, {"id": 1, "filename": "b.png"}]
    assert [(one.name, one.mime, len(one.data)) for one in post.files] == [
        ("file-1", "text/plain", 2),
        ("b.png", "image/png", 70_000),
    ]
    out = answered(big)
    assert out.calls[0].params["content"] == r"\[b.png (image/png)\]"
    assert [note.code for note in out.diagnostics] == ["part-changed"]
    with pytest.raises(UsageError, match="blobs"):
        answered(big, blobs={digest: b"other"})
    inline = FilePart(mime="a/b", bytes_ref=InlineRef(data_base64=b64encode(data).decode()))
    assert len(answered(inline).calls[0].files[0].data) == 70_000


def test_a_file_alone_needs_no_text():
    (post,) = answered(FilePart.of(b"hi", mime="text/plain")).calls
    assert "content" not in post.params
    assert "message_reference" in post.params


def test_a_policy_comes_behind_as_many_messages_as_there_may_be():
    out = answered("\n\n".join(["a" * 1960] * 25), REFUSAL)
    assert len(out.calls) == 26
    assert not any("too long to be shown" in call.params["content"] for call in out.calls)
    assert out.diagnostics == ()


def test_ten_files_go_along_with_one_message():
    posts = answered("a" * 2500, *[FilePart.of(b"x", mime="a/b")] * 12).calls
    assert [(len(post.params.get("content", "")), len(post.files)) for post in posts] == [(1962, 0), (538, 10), (0, 2)]


def test_a_file_may_be_too_large():
    data = bytes(10_485_761)
    digest = sha256(data).hexdigest()
    out = answered(FilePart(mime="a/b", bytes_ref=DigestRef(digest=digest)), blobs={digest: data})
    assert out.calls[0].params["content"] == r"\[file (a/b)\]"
    assert "at most 10485760" in out.diagnostics[0].detail


# --- policy

CONSENT = ConsentRequired(
    message="May I see your *calendar*?",
    url="https://agents.example/consent?s=1",
    action_label="Allow",
    state="A" * 43,
    return_to="https://agents.example/done",
)
REFUSAL = Forbidden(message="*No*", url="https://agents.example/why", action_label="Why")
BUTTON = {"type": 2, "style": 5, "label": "Allow", "url": "https://agents.example/consent?s=1"}


def test_a_policy_is_text_and_a_button_to_the_agents_host():
    (post,) = answered("First:", REFUSAL).calls
    button = {"type": 2, "style": 5, "label": "Why", "url": "https://agents.example/why"}
    assert post.params["components"] == [{"type": 1, "components": [button]}]
    assert post.params["content"].startswith("First:\n\n\\*No\\*")


def test_the_button_stands_under_the_last_of_the_text():
    posts = answered("a " * 1500, *[FilePart.of(b"x", mime="a/b")] * 12, REFUSAL).calls
    assert [index for index, post in enumerate(posts) if "components" in post.params] == [1]


def test_a_policy_without_a_link_has_no_button():
    (post,) = answered(Forbidden(message="No")).calls
    assert "components" not in post.params


def test_a_link_that_is_too_long_for_a_button_stays_a_link():
    out = answered(replace(REFUSAL, url="https://agents.example/" + "x" * 600, action_label=None))
    assert "components" not in out.calls[0].params
    assert [note.code for note in out.diagnostics] == ["part-changed"]
    (post,) = answered(replace(REFUSAL, action_label=None)).calls
    assert post.params["components"][0]["components"][0]["label"] == "Open"


def test_a_policy_leads_to_the_agents_host_alone():
    elsewhere = replace(CONSENT, url="https://evil.example/")
    out = answered(elsewhere)
    assert ("components" in out.calls[-1].params, out.diagnostics[0].code) == (False, "url-refused")
    assert "evil" not in str(out.calls)
    allowed = Settings(policy_hosts=("evil.example",))
    assert answered(elsewhere, settings=allowed).calls


# --- a demand reaches the person asked alone


def test_a_demand_in_a_guild_is_a_direct_message_behind_the_answer():
    out = answered("First:", CONSENT)
    public, opened, private = out.calls
    assert (public.path, public.params["content"]) == ("/channels/500/messages", "First:")
    assert (opened.method, opened.path, opened.params) == ("POST", "/users/@me/channels", {"recipient_id": "42"})
    assert private.params["content"].startswith("May I see your \\*calendar\\*?")
    assert private.params["components"] == [{"type": 1, "components": [BUTTON]}]
    sent = out.request(2, [{"id": "9", "channel_id": "500"}, {"id": "77", "type": 1}])
    assert (sent.method, sent.path, sent.placeholders) == ("POST", "/channels/77/messages", ())


def test_a_demand_alone_says_nothing_in_the_channel():
    assert [call.path for call in answered(CONSENT).calls] == ["/users/@me/channels", "/channels/{channel}/messages"]


@pytest.mark.parametrize("failed", [None, {"message": "Cannot send messages to this user", "code": 50007}])
def test_a_demand_goes_nowhere_when_discord_opens_no_direct_message(failed):
    with pytest.raises(WireError, match="malformed"):
        answered(CONSENT).request(1, [failed])


def test_a_demand_behind_a_command_is_ephemeral():
    out = answered("First:", CONSENT, to=COMMAND, interaction_token=TOKEN)
    public, private = out.calls
    assert (public.method, public.params["content"], public.params["flags"]) == ("PATCH", "First:", 4)
    assert (private.method, private.path) == ("POST", f"/webhooks/700/{TOKEN}")
    assert (private.params["flags"], private.as_bot) == (68, False)
    assert private.params["components"] == [{"type": 1, "components": [BUTTON]}]


def test_a_deferred_response_is_filled_in_before_an_ephemeral_message():
    # Else Discord shows that message in the place of the response, and as public as it.
    out = answered(CONSENT, to=COMMAND, interaction_token=TOKEN)
    assert [call.method for call in out.calls] == ["PATCH", "POST"]
    assert out.calls[0].params["content"] == "Only you can see the answer, below."
    for failed in (None, {"code": 10015, "message": "Unknown Webhook"}):
        with pytest.raises(WireError, match="malformed"):
            out.request(1, [failed])
    assert out.request(1, [{"id": "88", "channel_id": "500"}]).params["flags"] == 68


def test_a_demand_is_ephemeral_whatever_the_program_says_of_the_response():
    token = discord.Deferred(token=TOKEN, ephemeral=True)
    out = answered("First:", CONSENT, to=COMMAND, interaction_token=token)
    assert [call.params["flags"] for call in out.calls] == [4, 68]


def test_a_demand_stays_private_where_the_program_is_mistaken_that_the_response_was_filled_in():
    token = discord.Deferred(token=TOKEN, filled=True)
    out = answered(CONSENT, to=COMMAND, interaction_token=token)
    assert [(call.method, call.params["flags"]) for call in out.calls] == [("POST", 4), ("POST", 68)]
    assert out.calls[0].params["content"] == "Only you can see the answer, below."
    with pytest.raises(WireError, match="malformed"):
        out.request(1, [None])


def test_a_follow_up_that_grows_is_edited_by_its_own_id():
    token = discord.Deferred(token=TOKEN, filled=True)
    (call,) = answered("And more", to=COMMAND, interaction_token=token, update="900").calls
    assert (call.method, call.path) == ("PATCH", f"/webhooks/700/{TOKEN}/messages/900")


def test_a_demand_behind_a_command_without_its_token_is_a_direct_message():
    out = answered("First:", CONSENT, to=COMMAND)
    assert [call.path for call in out.calls][1:] == ["/users/@me/channels", "/channels/{channel}/messages"]


def test_a_demand_in_a_direct_message_is_part_of_the_answer():
    (post,) = answered("First:", REFUSAL, CONSENT, to=received(direct()).message).calls
    assert post.path == "/channels/500/messages"
    assert post.params["content"].startswith("First:\n\n\\*No\\*")
    assert post.params["components"] == [{"type": 1, "components": [BUTTON]}]


def test_a_demand_behind_a_command_outside_of_guilds_is_not_for_others_there():
    # Such a command may be used in a conversation with other people.
    command = received(interaction(guild_id=None, member=None, user=ALICE)).message
    assert answered(CONSENT, to=command).calls[0].path == "/users/@me/channels"


@pytest.mark.parametrize(
    "asker", [{"author": {"id": "9", "username": "b", "bot": True}}, {"webhook_id": "42", "member": None}]
)
def test_a_demand_to_a_program_goes_nowhere(asker):
    question = received(message(**asker)).message
    with pytest.raises(UnanswerableError) as raised:
        answered("First:", CONSENT, to=question)
    assert raised.value.reason == "no-private-way"
    assert answered("First:", REFUSAL, to=question).calls


def test_a_demand_to_a_person_whose_profile_was_lost_goes_nowhere():
    question = replace(QUESTION, sender=replace(QUESTION.sender, profile=None))
    with pytest.raises(UnanswerableError, match="answer without the policy"):
        answered(CONSENT, to=question)


@given(
    st.sampled_from([QUESTION, COMMAND]),
    st.booleans(),
    st.booleans(),
    st.lists(st.sampled_from(["text", REFUSAL, CONSENT, "long " * 900]), max_size=4),
)
def test_no_public_call_ever_has_a_demand(question, with_token, ephemeral, parts):
    token = discord.Deferred(token=TOKEN, ephemeral=ephemeral) if with_token and question is COMMAND else None
    out = answered(*parts, to=question, interaction_token=token)
    for call in out.calls:
        is_private = call.path == "/channels/{channel}/messages" or call.params.get("flags", 0) & 64
        assert is_private or ("calendar" not in repr(call.params) and "consent" not in repr(call.params))
        assert not is_private or call.placeholders or (ephemeral and "calendar" not in repr(call.params))
    assert any("calendar" in repr(call.params) for call in out.calls) == (CONSENT in parts)


# --- growing, clicking


def test_an_answer_that_grows_replaces_its_message():
    first, second = answered("a" * 1900 + "\n\n" + "b" * 1900, update="900").calls
    assert (first.method, first.path) == ("PATCH", "/channels/500/messages/900")
    assert (first.params["components"], "message_reference" in first.params) == ([], False)
    assert (second.method, second.path) == ("POST", "/channels/500/messages")
    (edit,) = answered("Hi", to=COMMAND, interaction_token=TOKEN, update="901").calls
    assert (edit.method, edit.path) == ("PATCH", f"/webhooks/700/{TOKEN}/messages/901")
    assert answered(update="900").calls == answered(to=COMMAND, interaction_token=TOKEN, update="9").calls == ()


def test_an_answer_without_a_text_takes_the_old_text_away():
    choices = (Choice(label="Yes", value="y"),)
    (edit,) = answered(CONSENT, to=COMMAND, interaction_token=TOKEN, update="901", choices=choices).calls[:1]
    assert (edit.params["content"], len(edit.params["components"])) == ("", 1)


@pytest.mark.parametrize("update", ["@original", "../5", 5, ""])
def test_what_is_replaced_is_a_message(update):
    with pytest.raises(UsageError, match="update"):
        answered("Hi", update=update)


def test_what_follows_an_ephemeral_response_is_ephemeral():
    out = answered(
        "a" * 1900 + "\n\n" + "b" * 1900, to=COMMAND, interaction_token=discord.Deferred(token=TOKEN, ephemeral=True)
    )
    assert [call.params["flags"] for call in out.calls] == [4, 68]


def test_what_follows_a_click_that_only_one_person_saw_is_ephemeral():
    shown = {"id": OTHER, "flags": 64, "components": []}
    click = received(interaction({"custom_id": "mentionable:choice:y"}, type=3, message=shown)).message
    out = answered("a" * 1900 + "\n\n" + "b" * 1900, to=click, interaction_token=TOKEN)
    assert [call.params["flags"] for call in out.calls] == [4, 68]


def test_a_click_that_only_one_person_saw_is_answered_in_private():
    shown = {"id": OTHER, "flags": 64, "components": []}
    click = received(interaction({"custom_id": "mentionable:choice:y"}, type=3, message=shown)).message
    opened, message_call = answered("First:", CONSENT, FilePart.of(b"x", mime="a/b"), to=click).calls
    assert (opened.path, message_call.path) == ("/users/@me/channels", "/channels/{channel}/messages")
    assert message_call.params["content"].startswith("First:\n\nMay I see")
    assert len(message_call.files) == 1
    assert answered(to=click).calls == ()
    with pytest.raises(UsageError, match="interaction_token"):
        answered("Hi", to=click, update="900")


RECORDED_CHANNEL = {
    "id": "319674150115610528",
    "type": 1,
    "last_message_id": "3343820033257021450",
    "recipients": [{"id": "42", "username": "alice", "discriminator": "0", "avatar": None}],
    "flags": 0,
}
RECORDED_RESPONSE = {
    "type": 20,
    "content": "First:",
    "channel_id": "500",
    "author": {"id": "700", "username": "helper", "bot": True},
    "flags": 4,
    "id": "1310000000000000009",
    "application_id": "700",
    "webhook_id": "700",
    "interaction_metadata": {"id": EVENT, "type": 2, "name": "ask"},
}


def test_private_calls_take_what_discord_answers():
    out = answered(CONSENT)
    assert out.request(1, [RECORDED_CHANNEL]).path == "/channels/319674150115610528/messages"
    out = answered("First:", CONSENT, to=COMMAND, interaction_token=TOKEN)
    assert out.request(1, [RECORDED_RESPONSE]).params["flags"] == 68
    assert discord.native_id(RECORDED_RESPONSE, to=COMMAND) == "discord:500/1310000000000000009"


YES, NO = Choice(label="Yes, *do*", value="y"), Choice(label="No", value="n", description="Leave it")


def test_a_few_choices_are_buttons_under_the_last_of_the_text():
    first, second = answered("a" * 1900 + "\n\n" + "b" * 1900, choices=(YES, NO)).calls
    assert "components" not in first.params
    assert second.params["components"] == [
        {
            "type": 1,
            "components": [
                {"type": 2, "style": 2, "label": "Yes, *do*", "custom_id": "mentionable:choice:y"},
                {"type": 2, "style": 2, "label": "No", "custom_id": "mentionable:choice:n"},
            ],
        }
    ]


def test_many_choices_are_a_menu():
    choices = [*[Choice(label="x" * 101, value=f"v{number}") for number in range(5)], NO]
    (post,) = answered("Which?", choices=choices).calls
    ((menu,),) = [row["components"] for row in post.params["components"]]
    assert (menu["type"], menu["custom_id"], len(menu["options"])) == (3, "mentionable:choice:", 6)
    assert menu["options"][0] == {"label": "x" * 99 + "…", "value": "v0"}
    assert menu["options"][5] == {"label": "No", "value": "n", "description": "Leave it"}


def test_choices_stand_under_an_answer_without_text_and_behind_a_policy():
    (post,) = answered(choices=(YES,)).calls
    assert ("content" in post.params, len(post.params["components"])) == (False, 1)
    (post,) = answered(REFUSAL, choices=(YES,)).calls
    assert [row["components"][0]["style"] for row in post.params["components"]] == [5, 2]


def test_a_partial_answer_has_no_choices_yet():
    frame = replace(
        NormalizedResponse.to(QUESTION, "Shall", status="partial"),
        streaming=Streaming(stream_id="s", seq=0, final=False),
    )
    (post,) = discord.reply(frame, to=QUESTION, choices=(YES,)).calls
    assert "components" not in post.params


def test_a_label_is_cut_between_characters():
    (post,) = answered("?", choices=(Choice(label="\U0001f327" * 50, value="r"),)).calls
    assert post.params["components"][0]["components"][0]["label"] == "\U0001f327" * 39 + "…"


@pytest.mark.parametrize(
    "choices",
    [
        "yes",
        5,
        ["yes"],
        [Choice(label=" ", value="y")],
        [Choice(label=5, value="y")],
        [Choice(label="Yes", value="")],
        [Choice(label="Yes", value="y" * 82)],
        [Choice(label="Yes", value="\U0001f327" * 41)],
        [Choice(label="Yes", value=5)],
        [Choice(label="Yes", value="y", description=5)],
        [Choice(label="\ud83d", value="y")],
        [Choice(label="Yes", value="\ud83d")],
        [YES, YES],
        [Choice(label="x", value=str(number)) for number in range(26)],
    ],
)
def test_choices_are_what_discord_takes(choices):
    with pytest.raises(UsageError, match="choices"):
        answered("Hi", choices=choices)


# --- links


def test_a_label_that_looks_like_another_address_does_not_hide_where_it_leads():
    assert texts(LinkPart(url="https://evil.example/a", title="https://bank.example")) == [
        "[https://bank.example](<https://evil.example/a>) (evil.example)"
    ]
    assert texts(LinkPart(url="https://a.example/", title="The _news_")) == [r"[The \_news\_](<https://a.example/>)"]


# --- what may go out


@pytest.mark.parametrize("thread", ["discord:501", "slack:T1", "discord:x"])
def test_an_answer_goes_into_the_channel_of_the_question_alone(thread):
    response = replace(NormalizedResponse.to(QUESTION, "Hi"), push_back=PushBackHint(thread_ref=thread))
    out = discord.reply(response, to=QUESTION)
    assert (out.calls, out.diagnostics[0].at) == (answered("Hi").calls, "/push_back/thread_ref")


def test_a_partial_answer_is_one_message():
    frame = replace(
        NormalizedResponse.to(COMMAND, "word " * 1_000, CONSENT, status="partial"),
        streaming=Streaming(stream_id="s", seq=0, final=False),
    )
    out = discord.reply(frame, to=COMMAND, interaction_token=TOKEN)
    assert [call.method for call in out.calls] == ["PATCH"]
    assert [note.at for note in out.diagnostics] == ["/parts/1"]
    assert discord.reply(replace(frame, parts=()), to=COMMAND, interaction_token=TOKEN).calls == ()


def test_an_answer_is_never_a_flood():
    out = answered("word " * 200_000, *[FilePart.of(b"x", mime="a/b")] * 30, REFUSAL)
    contents = [call.params.get("content") for call in out.calls]
    assert (len(contents), contents[25][:20]) == (27, "… The answer goes on")
    assert contents[26].startswith(r"\*No\*")
    assert (len(out.calls[26].files), "components" in out.calls[26].params) == (10, True)
    assert [note.at for note in out.diagnostics] == ["/parts", "/parts"]
    assert len(answered(*[FilePart.of(b"x", mime="a/b")] * 900).calls) == 25


def test_too_many_parts_are_told():
    with pytest.raises(UsageError, match="1001 parts"):
        answered(*["x"] * 1001)


@pytest.mark.parametrize(
    ("response", "to", "words"),
    [
        ({"reply_to": "other"}, {}, "reply_to"),
        ({}, {"received_via": "email"}, "connector of discord"),
        ({}, {"thread_id": "slack:T1/C1/1"}, "connector of discord"),
        ({"push_back": PushBackHint(channel="email")}, {}, "push_back.channel"),
        ({}, {"thread_id": "discord:x"}, "no channel"),
    ],
)
def test_what_may_not_go_out_is_told(response, to, words):
    question = replace(QUESTION, **to)
    with pytest.raises(UsageError, match=words):
        discord.reply(replace(NormalizedResponse.to(QUESTION, "Hi"), **response), to=question)


def test_other_things_are_no_responses():
    with pytest.raises(UsageError, match="response"):
        discord.reply("Hi", to=QUESTION)
    with pytest.raises(UsageError, match="to must be"):
        discord.reply(NormalizedResponse.to(QUESTION, "Hi"), to=None)


@pytest.mark.parametrize("token", ["", "../@me", "a b", 5, "short", discord.Deferred(token="short")])
def test_a_token_is_a_token(token):
    with pytest.raises(UsageError, match="interaction_token"):
        answered("Hi", to=COMMAND, interaction_token=token)


def test_a_token_is_for_interactions():
    with pytest.raises(UsageError, match="no interaction"):
        answered("Hi", interaction_token=TOKEN)


def test_a_question_whose_raw_was_lost_is_answered_in_its_channel():
    (post,) = answered("Hi", to=replace(QUESTION, raw=None)).calls
    assert post.path == "/channels/500/messages"
    assert "message_reference" not in post.params
    assert answered("Hi", to=received(direct()).message).calls[0].path == "/channels/500/messages"


def test_what_discord_answers_has_a_native_id():
    assert discord.native_id({"id": "501", "channel_id": "500"}, to=QUESTION) == "discord:500/501"


@pytest.mark.parametrize(
    "said", [None, {}, {"id": "501"}, {"id": "x", "channel_id": "500"}, {"id": "1", "channel_id": "5"}]
)
def test_what_names_no_message_of_the_channel_has_no_native_id(said):
    assert discord.native_id(said, to=QUESTION) is None
    assert discord.native_id({"id": "501", "channel_id": "500"}, to=replace(QUESTION, thread_id="discord:x")) is None
