"""The settings of this connector: how Discord's requests are known, and who speaks for its people."""

from __future__ import annotations

import re
from typing import Final

from attrs import field

from ..._errors import UsageError, WireError
from ..._model.trust import check_issuer
from ..._settings import Settings as BaseSettings
from ..._value import record
from .._platform import Hears, check_hears
from ..files import FileKey
from ._snowflake import is_snowflake

_KEY: Final = re.compile(r"[0-9a-fA-F]{64}", re.ASCII).fullmatch


@record
class Settings(BaseSettings):
    """What stays the same from event to event.

    Attributes:
        public_key: The key of your application by which Discord signs, 64 hex digits from the developer portal.
        application_id: The id of your application.
        issuer: The host of your Connector Instance, as its Connector Card names it.
        bot_id: The user id of your bot; None: that of the application, as it is for all but very old ones.
        hears: Which messages of guilds are for the agent: those that mention or answer it, or all. Direct messages
            always are.
        prompt_option: A command with this option alone says what the option says, without the name of the command.
        files: Signs the URLs under which agents fetch attachments; None: attachments are named in diagnostics alone.
        body_bytes: The longest body that is read.

    `history.max_messages` says how many earlier messages of the channel are asked for, 100 at most; `require_verified`
    means here that evidence could be made of who sent it.

    Spec: Building a Connector §Required Pieces.
    """

    public_key: str
    application_id: str
    issuer: str
    bot_id: str | None = None
    hears: Hears = "mentions"
    prompt_option: str = "prompt"
    files: FileKey | None = field(default=None, repr=False)
    body_bytes: int = 1_048_576

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        _check_key(self.public_key)
        if not is_snowflake(self.application_id) or not (self.bot_id is None or is_snowflake(self.bot_id)):
            raise UsageError("application_id and bot_id are ids of Discord: strings of digits")
        check_issuer(self.issuer)
        check_hears(self.hears)
        if self.prompt_option.__class__ is not str:
            raise UsageError("prompt_option is the name of an option")
        if not isinstance(self.files, (FileKey, type(None))):
            raise UsageError("files is a FileKey of mentionable.connectors.files, or None")
        if self.body_bytes.__class__ is not int or self.body_bytes < 0:
            raise UsageError("body_bytes must be an integer of 0 or more")

    @property
    def bot(self) -> str:
        """The user id of the bot."""
        return self.bot_id or self.application_id


def _check_key(text: object) -> None:
    """Raises `UsageError` unless `text` is a key that is fit to verify with."""
    if not isinstance(text, str) or not _KEY(text):
        raise UsageError("public_key is the 64 hex digits of your application in the developer portal")
    from ..._keys import public_key_of_raw

    try:
        public_key_of_raw(bytes.fromhex(text))
    except WireError as error:
        raise UsageError(f"public_key: {error}") from None


def check_settings(settings: object) -> None:
    """Raises `UsageError` unless these are settings of this connector."""
    if not isinstance(settings, Settings):
        raise UsageError("settings must be discord.Settings(public_key=..., application_id=..., issuer=...)")
