"""How long `mentionable-host serve` takes from its start to its first answer: `python benchmarks/startup.py [STARTS]`.

It makes a project in a folder of its own. Besides the time on the clock it prints the time of the processor, which a
busy machine changes less. Bytecode is written before, as pip does it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from statistics import median

WANTED = 1.5
"""Seconds from the start to listening."""


def main(starts: int) -> int:
    """Prints the figures as JSON; 1 where the median start takes longer than it may."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "mentionable_host"]
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([*command, "new", "mybot"], cwd=place, env=environment, check=True, stdout=subprocess.DEVNULL)
        folder, port = Path(place) / "mybot", free_port()
        path = folder / "mentionable.toml"
        path.write_text(path.read_text().replace("127.0.0.1:2525", f"127.0.0.1:{free_port()}"))
        serve = [*command, "serve", "--port", str(port)]
        measured = [start(serve, folder, port, environment) for _ in range(starts + 1)][1:]
    clock, processor = (sorted(column) for column in zip(*measured, strict=True))
    figures = {"starts": starts, "clock": median(clock), "fastest": clock[0], "processor": median(processor)}
    print(json.dumps({name: round(value, 2) for name, value in figures.items()}))
    return 0 if median(clock) <= WANTED else 1


def start(serve: list[str], folder: Path, port: int, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds to the first answer: on the clock, and of the processor."""
    began = time.monotonic()
    process = subprocess.Popen(serve, cwd=folder, env=environment, stderr=subprocess.DEVNULL)
    while not answers(port):
        if process.poll() is not None:
            raise SystemExit(f"serve ended with status {process.returncode}")
        time.sleep(0.005)
    seconds = time.monotonic() - began
    user, system = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    process.send_signal(signal.SIGTERM)
    process.wait()
    return seconds, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def answers(port: int) -> bool:
    """Whether a server answers there."""
    try:
        urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


def free_port() -> int:
    """A port that nobody has just now."""
    with socket.create_server(("127.0.0.1", 0)) as place:
        port: int = place.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10))
