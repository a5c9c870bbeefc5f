"""One tab with the viewer in it, and everything in it that must never happen."""

from __future__ import annotations

import json
import time
from base64 import b64decode, urlsafe_b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.viewer.chromium import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.viewer.chromium import Chromium

VIEWER: Final = Path(__file__).resolve().parents[2] / "mentionable" / "trace" / "viewer.html"
_SETTLED: Final = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
_NAMES: Final = {"Tab": 9, "Enter": 13, " ": 32}


def payload(response: object) -> str:
    """A value as the fragment of a trace link."""
    return packed(json.dumps(response).encode())


def packed(data: bytes) -> str:
    """Bytes as the fragment of a trace link."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def response(*parts: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    """A response with these parts."""
    return {"reply_to": "m-1", "parts": list(parts), "status": "ok", **members}


def call(name: str = "search", **members: Any) -> dict[str, Any]:
    """A tool call."""
    return {"kind": "tool_call", "id": f"call-{name}", "name": name, "args": {}, **members}


class Page:
    """A tab. What it does that a viewer must not do is kept in `troubles`."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser
        self.troubles: list[str] = []
        self._is_loaded = False
        self._url = ""
        browser.on_event = self._note
        self._target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.ask("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log", "Audits", "Accessibility"):
            self.ask(f"{domain}.enable")
        self.clear()

    def clear(self) -> None:
        """Makes the tab as if it were new."""
        self.ask("Page.navigate", url="about:blank")
        self.size(1024, 768)
        self.prefer()
        self.troubles.clear()

    def close(self) -> None:
        """Ends the tab."""
        self._browser.ask("Target.closeTarget", targetId=self._target)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """What the tab answers to one command."""
        return self._browser.ask(method, session=self._session, **parameters)

    def open(self, fragment: str = "", *, base: str | None = None) -> None:
        """Loads the viewer, from its file or from where `base` says, with this fragment."""
        self._url = base or VIEWER.as_uri()
        self._is_loaded = False
        done = self.ask("Page.navigate", url=self._url + (f"#{fragment}" if fragment else ""))
        deadline = time.monotonic() + PATIENCE
        while "loaderId" in done and not self._is_loaded:  # without one, only the fragment is another
            assert time.monotonic() < deadline, f"{self._url} was not loaded"
            self.ask("Runtime.evaluate", expression="0")
        self.settle()

    def show(self, *parts: Mapping[str, Any], **members: Any) -> None:
        """Loads the viewer with a response of these parts."""
        self.open(payload(response(*parts, **members)))

    def js(self, expression: str) -> Any:
        """The value of an expression in the page."""
        done = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def settle(self) -> None:
        """Waits for what the page does because of what just happened."""
        self.js(_SETTLED)

    def all(self, selector: str, what: str = "innerText") -> list[Any]:
        """A property of every element that fits."""
        return list(self.js(f"Array.from(document.querySelectorAll({json.dumps(selector)}), (e) => e.{what})"))

    def one(self, selector: str, what: str = "innerText") -> Any:
        """A property of the only element that fits."""
        (found,) = self.all(selector, what)
        return found

    @property
    def text(self) -> str:
        """What a reader sees."""
        return str(self.js("document.body.innerText"))

    @property
    def problem(self) -> str:
        """The sentence that says what is wrong, or nothing."""
        return "\n".join(self.all("#problem:not([hidden])"))

    def paste(self, text: str) -> None:
        """Puts a text into the form and sends it."""
        self.js(f"document.querySelector('#paste').value = {json.dumps(text)}")
        self.js("document.querySelector('#form button').click()")
        self.settle()

    def press(self, key: str, *, times: int = 1) -> None:
        """Presses a key."""
        code = _NAMES[key]
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for _ in range(times):
            named = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **named)
            self.ask("Input.dispatchKeyEvent", type="keyUp", **named)
        self.settle()

    def focused(self) -> str:
        """What has the focus: its tag, or its text."""
        return str(self.js("(document.activeElement.innerText || document.activeElement.tagName).trim()"))

    def nodes(self) -> list[tuple[str, str]]:
        """Role and name of everything in the accessibility tree that has a name, in the order of reading."""
        tree = {node["nodeId"]: node for node in self.ask("Accessibility.getFullAXTree")["nodes"]}
        waiting = [node_id for node_id, node in tree.items() if "parentId" not in node]
        found = []
        while waiting:
            node = tree[waiting.pop()]
            waiting += reversed(node.get("childIds", []))
            name = node.get("name", {}).get("value")
            if name and not node["ignored"]:
                found.append((node["role"]["value"], name))
        return found

    def roles(self, role: str) -> list[str]:
        """The names of everything with a role."""
        return [name for found, name in self.nodes() if found == role]

    def size(self, width: int, height: int, scale: int = 1, *, mobile: bool = False) -> None:
        """How large the tab is."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile}
        self.ask("Emulation.setDeviceMetricsOverride", **metrics)

    def prefer(self, **features: str) -> None:
        """What the reader prefers, such as `color_scheme="dark"`."""
        named = [{"name": f"prefers-{name.replace('_', '-')}", "value": value} for name, value in features.items()]
        self.ask("Emulation.setEmulatedMedia", features=named)

    def overflow(self) -> int:
        """By how many pixels the page is wider than the tab."""
        return int(self.js("document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def picture(self, *, whole: bool = False) -> bytes:
        """The page as a PNG."""
        shot = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        return b64decode(shot["data"])

    def _note(self, event: dict[str, Any]) -> None:
        """Keeps what must not happen."""
        if event.get("sessionId") != getattr(self, "_session", None):
            return
        method, what = event["method"], event["params"]
        if method == "Page.loadEventFired":
            self._is_loaded = True
        elif method == "Network.requestWillBeSent" and what["request"]["url"] not in ("about:blank", self._url):
            self.troubles.append(f"request: {what['request']['url']}")
        elif method == "Log.entryAdded":
            self.troubles.append(f"log: {what['entry']['text']}")
        elif method == "Audits.issueAdded" and "NavigationEntryMarkedSkippable" not in str(what):  # a test navigated
            self.troubles.append(f"issue: {what['issue']}")
        elif method == "Runtime.consoleAPICalled":
            self.troubles.append(f"console: {what['args']}")
        elif method == "Runtime.exceptionThrown":
            self.troubles.append(f"exception: {what['exceptionDetails']}")
        elif method == "Page.javascriptDialogOpening":
            self.troubles.append(f"dialog: {what['message']}")
