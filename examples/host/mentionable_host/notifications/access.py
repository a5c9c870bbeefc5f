"""Which devices get in: those of people that the operator or the program names. There is no sign-up.

A session is a cookie that a link begins, which counts once; a token is for pages of the program, and is short-lived.
Both are signed with a key that comes of a secret in the store. They end where their person is blocked or forgotten.
"""

from __future__ import annotations

import hmac
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from attrs import frozen
from sqlalchemy import Connection
from starlette.requests import HTTPConnection

from mentionable_host.sessions import Session, Sessions
from mentionable_host.store import blocks
from mentionable_host.store.settings import first_setting, read_setting
from mentionable_host.store.sign_ins import is_admitted

if TYPE_CHECKING:
    from collections.abc import Callable

    from mentionable_host.host import Host

__all__ = [
    "PREFIX",
    "PROTOCOL",
    "SESSION",
    "SIGN_IN",
    "Access",
    "Refused",
    "Visitor",
    "address_of",
    "notifications_link",
    "person_token",
]

PREFIX: Final = "/notifications"
SIGN_IN: Final = f"{PREFIX}/sign-in"
PROTOCOL: Final = "mentionable.notifications"
"""The subprotocol of WebSocket."""

SESSION: Final = timedelta(days=30)
TOKEN: Final = timedelta(hours=1)
SETTING: Final = "notifications secret"
DEVICE: Final = 32
"""So many characters name a device."""
_BEARER: Final = "bearer"


class Refused(Exception):
    """A request that is not answered as it asks.

    Attributes:
        status: The status of the response.
        code: Says why, for programs; stable.
    """

    def __init__(self, code: str, *, status: int) -> None:
        """With a code."""
        super().__init__(code)
        self.code, self.status = code, status


@frozen(kw_only=True)
class Visitor:
    """A device of a person.

    Attributes:
        person: Their address.
        device: The id of the device: one for a session, or for a token.
        session: What they were let in by.
        has_cookie: Whether that is a cookie, so that another site may have the browser send it.
    """

    person: str
    device: str
    session: Session
    has_cookie: bool


class Access:
    """Lets in whose session or token it is."""

    def __init__(self, host: Host) -> None:
        """Reads the secret when it is first needed."""
        self._host = host
        self._sessions: Sessions | None = None

    async def sessions(self) -> Sessions:
        """What signs and reads sessions, links and tokens."""
        if self._sessions is None:
            secret = await self._host.database.look(lambda db: read_setting(db, SETTING))
            if secret is None:
                fresh = self._host.world.entropy()
                secret = await self._host.database.write(lambda db: first_setting(db, SETTING, fresh))
            key = hmac.digest(secret, f"mentionable-host notifications {self._host.address}".encode(), "sha256")
            self._sessions = Sessions(self._host, name="notifications", key=key, lasts=SESSION, same_site="lax")
        return self._sessions

    async def visitor(self, connection: HTTPConnection, *, is_page: bool = False) -> Visitor:
        """Whose device sends this.

        Args:
            connection: The request.
            is_page: Whether it is for the page, to which a link elsewhere may lead.

        Raises:
            Refused: Nobody's that is let in (401); or another site has the browser send it (403).
        """
        sessions, origin = await self.sessions(), connection.headers.get("origin")
        is_own = origin is None or origin in own_origins(self._host, connection)
        if not is_own and origin not in self._host.config.notifications.origins:
            raise Refused("wrong-origin", status=403)
        token = _token_of(connection)
        if token is not None:
            session, has_cookie = sessions.read(token, "token", lasts=TOKEN), False
        elif is_own:
            session, has_cookie = sessions.of(connection), True
        else:  # a page elsewhere has a token
            session, has_cookie = None, False
        if session is None:
            raise Refused("not-signed-in", status=401)
        if has_cookie and not _is_of_this_site(connection, is_page=is_page):
            raise Refused("wrong-origin", status=403)
        device = sha256(session.id.encode()).hexdigest()[:DEVICE]
        visitor = Visitor(person=session.subject, device=device, session=session, has_cookie=has_cookie)
        if not await self.is_let_in(visitor):
            raise Refused("not-signed-in", status=401)
        return visitor

    async def is_let_in(self, visitor: Visitor) -> bool:
        """Whether a session or token still counts, and its person is neither blocked nor forgotten since."""
        counts = await self._counts(visitor)
        return await self._host.database.look(counts)

    async def check(self, visitor: Visitor) -> Callable[[Connection], None]:
        """What refuses a device in the transaction that stores what it sends: a body may take longer than its session.

        Args:
            visitor: The device, as it was let in.
        """
        counts = await self._counts(visitor)

        def check(db: Connection) -> None:
            if not counts(db):
                raise Refused("not-signed-in", status=401)

        return check

    async def _counts(self, visitor: Visitor) -> Callable[[Connection], bool]:
        """What says, of the store as a transaction sees it, whether a device is still let in."""
        sessions, session = await self.sessions(), visitor.session

        def counts(db: Connection) -> bool:
            is_over = session.expires_at <= self._host.world.now()
            return not (is_over or (visitor.has_cookie and sessions.has_ended(db, session))) and is_admitted(
                db, session
            )

        return counts

    async def is_known(self, session: Session) -> bool:
        """Whether the person of a session, token or link is neither blocked, nor forgotten since it was signed."""
        return await self._host.database.look(lambda db: is_admitted(db, session))


