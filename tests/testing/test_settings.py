"""A file of settings: every fault has the pointer of its own member, and words that speak of JSON."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any, get_args

import attrs
import pytest

from mentionable import Settings, UsageError, a2a, activitypub, discovery, mail
from mentionable._flow.settings import HistoryPolicy, Limits
from mentionable._model.base import hints
from mentionable.cli import main
from mentionable.connectors import bluebubbles, discord, slack
from mentionable.testing.settings import read_settings

ISSUER = {"issuer": "https://a.example", "audiences": ["x"], "subject_domains": ["a.example"]}
TRUSTED = {"issuer": "a.example", "methods": ["m"], "assurance": ["platform"]}
NEEDED: dict[type, dict[str, Any]] = {
    Settings: {},
    mail.Settings: {},
    activitypub.Settings: {},
    a2a.Settings: {},
    discovery.Settings: {},
    slack.Settings: {"signing_secret": "x", "issuer": "a.example"},
    discord.Settings: {"public_key": "d" * 63 + "9", "application_id": "1", "issuer": "a.example"},
    bluebubbles.Settings: {"secret": "s" * 22, "pseudonym_key": "k" * 32},
}
PYTHON = re.compile(r"None|NoneType|__init__|tuple|argument|dict\b|\bint\b|\bstr\b|mapping|iterable|Error|object\)")
WRONG = ({"x": [5]}, [[5]], 1.5, "\0", None, True)
"""JSON of which each member refuses some."""


def places(kind: Any, at: str = "") -> list[tuple[Any, str]]:
    """Every member of settings, those of nested settings too: the form and the pointer."""
    found = []
    for name, form in hints(kind).items():
        found.append((form, f"{at}/{name}"))
        if form in (Limits, HistoryPolicy):
            found += places(form, f"{at}/{name}")
    return found


def put(members: dict[str, Any], at: str, value: Any) -> dict[str, Any]:
    """The settings with one member more."""
    *holders, last = at.split("/")[1:]
    made = {**members}
    inner = made
    for name in holders:
        inner = inner.setdefault(name, {})
    inner[last] = value
    return made


def complaint(named: dict[str, Any], kind: Any) -> str:
    """What is said of settings, empty when they are taken."""
    said = ""
    try:
        read_settings(named, kind)
    except UsageError as error:
        said = str(error)
    assert not PYTHON.search(said), said
    return said


@pytest.mark.parametrize("kind", NEEDED, ids=lambda kind: kind.__module__)
def test_every_member_of_every_class_names_itself_when_it_is_wrong(kind: Any) -> None:
    for form, at in places(kind):
        said = [complaint(put(NEEDED[kind], at, wrong), kind) for wrong in WRONG]
        assert all(words == "" or words.startswith((f"{at}: ", f"{at}/")) for words in said), said
        assert sum(words != "" for words in said) >= 4, (at, said)
        may_be_none = type(None) in get_args(form)
        assert (said[WRONG.index(None)] == "") is may_be_none, at


@pytest.mark.parametrize("kind", NEEDED, ids=lambda kind: kind.__module__)
def test_unknown_and_missing_members_are_named(kind: Any) -> None:
    for at in ("/nope", "/limits/nope", "/history/nope"):
        assert complaint(put(NEEDED[kind], at, 1), kind).startswith(f"{at}: unknown setting 'nope' (known: ")
    for name in NEEDED[kind]:
        assert (
            complaint({other: it for other, it in NEEDED[kind].items() if other != name}, kind) == f"/{name}: required"
        )


@pytest.mark.parametrize(
    ("kind", "named", "words"),
    [
        (a2a.Settings, {"token_issuers": [{"issuer": "x"}]}, "/token_issuers/0/audiences: required"),
        (a2a.Settings, {"token_issuers": {}}, "/token_issuers: expected an array, not an object"),
        (a2a.Settings, {"token_issuers": [None]}, "/token_issuers/0: expected an object, not null"),
        (
            a2a.Settings,
            {"token_issuers": [ISSUER, {**ISSUER, "audiences": "x"}]},
            "/token_issuers/1/audiences: expected an array, not a string",
        ),
        (
            a2a.Settings,
            {"token_issuers": [{**ISSUER, "audiences": ["x", 5]}]},
            "/token_issuers/0/audiences/1: expected a string, not a number",
        ),
        (a2a.Settings, {"token_issuers": [{**ISSUER, "audiences": []}]}, "/token_issuers/0/audiences: "),
        (a2a.Settings, {"token_issuers": [{**ISSUER, "keys": {}}]}, "/token_issuers/0/keys: keys must be a JWKS"),
        (a2a.Settings, {"token_issuers": [{**ISSUER, "jwks_url": "x"}]}, "/token_issuers/0/jwks_url: "),
        (
            a2a.Settings,
            {"token_issuers": [{**ISSUER, "subjects": {"x": "@a@b.example"}}]},
            "/token_issuers/0/subjects: ",
        ),
        (a2a.Settings, {"token_issuers": [ISSUER, ISSUER]}, "/token_issuers: two token_issuers"),
        (discovery.Settings, {"card_keys": {"a.example": 5}}, "/card_keys/a.example: expected an object, not a number"),
        (discovery.Settings, {"card_keys": {"a.example": {}}}, "/card_keys/a.example: "),
        (discovery.Settings, {"card_keys": {"A.example": {"keys": []}}}, "/card_keys/A.example: "),
        (discovery.Settings, {"card_algorithms": []}, "/card_algorithms: expected one or more algorithms"),
        (slack.Settings, {"signing_secret": [], "issuer": "a.example"}, "/signing_secret: "),
        (slack.Settings, {"signing_secret": ["x", 5], "issuer": "a.example"}, "/signing_secret/1: expected a string"),
        (
            slack.Settings,
            {"signing_secret": "x", "issuer": "a.example", "teams": ["x"]},
            "/teams/0: expected the id of",
        ),
        (discord.Settings, {**NEEDED[discord.Settings], "public_key": "0" * 64}, "/public_key: "),
        (Settings, {"trust": [{**TRUSTED, "max_delegation": "2"}]}, "/trust/0/max_delegation: expected an integer"),
        (Settings, {"trust": {"entries": [], "max_lifetime": 60, "skew": 999}}, "/trust: "),
        (Settings, {"trace_viewer": "http://a.example/"}, "/trace_viewer: expected the https URL of a page or null"),
        (Settings, {"policy_hosts": ["a.example", "B"]}, "/policy_hosts/1: expected a DNS name"),
        (Settings, {"history": {"max_age": 1e300}}, "/history/max_age: expected fewer seconds"),
        (Settings, {"history": {"max_age": -1}}, "/history/max_age: expected a time of 0 or more or null"),
        (Settings, {"history": {"keep": "x"}}, "/history/keep: only a program can set this, no file"),
        (slack.Settings, {**NEEDED[slack.Settings], "files": {}}, "/files: only a program can set this, no file"),
    ],
)
def test_a_fault_has_the_pointer_of_its_member(kind: Any, named: dict[str, Any], words: str) -> None:
    assert complaint(named, kind).startswith(words), complaint(named, kind)


def test_what_json_can_name_is_read() -> None:
    named = {
        "limits": {"asks": 3, "parts": 4.0},
        "history": {"max_age": 1.5, "keep": None},
        "trace_viewer": None,
        "policy_hosts": ["pay.example"],
        "trust": [TRUSTED],
        "token_issuers": [{**ISSUER, "jwks_url": None, "subjects": {"x": "@a@a.example"}}],
    }
    found = read_settings(named, a2a.Settings)
    assert isinstance(found, a2a.Settings)
    assert (found.limits.asks, found.limits.parts, found.history.max_age) == (3, 4, timedelta(seconds=1.5))
    assert (found.trace_viewer, found.policy_hosts) == (None, ("pay.example",))
    assert found.trust is not None
    assert found.trust.entries[0].issuer == "a.example"
    assert found.token_issuers[0].subjects == {"x": "@a@a.example"}
    slack_settings = read_settings({"signing_secret": ["new", "old"], "issuer": "a.example"}, slack.Settings)
    assert getattr(slack_settings, "secrets", None) == (b"new", b"old")


@pytest.mark.parametrize("transport", ["email", "activitypub", "a2a", "rest", "slack", "discord"])
def test_a_command_ends_with_status_2_and_one_line(
    transport: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "unit").write_bytes(b"From: a@a.example\n\nx")
    file = tmp_path / "settings.json"
    kind = {"email": mail, "activitypub": activitypub, "a2a": a2a, "slack": slack, "discord": discord}.get(transport)
    needed = NEEDED[kind.Settings if kind else Settings]
    for name in (a.name for a in attrs.fields(Limits)):
        file.write_text(json.dumps({**needed, "limits": {name: "9"}}))
        words = ["decode", transport, str(tmp_path / "unit"), "--as", "@helper@agents.example", "--settings", str(file)]
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert (out, err) == ("", f"mentionable: {file}: /limits/{name}: expected an integer, not a string\n")
