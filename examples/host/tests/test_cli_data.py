import argparse
import asyncio
import json
import shutil
import stat
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest
from rich.console import Console

from mentionable_host import Config, ConfigError
from mentionable_host.cli import data
from mentionable_host.receiving import answer_job
from mentionable_host.store import jobs, messages
from mentionable_host.store.database import Database


@pytest.fixture
def config(tmp_path, key_folder):
    shutil.copytree(key_folder / "keys", tmp_path / "keys")
    return Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path)


@pytest.fixture
def command(config, capsys):
    """Runs a command; its exit status and what it printed."""

    def run(name, *words, config=config):
        parser = argparse.ArgumentParser()
        getattr(data, f"add_{name}_arguments")(parser)
        arguments = parser.parse_args(words)
        arguments.entry = SimpleNamespace(name=name)
        status = asyncio.run(data.run(config, arguments, Console(width=200)))
        return status, capsys.readouterr().out

    return run


@pytest.fixture
def talk(tmp_path, command, make_message):
    command("migrate")
    database = Database(f"sqlite:///{tmp_path}/mentionable.db")
    asked = make_message("SECRET words")
    job = answer_job(asked, number=1)

    def work(db):
        messages.put(db, asked, transport="email", files={})
        jobs.enqueue(db, job, now=datetime.now(UTC))

    asyncio.run(database.write(work))
    database.close()


def files(tmp_path):
    return b"".join(place.read_bytes() for place in tmp_path.glob("mentionable.db*"))


def test_a_person_is_forgotten_when_it_is_said_twice(command, talk, tmp_path):
    status, said = command("forget", "@alice@a.example")
    assert status == 0
    assert "1 jobs, 1 messages, 1 threads" in said
    assert "--yes" in said
    assert b"SECRET" in files(tmp_path)

    status, said = command("forget", "@alice@a.example", "--yes")
    assert (status, "This is erased." in said, "deliveries wait" in said) == (0, True, False)
    assert b"SECRET" not in files(tmp_path)
    assert command("forget", "@alice@a.example", "--yes")[0] == 1


def test_a_copy_that_has_their_words_is_named(command, talk, tmp_path):
    (tmp_path / "mentionable.db.0001").write_bytes(b"")

    assert "mentionable.db.0001 is a copy" in command("forget", "@alice@a.example", "--yes")[1]


def test_everything_is_moved_to_another_database(command, talk, tmp_path, config):
    place = tmp_path / "all.jsonl"
    assert command("export", "--to", str(place))[0] == 0
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    other = Config.parse({"agent": {"name": "helper", "domain": "agents.example"}}, folder=tmp_path / "other")

    status, said = command("import", str(place), config=other)

    assert (status, said) == (0, "Read 3 rows: 1 jobs, 1 messages, 1 threads.\n")
    with pytest.raises(ConfigError, match="not empty"):
        command("import", str(place), config=other)
    with pytest.raises(ConfigError, match="is there already"):
        command("export", "--to", str(place))


def test_a_person_gets_what_is_stored_of_them(command, talk, tmp_path):
    place = tmp_path / "alice.jsonl"
    command("export", "--person", "alice@a.example", "--to", str(place))

    rows = [json.loads(line) for line in place.read_text().splitlines()]
    assert [one.get("table") for one in rows] == [None, "messages", None]


def test_a_file_that_was_not_finished_is_removed(command, talk, tmp_path):
    with pytest.raises(ConfigError, match="is a domain"):
        command("export", "--person", "a.example", "--to", str(tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_blocks_are_added_listed_and_removed(command, tmp_path):
    assert command("blocks", "add", "Spam.example", "--note", "bad\x1b[2J") == (0, "spam.example is blocked.\n")
    assert command("blocks", "add", "@eve@e.example", "--silence") == (0, "@eve@e.example is silenced.\n")
    said = command("blocks", "list")[1].splitlines()
    assert [line.split()[:3] for line in said] == [
        ["@eve@e.example", "silence", "operator"],
        ["spam.example", "suspend", "operator"],
    ]
    assert "\x1b" not in said[1]
    assert command("blocks", "remove", "spam.example") == (0, "spam.example is heard again.\n")
    assert command("blocks", "remove", "spam.example")[0] == 1
    with pytest.raises(ConfigError, match="is no"):
        command("blocks", "add", "not a domain")


def test_a_list_of_mastodon_is_read_and_written(command, tmp_path):
    (tmp_path / "list.csv").write_text(
        "#domain,#severity\nspam.example,suspend\nfine.example,noop\nno domain,suspend\n"
    )

    status, said = command("blocks", "import", str(tmp_path / "list.csv"))

    assert status == 0
    assert "1 are blocked or silenced; 1 lines name nobody" in said
    assert "list.csv:4: no domain or address" in said
    assert "spam.example,suspend,false,false,,false" in command("blocks", "export")[1]
    assert command("blocks", "export", "--people")[1] == ""


def test_a_database_is_brought_up_to_date(command):
    assert command("migrate")[1] == "The database has revision 0001 now.\n"
    assert command("migrate")[1] == "The database is up to date: revision 0001.\n"


@pytest.mark.parametrize("words", [("forget", "@alice@a.example"), ("export",), ("blocks", "list"), ("migrate",)])
def test_a_database_that_cannot_be_used_is_named_with_what_to_do(command, config, tmp_path, words):
    (tmp_path / "mentionable.db").write_bytes(b"This is something else." * 50)
    with pytest.raises(ConfigError, match=r"cannot be opened: file is not a database\n.*Is its folder there"):
        command(*words)
