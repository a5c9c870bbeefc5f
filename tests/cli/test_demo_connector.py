"""`mentionable demo connector` prints what the code did: a step with another result fails."""

from __future__ import annotations

import pytest

from mentionable import a2a, identity, replace
from mentionable.cli import main
from mentionable.cli.demo import connector as _demo_connector
from mentionable.connectors import slack
from mentionable.connectors.slack import _claim
from mentionable.testing import ConnectorPeer, LookupTable, SlackPeer
from tests.cli.demos import name, printed, wrong


@pytest.fixture
def demo(capsys):
    """Runs the demo, and gives its status and its lines."""

    def run(*typed: str) -> tuple[int, list[str]]:
        status = _demo_connector.run(*typed) if typed else main(["demo", "connector"])
        return status, printed(capsys)

    return run


def of(lines: list[str], name: str) -> list[str]:
    """What the lines of one name say."""
    return [line[14:] for line in lines if line.startswith(f"  {name} ")]


def test_a_slack_user_is_verified_to_the_agent_and_answered(demo):
    status, lines = demo()
    assert (status, wrong(lines)) == (0, [])
    asked = "What is **our** uptime? See [the page](https://status.example/?a=1&b=2)."
    assert of(lines, "receives") == [f"Alice: @‹helper› (<@UBOT>) {asked}"]
    assert of(lines, "reads") == [f"Alice: <@UBOT> {asked}"]
    assert of(lines, "tampered")[0].endswith("rejected, request-unverified")
    assert of(lines, "retry") == ["the same event again: claimed before, so it is one question"]
    assert of(lines, "verifies")[1:] == ["slack:T123/U456, by slack.agents.example, key test"]
    assert of(lines, "roles")[0].startswith("user")
    assert of(lines, "reply") == [
        "chat.postMessage in C123: It was *99.98 %* this month, says <https://status.example/|the page>."
    ]


def test_evidence_counts_once_and_only_for_its_audience(demo):
    _, lines = demo()
    assert of(lines, "replayed")[0].startswith("evidence ignored: replay: replayed")
    assert of(lines, "untrusted")[0].startswith("evidence ignored: trust: issuer-untrusted")
    assert of(lines, "changed")[0].startswith("evidence ignored: signature: signature-invalid")
    assert "the agent fetched 0 documents of that connector" in "\n".join(lines)


def test_other_words_make_another_story(demo):
    words = ("Is it ~up~ *down*?", "Is it ~~up~~ **down**?")
    status, lines = demo(*words)
    assert status == 0
    assert of(lines, "reads") == ["Alice: <@UBOT> Is it ~~up~~ **down**?"]
    assert demo(*words) == (status, lines)


# -- a side that does not do its part


def test_a_connector_that_verifies_nothing_fails(demo, monkeypatch):
    monkeypatch.setattr(_claim, "verify", lambda *_, **__: None)
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["tampered"]


def test_a_connector_that_does_not_know_its_members_fails(demo, monkeypatch):
    monkeypatch.setattr(SlackPeer, "lookups", {})
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)][:2] == ["receives", "verifies"]


def test_an_agent_that_trusts_another_workspace_fails(demo, monkeypatch):
    trusted = ConnectorPeer.trusted
    monkeypatch.setattr(ConnectorPeer, "trusted", lambda self, *_: trusted(self, "slack:T9/"))
    status, lines = demo()
    assert status == 1
    assert {"verifies", "roles"} <= {name(fault) for fault in wrong(lines)}


def test_a_store_that_forgets_fails(demo, monkeypatch):
    monkeypatch.setattr(LookupTable, "_use_once", lambda self, ask: "first")
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["retry", "replayed"]


def test_an_agent_without_a_list_fails(demo, monkeypatch):
    monkeypatch.setattr(identity.AgentACL, "allows", lambda *_, **__: True)
    status, lines = demo()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["replayed", "untrusted", "changed"]


def test_other_words_than_were_typed_fail(demo):
    status, lines = demo("Is it *down*?", "Is it **up**?")
    assert (status, [name(fault) for fault in wrong(lines)]) == (1, ["receives", "reads"])


def test_an_answer_whose_link_is_lost_fails(demo, monkeypatch):
    honest = slack.reply
    monkeypatch.setattr(
        slack,
        "reply",
        lambda back, to: honest(replace(back, parts=(replace(back.parts[0], content="It was **99.98 %**."),)), to=to),
    )
    status, lines = demo()
    assert status == 1
    assert wrong(lines)[0].endswith("got reply       chat.postMessage in C123: It was *99.98 %*.")


@pytest.mark.parametrize(
    ("sides", "about"),
    [
        ((a2a, "call"), "after"),
        ((a2a, "result"), "reply"),
        ((slack, "receive"), "after"),
        ((_demo_connector, "render_agent_chain"), "chain"),
    ],
)
def test_a_function_that_gives_nothing_fails(demo, monkeypatch, sides, about):
    monkeypatch.setattr(*sides, lambda *_, **__: None)
    status, lines = demo()
    assert status == 1
    assert name(wrong(lines)[0]).startswith(about)
