"""A small DNS server for loopback, which answers from a zone file, and the client that asks it."""

from __future__ import annotations

import socketserver
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import dns.exception
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.resolver
import dns.zone

from mentionable import Failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mentionable import LookupTxt


class _Server(socketserver.UDPServer):
    """Answers queries for one zone, and counts them by name."""

    def __init__(self, zone: dns.zone.Zone) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.zone = zone
        self.asked: list[str] = []


class _Handler(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        data, connection = self.request
        query = dns.message.from_wire(data)
        question = query.question[0]
        self.server.asked.append(question.name.to_text(omit_final_dot=True))
        response = dns.message.make_response(query)
        response.flags |= dns.flags.AA | dns.flags.RA
        zone = self.server.zone
        if "servfail" in question.name.to_text():
            response.set_rcode(dns.rcode.SERVFAIL)
        elif not question.name.is_subdomain(zone.origin) or zone.get_node(question.name) is None:
            response.set_rcode(dns.rcode.NXDOMAIN)
        else:
            found = zone.get_rrset(question.name, question.rdtype)
            if found is not None:
                response.answer.append(found)
        connection.sendto(response.to_wire(), self.client_address)


@contextmanager
def served(text: str) -> Iterator[_Server]:
    """Serves a zone file at a free port of loopback."""
    zone = dns.zone.from_text(text, relativize=False, check_origin=False)
    with _Server(zone) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def asking(server: _Server) -> Callable[[LookupTxt], object]:
    """A `lookup_txt` that asks the server, over a socket."""
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = server.server_address[1]
    resolver.lifetime = 5

    def lookup_txt(ask: LookupTxt) -> object:
        try:
            answer = resolver.resolve(ask.name + ".", "TXT")
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return ()
        except dns.exception.DNSException as error:
            return Failed(f"{type(error).__name__}: {error}")
        return [b"".join(record.strings) for record in answer]

    return lookup_txt
