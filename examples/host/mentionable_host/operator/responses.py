"""Pages, made of templates, and the headers that every response of the page of the operator has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from starlette.responses import RedirectResponse, Response

from mentionable_host.operator import rendering
from mentionable_host.operator.access import PREFIX
from mentionable_host.pages import Assets, Templates, guarded

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.operator.access import Session

__all__ = ["ASSETS", "HEADERS", "Pages", "download", "query", "see"]

HEADERS: Final = {
    **guarded(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "cross-origin-resource-policy": "same-origin",
}
ASSETS: Final = Assets("mentionable_host.operator", prefix=PREFIX, headers=HEADERS)

NAVIGATION: Final = (
    ("Conversations", ""),
    ("Deliveries", "/deliveries"),
    ("People", "/people"),
    ("Followers", "/followers"),
    ("Blocks", "/blocks"),
    ("Notifications", "/notifications"),
    ("Records", "/records"),
    ("Settings", "/settings"),
)


class Pages(Templates):
    """Makes the pages of one host."""

    def __init__(self, host: Host) -> None:
        """Reads the templates when they are needed."""
        super().__init__(host, ASSETS, headers=HEADERS)
        names = ("visible", "excerpt", "clock", "size", "is_web", "json_text")
        self.environment.filters |= {name: getattr(rendering, name) for name in names}
        self.environment.globals |= {"navigation": NAVIGATION, "query": query}

    def page(
        self,
        template: str,
        facts: Mapping[str, Any],
        *,
        session: Session | None,
        title: str,
        at: str = "",
        status: int = 200,
    ) -> Response:
        """A page.

        Args:
            template: The name of its template.
            facts: What the template shows.
            session: Whose page it is; None: of somebody who has not logged in.
            title: What it is.
            at: Which entry of the navigation it belongs to.
            status: The status of the response.
        """
        return self.render(template, {**facts, "session": session, "title": title, "at": at}, status=status)


def see(path: str, **words: str) -> Response:
    """Leads the browser to a page, after something was done; `words` become its query."""
    return RedirectResponse(f"{PREFIX}{path}{query(**words)}", 303, HEADERS)


def query(**words: object) -> str:
    """A query of what is given, with its question mark; empty where nothing is."""
    given = {name: str(word) for name, word in words.items() if word not in (None, "")}
    return f"?{urlencode(given)}" if given else ""


def download(data: bytes, *, name: str) -> Response:
    """A file of a peer, which a browser stores and never shows: it may be a page with a script."""
    plain = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "_" for char in name)[-80:]
    shown = quote("".join(char for char in name[-120:] if char.isprintable()), safe="", errors="replace")
    disposition = f"attachment; filename=\"{plain or 'file'}\"; filename*=UTF-8''{shown or 'file'}"
    more = {"content-disposition": disposition, "content-security-policy": "default-src 'none'; sandbox"}
    return Response(data, 200, {**HEADERS, **more}, "application/octet-stream")
