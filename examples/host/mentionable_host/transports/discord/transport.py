"""Discord: commands and clicks come to `/discord/interactions`, and answers go through its REST API."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlencode

from mentionable import (
    Failed,
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    NormalizedResponse,
)
from mentionable.connectors import ApiRequest, Outgoing, discord

from mentionable_host.config import ConfigError
from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.transports.discord.gateway import FatalClose, Gateway, connect
from mentionable_host.transports.platforms.calls import Expired, Taken, Way, json_of, member_of, words
from mentionable_host.transports.platforms.choices import choices_of
from mentionable_host.transports.platforms.multipart import multipart
from mentionable_host.transports.platforms.platform import Connector, Incoming, Lookups, is_at
from mentionable_host.transports.platforms.stream import Growing, StreamingPlatform
from mentionable_host.transports.sections import DiscordSettings

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["Discord"]

log = logging.getLogger(__name__)

API: Final = "https://discord.com/api/v10"
CDN: Final = frozenset(("cdn.discordapp.com", "media.discordapp.net"))
USER_AGENT: Final = "DiscordBot (https://mentionable.dev, 0.1)"
TOKEN_LASTS: Final = timedelta(minutes=14)
"""The token of an interaction counts for a quarter of an hour."""
SOURCES_LAST: Final = timedelta(hours=20)
"""The URL of a file counts for about a day."""
JSON: Final = {"content-type": "application/json"}
EXPIRED: Final = frozenset((10015, 10062, 50027))
"""Unknown webhook, unknown interaction, invalid webhook token."""
GONE: Final = 10008
"""Unknown message."""
ADVICE: Final = {
    10003: "the channel is gone",
    50001: "give the bot access to the channel",
    50007: "the person takes no direct messages",
    50013: "give the bot the permissions to send messages, and files, in the channel",
}


class Discord(StreamingPlatform[DiscordSettings, discord.Settings]):
    """A Discord application."""

    name: ClassVar[str] = "discord"
    path: ClassVar[str] = "/discord/interactions"
    connector: ClassVar[Connector] = discord
    waits_visibly: ClassVar[bool] = True

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: Something in `[discord]` is missing or wrong.
        """
        super().__init__(host)
        self.withdraws, self.app = self.config.withdraw, self.config.application_id
        self._token: Final = self.secret(self.config.bot_token)
        if self.config.gateway and find_spec("websockets") is None:
            raise ConfigError("discord.gateway needs: pip install 'mentionable-host[discord]'")
        self._listening: asyncio.Task[None] | None = None

    def make_settings(self) -> discord.Settings:
        """Those of the application."""
        return discord.Settings(
            public_key=self.secret(self.config.public_key),
            application_id=self.config.application_id,
            issuer=self.issuer,
            bot_id=self.config.bot_id,
            files=self.file_key,
        )

    async def start(self) -> None:
        """Opens the gateway, where the configuration wants it."""
        if self.config.gateway:
            chance = Random(self.host.world.entropy())  # noqa: S311 - it spreads heartbeats
            gateway = Gateway(token=self._token, take=self.keep, connect=connect, chance=chance)
            self._listening = asyncio.create_task(self._listen(gateway))

    async def stop(self) -> None:
        """Closes the gateway."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def _listen(self, gateway: Gateway) -> None:
        try:
            await gateway.run()
        except FatalClose as error:
            log.error("%s", error)

    async def keep(self, event: Mapping[str, Any]) -> bool:
        """Stores an event of the gateway; False: not just now."""
        try:
            return await self.take(event) is not None
        except Exception:  # one event must not keep those after it from coming
            log.exception("an event of Discord is left out")
            return True

    def serves(self, native_id: str) -> bool:
        """Whether an event is of the application of the configuration."""
        return native_id == f"discord:{self.app}"

    def target(self, event: Incoming) -> tuple[dict[str, Any], timedelta]:
        """The token of an interaction, and where Discord has the files."""
        document = json.loads(event.body) if isinstance(event, HttpRequest) else event.get("d", event)
        sources = discord.sources(document)
        token = document.get("token")
        found: dict[str, Any] = {"sources": sources} if sources else {}
        if isinstance(event, HttpRequest) and isinstance(token, str):
            return {**found, "token": token}, TOKEN_LASTS
        return found, SOURCES_LAST

    async def look_up(self, ask: Any, lookups: Lookups) -> Any:
        """What Discord says: what the channel held before."""
        query = f"?{urlencode(ask.params)}" if ask.params else ""
        request = HttpRequest(method=ask.method, url=f"{API}{ask.path}{query}", headers=self._headers(as_bot=True))
        response = await self.exchange(request, what=ask.method, seconds=10)
        if not isinstance(response, HttpResponse):
            return Failed(response.reason)
        answer = json_of(response)
        return Failed(f"discord answers {response.status}") if response.status != 200 or answer is None else answer

    async def file(self, file: str, *, target: Mapping[str, Any]) -> bytes | Retry | None:
        """The bytes of a file. Its URL opens it for whoever has it, so no token goes there."""
        url = target.get("sources", {}).get(file)
        if not is_at(url, CDN):
            return None
        response = await self.download(HttpRequest(method="GET", url=url))
        return response.body if isinstance(response, HttpResponse) else response

    def _headers(self, *, as_bot: bool) -> dict[str, str]:
        return {"user-agent": USER_AGENT, **({"authorization": f"Bot {self._token}"} if as_bot else {})}

    def way(self, to: NormalizedMessage, *, target: Mapping[str, Any]) -> Way:
        """An interaction is filled in, a message that grew is written anew, everything else goes into the channel."""
        if "token" in target:
            return {"by": "interaction"}
        if target.get("post"):
            return {"by": "update", "post": target["post"]}
        return {"by": "channel"}

    def needs(self, way: Way) -> str | None:
        """The token of an interaction ends to count."""
        return "token" if way["by"] == "interaction" else None

    def instead(self, way: Way, *, expired: bool) -> Way | None:
        """The channel has the answer to what expired, or was deleted."""
        return {"by": "channel"} if expired and way["by"] != "channel" else None

    def outgoing(
        self, response: NormalizedResponse, to: NormalizedMessage, *, way: Way, target: Mapping[str, Any]
    ) -> Outgoing:
        """The calls of an answer."""
        return discord.reply(
            response,
            to=to,
            update=way.get("post"),
            interaction_token=target["token"] if way["by"] == "interaction" else None,
            choices=choices_of(response),
            settings=self.settings,
        )

    def frame_calls(
        self, partial: NormalizedResponse, to: NormalizedMessage, *, growing: Growing, target: Mapping[str, Any]
    ) -> Outgoing | None:
        """All that came so far, in the place of what was shown before."""
        way = self.way(to, target=target)
        if way["by"] == "channel" and growing.post is not None:
            way = {"by": "update", "post": growing.post}
        return self.outgoing(partial, to, way=way, target=target)

    def post_of(self, answer: Any) -> str | None:
        """The id of the message."""
        own = member_of(answer, "id")
        return own if isinstance(own, str) else None

    def typing(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[ApiRequest]:
        """Discord shows it in the channel; behind a command it does so by itself."""
        return () if "token" in target else discord.typing(to=message).calls

    def dismissal(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[ApiRequest]:
        """Behind a command Discord says that the agent thinks, until this is deleted."""
        if "token" not in target:
            return ()
        path = f"/webhooks/{self.app}/{target['token']}/messages/@original"
        return (ApiRequest(method="DELETE", path=path, as_bot=False),)

    def native_id(self, answer: Any, *, to: NormalizedMessage) -> str | None:
        """`discord:<channel>/<id>`."""
        return discord.native_id(answer, to=to)

    def deletion(self, post: str) -> ApiRequest | None:
        """`DELETE` of the message."""
        channel, _, own = post.removeprefix("discord:").partition("/")
        return ApiRequest(method="DELETE", path=f"/channels/{channel}/messages/{own}")

    def http(self, call: ApiRequest, *, key: str) -> HttpRequest:
        """A call with the token of the bot; a message has a nonce, by which Discord knows it again for minutes."""
        params = call.params
        if call.method == "POST" and call.path.startswith("/channels/") and call.path.endswith("/messages") and key:
            params = {**params, "nonce": sha256(key.encode()).hexdigest()[:25], "enforce_nonce": True}
        headers, body = self._headers(as_bot=call.as_bot), b""
        if call.files:
            fields = {"payload_json": json.dumps(params)}
            files = {f"files[{number}]": upload for number, upload in enumerate(call.files)}
            content_type, body = multipart(fields, files)
            headers |= {"content-type": content_type}
        elif call.method in ("POST", "PATCH"):
            headers, body = headers | JSON, json.dumps(params).encode()
        return HttpRequest(method=call.method, url=f"{API}{call.path}", headers=headers, body=body)

    def judge(self, call: ApiRequest, response: HttpResponse) -> Taken | Retry | Dead:
        """A success, or why not. The path of an interaction has its token: no reason has it."""
        answer = json_of(response)
        if response.status < 300:
            return Taken(answer)
        code = member_of(answer, "code")
        if call.method == "DELETE" and code in (GONE, *EXPIRED):
            return Taken(None)
        reason = words(member_of(answer, "message"))
        why = f"{call.method}: discord answers {response.status}, {words(code)}: {reason}"
        if not call.as_bot and (code in EXPIRED or response.status in (401, 404)):
            return Expired(why)
        if call.method == "PATCH" and code == GONE:
            return Expired(why)
        if response.status == 401:
            return Dead(f"Discord does not take the bot token: put a new one into discord.bot_token ({why})")
        return Dead(f"{why}: {ADVICE[code]}" if code in ADVICE else why)
