"""Pages and files for browsers: the header fields that guard them, templates, and files that browsers cache."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Assets", "Templates", "guarded"]

_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def guarded(policy: str) -> dict[str, str]:
    """The header fields of every page.

    Args:
        policy: What it may load and do, for `Content-Security-Policy`.
    """
    return {
        "content-security-policy": policy,
        "cache-control": "no-store",
        "referrer-policy": "same-origin",  # with `no-referrer` browsers hide from us whose form it was
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "x-robots-tag": "noindex, nofollow",
        "cross-origin-opener-policy": "same-origin",
    }


class Templates:
    """Makes the pages of one host, of the templates of a package."""

    def __init__(self, host: Host, assets: Assets, *, headers: Mapping[str, str]) -> None:
        """Reads the templates when they are needed.

        Args:
            host: The host.
            assets: The files of the pages; the templates are of the same package.
            headers: The header fields of every page.
        """
        self._host, self._headers = host, headers
        self.environment = Environment(
            loader=PackageLoader(assets.package),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.globals |= {"prefix": assets.prefix, "asset": assets.url}

    def render(self, template: str, facts: Mapping[str, Any], *, status: int) -> Response:
        """A page.

        Args:
            template: The name of its template.
            facts: What it shows, besides the name and the address of the agent.
            status: The status of the response.
        """
        agent = self._host.config.agent
        own = {"agent_name": agent.display_name or agent.name, "address": agent.address}
        text = self.environment.get_template(template).render({**facts, **own})
        return Response(text.encode("utf-8", "replace"), status, self._headers, "text/html; charset=utf-8")


class Assets:
    """The files in the folder `static` of a package whose kind is known: styles, scripts and pictures.

    Attributes:
        package: The package.
        prefix: The path of its pages.
    """

    def __init__(self, package: str, *, prefix: str, headers: Mapping[str, str]) -> None:
        """Reads them when the first is needed.

        Args:
            package: The package.
            prefix: The path of its pages: they are at `static` below it.
            headers: The header fields of each of them.
        """
        self.package, self.prefix, self._headers = package, prefix, headers

    def url(self, name: str) -> str:
        """The URL of a file; it changes when the file does.

        Raises:
            KeyError: There is none of this name.
        """
        return f"{self.prefix}/static/{name}?{_files(self.package)[name][1]}"

    def response(self, request: Request) -> Response:
        """A file; 404 where there is none of this name. Browsers cache one for good that is asked for by its digest."""
        name = request.path_params["name"]
        found = _files(self.package).get(name)
        if found is None:
            return Response("there is no such file\n", 404, self._headers, "text/plain; charset=utf-8")
        data, digest = found
        is_exact = request.url.query == digest
        control = "public, max-age=31536000, immutable" if is_exact else "no-cache"
        return Response(data, 200, {**self._headers, "cache-control": control}, _TYPES[_ending(name)])


@cache
def _files(package: str) -> dict[str, tuple[bytes, str]]:
    """Name → content and digest of the files of a package that are served."""
    folder = files(package).joinpath("static")
    contents = {one.name: one.read_bytes() for one in folder.iterdir() if _ending(one.name) in _TYPES}
    return {name: (data, sha256(data).hexdigest()[:12]) for name, data in contents.items()}


def _ending(name: str) -> str:
    return name[name.rfind(".") :]
