"""Builds a host from its configuration: the program, the keys, the store, the world, and what messages come by."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from mentionable_host.agents.agent import Agent
from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.host import Host, TransportFactory
from mentionable_host.keys import Keys
from mentionable_host.store.database import Database
from mentionable_host.world.world import World

__all__ = ["build", "database_url", "explained", "load_agent", "open_database", "transports_of"]


def _always(config: Config) -> bool:
    return True


TRANSPORTS: Final[dict[str, tuple[str, Callable[[Config], object]]]] = {
    "activitypub": ("mentionable_host.transports.activitypub:ActivityPub", _always),
    "discovery": ("mentionable_host.transports.discovery:Discovery", _always),
    "a2a": ("mentionable_host.transports.a2a:A2A", _always),
    "rest": ("mentionable_host.transports.rest:Rest", _always),
    "email": ("mentionable_host.transports.mail:Mail", lambda config: config.mail),
    "slack": ("mentionable_host.transports.slack:Slack", lambda config: config.slack),
    "discord": ("mentionable_host.transports.discord:Discord", lambda config: config.discord),
    "bluebubbles": ("mentionable_host.transports.bluebubbles:BlueBubbles", lambda config: config.bluebubbles),
    "notifications": ("mentionable_host.notifications.service:Notifications", _always),
    "health": ("mentionable_host.health:Health", _always),
    "trace": ("mentionable_host.trace_viewer:TraceViewer", _always),
    "operator": ("mentionable_host.operator:Operator", lambda config: config.operator.token),
}
"""Name → the class, and what of the configuration asks for it. What is not asked for is not imported."""


QUEUE_LOCK: Final = 0x71756575
"""The advisory lock of PostgreSQL for the tables of the queue: "queu"."""


def build(
    config: Config,
    agent: Agent | None = None,
    *,
    transports: Sequence[TransportFactory] | None = None,
    world: World | None = None,
) -> Host:
    """A host with an open store, ready for `running`, or for `app` under any ASGI server.

    Args:
        config: The configuration.
        agent: Who answers; by default that of the configured program.
        transports: What messages come by; by default all that the configuration asks for.
        world: What is outside; by default the Internet.

    Raises:
        ConfigError: Something of it cannot be used. The message says what to do.
    """
    agent = agent or load_agent(config)
    keys, world = Keys.load(config), world or _internet(config)
    transports = transports_of(config) if transports is None else transports
    database = open_database(config)
    try:
        return Host(agent, config, keys=keys, database=database, world=world, transports=transports)
    except BaseException:
        database.close()
        raise


def transports_of(config: Config) -> list[TransportFactory]:
    """The classes of the transports that a configuration asks for."""
    return [_named(place) for place, is_asked in TRANSPORTS.values() if is_asked(config)]


def load_agent(config: Config) -> Agent:
    """The agent of the configured program, which is imported from the folder of the project.

    Raises:
        ConfigError: There is no such program, it fails, or it has no such agent.
    """
    module, _, name = config.agent.program.partition(":")
    folder = str(config.folder.absolute())
    if module.endswith(".py"):
        asked = f"{module.removesuffix('.py')}:{name or 'agent'}"
        raise ConfigError(f"agent.program is {config.agent.program!r}: write {asked!r}, a module and what it has")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        program = import_module(module)
    except ModuleNotFoundError as error:
        if error.name == module:
            raise ConfigError(
                f"agent.program is {config.agent.program!r}, but {folder} has no {module}.py: "
                "write it, or name another module there"
            ) from error
        raise ConfigError(f"{_place(error, folder)} needs {error.name!r}, which is not installed here") from error
    except Exception as error:
        raise ConfigError(f"{_place(error, folder)} fails: {type(error).__name__}: {error}") from error
    found = getattr(program, name or "agent", None)
    if not isinstance(found, Agent):
        raise ConfigError(f"{module}.py has no `{name or 'agent'} = Agent()`, which agent.program names")
    if not found.has_function:
        raise ConfigError(f"{module}.py has an agent without a function: write @{name or 'agent'}.on_message above it")
    return found


def open_database(config: Config, *, upgrade: bool = True) -> Database:
    """The store of a configuration, open and in the form of this version.

    Args:
        config: The configuration.
        upgrade: Whether it is brought to that form.

    Raises:
        ConfigError: It is not there, cannot be read, or is newer than this version.
    """
    url = database_url(config)
    shown = make_url(url).render_as_string(hide_password=True)
    try:
        database = Database(url)
    except ValueError as error:
        raise ConfigError(f"store.url: {error}") from error
    except SQLAlchemyError as error:
        raise _unusable(url, error) from error
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"store.url is {shown}, which needs `pip install 'mentionable-host[postgres]'` ({error.name} is missing)"
        ) from error
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror}\n{_advice(url)}") from error
    if upgrade:
        try:
            with explained(config):
                _upgrade(database)
        except ConfigError:
            database.close()
            raise
    return database


@contextmanager
def explained(config: Config) -> Iterator[None]:
    """What goes wrong with the store when it is first used, with what to do.

    Raises:
        ConfigError: It went wrong.
    """
    try:
        yield
    except Exception as error:
        raise _unusable(database_url(config), error) from error


def database_url(config: Config) -> str:
    """The URL of the store: a relative file begins in the folder of the configuration.

    Raises:
        ConfigError: It is no URL, or its secret is not there.
    """
    written = secret(config.store.url, folder=config.folder)
    try:
        url = make_url(written)
    except (ArgumentError, ValueError) as error:
        raise ConfigError("store.url is no URL: write sqlite:///file.db or postgresql://user@host/name") from error
    if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
        url = url.set(database=str(config.folder.absolute() / url.database))
    return url.render_as_string(hide_password=False)


def _upgrade(database: Database) -> None:
    """Brings the tables to the form of this version, and those of the queue that processes share."""
    import_module("mentionable_host.migrations").upgrade(database)
    if database.dialect == "postgresql":
        with database.engine.connect() as db:  # the lock is gone with the connection: two processes may begin at once
            db.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": QUEUE_LOCK})
            import_module("mentionable_host.queue.shared").install(database.engine)


def _unusable(url: str, error: Exception) -> ConfigError:
    shown = make_url(url).render_as_string(hide_password=True)
    first = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    if type(error).__name__ == "MigrationError":
        return ConfigError(f"{shown}: {first}")
    return ConfigError(f"the database {shown} cannot be opened: {first}\n{_advice(url)}")


def _advice(url: str) -> str:
    if url.startswith("sqlite"):
        return "Is its folder there and writable, and is the file a database of this host and version?"
    return "Is the server running, and are its user, password and name in store.url right?"


def _internet(config: Config) -> World:
    made: World = _named("mentionable_host.world.internet:Internet").of(config)
    return made


def _named(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _place(error: BaseException, folder: str) -> str:
    """Where a program fails: the last line of its own."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "importlib" not in one.filename]
    frames = [one for one in frames if one.filename.startswith(f"{folder}{os.sep}")] or frames
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno},"
    return f"{frames[-1].filename}, line {frames[-1].lineno}," if frames else "the program"
