"""Who is shown to be a member of a workspace, and what is told of people."""

from __future__ import annotations

import pytest

from mentionable import SigningKey, UsageError, encode
from mentionable.connectors import slack
from tests.connectors.slack_workspace import (
    AGENT,
    ALICE,
    ISSUER,
    NOW,
    SECRET,
    SETTINGS,
    command_unit,
    event_unit,
    mention,
    message,
    notes,
    outcome,
    user,
    without,
)

SHARED = {"is_ext_shared_channel": True}


def profile(**shown):
    return message(mention(), world=user(profile=shown)).sender.profile


def withheld(event, *, world=None, settings=SETTINGS, **more):
    """The address of the sender, and why there is no evidence; None where there is."""
    found = outcome(event_unit(event, **more), world=world, settings=settings)
    sender = found.message.sender
    reasons = [note.detail for note in found.diagnostics if note.code == "evidence-withheld"]
    assert (sender.identities is None) == bool(reasons) == (found.identities == ())
    return sender.address, reasons[0].partition(": ")[2] if reasons else None


def test_a_member_gets_evidence():
    found = outcome(event_unit(mention()))
    (evidence,) = found.message.sender.identities
    assert encode(evidence) == {
        "subject": "slack:T1/U1",
        "issuer": ISSUER,
        "method": "urn:mentionable:auth:slack-workspace-member:v0.1",
        "assurance": "platform",
        "audience": AGENT,
        "issued_at": "2026-11-21T20:56:00Z",
        "proof": {"type": "transport", "verified_by": "slack"},
        "id": "slack:Ev1",
        "claims": {
            "profile": {
                "display_name": "Alice",
                "username": "alice",
                "avatar": {"url": "https://avatars.example/72.png"},
                "locale": "ko-KR",
                "timezone": "Asia/Seoul",
                "provider": "slack",
                "provider_subject": "slack:T1/U1",
                "extensions": {"slack": {"team_id": "T1", "user_id": "U1", "real_name": "Alice Doe"}},
            }
        },
        "source": {"transport": "slack", "connector": "slack-connector", "channel": "C1"},
    }
    (identity,) = found.identities
    assert (identity.subject, identity.issuer, identity.assurance) == ("slack:T1/U1", ISSUER, "platform")


def test_attest_signs_the_evidence_for_one_agent():
    key = SigningKey.from_seed(bytes(32), key_id="2026-11")
    (badge,) = slack.attest(message(mention()), audience=AGENT, key=key, settings=SETTINGS, now=NOW)
    assert (badge.subject, badge.issuer, badge.audience) == ("slack:T1/U1", ISSUER, AGENT)
    assert (badge.proof.type, badge.proof.kid, badge.id) == ("signed-attestation", "2026-11", "slack:Ev1")
    assert (badge.issued_at, badge.expires_at) == ("2026-11-21T20:56:00.000Z", "2026-11-21T21:01:00.000Z")
    assert slack.attest(message(mention(team="T9")), audience=AGENT, key=key, settings=SETTINGS, now=NOW) == ()
    with pytest.raises(UsageError):
        slack.attest(message(mention()), audience="Helper@Agents.example", key=key, settings=SETTINGS, now=NOW)
    with pytest.raises(UsageError, match="Settings of the connector"):
        slack.attest(message(mention()), audience=AGENT, key=key, settings=None, now=NOW)


