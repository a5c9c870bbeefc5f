import asyncio
import errno
import json
import logging
import os
import subprocess
import sys

import pytest

from mentionable_host import Config, keys, logs
from mentionable_host.build import open_database
from mentionable_host.cli import commands, main, words
from mentionable_host.store import messages


def test_without_a_command_it_prints_the_help(cli):
    status, out, _ = cli()

    assert (status, "exit status" in out, "serve" in out) == (0, True, True)


def test_every_command_says_what_it_takes():
    _, parsers = commands.make_parser()
    for parser in parsers.values():
        parser.fill()

    assert {"new", "serve", "keys"} <= set(parsers)


def test_a_command_that_is_not_there_is_an_error_on_one_line(cli):
    status, _, errors = cli("sing")

    assert (status, errors.count("\n"), "--help" in errors) == (2, 1, True)


def test_without_a_project_it_says_how_to_make_one(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, errors = cli("keys")

    assert (status, "`mentionable-host new NAME` makes one" in errors) == (2, True)


def test_the_configuration_may_be_named_before_or_after_the_command(cli, project, monkeypatch):
    monkeypatch.chdir("/")

    assert cli("keys", "--config", f"{project}/mentionable.toml")[0] == 0
    assert cli("--config", f"{project}/mentionable.toml", "keys")[0] == 0
    assert cli("keys")[0] == 2


def test_a_mistake_in_the_configuration_is_named(cli, project):
    (project / "mentionable.toml").write_text('[agent]\nname = "x"\ndomain = "x.example"\n[server]\nprot = 1\n')
    status, _, errors = cli("keys")

    assert (status, "prot" in errors) == (2, True)


def test_a_key_that_others_may_read_is_refused_with_the_command_that_mends_it(cli, project):
    (project / "keys/actor.pem").chmod(0o644)
    status, _, errors = cli("keys")

    assert (status, "chmod 600" in errors) == (2, True)


def test_keys_are_shown_without_their_private_half(cli, project):
    status, out, _ = cli("keys", "--json")

    assert (status, [one["name"] for one in json.loads(out)]) == (0, ["actor", "mail", "card", "object"])
    assert "PRIVATE" not in out


def test_a_missing_key_is_made(cli, project):
    (project / "keys/card.pem").unlink()
    status, out, _ = cli("keys")

    assert (status, out.count("made ")) == (0, 1)
    assert (project / "keys/card.pem").stat().st_mode & 0o777 == 0o600


def test_the_key_of_the_actor_is_rotated(cli, project):
    if not hasattr(keys, "rotate_keys"):
        pytest.skip("nothing rotates keys yet")
    status, out, _ = cli("keys", "rotate")

    assert (status, "and signs with it from" in out, "actor, later" in out) == (0, True, True)
    assert cli("keys", "rotate")[0] == 2  # the last one does not sign yet


def test_a_fault_of_the_program_is_no_traceback(cli, project, monkeypatch):
    monkeypatch.setattr("mentionable_host.cli.keys.make_keys", lambda folder: 1 / 0)
    status, _, errors = cli("keys")

    assert (status, "fault of mentionable-host" in errors, "Traceback" in errors) == (2, True, False)
    assert "Traceback" in cli("--debug", "keys")[2]


def test_a_file_of_another_user_is_said_with_what_to_do(cli, project, monkeypatch):
    def denied(folder):
        raise PermissionError(errno.EACCES, "Permission denied", f"{project}/keys")

    monkeypatch.setattr("mentionable_host.cli.keys.make_keys", denied)
    status, _, errors = cli("keys")

    assert (status, f"{project}/keys: Permission denied" in errors, "as the user who owns" in errors) == (2, True, True)


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 141)])
def test_who_ends_it_is_told_by_its_status(project, monkeypatch, error, status):
    def raises(folder):
        raise error

    monkeypatch.setattr("mentionable_host.cli.keys.make_keys", raises)
    monkeypatch.setattr(sys.modules["mentionable_host.cli.main"], "_forget_stdout", lambda: None)

    assert main(["keys"]) == status


