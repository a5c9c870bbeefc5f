"""`new`: writes a project that runs as it is."""

from __future__ import annotations

import argparse
import os
import re
import secrets
from importlib.resources import files
from pathlib import Path
from typing import Final

from rich.console import Console

from mentionable_host.cli.words import CommandError, say
from mentionable_host.config import Config
from mentionable_host.keys import make_keys

__all__ = ["add_arguments", "run", "write_project"]

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,28}[a-z0-9])?", re.ASCII).fullmatch
LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
DOMAIN: Final = re.compile(rf"(?:{LABEL}\.)+{LABEL}", re.ASCII).fullmatch
DOMAIN_LENGTH: Final = 253
_OTHER: Final = re.compile(r"[^a-z0-9]+", re.ASCII)
TOKENS: Final = ("operator", "caller")
PROGRAMS: Final = {
    "pydantic-ai": ("pydantic-ai.py.in", "'pydantic-ai-slim[openai]'"),
    "openai-agents": ("openai-agents.py.in", "openai-agents"),
}
"""Framework → the program with it, and what it needs."""
_FILES: Final = {
    "mentionable.toml": "mentionable.toml",
    "README.md": "README.md",
    "gitignore": ".gitignore",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The name, and the domain."""
    parser.add_argument("folder", metavar="NAME", help="the name of the agent, and of the folder that is made for it")
    parser.add_argument(
        "--with",
        dest="framework",
        choices=tuple(PROGRAMS),
        help="the program asks a model, by this framework (default: it repeats what it read)",
    )
    parser.add_argument("--domain", help="the domain of the agent (default: NAME.example, to be changed later)")


def run(config: Config | None, arguments: argparse.Namespace, console: Console) -> int:
    """Writes the project, and says what is next."""
    folder = Path(arguments.folder)
    made = write_project(folder, domain=arguments.domain, framework=arguments.framework)
    say(console, f"{folder} is there: {made.agent.address} answers on the Fediverse, {made.agent.mailbox} by mail.")
    if arguments.framework:
        say(console, f"It needs `pip install {PROGRAMS[arguments.framework][1]}`, and OPENAI_API_KEY.")
    say(console, f"\nNow: cd {folder} && mentionable-host serve --demo")
    say(console, f"Then change {folder / 'agent.py'}, which is the whole agent; README.md there has the next steps.")
    return 0


def write_project(folder: Path, *, domain: str | None = None, framework: str | None = None) -> Config:
    """Writes a project into a folder that is not there; its configuration.

    Args:
        folder: Its last part is the name of the agent.
        domain: The domain of the agent.
        framework: One of `PROGRAMS`; None: a program without a model.

    Raises:
        CommandError: The name or the domain is none, or the folder is there.
    """
    name = folder.name
    if NAME(name) is None:
        raise CommandError(
            f"{name!r} is no name for an agent: write 1 to 30 of a-z, 0-9, - and _, with a letter or a digit "
            f"at both ends{_suggestion(name)}"
        )
    place = (domain or f"{name.replace('_', '-')}.example").lower()
    if DOMAIN(place) is None or len(place) > DOMAIN_LENGTH:
        raise CommandError(f"{place!r} is no domain: write one like agents.example.org, without https:// and port")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise CommandError(f"{folder} is there already: choose another name, or remove it") from None
    values = {"name": name, "domain": place, "address": f"@{name}@{place}", "mailbox": f"{name}@{place}"}
    program = PROGRAMS[framework][0] if framework else "agent.py"
    for source, target in {program: "agent.py", **_FILES}.items():
        text = (files("mentionable_host.cli") / "project" / source).read_text("utf-8")
        (folder / target).write_text(_filled(text, values), "utf-8")
    make_keys(folder)
    for token in TOKENS:
        _write_secret(folder / "secrets" / f"{token}.token", secrets.token_urlsafe(32))
    return Config.load(folder / "mentionable.toml")


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{{{name}}}}}", value)
    return text


def _write_secret(path: Path, value: str) -> None:
    """A file that its owner alone may read."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(f"{value}\n")


def _suggestion(name: str) -> str:
    """A name like it that may be used."""
    better = _OTHER.sub("-", name.lower()).strip("-")[:30].strip("-")
    return f", for example {better}" if better else ""
