"""NodeInfo: which software a server runs, and how many use it.

Spec: NodeInfo 2.1 and its protocol.
"""

from __future__ import annotations

import re
from typing import Any, Final

from .._errors.exceptions import UsageError
from .._flow.settings import check_count, check_kind
from .._model.base import replace
from .._wire.http import HttpRequest, HttpResponse, check_request, is_web_url, path_of, without_query
from .._wire.strict_json import is_text, plain
from ._documents import empty_response, public_response

_WELL_KNOWN: Final = "/.well-known/nodeinfo"
_PATH: Final = "/nodeinfo/2.1"
_SCHEMA: Final = "http://nodeinfo.diaspora.software/ns/schema/2.1"
_TYPE: Final = f'application/json; profile="{_SCHEMA}#"'
_NAME: Final = re.compile(r"[a-z0-9-]{1,100}", re.ASCII).fullmatch
_MAX_VERSION: Final = 100


def write_nodeinfo(
    *,
    software: str,
    version: str,
    users: int | None = None,
    posts: int | None = None,
    repository: str | None = None,
    homepage: str | None = None,
    metadata: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """What your server says about itself, for `nodeinfo_response`: that it speaks ActivityPub, and takes no sign-ups.

    Args:
        software: The name of your software, in lower case: letters, digits and hyphens.
        version: Its version.
        users: How many agents the server has; None leaves that open.
        posts: How many posts they have made; None leaves that open.
        repository: The URL of its source code.
        homepage: The URL of the page about it.
        metadata: What else there is to say, as JSON.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: NodeInfo 2.1 (schema).

    Example:
        >>> write_nodeinfo(software="helper", version="1.0", users=1)["usage"]
        {'users': {'total': 1}}
    """
    check_kind(software, str, "software")
    check_kind(version, str, "version")
    if not _NAME(software):
        raise UsageError("software must be a name of lower-case letters, digits and hyphens")
    if not 0 < len(version) <= _MAX_VERSION or not is_text(version):
        raise UsageError("version must be a short text")
    described: dict[str, Any] = {"name": software, "version": version}
    for name, url in (("repository", repository), ("homepage", homepage)):
        if url is not None:
            check_kind(url, str, name)
            if not is_web_url(url):
                raise UsageError(f"{name} must be an http or https URL")
            described[name] = url
    usage: dict[str, Any] = {"users": {}}
    if users is not None:
        check_count(users, "users")
        usage["users"] = {"total": users}
    if posts is not None:
        check_count(posts, "posts")
        usage["localPosts"] = posts
    if metadata is not None:
        check_kind(metadata, dict, "metadata")
    return {
        "version": "2.1",
        "software": described,
        "protocols": ["activitypub"],
        "services": {"inbound": [], "outbound": []},
        "openRegistrations": False,
        "usage": usage,
        "metadata": plain(metadata or {}),
    }


def nodeinfo_response(request: HttpRequest, *, nodeinfo: dict[str, Any]) -> HttpResponse:
    """The response to a request for `/.well-known/nodeinfo` or for `/nodeinfo/2.1`, to which the first one leads.

    Args:
        request: The request; its `url` is the public one.
        nodeinfo: What `write_nodeinfo` made.

    Returns:
        200 with the document; 404 for another path, 405 for another method than GET and HEAD.

    Raises:
        UsageError: An argument is of the wrong kind.

    Spec: NodeInfo protocol 2.1 (Discovery, Retrieval).

    Example:
        >>> from mentionable import HttpRequest
        >>> request = HttpRequest(method="GET", url="https://agents.example/.well-known/nodeinfo")
        >>> response = nodeinfo_response(request, nodeinfo=write_nodeinfo(software="helper", version="1.0"))
        >>> b"https://agents.example/nodeinfo/2.1" in response.body
        True
    """
    check_request(request)
    check_kind(nodeinfo, dict, "nodeinfo")
    if nodeinfo.get("version") != "2.1":
        raise UsageError("nodeinfo must be what write_nodeinfo makes")
    if request.method not in ("GET", "HEAD"):
        return empty_response(405, ("allow", "GET, HEAD"))
    path = path_of(request.url)
    if path == _WELL_KNOWN:
        link = {"rel": _SCHEMA, "href": without_query(request.url).removesuffix(path) + _PATH}
        response = public_response({"links": [link]})
    elif path == _PATH:
        response = public_response(plain(nodeinfo), _TYPE)
    else:
        return empty_response(404)
    return response if request.method == "GET" else replace(response, body=b"")
