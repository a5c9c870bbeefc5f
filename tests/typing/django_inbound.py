"""Mail by an HTTP hook of Django, with a cache of DNS answers and a pool of threads."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from secrets import token_bytes

import dns.exception
import dns.resolver
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse

from mentionable import Answers, LookupTxt, Received, Rejected, directory, drive, encode, mail


def txt(name: str) -> list[bytes]:
    try:
        return [b"".join(r.strings) for r in dns.resolver.resolve(name, "TXT")]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


def lookup_txt(ask: LookupTxt) -> list[bytes]:
    return cache.get_or_set(f"txt:{ask.name}", lambda: txt(ask.name), 300) or []


pool = ThreadPoolExecutor(8)
world = Answers(lookup_txt=lookup_txt, find_agent=directory({"helper@agents.example": "@helper@agents.example"}))


def inbound(request: HttpRequest) -> HttpResponse:
    envelope = mail.Envelope(mail_from=request.headers.get("X-Mail-From"), rcpt_to=[request.headers["X-Rcpt-To"]])
    flow = mail.receive(request.body, envelope=envelope, now=datetime.now(UTC), entropy=token_bytes(32))
    match drive(flow, world, map=pool.map, catch=dns.exception.DNSException):
        case Received(messages=messages):
            return JsonResponse([encode(m) for m in messages], safe=False)
        case mail.ReceivedReport() as got:
            return JsonResponse({"kind": got.report.kind, "stored": [*got.stored]})
        case Rejected() as no:
            return HttpResponse(no.code, status=no.http_status)
