"""An operator with a browser, without JavaScript."""

from __future__ import annotations

import asyncio
import re

import httpx
from mentionable import ToolCallPart

TOKEN = "a-token-that-is-long-enough"
ORIGIN = "https://agents.example"


class Visitor:
    """A browser without JavaScript: it keeps cookies, and sends the forms of pages."""

    def __init__(self, host, *, address="203.0.113.7", origin=ORIGIN):  # type: ignore[no-untyped-def]
        self.host, self.app, self.cookies, self._address, self._origin = (
            host,
            host.app(),
            httpx.Cookies(),
            address,
            origin,
        )

    def get(self, path, **more):  # type: ignore[no-untyped-def]
        return self.ask("GET", path, **more)

    def post(self, path, form=None, **more):  # type: ignore[no-untyped-def]
        return self.ask("POST", path, data=form or {}, **more)

    def send(self, page, form, **changed):  # type: ignore[no-untyped-def]
        """Sends a form of a page, with its hidden fields."""
        got = self.get(page)
        return self.post(form, {**hidden(got.text, form), **changed})

    def ask(self, method, path, **more):  # type: ignore[no-untyped-def]
        async def talk():  # type: ignore[no-untyped-def]
            transport = httpx.ASGITransport(app=self.app, client=(self._address, 50_000))
            async with httpx.AsyncClient(transport=transport, base_url=self._origin, cookies=self.cookies) as client:
                got = await client.request(method, path, **more)
                self.cookies = client.cookies
                return got

        return asyncio.run(talk())


def hidden(page, action):  # type: ignore[no-untyped-def]
    """The hidden fields of the form that is sent to a path."""
    form = re.search(rf'<form[^>]*method="post" action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form is not None, f"no form goes to {action}"
    return dict(re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', form[1]))


def call(name="web_search", **more):  # type: ignore[no-untyped-def]
    """A tool call of an agent."""
    return ToolCallPart(**{"id": f"c-{name}", "name": name, "args": {"q": "rain"}, "result": [1, 2], **more})
