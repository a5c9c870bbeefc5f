"""iMessage by BlueBubbles: webhooks of your own server come to `/bluebubbles/events`, and answers go to its API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import quote

from mentionable import (
    Flow,
    Handshake,
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    UsageError,
    UseOnce,
)
from mentionable.connectors import ApiRequest, Claimed, Outgoing, bluebubbles
from sqlalchemy import Connection, select

from mentionable_host.config import ConfigError, secret
from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.store.dialects import insert_new
from mentionable_host.store.tables import settings as settings_table
from mentionable_host.transports.platforms.calls import Taken, Way, json_of, member_of, words
from mentionable_host.transports.platforms.multipart import multipart
from mentionable_host.transports.platforms.platform import Incoming, Outcomes, Platform

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["BlueBubbles"]

KEY: Final = "bluebubbles.pseudonym_key"
CHAT_LASTS: Final = timedelta(days=7)
"""An answer finds its chat for so long: longer than its calls are tried."""
JSON: Final = {"content-type": "application/json"}


class BlueBubbles(Platform):
    """A BlueBubbles server."""

    name: ClassVar[str] = "bluebubbles"
    path: ClassVar[str] = "/bluebubbles/events"

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: Something in `[bluebubbles]` is missing or wrong.
        """
        super().__init__(host)
        config = host.config.bluebubbles
        if config is None:
            raise ConfigError("there is no [bluebubbles] in the configuration: docs/platforms.md says what it needs")
        self._config, self.app = config, config.account
        self.shows_typing = config.private_api
        self._password: Final = secret(config.password, folder=host.config.folder)
        self._settings = self._made(bytes(32))
        self._has_key = False

    def _made(self, pseudonym_key: bytes) -> bluebubbles.Settings:
        try:
            return bluebubbles.Settings(
                secret=secret(self._config.webhook_token, folder=self.host.config.folder),
                pseudonym_key=pseudonym_key,
                issuer=self.issuer,
                server=self._config.account,
                groups=self._config.groups,
                files=self.file_key,
            )
        except UsageError as error:
            raise ConfigError(f"bluebubbles: {error}") from error

    async def prepare(self) -> None:
        """Reads the key of the pseudonyms. It is made once: with another key everybody would be somebody else."""
        if self._has_key:
            return
        fresh = self.host.world.entropy()

        def work(db: Connection) -> bytes:
            insert_new(db, settings_table, {"key": KEY, "value": fresh, "secret": True})
            return bytes(db.execute(select(settings_table.c.value).where(settings_table.c.key == KEY)).scalar_one())

        self._settings = self._made(await self.host.database.write(work))
        self._has_key = True

    def claim(self, event: Incoming) -> Flow[UseOnce, Claimed | Handshake | Rejected]:
        """Verifies a webhook."""
        if not isinstance(event, HttpRequest):
            raise TypeError("BlueBubbles sends requests")
        return bluebubbles.claim(event, now=self.host.world.now(), settings=self._settings)

    def make(self, claimed: Claimed, *, entropy: bytes) -> Flow[Any, Outcomes]:
        """Makes the message of an event."""
        now = self.host.world.now()
        return bluebubbles.complete(claimed, now=now, entropy=entropy, settings=self._settings)

    def serves(self, native_id: str) -> bool:
        """Whether an event is of the account of the configuration."""
        return native_id == f"bluebubbles:{self.app}"

    def target(self, event: Incoming) -> tuple[dict[str, Any], timedelta]:
        """The chat, and that with the sender alone: their names are phone numbers."""
        if not isinstance(event, HttpRequest):
            return {}, CHAT_LASTS
        chats = bluebubbles.chats(event, settings=self._settings)
        direct = bluebubbles.direct_chat(event, settings=self._settings)
        found = {"chat": next(iter(chats.values()), None), "direct": direct}
        return {name: guid for name, guid in found.items() if guid is not None}, CHAT_LASTS

    async def file(self, file: str, *, target: Mapping[str, Any], limit: int) -> bytes | Retry | None:
        """The bytes of an attachment."""
        call = ApiRequest(method="GET", path=f"/api/v1/attachment/{quote(file, safe='')}/download")
        response = await self.exchange(self.http(call, key=""), what="a file")
        if not isinstance(response, HttpResponse):
            return response if isinstance(response, Retry) else None
        return response.body if response.status == 200 else None

    def way(self, to: NormalizedMessage, *, target: Mapping[str, Any]) -> Way:
        """The chat of the question."""
        return {"by": "chat"}

    def needs(self, way: Way) -> str | None:
        """Without its chat an answer goes nowhere."""
        return "chat"

    def outgoing(
        self, response: NormalizedResponse, to: NormalizedMessage, *, way: Way, target: Mapping[str, Any]
    ) -> Outgoing:
        """The calls of an answer."""
        return bluebubbles.reply(
            response,
            to=to,
            chat_guid=target.get("chat"),
            direct_chat_guid=target.get("direct"),
            private_api=self._config.private_api,
            settings=self._settings,
        )

    def typing(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[ApiRequest]:
        """That the message was read, and that the agent types: only the private API can."""
        if not self._config.private_api or "chat" not in target:
            return ()
        read = bluebubbles.mark_read(to=message, chat_guid=target["chat"])
        return (*read.calls, *bluebubbles.typing(to=message, chat_guid=target["chat"]).calls)

    def native_id(self, answer: Any, *, to: NormalizedMessage) -> str | None:
        """`bluebubbles:<guid>`."""
        return bluebubbles.native_id(answer, to=to)

    def http(self, call: ApiRequest, *, key: str) -> HttpRequest:
        """A call with the password in its URL: BlueBubbles takes it nowhere else."""
        url = f"{self._config.url.rstrip('/')}{call.path}?password={quote(self._password, safe='')}"
        if call.files:
            fields = {name: str(value) for name, value in call.params.items()}
            content_type, body = multipart(fields, {"attachment": call.files[0]})
            return HttpRequest(method=call.method, url=url, headers={"content-type": content_type}, body=body)
        if call.method == "GET":
            return HttpRequest(method="GET", url=url)
        return HttpRequest(method=call.method, url=url, headers=JSON, body=json.dumps(call.params).encode())

    def judge(self, call: ApiRequest, response: HttpResponse) -> Taken | Retry | Dead:
        """A success, or why not."""
        answer = json_of(response)
        if response.status < 300:
            return Taken(answer)
        if response.status in (401, 403):
            return Dead("the BlueBubbles server does not take the password: put its own into bluebubbles.password")
        return Dead(f"bluebubbles answers {response.status}: {words(member_of(answer, 'message'))}")
