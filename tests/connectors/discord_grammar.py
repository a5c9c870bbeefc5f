"""Random messages of Discord over the whole grammar of its API, with a canary in each member."""

from __future__ import annotations

from typing import Any

from tests.connectors.canaries import Canaries

Json = dict[str, Any]


class Grammar:
    """Makes messages; the ids are numbers that never come twice."""

    def __init__(self, canaries: Canaries) -> None:
        self.canaries = canaries
        self.count = 1000

    def id(self) -> str:
        self.count += 1
        return str(self.count)

    def url(self) -> str:
        return (
            f"https://cdn.discordapp.com/attachments/1/2/{self.canaries.secret()}.png?ex=1&hm={self.canaries.secret()}"
        )

    def user(self, *, is_seen: bool, is_program: bool = False) -> Json:
        name = self.canaries.word() if is_seen else self.canaries.secret()
        user = {"id": self.id(), "global_name": name, "email": self.canaries.secret(), "locale": "en-GB"}
        return {**user, "bot": True} if is_program else user

    def text(self, mentions: list[Json]) -> str:
        """A text with words, marks, and a mention whose name is in `mentions`."""
        words = [self.canaries.word(), "*and*"]
        if self.canaries.maybe(0.3):
            user = self.user(is_seen=True)
            mentions.append(user)
            words.append(f"<@{user['id']}>")
        if self.canaries.maybe(0.2):
            words.append(f"<:{self.canaries.word()}:12> </{self.canaries.word()} {self.canaries.word()}:13> `<@1>`")
        if self.canaries.maybe(0.2):
            words.append("<t:1795294560:R>")
        self.canaries.random.shuffle(words)
        return self.canaries.random.choice([" ", "\n", "\r\n"]).join(words)

    def media(self) -> Json:
        media = {"url": self.url(), "proxy_url": self.url(), "height": 1, "placeholder": self.canaries.secret()}
        return {**media, "description": self.canaries.word()} if self.canaries.maybe() else media

    def embed(self) -> Json:
        words, secret, maybe = self.canaries.word, self.canaries.secret, self.canaries.maybe
        embed: Json = {"type": self.canaries.random.choice(["rich", "article", "link", "video", "image", "gifv", None])}
        if maybe():
            embed["url"] = self.canaries.either(lambda: f"https://{words()}.example/", self.url)
        if maybe():
            embed |= {"title": words(), "description": self.text([]).replace("<@", "<")}
        if maybe():
            embed["author"] = {"name": words(), "url": self.url(), "icon_url": self.url()}
        if maybe():
            embed["footer"] = {"text": f"{words()}\n{words()}", "icon_url": self.url()}
        if maybe():
            embed["provider"] = {"name": words(), "url": self.url()}
        if maybe():
            embed["timestamp"] = "2026-11-21T20:56:00+00:00"
        for name in ("image", "thumbnail", "video"):
            if maybe(0.3):
                embed[name] = self.media()
        embed["fields"] = self.canaries.several(
            lambda: {"name": words(), "value": words(), "inline": True, "id": secret()}
        )
        return embed

    def emoji(self) -> Json:
        return {"name": "\u2614"} if self.canaries.maybe() else {"id": "5", "name": self.canaries.word()}

    def component(self, depth: int = 0) -> Json:
        words, secret = self.canaries.word, self.canaries.secret
        kind = self.canaries.random.choice([1, 2, 3, 4, 5, 9, 10, 12, 13, 14, 17, 18, 99])
        component: Json = {"type": kind, "id": self.count, "custom_id": secret()}
        inside = self.canaries.several(lambda: self.component(depth + 1)) if depth < 3 else []
        match kind:
            case 1 | 17 | 99:
                component["components"] = inside
            case 2:
                component |= {"label": words(), "emoji": self.emoji(), "style": 1, "sku_id": secret()}
                if self.canaries.maybe():
                    component |= {"url": self.canaries.either(lambda: f"https://{words()}.example/", self.url)}
            case 3:
                component["placeholder"] = words()
                component["options"] = self.canaries.several(
                    lambda: {"label": words(), "value": secret(), "description": words(), "emoji": self.emoji()}
                )
            case 4:
                component |= {"label": words(), "placeholder": words(), "value": words()}
            case 5:
                component |= {"placeholder": words(), "default_values": [{"id": self.id(), "type": secret()}]}
            case 9:
                thumbnail = {"type": 11, "media": {"url": self.url()}, "description": words(), "id": 1}
                component |= {"components": inside, "accessory": thumbnail}
            case 10:
                component["content"] = self.text([]).replace("<@", "<")
            case 12:
                component["items"] = self.canaries.several(
                    lambda: {"media": {"url": self.url()}, "description": words()}
                )
            case 13:
                component |= {"file": {"url": self.url()}, "name": words(), "size": 9}
            case 18:
                field = {"type": 4, "value": words(), "custom_id": secret()}
                component |= {"label": words(), "description": words(), "component": field}
        return component

    def attachment(self) -> Json:
        words, secret = self.canaries.word, self.canaries.secret
        attachment: Json = {"id": self.id(), "filename": f"{words()}.png", "content_type": "image/png", "size": 9}
        attachment |= {"url": self.url(), "proxy_url": self.url(), "waveform": secret(), "placeholder": secret()}
        if self.canaries.maybe():
            attachment |= {"title": words(), "description": f"{words()} {words()}", "duration_secs": 1.5}
        return attachment

    def poll(self) -> Json:
        def answer() -> Json:
            return {"answer_id": 1, "poll_media": {"text": self.canaries.word(), "emoji": self.emoji()}}

        results = {"answer_counts": [{"id": 1, "count": 7, "me_voted": False}], "is_finalized": self.canaries.maybe()}
        poll = {
            "question": {"text": self.canaries.word()},
            "answers": self.canaries.several(answer),
            "results": results,
        }
        return {**poll, "layout_type": 1, "expiry": self.canaries.secret()}

    def shown(self) -> Json:
        """What a message and a forwarded message can both have."""
        maybe, several, mentions = self.canaries.maybe, self.canaries.several, list[Json]()
        message: Json = {"content": self.text(mentions) if maybe(0.7) else "", "mentions": mentions, "type": 0}
        message |= {"embeds": [], "attachments": [], "components": [], "nonce": self.canaries.secret()}
        makers: dict[str, Any] = {
            "embeds": lambda: several(self.embed),
            "attachments": lambda: several(self.attachment),
            "components": lambda: several(self.component),
            "sticker_items": lambda: several(lambda: {"id": self.id(), "name": self.canaries.word(), "format_type": 1}),
            "poll": self.poll,
        }
        return message | {name: make() for name, make in makers.items() if maybe(0.3)}

    def message(self, *, channel: str = "500", is_program: bool | None = None) -> Json:
        """A direct message."""
        maybe, words, secret = self.canaries.maybe, self.canaries.word, self.canaries.secret
        by_program = maybe(0.3) if is_program is None else is_program
        message = {
            **self.shown(),
            "id": self.id(),
            "channel_id": channel,
            "author": self.user(is_seen=True, is_program=by_program),
        }
        if maybe(0.3):
            message["message_snapshots"] = self.canaries.several(lambda: {"message": self.shown()}, 2)
            message["message_reference"] = {"type": 1, "message_id": self.id(), "channel_id": "9", "guild_id": "8"}
        if maybe(0.2):
            message["thread"] = {"id": self.id(), "name": words(), "owner_id": self.id(), "last_pin": secret()}
        if maybe(0.2):
            message |= {
                "activity": {"type": 3, "party_id": secret()},
                "application": {"name": words(), "id": self.id()},
            }
        if maybe(0.2):
            user = self.user(is_seen=True)
            message["interaction_metadata"] = {"id": self.id(), "type": 2, "user": user, "name": words()}
        return message

    def turn(self) -> Json:
        """A direct message that is a turn of the history in any case, since somebody typed something."""
        message = self.message()
        return message | {"content": message["content"] or self.canaries.word()}

    def answer(self) -> Json:
        """A direct message that may answer another one."""
        message = self.message()
        if "message_reference" not in message and self.canaries.maybe():
            answered = self.turn()
            message |= {"type": 19, "message_reference": {"message_id": answered["id"]}}
            message["referenced_message"] = answered if "message_reference" not in answered else None
        return message