@pytest.mark.parametrize(
    ("event", "more", "address", "reason"),
    [
        (mention(), {}, "t1", None),
        (mention(user_team="T1", source_team="T1"), SHARED, "t1", None),
        (without(mention(), "team"), {}, "t1", None),
        (
            without(mention(), "team"),
            SHARED,
            "unknown",
            "the event does not say for certain of which workspace they are",
        ),
        (mention(user_team="T9"), {}, "unknown", "the event does not say for certain of which workspace they are"),
        (
            mention(source_team="T9"),
            SHARED,
            "unknown",
            "the event does not say for certain of which workspace they are",
        ),
        (mention(team="T9"), SHARED, "t9", "Slack names another workspace than the event, or none"),
        (mention(team="t1"), SHARED, "unknown", "the event does not say for certain of which workspace they are"),
    ],
)
def test_a_foreign_or_unknown_team_is_never_taken_for_the_workspace(event, more, address, reason):
    assert withheld(event, **more) == (f"@U1@{address}.slack.invalid", reason)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"team_id": "T9"}, "Slack names another workspace than the event, or none"),
        ({"team_id": None}, "Slack names another workspace than the event, or none"),
        ({"is_stranger": True}, "they are a stranger here"),
        ({"deleted": True}, "their account was deactivated"),
        ({"is_bot": True}, "a program writes with their account"),
        ({"is_workflow_bot": True}, "a program writes with their account"),
        ({"is_bot": "false"}, "a program writes with their account"),
        ({"is_restricted": True}, "they are a guest"),
        ({"is_ultra_restricted": True}, "they are a guest"),
        ({"is_app_user": True, "is_admin": True}, None),
        ({"team_id": "E1", "enterprise_user": {"teams": ["T1", 7]}}, None),
        (
            {"team_id": "E1", "enterprise_user": {"teams": ["T2"]}},
            "Slack names another workspace than the event, or none",
        ),
    ],
)
def test_slack_must_tell_the_same_of_a_member(facts, reason):
    assert withheld(mention(), world=user(**facts))[1] == reason


def test_a_profile_names_a_workspace_only_when_slack_and_the_event_agree():
    profile = message(mention(), world=user(team_id="T9")).sender.profile
    assert (profile.provider_subject, profile.extensions) == (
        None,
        {"slack": {"user_id": "U1", "real_name": "Alice Doe"}},
    )


def test_the_robot_of_slack_is_a_program():
    robot = {"CALL users.info USLACKBOT": {"ok": True, "user": {**ALICE, "id": "USLACKBOT"}}}
    assert withheld(mention(user="USLACKBOT"), world=robot)[1] == "a program writes with their account"


def test_guests_count_where_the_operator_says_so():
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, guests=True)
    assert withheld(mention(), world=user(is_restricted=True), settings=settings)[1] is None


def test_other_workspaces_of_the_organization_count_where_the_operator_says_so():
    world = user(team_id="T2")
    assert withheld(mention(team="T2"), world=world)[1] == "they are of another workspace"
    settings = slack.Settings(signing_secret=SECRET, issuer=ISSUER, teams=("T2",))
    found = outcome(event_unit(mention(team="T2")), world=world, settings=settings).message.sender
    assert (found.identities[0].subject, found.address) == ("slack:T2/U1", "@U1@t2.slack.invalid")


@pytest.mark.parametrize(
    ("answer", "detail", "temporary"),
    [
        ({"failed": "slow"}, "slow", True),
        ({"failed": "no", "temporary": False}, "no", False),
        ({"ok": False, "error": "user_not_found"}, "user_not_found", False),
        ({"ok": False, "error": "ratelimited"}, "ratelimited", True),
        ({"ok": False, "error": "xoxb-canary"}, "no answer of Slack", False),
        ({"ok": False}, "no answer of Slack", False),
        ({"ok": "true", "user": ALICE}, "no answer of Slack", False),
        ([], "no answer of Slack", False),
        ({"ok": True}, "the answer is about another user", False),
        ({"ok": True, "user": {**ALICE, "id": "U2"}}, "the answer is about another user", False),
    ],
)
def test_without_an_answer_there_is_a_message_and_no_evidence(answer, detail, temporary):
    found = outcome(event_unit(mention()), world={"CALL users.info U1": answer})
    assert found.message.sender.profile is None
    assert found.message.sender.identities is None
    assert notes(found) == ["lookup-unanswered", "evidence-withheld"]
    assert (found.diagnostics[0].detail, found.diagnostics[0].temporary) == (f"users.info U1: {detail}", temporary)


def test_the_command_of_a_stranger_shows_nobody():
    found = outcome(command_unit(), world=user(team_id="T9"))
    assert found.message.sender.identities is None


