"""The page about A2A says what is so."""

import re
import tomllib
from pathlib import Path

import pytest

from mentionable_host import Config
from mentionable_host.transports.a2a import A2A, following, operations

PAGE = (Path(__file__).parents[1] / "docs" / "a2a.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
TOML = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", PYTHON, ids=range(len(PYTHON)))
def test_a_program_of_the_page_runs(block):
    pytest.importorskip("fastapi")
    exec(compile(block, "a2a.md", "exec"), {})


@pytest.mark.parametrize("block", TOML, ids=range(len(TOML)))
def test_a_configuration_of_the_page_is_one(block):
    Config.parse({"agent": {"name": "helper", "domain": "agents.example"}, **tomllib.loads(block)})


def test_the_mounted_application_serves_the_card(make_host):
    fastapi = pytest.importorskip("fastapi.testclient")
    place: dict = {}
    exec(compile(PYTHON[-1], "a2a.md", "exec"), place)

    with fastapi.TestClient(place["mounted"](make_host(A2A))) as client:
        assert client.get("/.well-known/agent-card.json").json()["name"] == "helper"


def test_the_bounds_of_the_page_are_those_of_the_program():
    assert f"| {following.LISTENERS:,}; of one caller {following.OF_ONE}." in PAGE
    assert f"| {operations.WEBHOOKS}; of callers without a token {operations.WEBHOOKS_OF_ANYONE} |" in PAGE
    assert f"a comment every {following.KEEP_ALIVE_SECONDS} seconds" in PAGE
