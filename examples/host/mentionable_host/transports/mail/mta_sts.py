"""MTA-STS (RFC 8461): a domain says which of its servers take mail, and that they speak TLS with a valid certificate.

A policy is kept until it expires, also where it cannot be found any more: who can hide it gains nothing.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from attrs import asdict, frozen
from mentionable import Failed, Fetch, Fetched, LookupTxt, UsageError
from sqlalchemy import Connection

from mentionable_host.store.settings import read_setting, write_setting

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Policy", "policy_of", "read_policy"]

log = logging.getLogger(__name__)

POLICY_BYTES: Final = 65_536
SERVERS: Final = 100
LONGEST: Final = 31_557_600
"""Seconds that a policy may be valid (§3.2)."""

_RECORD: Final = re.compile(rb"v=STSv1[ \t]*;[ \t]*id=([A-Za-z0-9]{1,32})[ \t]*(?:;.*)?")


@frozen(kw_only=True)
class Policy:
    """A policy.

    Attributes:
        mode: Whether it must be kept.
        servers: Names of servers, in lower case; `*.a.example` is any name with one label more.
        max_age: How many seconds it is valid.
        id: The id of the TXT record that it was fetched for.
        until: When it expires, in seconds since 1970.
    """

    mode: Literal["enforce", "testing", "none"]
    servers: tuple[str, ...]
    max_age: int
    id: str = ""
    until: float = 0

    def allows(self, server: str) -> bool:
        """Whether a server may take the mail."""
        name = server.rstrip(".").lower()
        return name in self.servers or f"*.{name.partition('.')[2]}" in self.servers


async def policy_of(host: Host, domain: str) -> Policy | None:
    """The policy that a domain has now, from the store or from its server; None: it has none."""
    now = host.world.now()
    kept = await host.database.read(lambda db: _kept(db, domain, now=now))
    policy_id = _policy_id(await host.world.lookup_txt(LookupTxt(name=f"_mta-sts.{domain}")))
    if policy_id is None or (kept is not None and kept.id == policy_id):
        return kept
    fetched = await _fetch(host, domain)
    if fetched is None:
        return kept
    until = now + timedelta(seconds=fetched.max_age)
    policy = Policy(**{**asdict(fetched), "id": policy_id, "until": until.timestamp()})
    value = json.dumps(asdict(policy)).encode()
    await host.database.write(lambda db: write_setting(db, _key(domain), value, expires_at=until))
    return policy


def read_policy(text: str) -> Policy | None:
    """The policy of a document; None: it is none."""
    fields: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        fields.setdefault(name.strip(), []).append(value.strip())
    servers = tuple(server.lower().rstrip(".") for server in fields.get("mx", ()))
    mode, age = fields.get("mode", [""])[0], fields.get("max_age", [""])[0]
    is_number = age.isascii() and age.isdigit() and len(age) <= 10
    if fields.get("version") != ["STSv1"] or not is_number or len(servers) > SERVERS:
        return None
    max_age = min(int(age), LONGEST)
    if mode == "none":
        return Policy(mode="none", servers=servers, max_age=max_age)
    if mode not in ("enforce", "testing") or not servers:
        return None
    return Policy(mode="enforce" if mode == "enforce" else "testing", servers=servers, max_age=max_age)


async def _fetch(host: Host, domain: str) -> Policy | None:
    """The policy that the server of a domain has; redirects are not followed (§3.3)."""
    url = f"https://mta-sts.{domain}/.well-known/mta-sts.txt"
    try:
        ask = Fetch(url=url, accept="text/plain", purpose="mta-sts", fresh=True, max_bytes=POLICY_BYTES)
    except UsageError:
        return None
    got = await host.world.fetch(ask)
    if not isinstance(got, Fetched) or (got.status, got.url, _media_type(got)) != (200, url, "text/plain"):
        log.info("%s has no MTA-STS policy at its URL", domain)
        return None
    policy = read_policy(got.body.decode("ascii", "replace"))
    if policy is None:
        log.info("the MTA-STS policy of %s cannot be read", domain)
    return policy


def _media_type(got: Fetched) -> str:
    return got.content_type.partition(";")[0].strip().lower()


def _policy_id(records: list[bytes] | Failed) -> str | None:
    """The id in the TXT record (§3.1); None: there is none, or more than one."""
    if isinstance(records, Failed):
        return None
    found = [record for record in records if record.startswith(b"v=STSv1")]
    match = _RECORD.fullmatch(found[0]) if len(found) == 1 else None
    return None if match is None else match[1].decode()


def _kept(db: Connection, domain: str, *, now: datetime) -> Policy | None:
    value = read_setting(db, _key(domain))
    if value is None:
        return None
    policy = Policy(**{**json.loads(value), "servers": tuple(json.loads(value)["servers"])})
    return policy if policy.until > now.timestamp() else None


def _key(domain: str) -> str:
    return f"mta-sts {domain}"