NAMES = {
    "display_name_normalized": "a",
    "display_name": "b",
    "real_name_normalized": "c",
    "real_name": "d",
}


@pytest.mark.parametrize("blank", ["", "  ", "\u200b", None, 7])
def test_names_go_from_the_best_to_the_id(blank):
    left = dict(NAMES)
    for name, expected in NAMES.items():
        assert profile(**left).display_name == expected
        left[name] = blank
    found = message(mention(), world=user(profile=left, real_name="e")).sender.profile
    assert (found.display_name, found.extensions["slack"]["real_name"]) == ("e", "e")
    assert profile(**left).display_name == "alice"
    nameless = message(mention(), world=user(profile=left, name=blank)).sender.profile
    assert (nameless.display_name, nameless.username) == ("U1", None)


def test_a_name_that_is_too_long_is_passed_over():
    found = outcome(event_unit(mention()), world=user(profile={"display_name": "x" * 1025}))
    assert (found.message.sender.display_name, notes(found)) == ("alice", ["name-too-long"])


def test_a_text_does_not_repeat_a_name_that_is_too_long():
    for length, expected in {80: "x" * 80, 81: None}.items():
        said = message(mention("<@UBOT> <@U1>"), world=user(profile={"display_name": "x" * length}))
        assert said.parts[0].extra["mentions"].get("<@U1>") == expected


def test_a_name_that_shows_an_address_is_told_of():
    found = outcome(event_unit(mention()), world=user(profile={"display_name": "bob@bank.example"}))
    assert notes(found) == ["name-holds-address"]
    found = outcome(event_unit(mention()), world=user(profile={"display_name": "Bob", "real_name": "bob@bank.example"}))
    assert notes(found) == []


def test_the_largest_picture_behind_https_is_shown():
    sizes = ("512", "192", "72", "48", "32", "24")
    pictures = {f"image_{size}": f"https://avatars.example/{size}.png" for size in sizes}
    pictures |= {
        "image_original": "https://avatars.example/original.png",
        "image_1024": "https://avatars.example/1.png",
    }
    for size in sizes:
        assert profile(**pictures).avatar.url == f"https://avatars.example/{size}.png"
        del pictures[f"image_{size}"]
    assert profile(**pictures).avatar is None


@pytest.mark.parametrize(
    "url",
    [
        "http://avatars.example/512.png",
        "https://user:secret@avatars.example/512.png",
        "https://secure.gravatar.com/avatar/0bc83cb571cd1c50ba6f3e8a78ef1346.jpg",
        "javascript:alert(1)",
        7,
    ],
)
def test_other_pictures_are_passed_over(url):
    assert profile(image_512=url, image_24="https://avatars.example/24.png").avatar.url.endswith("/24.png")


@pytest.mark.parametrize(
    ("facts", "locale", "timezone"),
    [
        ({"locale": "en_US", "tz": "America/Argentina/Buenos_Aires"}, "en-US", "America/Argentina/Buenos_Aires"),
        ({"locale": "en US", "tz": "xoxb 1"}, None, None),
        ({"locale": 7, "tz": None}, None, None),
    ],
)
def test_language_and_time_zone_have_a_form(facts, locale, timezone):
    found = message(mention(), world=user(**facts)).sender.profile
    assert (found.locale, found.timezone) == (locale, timezone)


def test_the_longest_profile_still_makes_evidence_that_receivers_take():
    name = "\U0001f600" * 1024
    url = "https://avatars.example/" + "x" * 2_024
    world = user(profile={"display_name": name, "real_name": name, "image_512": url}, name="n" * 256)
    got = message(mention(), world=world)
    assert (got.sender.profile.username, got.sender.profile.extensions["slack"].get("real_name")) == ("n" * 256, None)
    key = SigningKey.from_seed(bytes(32), key_id="2026-11")
    (badge,) = slack.attest(got, audience=AGENT, key=key, settings=SETTINGS, now=NOW)
    assert badge.claims["profile"]["avatar"] == {"url": url}
    assert message(mention(), world=user(name="n" * 257)).sender.profile.username is None
    assert profile(image_512=url + "x").avatar is None
