"""The host of the benchmark `inbox.py`: it takes deliveries, and answers nothing.

Usage: python inbox_host.py FOLDER PORT-OF-PEERS [DATABASE]. The port that it listens at is the first line it prints.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from pathlib import Path

import uvicorn
from loopback import HOST

from mentionable_host import Agent, Config
from mentionable_host.build import build
from mentionable_host.cli.listening import fastest_loop, listen
from mentionable_host.keys import make_keys
from mentionable_host.world.internet import Internet

LIMITS = {"sender_per_hour": 10**9, "domain_per_hour": 10**9, "thread_turns": 10**9}


def main(folder: Path, peers: int, *, url: str) -> None:
    """Serves until it is killed."""
    make_keys(folder)
    table = {"agent": {"name": "helper", "domain": "agents.example"}, "store": {"url": url}, "limits": LIMITS}
    world = Internet(routes={HOST: ("127.0.0.1", peers)}, tls=False)
    host = build(Config.parse(table, folder=folder), Agent(), world=world)
    gc.freeze()  # as `serve` does it
    with listen("127.0.0.1", 0) as listening:
        print(listening.getsockname()[1], flush=True)
        app = host.app(parts="web")
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False, ws="none"))
        with asyncio.Runner(loop_factory=fastest_loop()) as runner:  # as `serve` has it
            runner.run(server.serve(sockets=[listening]))


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        url=sys.argv[3] if len(sys.argv) > 3 else f"sqlite:///{sys.argv[1]}/host.db",
    )
