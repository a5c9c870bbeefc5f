"""`mentionable demo connector` tells what code did: a step that comes out otherwise is told as such, and fails."""

from __future__ import annotations

import pytest

from mentionable import a2a, identity, replace
from mentionable.cli import main
from mentionable.cli.demo import connector as _demo_connector
from mentionable.connectors import slack
from mentionable.connectors.slack import _receive
from mentionable.testing import ConnectorPeer, LookupTable, SlackPeer
from tests.cli.demos import name, printed, wrong


@pytest.fixture
def tell(capsys):
    """Runs the demo, and gives its status and its lines."""

    def run(*typed: str) -> tuple[int, list[str]]:
        status = _demo_connector.run(*typed) if typed else main(["demo", "connector"])
        return status, printed(capsys)

    return run


def of(lines: list[str], name: str) -> list[str]:
    """What the lines of one name say."""
    return [line[14:] for line in lines if line.startswith(f"  {name} ")]


def test_somebody_in_slack_is_known_to_the_agent_and_answered(tell):
    status, lines = tell()
    assert (status, wrong(lines)) == (0, [])
    assert (
        of(lines, "hears")
        == of(lines, "reads")
        == ["Alice: @helper What is **our** uptime? See [the page](https://status.example/?a=1&b=2)."]
    )
    assert of(lines, "its twin")[0].endswith("rejected, request-unverified")
    assert of(lines, "verified") == ["slack:T123/U456, by slack.agents.example, key test"]
    assert of(lines, "allowed")[0].startswith("roles user")
    assert of(lines, "answer") == [
        "chat.postMessage in C123: It was *99.98 %* this month, says <https://status.example/|the page>."
    ]


def test_evidence_counts_once_and_only_for_whom_it_names(tell):
    _, lines = tell()
    assert of(lines, "replay")[0].startswith("replay: replayed")
    assert of(lines, "stranger")[0].startswith("trust: issuer-untrusted")
    assert of(lines, "changed")[0].startswith("signature: signature-invalid")
    assert "0 documents of that stranger were asked for" in "\n".join(lines)


def test_other_words_make_another_story(tell):
    words = ("Is it ~up~ *down*?", "Is it ~~up~~ **down**?")
    status, lines = tell(*words)
    assert status == 0
    assert of(lines, "reads") == ["Alice: @helper Is it ~~up~~ **down**?"]
    assert tell(*words) == (status, lines)


# -- a side that does not do its part


def test_a_connector_that_verifies_nothing_is_seen(tell, monkeypatch):
    monkeypatch.setattr(_receive, "verify", lambda *_, **__: None)
    status, lines = tell()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["its twin"]


def test_a_connector_that_does_not_know_its_members_is_seen(tell, monkeypatch):
    monkeypatch.setattr(SlackPeer, "lookups", {})
    status, lines = tell()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)][:2] == ["hears", "shown"]


def test_an_agent_that_trusts_another_workspace_is_seen(tell, monkeypatch):
    trusted = ConnectorPeer.trusted
    monkeypatch.setattr(ConnectorPeer, "trusted", lambda self, *_: trusted(self, "slack:T9/"))
    status, lines = tell()
    assert status == 1
    assert {"verified", "allowed"} <= {name(fault) for fault in wrong(lines)}


def test_a_store_that_forgets_is_seen(tell, monkeypatch):
    monkeypatch.setattr(LookupTable, "_use_once", lambda self, ask: True)
    status, lines = tell()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["replay"]


def test_an_agent_without_a_list_is_seen(tell, monkeypatch):
    monkeypatch.setattr(identity.AgentACL, "allows", lambda *_, **__: True)
    status, lines = tell()
    assert status == 1
    assert [name(fault) for fault in wrong(lines)] == ["replay", "stranger", "changed"]


def test_other_words_than_were_typed_are_seen(tell):
    status, lines = tell("Is it *down*?", "Is it **up**?")
    assert (status, [name(fault) for fault in wrong(lines)]) == (1, ["hears", "reads"])


def test_an_answer_whose_link_is_lost_is_seen(tell, monkeypatch):
    honest = slack.reply
    monkeypatch.setattr(
        slack,
        "reply",
        lambda back, to: honest(replace(back, parts=(replace(back.parts[0], content="It was **99.98 %**."),)), to=to),
    )
    status, lines = tell()
    assert status == 1
    assert wrong(lines)[0].endswith("got chat.postMessage in C123: It was *99.98 %*.")


@pytest.mark.parametrize(
    ("sides", "about"),
    [
        ((a2a, "call"), "after"),
        ((a2a, "result"), "answer"),
        ((slack, "receive"), "after"),
        ((_demo_connector, "render_agent_chain"), "chain"),
    ],
)
def test_a_function_that_gives_nothing_is_seen(tell, monkeypatch, sides, about):
    monkeypatch.setattr(*sides, lambda *_, **__: None)
    status, lines = tell()
    assert status == 1
    assert name(wrong(lines)[0]).startswith(about)
