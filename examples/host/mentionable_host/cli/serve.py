"""`serve`: runs the host until a signal ends it."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from attrs import evolve
from rich.console import Console

from mentionable_host import logs
from mentionable_host.asgi import CONFIG, GRACE_SECONDS, LOG, PARTS, SEVERAL
from mentionable_host.build import build, load_agent, open_database
from mentionable_host.cli.collector import unhindered
from mentionable_host.cli.listening import check_mail_ports, fastest_loop, listen, options, serving, stopping, url_of
from mentionable_host.cli.words import CommandError, say
from mentionable_host.config import Config
from mentionable_host.host import Host, Parts
from mentionable_host.keys import Keys
from mentionable_host.sections import MAX_PORT

__all__ = ["add_arguments", "run"]

log = logging.getLogger(__name__)

APP: Final = "mentionable_host.asgi:app"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How it is run."""
    parser.add_argument("--host", metavar="ADDRESS", help="listen there (default: server.host)")
    parser.add_argument("--port", type=_port, help="listen there (default: server.port)")
    parser.add_argument(
        "--proxy", action="append", metavar="ADDRESS", help="believe this proxy, or network (default: server.proxies)"
    )
    parser.add_argument("--demo", action="store_true", help="on this machine alone: three people write to the agent")
    parser.add_argument("--once", action="store_true", help="with --demo: end after it; 1 if an answer is wrong")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes for HTTP (needs PostgreSQL)")
    parser.add_argument(
        "--parts",
        choices=("all", "web", "worker"),
        default="all",
        help="take messages in (web), do jobs (worker), or all of it; one without the other needs PostgreSQL",
    )
    parser.add_argument("--worker", dest="parts", action="store_const", const="worker", help="short for --parts worker")
    parser.add_argument("--reload", action="store_true", help="start anew whenever the program changes")
    parser.add_argument("--log", choices=("text", "json"), default="text", help="the form of the logs (default: text)")
    parser.add_argument("--verbose", action="store_true", help="log more, for development")


def _port(text: str) -> int:
    """A port, as it is typed."""
    if not (text.isdecimal() and int(text) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: write one from 1 to {MAX_PORT}")
    return int(text)


def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Serves until SIGTERM or Ctrl-C."""
    if arguments.once and not arguments.demo:
        raise CommandError("--once is for `serve --demo`")
    if arguments.workers < 1:
        raise CommandError("--workers: at least one process")
    if arguments.parts == "worker" and (arguments.workers > 1 or arguments.reload):
        raise CommandError("--worker serves no HTTP: start it several times, without --workers and --reload")
    config = _overridden(config, arguments)
    usual = logging.WARNING if arguments.demo else logging.INFO
    logs.set_up(arguments.log, config=config, level=logging.DEBUG if arguments.verbose else usual)
    if arguments.demo:
        from mentionable_host.cli.demo.play import play

        return asyncio.run(play(config, console, once=arguments.once))
    if arguments.workers > 1 or arguments.reload:
        return _serve_processes(config, arguments)
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        return runner.run(_serve(config, console, parts=arguments.parts))


async def _serve(config: Config, console: Console, *, parts: Parts) -> int:
    """Serves in this process."""
    with unhindered():
        host = build(config)
    gc.freeze()  # what is there by now stays until the end
    try:
        with stopping() as stop:
            if parts != "all":
                _need_postgresql(host.database.dialect, f"--parts {parts}")
            await _run(host, stop, console, parts=parts)
    finally:
        host.database.close()
    return 0


async def _run(host: Host, stop: asyncio.Event, console: Console, *, parts: Parts) -> None:
    """Takes messages in and does jobs, or one of both; at the end, requests that have begun come first, then jobs."""
    server = host.config.server
    with nullcontext() if parts == "worker" else listen(server.host, server.port) as place:
        async with host.running(parts=parts):
            async with nullcontext() if place is None else serving(host.app(), place, **options(host.config)):
                where = "doing jobs" if place is None else f"serving at {url_of(place)}"
                log.info("%s for %s by %s", where, host.address, ", ".join(host.transports))
                if place is not None and console.is_terminal:
                    say(console, f"{host.address} is at {url_of(place)}. Ctrl-C ends it.", style="bold")
                await stop.wait()
                host.release()
                log.info("stopping: what has begun gets %d seconds", GRACE_SECONDS)
            await host.finish(GRACE_SECONDS)


def _serve_processes(config: Config, arguments: argparse.Namespace) -> int:
    """Serves in some processes, or in one that begins anew when a file changes; each builds the host for itself."""
    import uvicorn

    load_agent(config)  # a mistake ends this process, instead of each of the others again and again
    Keys.load(config)
    database = open_database(config)
    database.close()
    if arguments.workers > 1:
        _need_postgresql(database.dialect, "--workers")
    if arguments.parts != "all":
        _need_postgresql(database.dialect, f"--parts {arguments.parts}")
    with listen(config.server.host, config.server.port) as place:
        log.info("serving %s at %s", config.agent.address, url_of(place))
    if config.mail is not None:
        check_mail_ports(config.mail)
    os.environ |= {CONFIG: str(Path(arguments.config).absolute()), LOG: arguments.log, PARTS: arguments.parts}
    how: dict[str, Any] = options(config) | {"host": config.server.host, "port": config.server.port}
    how |= {"factory": True, "log_config": None, "access_log": False}
    if arguments.reload:
        if find_spec("watchfiles") is not None:  # without it, uvicorn looks at programs alone
            how["reload_includes"] = ["*.py", "*.toml"]
        uvicorn.run(APP, reload=True, reload_dirs=[str(config.folder)], **how)
    else:
        os.environ[SEVERAL] = "1"
        uvicorn.run(APP, workers=arguments.workers, **how)
    return 0


def _overridden(config: Config, arguments: argparse.Namespace) -> Config:
    """The configuration with what the command line says in its place."""
    given = {"host": arguments.host, "port": arguments.port, "proxies": arguments.proxy and tuple(arguments.proxy)}
    return evolve(config, server=evolve(config.server, **{name: one for name, one in given.items() if one is not None}))


def _need_postgresql(dialect: str, asked: str) -> None:
    if dialect == "sqlite":
        raise CommandError(
            f"{asked} needs PostgreSQL: on SQLite one process does it all. Write postgresql://… to store.url"
        )
