"""Notices for people."""

from __future__ import annotations
from datetime import timedelta
from typing import Any


class Notices:
    def __init__(self, host: Any, message: Any) -> None:
        pass

    def as_instructions(self) -> str:
        return ""

    def store(self, db: Any) -> None:
        pass


def notices_for(db: Any, host: Any, message: Any) -> Notices:
    return Notices(host, message)


def handlers(host: Any) -> dict[str, Any]:
    return {}
