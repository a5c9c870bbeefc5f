"""Pages, made of templates, and the headers that every response of the page of the operator has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import RedirectResponse, Response

from mentionable_host.operator import rendering
from mentionable_host.operator.access import PREFIX

if TYPE_CHECKING:
    from mentionable_host.host import Host
    from mentionable_host.operator.access import Session

__all__ = ["CSS", "HEADERS", "SCRIPT", "Pages", "asset", "download", "query", "see"]

POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # with `no-referrer` browsers hide from us whose form it was
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
CSS: Final = "operator.css"
SCRIPT: Final = "operator.js"
_TYPES: Final = {CSS: "text/css; charset=utf-8", SCRIPT: "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}

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


class Pages:
    """Makes the pages of one host."""

    def __init__(self, host: Host) -> None:
        """Reads the templates when they are needed."""
        self._host = host
        made = Environment(
            loader=PackageLoader("mentionable_host.operator"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        names = ("visible", "excerpt", "clock", "size", "is_web", "json_text")
        made.filters |= {name: getattr(rendering, name) for name in names}
        made.globals |= {"prefix": PREFIX, "navigation": NAVIGATION, "asset": asset, "query": query}
        self._made = made

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
        agent = self._host.config.agent
        name = agent.display_name or agent.name
        own = {"session": session, "title": title, "at": at, "agent_name": name, "address": agent.address}
        text = self._made.get_template(template).render({**facts, **own})
        return Response(text.encode("utf-8", "replace"), status, HEADERS, "text/html; charset=utf-8")


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


@cache
def asset(name: str) -> str:
    """The URL of a style, a script or a picture of ours; it changes when the file does."""
    return f"{PREFIX}/static/{name}?{sha256(asset_bytes(name)).hexdigest()[:12]}"


@cache
def asset_bytes(name: str) -> bytes:
    """What is served under it.

    Raises:
        KeyError: There is no such file.
    """
    if name not in _TYPES:
        raise KeyError(name)
    return files("mentionable_host.operator").joinpath("static", name).read_bytes()


def asset_response(name: str) -> Response:
    """A style, a script or a picture; 404 where there is none of this name."""
    try:
        data = asset_bytes(name)
    except KeyError:
        return Response("there is no such file\n", 404, HEADERS, "text/plain; charset=utf-8")
    headers = {**HEADERS, "cache-control": "public, max-age=31536000, immutable"}
    return Response(data, 200, headers, _TYPES[name])
