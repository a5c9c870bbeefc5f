"""The settings of this connector: how Discord's requests are verified, and who issues evidence."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from ..._crypto.keys import public_key_of_raw
from ..._errors.exceptions import WireError
from ..._model.annotation import InvalidMember, Rule
from ..._model.base import validated
from ..._model.trust import InstanceHost
from .._platform import ListenTo
from .._settings import ConnectorSettings
from ._ids import is_snowflake

_KEY: Final = re.compile(r"[0-9a-fA-F]{64}", re.ASCII).fullmatch

_HexKey: TypeAlias = Annotated[
    str, Rule("the 64 hex digits of your application in the developer portal", lambda text: _KEY(text) is not None, {})
]
_Id: TypeAlias = Annotated[str, Rule("an id of Discord: a string of digits", is_snowflake, {})]


@validated
class Settings(ConnectorSettings):
    """What stays the same from event to event.

    Attributes:
        public_key: The key of your application by which Discord signs, 64 hex digits from the developer portal.
        application_id: The id of your application.
        issuer: The host of your Connector Instance, as its Connector Card names it.
        bot_id: The user id of your bot; None: that of the application, as it is for all but very old ones.
        role_ids: The ids of roles of your bot: a message that mentions one of them is for the agent.
        listen_to: Which messages of guilds are for the agent: those that mention or answer it, or all. Direct messages
            always are.
        prompt_option: A command with this option alone says what the option says, without the name of the command.
        files: Signs the URLs under which agents fetch attachments; None: attachments are named in diagnostics alone.
        body_bytes: The maximum size of a body that is read.

    `history.max_messages` says how many earlier messages of the channel are asked for, 100 at most; `require_verified`
    means here that evidence of the sender could be made.

    Spec: Building a Connector §Required Pieces.
    """

    public_key: _HexKey
    application_id: _Id
    issuer: InstanceHost
    bot_id: _Id | None = None
    role_ids: tuple[_Id, ...] = ()
    listen_to: ListenTo = "mentions"
    prompt_option: str = "prompt"

    def _check(self) -> None:
        try:
            public_key_of_raw(bytes.fromhex(self.public_key))
        except WireError as error:
            raise InvalidMember(f"public_key: {error}", ("public_key",)) from None

    @property
    def bot(self) -> str:
        """The user id of the bot."""
        return self.bot_id or self.application_id
