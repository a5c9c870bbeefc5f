"""`keys`: shows the keys of a project, makes those that are missing, and rotates them."""

from __future__ import annotations

import argparse
from hashlib import sha256

from attrs import fields
from mentionable import SigningKey
from rich.console import Console

from mentionable_host.cli.words import json_out, rows, say, table, when
from mentionable_host.config import Config
from mentionable_host.keys import Keys, make_keys, rotate_keys
from mentionable_host.world.world import system_now

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with them."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "rotate"),
        default="show",
        help="show: make what is missing, and list them; rotate: make the key that takes the place of the actor's",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Shows them; no private key is printed."""
    made = make_keys(config.folder)
    notes = _rotate(config) if arguments.action == "rotate" else []
    if arguments.json:
        json_out(console, _listed(Keys.load(config)))
        return 0
    for path in made:
        say(console, f"made {path}")
    for note in notes:
        say(console, note)
    cells = [(one["name"], one["algorithm"], one["id"], one["sha256"][:16]) for one in _listed(Keys.load(config))]
    rows(console, table("key", "algorithm", "id", "SHA-256 of its public half"), cells)
    return 0


def _listed(keys: Keys) -> list[dict[str, str]]:
    """What may be known of the keys, those that sign later included."""
    named = [(field.name, getattr(keys, field.name)) for field in fields(Keys)]
    found = [(name, key) for name, key in named if isinstance(key, SigningKey)]
    found += [("actor, later", one.key) for one in keys.later]
    return [
        {"name": name, "algorithm": key.kind, "id": key.key_id, "sha256": sha256(key.public_pem.encode()).hexdigest()}
        for name, key in found
    ]


def _rotate(config: Config) -> list[str]:
    """Makes the next key of the actor; what to print of it."""
    done = rotate_keys(config.folder, now=system_now())
    begins = when(done.signs_from)
    made = f"made {done.made}: a server that runs publishes it within a minute, and signs with it from {begins} on"
    return [made, *(f"removed {path}, which was published long enough" for path in done.removed)]
