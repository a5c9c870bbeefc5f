"""What is wrong on this machine: keys that others may read, tokens too short, a store that cannot be written."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from mentionable_host.checks.finding import Finding, Severity
from mentionable_host.config import Config, ConfigError, secret
from mentionable_host.keys import FOLDER
from mentionable_host.store.database import Database, StoreUnavailable
from mentionable_host.store.tables import jobs

__all__ = ["of_config", "of_files", "of_store"]

TOKEN_LENGTH: Final = 20
"""What is shorter can be guessed, or was made up by hand."""
LOW_BYTES: Final = 1_000_000_000
FULL_BYTES: Final = 100_000_000
CONFIG_FILE: Final = "mentionable.toml"
LOOPBACK: Final = frozenset(("127.0.0.1", "::1", "localhost"))


def of_config(config: Config) -> list[Finding]:
    """What of the configuration is risky, or does not fit together."""
    return [*_settings(config), *_tokens(config)] or [
        Finding(subject="configuration", severity="ok", means="nothing in it looks risky")
    ]


def of_files(config: Config) -> list[Finding]:
    """Who may read what, and how much space there is."""
    return [*_modes(config), *_space(config.folder)]


async def of_store(database: Database) -> list[Finding]:
    """Whether the store can be written, and what in it waits for the operator."""
    try:
        await database.write(lambda db: None)
        dead = await database.read(
            lambda db: db.execute(select(func.count()).select_from(jobs).where(jobs.c.state == "dead")).scalar_one()
        )
    except (StoreUnavailable, SQLAlchemyError) as error:
        means = f"the database cannot be used, so that nothing is taken in: {str(error)[:200]}"
        do = "Is the disk full, or its folder read-only; is the server running?"
        return [Finding(subject="store", severity="error", means=means, do=do)]
    found = [Finding(subject="store", severity="ok", means="can be written")]
    if dead:
        means = f"{dead} answers or deliveries were given up"
        do = "`mentionable-host outbox` shows why, and tries them again."
        found.append(Finding(subject="queue", severity="warning", means=means, do=do))
    return found


def _settings(config: Config) -> Iterator[Finding]:
    if config.server.host not in LOOPBACK and not config.server.host.startswith("/"):
        means = f"serve listens at {config.server.host} without TLS: others reach it past the proxy"
        yield _risk(means, "Set server.host to 127.0.0.1, unless a firewall or a container keeps others away.")
    open_to_all = [one for one in config.server.proxies if one in ("*", "0.0.0.0/0", "::/0")]
    if open_to_all:
        means = "everybody counts as a proxy, so that everybody may choose the address that limits are counted by"
        yield _risk(means, "Name the addresses of your proxies in server.proxies.")
    if config.a2a.local_webhooks:
        means = "webhooks may lead to this machine: a caller can reach what listens here"
        yield _risk(means, "Remove a2a.local_webhooks: it is for trying out.")
    if config.mail is not None and config.mail.unverified:
        means = "mail that no domain vouches for is answered: answers go to people whose address was forged"
        yield _risk(means, "Remove mail.unverified.")
    if config.bluebubbles is not None:
        means = f"peers may name {config.bluebubbles.url} as their server too, and the host would send there"
        do = "Nothing, as long as that server asks for its password."
        yield Finding(subject="configuration", severity="note", means=means, do=do)


def _tokens(config: Config) -> Iterator[Finding]:
    """Secrets that are missing or short. They are never shown."""
    named = {f"a2a.callers of {address}": token for token, address in config.a2a.callers.items()}
    if config.operator.token:
        named["operator.token"] = config.operator.token
    if config.bluebubbles is not None:
        named["bluebubbles.webhook_token"] = config.bluebubbles.webhook_token
    for name, written in named.items():
        try:
            value = secret(written, folder=config.folder)
        except ConfigError as error:
            yield Finding(
                subject="configuration", severity="error", means=f"{name}: {error}", do="Set it, or remove the setting."
            )
            continue
        if len(value) < TOKEN_LENGTH:
            means = f"{name} has {len(value)} characters and can be guessed"
            do = "Make one by `python3 -c 'import secrets; print(secrets.token_urlsafe(32))'`."
            yield Finding(subject="configuration", severity="error", means=means, do=do)


def _risk(means: str, do: str) -> Finding:
    return Finding(subject="configuration", severity="warning", means=means, do=do)


def _modes(config: Config) -> Iterator[Finding]:
    folder, keys, written = config.folder, config.folder / FOLDER, _secrets(config)
    files = [folder / one.removeprefix("file:") for one in written if one.startswith("file:")]
    private = [keys, *sorted(keys.glob("*.pem")), *files, *sorted(folder.glob("*.db"))]
    if any(not one.startswith(("file:", "env:")) for one in written):
        private.append(folder / CONFIG_FILE)
    bad = [path for path in private if path.exists() and path.stat().st_mode & 0o077]
    for path in bad:
        is_key = path.suffix == ".pem"
        what = "a key: who has it can write as the agent" if is_key else "what should be for its owner alone"
        mode = "700" if path.is_dir() else "600"
        severity: Severity = "error" if is_key else "warning"
        means, do = f"others on this machine may read {path}, {what}", f"Run `chmod {mode} {path}`."
        yield Finding(subject="files", severity=severity, means=means, do=do)
    if not bad:
        yield Finding(subject="files", severity="ok", means="keys, secrets and store are for their owner alone")


def _secrets(config: Config) -> list[str]:
    """The secrets of a configuration as they are written there: themselves, or where they are."""
    found = [*config.a2a.callers, config.operator.token, config.network.proxy if "@" in config.network.proxy else ""]
    if config.slack is not None:
        found += [config.slack.signing_secret, config.slack.bot_token]
    if config.discord is not None:
        found += [config.discord.bot_token]
    if config.bluebubbles is not None:
        found += [config.bluebubbles.password, config.bluebubbles.webhook_token]
    if config.mail is not None and "@" in config.mail.relay:
        found.append(config.mail.relay)
    if "@" in config.store.url:
        found.append(config.store.url)
    return [one for one in found if one]


def _space(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder if folder.exists() else Path()).free
    words = f"{free / 1e9:.1f} GB are free for the store"
    if free < FULL_BYTES:
        means, do = f"{words}: soon nothing can be taken in", "Make room, or set store.keep_days."
        yield Finding(subject="disk", severity="error", means=means, do=do)
    elif free < LOW_BYTES:
        yield Finding(subject="disk", severity="warning", means=words, do="Make room, or set store.keep_days.")
    else:
        yield Finding(subject="disk", severity="ok", means=words)
