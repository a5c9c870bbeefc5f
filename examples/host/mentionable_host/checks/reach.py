"""What keeps others from reaching the agent, as it looks from this machine: names, certificates, documents."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeAlias

from mentionable import Failed, Fetch, Fetched, HttpRequest

from mentionable_host.checks import connecting, mail
from mentionable_host.checks.finding import Finding, Severity
from mentionable_host.checks.records import Checked, check, origin_host, records
from mentionable_host.config import Config
from mentionable_host.keys import Keys, actor_url
from mentionable_host.world.world import World

__all__ = ["from_outside"]

ACTIVITY: Final = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
MAX_BYTES: Final = 1_048_576
SKEW_SECONDS: Final = 30
FORGIVEN_SECONDS: Final = 300
"""Others refuse signatures that are further from their own clock."""
CERTIFICATE_DAYS: Final = 14
CLOCKS: Final = ("https://www.debian.org/", "https://letsencrypt.org/", "https://www.iana.org/")
"""Whose clocks are right: two that agree are trusted."""
EXAMPLES: Final = (".example", ".test", ".invalid", ".localhost")
Found: TypeAlias = list[Finding]

_LABELS: Final = {"spf": "SPF", "dkim": "DKIM", "dmarc": "DMARC"}


async def from_outside(config: Config, keys: Keys, world: World) -> list[Finding]:
    """All that can be found out over the network, in the order in which it should be put right."""
    found, has_address = await _records(config, keys, world)
    if not has_address:
        means = "the agent has no address yet, so nothing else was asked of it"
        return [*_example(config), *found, Finding(subject="server", severity="note", means=means)]
    web = [_origin, _certificate, _webfinger, _actor, _inbox, _card, _clock]
    if config.mail is not None:
        web += [mail.incoming, mail.outgoing, mail.reverse]
    parts = await asyncio.gather(*(one(config, keys, world) for one in web))
    return found + [finding for part in parts for finding in part]


def _example(config: Config) -> Found:
    """Whether the domain is still that of a new project, which no one can register (RFC 2606)."""
    domain = config.agent.domain
    if not domain.endswith(EXAMPLES):
        return []
    means = f"{domain} is an example, which no one can register"
    return [Finding(subject="domain", severity="error", means=means, do="Write a domain of yours to agent.domain.")]


async def _records(config: Config, keys: Keys, world: World) -> tuple[Found, bool]:
    """The records that are needed; and whether all hosts have an address, as far as can be known."""
    needed = [record for record in records(config, keys) if record.is_needed]
    found = await asyncio.gather(*(check(record, world) for record in needed))
    lost = [one for one in found if one.record.purpose == "address" and one.state in ("missing", "wrong")]
    return [_record(one) for one in found], not lost


def _record(checked: Checked) -> Finding:
    record, words = checked.record, checked.words
    name = f"the {_LABELS.get(record.purpose, record.type)} record of {record.name}"
    match checked.state:
        case "ok" if record.purpose == "dmarc" and words:
            means, do = f"{name} is there, but {words}", "Publish p=reject there."
            return Finding(subject="DNS", severity="warning", means=means, do=do)
        case "ok":
            return Finding(subject="DNS", severity="ok", means=f"{name} is there")
        case "unknown":
            means = f"{name} could not be looked up: {words}"
            return Finding(subject="DNS", severity="note", means=means)
        case state:
            do = "Run `mentionable-host dns` and publish what it prints. What was there counts until its time is over."
            means = f"{name} is {state}: {words}" if words else f"{name} is {state}"
            return Finding(subject="DNS", severity="error", means=means, do=do)


async def _origin(config: Config, keys: Keys, world: World) -> Found:
    """Whether the origin is https on its own port."""
    host = origin_host(config)
    if config.origin != f"https://{host}":
        means = f"The agent says that it is at {config.origin}. Servers of the Fediverse ask https on port 443 alone."
        do = "Set server.origin to https:// and the name of your server, and let a proxy there speak TLS."
        return [Finding(subject="origin", severity="error", means=means, do=do)]
    return [Finding(subject="origin", severity="ok", means=f"the agent is at {config.origin}")]


async def _certificate(config: Config, keys: Keys, world: World) -> Found:
    """Whether the certificate is valid, and for how long."""
    host = origin_host(config)
    places = await world.places(host, 443)
    if isinstance(places, Failed):
        return []  # the records say so
    expires = await connecting.certificate_end(places[0], host)
    if isinstance(expires, Failed):
        return [_unreachable(f"{places[0][0]} does not speak TLS as {host}: {expires.reason}")]
    days = (expires - world.now()).days
    if days < CERTIFICATE_DAYS:
        means = f"the certificate of {host} ends in {days} days"
        do = "Look why it was not renewed: Caddy and certbot do so a month before."
        return [Finding(subject="TLS", severity="warning", means=means, do=do)]
    return [Finding(subject="TLS", severity="ok", means=f"the certificate of {host} is valid for {days} days")]


async def _webfinger(config: Config, keys: Keys, world: World) -> Found:
    """Whether WebFinger at the domain leads to the actor."""
    subject, agent = "WebFinger", config.agent
    url = f"https://{agent.domain}/.well-known/webfinger?resource=acct:{agent.mailbox}"
    got = await _document(world, url, "application/jrd+json", "webfinger")
    if isinstance(got, str):
        return [_no_document(subject, url, got, f"so that nobody finds {agent.address}")]
    content, document = got
    links = document.get("links") if isinstance(document.get("links"), list) else []
    selves = [link.get("href") for link in links or [] if isinstance(link, dict) and link.get("rel") == "self"]
    if actor_url(config) not in selves:
        means = f"{url} does not lead to {actor_url(config)}"
        do = "Does another server answer for the domain? Pass /.well-known/webfinger on to this one."
        return [Finding(subject=subject, severity="error", means=means, do=do)]
    if not content.startswith(("application/jrd+json", "application/json")):
        means = f"{url} comes as {content or 'nothing'}"
        do = "The proxy must leave Content-Type as it is."
        return [Finding(subject=subject, severity="warning", means=means, do=do)]
    return [Finding(subject=subject, severity="ok", means=f"{agent.address} is found")]


async def _actor(config: Config, keys: Keys, world: World) -> Found:
    """Whether the actor document is there, as itself, and has the key in use."""
    subject, url = "actor", actor_url(config)
    got = await _document(world, url, ACTIVITY, "actor")
    if isinstance(got, str):
        return [_no_document(subject, url, got, "so that nobody can verify what the agent writes")]
    content, document = got
    if not content.replace(" ", "").startswith(("application/activity+json", "application/ld+json")):
        means = f"{url} comes as {content or 'nothing'}, so that others do not read it as an actor"
        do = "The proxy must pass on Accept, leave Content-Type as it is, and cache by `Vary: Accept`."
        return [Finding(subject=subject, severity="error", means=means, do=do)]
    if document.get("id") != url:
        means = f"{url} calls itself {str(document.get('id'))[:200]!r}"
        return [Finding(subject=subject, severity="error", means=means, do="Set server.origin to what others see.")]
    if "".join(keys.actor.public_pem.split()) not in _published(document):
        means = f"{url} has another key than the agent signs with: others refuse all that it writes"
        do = "Restart `mentionable-host serve`, so that it serves the keys that are in the folder."
        return [Finding(subject=subject, severity="error", means=means, do=do)]
    return [Finding(subject=subject, severity="ok", means=f"{url} is read as an actor")]


async def _inbox(config: Config, keys: Keys, world: World) -> Found:
    """Whether the inbox is there, and takes nothing that is not signed."""
    url, subject = f"{actor_url(config)}/inbox", "inbox"
    headers = {"content-type": ACTIVITY}
    got = await world.send(HttpRequest(method="POST", url=url, headers=headers, body=b"{}"))
    if isinstance(got, Failed):
        return [_no_document(subject, url, got.reason, "so that nothing can be delivered")]
    if got.status in (400, 401, 403):
        return [Finding(subject=subject, severity="ok", means="takes signed deliveries alone")]
    if got.status < 300:
        means = f"{url} takes what nobody signed (status {got.status})"
        do = "Which program answers there? The inbox of this host refuses it."
        return [Finding(subject=subject, severity="error", means=means, do=do)]
    means = f"{url} answers with status {got.status}, so that nothing can be delivered"
    do = "Let the proxy pass POST on to the port of `serve`, with bodies of up to a megabyte."
    return [Finding(subject=subject, severity="error", means=means, do=do)]


async def _card(config: Config, keys: Keys, world: World) -> Found:
    """Whether the card by which other agents call this one is there."""
    url = f"{config.origin}/.well-known/agent-card.json"
    got = await _document(world, url, "application/json", "agent-card")
    if isinstance(got, str):
        return [_no_document("agent card", url, got, "so that other agents cannot call this one")]
    return [Finding(subject="agent card", severity="ok", means="other agents find how to call this one")]


async def _clock(config: Config, keys: Keys, world: World) -> Found:
    """Whether the clock of this machine agrees with those of others."""

    async def ahead(url: str) -> float | None:
        got = await world.send(HttpRequest(method="HEAD", url=url), seconds=5)
        date = None if isinstance(got, Failed) else _date(got.header("date") or "")
        return None if date is None else (world.now() - date).total_seconds()

    skews = sorted(one for one in await asyncio.gather(*map(ahead, CLOCKS)) if one is not None)
    if len(skews) < 2:
        return [Finding(subject="clock", severity="note", means="no other clock could be asked")]
    skew = min(skews[len(skews) // 2], skews[len(skews) // 2 - 1], key=abs)
    if abs(skew) <= SKEW_SECONDS:
        return [Finding(subject="clock", severity="ok", means="agrees with others")]
    words = f"{abs(skew):.0f} seconds {'ahead' if skew > 0 else 'behind'}"
    severity: Severity = "error" if abs(skew) >= FORGIVEN_SECONDS else "warning"
    means = f"The clock of this machine is {words}. Others refuse signatures that are too old or not yet valid."
    return [
        Finding(subject="clock", severity=severity, means=means, do="Run an NTP client, such as systemd-timesyncd.")
    ]


async def _document(world: World, url: str, accept: str, purpose: str) -> tuple[str, dict[str, Any]] | str:
    """The media type and the members of a JSON document; or why there is none."""
    try:
        ask = Fetch(url=url, accept=accept, purpose=purpose, fresh=True, max_bytes=MAX_BYTES)
    except ValueError as error:
        return str(error)
    got = await world.fetch(ask)
    if isinstance(got, Failed):
        return got.reason
    if got.status != 200:
        return f"status {got.status}"
    document = _json(got)
    return (got.content_type.lower(), document) if document is not None else "it is no JSON object"


def _published(actor: dict[str, Any]) -> set[str]:
    """The keys of an actor document, without blanks."""
    found = actor.get("publicKey")
    members = [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]
    return {"".join(str(one.get("publicKeyPem")).split()) for one in members}


def _json(got: Fetched) -> dict[str, Any] | None:
    try:
        document = json.loads(got.body)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _no_document(subject: str, url: str, reason: str, consequence: str) -> Finding:
    means = f"{url} does not come ({reason}), {consequence}"
    if reason.startswith("status"):
        do = "Another program answers there, or the proxy does: pass this path on to the port of `serve`."
        return Finding(subject=subject, severity="error", means=means, do=do)
    do = (
        "Is `mentionable-host serve` running, and does the proxy lead there? "
        "Some networks do not let a machine reach its own public address: then ask from elsewhere."
    )
    return Finding(subject=subject, severity="error", means=means, do=do)


def _unreachable(means: str) -> Finding:
    do = "Let a proxy such as Caddy speak TLS there, with a certificate for this name."
    return Finding(subject="TLS", severity="error", means=means, do=do)


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return date if date.tzinfo is not None else None