async def person_token(host: Host, person: str) -> str:
    """A token for the devices of a person, for an hour; see `Host.person_token`."""
    return (await Access(host).sessions()).sign("token", lasts=TOKEN, subject=address_of(person))


async def notifications_link(host: Host, person: str) -> str:
    """A link that signs a device of a person in: it counts once, and for half an hour.

    Args:
        host: The host.
        person: Their address: `@name@domain`, or a mailbox.

    Raises:
        ValueError: It is no address.
    """
    return (await Access(host).sessions()).link(SIGN_IN, subject=address_of(person))


def own_origins(host: Host, connection: HTTPConnection) -> frozenset[str]:
    """The origins of this host itself: as it is configured, and as the browser names it."""
    scheme = {"ws": "http", "wss": "https"}.get(connection.url.scheme, connection.url.scheme)
    return frozenset((host.config.origin, f"{scheme}://{connection.headers.get('host', '')}"))


def check_same_site(host: Host, connection: HTTPConnection) -> None:
    """Refuses what another site has the browser send, or what does not say where it comes from.

    Raises:
        Refused: It is such.
    """
    site, origin = connection.headers.get("sec-fetch-site"), connection.headers.get("origin")
    if site != "same-origin" and (site is not None or origin not in own_origins(host, connection)):
        raise Refused("wrong-origin", status=403)


def _is_of_this_site(connection: HTTPConnection, *, is_page: bool) -> bool:
    """Whether a page of ours has the browser send it, or the person themselves; a link elsewhere may lead to the page.

    Elsewhere than there it would end the stream of the page, which the same device has.
    """
    fields = connection.headers
    is_opened = (fields.get("sec-fetch-mode"), fields.get("sec-fetch-dest")) == ("navigate", "document")
    return (is_page and is_opened) or fields.get("sec-fetch-site", "none") in ("same-origin", "none")


def _token_of(connection: HTTPConnection) -> str | None:
    """The token that came, by the header field or, of WebSocket, as a second subprotocol."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if scheme.lower() == _BEARER:
        return token.strip()
    for one in connection.scope.get("subprotocols", ()):
        if one.startswith(f"{_BEARER}."):
            return str(one.removeprefix(f"{_BEARER}."))
    return None


def address_of(person: str) -> str:
    """An address, as messages of its person have it.

    Raises:
        ValueError: It is none.
    """
    target, kind = blocks.target_of(person)
    if kind != "address":
        raise ValueError(f"{person!r} is no address of a person: write @name@domain")
    return target
