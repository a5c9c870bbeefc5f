"""The settings of this connector: how Slack's requests are verified, and who issues evidence."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from attrs import field

from ..._model.annotation import Rule
from ..._model.base import validated
from ..._model.trust import InstanceHost
from .._platform import ListenTo
from .._settings import ConnectorSettings
from ._ids import is_team

_MAX_SECRETS: Final = 8

_Secret: TypeAlias = Annotated[bytes, Rule("a secret of one byte or more", bool, {})]
_Secrets: TypeAlias = Annotated[
    tuple[_Secret, ...], Rule(f"1 to {_MAX_SECRETS} secrets", lambda secrets: 0 < len(secrets) <= _MAX_SECRETS, {})
]
_Team: TypeAlias = Annotated[str, Rule("the id of a workspace, such as T123", is_team, {})]


@validated
class Settings(ConnectorSettings):
    """What stays the same from event to event.

    Attributes:
        signing_secret: The signing secret of your Slack app; several while you change it, the new one first.
        issuer: The host of your Connector Instance, bare and in lower case: the issuer of all evidence.
        files: Signs the URLs under which agents fetch files; None: files are named in diagnostics alone.
        listen_to: Which messages of channels are for the agent: those that mention it, or all. Direct messages always
            are.
        teams: Other workspaces, of your Enterprise Grid organization, whose members get evidence, each under its own
            id.
        guests: Whether guests of a workspace get evidence as its members do.
        body_bytes: The maximum size of a body that is read.

    `require_verified` means here that evidence of the sender could be made.
    """

    signing_secret: _Secret | _Secrets = field(repr=False)
    issuer: InstanceHost
    listen_to: ListenTo = "mentions"
    teams: tuple[_Team, ...] = ()
    guests: bool = False

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """The signing secrets that count."""
        return (self.signing_secret,) if isinstance(self.signing_secret, bytes) else self.signing_secret
