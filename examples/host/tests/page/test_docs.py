"""What `docs/operator.md` says is so."""

import re
import tomllib
from pathlib import Path

import pytest

from mentionable_host import metrics
from mentionable_host.config import Config
from mentionable_host.operator.responses import NAVIGATION

HOST = Path(__file__).parents[2]
PAGE = (HOST / "docs" / "operator.md").read_text()


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_what_it_configures_is_a_configuration(tmp_path):
    for block in blocks("toml"):
        table = tomllib.loads(block)
        Config.parse({"agent": {"name": "helper", "domain": "agents.example"}, **table}, folder=tmp_path)


def test_its_links_and_pictures_are_there():
    for target in re.findall(r'\]\(([^)#]+)\)|src="([^"]+)"', PAGE):
        path = HOST / "docs" / "".join(target)
        assert path.exists() or path.name in ("data.md",), path


def test_it_names_every_page_and_every_metric():
    source = Path(metrics.__file__).read_text()
    names = re.findall(r'"(mentionable\.[a-z.]+)"', source)

    assert len(names) == 7
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    assert [label for label, _ in NAVIGATION if f"| {label} |" not in PAGE] == []


@pytest.mark.storm
def test_prometheus_reads_what_is_counted(tmp_path):
    """In a process of its own: a provider is set for good."""
    pytest.importorskip("opentelemetry.exporter.prometheus")
    import subprocess
    import sys

    [program, *_] = blocks("python")
    program = program.replace("9464", "0").replace("start_http_server(", "server, _ = start_http_server(")
    then = """
import asyncio, urllib.request
from mentionable_host import metrics as host_metrics
from mentionable import Rejected
host_metrics.note_received(Rejected(code="signature-invalid"))
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/metrics").read().decode())
"""
    done = subprocess.run(
        [sys.executable, "-c", program + then], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
    assert re.search(r'mentionable_messages_refused_total\{code="signature-invalid".*\} 1\.0', done.stdout)
