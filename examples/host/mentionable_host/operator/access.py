"""Who may see the page: whoever has the token. A session is a signed cookie, a login link a code that counts once.

Both are signed with a key that comes of the token, so that every process of a host knows them, and a new token ends
all of them.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from attrs import field, frozen
from sqlalchemy import Connection, delete, select
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.http import network_of
from mentionable_host.store.dialects import insert_new, insert_or
from mentionable_host.store.tables import counts, uses

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["LOGIN", "PREFIX", "Access", "Session", "is_local", "login_link"]

PREFIX: Final = "/operator"
LOGIN: Final = f"{PREFIX}/login"

SESSION: Final = timedelta(hours=12)
LINK: Final = timedelta(minutes=30)
MIN_TOKEN: Final = 16
"""A shorter token could be guessed."""
FAILURES: Final = 10
"""So many wrong tokens an address may send in a window."""
WINDOW: Final = 10
"""Minutes of a window."""
LOCAL: Final = frozenset(("127.0.0.1", "localhost", "::1", "[::1]"))
_PIECES: Final = 3
_DIGITS: Final = 12


@frozen(kw_only=True)
class Session:
    """Somebody who has logged in.

    Attributes:
        csrf: What each form sends back, so that no other site can send one.
    """

    id: str
    until: datetime
    csrf: str = field(repr=False)


class Access:
    """Lets in who has the token."""

    def __init__(self, host: Host) -> None:
        """Reads the token.

        Raises:
            ConfigError: It is not there, or too short.
        """
        self._host = host
        self._token = _token(host.config)
        self._key = _key(self._token)

    def session(self, request: Request) -> Session | None:
        """The session that a request belongs to, unless it has ended by time; `is_open` says whether it was ended."""
        found = _read(request.cookies.get(_cookie_name(request), ""), key=self._key, what="session")
        if found is None or found[1] <= self._host.world.now():
            return None
        id, until = found
        return Session(id=id, until=until, csrf=_mac(self._key, f"csrf {id}"))

    async def is_open(self, session: Session) -> bool:
        """Whether a session has not been logged out of."""
        ended = select(uses.c.key).where(uses.c.key == _ended(session.id))
        return await self._host.database.look(lambda db: db.execute(ended).first()) is None

    async def is_held_up(self, request: Request) -> bool:
        """Whether an address has sent so many wrong tokens that it has to wait."""
        key, window = _counted(request), self._window()
        count = select(counts.c["count"]).where(counts.c.key == key, counts.c.window == window)
        return int(await self._host.database.read(lambda db: db.execute(count).scalar() or 0)) >= FAILURES

    async def has_token(self, request: Request, token: str) -> bool:
        """Whether this is the token; a wrong one counts against the address that it comes from.

        It is counted before it is compared: of many that come at once no more count than of those that come in turn.
        """
        key, window = _counted(request), self._window()
        values = {"key": key, "window": window, "count": 1}
        (count,) = await self._host.database.write(
            lambda db: insert_or(db, counts, values, _one_more, counts.c["count"])
        )
        if count > FAILURES or not hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode()):
            return False
        here = (counts.c.key == key) & (counts.c.window == window)
        await self._host.database.write(lambda db: db.execute(delete(counts).where(here)).rowcount)
        return True

    async def takes_code(self, code: str) -> bool:
        """Whether this is the code of a login link that was not used yet; from now on it is used."""
        found = _read(code, key=self._key, what="link")
        if found is None or found[1] <= self._host.world.now():
            return False
        values = {"key": f"operator link {found[0]}", "binding": "", "until": found[1].timestamp()}
        return await self._host.database.write(lambda db: insert_new(db, uses, values))

    def begin(self, request: Request, response: Response) -> None:
        """Begins a session with a response."""
        value = _written(self._host, key=self._key, what="session", lasts=SESSION)
        seconds = int(SESSION.total_seconds())
        response.set_cookie(_cookie_name(request), value, max_age=seconds, **_cookie_facts(request))

    async def end(self, request: Request, session: Session, response: Response) -> None:
        """Ends a session, wherever its cookie is."""
        values = {"key": _ended(session.id), "binding": "", "until": session.until.timestamp()}

        def work(db: Connection) -> None:
            insert_new(db, uses, values)

        await self._host.database.write(work)
        response.delete_cookie(_cookie_name(request), **_cookie_facts(request))

    def _window(self) -> int:
        minute = int(self._host.world.now().timestamp()) // 60
        return minute - minute % WINDOW


def login_link(host: Host) -> str:
    """A link that logs its first visitor in, for half an hour."""
    code = _written(host, key=_key(_token(host.config)), what="link", lasts=LINK)
    return f"{host.config.origin}{LOGIN}?{urlencode({'code': code})}"


def is_local(request: Request) -> bool:
    """Whether the browser is on this machine: it names the host so, and then needs no TLS."""
    return (request.url.hostname or "") in LOCAL


def _token(config: Config) -> str:
    token = secret(config.operator.token, folder=config.folder)
    if len(token) < MIN_TOKEN:
        raise ConfigError(f"operator.token has fewer than {MIN_TOKEN} characters: write a random one, 32 long")
    return token


def _key(token: str) -> bytes:
    return hmac.digest(token.encode(), b"mentionable-host operator", "sha256")


def _mac(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode(), "sha256").hex()


def _written(host: Host, *, key: bytes, what: str, lasts: timedelta) -> str:
    """An id, the time until when it counts, and what proves both."""
    until = int((host.world.now() + lasts).timestamp())
    text = f"{host.world.entropy().hex()}.{until}"
    return f"{text}.{_mac(key, f'{what} {text}')}"


def _read(value: str, *, key: bytes, what: str) -> tuple[str, datetime] | None:
    """The id and the time of what `_written` wrote; None: it did not."""
    id, *rest = value.split(".", _PIECES)
    if len(rest) != _PIECES - 1 or not (rest[0].isdecimal() and rest[0].isascii() and len(rest[0]) <= _DIGITS):
        return None
    expected = _mac(key, f"{what} {id}.{rest[0]}")
    if not hmac.compare_digest(expected.encode(), rest[1].encode("utf-8", "replace")):
        return None
    return id, datetime.fromtimestamp(int(rest[0])).astimezone()


def _cookie_name(request: Request) -> str:
    """Browsers take a name with `__Host-` over TLS alone, and from this very host."""
    return "operator" if is_local(request) else "__Host-operator"


def _cookie_facts(request: Request) -> dict[str, Any]:
    return {"path": "/", "secure": not is_local(request), "httponly": True, "samesite": "strict"}


def _ended(id: str) -> str:
    return f"operator session {id}"


def _counted(request: Request) -> str:
    """What wrong tokens count against."""
    return f"operator login {network_of(request)}"


def _one_more(_: Any) -> dict[str, Any]:
    return {"count": counts.c["count"] + 1}
