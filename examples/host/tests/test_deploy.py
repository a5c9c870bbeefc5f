"""The files in deploy/, as far as they can be checked without an engine for containers."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mentionable_host.cli import commands, reference

HOST = Path(__file__).parents[1]
ROOT = HOST.parents[1]
DEPLOY = HOST / "deploy"


@pytest.fixture(scope="module")
def dockerfile():
    """The instructions, each on one line."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def services():
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def taken_by(command, words):
    """Whether a command line is one of the host."""
    parser, _ = commands.make_parser()
    return parser.parse_args([*command, *words])


def test_the_image_copies_only_what_is_there(dockerfile):
    copied = [line.split()[1:-1] for line in dockerfile if line.startswith("COPY") and "--from" not in line]

    assert copied
    assert [path for paths in copied for path in paths if not (ROOT / path).exists()] == []


def test_the_image_runs_without_root_and_with_a_check_of_its_health(dockerfile):
    users = [line.split()[1] for line in dockerfile if line.startswith("USER")]

    assert users == ["10001:10001"]
    assert sum(line.startswith("HEALTHCHECK") for line in dockerfile) == 1
    assert not [line for line in dockerfile if line.startswith("ADD") or ":latest" in line]
    assert dockerfile.index("USER 10001:10001") > max(
        number for number, line in enumerate(dockerfile) if line.startswith("RUN")
    )


def test_the_image_starts_a_command_that_there_is(dockerfile):
    words = re.findall(r'"([^"]+)"', next(line for line in dockerfile if line.startswith("CMD")))

    assert taken_by(words, []).host == "0.0.0.0"


@pytest.mark.parametrize("name", ["web", "worker"])
def test_a_service_starts_a_command_that_there_is(services, name):
    arguments = taken_by(services["services"][name]["command"], [])

    assert arguments.parts == name
    assert arguments.log == "json"


@pytest.mark.parametrize("name", ["web", "worker", "proxy"])
def test_a_service_cannot_write_to_its_files_or_gain_rights(services, name):
    service = services["services"][name]

    assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_database_is_reached_by_the_host_alone(services):
    assert services["networks"]["back"]["internal"] is True
    assert services["services"]["database"]["networks"] == ["back"]
    assert "ports" not in services["services"]["database"]
    assert services["services"]["proxy"]["networks"] == ["front"]


def test_the_proxy_is_believed_and_nobody_else(services):
    subnet = services["networks"]["front"]["ipam"]["config"][0]["subnet"]

    assert taken_by(services["services"]["web"]["command"], []).proxy == [subnet]


def test_everything_that_compose_names_is_there(services):
    for service in services["services"].values():
        assert set(service.get("secrets", ())) <= set(services["secrets"])
        assert set(service["networks"]) <= set(services["networks"])
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in services["volumes"] or source.startswith("${PROJECT") or (DEPLOY / source).exists()
    assert (DEPLOY / services["x-host"]["build"]["context"]).resolve() == ROOT
    assert (ROOT / services["x-host"]["build"]["dockerfile"]).exists()


def test_no_secret_is_in_the_files():
    text = "".join(path.read_text() for path in DEPLOY.iterdir())

    assert not re.search(r"(?i)password[ \t]*[:=][ \t]*\S", text.replace("POSTGRES_PASSWORD_FILE", ""))


def test_the_unit_starts_a_command_that_there_is():
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read(DEPLOY / "mentionable-host.service")
    program, *words = unit["Service"]["ExecStart"].split()

    assert program.endswith("/bin/mentionable-host")
    assert taken_by(words, []).log == "json"
    assert int(unit["Service"]["TimeoutStopSec"]) >= 20
    assert unit["Service"]["RestartPreventExitStatus"] == "2"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_the_proxies_end_requests_that_come_slowly():
    caddy, nginx = (DEPLOY / "Caddyfile").read_text(), (HOST / "docs/deploy.md").read_text()
    timeouts = caddy.partition("servers {")[2].partition("timeouts {")[2].partition("}")[0].split()
    options = caddy[: caddy.index("{$DOMAIN}")]

    assert dict(zip(timeouts[::2], timeouts[1::2], strict=True)) == {
        "read_header": "10s",
        "read_body": "2m",
        "idle": "2m",
    }
    assert options.count("{") == options.count("}") == 3
    assert {"client_header_timeout 10s;", "client_body_timeout 30s;"} <= {line.strip() for line in nginx.splitlines()}


def test_systemd_understands_the_unit(tmp_path):
    program = tmp_path / "mentionable-host"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    text = (DEPLOY / "mentionable-host.service").read_text()
    text = text.replace("/opt/mentionable-host/bin/mentionable-host", str(program))
    (tmp_path / "mentionable-host.service").write_text(text)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / "mentionable-host.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in done.stderr.splitlines() if "mentionable-host.service" in line]

    assert [line for line in ours if "Failed to" not in line] == []


def test_the_page_of_the_command_line_is_as_the_parsers_are():
    assert (HOST / "docs/cli.md").read_text() == reference.page(), "run python -m mentionable_host.cli.reference"


def test_the_pages_show_the_program_that_new_writes():
    program = (HOST / "mentionable_host/cli/project/agent.py").read_text()
    whole = [line for line in program.splitlines() if line and '"""' not in line and not line.strip().startswith("#")]
    for name in ("README.md", "docs/quickstart.md"):
        shown = re.findall(r"```python\n(.*?)```", (HOST / name).read_text(), re.DOTALL)[0]
        assert [line for line in shown.splitlines() if line] == whole


@pytest.mark.storm
def test_what_the_image_installs_makes_and_serves_a_project(tmp_path):
    """The steps of the image in a virtual environment: what is in the wheels, and nothing else of the repository."""
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", ROOT, HOST], check=True, cwd=tmp_path)
    command = tmp_path / "venv/bin/mentionable-host"
    subprocess.run([command, "new", "mybot"], check=True, cwd=tmp_path)
    done = subprocess.run([command, "serve", "--demo", "--once"], check=False, cwd=tmp_path / "mybot")

    assert done.returncode == 0
