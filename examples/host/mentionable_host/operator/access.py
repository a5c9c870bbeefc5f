"""Who may see the page: whoever has the token. A session is a signed cookie, a login link a code that counts once.

Both are signed with a key that comes of the token, so that every process of a host knows them, and a new token ends
all of them.
"""

from __future__ import annotations

import hmac
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.sessions import Session, Sessions, is_local

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["LOGIN", "PREFIX", "Access", "Session", "is_local", "login_link"]

PREFIX: Final = "/operator"
LOGIN: Final = f"{PREFIX}/login"

SESSION: Final = timedelta(hours=12)
MIN_TOKEN: Final = 16
"""A shorter token could be guessed."""


class Access(Sessions):
    """Lets in who has the token."""

    def __init__(self, host: Host) -> None:
        """Reads the token.

        Raises:
            ConfigError: It is not there, or too short.
        """
        self._token = _token(host.config)
        super().__init__(host, name="operator", key=_key(self._token), lasts=SESSION, same_site="strict")

    async def has_token(self, request: Request, token: str) -> bool:
        """Whether this is the token; a wrong one counts against the address that it comes from."""
        may_try = await self.count(request)
        if not may_try or not hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
            return False
        await self.forgive(request)
        return True

    async def takes_code(self, code: str) -> bool:
        """Whether this is the code of a login link that was not used yet; from now on it is used."""
        found = self.read_code(code)
        return found is not None and await self.use(found)


def login_link(host: Host) -> str:
    """A link that logs its first visitor in, for half an hour."""
    return Access(host).link(LOGIN)


def _token(config: Config) -> str:
    token = secret(config.operator.token, folder=config.folder)
    if len(token) < MIN_TOKEN:
        raise ConfigError(f"operator.token has fewer than {MIN_TOKEN} characters: write a random one, 32 long")
    return token


def _key(token: str) -> bytes:
    return hmac.digest(token.encode(), b"mentionable-host operator", "sha256")
