"""Objects of A2A in every dialect, with another canary word in every place."""

from itertools import count

from hypothesis import strategies as st

STATES = ["submitted", "working", "completed", "failed", "canceled", "input-required", "rejected", "auth-required"]
KINDS = {"statusUpdate": "status-update", "artifactUpdate": "artifact-update"}
PARTS = ["text", "url", "bad-url", "raw", "data", "call", "adk", "unknown", "broken"]


class Writer:
    """Writes objects of one dialect.

    Attributes:
        way: The dialect.
        words: The canary words so far.
    """

    def __init__(self, way, draw):
        self.way, self.draw, self._numbers, self.words = way, draw, count(), []

    def word(self):
        self.words.append(f"canary{next(self._numbers)}y")
        return self.words[-1]

    def maybe(self, members):
        """Some of these members."""
        return {name: make() for name, make in members.items() if self.draw(st.booleans())}

    def data(self):
        return {self.word(): [self.word(), {self.word(): self.word()}, 5]}

    def around(self):
        hints = {"metadata": lambda: {self.word(): self.data(), "mentionable": {self.word(): self.word()}}}
        return self.maybe({**hints, "extensions": lambda: [self.word()], "x-unknown": self.data})

    def file(self, kind):
        if self.way[:3] != "0.3":
            content = {"raw": "aGk="} if kind == "raw" else {"url": self.url(kind)}
            return {**content, "mediaType": f"a/{self.word()}", "filename": self.word()}
        names = ("fileWithUri", "fileWithBytes") if self.way.endswith("rest") else ("uri", "bytes")
        content = {names[1]: "aGk="} if kind == "raw" else {names[0]: self.url(kind)}
        return {"file": {**content, "mimeType": f"a/{self.word()}", "name": self.word()}}

    def url(self, kind):
        return f"{'https://files.example' if kind == 'url' else 's3://bucket'}/{self.word()}"

    def value(self, kind):
        if kind == "call":
            return {"toolCallId": self.word(), "toolName": self.word(), "input": self.data()}
        if kind == "adk":
            return {"id": self.word(), "name": self.word(), "args": self.data()}
        return self.data()

    def part(self):
        kind = self.draw(st.sampled_from(PARTS))
        if kind == "unknown":
            return {"kind": self.word(), "iframe": self.data()}
        if kind == "broken":
            return {"text": {self.word(): self.word()}, **self.around()}
        around = self.around()
        if kind == "text":
            content = {"text": self.word()}
        elif kind in ("url", "bad-url", "raw"):
            content = self.file(kind)
        else:
            value = self.value(kind)
            content = {"data": {"data": value} if self.way == "0.3-rest" else value}
        if kind == "adk":
            around["metadata"] = {"adk_type": "function_call", **around.get("metadata", {})}
        if self.way == "0.3":
            content["kind"] = next(name for name in ("file", "data", "text") if name in content)
        return {**content, **around}

    def message(self, role="agent", **members):
        spelled = role if self.way == "0.3" else f"ROLE_{role.upper()}"
        made = {"messageId": self.word(), "role": spelled, **members, **self.around()}
        made["content" if self.way == "0.3-rest" else "parts"] = [
            self.part() for _ in range(self.draw(st.integers(0, 3)))
        ]
        made |= self.maybe({"referenceTaskIds": lambda: [self.word()]})
        return {"kind": "message", **made} if self.way == "0.3" else made

    def state(self, state):
        return state if self.way == "0.3" else f"TASK_STATE_{state.upper().replace('-', '_')}"

    def status(self, state=None):
        state = state or self.draw(st.sampled_from(STATES))
        more = self.maybe({"message": self.message, "timestamp": self.word, "x-unknown": self.word})
        return {"state": self.state(state), **more}

    def artifact(self):
        parts = [self.part() for _ in range(self.draw(st.integers(0, 2)))]
        named = self.maybe({"name": self.word, "description": self.word})
        return {"artifactId": self.word(), "parts": parts, **named, **self.around()}

    def task(self):
        made = {"id": "t1", "contextId": "c1", "status": self.status(), **self.around()}
        made["artifacts"] = [self.artifact() for _ in range(self.draw(st.integers(0, 2)))]
        made["history"] = [
            self.message(self.draw(st.sampled_from(["user", "agent"])), taskId="t1", contextId="c1")
            for _ in range(self.draw(st.integers(0, 3)))
        ]
        return made

    def update(self, status):
        return {"taskId": "t1", "contextId": "c1", "status": status}

    def chunk(self, artifact):
        return {"taskId": "t1", "contextId": "c1", "artifact": artifact}

    def event(self):
        kind = self.draw(st.sampled_from(["task", "message", "statusUpdate", "artifactUpdate"]))
        if kind in ("task", "message"):
            return kind, self.task() if kind == "task" else self.message()
        if kind == "statusUpdate":
            return kind, {**self.update(self.status("working")), **self.around()}
        return kind, {**self.chunk(self.artifact()), **self.maybe({"append": lambda: True}), **self.around()}

    def wrapped(self, kind, made):
        """An object as its binding sends it."""
        wrapped = {"kind": KINDS.get(kind, kind), **made} if self.way == "0.3" else {kind: made}
        if self.way.endswith("rest"):
            return {**wrapped, "x-around": self.word()}
        return {"jsonrpc": "2.0", "id": 1, "result": wrapped, "x-around": self.word()}
