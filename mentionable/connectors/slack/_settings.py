"""The settings of this room."""

from __future__ import annotations

from attrs import field

from ..._errors import UsageError
from ..._model.trust import check_issuer
from ..._settings import Settings as BaseSettings
from ..._value import record
from .._platform import Hears, check_hears
from ..files import FileKey
from ._members import is_team

_MOST_SECRETS = 8


@record
class Settings(BaseSettings):
    """What stays the same from event to event.

    Attributes:
        signing_secret: The signing secret of your Slack app; several while you change it, the new one first.
        issuer: The host of your Connector Instance, bare and in lower case: the issuer of all evidence.
        files: Signs the URLs under which agents fetch files; None: files are named in diagnostics alone.
        hears: Which messages of channels are for the agent: those that mention it, or all. Direct messages always are.
        teams: Workspaces beside the one that an event came to whose members get evidence, each under its own id: those
            of your Enterprise Grid organization.
        guests: Whether guests of a workspace get evidence as its members do.
        body_bytes: The longest body that is read.

    `require_verified` means here that evidence could be made of who sent it.
    """

    signing_secret: bytes | tuple[bytes, ...] = field(repr=False)
    issuer: str
    files: FileKey | None = field(default=None, repr=False)
    hears: Hears = "mentions"
    teams: tuple[str, ...] = ()
    guests: bool = False
    body_bytes: int = 1_048_576

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        check_issuer(self.issuer)
        found = self.secrets
        if found.__class__ is not tuple or not 0 < len(found) <= _MOST_SECRETS or not all(map(_is_secret, found)):
            raise UsageError(f"signing_secret is the bytes of a secret, or a tuple of 1 to {_MOST_SECRETS} of them")
        if self.files is not None and not isinstance(self.files, FileKey):
            raise UsageError("files is a FileKey of mentionable.connectors.files, or None")
        check_hears(self.hears)
        if self.teams.__class__ is not tuple or not all(map(is_team, self.teams)):
            raise UsageError("teams is a tuple of ids of workspaces, such as T123")
        if self.body_bytes.__class__ is not int or self.body_bytes < 0:
            raise UsageError("body_bytes must be an integer of 0 or more")

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """The signing secrets that count."""
        return (self.signing_secret,) if isinstance(self.signing_secret, bytes) else self.signing_secret


def _is_secret(found: object) -> bool:
    return isinstance(found, bytes) and len(found) > 0


def check_settings(settings: object) -> None:
    """Raises `UsageError` unless these are the settings of this room."""
    if not isinstance(settings, Settings):
        raise UsageError("settings must be slack.Settings(signing_secret=..., issuer=...)")
