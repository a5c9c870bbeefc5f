"""Slack: an event of Slack becomes a message for an agent, and the agent's answer calls of Slack's API.

Nothing of a request is read before its signature fits. Of Slack's JSON only what is named passes on: no token, no mail
address, no private URL. Who sent it is evidence of the Connector Instance, `slack:T123/U456`, made only when Slack
shows them to be a member of the workspace.

Example:
    >>> import hashlib, hmac, json
    >>> from datetime import UTC, datetime
    >>> from mentionable import Answers, HttpRequest, NormalizedResponse, drive
    >>> from mentionable.connectors import slack
    >>> settings = slack.Settings(signing_secret=b"8f742231b10e8888abcd99yyyzzz85a5", issuer="slack.agents.example")
    >>> body = json.dumps({
    ...     "type": "event_callback", "team_id": "T1", "api_app_id": "A1", "event_id": "Ev1",
    ...     "authorizations": [{"team_id": "T1", "user_id": "UBOT", "is_bot": True}],
    ...     "event": {"type": "app_mention", "user": "U1", "team": "T1", "channel": "C1", "ts": "1795219200.000100",
    ...               "text": "<@UBOT> will it *rain*?"},
    ... }).encode()
    >>> signature = hmac.new(settings.secrets[0], b"v0:1795219200:" + body, hashlib.sha256).hexdigest()
    >>> headers = {"X-Slack-Signature": f"v0={signature}", "X-Slack-Request-Timestamp": "1795219200"}
    >>> url = "https://slack.agents.example/slack/events"
    >>> request = HttpRequest(method="POST", url=url, headers=headers, body=body)
    >>> user = {"id": "U1", "team_id": "T1", "profile": {"display_name": "Alice"}}
    >>> answers = Answers(
    ...     find_agent=lambda ask: "@helper@agents.example", find_message=lambda ask: None,
    ...     use_once=lambda ask: "first", call_api=lambda ask: {"ok": True, "user": user},
    ... )
    >>> now = datetime(2026, 11, 21, tzinfo=UTC)
    >>> message = drive(slack.receive(request, now=now, entropy=bytes(32), settings=settings), answers).message
    >>> message.parts[0].content, message.sender.display_name, message.sender.identities[0].subject
    ('@helper will it **rain**?', 'Alice', 'slack:T1/U1')
    >>> post = slack.reply(NormalizedResponse.to(message, "It *will*."), to=message)
    >>> post.method, post.params["text"]
    ('chat.postMessage', 'It _will_.')
"""

from __future__ import annotations

from ..._text.mrkdwn import mrkdwn_to_markdown
from .._api import Outgoing
from .._attest import attest
from .._platform import ListenTo
from ._read.api import CallApi
from ._read.people import METHOD
from ._receive import SlackAsk, receive
from ._reply import native_id, reply, response_url
from ._settings import Settings
from ._verify import verify
from ._write.mrkdwn import markdown_to_mrkdwn

__all__ = [
    "METHOD",
    "CallApi",
    "ListenTo",
    "Outgoing",
    "Settings",
    "SlackAsk",
    "attest",
    "markdown_to_mrkdwn",
    "mrkdwn_to_markdown",
    "native_id",
    "receive",
    "reply",
    "response_url",
    "verify",
]
