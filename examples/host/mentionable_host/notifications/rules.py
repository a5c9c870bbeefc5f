"""The times of the notification protocol on this host."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from mentionable import anp

__all__ = ["RULES", "WITHIN"]

WITHIN: Final = timedelta(hours=1)
"""So long the agent has to speak of an event, where the program does not say."""

RULES: Final = anp.Rules(ttl=WITHIN, cap=timedelta(days=7), turn_ttl=timedelta(minutes=10))
