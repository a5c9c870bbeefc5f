"""What keeps mail from reaching the agent, or its mail from reaching others."""

from __future__ import annotations

from typing import Final

from mentionable import Failed

from mentionable_host.checks import connecting
from mentionable_host.checks.finding import Finding
from mentionable_host.checks.records import mail_host
from mentionable_host.config import Config
from mentionable_host.keys import Keys
from mentionable_host.transports.sections import MailSettings
from mentionable_host.world.dns import DnsClient
from mentionable_host.world.world import World

__all__ = ["incoming", "outgoing", "reverse"]

OUTGOING: Final = "gmail.com"
"""Whose mail servers show whether this machine may send mail at all."""


async def incoming(config: Config, keys: Keys, world: World) -> list[Finding]:
    """Whether a mail server answers where the MX record leads."""
    settings = _mail(config)
    if not settings.smtp and not settings.lmtp:
        return []
    host = mail_host(config, settings)
    places = await world.places(host, 25)
    if isinstance(places, Failed):
        return []  # the records say so
    greeting = await connecting.greeting(places[0])
    if isinstance(greeting, Failed) or not greeting[0].startswith("220"):
        reason = greeting.reason if isinstance(greeting, Failed) else repr(greeting[0][:60])
        means = f"no mail server answers at {host}, port 25: {reason}"
        do = "Let port 25 lead to mail.smtp: open the firewall, or let an MTA pass mail on by LMTP."
        return [Finding(subject="mail in", severity="error", means=means, do=do)]
    if not any(line[4:].upper() == "STARTTLS" for line in greeting):
        means = f"{host} takes mail without TLS only: some servers do not deliver like this, and anybody may read along"
        do = "Set mail.certificate and mail.certificate_key, or let an MTA with a certificate take the mail."
        return [Finding(subject="mail in", severity="warning", means=means, do=do)]
    return [Finding(subject="mail in", severity="ok", means=f"{host} takes mail over TLS")]


async def outgoing(config: Config, keys: Keys, world: World) -> list[Finding]:
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


async def reverse(config: Config, keys: Keys, world: World) -> list[Finding]:
    """Whether the address of the mail server leads back to its name."""
    settings = _mail(config)
    host, dns = mail_host(config, settings), getattr(world, "dns", None)
    places = await world.places(host, 25)
    if settings.relay != "direct" or isinstance(places, Failed) or not isinstance(dns, DnsClient):
        return []
    found = []
    for address in {address for address, _ in places}:
        back = await dns.names_of(address)
        if isinstance(back, Failed):
            found.append(Finding(subject="reverse DNS", severity="note", means=back.reason))
        elif host.lower() not in back:
            means = f"{address} is called {', '.join(back) or 'nothing'}, not {host}: many servers refuse its mail"
            do = f"Ask who gave you the address to set its reverse DNS (PTR) to {host}."
            found.append(Finding(subject="reverse DNS", severity="warning", means=means, do=do))
        else:
            found.append(Finding(subject="reverse DNS", severity="ok", means=f"{address} is {host}"))
    return found


def _mail(config: Config) -> MailSettings:
    """The settings of mail; those who ask have looked whether there are some."""
    return config.mail or MailSettings()
