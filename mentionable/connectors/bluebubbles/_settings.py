"""The settings of this connector: how your own BlueBubbles server is known, and what stands for phone numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import field

from ..._errors import UsageError
from ..._model.rules import is_token
from ..._model.trust import check_issuer
from ..._settings import Settings as BaseSettings
from ..._value import record
from ..files import FileKey

if TYPE_CHECKING:
    from collections.abc import Callable

_SECRET: Final = re.compile(r"[A-Za-z0-9._~-]{22,256}", re.ASCII).fullmatch
_SERVER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.ASCII).fullmatch
_PARAMETER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII).fullmatch
_LEAST_KEY: Final = 32


@record
class Settings(BaseSettings):
    """What stays the same from event to event.

    Attributes:
        secret: What your server shows with each webhook: 22 or more letters, digits, `-`, `_`, `.` and `~`, by chance.
        pseudonym_key: 32 random bytes or more. What stands for phone numbers, mail addresses and chats is made with it;
            with another key everybody is somebody else. Keep it secret: who has it can try numbers out.
        issuer: The host of your Connector Instance. None: nobody gets evidence, and no file is given out.
        secret_parameter: The parameter of the webhook URL in which the secret stands.
        secret_header: The header in which it stands instead, where a proxy puts it there.
        server: The name of your server, in what `FindAgent` asks for.
        groups: Whether messages in group chats are for the agent.
        files: Signs the URLs under which agents fetch attachments; None: attachments are named in diagnostics alone.
        body_bytes: The longest body that is read.

    `require_verified` means here that evidence could be made of who sent it.
    """

    secret: str = field(repr=False)
    pseudonym_key: bytes = field(repr=False)
    issuer: str | None = None
    secret_parameter: str = "secret"  # noqa: S105 - the name of a parameter
    secret_header: str | None = None
    server: str = "home"
    groups: bool = False
    files: FileKey | None = field(default=None, repr=False)
    body_bytes: int = 1_048_576

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if not _fits(self.secret, _SECRET):
            raise UsageError("secret is 22 to 256 letters, digits, '-', '_', '.' and '~': secrets.token_urlsafe(32)")
        if not _is_key(self.pseudonym_key):
            raise UsageError(f"pseudonym_key is {_LEAST_KEY} random bytes or more: secrets.token_bytes({_LEAST_KEY})")
        if self.issuer is not None:
            check_issuer(self.issuer)
        if not _fits(self.secret_parameter, _PARAMETER):
            raise UsageError("secret_parameter is the name of a parameter of the webhook URL")
        if self.secret_header is not None and not _fits(self.secret_header, is_token):
            raise UsageError("secret_header is the name of a header, or None")
        if not _fits(self.server, _SERVER):
            raise UsageError("server is up to 63 lower-case letters, digits and hyphens")
        if not isinstance(self.files, (FileKey, type(None))):
            raise UsageError("files is a FileKey of mentionable.connectors.files, or None")
        if self.files is not None and self.issuer is None:
            raise UsageError("files needs an issuer: its URLs are of that host")
        if self.body_bytes.__class__ is not int or self.body_bytes < 0:
            raise UsageError("body_bytes must be an integer of 0 or more")


def _fits(found: object, rule: Callable[[str], object]) -> bool:
    return isinstance(found, str) and bool(rule(found))


def _is_key(found: object) -> bool:
    return isinstance(found, bytes) and len(found) >= _LEAST_KEY


def check_settings(settings: object) -> None:
    """Raises `UsageError` unless these are the settings of this room."""
    if not isinstance(settings, Settings):
        raise UsageError("settings must be bluebubbles.Settings(secret=..., pseudonym_key=...)")
