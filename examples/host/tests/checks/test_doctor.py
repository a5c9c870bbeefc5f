"""`doctor` and `dns` as they are typed."""

import asyncio
import os
from argparse import ArgumentParser
from io import StringIO

import pytest
from rich.console import Console

from mentionable_host.checks import local
from mentionable_host.cli import dns, doctor
from mentionable_host.config import ConfigError
from mentionable_host.store import jobs
from mentionable_host.store.database import Database
from mentionable_host.store.tables import metadata


@pytest.fixture
def console():
    return Console(file=StringIO(), width=100, highlight=False)


@pytest.fixture
def database(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/host.sqlite")
    metadata.create_all(database.engine)
    yield database
    database.close()


def printed(console):
    return console.file.getvalue()


def look(healthy, console, **more):
    return asyncio.run(doctor.doctor(healthy.config, healthy.world, console, **more))


def problems(found):
    return [(one.severity, one.subject) for one in found if one.severity != "ok"]


def test_a_healthy_agent_is_called_healthy(healthy, console, database):
    assert look(healthy, console, database=database) == 0
    assert "Nothing keeps others from reaching the agent." in printed(console)


def test_an_error_comes_first_and_says_what_to_do(healthy, console):
    healthy.inbox = 404
    healthy.table["server"] = {"host": "0.0.0.0"}

    assert look(healthy, console) == 1
    lines = printed(console).splitlines()
    assert lines[0].startswith("✗ inbox")
    assert "port of `serve`" in printed(console)
    assert "To put right: 1. To look at: 1." in printed(console)


def test_in_a_file_no_line_is_broken(healthy):
    healthy.inbox = 404
    console = Console(file=StringIO(), width=40, highlight=False)
    look(healthy, console)
    first, second, *_ = printed(console).splitlines()

    assert first.endswith("answers with status 404, so that nothing can be delivered")
    assert second.startswith(f"{'':<17}Let the proxy pass POST on")


def test_a_domain_that_nobody_can_have_is_said_first(healthy, console):
    healthy.table["agent"]["domain"] = "mybot.example"

    assert look(healthy, console) == 1
    assert "mybot.example is an example" in printed(console)


def test_this_machine_alone_may_be_looked_at(healthy, console):
    assert asyncio.run(doctor.doctor(healthy.config, None, console)) == 0
    assert healthy.world.sent == []
    assert "Nothing is wrong on this machine." in printed(console)


def test_keys_that_are_missing_are_an_error(healthy, console):
    (healthy.folder / "keys" / "actor.pem").unlink()

    assert look(healthy, console) == 1
    assert "mentionable-host keys" in printed(console)


def test_a_store_that_does_not_open_is_an_error(healthy, console):
    assert look(healthy, console, trouble=ConfigError("the server is away")) == 1
    assert "the server is away" in printed(console)


def test_what_a_peer_wrote_is_no_markup(healthy, console):
    healthy.world.mx["agents.example"] = [(1, "[bold]x[/bold]\x1b[31m.example")]

    assert look(healthy, console) == 1
    assert "[bold]x[/bold]" in printed(console)
    assert "\x1b" not in printed(console)


def test_jobs_that_were_given_up_are_counted(database):
    def give_up(db):
        from datetime import UTC, datetime

        jobs.enqueue(db, jobs.Job(key="k", kind="deliver", lane="l", payload=b""), now=datetime.now(UTC))
        db.exec_driver_sql("UPDATE jobs SET state = 'dead'")

    async def run():
        await database.write(give_up)
        return await local.of_store(database)

    assert problems(asyncio.run(run())) == [("warning", "queue")]


def test_a_store_that_cannot_be_written_is_found(database, tmp_path):
    database.engine.dispose()
    (tmp_path / "host.sqlite").write_bytes(b"no database" * 1000)

    assert problems(asyncio.run(local.of_store(database))) == [("error", "store")]


def test_keys_that_others_may_read_are_found(healthy):
    os.chmod(healthy.folder / "keys" / "card.pem", 0o644)
    os.chmod(healthy.folder / "keys", 0o755)

    assert problems(local.of_files(healthy.config)) == [("warning", "files"), ("error", "files")]


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ({"operator": {"token": "a-secret-that-is-long-enough"}}, 1),
        ({"operator": {"token": "env:T"}}, 0),
        ({"operator": {"token": ""}}, 0),
        ({"a2a": {"callers": {"another-secret-in-clear": "@a@b.example"}}}, 1),
        ({"a2a": {"callers": {"file:caller.token": "@a@b.example"}}}, 0),
        ({"mail": {"relay": "smtp://user:password@relay.example"}}, 1),
        ({"store": {"url": "postgresql://user:password@db.example/bot"}}, 1),
        ({"network": {"proxy": "http://user:password@proxy.example:3128"}}, 1),
        ({"slack": {"signing_secret": "env:A", "bot_token": "xoxb", "app_id": "A1"}}, 1),
        ({"discord": {"public_key": "ab", "application_id": "1", "bot_token": "env:A"}}, 0),
        (
            {
                "bluebubbles": {
                    "url": "http://192.168.1.5:1234",
                    "password": "p",
                    "webhook_token": "env:W",
                    "account": "a@b.example",
                }
            },
            1,
        ),
    ],
)
def test_a_configuration_with_secrets_is_for_its_owner_alone(healthy, table, found):
    path = healthy.folder / "mentionable.toml"
    path.touch(mode=0o644)
    healthy.table |= table

    assert len(problems(local.of_files(healthy.config))) == found


