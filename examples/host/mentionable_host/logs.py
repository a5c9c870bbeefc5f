"""Logs of a host: one line an event, as text or as JSON, without its secrets."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, Literal
from urllib.parse import unquote

from attrs import fields, has

from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.escaping import printable

__all__ = ["Form", "secrets_of", "set_up"]

Form = Literal["text", "json"]

HIDDEN: Final = "***"
SHORTEST: Final = 8
"""A secret shorter than this is not looked for: it would be found in ordinary words."""
QUIET: Final = frozenset(
    (
        *("aiosmtpd", "alembic", "hishel", "httpcore", "httpx"),
        *("mail", "procrastinate", "sqlalchemy", "watchfiles"),
    )
)
"""Libraries that log each request, some with its whole URL: their warnings alone are of use."""
SECRET_NAMES: Final = ("token", "secret", "password", "relay", "proxy", "url")


def set_up(form: Form, *, config: Config, level: int = logging.INFO) -> None:
    """Sends the logs of this process to standard error.

    Args:
        form: `text` for people, `json` for what collects logs.
        config: Whose secrets no line has.
        level: What is less than this is not logged.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines(form, hidden=secrets_of(config)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.INFO))  # at DEBUG, libraries log whole messages: of gateways, and to models
    for name in ("mentionable_host", config.agent.program.partition(":")[0]):
        logging.getLogger(name).setLevel(level)
    for name in (*QUIET, "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        one = logging.getLogger(name)
        one.handlers.clear()
        one.propagate = True
        one.setLevel(logging.WARNING)


def secrets_of(config: Config) -> frozenset[str]:
    """The secrets of a configuration that can be read here."""
    found = {*_written(config), *config.a2a.callers, *config.peers.values()}
    return frozenset(form for one in found for form in _forms(one, config) if len(form) >= SHORTEST)


class _Lines(logging.Formatter):
    """A record as one line; as text, the lines of an exception follow it, indented."""

    def __init__(self, form: Form, *, hidden: Iterable[str]) -> None:
        super().__init__()
        self._form, self._hidden = form, sorted(hidden, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        fault = self.formatException(record.exc_info) if record.exc_info and record.exc_info[0] else ""
        message, fault = self._without_secrets(record.getMessage().strip()), self._without_secrets(fault)
        if self._form == "json":
            line = {"time": when, "level": record.levelname.lower(), "logger": record.name, "message": message}
            return json.dumps({**line, **({"exception": fault} if fault else {})})
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        lines = [f"{when} {level}{printable(message)}", *map(printable, fault.splitlines())]
        return "\n    ".join(lines)

    def _without_secrets(self, text: str) -> str:
        for one in self._hidden:
            text = text.replace(one, HIDDEN)
        return text


def _written(value: Any) -> list[str]:
    """What a configuration has in members that are named like secrets."""
    found: list[str] = []
    for field in fields(type(value)):
        member = getattr(value, field.name)
        if member is not None and has(type(member)):
            found += _written(member)
        elif isinstance(member, str) and any(word in field.name for word in SECRET_NAMES):
            found.append(member)
    return found


def _forms(written: str, config: Config) -> set[str]:
    """A secret in the forms in which a line may have it; nothing where it cannot be read here."""
    try:
        value = secret(written, folder=config.folder)
    except ConfigError:
        return set()
    if "://" in value:  # of a URL, its password
        credentials, at, _ = value.partition("://")[2].rpartition("@")
        value = credentials.partition(":")[2] if at else ""
    return {value, unquote(value)}
