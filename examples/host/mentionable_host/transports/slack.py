"""Slack: events, commands and clicks come to `/slack/events`, and answers go through its Web API."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlencode

from mentionable import (
    Failed,
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    NormalizedResponse,
    decode,
    encode,
)
from mentionable.connectors import ApiRequest, Outgoing, slack

from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.transports.platforms.calls import Expired, Taken, Way, json_of, member_of, words
from mentionable_host.transports.platforms.choices import choices_of
from mentionable_host.transports.platforms.platform import Connector, Incoming, Lookups, is_at
from mentionable_host.transports.platforms.stream import Growing, StreamingPlatform
from mentionable_host.transports.sections import SlackSettings

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Slack"]

log = logging.getLogger(__name__)

API: Final = "https://slack.com/api/"
FILES: Final = ("files.slack.com",)
JSON: Final = "application/json; charset=utf-8"
READS: Final = frozenset(("conversations.info", "conversations.replies", "usergroups.list", "users.info"))
"""Methods that take no JSON."""
LOOK_UP_SECONDS: Final = 10.0
FORM: Final = "application/x-www-form-urlencoded"
RESPONSE_URL: Final = timedelta(minutes=29)
"""A response URL counts for half an hour."""
LOST: Final = "\u2063"
"""In place of what a stream shows where that is not known. No answer goes on from it, so the whole one replaces it."""

TEMPORARY: Final = frozenset(
    (
        *("fatal_error", "internal_error", "request_timeout", "service_unavailable"),
        *("ratelimited", "rate_limited", "team_added_to_org", "external_channel_migrating"),
    )
)
TOKEN: Final = frozenset(
    (
        *("account_inactive", "invalid_auth", "not_authed", "not_allowed_token_type"),
        *("org_login_required", "token_expired", "token_revoked"),
    )
)
ENDED: Final = frozenset(("message_not_in_streaming_state", "message_not_found", "cant_update_message"))
"""The message that grew is not there any more, or does not grow."""


class Slack(StreamingPlatform[SlackSettings, slack.Settings]):
    """A Slack app."""

    name: ClassVar[str] = "slack"
    path: ClassVar[str] = "/slack/events"
    connector: ClassVar[Connector] = slack

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: Something in `[slack]` is missing or wrong.
        """
        super().__init__(host)
        self.withdraws, self.app = self.config.withdraw, self.config.app_id
        self._token: Final = self.secret(self.config.bot_token)

    def make_settings(self) -> slack.Settings:
        """Those of the app."""
        return slack.Settings(
            signing_secret=self.secret(self.config.signing_secret).encode(),
            issuer=self.issuer,
            listen_to=self.config.listen_to,
            teams=self.config.teams,
            files=self.file_key,
        )

    def serves(self, native_id: str) -> bool:
        """Whether an event is of the app of the configuration."""
        return native_id.rpartition("/")[2] == self.app

    def target(self, event: Incoming) -> tuple[dict[str, Any], timedelta]:
        """Where a command or a click may be answered."""
        url = slack.response_url(event) if isinstance(event, HttpRequest) else None
        return ({} if url is None else {"response_url": url}), RESPONSE_URL

    async def look_up(self, ask: Any, lookups: Lookups) -> Any:
        """What Slack says. Without `users.info` no sender is verified, so that it is worth another try."""
        answer = await self._ask(ask.method, dict(ask.params))
        if isinstance(answer, dict):
            return answer
        if isinstance(answer, Retry) and ask.method == "users.info":
            lookups.missing.append(answer)
        return Failed(answer.reason)

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any] | Retry | Dead:
        """What Slack knows, `"ok": false` included."""
        request = self.http(ApiRequest(method=method, params=params), key="")
        response = await self.exchange(request, what=method, seconds=LOOK_UP_SECONDS)
        if not isinstance(response, HttpResponse):
            return response
        answer = json_of(response)
        if not isinstance(answer, dict) or member_of(answer, "error") in TEMPORARY:
            return Retry(f"{method}: slack cannot say it just now")
        if member_of(answer, "error") in TOKEN:
            log.error("%s", _token_advice(answer))
        return answer

    async def file(self, file: str, *, target: Mapping[str, Any]) -> bytes | Retry | None:
        """The bytes of a file; our token goes to Slack alone."""
        found = await self._ask("files.info", {"file": file})
        if not isinstance(found, dict):
            return found if isinstance(found, Retry) else None
        info = found.get("file")
        url = info.get("url_private_download") if isinstance(info, dict) else None
        if not is_at(url, FILES):
            return None
        response = await self.download(HttpRequest(method="GET", url=url, headers=self._authorization))
        if not isinstance(response, HttpResponse):
            return response
        # Without the scope files:read Slack answers with a page to log in.
        is_page = (response.header("content-type") or "").startswith("text/html")
        return None if is_page else response.body

    @property
    def _authorization(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._token}"}

    def way(self, to: NormalizedMessage, *, target: Mapping[str, Any]) -> Way:
        """A command is answered at its URL, a stream is ended, and everything else goes into the thread."""
        raw = to.raw if isinstance(to.raw, Mapping) else {}
        if "response_url" in target and (raw.get("type") == "command" or raw.get("is_ephemeral") is True):
            return {"by": "response_url"}
        growing = self.growing.get(to.id)
        if growing is not None and growing.post is not None and growing.frame is not None:
            return {"by": "stream", "ts": growing.post, "frame": encode(growing.frame)}
        if target.get("post"):
            return {"by": "stream", "ts": target["post"], "frame": None}
        return {"by": "thread"}

    def needs(self, way: Way) -> str | None:
        """A response URL ends to count."""
        return "response_url" if way["by"] == "response_url" else None

    def instead(self, way: Way, *, expired: bool) -> Way | None:
        """Behind a stream that has ended its message is written anew; where that is gone, the thread has the answer."""
        if not expired:
            return None
        others: dict[str, Way] = {
            "stream": {"by": "update", "ts": way.get("ts")},
            "update": {"by": "thread"},
            "response_url": {"by": "thread"},
        }
        return others.get(way["by"])

    def outgoing(
        self, response: NormalizedResponse, to: NormalizedMessage, *, way: Way, target: Mapping[str, Any]
    ) -> Outgoing:
        """The calls of an answer."""
        choices = choices_of(response)
        if way["by"] == "stream":
            frame = way["frame"]
            shown = decode(NormalizedResponse, frame) if frame else NormalizedResponse.to(to, LOST, status="partial")
            stream = slack.Stream(ts=way["ts"], frame=shown)
            return slack.stop_stream(response, to=to, stream=stream, choices=choices, settings=self.settings)
        options = slack.PostOptions(
            update=way["ts"] if way["by"] == "update" else None,
            response_url=target.get("response_url") if way["by"] == "response_url" else None,
        )
        return slack.reply(response, to=to, options=options, choices=choices, settings=self.settings)

    def frame_calls(
        self, partial: NormalizedResponse, to: NormalizedMessage, *, growing: Growing, target: Mapping[str, Any]
    ) -> Outgoing | None:
        """Begins a stream, or goes on with it. What is answered at a response URL is shown at its end."""
        if self.way(to, target=target)["by"] == "response_url":
            return None
        if growing.post is None:
            return slack.start_stream(partial, to=to, settings=self.settings)
        if growing.frame is None:
            return None
        stream = slack.Stream(ts=growing.post, frame=growing.frame)
        return slack.append_stream(partial, to=to, stream=stream, settings=self.settings)

    def post_of(self, answer: Any) -> str | None:
        """The `ts` of the message."""
        ts = member_of(answer, "ts")
        return ts if isinstance(ts, str) else None

    def typing(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[ApiRequest]:
        """Slack shows a line under the thread."""
        return slack.typing(to=message).calls

    def native_id(self, answer: Any, *, to: NormalizedMessage) -> str | None:
        """`slack:<team>/<channel>/<ts>`."""
        return slack.native_id(answer, to=to)

    def deletion(self, post: str) -> ApiRequest | None:
        """`chat.delete`."""
        _, channel, ts = post.split("/")
        return ApiRequest(method="chat.delete", params={"channel": channel, "ts": ts})

    def http(self, call: ApiRequest, *, key: str) -> HttpRequest:
        """Bytes of files, and what goes to a response URL, have no token. Methods that read are forms."""
        if call.url is not None:
            data = call.files[0].data if call.files else json.dumps(call.params).encode()
            headers = {"content-type": "application/octet-stream" if call.files else JSON}
            return HttpRequest(method="POST", url=call.url, headers=headers, body=data)
        is_form = call.method in READS or call.method.startswith("files.")
        body = (
            urlencode({name: _form(value) for name, value in call.params.items()})
            if is_form
            else json.dumps(call.params)
        )
        headers = {**self._authorization, "content-type": FORM if is_form else JSON}
        return HttpRequest(method="POST", url=f"{API}{call.method}", headers=headers, body=body.encode())

    def judge(self, call: ApiRequest, response: HttpResponse) -> Taken | Retry | Dead:
        """`"ok": true`, or why not."""
        if call.url is not None:
            if response.status == 200:
                return Taken(None)
            return Expired(f"{call.method}: slack answers {response.status}")
        answer = json_of(response)
        if not isinstance(answer, dict):
            return Retry(f"{call.method}: slack answers {response.status} without JSON")
        error = member_of(answer, "error")
        if answer.get("ok") is True:
            return Taken(answer)
        if error in TEMPORARY:
            return Retry(f"{call.method}: {error}")
        if error in ENDED:
            return Expired(f"{call.method}: {error}")
        if error in TOKEN or response.status == 401:
            return Dead(_token_advice(answer))
        return Dead(_advice(call.method, answer))


def _form(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _token_advice(answer: Mapping[str, Any]) -> str:
    advice = "install the app anew, and put its bot token into slack.bot_token"
    return f"Slack does not take the bot token ({words(answer.get('error'))}): {advice}"


def _advice(method: str, answer: Mapping[str, Any]) -> str:
    """Why Slack refuses a call, and what to do about it."""
    error = answer.get("error")
    advice = {
        "missing_scope": f"give the app the scope {words(answer.get('needed'))}, and install it anew",
        "not_in_channel": "invite the app to the channel",
        "channel_not_found": "invite the app to the channel",
        "is_archived": "the channel is archived",
    }
    return f"{method}: {words(error)}" + (f": {advice[str(error)]}" if str(error) in advice else "")