def test_what_others_wrote_is_printed_without_what_a_terminal_obeys(capsys):
    from rich.console import Console

    console = Console()
    words.say(console, "a\x1b[2Jb [red]c[/red]\u202e")
    words.rows(console, words.table("x"), [("one\ntwo\x07",)])
    words.json_out(console, {"a": "\x1b\u0085"})
    out = capsys.readouterr().out

    assert "a\\x1b[2Jb [red]c[/red]\\u202e" in out
    assert "one two" in out
    assert not {"\x1b", "\x07", "\u0085"} & set(out)


def logged(form, config, *given, exception=None):
    """A line as it is written."""
    info = (type(exception), exception, None) if exception else None
    record = logging.LogRecord("mentionable_host", logging.WARNING, "", 1, given[0], given[1:], info)
    return logs._Lines(form, hidden=logs.secrets_of(config)).format(record)


def test_a_log_line_is_one_line(project):
    config = Config.load(project / "mentionable.toml")
    line = logged("json", config, "from %s", "a\nb", exception=ValueError("c\nd"))

    assert "\n" not in line
    assert json.loads(line)["message"] == "from a\nb"
    assert "ValueError" in json.loads(line)["exception"]
    assert logged("text", config, "from %s", "a\nb\x1b").endswith("warning: from a\\nb\\x1b")


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_log_line_has_a_secret(project, monkeypatch, form):
    monkeypatch.setenv("RELAY", "smtp://me:relay%21password@relay.example:587")
    text = (project / "mentionable.toml").read_text()
    (project / "mentionable.toml").write_text(text.replace('relay = "direct"', 'relay = "env:RELAY"'))
    config = Config.load(project / "mentionable.toml")
    caller = (project / "secrets/caller.token").read_text().strip()
    line = logged(form, config, "%s", caller, exception=OSError("me:relay%21password@relay.example relay!password"))

    assert (caller in line, "%21" in line, "relay!" in line, "relay.example" in line) == (False, False, False, True)


def test_setting_the_logs_up_quiets_the_libraries(project, own_logs, capsys):
    logs.set_up("text", config=Config.load(project / "mentionable.toml"))
    logging.getLogger("httpx").info("GET https://x.example?password=1")
    logging.getLogger("mentionable_host").info("here")

    assert [line.partition(" ")[2] for line in capsys.readouterr().err.splitlines()] == ["here"]


def test_details_are_those_of_the_host_and_of_the_program_and_no_frames_of_libraries(project, own_logs, capsys):
    logs.set_up("text", config=Config.load(project / "mentionable.toml"), level=logging.DEBUG)
    logging.getLogger("websockets.client").debug('> TEXT \'{"op": 2, "d": {"token": "x"}}\'')
    logging.getLogger("openai._base_client").debug("Request options: the whole conversation")
    logging.getLogger("mentionable_host.turns").debug("here")
    logging.getLogger("agent").debug("there")

    assert [line.rpartition(" ")[2] for line in capsys.readouterr().err.splitlines()] == ["here", "there"]


@pytest.mark.parametrize("json_too", [False, True])
def test_a_terminal_that_cannot_show_a_text_gets_it_escaped(cli, project, json_too, make_message):
    config = Config.load(project / "mentionable.toml")
    database = open_database(config)
    message = make_message("日本 😀", recipient=config.agent.address)
    asyncio.run(database.write(lambda db: messages.put(db, message, transport="activitypub", files={})))
    database.close()

    words = [sys.executable, "-m", "mentionable_host", "inbox", *(["--json"] if json_too else [])]
    place = {"cwd": project, "env": {**os.environ, "PYTHONIOENCODING": "ascii"}}
    done = subprocess.run(words, capture_output=True, timeout=60, check=True, **place)

    if json_too:
        assert json.loads(done.stdout)[0]["text"] == "日本 😀"
    else:
        assert rb"\u65e5\u672c \U0001f600" in done.stdout


@pytest.mark.parametrize("words", [["export"], ["blocks", "list"], ["migrate"], ["forget", "@a@b.example"], ["outbox"]])
def test_a_file_that_is_no_database_is_told_in_words(cli, project, words):
    (project / "mentionable.db").write_text("not a database, as you see")
    status, _, errors = cli(*words)

    assert (status, "file is not a database" in errors) == (2, True)
    assert "fault" not in errors
    assert "http" not in errors
