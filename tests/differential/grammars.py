"""Inputs for tests/differential: for each operation a grammar that reaches its edges, and mutations of its texts.

Everything comes from the `Random` that is given, so a seed and a number name an input for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tests.differential.a2a_threads import a2a_thread
from tests.differential.activity_threads import activity_thread
from tests.differential.addresses import address
from tests.differential.json_texts import json_loads
from tests.differential.mail_threads import email_thread
from tests.differential.prompts import agent_chain, capabilities, mention_relay, next_hop, tool_call
from tests.differential.traces import trace_read, trace_viewer

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Given = dict[str, Any]
    Generator = Callable[[Random], tuple[Any, Given]]

NOW: Final = {"now": "2026-11-21T20:56:00Z", "entropy": "00" * 32, "lookups": {}}

GENERATORS: Final[dict[str, Generator]] = {
    "address.parse": address,
    "json.loads": json_loads,
    "render.tool_call": tool_call,
    "render.mention_relay": mention_relay,
    "render.agent_chain": agent_chain,
    "render.capabilities": capabilities,
    "capabilities.next_hop": next_hop,
    "trace.read": trace_read,
    "trace.left_out": trace_read,
    "trace.viewer": trace_viewer,
    "email.thread_id": email_thread,
    "a2a.thread_id": a2a_thread,
    "activitypub.thread_id": activity_thread,
}
