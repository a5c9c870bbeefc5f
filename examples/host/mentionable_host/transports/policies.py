"""The page on which a person consents: it shows the question, and takes a yes by one POST.

The address of the page went to the person, and to no one else. Opening it does nothing, because programs open
links too. Whatever is wrong with it gets one page, so that who tries addresses learns nothing.
"""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Final

from attrs import frozen
from mentionable import policy
from sqlalchemy import Connection
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from mentionable_host.agents import receipts
from mentionable_host.store import messages, policies
from mentionable_host.store.database import Conflict, StoreUnavailable

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["routes"]

STYLE: Final = (
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem}"
    "blockquote{margin:1rem 0;padding:.5rem 1rem;border-left:.3rem solid #888;white-space:pre-wrap}"
    "button{font:inherit;padding:.6rem 1.2rem}@media(prefers-color-scheme:dark){body{background:#111;color:#eee}}"
)
_DIGEST: Final = b64encode(sha256(STYLE.encode()).digest()).decode()
HEADERS: Final = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@frozen(kw_only=True)
class _Question:
    """What the page shows. `comes_back`: who asked gets the answer when they ask again."""

    record: policy.Issuance
    text: str
    label: str
    is_granted: bool
    comes_back: bool


def routes(host: Host) -> list[BaseRoute]:
    """The page."""
    path = "/consent/{state}"
    return [
        Route(path, partial(_show, host), methods=["GET"]),
        Route(path, partial(_take, host), methods=["POST"]),
    ]


async def _show(host: Host, request: Request) -> Response:
    """The question, with a button."""
    try:
        found = await host.database.read(lambda db: _question(db, host, request.path_params["state"]))
    except StoreUnavailable:
        return _later()
    if found is None:
        return _unknown()
    if found.is_granted:
        return _thanks(host, found)
    record, name = found.record, host.config.agent.display_name or host.address
    body = (
        f"<p><b>{escape(name)}</b> ({escape(record.agent)}) was asked something by"
        f" <b>{escape(record.principal)}</b>, and wants to know:</p><blockquote>{escape(found.text)}</blockquote>"
        f'<form method="post"><button>{escape(found.label)}</button></form>'
        f"<p>If you are not {escape(record.principal)}, or did not ask, close this page: then nothing happens.</p>"
    )
    return _page("A question", body)


async def _take(host: Host, request: Request) -> Response:
    """Takes the yes, stores it, and has the agent go on."""
    state = request.path_params["state"]
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return _unknown()  # a form of another site

    def work(db: Connection) -> _Question | None:
        found = _question(db, host, state)
        if found is None:
            return None
        scope_hash = found.record.scope_hash or ""
        if policies.grant(db, found.record.key, scope_hash):
            candidate = policy.Candidate(kind="consent_required", state=state, scope_hash=scope_hash)
            receipts.enqueue(db, host, candidate)
        return found

    try:  # who tries addresses costs a look, and no transaction that writes
        is_known = await host.database.read(lambda db: _question(db, host, state)) is not None
        taken = await host.database.write(work) if is_known else None
    except (StoreUnavailable, Conflict):
        return _later()
    host.wake()
    return _unknown() if taken is None else _thanks(host, taken)


def _question(db: Connection, host: Host, state: str) -> _Question | None:
    """The question of a state that can still be answered here; None: there is none, or it is of the program's own page.

    A question that names an account is answered where that account signs in, never here.
    """
    demand = policies.find(db, policy.key_of(state))
    if demand is None or demand.record.kind != "consent_required":
        return None
    record = demand.record
    is_granted = policies.is_granted(db, record.key, record.scope_hash or "")
    if not (is_granted or record.is_open(host.world.now())) or (record.subject and record.subject_method is None):
        return None
    answer = messages.answer_to(db, record.message_id)
    part = None if answer is None else policy.demand_of(answer)
    if not isinstance(part, policy.ConsentRequired) or host.agent.consent_check is not None:
        return None
    asked = messages.latest(db, demand.question)
    comes_back = asked is not None and asked.transport in receipts.IN_BAND
    return _Question(
        record=record, text=part.message, label="Yes, I agree", is_granted=is_granted, comes_back=comes_back
    )


def _thanks(host: Host, question: _Question) -> Response:
    """What happens now. Over plain HTTP nothing can be sent later: who asked asks again, with the receipt."""
    name = escape(host.config.agent.display_name or host.address)
    then = "goes on when you ask again" if question.comes_back else "goes on now, and answers where you asked"
    return _page("Thank you", f"<p>{name} {then}. You can close this page.</p>")


def _unknown() -> Response:
    text = "<p>There is no open question here. It may have been answered, or is too old: then ask once more.</p>"
    return _page("Nothing to answer", text, status=404)


def _later() -> Response:
    text = '<p>This cannot be stored just now.</p><form method="post"><button>Try again</button></form>'
    return _page("Please try again", text, status=503)


def _page(title: str, body: str, *, status: int = 200) -> Response:
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{title}</title>"
    page = f"<!doctype html><html lang=en><head>{head}<style>{STYLE}</style></head><body><h1>{title}</h1>{body}</body>"
    return HTMLResponse(f"{page}</html>", status, HEADERS)
