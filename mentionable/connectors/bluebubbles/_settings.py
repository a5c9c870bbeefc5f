"""The settings of this connector: how webhooks of your server are verified, and the key of pseudonyms."""

from __future__ import annotations

import re
from typing import Annotated, Final, TypeAlias

from attrs import field

from ..._model.annotation import InvalidMember, Rule
from ..._model.base import validated
from ..._model.rules import is_token
from .._settings import ConnectorSettings

_SECRET: Final = re.compile(r"[A-Za-z0-9._~-]{22,256}", re.ASCII).fullmatch
_SERVER: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.ASCII).fullmatch
_PARAMETER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII).fullmatch
_MIN_KEY: Final = 32

_Secret: TypeAlias = Annotated[
    str, Rule("22 to 256 letters, digits, '-', '_', '.' and '~': secrets.token_urlsafe(32)", _SECRET, {})
]
_Key: TypeAlias = Annotated[
    bytes,
    Rule(
        f"{_MIN_KEY} random bytes or more: secrets.token_bytes({_MIN_KEY})",
        lambda key: len(key) >= _MIN_KEY,
        {},
    ),
]
_Parameter: TypeAlias = Annotated[str, Rule("the name of a parameter of the webhook URL", _PARAMETER, {})]
_Header: TypeAlias = Annotated[str, Rule("the name of a header", is_token, {})]
_Server: TypeAlias = Annotated[str, Rule("up to 63 lower-case letters, digits and hyphens", _SERVER, {})]


@validated
class Settings(ConnectorSettings):
    """What stays the same from event to event.

    Attributes:
        secret: What your server sends with each webhook: 22 or more letters, digits, `-`, `_`, `.` and `~`, by chance.
        pseudonym_key: 32 random bytes or more. It makes the pseudonyms of phone numbers, mail addresses and
            chats; another key makes other ones. Keep it secret: an attacker who has it can try numbers out.
        issuer: The host of your Connector Instance. None: no sender gets evidence, and no file a URL.
        secret_parameter: The parameter of the webhook URL that holds the secret.
        secret_header: The header that holds it instead, where a proxy puts it there.
        server: The name of your server, in what `FindAgent` asks for.
        groups: Whether messages in group chats are for the agent.
        own_messages: Whether messages that the account of your server itself writes are received, as rows of the
            conversation. Their sender is `Me`, and they are not `answerable`. Your agent answers by this account: an
            agent that answers them answers itself without end.
        files: Signs the URLs under which agents fetch attachments; None: attachments are named in diagnostics alone.
        body_bytes: The maximum size of a body that is read.

    `require_verified` means here that evidence of the sender could be made.
    """

    secret: _Secret = field(repr=False)
    pseudonym_key: _Key = field(repr=False)
    secret_parameter: _Parameter = "secret"  # noqa: S105 - the name of a parameter
    secret_header: _Header | None = None
    server: _Server = "home"
    groups: bool = False
    own_messages: bool = False

    def _check(self) -> None:
        if self.files is not None and self.issuer is None:
            raise InvalidMember("files needs an issuer: its URLs are of that host", ("files",))
