"""An agent of this library behind the HTTP server of the standard library, for the clients of others."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.client import HTTPConnection, IncompleteRead
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from mentionable import Answers, HttpRequest, HttpResponse, Rejected, a2a, drive
from tests.a2a.questions import FACTS
from tests.interop.batches import BLOBS, NOW


def replies(message, responses):
    """The answer to a question: the HTTP response, and its body piece by piece."""
    sent = [a2a.reply(one, to=message, now=NOW, entropy=bytes(32), blobs=BLOBS).response for one in responses]
    return sent[0], [one.body for one in sent]


@contextmanager
def agent(answer, *, seen=None):
    """Serves at the URL that it gives; `answer` is given a path and the message.

    It gives responses, of which several are frames of a stream, or what to refuse the request for. With a semaphore
    `seen` no event goes out before the client has asked for `/seen` once for each event before it.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = [(name.lower(), value) for name, value in self.headers.items()]
            url = f"https://agents.example{self.path}"
            request = HttpRequest(method="POST", url=url, headers=headers, body=body)
            got = drive(a2a.receive(request, **FACTS), Answers())
            found = got if isinstance(got, Rejected) else answer(self.path.split("/")[1], got.message)
            if isinstance(found, Rejected):
                refusal = a2a.error_response(found, request=request)
                head, pieces = refusal, [refusal.body]
            else:
                head, pieces = replies(got.message, found)
            self.send_response(head.status)
            for name, value in head.headers:
                self.send_header(name, value)
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece)
                self.wfile.flush()
                for _ in range(piece.count(b"\n\n") if seen else 0):
                    assert seen.acquire(timeout=10), "the client did not get the event"

        def do_GET(self):
            seen.release()
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

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


def transmit(request):
    """What a server on loopback answers to a request, as far as it comes."""
    where = urlsplit(request.url)
    connection = HTTPConnection(where.hostname, where.port, timeout=20)
    try:
        path = f"{where.path}?{where.query}" if where.query else where.path
        connection.request(request.method, path, body=request.body, headers=dict(request.headers))
        answered = connection.getresponse()
        headers = [(name.lower(), value) for name, value in answered.getheaders()]
        try:
            body = answered.read()
        except IncompleteRead as broken:
            body = broken.partial
        return HttpResponse(status=answered.status, headers=headers, body=body)
    finally:
        connection.close()
