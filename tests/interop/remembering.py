"""An agent of this library that remembers, behind the HTTP server of the standard library."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from mentionable import (
    Answers,
    HistoricalMessage,
    HttpRequest,
    HttpResponse,
    NormalizedResponse,
    Rejected,
    Sender,
    TextPart,
    a2a,
    drive,
    split,
)
from tests.interop.batches import NOW

NAME = "@helper@agents.example"
AT = NOW.isoformat().replace("+00:00", "Z")


class Remembering:
    """Answers each turn with its number, and keeps in memory what a host keeps.

    Attributes:
        messages: What came, in order.
        rows: Native id and recipient → what is stored of a message.
        turns: Thread → the turns of it.
        tasks: Id → what is stored of a task.
        asked: The operations that were asked for.
        faults: What the library or this program raised; there must be none.
    """

    def __init__(self, *, keeps_tasks=False):
        self.keeps_tasks = keeps_tasks
        self.messages = []
        self.rows = {}
        self.turns = {}
        self.tasks = {}
        self.asked = []
        self.faults = []
        self._made = 0
        self._lock = threading.Lock()

    def entropy(self):
        self._made += 1
        return self._made.to_bytes(32)

    def __call__(self, request):
        """The pieces of the response."""
        with self._lock:
            try:
                return list(self._respond(request))
            except Exception as error:
                self.faults.append(error)
                return [HttpResponse(status=500, headers={}, body=b"")]

    def _respond(self, request):
        caller = a2a.Caller(subject="alice")
        asked = drive(a2a.receive_operation(request, caller=caller, now=NOW), Answers())
        if isinstance(asked, Rejected):
            yield a2a.error_response(asked, request=request)
        elif asked is not None:
            yield from self._operate(asked)
        else:
            yield from self._answer(request, caller)

    def _operate(self, asked):
        """Does what is asked for with a task."""
        self.asked.append(asked)
        if isinstance(asked.operation, a2a.ListTasks):
            tasks = [task for task in self.tasks.values() if asked.operation.context_id in (None, task.context_id)]
            page = a2a.TaskPage(tasks=tuple(tasks), total_size=len(tasks), page_size=max(len(tasks), 1))
            yield a2a.operation_response(asked, page)
            return
        task = self.tasks.get(asked.operation.task_id)
        if isinstance(asked.operation, a2a.CancelTask) and asked.owns(task) and not task.is_ended:
            task = self.tasks[task.id] = task.canceled(now=NOW)
        yield a2a.operation_response(asked, task)
        if isinstance(asked.operation, a2a.SubscribeToTask) and asked.owns(task) and not task.is_ended:
            status = {"state": "TASK_STATE_COMPLETED", "timestamp": task.updated_at}
            event = {"taskId": task.id, "contextId": task.context_id, "status": status}
            yield a2a.operation_response(asked, {"statusUpdate": event})

    def _answer(self, request, caller):
        answers = Answers(
            find_message=lambda ask: self.rows.get((ask.native_id, ask.recipient)),
            find_history=lambda ask: self.turns.get(ask.thread_id, []),
            find_task=lambda ask: self.tasks.get(ask.task_id),
        )
        facts = {"caller": caller, "recipient": NAME, "settings": a2a.Settings(stored_tasks=self.keeps_tasks)}
        got = drive(a2a.receive(request, now=NOW, entropy=self.entropy(), **facts), answers)
        if isinstance(got, Rejected):
            yield a2a.error_response(got, request=request)
            return
        self._store(got.to_store)
        self.messages.append(got.message)
        yield from self._say(got.message, TextPart(content=f"This is answer {self._number_of(got.message)}."))

    def _number_of(self, message):
        """Which turn of its thread a message is."""
        return len(self.turns.setdefault(message.thread_id, [])) // 2 + 1

    def _say(self, message, answer):
        """Answers, and keeps the turn and the task."""
        asked = HistoricalMessage(role="user", sender=message.sender, parts=message.parts, timestamp=AT)
        told = HistoricalMessage(role="assistant", sender=Sender(address=NAME), parts=(answer,), timestamp=AT)
        self.turns[message.thread_id] += [asked, told]
        whole, task = NormalizedResponse.to(message, answer), None
        if message.parts[0].content == "asks":
            whole = a2a.with_state(whole, "input-required")
        if self.keeps_tasks:
            task = a2a.open_task(message, task=self.tasks.get(a2a.task_id_of(message)), now=NOW)
        for piece in split(whole, stream_id=message.id, text_chars=8) if a2a.wants_stream(message) else [whole]:
            out = a2a.reply(piece, to=message, now=NOW, entropy=self.entropy(), task=task)
            if task is not None:
                task = self.tasks[task.id] = out.stored_task
            yield out.response

    def _store(self, rows):
        for place, row in rows.items():
            if row.replaces(self.rows.get(place)):
                self.rows[place] = row


@contextmanager
def serving(answer):
    """Serves at the URL that it gives; `answer` makes the pieces of the response to a request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.0"

        def respond(self):
            body = self.rfile.read(int(self.headers["content-length"] or 0))
            headers = [(name.lower(), value) for name, value in self.headers.items()]
            url = f"https://agents.example{self.path}"
            pieces = answer(HttpRequest(method=self.command, url=url, headers=headers, body=body))
            self.send_response(pieces[0].status)
            for name, value in pieces[0].headers:
                self.send_header(name, value)
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece.body)
                self.wfile.flush()

        do_GET = do_POST = do_DELETE = respond

        def log_message(self, *_):
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
