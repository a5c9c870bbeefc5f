"""The page on the Fediverse: its examples run, one after the other."""

import re
import tomllib
from pathlib import Path

from mentionable_host import Config

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "fediverse.md").read_text("utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_configuration_of_the_page_is_one():
    first, *others = blocks("toml")
    config = Config.parse(tomllib.loads(first))
    assert config.agent.follows == "accept"
    for one in others:
        Config.parse({"agent": {"name": "helper", "domain": "agents.example"}, **tomllib.loads(one)})


def test_the_examples_of_the_page_run(fediverse, alice):
    fediverse.person("mallory", "other.example")
    names = {}
    for block in blocks("python"):
        exec(compile(block, "fediverse.md", "exec"), names)
    transport = fediverse.transport

    for name in ("publish", "decide", "block"):
        fediverse.run(names[name](transport))
    fediverse.work()
    assert {one["type"] for _, one in fediverse.sent()} == {"Create", "Announce", "Undo"}
    assert [row["target"] for row in fediverse.rows("blocks")] == ["spam.example"]

    app = names["make_app"](fediverse.host.agent, fediverse.host.config)
    assert "/inbox" in [route.path for route in app.routes]
