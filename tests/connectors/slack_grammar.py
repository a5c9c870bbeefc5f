# ruff: noqa: E501
"""Random messages of Slack with canary words: those that people see, and those that only programs see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

STYLES = ("bold", "italic", "strike", "code")
TEXTS = ("plain_text", "mrkdwn")
UNFURL_FLAGS = ("is_share", "is_msg_unfurl", "is_app_unfurl")


class Messages:
    """Draws messages, and knows of each which words people see."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw
        self._count = 0
        self.visible: set[str] = set()
        self.hidden: set[str] = set()

    # --- words

    def word(self) -> str:
        """A word that people see."""
        self._count += 1
        made = f"seen{self._count}x"
        self.visible.add(made)
        return made

    def secret(self) -> str:
        """A word that no reader sees."""
        self._count += 1
        made = f"secret{self._count}x"
        self.hidden.add(made)
        return made

    def url(self) -> str:
        return f"https://{self.secret()}.example/{self.secret()}"

    def some(self, make: Callable[[], Any], most: int = 2) -> list[Any]:
        return [make() for _ in range(self._draw(st.integers(0, most)))]

    def one(self, *makes: Callable[[], Any]) -> Any:
        return makes[self._draw(st.integers(0, len(makes) - 1))]()

    def maybe(self, **members: Callable[[], Any]) -> dict[str, Any]:
        return {name: make() for name, make in members.items() if self._draw(st.booleans())}

    def markup(self) -> str:
        """Text with marks of Slack."""
        forms = ("{}", "*{}*", "_{}_", "`{}`", "> {}", "a {} b\n# c", "~{}~ *", "```{}```", "<https://a.example/|{}>")
        return self._draw(st.sampled_from(forms)).format(self.word())

    # --- rich text

    def style(self) -> dict[str, Any]:
        chosen = self._draw(st.lists(st.sampled_from(STYLES), max_size=2))
        return {"style": dict.fromkeys(chosen, True)} if chosen else {}

    def element(self) -> dict[str, Any]:
        return self.one(
            lambda: {"type": "text", "text": self._draw(st.sampled_from(("{}", " {} ", "_{}_", "{}\n", "> {}", "<@U9>{}"))).format(self.word()), **self.style()},
            lambda: {"type": "link", "url": "https://a.example/", "text": self.word(), **self.style()},
            lambda: {"type": "link", "url": f"https://a.example/{self.word()}"},
            lambda: {"type": "user", "user_id": "U1", **self.style()},
            lambda: {"type": "usergroup", "usergroup_id": "S1"},
            lambda: {"type": "channel", "channel_id": "C1"},
            lambda: {"type": "team", "team_id": "T1"},
            lambda: {"type": "broadcast", "range": "here"},
            lambda: {"type": "emoji", "name": self.word()},
            lambda: {"type": "emoji", "name": "wave", "unicode": "1f44b-1f3fb"},
            lambda: {"type": "date", "timestamp": 1720710212, "format": "{date} at {time}", "fallback": self.word()},
            lambda: {"type": "date", "timestamp": 1720710212, "format": f"{{date_long}} {self.word()}"},
            lambda: {"type": "color", "value": "#F405B3"},
            lambda: {"type": "new_thing", "text": self.word(), "id": self.secret()},
        )  # fmt: skip

    def line(self) -> dict[str, Any]:
        return {"type": "rich_text_section", "elements": self.some(self.element, 3)}

    def rich_text(self) -> dict[str, Any]:
        sections = (
            self.line,
            lambda: {"type": "rich_text_list", "style": "ordered", "indent": 1, "offset": 2, "elements": self.some(self.line)},
            lambda: {"type": "rich_text_list", "style": "bullet", "border": 1, "elements": self.some(self.line)},
            lambda: {"type": "rich_text_quote", "elements": self.some(self.element)},
            lambda: {"type": "rich_text_preformatted", "elements": self.some(self.element), "border": 0},
        )  # fmt: skip
        made = [self.one(*sections) for _ in range(self._draw(st.integers(0, 3)))]
        return {"type": "rich_text", "block_id": self.secret(), "elements": made}

    # --- blocks

    def text(self) -> dict[str, Any]:
        kind = self._draw(st.sampled_from(TEXTS))
        return {"type": kind, "text": self.markup() if kind == "mrkdwn" else self.word()}

    def option(self) -> dict[str, Any]:
        return {"text": self.text(), "value": self.secret(), **self.maybe(description=self.text)}

    def image(self) -> dict[str, Any]:
        return {"type": "image", "image_url": self.url(), "alt_text": self.word(), **self.maybe(title=self.text)}

    def button(self) -> dict[str, Any]:
        confirm = {"title": {"type": "plain_text", "text": self.secret()}}
        return {
            "type": "button",
            "text": self.text(),
            "value": self.secret(),
            "action_id": self.secret(),
            "confirm": confirm,
        }

    def control(self) -> dict[str, Any]:
        return self.one(
            self.button,
            lambda: {"type": "workflow_button", "text": self.text(), "workflow": {"trigger": {"url": self.url()}}},
            lambda: {"type": "static_select", "placeholder": self.text(), "options": self.some(self.option)},
            lambda: {"type": "multi_static_select", "option_groups": [{"label": self.text(), "options": self.some(self.option)}]},
            lambda: {"type": "overflow", "options": self.some(self.option), "action_id": self.secret()},
            lambda: {"type": "radio_buttons", "options": self.some(self.option)},
            lambda: {"type": "checkboxes", "options": self.some(self.option)},
            lambda: {"type": "external_select", "initial_option": self.option()},
            lambda: {"type": "datepicker", "placeholder": self.text(), "initial_date": "2026-11-21"},
            lambda: {"type": "datetimepicker", "initial_date_time": 1720710212},
            lambda: {"type": "users_select", "placeholder": self.text(), "initial_user": "U2"},
            lambda: {"type": "multi_channels_select", "initial_channels": ["C2", self.secret()]},
        )  # fmt: skip

    def field(self) -> dict[str, Any]:
        return self.one(
            self.control,
            lambda: {"type": "plain_text_input", "placeholder": self.text(), "initial_value": self.word()},
            lambda: {"type": "rich_text_input", "initial_value": self.rich_text()},
            lambda: {"type": "email_text_input", "placeholder": self.text()},
        )

    def cell(self) -> dict[str, Any]:
        return self.one(
            lambda: {"type": "raw_text", "text": self.word()},
            lambda: {"type": "raw_number", "value": 7},
            self.rich_text,
        )

    def card(self) -> dict[str, Any]:
        more = self.maybe(subtitle=self.text, body=self.text, hero_image=self.image, icon=self.image)
        return {"type": "card", "title": self.text(), "actions": self.some(self.button), **more}

    def task(self) -> dict[str, Any]:
        source = {"type": "url", "url": "https://a.example/", "text": self.word()}
        return {"type": "task_card", "task_id": self.secret(), "title": self.word(), "details": self.rich_text(), "output": self.rich_text(), "sources": [source], "status": "pending"}  # fmt: skip

    def block(self) -> dict[str, Any]:
        made = self.one(
            self.rich_text,
            lambda: {"type": "section", **self.maybe(text=self.text, fields=lambda: self.some(self.text), accessory=lambda: self.one(self.image, self.control))},
            lambda: {"type": "header", "text": self.text()},
            lambda: {"type": "context", "elements": [self.one(self.text, self.image) for _ in range(2)]},
            lambda: {"type": "actions", "elements": self.some(self.control)},
            lambda: {"type": "context_actions", "elements": [
                {"type": "feedback_buttons", "positive_button": {"text": self.text(), "value": self.secret()}, "negative_button": {"text": self.text(), "value": self.secret()}},
                {"type": "icon_button", "icon": "trash", "text": self.text(), "value": self.secret()},
            ]},
            lambda: {"type": "table", "rows": [self.some(self.cell, 3) for _ in range(3)]},
            lambda: {"type": "data_table", "caption": self.word(), "rows": [self.some(self.cell, 3)]},
            self.image,
            lambda: {"type": "video", "video_url": self.url(), "thumbnail_url": self.url(), "alt_text": self.word(), "title": self.text(), "title_url": "https://a.example/", "author_name": self.word(), "provider_name": self.word(), "description": self.text()},
            lambda: {"type": "file", "source": "remote", "external_id": self.secret(), "file": {"title": self.word(), "url_private": self.url()}},
            lambda: {"type": "input", "label": self.text(), "element": self.field(), "hint": self.text()},
            lambda: {"type": "markdown", "text": f"**{self.word()}**"},
            lambda: {"type": "divider"},
            lambda: {"type": "call", "call_id": self.secret(), "call": {"v1": {"name": self.word(), "join_url": self.url()}}},
            lambda: {"type": "contact_card", "user_id": "U1", "profile": {"email": self.secret()}},
            lambda: {"type": "alert", "text": self.text(), "level": "info"},
            self.card,
            lambda: {"type": "carousel", "elements": [self.card()]},
            self.task,
            lambda: {"type": "plan", "title": self.word(), "tasks": [self.task()]},
            lambda: {"type": "container", "title": self.text(), "subtitle": self.text(), "child_blocks": [self.one(self.rich_text, self.image)]},
            lambda: {"type": "something_new", "heading": self.text(), "rows": [{"cell": self.text(), "id": self.secret()}], "token": self.secret()},
        )  # fmt: skip
        return {**made, "block_id": self.secret()}

    # --- attachments and files

    def attachment(self) -> dict[str, Any]:
        members = self.maybe(
            pretext=self.markup,
            author_name=self.word,
            author_subname=self.word,
            service_name=self.word,
            title=self.word,
            text=self.markup,
            footer=self.word,
            fields=lambda: [{"title": self.word(), "value": self.markup(), "short": True}],
            actions=lambda: [
                {"type": "button", "text": self.word(), "value": self.secret(), "name": self.secret()},
                {"type": "select", "text": self.word(), "options": [{"text": self.word(), "value": self.secret()}]},
            ],
            preview=lambda: {"title": self.text(), "subtitle": self.text(), "iconUrl": self.url()},
            blocks=lambda: self.some(self.block),
            files=lambda: self.some(self.file),
        )
        if self._draw(st.booleans()):
            members |= {"image_url": self.url(), "fallback": self.word()}
        elif self._draw(st.booleans()):
            flag = self._draw(st.sampled_from(UNFURL_FLAGS))
            members |= {flag: True, "author_id": "U2", "channel_id": "C2", "ts": "1795294300.000100"}
            if "blocks" not in members:
                members["message_blocks"] = [{"team": "T1", "message": {"blocks": self.some(self.block)}}]
        if not any(members.get(name) for name in members if name not in ("blocks", "files", "message_blocks")):
            members |= {"text": self.word()}
        return {"id": 1, "color": self.secret(), "callback_id": self.secret(), "thumb_url": self.url(), **members}

    def file(self) -> dict[str, Any]:
        private = {"id": "F1", "url_private": self.url(), "thumb_360": self.url(), "permalink_public": self.url()}

        def people() -> list[dict[str, Any]]:
            return [{"name": self.word(), "address": f"{self.secret()}@a.example", "original": self.secret()}]

        return self.one(
            lambda: {**private, "name": f"{self.word()}.pdf", "title": self.word(), "mimetype": "a/b"},
            lambda: {**private, "name": f"{self.word()}.png", "alt_txt": self.word(), "mode": "hosted"},
            lambda: {**private, "name": self.word(), "mode": "tombstone"},
            lambda: {**private, "name": self.word(), "mode": "hidden_by_limit"},
            lambda: {**private, "name": self.word(), "file_access": "access_denied"},
            lambda: {**private, "name": self.word(), "mode": "canvas", "title": self.word()},
            lambda: {**private, "name": self.word(), "mode": "list", "filetype": "list"},
            lambda: {**private, "name": self.word(), "mode": "snippet", "preview": self.word(), "preview_highlight": self.secret()},
            lambda: {**private, "name": self.word(), "mode": "external", "external_url": f"https://a.example/{self.word()}", "title": self.word()},
            lambda: {**private, "name": self.word(), "subtype": "slack_audio", "vtt": self.url(), "transcription": {"status": "complete", "preview": {"content": self.word(), "has_more": True}}},
            lambda: {**private, "name": self.word(), "transcription": {"status": "processing"}},
            lambda: {**private, "filetype": "email", "subject": self.word(), "from": people(), "cc": people(), "plain_text": self.word(), "headers": {"date": self.word(), "message_id": self.secret()}, "attachments": [{"filename": self.word(), "url": self.url()}]},
            lambda: {**private, "mode": "email", "title": self.word(), "simplified_html": f"<p>{self.word()}</p>"},
        )  # fmt: skip

    def message(self) -> dict[str, Any]:
        """What a message has of content; never nothing."""
        made: dict[str, Any] = {"metadata": {"event_payload": {"id": self.secret()}}, "client_msg_id": self.secret()}
        made |= self.maybe(
            text=lambda: f"{self.markup()} {self.markup()}",
            blocks=lambda: self.some(self.block, 3),
            attachments=lambda: self.some(self.attachment),
            files=lambda: self.some(self.file),
        )
        return made if self.visible else {**made, "text": self.word()}
