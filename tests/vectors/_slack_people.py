"""Who is shown to be a member of the workspace, and what is told of people."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.vectors._answer_rows import SIGNED_AT
from tests.vectors._policy_rows import jcs
from tests.vectors._slack_rows import (
    AGENT,
    ALICE,
    FILES,
    PROFILE,
    ROOT,
    SETTINGS,
    TS,
    Case,
    case,
    evidence,
    mention,
    native,
    said,
    sender,
    text,
    unit,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = {name: found for name, found in PROFILE.items() if name != "provider_subject"}
UNCONFIRMED: Case = {**NAMED, "extensions": {"slack": {"user_id": "U1", "real_name": "Alice Doe"}}}
"""Alice, of whom Slack and the event tell different workspaces."""

SHARED = {"is_ext_shared_channel": True}


def members() -> Iterator[Case]:
    """Members, and people who are none."""

    def one(name: str, why: str, event: Case, who: Case, **more: Any) -> Case:
        given = unit(event, settings=more.pop("own", SETTINGS), more=more.pop("envelope", None))
        codes = [] if "identities" in who else ["evidence-withheld"]
        return case("slack-member", name, why, given, **{"value": who, "diagnostics": codes, **more})

    yield one("member", "Whom Slack and the event call a member is one.", mention(), sender())
    yield one(
        "member-in-shared", "Members write in shared channels, too.", mention(user_team="T1"), sender(), envelope=SHARED
    )
    yield one(
        "team-from-slack", "Old events name no workspace; Slack does when it is asked.", mention(team=None), sender()
    )
    hidden = sender(shown=False, address="@U1@unknown.slack.invalid", profile=UNCONFIRMED)
    for name, why, event, shared in (
        ("foreign-user-team", "In Slack Connect people of other companies write.", mention(user_team="T9"), {}),
        ("foreign-source-team", "Where it was written counts.", mention(source_team="T9"), SHARED),
        ("unknown-in-shared", "In a shared channel silence says nothing.", mention(team=None), SHARED),
        ("team-malformed", "What is no id names no workspace.", mention(team="t1"), SHARED),
    ):
        yield one(name, why, event, hidden, envelope=shared, flags=["attack"])
    foreign = sender(shown=False, address="@U1@t9.slack.invalid", profile=UNCONFIRMED)
    yield one(
        "foreign-team", "Who is of another workspace is no member.", mention(team="T9"), foreign, flags=["attack"]
    )
    agreed = {
        **PROFILE,
        "provider_subject": "slack:T9/U1",
        "extensions": {"slack": {**PROFILE["extensions"]["slack"], "team_id": "T9"}},
    }
    elsewhere = sender(shown=False, address="@U1@t9.slack.invalid", profile=agreed)
    yield one(
        "foreign-and-confirmed",
        "Slack may know people of other workspaces; they are no members of this one.",
        mention(team="T9"),
        elsewhere,
        world=user(team_id="T9"),
    )
    shown = sender(address="@U1@t9.slack.invalid", profile=agreed, subject="slack:T9/U1", claims={"profile": agreed})
    own = {**SETTINGS, "teams": ["T9"]}
    yield one(
        "own-organization",
        "Workspaces of one's own organization count.",
        mention(team="T9"),
        shown,
        own=own,
        world=user(team_id="T9"),
    )
    unsaid = sender(shown=False, profile=UNCONFIRMED)
    yield one(
        "slack-tells-other", "Slack must tell the same as the event.", mention(), unsaid, world=user(team_id="T9")
    )
    yield one("slack-tells-none", "Silence of Slack confirms nothing.", mention(), unsaid, world=user(team_id=None))
    grid = {"team_id": "E1", "enterprise_user": {"teams": ["T1", "T2"]}}
    yield one(
        "organization-wide",
        "In an organization people are of several workspaces.",
        mention(),
        sender(),
        world=user(**grid),
    )
    known = sender(shown=False)
    for name, flag, why in (
        ("guest", "is_restricted", "A guest is no member."),
        ("single-channel-guest", "is_ultra_restricted", "A guest of one channel is no member."),
        ("stranger", "is_stranger", "A stranger is no member."),
        ("deleted", "deleted", "Who left is no member any more."),
        ("robot", "is_bot", "A program is no person."),
        ("workflow", "is_workflow_bot", "A workflow is no person."),
    ):
        yield one(name, why, mention(), known, world=user(**{flag: True}))
    guests = {**SETTINGS, "guests": True}
    yield one(
        "guests-count",
        "An operator may let guests count.",
        mention(),
        sender(),
        own=guests,
        world=user(is_restricted=True),
    )
    nobody = sender(shown=False, profile=None)
    failed = {"diagnostics": ["lookup-unanswered", "evidence-withheld"]}
    for name, why, answer in (
        ("no-answer", "Without an answer there is a message and no evidence.", {"failed": "slow"}),
        ("not-found", "Whom Slack does not know is no member.", {"ok": False, "error": "user_not_found"}),
        ("not-ok", "An answer that is not ok is none.", {"user": ALICE}),
        ("somebody-else", "An answer about somebody else tells nothing.", {"ok": True, "user": {**ALICE, "id": "U2"}}),
    ):
        yield one(name, why, mention(), nobody, world={"CALL users.info U1": answer}, **failed)


def profiles() -> Iterator[Case]:
    """What people see of people."""
    names = {"display_name_normalized": "a", "display_name": "b", "real_name_normalized": "c", "real_name": "d"}
    left = dict(names)

    def one(name: str, why: str, facts: Case, **changes: Any) -> Case:
        own = {"team_id": "T1", "user_id": "U1"}
        bare: Case = {
            "username": "alice",
            "provider": "slack",
            "provider_subject": "slack:T1/U1",
            "extensions": {"slack": own},
        }
        if "real_name" in changes:
            bare["extensions"] = {"slack": {**own, "real_name": changes.pop("real_name")}}
        found = {name: one for name, one in {**bare, **changes}.items() if one is not None}
        world = user(**{"tz": None, "locale": None, **facts})
        who = sender(profile=found, claims={"profile": found})
        return case("slack-profile", name, why, unit(mention()), world=world, value=who, diagnostics=[])

    for name in names:
        why = "The name that people chose comes first, and blank ones count for nothing."
        real = {"real_name": "d"} if left["real_name"].strip() else {}
        yield one(f"name-{name.replace('_', '-')}", why, {"profile": dict(left)}, display_name=names[name], **real)
        left[name] = " \u200b"
    yield one("name-account", "Without any other name, the account has one.", {"profile": left}, display_name="alice")
    yield one("name-id", "In the end there is the id.", {"profile": {}, "name": " "}, display_name="U1", username=None)
    sizes = ("512", "192", "72", "48", "32", "24")
    pictures = {f"image_{size}": f"https://avatars.example/{size}.png" for size in sizes}
    pictures["image_original"] = "https://avatars.example/original.png"
    why = "The largest picture is the one to show; the original may tell where it was taken."
    picture = {"avatar": {"url": "https://avatars.example/512.png"}}
    yield one("picture-largest", why, {"profile": pictures}, display_name="alice", **picture)
    for name, url in (
        ("picture-http", "http://avatars.example/512.png"),
        ("picture-script", "javascript:alert(1)"),
        ("picture-with-password", "https://alice:secret@avatars.example/512.png"),
    ):
        only = {"image_512": url, "image_48": "https://avatars.example/48.png"}
        picture = {"avatar": {"url": "https://avatars.example/48.png"}}
        yield one(name, "Only pictures behind https are shown.", {"profile": only}, display_name="alice", **picture)
    facts = {"profile": {}, "tz": "Europe/Berlin", "locale": "de-DE"}
    yield one(
        "language",
        "Language and time zone help to answer.",
        facts,
        display_name="alice",
        timezone="Europe/Berlin",
        locale="de-DE",
    )
    private = {
        "profile": {
            "email": "a@private.example",
            "phone": "+82",
            "status_text": "ill",
            "skype": "x",
            "fields": {"X": {}},
        },
        "is_admin": True,
        "has_2fa": False,
    }
    yield one("private", "Mail, telephone, status and roles stay where they are.", private, display_name="alice")


def histories() -> Iterator[Case]:
    """What was said before."""
    bob = {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"display_name": "Bob"}}}
    shown = {
        "display_name": "Bob",
        "provider": "slack",
        "provider_subject": "slack:T1/U2",
        "extensions": {"slack": {"team_id": "T1", "user_id": "U2"}},
    }
    who: Case = {"address": "@U2@t1.slack.invalid", "auth_method": "none", "verified": False}
    named = {**who, "display_name": "Bob", "profile": shown}

    def turn(said_: str = "before", *, at: str = ROOT, **more: Any) -> Case:
        found = {"type": "message", "user": "U2", "team": "T1", "ts": at, "thread_ts": ROOT, "text": said_, **more}
        return {name: one for name, one in found.items() if one is not None}

    def prior(
        content: str = "before",
        *,
        by: Case = named,
        at: str = ROOT,
        time: str = "20.000001",
        role: str = "user",
        mime: str = "text/plain",
    ) -> Case:
        return {
            "role": role,
            "sender": by,
            "parts": [text(content, mime)],
            "timestamp": f"2026-11-21T20:53:{time}Z",
            "id": f"slack:T1/C1/{at}",
        }

    def one(name: str, why: str, turns: list[Any], made: Any, **more: Any) -> Case:
        answer = {"CALL conversations.replies C1": {"ok": True, "messages": turns}, "CALL users.info U2": bob}
        world = {**answer, **more.pop("world", {})}
        return case(
            "slack-history",
            name,
            why,
            unit(mention(thread_ts=ROOT)),
            **{"world": world, "value": made, "diagnostics": [], **more},
        )

    later = "1795294430.000001"
    yield one("turn", "What was said before is context, with a name and without evidence.", [turn()], [prior()])
    marked = {**prior(), "parts": [native("**b**", "*b*", "text/markdown")]}
    yield one("markup", "Turns are read as messages are.", [turn("*b*")], [marked])
    why = "Turns have blocks, and what they show of others, as messages have."
    blocks = [{"type": "header", "text": {"type": "plain_text", "text": "Rain"}}]
    shared = {"is_share": True, "author_id": "U3", "author_name": "Carol", "text": "<@U2> late"}
    by_carol = {"display_name": "Carol", "mention_token": "<@U3>"}
    parts = [
        text("# Rain", "text/markdown"),
        text("<@U2> late", "text/markdown", mentions={"<@U2>": "Bob"}, written_by=by_carol),
    ]
    yield one("blocks", why, [turn("", blocks=blocks, attachments=[shared])], [{**prior(), "parts": parts}])
    why = "What is too much of a turn is left out and said, as of a message."
    many, lost = [turn(attachments=[{"text": "more"}] * 2)], ["too-many-parts"]
    yield one("too-many", why, many, [prior()], common={"limits": {"parts": 1}}, diagnostics=lost)
    why = "The first message of a thread is what it answers, whatever it is."
    yield one("first-of-slack", why, [turn("A huddle", subtype="huddle_thread")], [prior("A huddle")])
    why = "A file of a turn is named: somebody said something by it."
    file = {**prior(), "parts": [text("[file: rain.png]", "text/plain")]}
    yield one(
        "file",
        why,
        [turn("", files=[{"id": "F1", "name": "rain.png", "url_private": "https://x.example/canary"}])],
        [file],
    )
    both = {**prior(), "parts": [text("before", "text/plain"), text("[file: a file]", "text/plain")]}
    yield one("text-and-file", why, [turn(files=[{"id": "F1"}])], [both])
    own = {"address": AGENT, "auth_method": "none", "verified": False}
    for name, by in (("own-user", {"user": "UBOT"}), ("own-app", {"user": None, "bot_id": "B1", "app_id": "A1"})):
        why = "What the app said is the agent's own turn."
        made = prior("yes", by=own, at=later, time="50.000001", role="assistant")
        yield one(name, why, [turn("yes", at=later, **by), turn()], [prior(), made])
    yield one(
        "other-bot",
        "Another program is not the agent.",
        [turn(user=None, bot_id="B2", app_id="A2")],
        [prior(by={**who, "address": "@B2@t1.slack.invalid"})],
    )
    foreign = {"address": "@U2@t9.slack.invalid", "auth_method": "none", "verified": False, "display_name": "Bob"}
    foreign["profile"] = {"display_name": "Bob", "provider": "slack", "extensions": {"slack": {"user_id": "U2"}}}
    yield one("foreigner", "People of other workspaces stay what they are.", [turn(team="T9")], [prior(by=foreign)])
    for name, why, other in (
        ("itself", "The message itself is no history.", turn("now", at=TS)),
        ("later", "What was said later is no history.", turn("later", at="1795294500.000101")),
        (
            "other-thread",
            "An answer about another thread tells nothing.",
            turn("x", at=later, thread_ts="1795294300.000001"),
        ),
        ("joined", "Who joined said nothing.", turn("joined", at=later, subtype="channel_join")),
        ("empty", "Who said nothing said nothing.", turn("", at=later)),
        ("malformed", "A turn that cannot be read is left out.", turn("x", at="now")),
    ):
        yield one(name, why, [other, turn()], [prior()])
    yield one(
        "nobody-told",
        "Without a name there is an id.",
        [turn()],
        [prior(by=who)],
        world={"CALL users.info U2": {"failed": "slow"}},
        diagnostics=["lookup-unanswered"],
    )
    failed = {"CALL conversations.replies C1": {"failed": "ratelimited"}}
    yield one(
        "no-answer",
        "A thread that cannot be had does not cost the message.",
        [],
        None,
        world=failed,
        diagnostics=["lookup-unanswered"],
    )


def files() -> Iterator[Case]:
    """Files that came along."""
    report = {
        "id": "F1",
        "name": "../report.pdf",
        "mimetype": "application/pdf",
        "size": 12345,
        "mode": "hosted",
        "url_private": "https://files.slack.example/secret",
        "thumb_360": "https://files.slack.example/secret",
    }
    native = f"slack:T1/D1/{TS}"
    scope = {"workspace": "T1", "channel": "D1", "file": "F1"}
    claims = {"iss": "slack.agents.example", "aud": AGENT, "turn": native, "scope": scope, "max_bytes": 12345}
    made: Case = {
        "kind": "file",
        "mime": "application/pdf",
        "name": "report.pdf",
        "size_bytes": 12345,
        "bytes_ref": {
            "kind": "url",
            "url": "https://slack.agents.example/api/slack/files/",
            "expires_at": "2026-11-21T21:01:00Z",
        },
        "claims": claims,
    }

    def one(name: str, why: str, file: Case, value: list[Case], codes: list[str], own: Case = FILES) -> Case:
        event = said("see", files=[{**report, **file}], subtype="file_share")
        return case("slack-files", name, why, unit(event, settings=own), value=value, diagnostics=codes)

    yield one("descriptor", "A file is named, and fetched through the connector alone.", {}, [made], [])
    bare = {**made, "mime": "application/octet-stream"}
    yield one("kind-unknown", "A file of an unknown kind is bytes.", {"mimetype": "?"}, [bare], [])
    gone = ["part-unsupported"]
    yield one("no-key", "Who gives no files out names them.", {}, [], gone, SETTINGS)
    for name, file in (
        ("deleted", {"mode": "tombstone"}),
        ("hidden", {"mode": "hidden_by_limit"}),
        ("external", {"mode": "external"}),
        ("external-elsewhere", {"is_external": True}),
        ("not-visible", {"file_access": "access_denied"}),
        ("no-id", {"id": "../F1"}),
    ):
        yield one(name, "A file that Slack does not give cannot be given out.", file, [], gone)
    lone = unit(said("", files=[{**report, "mode": "tombstone"}]), settings=FILES)
    why = "Nothing but a file that is gone says nothing."
    yield case("slack-files", "nothing-left", why, lone, rejected={"code": "part-unsupported"})


def attested() -> Iterator[Case]:
    """Evidence, signed for one agent."""
    seed = bytes(range(32))
    key = {"seed": urlsafe_b64encode(seed).rstrip(b"=").decode(), "kid": "2026-11"}
    proof = {"type": "signed-attestation", "alg": "Ed25519", "kid": "2026-11", "canonicalization": "jcs"}
    for name, why, audience in (
        ("signed", "What Slack showed counts elsewhere once the connector signed it.", AGENT),
        ("for-another", "Evidence is for one agent, and holds five minutes.", "@other@agents.example"),
    ):
        body = {**evidence(audience=audience), **SIGNED_AT, "proof": proof}
        value = Ed25519PrivateKey.from_private_bytes(seed).sign(jcs(body))
        badge = {**body, "proof": {**proof, "value": urlsafe_b64encode(value).rstrip(b"=").decode()}}
        yield case("slack-attest", name, why, {**unit(mention()), "key": key, "audience": audience}, value=[badge])
    why = "Of somebody whom Slack does not show, nothing is said."
    nobody = {**unit(mention(team="T9")), "key": key, "audience": AGENT}
    yield case("slack-attest", "nobody", why, nobody, value=[], flags=["attack"])


def behaviours() -> Iterator[tuple[str, str, str, Iterator[Case]]]:
    yield "slack-member", "slack.sender", "Who gets evidence.", members()
    yield "slack-profile", "slack.sender", "What is told of people.", profiles()
    yield "slack-history", "slack.history", "What was said before in a thread.", histories()
    yield "slack-files", "slack.files", "Files as lazy descriptors.", files()
    yield "slack-attest", "slack.attest", "Evidence signed by the connector.", attested()
