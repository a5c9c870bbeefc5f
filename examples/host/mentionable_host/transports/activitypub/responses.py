"""Headers of responses that do not depend on what is served: entity tags, conditional requests, HEAD."""

from __future__ import annotations

from hashlib import sha256

from mentionable import HttpRequest, HttpResponse, activitypub, replace

from mentionable_host.store.publications import Document

__all__ = ["conditional", "file_response"]

MAX_TAGS = 64


def conditional(response: HttpResponse, asked: HttpRequest) -> HttpResponse:
    """The response with an entity tag; 304 where the client has it, and without its body where only HEAD was asked.

    Args:
        response: The whole response.
        asked: The GET or HEAD.

    Spec: RFC 9110 §8.8.3, §9.3.2, §13.1.2.
    """
    if response.status == 200:
        tag = f'"{sha256(response.body).hexdigest()[:32]}"'
        response = replace(response, headers=(*response.headers, ("etag", tag)))
        known = [one.strip().removeprefix("W/") for one in (asked.header("if-none-match") or "").split(",", MAX_TAGS)]
        if tag in known or known == ["*"]:
            kept = tuple(one for one in response.headers if one[0] not in ("content-type", "content-length"))
            return HttpResponse(status=304, headers=kept)
    if asked.method == "HEAD":
        length = ("content-length", str(len(response.body)))
        others = [one for one in response.headers if one[0] != "content-length"]
        return replace(response, headers=(*others, length), body=b"")
    return response


def file_response(file: Document) -> HttpResponse:
    """The response with a file of an answer: nothing of it acts in the name of the host, whatever it holds."""
    served = activitypub.ServedFile(mime=file.content_type, data=file.value)
    return HttpResponse(status=200, headers=served.headers, body=file.value)
