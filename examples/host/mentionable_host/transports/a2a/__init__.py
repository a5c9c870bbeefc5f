"""A2A, versions 0.3 and 1.0, over JSON-RPC and HTTP+JSON. Every message has a task, and every task is stored.

A message is stored with its task and with the job that answers it. The agent works whether or not a client waits: what
becomes of the task is stored, shown to those who follow it, and pushed to its webhooks.
"""

from mentionable_host.transports.a2a.card import a2a_card, a2a_section, endpoint_url
from mentionable_host.transports.a2a.transport import A2A

__all__ = ["A2A", "a2a_card", "a2a_section", "endpoint_url"]
