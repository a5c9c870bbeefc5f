"""Mail for one agent by a webhook, in Django: who takes mail posts it here, answers go out by Django's mail settings.

What is special: Django has the server, the settings of mail and the cache; there is no process beside it.

Needs `pip install mentionable django dnspython`, and a key that is made once:
`openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out agent.pem`. Start it:
`INBOUND_TOKEN=secret python django_view.py runserver`, or `gunicorn django_view:application`. Try it with any mail:

    curl -i -H "Authorization: Bearer secret" -H "Content-Type: message/rfc822" --data-binary @some.eml \
        "http://127.0.0.1:8000/inbound?from=alice@a.example&to=helper@agents.example"

A mail server does the same by a pipe, and a mail service by a few lines of its own. Who posts waits until the answer is
with the mail server that passes it on. While that is away they are asked to come again, by status 503, and the same
answer is sent then. What is kept in Django's cache for good here belongs into models, written in one transaction, and
an agent that takes its time behind a queue.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_bytes, token_hex
from smtplib import SMTPException

import dns.exception
import dns.resolver
from django.conf import settings

from mentionable import (
    Answers,
    FindMessage,
    Limits,
    LookupTxt,
    NormalizedMessage,
    NormalizedResponse,
    Rejected,
    SigningKey,
    StoredMessage,
    directory,
    drive,
    mail,
)

if not settings.configured:  # in a project of your own all of this stands in settings.py
    settings.configure(
        SECRET_KEY=os.environ.get("SECRET_KEY") or token_hex(32),
        ALLOWED_HOSTS=["127.0.0.1", "localhost"],
        ROOT_URLCONF=__name__,
        DATA_UPLOAD_MAX_MEMORY_SIZE=Limits().mail_bytes,
        CACHES={
            name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name, "OPTIONS": options}
            for name, options in {"default": {}, "messages": {"MAX_ENTRIES": 1_000_000}}.items()
        },
        EMAIL_HOST=os.environ.get("EMAIL_HOST", "127.0.0.1"),
        EMAIL_PORT=int(os.environ.get("EMAIL_PORT", "25")),
        EMAIL_TIMEOUT=10,
    )

from django.core.cache import cache, caches
from django.core.mail.backends.smtp import EmailBackend
from django.core.management import execute_from_command_line
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

KEY = SigningKey.from_pem(Path("agent.pem").read_bytes(), key_id="2026._domainkey.agents.example")
TOKEN = os.environ["INBOUND_TOKEN"]  # whoever has it is believed about envelopes
# A mail that nobody signed is refused: an answer would go to somebody who never asked.
SETTINGS = mail.Settings(key=KEY, require_verified=True)
MINUTES = 5 * 60
pool = ThreadPoolExecutor(8)


def key_of(*words: str) -> str:
    """A key of the cache for words from outside, however long they are and whatever stands in them."""
    return sha256("\n".join(words).encode()).hexdigest()


def txt(name: str) -> list[bytes]:
    """The TXT records of a name; a name without any is an answer, a resolver in trouble raises."""
    try:
        return [b"".join(found.strings) for found in dns.resolver.resolve(name, "TXT", lifetime=5)]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


def lookup_txt(ask: LookupTxt) -> list[bytes]:
    """The same out of Django's cache, for some minutes."""
    return cache.get_or_set(key_of("txt", ask.name), lambda: txt(ask.name), MINUTES) or []


def find_message(ask: FindMessage) -> StoredMessage | None:
    """What is stored under an id."""
    found: StoredMessage | None = caches["messages"].get(key_of("message", ask.native_id, ask.recipient))
    return found


lookups = Answers(
    lookup_txt=lookup_txt,
    find_agent=directory({"helper@agents.example": "@helper@agents.example"}),
    find_message=find_message,
)


def answer(message: NormalizedMessage) -> NormalizedResponse:
    """Where your agent begins: it repeats what is new in a mail. For a model there is `prompt.render(message)`."""
    return NormalizedResponse.to(message, f"You wrote: {mail.new_text(message)}")


def respond(message: NormalizedMessage) -> mail.Outgoing | None:
    """The answer to a mail; None for programs and lists, for which no agent runs."""
    if not message.answerable:
        return None
    return mail.reply(answer(message), to=message, now=datetime.now(UTC), entropy=token_bytes(32), settings=SETTINGS)


def send(question: str) -> bool:
    """Whether nothing is left to be sent for a question."""
    place = key_of("answer", question)
    out: mail.Outgoing | None = caches["messages"].get(place)
    if out is None:
        return True
    try:
        with EmailBackend() as smtp:  # the host, the port, TLS and the password of Django's settings
            assert smtp.connection is not None
            smtp.connection.sendmail(out.mail_from, out.rcpt_to, out.data, ["SMTPUTF8"] if out.smtputf8 else [])
    except (OSError, SMTPException) as error:
        print(f"{out.native_id} could not be sent: {error}")
        return False
    caches["messages"].delete(place)
    return True


@csrf_exempt
@require_POST
def inbound(request: HttpRequest) -> HttpResponse:
    """Takes one mail, and answers it while the caller waits."""
    if not compare_digest(request.headers.get("Authorization", "").encode(), f"Bearer {TOKEN}".encode()):
        return HttpResponse("not you", status=401)
    envelope = mail.Envelope(mail_from=request.GET.get("from"), rcpt_to=request.GET.getlist("to"))
    now, entropy = datetime.now(UTC), token_bytes(32)
    flow = mail.receive(request.body, envelope=envelope, now=now, entropy=entropy, settings=SETTINGS)
    got = drive(flow, lookups, map=pool.map, catch=dns.exception.DNSException)
    if isinstance(got, Rejected):
        return HttpResponse(got.smtp_reply, status=got.http_status)
    if isinstance(got, mail.ReceivedReport):  # a bounce, a receipt, a complaint: it gets no answer
        return JsonResponse({"report": got.report.kind, "on": [row.id for row in got.stored.values()]}, status=202)
    for message in got.messages:
        if message not in got.redelivered and (out := respond(message)):  # what comes twice is answered once
            caches["messages"].set(key_of("answer", message.id), out, timeout=None)
            own, thread = f"answer-to-{message.id}", message.thread_id  # so that a reply finds the thread
            row = StoredMessage(id=own, thread_id=thread, sender=message.recipient, auth_method="own")
            caches["messages"].set(key_of("message", out.native_id, message.recipient), row, timeout=None)
    for (native_id, recipient), row in got.to_store.items():
        caches["messages"].add(key_of("message", native_id, recipient), row, timeout=None)  # keeps what is there
    if not all(send(message.id) for message in got.messages):
        return HttpResponse("451 4.4.1 The answer cannot be sent now: come again", status=503)
    return JsonResponse({"taken": [message.id for message in got.messages]}, status=202)


urlpatterns = [path("inbound", inbound)]
application = get_wsgi_application()

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
