"""What people see who open a link to the agent or to what it wrote: a page without scripts, of what is public alone."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from jinja2 import Environment
from markupsafe import Markup
from mentionable import HttpRequest, HttpResponse

__all__ = ["VARY", "page", "wants_page"]

VARY: Final = ("vary", "accept")

_STYLE: Final = (
    "body{font:1.05rem/1.55 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;color:#222;"
    "background:#fff}article{border-top:1px solid #ccc;padding:.5rem 0;overflow-wrap:anywhere}a{color:#0645ad}"
    "time,.address{color:#555}img{max-width:6rem}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#111}a{color:#8ab4f8}time,.address{color:#aaa}}"
)
_POLICY: Final = (
    f"default-src 'none'; style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
    "img-src https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = (
    ("content-type", "text/html; charset=utf-8"),
    ("content-security-policy", _POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
)

_TEMPLATE: Final = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{% if not is_listed %}
<meta name="robots" content="noindex">
{% endif %}
<title>{{ actor.name }} ({{ address }})</title>
<link rel="alternate" type="application/activity+json" href="{{ url }}">
<style>{{ style }}</style>
</head>
<body>
<header>
{% if actor.icon %}
<img src="{{ actor.icon.url }}" alt="">
{% endif %}
<h1>{{ actor.name }}</h1>
<p class="address">{{ address }}</p>
{% if actor.summary %}
{{ html(actor.summary) }}
{% endif %}
</header>
<main>
{% for note in notes %}
<article>
{{ html(note.content or "") }}
<p><a href="{{ note.id }}"><time datetime="{{ note.published }}">{{ note.published }}</time></a></p>
</article>
{% endfor %}
</main>
</body>
</html>
"""
)


def wants_page(asked: HttpRequest) -> bool:
    """Whether a person asks with a browser: it takes HTML, and says nothing of ActivityPub."""
    accept = (asked.header("accept") or "").casefold()
    return "text/html" in accept and "json" not in accept


def page(
    actor: Mapping[str, Any], *, address: str, url: str, notes: Sequence[Mapping[str, Any]], is_listed: bool
) -> HttpResponse:
    """A page about the agent, with what it wrote.

    Args:
        actor: The actor document.
        address: The address of the agent.
        url: The document that the page shows.
        notes: What it wrote, all of it public. The library made the HTML of it.
        is_listed: Whether search engines may list it.
    """
    facts = {"actor": actor, "address": address, "url": url, "notes": notes, "is_listed": is_listed}
    text = _TEMPLATE.render(**facts, style=Markup(_STYLE), html=Markup)  # noqa: S704 - the policy lets nothing of it run
    return HttpResponse(status=200, headers=_HEADERS, body=text.encode())
