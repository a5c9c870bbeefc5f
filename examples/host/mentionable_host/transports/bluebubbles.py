"""iMessage by BlueBubbles: webhooks of your own server come to `/bluebubbles/events`, and answers go to its API."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import quote

from mentionable import (
    HttpRequest,
    HttpResponse,
    NormalizedMessage,
    NormalizedResponse,
    replace,
)
from mentionable.connectors import ApiRequest, Outgoing, bluebubbles

from mentionable_host.queue.outcome import Dead, Retry
from mentionable_host.store.settings import first_setting
from mentionable_host.transports.platforms.calls import Taken, Way, json_of, member_of, words
from mentionable_host.transports.platforms.multipart import multipart
from mentionable_host.transports.platforms.platform import Connector, Incoming, Platform
from mentionable_host.transports.sections import BlueBubblesSettings

if TYPE_CHECKING:
    from mentionable_host.host import Host

__all__ = ["BlueBubbles"]

KEY: Final = "bluebubbles.pseudonym_key"
CHAT_LASTS: Final = timedelta(days=7)
"""An answer finds its chat for so long: longer than its calls are tried."""
JSON: Final = {"content-type": "application/json"}


class BlueBubbles(Platform[BlueBubblesSettings, bluebubbles.Settings]):
    """A BlueBubbles server."""

    name: ClassVar[str] = "bluebubbles"
    path: ClassVar[str] = "/bluebubbles/events"
    connector: ClassVar[Connector] = bluebubbles

    def __init__(self, host: Host) -> None:
        """Opens nothing.

        Raises:
            ConfigError: Something in `[bluebubbles]` is missing or wrong.
        """
        super().__init__(host)
        self.app, self.shows_typing = self.config.account, self.config.private_api
        self._password: Final = self.secret(self.config.password)
        self._has_key = False

    def make_settings(self) -> bluebubbles.Settings:
        """Those of the server, without the key of the pseudonyms: it is in the store."""
        return bluebubbles.Settings(
            secret=self.secret(self.config.webhook_token),
            pseudonym_key=bytes(32),
            issuer=self.issuer,
            server=self.config.account,
            groups=self.config.groups,
            files=self.file_key,
        )

    async def prepare(self) -> None:
        """Reads the key of the pseudonyms. It is made once: with another key everybody would be somebody else."""
        if self._has_key:
            return
        fresh = self.host.world.entropy()
        key = await self.host.database.write(lambda db: first_setting(db, KEY, fresh))
        self.settings = replace(self.settings, pseudonym_key=key)
        self._has_key = True

    def serves(self, native_id: str) -> bool:
        """Whether an event is of the account of the configuration."""
        return native_id == f"bluebubbles:{self.app}"

    def target(self, event: Incoming) -> tuple[dict[str, Any], timedelta]:
        """The chat, and that with the sender alone: their names are phone numbers."""
        if not isinstance(event, HttpRequest):
            return {}, CHAT_LASTS
        chats = bluebubbles.chats(event, settings=self.settings)
        direct = bluebubbles.direct_chat(event, settings=self.settings)
        found = {"chat": next(iter(chats.values()), None), "direct": direct}
        return {name: guid for name, guid in found.items() if guid is not None}, CHAT_LASTS

    async def file(self, file: str, *, target: Mapping[str, Any]) -> bytes | Retry | None:
        """The bytes of an attachment."""
        call = ApiRequest(method="GET", path=f"/api/v1/attachment/{quote(file, safe='')}/download")
        response = await self.download(self.http(call, key=""))
        return response.body if isinstance(response, HttpResponse) else response

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
            private_api=self.config.private_api,
            settings=self.settings,
        )

    def typing(self, message: NormalizedMessage, *, target: Mapping[str, Any]) -> Sequence[ApiRequest]:
        """That the message was read, and that the agent types: only the private API can."""
        if not self.config.private_api or "chat" not in target:
            return ()
        read = bluebubbles.mark_read(to=message, chat_guid=target["chat"])
        return (*read.calls, *bluebubbles.typing(to=message, chat_guid=target["chat"]).calls)

    def native_id(self, answer: Any, *, to: NormalizedMessage) -> str | None:
        """`bluebubbles:<guid>`."""
        return bluebubbles.native_id(answer, to=to)

    def http(self, call: ApiRequest, *, key: str) -> HttpRequest:
        """A call with the password in its URL: BlueBubbles takes it nowhere else."""
        url = f"{self.config.url.rstrip('/')}{call.path}?password={quote(self._password, safe='')}"
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
