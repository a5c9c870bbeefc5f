"""Sockets that listen, servers on them, and the signals that end a process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from starlette.types import ASGIApp

from mentionable_host.asgi import GRACE_SECONDS
from mentionable_host.cli.words import CommandError
from mentionable_host.config import Config
from mentionable_host.transports.sections import MailSettings

__all__ = ["check_mail_ports", "fastest_loop", "listen", "options", "serving", "stopping", "url_of"]

BACKLOG: Final = 2_048


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        CommandError: Another program does, or this address is none of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except PermissionError as error:
        raise CommandError(
            f"{host}:{port} needs root: write a port from 1024 on to server.port, and put a proxy before it"
        ) from error
    except OSError as error:
        raise CommandError(
            f"{host}:{port} cannot be had: {os.strerror(error.errno or 0)}\n"
            "Another program may listen there, perhaps this host: end it, or write another port to server.port."
        ) from error
    # What is accepted here has this too. asyncio sees to it for sockets that it makes itself alone; without it, each
    # response on a connection that is kept waits some 40 ms for an acknowledgement.
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def check_mail_ports(mail: MailSettings) -> None:
    """Finds out before other processes are started whether one of them can listen for mail.

    Raises:
        CommandError: It cannot.
    """
    for name, place in (("smtp", mail.smtp), ("lmtp", mail.lmtp)):
        host, _, port = place.rpartition(":")
        if place.startswith("/") or not port.isdecimal():
            continue
        try:
            listen(host.strip("[]"), int(port)).close()
        except CommandError as error:
            raise CommandError(
                f"mail.{name} is {place!r}, where nothing can listen: {error.__cause__}\n"
                f"Another program may listen there, perhaps another agent: write another port to mail.{name}."
            ) from error


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Makes the event loop that uvicorn takes for its own processes: that of uvloop where it is installed."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return None
    return new_event_loop


@asynccontextmanager
async def serving(app: ASGIApp, place: socket.socket, **how: Any) -> AsyncIterator[None]:
    """Serves an application at a socket; at the end, requests that have begun get some seconds.

    Args:
        app: The application. Who calls this runs its lifespan.
        place: A socket that listens.
        how: Options of uvicorn.
    """
    import uvicorn

    class Server(uvicorn.Server):
        """A server that leaves signals to its program."""

        @contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    server = Server(uvicorn.Config(app, lifespan="off", log_config=None, access_log=False, **how))
    task = asyncio.create_task(server.serve([place]))
    try:
        while not (server.started or task.done()):
            await asyncio.sleep(0)
        yield
    finally:
        server.should_exit = True
        await task


def options(config: Config) -> dict[str, Any]:
    """How uvicorn serves a host: only the configured proxies are trusted."""
    from mentionable_host.cli.connections import BoundedHttp
    from mentionable_host.notifications.socket import FRAME_BYTES

    return {
        "http": BoundedHttp,
        "ws": "websockets-sansio",
        "ws_max_size": FRAME_BYTES,
        "ws_per_message_deflate": False,  # packed, what a client sends at once would be a thousand times as long
        "server_header": False,
        "proxy_headers": True,
        "forwarded_allow_ips": [*config.server.proxies],
        "timeout_graceful_shutdown": GRACE_SECONDS,
    }


@contextmanager
def stopping() -> Iterator[asyncio.Event]:
    """An event that SIGTERM and Ctrl-C set; a second one of them ends this process at once."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()

    def on_signal(number: signal.Signals) -> None:
        if stop.is_set():
            os._exit(128 + number)
        stop.set()

    numbers = (signal.SIGTERM, signal.SIGINT)
    for number in numbers:
        loop.add_signal_handler(number, on_signal, number)
    try:
        yield stop
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def url_of(place: socket.socket) -> str:
    """The URL of a socket."""
    host, port = place.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
