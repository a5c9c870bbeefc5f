"""Files of Slack, passed on to an agent: no more bytes than their URLs grant. `slack_connector.py` uses it.

What stands in dictionaries belongs into a database.
"""

import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import safe_fetch

from mentionable import AsyncAnswers, HttpRequest, HttpResponse, Rejected, adrive
from mentionable.connectors import files, slack

KEY = files.FileKey.from_secret(os.environ["FILES_SECRET"].encode(), key_id="2026-11")
SLACK_FILES = "files.slack.com"
CallApi = Callable[[slack.CallApi], Awaitable[Any]]

given_out: Counter[str] = Counter()


def debit(ask: files.ConsumeBytes) -> bool:
    """Adds to the sum, unless it would be too much. Of several workers all must ask the same store."""
    total = given_out[ask.token_id] + ask.amount
    if total > ask.limit:
        return False
    given_out[ask.token_id] = total
    return True


async def serve(
    token: str, presenter: str | None, *, issuer: str, bot: Mapping[str, str], lookups: AsyncAnswers, call_api: CallApi
) -> HttpResponse:
    """The response to who fetches a file: its bytes, as Slack has them, or why there are none."""
    now = datetime.now(UTC)
    check = files.verify(token, keys=[KEY], issuer=issuer, presenter=presenter, now=now, revocable=False)
    found = await adrive(check, lookups)
    if isinstance(found, Rejected):
        return files.error_response(found)
    info = (await call_api(slack.CallApi(method="files.info", params=(("file", found.scope.file),))))["file"]
    url = info["url_private_download"]  # of a file that lies elsewhere it leads there, where nobody may see our token
    get = HttpRequest(method="GET", url=url, headers=bot if urlsplit(url).hostname == SLACK_FILES else {})
    data = (await safe_fetch.exchange(get, found.max_bytes + 1)).body  # a large one is better passed on in pieces
    refusal = await adrive(files.ByteQuota(found).take(len(data), now=datetime.now(UTC)), lookups)
    if refusal is not None:
        return files.error_response(refusal)
    headers = files.response_headers(name=info["name"], mime=info["mimetype"])
    return HttpResponse(status=200, headers=headers, body=data)