def test_files_with_secrets_are_for_their_owner_alone(healthy):
    (healthy.folder / "operator.token").touch(mode=0o644)
    healthy.table["operator"] = {"token": "file:operator.token"}

    assert problems(local.of_files(healthy.config)) == [("warning", "files")]


def test_a_full_disk_is_found(healthy, monkeypatch):
    for free, severity in ((10, "error"), (500_000_000, "warning")):
        usage = type("Usage", (), {"free": free})
        monkeypatch.setattr(local.shutil, "disk_usage", lambda path, usage=usage: usage)
        assert problems(local.of_files(healthy.config)) == [(severity, "disk")]


@pytest.mark.parametrize(
    ("table", "severity"),
    [
        ({"server": {"host": "0.0.0.0"}}, "warning"),
        ({"server": {"proxies": ["*"]}}, "warning"),
        ({"a2a": {"local_webhooks": True}}, "warning"),
        ({"mail": {"unverified": True}}, "warning"),
        ({"a2a": {"callers": {"short": "@a@b.example"}}}, "error"),
        ({"operator": {"token": "env:NOT_SET_ANYWHERE"}}, "error"),
        ({"operator": {"token": "0123456789"}}, "error"),
    ],
)
def test_what_is_risky_in_a_configuration_is_found(healthy, table, severity):
    healthy.table |= table

    found = problems(local.of_config(healthy.config))

    assert found == [(severity, "configuration")]


def test_no_token_is_shown(healthy, console):
    healthy.table["a2a"] = {"callers": {"hunter2": "@a@b.example"}}

    look(healthy, console)

    assert "hunter2" not in printed(console)


def test_records_that_are_there_are_said_to_be(healthy, console):
    assert asyncio.run(dns.dns(healthy.config, healthy.world, console)) == 0
    assert "All records that are needed are there." in printed(console)


def test_records_that_are_missing_are_printed(healthy, console):
    healthy.world.txt.clear()

    assert asyncio.run(dns.dns(healthy.config, healthy.world, console)) == 1
    text = printed(console)
    assert "v=DMARC1; p=reject" in text
    assert "mentionable._domainkey.agents.example  missing" in text
    assert "3 of 9 records" in text


def test_a_zone_file_is_printed_without_asking(healthy, console):
    parser = ArgumentParser()
    dns.add_arguments(parser)

    assert asyncio.run(dns.run(healthy.config, parser.parse_args(["--zone"]), console)) == 0
    assert '_dmarc.agents.example. 3600 IN TXT "v=DMARC1; p=reject"' in printed(console)


def test_the_arguments_of_doctor_are_few():
    parser = ArgumentParser()
    doctor.add_arguments(parser)

    assert parser.parse_args(["--local"]).local
