"""`keys`: shows the keys of a project, makes those that are missing, and rotates them."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

from attrs import fields
from rich.console import Console

from mentionable_host.cli.words import CommandError, json_out, rows, say, table
from mentionable_host.config import Config
from mentionable_host.keys import Keys, make_keys

__all__ = ["add_arguments", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do with them."""
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "rotate"),
        default="show",
        help="show: make what is missing, and list them; rotate: begin with new ones, the old ones stay published",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(config: Config, arguments: argparse.Namespace, console: Console) -> int:
    """Shows them; no private key is printed."""
    made = make_keys(config.folder)
    if arguments.action == "rotate":
        made += _rotate(config)
    if arguments.json:
        json_out(console, _listed(Keys.load(config)))
        return 0
    for path in made:
        say(console, f"made {path}")
    cells = [(one["name"], one["algorithm"], one["id"], one["sha256"][:16]) for one in _listed(Keys.load(config))]
    rows(console, table("key", "algorithm", "id", "SHA-256 of its public half"), cells)
    return 0


def _listed(keys: Keys) -> list[dict[str, str]]:
    """What may be known of the keys."""
    return [
        {"name": field.name, "algorithm": key.kind, "id": key.key_id, "sha256": _fingerprint(key)}
        for field in fields(Keys)
        if hasattr(key := getattr(keys, field.name), "key_id")
    ]


def _fingerprint(key: Any) -> str:
    return sha256(key.public_pem.encode()).hexdigest()


def _rotate(config: Config) -> list[Path]:
    rotate = getattr(import_module("mentionable_host.keys"), "rotate_keys", None)
    if rotate is None:
        raise CommandError("keys are not rotated by this version: remove a file of keys/ to have a new key made")
    found: list[Path] = rotate(config.folder, now=datetime.now(UTC))
    return found
