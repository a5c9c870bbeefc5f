"""One request of the operator: who asks, what for, and how a page is made for them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, cast

from attrs import field, frozen
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.operator.responses import Pages

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.operator.access import Session
    from mentionable_host.transports.activitypub.transport import ActivityPub

__all__ = ["DONE", "Page", "Refused", "Visit"]

T = TypeVar("T")

DONE: Final = {
    "retried": "The job is tried now.",
    "all-retried": "The jobs are tried now, 200 at most.",
    "dropped": "The job is dropped.",
    "too-late": "The job is not waiting any more: it is being done, or has ended.",
    "accepted": "The follower is accepted.",
    "rejected": "The follower is rejected.",
    "blocked": "They are blocked: nothing that they write is answered.",
    "silenced": "They are silenced: they are answered seldom.",
    "unblocked": "They are heard again.",
    "nobody": "There was nobody to do that for.",
    "forgotten": "The person is forgotten.",
}
"""What a page says after something was done, by the word in its address. No other word shows anything."""

MAX_WORDS: Final = 2_000
NUMBER_DIGITS: Final = 18


class Refused(Exception):
    """What was asked for cannot be done or shown.

    Attributes:
        status: The status of the response.
    """

    def __init__(self, message: str, *, status: int = 404) -> None:
        """Says why, to the operator."""
        super().__init__(message)
        self.status = status


@frozen(kw_only=True)
class Visit:
    """A request of somebody who has logged in.

    Attributes:
        form: The fields of the form that was sent; of a GET none.
    """

    host: Host
    request: Request
    session: Session
    pages: Pages
    form: Mapping[str, str] = field(factory=dict, repr=False)

    def asked(self, name: str) -> str:
        """A word of the query; empty where it has none."""
        return self.request.query_params.get(name, "")[:MAX_WORDS]

    def given(self, name: str) -> str:
        """A field of the form, without blanks around it.

        Raises:
            Refused: The form does not have it.
        """
        if name not in self.form:
            raise Refused(f"the form has no {name}", status=400)
        return self.form[name].strip()

    @property
    def number(self) -> int:
        """The number in the path.

        Raises:
            Refused: There can be none such.
        """
        return _number(self.request.path_params.get("number", ""))

    @property
    def before(self) -> int | None:
        """The number to go on before, where a list is read in pieces."""
        word = self.asked("before")
        return _number(word) if word else None

    @property
    def activitypub(self) -> ActivityPub | None:
        """The Fediverse, where it is configured."""
        return cast("ActivityPub | None", self.host.transports.get("activitypub"))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What a transaction reads."""
        return await self.host.database.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What comes of a transaction."""
        return await self.host.database.write(work)

    def page(self, template: str, *, title: str, at: str = "", status: int = 200, **facts: object) -> Response:
        """A page of this host."""
        done = DONE.get(self.asked("done"), "")
        return self.pages.page(
            template, {"done": done, **facts}, session=self.session, title=title, at=at, status=status
        )


@frozen(kw_only=True)
class Page:
    """A path, and what is done there.

    Attributes:
        path: Behind `/operator`.
        do: Makes the response.
    """

    path: str
    do: Handler
    method: Literal["GET", "POST"] = "GET"


Handler: TypeAlias = Callable[[Visit], Awaitable[Response]]


def _number(word: str) -> int:
    if not (word.isascii() and word.isdecimal()) or len(word) > NUMBER_DIGITS:
        raise Refused("there is nothing of this number")
    return int(word)
