"""The DNS records to publish for an agent, and whether they are there."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator
from typing import Final, Literal, TypeAlias

from attrs import field, frozen
from mentionable import Failed, Fetch, LookupTxt, mail

from mentionable_host.config import Config
from mentionable_host.escaping import printable
from mentionable_host.keys import Keys
from mentionable_host.transports.sections import MailSettings
from mentionable_host.world.dns import DnsClient
from mentionable_host.world.egress import target_of
from mentionable_host.world.world import World

__all__ = ["Checked", "Record", "check", "mail_host", "origin_host", "records", "zone_line"]

State: TypeAlias = Literal["ok", "missing", "wrong", "unknown"]
Verdict: TypeAlias = tuple[State, str]

STRING_BYTES: Final = 255
"""What one string of a TXT record holds (RFC 1035 §3.3.14)."""
STS_BYTES: Final = 65_536
_ALL: Final = ("-all", "~all")


@frozen(kw_only=True)
class Record:
    """A record to publish.

    Attributes:
        name: Its name; of a file that is to be served: its URL.
        type: `A`, `MX`, `TXT`, `CAA`; `HTTPS` for a file.
        value: Its value, as in a zone file but without quotes. In angle brackets: what only you know.
        why: What it is for.
        is_needed: Whether something does not work without it.
        purpose: What it is: `address`, `mx`, `spf`, `dkim`, `dmarc`, `mta-sts`, `mta-sts-policy`, `tls-rpt`, `caa`.
    """

    name: str
    type: str
    value: str
    why: str
    is_needed: bool = True
    purpose: str


@frozen(kw_only=True)
class Checked:
    """A record and what DNS has of it: `missing`, `wrong` with words that say how, `unknown` without an answer."""

    record: Record
    state: State
    words: str = field(converter=printable, default="")


def origin_host(config: Config) -> str:
    """The host that the origin of a configuration names."""
    target = target_of(config.origin)
    return target.host if target is not None else config.agent.domain


def mail_host(config: Config, settings: MailSettings) -> str:
    """What the mail server of the agent is called."""
    return settings.hostname or config.agent.domain


def records(config: Config, keys: Keys) -> list[Record]:
    """All records to publish for a configuration, the needed ones first."""
    made = [*_web_records(config), *_mail_records(config, keys)]
    return sorted(made, key=lambda record: not record.is_needed)


def zone_line(record: Record) -> str:
    """The record as a line of a zone file; a long text is in several strings there."""
    if record.type == "HTTPS":
        return f"; serve at {record.name}:\n" + "\n".join(f";   {line}" for line in record.value.splitlines())
    value = record.value
    if value.startswith("<"):  # what only the operator knows: a server would refuse the whole file
        return f"; put in {value}:\n; {record.name}. 3600 IN {record.type} …"
    if record.type == "TXT":
        pieces = (value[at : at + STRING_BYTES] for at in range(0, len(value), STRING_BYTES))
        value = " ".join(f'"{piece}"' for piece in pieces)
    return f"{record.name}. 3600 IN {record.type} {value}"


async def check(record: Record, world: World) -> Checked:
    """Whether a record is there, and as it should be."""
    state, words = await _CHECKS[record.purpose](record, world)
    return Checked(record=record, state=state, words=words)


def _web_records(config: Config) -> Iterator[Record]:
    host = origin_host(config)
    why = "Others find the server of the agent by it. Add an AAAA record where the server has an IPv6 address."
    yield Record(name=host, type="A", value="<the address of your server>", why=why, purpose="address")
    if host != config.agent.domain:
        why = f"WebFinger for {config.agent.address} is asked here: this host must answer, or lead to {host}."
        yield Record(
            name=config.agent.domain, type="A", value="<the address of your web server>", why=why, purpose="address"
        )
    why = "Nobody else may issue a certificate for the domain. Name the authority that issues yours."
    value = '0 issue "letsencrypt.org"'
    yield Record(name=host, type="CAA", value=value, why=why, is_needed=False, purpose="caa")


def _mail_records(config: Config, keys: Keys) -> Iterator[Record]:
    settings, domain = config.mail, config.agent.domain
    if settings is None:
        return
    host = mail_host(config, settings)
    takes_mail = bool(settings.smtp or settings.lmtp)
    if takes_mail:
        why = "Mail to the agent goes to this server."
        yield Record(name=domain, type="MX", value=f"10 {host}.", why=why, purpose="mx")
        if host not in (domain, origin_host(config)):
            value, why = "<the address of your mail server>", "The mail server is found by it."
            yield Record(name=host, type="A", value=value, why=why, purpose="address")
    why = "It names the servers that send mail of the domain. Where a provider sends it, put in what he tells you."
    yield Record(name=domain, type="TXT", value=_spf(settings), why=why, purpose="spf")
    why = "Others verify by this key that the agent wrote a mail."
    yield Record(name=keys.mail.key_id, type="TXT", value=mail.dkim_record(keys.mail), why=why, purpose="dkim")
    why = "Others refuse mail in the agent's name that neither SPF nor DKIM vouches for."
    yield Record(name=f"_dmarc.{domain}", type="TXT", value="v=DMARC1; p=reject", why=why, purpose="dmarc")
    if takes_mail:
        yield from _sts_records(domain, host)


def _sts_records(domain: str, host: str) -> Iterator[Record]:
    policy = f"version: STSv1\nmode: enforce\nmx: {host}\nmax_age: 604800\n"
    made = hashlib.sha256(policy.encode()).hexdigest()[:16]
    why = "Servers that send mail to the agent insist on TLS with a valid certificate. It counts with the file below."
    value = f"v=STSv1; id={made}"
    yield Record(name=f"_mta-sts.{domain}", type="TXT", value=value, why=why, is_needed=False, purpose="mta-sts")
    url = f"https://mta-sts.{domain}/.well-known/mta-sts.txt"
    why = "The policy that the record above announces. Change the `id` there whenever this changes."
    yield Record(name=url, type="HTTPS", value=policy, why=why, is_needed=False, purpose="mta-sts-policy")
    why = "Reports come to this address when others cannot deliver mail over TLS."
    value = f"v=TLSRPTv1; rua=mailto:postmaster@{domain}"
    yield Record(name=f"_smtp._tls.{domain}", type="TXT", value=value, why=why, is_needed=False, purpose="tls-rpt")


def _spf(settings: MailSettings) -> str:
    if settings.relay == "direct":
        return "v=spf1 mx a -all"
    relay = settings.relay.rpartition("@")[2].partition("://")[2] or settings.relay.rpartition("@")[2]
    return f"v=spf1 a:{relay.partition(':')[0].strip('/')} -all"


async def _address(record: Record, world: World) -> Verdict:
    found = await world.places(record.name, 443)
    if isinstance(found, Failed):
        if found.temporary:
            return "unknown", found.reason
        return ("wrong" if "not public" in found.reason else "missing"), found.reason
    return "ok", ", ".join(address for address, _ in found)


async def _mx(record: Record, world: World) -> Verdict:
    found = await world.lookup_mx(record.name)
    if isinstance(found, Failed):
        return "unknown", found.reason
    expected = record.value.split()[-1].rstrip(".").lower()
    names = [name.rstrip(".").lower() for _, name in found]
    if not names:
        return "missing", "the domain takes no mail"
    if expected in names:
        return "ok", ""
    if names == [record.name]:
        return "missing", f"without it mail goes to {record.name} itself"
    return "wrong", f"mail goes to {', '.join(names)}, not to {expected}"


async def _texts(record: Record, world: World, start: str) -> list[str] | Verdict:
    """The texts at a name that begin as they should."""
    found = await world.lookup_txt(LookupTxt(name=record.name))
    if isinstance(found, Failed):
        return "unknown", found.reason
    texts = [one.decode("utf-8", "replace") for one in found]
    right = [text for text in texts if text.strip().lower().startswith(start)]
    if len(right) > 1:
        return "wrong", f"there are {len(right)} records that begin with {start}: only one counts, or none"
    return right or ("missing", "")


async def _spf_check(record: Record, world: World) -> Verdict:
    found = await _texts(record, world, "v=spf1")
    if isinstance(found, tuple):
        return found
    terms = found[0].lower().split()[1:]
    if any(term in ("all", "+all", "?all") for term in terms):
        return "wrong", f"{found[0]!r} lets everybody send mail of the domain: end it with -all"
    if not any(term in _ALL or term.startswith("redirect=") for term in terms):
        return "wrong", f"{found[0]!r} says nothing about other servers: end it with -all"
    if terms and terms[0] in _ALL:
        return "wrong", f"{found[0]!r} lets nobody send mail of the domain"
    return "ok", found[0] if found[0] != record.value else ""


async def _dkim(record: Record, world: World) -> Verdict:
    found = await world.lookup_txt(LookupTxt(name=record.name))
    if isinstance(found, Failed):
        return "unknown", found.reason
    keys = [_tag(one.decode("ascii", "replace"), "p") for one in found]
    if not keys:
        return "missing", "mail of the agent cannot be verified"
    if keys == [_tag(record.value, "p")]:
        return "ok", ""
    return "wrong", "another key is published" if len(keys) == 1 else "several records are published"


async def _dmarc(record: Record, world: World) -> Verdict:
    found = await _texts(record, world, "v=dmarc1")
    if isinstance(found, tuple):
        return found
    policy = _tag(found[0], "p")
    if policy not in ("none", "quarantine", "reject"):
        return "wrong", f"{found[0]!r} has no policy: add p=reject"
    return "ok", "p=none asks others to accept forged mail" if policy == "none" else ""


async def _announced(record: Record, world: World) -> Verdict:
    """A record that counts by how it begins."""
    found = await _texts(record, world, record.value.partition(";")[0].lower())
    return found if isinstance(found, tuple) else ("ok", "")


async def _policy(record: Record, world: World) -> Verdict:
    got = await world.fetch(Fetch(url=record.name, accept="text/plain", purpose="mta-sts", max_bytes=STS_BYTES))
    if isinstance(got, Failed):
        return "missing", got.reason
    if got.status != 200:
        return "missing", f"status {got.status}"
    lines = {line.strip() for line in got.body.decode("utf-8", "replace").splitlines()}
    expected = {line for line in record.value.splitlines() if line.startswith(("version", "mx"))}
    return ("ok", "") if expected <= lines else ("wrong", f"it lacks {', '.join(sorted(expected - lines))}")


async def _caa(record: Record, world: World) -> Verdict:
    dns = getattr(world, "dns", None)
    if not isinstance(dns, DnsClient):
        return "unknown", ""
    found = await dns.authorities(record.name)
    if isinstance(found, Failed):
        return "unknown", found.reason
    return ("ok", ", ".join(found)) if found else ("missing", "")


def _tag(text: str, name: str) -> str:
    """The value of a tag in a list such as `v=DKIM1; p=…`, without blanks."""
    pairs = (one.partition("=") for one in text.split(";"))
    return next(("".join(value.split()) for key, _, value in pairs if key.strip().lower() == name), "")


_CHECKS: Final[dict[str, Callable[[Record, World], Awaitable[Verdict]]]] = {
    "address": _address,
    "mx": _mx,
    "spf": _spf_check,
    "dkim": _dkim,
    "dmarc": _dmarc,
    "mta-sts": _announced,
    "mta-sts-policy": _policy,
    "tls-rpt": _announced,
    "caa": _caa,
}
