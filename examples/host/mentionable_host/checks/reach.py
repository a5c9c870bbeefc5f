"""What keeps others from reaching the agent, as it looks from this machine: names, certificates, documents, mail."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeAlias

from mentionable import Failed, Fetch, Fetched, HttpRequest

from mentionable_host.checks import connecting
from mentionable_host.checks.finding import Finding, Severity
from mentionable_host.checks.records import Record, check, mail_host, origin_host, records
from mentionable_host.config import Config, MailSettings
from mentionable_host.keys import Keys, actor_url
from mentionable_host.world.dns import Names
from mentionable_host.world.world import World

__all__ = ["from_outside"]

ACTIVITY: Final = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
MAX_BYTES: Final = 1_048_576
SKEW_SECONDS: Final = 30
FORGIVEN_SECONDS: Final = 300
"""Others refuse signatures that are further from their own clock."""
CERTIFICATE_DAYS: Final = 14
CLOCKS: Final = ("https://www.debian.org/", "https://letsencrypt.org/", "https://www.iana.org/")
"""Whose clocks are right: two that agree are believed."""
OUTGOING: Final = "gmail.com"
"""Whose mail servers show whether this machine may send mail at all."""
Found: TypeAlias = list[Finding]

_SEVERITY: Final[dict[str, Severity]] = {"ok": "ok", "missing": "error", "wrong": "error", "unknown": "note"}


async def from_outside(config: Config, keys: Keys, world: World) -> list[Finding]:
    """All that can be found out over the network, in the order in which it should be put right."""
    web = [_origin, _certificate, _webfinger, _actor, _inbox, _clock]
    if config.mail is not None:
        web += [_incoming, _outgoing, _reverse]
    parts = await asyncio.gather(_records(config, keys, world), *(one(config, keys, world) for one in web))
    return [finding for part in parts for finding in part]


async def _records(config: Config, keys: Keys, world: World) -> Found:
    """The records that are needed."""
    needed = [record for record in records(config, keys) if record.is_needed]
    found = await asyncio.gather(*(check(record, world) for record in needed))
    return [_record(one.record, one.state, one.words) for one in found]


def _record(record: Record, state: str, words: str) -> Finding:
    means = {
        "ok": f"{record.type} of {record.name} is there",
        "missing": f"{record.type} of {record.name} is missing",
        "wrong": f"{record.type} of {record.name} is wrong",
        "unknown": f"{record.type} of {record.name} could not be looked up",
    }[state]
    if state == "ok" and record.purpose == "dmarc" and words:
        return Finding(subject="DNS", severity="warning", means=f"{means}, but {words}", do="Publish p=reject there.")
    do = "" if state == "ok" else "Run `mentionable-host dns`, publish what it prints, and wait for the old to expire."
    means = f"{means}: {words}" if words and state != "ok" else means
    return Finding(subject="DNS", severity=_SEVERITY[state], means=means, do="" if state == "unknown" else do)


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


async def _incoming(config: Config, keys: Keys, world: World) -> Found:
    """Whether a mail server answers where the MX record leads."""
    settings = _mail(config)
    if not settings.smtp:
        return []
    host = mail_host(config, settings)
    places = await world.places(host, 25)
    if isinstance(places, Failed):
        return []  # the records say so
    greeting = await connecting.greeting(places[0])
    if isinstance(greeting, Failed) or not greeting.startswith(b"220"):
        said = greeting.reason if isinstance(greeting, Failed) else repr(greeting[:60])
        means = f"no mail server answers at {host}, port 25: {said}"
        do = "Let port 25 lead to mail.smtp: open the firewall, or let an MTA pass mail on by LMTP."
        return [Finding(subject="mail in", severity="error", means=means, do=do)]
    return [Finding(subject="mail in", severity="ok", means=f"{host} takes mail")]


async def _outgoing(config: Config, keys: Keys, world: World) -> Found:
    """Whether this machine may reach mail servers of others."""
    if _mail(config).relay != "direct":
        return []
    servers = await world.lookup_mx(OUTGOING)
    name = OUTGOING if isinstance(servers, Failed) or not servers else servers[0][1]
    places = await world.places(name, 25)
    if isinstance(places, Failed):
        return [Finding(subject="mail out", severity="note", means=f"could not be checked: {places.reason}")]
    greeting = await connecting.greeting(places[0])
    if isinstance(greeting, Failed):
        means = f"{name} is not reached at port 25: many providers close it, so that no mail goes out"
        do = "Ask your provider to open port 25, or set mail.relay to a server that sends for you."
        return [Finding(subject="mail out", severity="error", means=means, do=do)]
    return [Finding(subject="mail out", severity="ok", means="port 25 of others is reached")]


async def _reverse(config: Config, keys: Keys, world: World) -> Found:
    """Whether the address of the mail server leads back to its name."""
    settings = _mail(config)
    host, names = mail_host(config, settings), getattr(world, "names", None)
    places = await world.places(host, 25)
    if settings.relay != "direct" or isinstance(places, Failed) or not isinstance(names, Names):
        return []
    found = []
    for address in {address for address, _ in places}:
        back = await names.names_of(address)
        if isinstance(back, Failed):
            found.append(Finding(subject="reverse DNS", severity="note", means=back.reason))
        elif host.lower() not in back:
            means = f"{address} is called {', '.join(back) or 'nothing'}, not {host}: many servers refuse its mail"
            do = f"Ask who gave you the address to set its reverse DNS (PTR) to {host}."
            found.append(Finding(subject="reverse DNS", severity="warning", means=means, do=do))
        else:
            found.append(Finding(subject="reverse DNS", severity="ok", means=f"{address} is {host}"))
    return found


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
    do = (
        "Is `mentionable-host serve` running, and does the proxy lead there? "
        "Some networks do not let a machine reach its own public address: then ask from elsewhere."
    )
    return Finding(subject=subject, severity="error", means=means, do=do)


def _unreachable(means: str) -> Finding:
    do = "Let a proxy such as Caddy speak TLS there, with a certificate for this name."
    return Finding(subject="TLS", severity="error", means=means, do=do)


def _mail(config: Config) -> MailSettings:
    """The settings of mail; those who ask have looked whether there are some."""
    return config.mail or MailSettings()


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return date if date.tzinfo is not None else None
