"""Pages and files for people: the page of notifications, how to sign in, and what both are made of."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

from mentionable_host.notifications.access import PREFIX, SIGN_IN

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["HEADERS", "Pages", "asset", "asset_response"]

PACKAGE: Final = "mentionable_host.notifications"
POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types notifications default"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # with `no-referrer` browsers hide from us whose form it was
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
    "cross-origin-opener-policy": "same-origin",
}
_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
WORKER: Final = "worker.js"


class Pages:
    """Makes the pages of one host."""

    def __init__(self, host: Host) -> None:
        """Reads the templates when they are needed."""
        self._host = host
        made = Environment(
            loader=PackageLoader(PACKAGE),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        made.globals |= {"prefix": PREFIX, "sign_in": SIGN_IN, "asset": asset}
        self._made = made

    def page(self, template: str, facts: Mapping[str, Any], *, status: int = 200) -> Response:
        """A page.

        Args:
            template: The name of its template.
            facts: What it shows.
            status: The status of the response.
        """
        agent = self._host.config.agent
        own = {"agent_name": agent.display_name or agent.name, "address": agent.address}
        text = self._made.get_template(template).render({**facts, **own})
        return Response(text.encode("utf-8", "replace"), status, HEADERS, "text/html; charset=utf-8")


@cache
def asset(name: str) -> str:
    """The URL of a file; it changes when the file does."""
    return f"{PREFIX}/static/{name}?{_digest(name)}"


def asset_response(request: Request) -> Response:
    """A file; 404 where there is none of this name. Browsers cache one for good that is asked for by its digest."""
    name = request.path_params["name"]
    try:
        data = _bytes(name)
    except KeyError:
        return Response("there is no such file\n", 404, HEADERS, "text/plain; charset=utf-8")
    is_exact = request.url.query == _digest(name)
    headers = {**HEADERS, "cache-control": "public, max-age=31536000, immutable" if is_exact else "no-cache"}
    if name == WORKER:
        headers["service-worker-allowed"] = PREFIX
    return Response(data, 200, headers, _TYPES[name[name.rindex(".") :]])


@cache
def _digest(name: str) -> str:
    return sha256(_bytes(name)).hexdigest()[:12]


def _bytes(name: str) -> bytes:
    """What a file holds.

    Raises:
        KeyError: There is none of this name.
    """
    content = _files().get(name)
    if content is None:
        raise KeyError(name)
    return content


@cache
def _files() -> dict[str, bytes]:
    """All files that are served: those of the folder `static` whose kind is known."""
    folder = files(PACKAGE).joinpath("static")
    entries = [one for one in folder.iterdir() if one.is_file()] if folder.is_dir() else []
    return {
        one.name: one.read_bytes() for one in entries if "." in one.name and one.name[one.name.rindex(".") :] in _TYPES
    }
