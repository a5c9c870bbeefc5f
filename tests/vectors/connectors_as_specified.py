"""The cases of connectors for which the text of Building a Connector alone decides.

Everything that it does not name, such as codes of refusals and what a signature is made over, is left open. Ruling R66.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any, Final

from tests.vectors import _slack_rows as slack
from tests.vectors import case_file
from tests.vectors._answer_rows import ANY, SIGNED_AT, row
from tests.vectors._files_mint import PLAIN
from tests.vectors._files_rows import KEYS
from tests.vectors._identity_rows import AGENT, HOST, METHOD, UNASKED, entry, given, identity, one, signed, unit
from tests.vectors._identity_signature import SEED_TRUST, golden
from tests.vectors._rest_call import asks
from tests.vectors._rest_rows import MINE, SESSION, field, form

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Case = dict[str, Any]
NOTE: Final = "What the text about connectors says, and nothing else: what it does not name is left open."
SIZES: Final = ("512", "192", "72", "48")
REPORT: Final = "https://files.slack.example/files-pri/T1-F1/report.pdf"


def files() -> Iterator[tuple[Path, str]]:
    """One file for each operation."""
    for area, behaviour, op, cases in (
        ("connectors", "slack-profile-as-specified", "slack.sender", profiles()),
        ("connectors", "slack-history-as-specified", "slack.history", histories()),
        ("connectors", "slack-files-as-specified", "slack.files", descriptors()),
        ("connectors", "slack-attest-as-specified", "slack.attest", badges()),
        ("files", "mint-as-specified", "files.mint", capabilities()),
        ("files", "verify-as-specified", "files.verify", opened()),
        ("identity", "attest-as-specified", "identity.attest", attestations()),
        ("identity", "policy-as-specified", "identity.trust_policy", policies()),
        ("identity", "profile-as-specified", "identity.profile", claims()),
        ("identity", "trust-as-specified", "identity.verify_all", trust()),
        ("identity", "linking", "identity.acl", linking()),
        ("reply", "a2a-call-as-specified", "a2a.call", uris()),
        ("rest", "beside-as-specified", "rest.receive", sidecars()),
        ("rest", "call-as-specified", "rest.call", calls()),
    ):
        yield case_file(area, behaviour, op, NOTE, [*cases])


def profiles() -> Iterator[Case]:
    """The first name that is there, and the largest picture behind https."""

    def shown(name: str, why: str, facts: Case, **profile: Any) -> Case:
        world = slack.user(**{"tz": None, "locale": None, **facts})
        common = {"provider": "slack", "provider_subject": "slack:T1/U1", "extensions": ANY}
        found = {name: one for name, one in {"username": ANY, **common, **profile}.items() if one is not None}
        asked = slack.unit(slack.mention())
        return slack.case("slack-profile-as-specified", name, why, asked, world=world, facts={"profile": found})

    names = {"display_name_normalized": "a", "display_name": "b", "real_name_normalized": "c", "real_name": "d"}
    why = "Of six names the first that is there is shown."
    while names:
        name = next(iter(names))
        yield shown(f"name-{name.replace('_', '-')}", why, {"profile": dict(names)}, display_name=names[name])
        del names[name]
    yield shown("name-account", why, {"profile": {}}, display_name="alice")
    yield shown("name-id", why, {"profile": {}, "name": None}, display_name="U1", username=None)
    pictures = {f"image_{size}": f"https://avatars.example/{size}.png" for size in SIZES}
    picture = {"display_name": "alice", "avatar": {"url": "https://avatars.example/512.png"}}
    yield shown("picture-largest", "The largest picture is shown.", {"profile": dict(pictures)}, **picture)
    del pictures["image_512"]
    picture["avatar"] = {"url": "https://avatars.example/192.png"}
    yield shown("picture-next", "Without the largest the next one is.", {"profile": dict(pictures)}, **picture)
    pictures["image_512"] = "http://avatars.example/512.png"
    yield shown("picture-by-http", "A picture that is not behind https is none.", {"profile": pictures}, **picture)
    private = {"profile": {"email": "a@private.example", "phone": "+82", "status_text": "ill"}}
    why = "Mail, telephone and the text of the status are nobody else's."
    yield shown("private", why, private, display_name="alice")
    where = {"profile": {}, "tz": "Europe/Berlin", "locale": "de-DE"}
    why = "Language and time zone are facts that people see."
    yield shown("language", why, where, display_name="alice", timezone="Europe/Berlin", locale="de-DE")


def histories() -> Iterator[Case]:
    """A prior turn has the profile of who wrote it, and nobody in it is verified."""
    bob = {"ok": True, "user": {"id": "U2", "team_id": "T1", "profile": {"display_name": "Bob"}}}
    first = {"ts": slack.ROOT, "thread_ts": slack.ROOT}
    before = {"type": "message", "user": "U2", "team": "T1", **first, "text": "before"}
    world = {"CALL conversations.replies C1": {"ok": True, "messages": [before]}, "CALL users.info U2": bob}
    profile = {"display_name": "Bob", "provider": "slack", "provider_subject": "slack:T1/U2", "extensions": ANY}
    sender = {"address": ANY, "auth_method": ANY, "verified": False, "profile": profile}
    said = {"kind": "text", "mime": ANY, "content": "before"}
    turn = {"id": ANY, "role": "user", "sender": sender, "parts": [said], "timestamp": ANY}
    named = {**turn, "sender": {**sender, "display_name": "Bob"}}
    why = "Profiles of prior turns help models to tell people apart, and decide nothing."
    asked = slack.unit(slack.mention(thread_ts=slack.ROOT))
    outcomes = [{"value": [one]} for one in (turn, named)]
    yield slack.case("slack-history-as-specified", "turn", why, asked, world=world, any_of=outcomes)


def descriptors() -> Iterator[Case]:
    """A file is a descriptor, whatever addresses Slack gave it."""
    file = {"id": "F1", "name": "report.pdf", "mimetype": "application/pdf", "size": 12_345, "mode": "hosted"}
    own = {f"url_private{what}": REPORT for what in ("", "_download")} | {"thumb_360": REPORT}
    event = slack.said("see", subtype="file_share", files=[{**file, **own}])
    ref = {"kind": "url", "url": f"https://{slack.ISSUER}/api/slack/files/", "expires_at": ANY}
    part = {"kind": "file", "mime": "application/pdf", "name": "report.pdf", "size_bytes": 12_345, "bytes_ref": ref}
    why = "Addresses of Slack need its token, and go to nobody."
    asked = slack.unit(event, settings=slack.FILES)
    yield slack.case("slack-files-as-specified", "descriptor", why, asked, value=[{**part, "claims": ANY}])


def capabilities() -> Iterator[Case]:
    """An address of the connector, until the time that was said."""
    why = "Whoever is given the address learns until when it holds."
    end = "2026-11-21T20:57:00Z"
    expected = {"url": "https://connector.example/api/slack/files/", "expires_at": end}
    asked = {**PLAIN, "lifetime_seconds": 60}
    yield row("files/mint-as-specified/minute", "BC", why, asked, facts=expected)


def opened() -> Iterator[Case]:
    """What was minted is for one file, one agent and one turn, ends, and has a budget."""
    expected = {name: PLAIN[name] for name in ("audience", "scope", "turn", "max_bytes")}
    asked = {"minted": {**PLAIN, "lifetime_seconds": 60}, "keys": KEYS, "issuer": PLAIN["issuer"], "presenter": AGENT}
    facts = {**expected, "expires_at": "2026-11-21T20:57:00Z"}
    why = "Whoever has the address has no more than this."
    around = {"lookups": {"REVOKED *": False}}
    yield row(
        "files/verify-as-specified/minted", "BC", why, {**asked, "turn": PLAIN["turn"]}, given=around, facts=facts
    )


def badges() -> Iterator[Case]:
    """Evidence of a member of a workspace, as the example has it; an id of the event may stand there or not."""
    example = golden()
    seed = {"seed": urlsafe_b64encode(bytes(range(32))).rstrip(b"=").decode(), "kid": "2026-11"}
    made = {name: slack.evidence()[name] for name in ("subject", "issuer", "method", "assurance")}
    made["claims"] = {"profile": {**slack.PROFILE, "extensions": ANY}}
    made["source"] = {"transport": "slack", "connector": ANY, "channel": "C1"}
    made["proof"] = {**example["proof"], "kid": seed["kid"], "value": ANY}
    for name, agent in (("member", AGENT), ("for-another", "@other@agents.example")):
        badge = {**made, **SIGNED_AT, "audience": agent}
        asked = {**slack.unit(slack.mention()), "key": seed, "audience": agent}
        why = "What Slack showed counts for the agent that it was signed for, and for five minutes."
        outcomes = [{"value": [one]} for one in (badge, {**badge, "id": ANY})]
        yield slack.case("slack-attest-as-specified", name, why, asked, any_of=outcomes)


def attestations() -> Iterator[Case]:
    """The members of a statement that a connector signs; what is signed of it is left open."""

    def said(name: str, why: str, **asked: Any) -> Case:
        evidence = golden()
        evidence["proof"]["value"] = ANY
        facts = {
            name: evidence[name]
            for name in ("subject", "issuer", "method", "assurance", "audience", "source", "claims")
        }
        key = {"seed": bytes(range(32)).hex(), "key_id": evidence["proof"]["kid"]}
        evidence["expires_at"] = asked.pop("until", evidence["expires_at"])
        around = {"now": "2026-05-06T00:00:00Z"}
        return one("attest-as-specified", name, "BC", why, {**facts, "key": key, **asked}, given=around, value=evidence)

    yield said("example", "What is signed holds five minutes unless the connector says less.")
    minute = "2026-05-06T00:01:00.000Z"
    yield said("minute", "A connector may say less.", lifetime_seconds=60, until=minute)


def policies() -> Iterator[Case]:
    """The policy that is printed, and none."""
    for name, why, entries in (
        ("as-printed", "What operators copy from the text is read as it stands.", [SEED_TRUST]),
        ("empty", "Who trusts nobody says so with an empty list.", []),
    ):
        yield one("policy-as-specified", name, "BC", why, {"data": entries}, facts={"entries": entries})


def claims() -> Iterator[Case]:
    """The profile that is printed."""
    evidence = golden()
    why = "What a connector says of people is shown to agents."
    asked = {"identity": identity(evidence, audience=evidence["audience"])}
    yield one("profile-as-specified", "example", "BC", why, asked, value=evidence["claims"]["profile"])


def trust() -> Iterator[Case]:
    """Nobody is believed who is not listed, and the card of a stranger is fetched by nobody."""

    def nobody(name: str, why: str, around: Case, evidence: Case | None = None, **asks: Any) -> Case:
        asked = unit(signed() if evidence is None else evidence)
        asked["carrier"] = [asked.pop("evidence")]
        outcome = {"facts": {"subjects": [], "evidence": []}, **asks}
        return one("trust-as-specified", name, "BC", why, asked, given=around, **outcome)

    why = "Trust is denied by default."
    yield nobody("no-policy", why, {**given(), "settings": {}}, **UNASKED)
    yield nobody("empty-policy", why, {**given(), "settings": {"trust": []}}, **UNASKED)
    why = "A signature of a stranger proves that the stranger said something."
    yield nobody("issuer", why, given(entry(issuer="teams.agents.example")), **UNASKED)
    why = "An issuer is believed in what its entry names."
    yield nobody("method", why, given(), signed(method=METHOD.replace("slack", "discord")))
    yield nobody("assurance", why, given(), signed(assurance="self"))
    yield nobody("subject", why, given(entry(subject_prefixes=["slack:"])), signed(subject="discord:42"))


def linking() -> Iterator[Case]:
    """What somebody is called links no accounts."""
    known = "@alice@a.example"
    grants = [{"role": "admin", "subjects": [known, "slack:T123/U456"], "methods": [METHOD]}]
    for name, said in (
        ("display-name", {"profile": {"display_name": known}}),
        ("username", {"profile": {"username": known}}),
        ("mail", {"email": known, "profile": {"display_name": "Alice"}}),
        ("provider-subject", {"profile": {"provider": "slack", "provider_subject": "slack:T123/U456"}}),
    ):
        shown = identity(signed(subject="slack:T9/U9", claims=said))
        asked = {"agent": AGENT, "grants": grants, "identities": [shown]}
        yield one("linking", name, "BC", "Anybody may be called what somebody else is called.", asked, value=[])


FILE: Final[Case] = {
    "kind": "file",
    "mime": "application/pdf",
    "name": "report.pdf",
    "size_bytes": 12_345,
    "bytes_ref": {"kind": "url", "url": f"https://{HOST}/api/slack/files/a.b.c", "expires_at": "2026-11-21T21:01:00Z"},
}
PARTS: Final[list[Case]] = [{"kind": "text", "mime": "text/plain", "content": "See the report."}, FILE]


def sidecars() -> Iterator[Case]:
    """Typed parts beside the text of a form, for the turn that is asked."""
    message = {
        "id": {"$any": "uuid7"},
        "thread_id": ANY,
        "sender": ANY,
        "recipient": AGENT,
        "parts": PARTS,
        "recipient_capabilities": ANY,
        "received_via": ANY,
        "received_at": {"$any": "timestamp"},
        "raw": ANY,
    }
    asked = form("See the report.", field("parts", PARTS), SESSION)
    why = "Whoever understands typed parts knows what the file is, and fetches it later."
    where = "rest/beside-as-specified/file"
    outcome = {"messages": [message], "must_not_ask": ["GET *"], "max_asks": 0}
    around = {**MINE, "lookups": {"MESSAGE *": None, "GET *": {"status": 200, "body": "the bytes of the file"}}}
    yield row(where, "BC", why, asked, given=around, level="SHOULD", **outcome)


def calls() -> Iterator[Case]:
    """The same on the way out; what stands of the file in the plain fields is left open."""
    why = "Receivers that know the parts keep what is known of the file."
    yield row("rest/call-as-specified/file", "BC", why, asks(*PARTS), facts={"parts": PARTS}, level="MAY")
    why = "Receivers that know nothing else read the text of a form."
    said = {"said": [["user", "See the report.", "text/plain"]]}
    yield row("rest/call-as-specified/text", "BC", why, asks(PARTS[0]), facts=said)


def uris() -> Iterator[Case]:
    """A file over A2A; what the protocol calls its other members is left open."""
    uri = FILE["bytes_ref"]["url"]
    part = {**FILE, "bytes_ref": {"kind": "url", "url": uri}}
    sent = {"kind": "file", "file": {"uri": uri, "mimeType": ANY, "name": ANY}}
    why = "An agent that is called gets an address, and no bytes."
    name = "reply/a2a-call-as-specified/file-v0-3"
    yield row(name, "BC", why, {**asks(part), "dialect": "0.3"}, facts={"request_parts": [sent]})
