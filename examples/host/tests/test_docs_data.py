import argparse
import asyncio
import re
import shlex
import tomllib
from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from mentionable_host import Config
from mentionable_host.cli import data

PAGE = (Path(__file__).parents[1] / "docs" / "data.md").read_text("utf-8")
AGENT = {"agent": {"name": "helper", "domain": "agents.example"}}


def blocks_of(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, flags=re.DOTALL)


def test_the_configuration_of_the_page_is_read():
    for text in blocks_of("toml"):
        assert Config.parse({**tomllib.loads(text), **AGENT}).agent.name == "helper"


def test_the_commands_of_the_page_say_what_it_says(tmp_path, capsys):
    (block,) = [text for text in blocks_of("console") if "blocks add" in text]
    config, said = Config.parse(AGENT, folder=tmp_path), ""
    for line in block.splitlines():
        if not line.startswith("$ mentionable-host blocks "):
            continue
        parser = argparse.ArgumentParser()
        data.add_blocks_arguments(parser)
        arguments = parser.parse_args(shlex.split(line)[3:])
        arguments.entry = SimpleNamespace(name="blocks")
        assert asyncio.run(data.run(config, arguments, Console(width=200))) == 0
        said += f"{line}\n{capsys.readouterr().out}"

    def plain(text):
        return [re.sub(r"\d{4}-\d\d-\d\d", "DAY", line).split() for line in text.splitlines()]

    assert plain(said) == plain(block)
