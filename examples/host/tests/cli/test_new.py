import tomllib
from fnmatch import fnmatch

import pytest
from attrs import fields

import mentionable_host
from mentionable_host import Config
from mentionable_host.build import load_agent
from mentionable_host.config import secret
from mentionable_host.keys import Keys


def test_a_new_project_loads_as_it_is(project):
    config = Config.load(project / "mentionable.toml")

    assert config.agent.address == "@mybot@mybot.example"
    assert Keys.load(config).actor.key_id == "https://mybot.example/actors/mybot#main-key"
    assert load_agent(config)


def test_its_program_has_thirty_lines_at_most(project):
    assert len((project / "agent.py").read_text().splitlines()) <= 30


def test_its_configuration_names_every_section(project):
    text = (project / "mentionable.toml").read_text()
    names = {one.name for one in fields(Config)} - {"folder", "trust"}

    assert {name for name in names if f"[{name}]" not in text} == set()


def test_what_is_commented_out_in_its_configuration_is_right_too(project):
    text = (project / "mentionable.toml").read_text()
    lines = [line.removeprefix("# ") for line in text.splitlines() if not line.startswith("# The ") or "=" in line]
    whole = tomllib.loads("\n".join(line for line in lines if line.startswith("[") or " = " in line))

    known = {name: one for name, one in whole.items() if name in {one.name for one in fields(Config)}}
    assert Config.parse(known, folder=project).slack is not None


@pytest.mark.parametrize("place", ["keys/actor.pem", "secrets/operator.token", "secrets/caller.token"])
def test_others_cannot_read_its_secrets(project, place):
    assert (project / place).stat().st_mode & 0o077 == 0
    assert (project / place).parent.stat().st_mode & 0o077 == 0


def test_git_does_not_take_its_secrets(project):
    patterns = [line.rstrip("/") for line in (project / ".gitignore").read_text().splitlines() if line]
    kept = ["keys", "secrets", ".env", "mentionable.db", "mentionable.db-wal", "demo.db.lock", "mentionable.db.0001"]

    assert [one for one in [*kept, "all.jsonl"] if not any(fnmatch(one, pattern) for pattern in patterns)] == []
    assert not any(fnmatch(one, pattern) for one in ("agent.py", "mentionable.toml") for pattern in patterns)


@pytest.fixture(params=["pydantic-ai", "openai-agents"])
def clever(request, cli, project, monkeypatch):
    """A project whose program asks a model: the framework, and its folder."""
    monkeypatch.chdir(project.parent)
    status, out, _ = cli("new", "clever", "--with", request.param)
    assert (status, "pip install" in out) == (0, True)
    return request.param, project.parent / "clever"


def test_a_program_with_a_model_is_short(clever):
    program = (clever[1] / "agent.py").read_text()

    assert compile(program, "agent.py", "exec")
    assert (len(program.splitlines()) <= 30, "{{" in program) == (True, False)


@pytest.mark.storm
def test_a_program_with_a_model_loads(clever, monkeypatch):
    framework, folder = clever
    pytest.importorskip({"openai-agents": "agents"}.get(framework, "pydantic_ai"))
    if not hasattr(mentionable_host, f"from_{framework.replace('-', '_')}"):
        pytest.skip("this framework has no adapter yet")
    monkeypatch.setenv("OPENAI_API_KEY", "nothing is asked of it here")

    assert load_agent(Config.load(folder / "mentionable.toml"))


def test_its_tokens_are_its_own(project):
    config = Config.load(project / "mentionable.toml")
    tokens = {secret(one, folder=project) for one in (config.operator.token, *config.a2a.callers)}

    assert len(tokens) == 2
    assert min(map(len, tokens)) >= 43


def test_new_says_what_is_next(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, out, _ = cli("new", "other", "--domain", "Agents.Example.ORG")

    assert (status, "cd other && mentionable-host serve --demo" in out) == (0, True)
    assert Config.load(tmp_path / "other/mentionable.toml").agent.address == "@other@agents.example.org"
    assert (tmp_path / "other/keys/actor.pem").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("My Bot",), "for example my-bot"),
        (("-x",), "--help"),
        (("..",), "no name for an agent"),
        (("x" * 31,), "1 to 30"),
        (("x", "--domain", "https://x.example"), "no domain"),
        (("x", "--domain", "localhost"), "no domain"),
        (("x", "--domain", f"{'a.' * 130}example"), "no domain"),
    ],
)
def test_a_wrong_name_is_refused_with_a_hint(cli, tmp_path, monkeypatch, words, hint):
    monkeypatch.chdir(tmp_path)
    status, _, errors = cli("new", *words)

    assert (status, hint in errors) == (2, True), errors
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_is_there_is_left_alone(cli, project, monkeypatch):
    before = (project / "agent.py").read_bytes()
    monkeypatch.chdir(project.parent)
    status, _, errors = cli("new", "mybot")

    assert (status, "there already" in errors) == (2, True)
    assert (project / "agent.py").read_bytes() == before
