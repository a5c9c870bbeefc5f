"""Pages for people and JSON for clients, and the header fields of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from mentionable_host.notifications.access import PREFIX, SIGN_IN
from mentionable_host.pages import Assets, Templates, guarded

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["ASSETS", "HEADERS", "NO_STORE", "Pages", "asset_response", "json_of", "refusal"]

HEADERS: Final = guarded(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types notifications default"
)
NO_STORE: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
"""The header fields of what clients get."""
ASSETS: Final = Assets("mentionable_host.notifications", prefix=PREFIX, headers=HEADERS)
WORKER: Final = "worker.js"
RETRY_SECONDS: Final = 10


class Pages(Templates):
    """Makes the pages of one host."""

    def __init__(self, host: Host) -> None:
        """Reads the templates when they are needed."""
        super().__init__(host, ASSETS, headers=HEADERS)
        self.environment.globals["sign_in"] = SIGN_IN

    def page(self, *, person: str, is_demo: bool) -> Response:
        """The page of somebody who has signed in.

        Args:
            person: Who it is.
            is_demo: Whether it offers the events of `serve --demo`.
        """
        return self.render("notifications.html", {"person": person, "is_demo": is_demo}, status=200)

    def plain(self, title: str, *, words: str = "", code: str = "", person: str = "", status: int = 200) -> Response:
        """A page of somebody who has not.

        Args:
            title: Its title.
            words: What it says.
            code: The code of a link, where a button signs in.
            person: The person that it signs in.
            status: The status of the response.
        """
        return self.render(
            "plain.html", {"title": title, "words": words, "code": code, "person": person}, status=status
        )


def asset_response(request: Request) -> Response:
    """A file of the page; that of the service worker says that it may serve all of `/notifications`."""
    response = ASSETS.response(request)
    if request.path_params["name"] == WORKER:
        response.headers["service-worker-allowed"] = PREFIX
    return response


def json_of(value: Mapping[str, Any], status: int = 200, *, retry_seconds: int | None = None) -> Response:
    """A response with JSON.

    Args:
        value: What it says.
        status: The status of the response.
        retry_seconds: When the client should ask again.
    """
    later = {} if retry_seconds is None else {"retry-after": str(retry_seconds)}
    return JSONResponse(value, status, {**NO_STORE, **later})


def refusal(code: str, status: int) -> Response:
    """What a client gets where its request is refused.

    Args:
        code: Says why, for programs.
        status: The status of the response.
    """
    return json_of({"error": code}, status, retry_seconds=RETRY_SECONDS if status in (429, 503) else None)
