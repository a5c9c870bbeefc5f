"""Keys, DNS records and what keeps others from reaching the agent; the settings; and notifications."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from attrs import frozen
from sqlalchemy.engine import make_url
from starlette.responses import Response

from mentionable_host.config import Config
from mentionable_host.keys import published_keys
from mentionable_host.operator.visit import Page, Visit
from mentionable_host.store import conversations, listing

__all__ = ["PAGES", "settings_of"]

AT: Final = "/records"
SECONDS: Final = 60
"""So long all checks may take."""

SHOWN: Final[dict[str, tuple[str, ...]]] = {
    "agent": ("name", "domain", "display_name", "summary", "program", "follows", "discoverable", "seconds", "history"),
    "server": ("host", "port", "origin", "proxies", "trace_viewer"),
    "store": ("keep_days",),
    "activitypub": ("indexable", "authorized_fetch", "icon", "page", "also_known_as"),
    "mail": ("smtp", "lmtp", "selector", "unverified", "hostname", "certificate", "trusted_forwarders"),
    "a2a": ("anonymous", "patience", "local_webhooks"),
    "slack": ("app_id", "teams", "listen_to", "withdraw"),
    "discord": ("application_id", "bot_id", "gateway", "withdraw"),
    "bluebubbles": ("account", "groups", "private_api"),
    "limits": ("sender_per_hour", "domain_per_hour", "thread_turns", "file_bytes"),
}
"""What of the configuration is shown. What is not named here is not: it may be a secret."""


@frozen(kw_only=True)
class _Key:
    """A key, ready for a template."""

    name: str
    id: str
    kind: str
    state: str


async def records(visit: Visit) -> Response:
    """The keys, and the records to publish."""
    return _records(visit)


async def check(visit: Visit) -> Response:
    """Asks DNS and the network whether others can reach the agent."""
    from mentionable_host.checks import local, reach
    from mentionable_host.checks import records as dns

    config, host = visit.host.config, visit.host
    expected = dns.records(config, host.keys)
    try:
        async with asyncio.timeout(SECONDS):
            checked = await asyncio.gather(*(dns.check(one, host.world) for one in expected))
            findings = [*await asyncio.to_thread(local.of_config, config)]
            findings += await asyncio.to_thread(local.of_files, config)
            findings += await local.of_store(host.database)
            findings += await reach.from_outside(config, host.keys, host.world)
    except TimeoutError:
        return _records(visit, error="The checks took too long. Try again later.")
    order = ("error", "warning", "note", "ok")
    findings.sort(key=lambda one: order.index(one.severity))
    return _records(visit, checked=checked, findings=findings)


async def settings(visit: Visit) -> Response:
    """The configuration, without secrets."""
    host = visit.host
    return visit.page(
        "settings.html",
        title="Settings",
        at="/settings",
        sections=settings_of(host.config),
        transports=sorted(host.transports),
        counts=await visit.read(conversations.counts),
    )


async def notifications(visit: Visit) -> Response:
    """What the agent, or the host for it, is to tell people unasked."""
    after = visit.asked("after") or None
    found = await visit.read(lambda db: listing.events(db, after=after))
    return visit.page(
        "notifications.html", title="Notifications", at="/notifications", found=found, is_later=after is not None
    )


def settings_of(config: Config) -> dict[str, dict[str, object]]:
    """Section → name → value of what may be shown."""
    found: dict[str, dict[str, object]] = {}
    for section, names in SHOWN.items():
        values = getattr(config, section)
        if values is not None:
            found[section] = {name: getattr(values, name) for name in names}
    found["store"] = {"kind": _kind(config.store.url), **found["store"]}
    if config.mail is not None:
        found["mail"]["relay"] = "direct" if config.mail.relay == "direct" else "a relay"
    found["a2a"]["callers"] = sorted(config.a2a.callers.values())
    return found


def _kind(url: str) -> str:
    """The kind of the database, and nothing of its URL: that may have a password."""
    try:
        return make_url(url).get_backend_name()
    except Exception:  # `env:NAME`, say
        return "as the environment says"


def _records(visit: Visit, **more: Any) -> Response:
    from mentionable_host.checks import records as dns

    facts: dict[str, Any] = {"checked": [], "findings": [], "error": "", **more}
    expected = [] if facts["checked"] else dns.records(visit.host.config, visit.host.keys)
    return visit.page(
        "records.html",
        title="Keys and records",
        at=AT,
        keys=_keys(visit),
        expected=expected,
        **facts,
    )


def _keys(visit: Visit) -> list[_Key]:
    """The keys; of the actor's first the one that signs, then those that are published with it."""
    own, now = visit.host.keys, visit.host.world.now()
    fediverse = visit.activitypub
    actors = published_keys(own.actors, now) if fediverse is None else fediverse.keys.published()
    named = [("actor", key, "published" if number else "signs") for number, key in enumerate(actors)]
    named += [("mail (DKIM)", own.mail, "signs"), ("agent card and webhooks", own.card, "signs")]
    named.append(("activities", own.object, "signs"))
    return [_Key(name=name, id=key.key_id, kind=key.kind, state=state) for name, key, state in named]


PAGES: Final = (
    Page(path="/records", do=records),
    Page(path="/records", do=check, method="POST"),
    Page(path="/settings", do=settings),
    Page(path="/notifications", do=notifications),
)
