"""Codes that count once, sessions in cookies, and what proves both: signatures with a key that all processes know."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlencode

from attrs import field, frozen
from sqlalchemy import Connection, delete, select
from starlette.requests import HTTPConnection
from starlette.responses import Response

from mentionable_host.http import network_of
from mentionable_host.store.dialects import insert_new, insert_or
from mentionable_host.store.tables import counts, uses

if TYPE_CHECKING:
    from collections.abc import Callable

    from mentionable_host.host import Host

__all__ = ["FAILURES", "Session", "Sessions", "is_local"]

LINK: Final = timedelta(minutes=30)
"""So long a link counts."""
FAILURES: Final = 10
"""So many wrong codes or tokens an address may send in a window."""
WINDOW: Final = 10
"""Minutes of a window."""
LOCAL: Final = frozenset(("127.0.0.1", "localhost", "::1", "[::1]"))
MAX_CHARACTERS: Final = 4_096
"""No code, cookie or token of ours is so long."""
_PIECES: Final = 4


@frozen(kw_only=True)
class Session:
    """Something that was signed: a session, or a code or token with which one may begin.

    Attributes:
        id: Its own.
        subject: Who it is for; empty where it can be for one alone.
        begun: When it was signed.
        expires_at: When it ceases to count.
        csrf: What each form sends back, so that no other site can send one.
    """

    id: str
    subject: str
    begun: datetime
    expires_at: datetime
    csrf: str = field(repr=False)


class Sessions:
    """Signs and reads sessions, and the codes and tokens with which one may begin."""

    def __init__(
        self, host: Host, *, name: str, key: bytes, lasts: timedelta, same_site: Literal["lax", "strict"]
    ) -> None:
        """Does nothing yet.

        Args:
            host: The host.
            name: Of the cookie, and what begins each key in the store.
            key: Signs all of them: another key ends them.
            lasts: How long a session does.
            same_site: Whether a link on another page leads into a session (`lax`) or not.
        """
        self._host, self._name, self._key, self._lasts = host, name, key, lasts
        self._same_site: Literal["lax", "strict"] = same_site

    def sign(self, what: str, *, lasts: timedelta, subject: str = "") -> str:
        """A text that proves for a while its purpose and its person. It has letters, digits, `.`, `-` and `_`.

        Args:
            what: What it is for: no other `read` takes it.
            lasts: How long it counts.
            subject: Its person.
        """
        until = int((self._host.world.now() + lasts).timestamp())
        named = urlsafe_b64encode(subject.encode("utf-8", "replace")).decode().rstrip("=")
        text = f"{self._host.world.entropy().hex()}.{until}.{named}"
        return f"{text}.{self._mac(f'{what} {text}')}"

    def read(self, text: str, what: str, *, lasts: timedelta) -> Session | None:
        """What `sign` wrote with these; None: it did not, or it counts no more."""
        pieces = text.split(".", _PIECES) if len(text) <= MAX_CHARACTERS else []
        if len(pieces) != _PIECES:
            return None
        id, until, named, mac = pieces
        expected = self._mac(f"{what} {id}.{until}.{named}")
        if not hmac.compare_digest(expected.encode(), mac.encode("utf-8", "replace")):
            return None
        end = datetime.fromtimestamp(int(until)).astimezone()
        if end <= self._host.world.now():
            return None
        subject = urlsafe_b64decode(named + "=" * (-len(named) % 4)).decode()
        return Session(id=id, subject=subject, begun=end - lasts, expires_at=end, csrf=self._mac(f"csrf {id}"))

    def link(self, path: str, *, subject: str = "") -> str:
        """A link that begins a session for its first visitor; see `LINK`.

        Args:
            path: The path of the page that takes its code.
            subject: Who it is for.
        """
        code = self.sign("link", lasts=LINK, subject=subject)
        return f"{self._host.config.origin}{path}?{urlencode({'code': code})}"

    def read_code(self, code: str) -> Session | None:
        """What the code of a link is signed for; `use` says whether it was used before. None: it counts no more."""
        return self.read(code, "link", lasts=LINK)

    def of(self, connection: HTTPConnection) -> Session | None:
        """The session whose cookie came, unless it has ended by time; `is_open` says whether it was ended."""
        return self.read(connection.cookies.get(self._cookie(connection), ""), "session", lasts=self._lasts)

    async def is_open(self, session: Session) -> bool:
        """Whether a session has not been logged out of."""
        return await self._host.database.look(lambda db: not self.has_ended(db, session))

    def has_ended(self, db: Connection, session: Session) -> bool:
        """Whether a session has been logged out of, as a transaction sees it."""
        return db.execute(select(uses.c.key).where(uses.c.key == self._ended(session))).first() is not None

    async def use(self, code: Session) -> bool:
        """Whether a code was not used yet; from now on it is used."""
        values = {"key": f"{self._name} link {code.id}", "binding": "", "until": code.expires_at.timestamp()}
        return await self._host.database.write(lambda db: insert_new(db, uses, values))

    def begin(self, connection: HTTPConnection, response: Response, *, subject: str = "") -> None:
        """Begins a session with a response."""
        value, seconds = self.sign("session", lasts=self._lasts, subject=subject), int(self._lasts.total_seconds())
        response.set_cookie(self._cookie(connection), value, max_age=seconds, **self._facts(connection))

    async def end(
        self,
        connection: HTTPConnection,
        session: Session,
        response: Response,
        *,
        also: Callable[[Connection], object] = lambda db: None,
    ) -> None:
        """Ends a session, wherever its cookie is, and in the same transaction what else goes with it."""
        values = {"key": self._ended(session), "binding": "", "until": session.expires_at.timestamp()}

        def work(db: Connection) -> None:
            insert_new(db, uses, values)
            also(db)

        await self._host.database.write(work)
        response.delete_cookie(self._cookie(connection), **self._facts(connection))

    async def is_held_up(self, connection: HTTPConnection) -> bool:
        """Whether an address has sent so much that is wrong that it has to wait."""
        key, window = self._counted(connection), self._window()
        count = select(counts.c["count"]).where(counts.c.key == key, counts.c.window == window)
        return int(await self._host.database.read(lambda db: db.execute(count).scalar() or 0)) >= FAILURES

    async def count(self, connection: HTTPConnection) -> bool:
        """Counts an attempt against the address that it comes from; whether it may be looked at.

        It is counted before it is looked at: of many that come at once no more count than of those that come in turn.
        """
        values = {"key": self._counted(connection), "window": self._window(), "count": 1}
        (count,) = await self._host.database.write(
            lambda db: insert_or(db, counts, values, _one_more, counts.c["count"])
        )
        return bool(count <= FAILURES)

    async def forgive(self, connection: HTTPConnection) -> None:
        """Counts nothing against an address that was right."""
        here = (counts.c.key == self._counted(connection)) & (counts.c.window == self._window())
        await self._host.database.write(lambda db: db.execute(delete(counts).where(here)).rowcount)

    def _mac(self, text: str) -> str:
        return hmac.digest(self._key, text.encode("utf-8", "replace"), "sha256").hex()

    def _cookie(self, connection: HTTPConnection) -> str:
        """Browsers take a name with `__Host-` over TLS alone, and from this very host."""
        return self._name if is_local(connection) else f"__Host-{self._name}"

    def _facts(self, connection: HTTPConnection) -> dict[str, Any]:
        return {"path": "/", "secure": not is_local(connection), "httponly": True, "samesite": self._same_site}

    def _ended(self, session: Session) -> str:
        return f"{self._name} session {session.id}"

    def _counted(self, connection: HTTPConnection) -> str:
        """What wrong tokens count against."""
        return f"{self._name} login {network_of(connection)}"

    def _window(self) -> int:
        minute = int(self._host.world.now().timestamp()) // 60
        return minute - minute % WINDOW


def is_local(connection: HTTPConnection) -> bool:
    """Whether the browser is on this machine: it names the host so, and then needs no TLS."""
    return (connection.url.hostname or "") in LOCAL


def _one_more(_: Any) -> dict[str, Any]:
    return {"count": counts.c["count"] + 1}
