"""The page of the operator as a part of the host: its routes, and what each of them is guarded by."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from mentionable_host.forms import FormError, read_form
from mentionable_host.operator import conversations, deliveries, people, records, relations
from mentionable_host.operator.access import LOGIN, PREFIX, Access, Session, is_local
from mentionable_host.operator.responses import ASSETS, HEADERS, Pages, query
from mentionable_host.operator.visit import Page, Refused, Visit
from mentionable_host.store.database import Conflict, StoreUnavailable
from mentionable_host.transports.transport import Service

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Operator"]

log = logging.getLogger(__name__)

PAGES: Final = (*conversations.PAGES, *deliveries.PAGES, *people.PAGES, *relations.PAGES, *records.PAGES)
LOGIN_BYTES: Final = 10_000
CSRF: Final = "csrf"
_OWN: Final = ("same-origin", "none")
"""What a browser says of requests that come from the page itself, or from nowhere (Fetch Metadata)."""


class Operator(Service):
    """The page, at `/operator`."""

    name: ClassVar[str] = "operator"

    def __init__(self, host: Host) -> None:
        """Reads the token.

        Raises:
            ConfigError: It is not there, or too short.
        """
        super().__init__(host)
        self._access, self._pages = Access(host), Pages(host)

    def routes(self) -> Sequence[BaseRoute]:
        """Login, logout, static files, and every page behind the login."""
        own = [
            Route(LOGIN, self._answered(self._login), methods=["GET", "POST"]),
            Route(f"{PREFIX}/static/{{name}}", self._static),
            Route(f"{PREFIX}/", partial(_led, to=PREFIX), methods=["GET"]),
        ]
        pages = [*PAGES, Page(path="/logout", do=self._logout, method="POST")]
        return own + [
            Route(f"{PREFIX}{one.path}", self._answered(partial(self._guarded, one)), methods=[one.method])
            for one in pages
        ]

    def _answered(self, do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Turns what may go wrong into a page that says so."""

        async def answered(request: Request) -> Response:
            try:
                return await do(request)
            except Refused as error:
                return self._error(str(error), status=error.status)
            except FormError as error:
                return self._error(str(error), status=400)
            except (StoreUnavailable, Conflict) as error:
                log.warning("a page cannot be shown: %s", error)
                return self._error("The database cannot be used just now. Try again in a moment.", status=503)

        return answered

    async def _guarded(self, page: Page, request: Request) -> Response:
        """Does what a page does, for somebody who has logged in, and a form only where the page itself sent it."""
        session = await self._session(request)
        if session is None:
            if page.method == "POST":
                raise Refused("You are logged out. Log in, then do it again.", status=403)
            return RedirectResponse(f"{LOGIN}{query(next=_path(request))}", 303, HEADERS)
        visit = Visit(host=self.host, request=request, session=session, pages=self._pages)
        if page.method == "POST":
            form = await self._form(request, session)
            visit = Visit(host=self.host, request=request, session=session, pages=self._pages, form=form)
        return await page.do(visit)

    async def _session(self, request: Request) -> Session | None:
        session = self._access.of(request)
        return session if session is not None and await self._access.is_open(session) else None

    async def _form(self, request: Request, session: Session) -> dict[str, str]:
        _check_site(request)
        form = await read_form(request)
        if not hmac.compare_digest(form.get(CSRF, "").encode("utf-8", "replace"), session.csrf.encode()):
            raise Refused("This form is not of this page, or of an older login. Load the page again.", status=403)
        return dict(form)

    async def _login(self, request: Request) -> Response:
        """Logs in with a code or with the token."""
        code = request.query_params.get("code", "")
        if request.method == "POST":
            return await self._with_token(request)
        if request.method == "GET" and code:
            if await self._access.takes_code(code):
                return self._begun(request, PREFIX)
            return self._form_page(request, "This link has been used, or is too old. Log in with the token.", 403)
        if await self._session(request) is not None:
            return RedirectResponse(PREFIX, 303, HEADERS)
        return self._form_page(request)

    async def _with_token(self, request: Request) -> Response:
        _check_site(request)
        if await self._access.is_held_up(request):
            return self._form_page(request, "Too many wrong tokens came from your address. Wait ten minutes.", 429)
        form = await read_form(request, limit=LOGIN_BYTES)
        if not await self._access.has_token(request, form.get("token", "").strip()):
            log.warning("a wrong token for the page of the operator came from %r", _address(request))
            return self._form_page(request, "This is not the token.", 403, following=form.get("next", ""))
        following = form.get("next", "")
        return self._begun(request, following if _is_own(following) else PREFIX)

    def _begun(self, request: Request, to: str) -> Response:
        log.info("the operator logs in from %r", _address(request))
        response = RedirectResponse(to, 303, HEADERS)
        self._access.begin(request, response)
        return response

    def _form_page(self, request: Request, error: str = "", status: int = 200, *, following: str = "") -> Response:
        following = following or request.query_params.get("next", "")
        facts = {
            "error": error,
            "next": following if _is_own(following) else "",
            "is_plain": request.url.scheme == "http" and not is_local(request),
        }
        return self._pages.page("login.html", facts, session=None, title="Log in", status=status)

    async def _logout(self, visit: Visit) -> Response:
        response = RedirectResponse(LOGIN, 303, HEADERS)
        await self._access.end(visit.request, visit.session, response)
        return response

    async def _static(self, request: Request) -> Response:
        return ASSETS.response(request)

    def _error(self, words: str, *, status: int) -> Response:
        facts = {"words": words, "status": status}
        return self._pages.page("error.html", facts, session=None, title="That did not work", status=status)


def _check_site(request: Request) -> None:
    """Refuses what another site has the browser send; browsers that do not say so are left to the token of the form."""
    if request.headers.get("sec-fetch-site", "none") not in _OWN:
        raise Refused("Another site sent this.", status=403)


def _path(request: Request) -> str:
    asked = request.url.query
    return f"{request.url.path}?{asked}" if asked else request.url.path


def _is_own(path: str) -> bool:
    """Whether it leads to a page here: never to another host."""
    return path == PREFIX or (path.startswith(f"{PREFIX}/") and path.isascii() and "\\" not in path and " " not in path)


def _address(request: Request) -> str:
    return request.client.host if request.client else "unknown"


async def _led(request: Request, *, to: str) -> Response:
    return RedirectResponse(to, 308, HEADERS)
