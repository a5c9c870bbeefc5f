"""The configuration of a host: one TOML file, read into values. A mistake in it is a `ConfigError` that names it."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from attrs import Factory, frozen
from cattrs.preconf.json import make_converter
from mentionable.trace import viewer_of

from mentionable_host.mistakes import explained
from mentionable_host.sections import (
    AgentSettings,
    LimitSettings,
    NetworkSettings,
    NotificationSettings,
    OperatorSettings,
    ServerSettings,
    StoreSettings,
)
from mentionable_host.transports.sections import (
    A2ASettings,
    ActivityPubSettings,
    BlueBubblesSettings,
    DiscordSettings,
    MailSettings,
    SlackSettings,
)

__all__ = ["Config", "ConfigError", "secret"]


class ConfigError(Exception):
    """The configuration cannot be used. The message says what is wrong, where, and what to write instead."""


@frozen(kw_only=True)
class Config:
    """All of it.

    Attributes:
        peers: Address of another agent → the token that it gave this one. Tokens may be `env:NAME` or `file:PATH`.
        trust: Whose identity evidence counts, and who may do what: the document that `identity.read_trust` reads.
        folder: Where the file is: relative paths begin there.
    """

    agent: AgentSettings
    server: ServerSettings = Factory(ServerSettings)
    network: NetworkSettings = Factory(NetworkSettings)
    store: StoreSettings = Factory(StoreSettings)
    activitypub: ActivityPubSettings = Factory(ActivityPubSettings)
    mail: MailSettings | None = None
    a2a: A2ASettings = Factory(A2ASettings)
    slack: SlackSettings | None = None
    discord: DiscordSettings | None = None
    bluebubbles: BlueBubblesSettings | None = None
    operator: OperatorSettings = Factory(OperatorSettings)
    limits: LimitSettings = Factory(LimitSettings)
    notifications: NotificationSettings = Factory(NotificationSettings)
    peers: dict[str, str] = Factory(dict)
    trust: dict[str, Any] | None = None
    folder: Path = Path()

    @property
    def origin(self) -> str:
        """How the server is seen from outside, without a slash at its end."""
        return (self.server.origin or f"https://{self.agent.domain}").rstrip("/")

    @property
    def trace_viewer(self) -> str | None:
        """The page to which traces of answers lead; None: none."""
        return viewer_of(self.server.trace_viewer or f"{self.origin}/trace")[0]

    @classmethod
    def load(cls, path: Path) -> Config:
        """Reads the file.

        Raises:
            ConfigError: It is not there, or something in it is wrong.
        """
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path} is no TOML: it is not UTF-8") from error
        except OSError as error:
            raise ConfigError(
                f"{path} cannot be read: {error.strerror}. `mentionable-host new NAME` makes one."
            ) from error
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"{path} is no TOML: {error}") from error
        except RecursionError as error:
            raise ConfigError(f"{path} is no TOML for this host: it is nested too deeply") from error
        try:
            return cls.parse(table, folder=path.absolute().parent)
        except ConfigError as error:
            raise ConfigError(f"{path}: {error}") from error.__cause__

    @classmethod
    def parse(cls, table: dict[str, Any], *, folder: Path = Path()) -> Config:
        """The configuration in a table.

        Raises:
            ConfigError: Something in it is wrong.
        """
        try:
            return _CONVERTER.structure({**table, "folder": str(folder)}, cls)
        except Exception as error:
            raise ConfigError(explained(error)) from error


_CONVERTER = make_converter(forbid_extra_keys=True)
_CONVERTER.register_structure_hook(Path, lambda value, _: Path(value))


def secret(value: str, *, folder: Path = Path()) -> str:
    """A secret of the configuration: itself, or where it is.

    Args:
        value: The secret, `env:NAME`, or `file:PATH`.
        folder: Where relative paths begin.

    Raises:
        ConfigError: The variable is not set, or the file cannot be read.
    """
    kind, colon, name = value.partition(":")
    if kind == "env" and colon:
        found = os.environ.get(name)
        if not found:
            raise ConfigError(f"the environment variable {name} is not set; the configuration asks for it by {value!r}")
        return found
    if kind == "file" and colon:
        try:
            return (folder / name).read_text("utf-8").strip()
        except OSError as error:
            raise ConfigError(
                f"{folder / name} cannot be read: {error.strerror}; the configuration asks for it by {value!r}"
            ) from error
        except UnicodeDecodeError as error:
            raise ConfigError(f"{folder / name} is no text; the configuration asks for it by {value!r}") from error
    return value
