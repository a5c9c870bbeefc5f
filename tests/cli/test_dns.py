"""`mentionable decode email --dns`, with a DNS server on loopback and mail that dkimpy signed."""

from __future__ import annotations

import json
import socket
import sys
import threading

import dkim
import dns.exception
import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from mentionable.cli import main

KEY = rsa.generate_private_key(65537, 2048)
MAIL = (
    b"From: Alice <alice@a.example>\r\nTo: helper@agents.example\r\nSubject: Hi\r\n"
    b"Message-ID: <1@a.example>\r\n\r\nHello\r\n"
)
SELECTOR = "s1._domainkey.a.example"


def record():
    from base64 import b64encode

    der = KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={b64encode(der).decode()}"


def signed(mail=MAIL):
    pem = KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    return dkim.sign(mail, b"s1", b"a.example", pem, include_headers=[b"from", b"to", b"subject"]) + mail


class Server(threading.Thread):
    """Answers for a few TXT records, and counts what it is asked."""

    def __init__(self, records, rcode=dns.rcode.NXDOMAIN):
        super().__init__(daemon=True)
        self.records, self.rcode, self.asked = records, rcode, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))

    @property
    def port(self):
        return self.socket.getsockname()[1]

    def run(self):
        while True:
            data, peer = self.socket.recvfrom(4096)
            if data == b"stop":
                return
            query = dns.message.from_wire(data)
            name = query.question[0].name
            self.asked.append(name.to_text(omit_final_dot=True))
            response = dns.message.make_response(query)
            response.flags |= dns.flags.RA
            found = self.records.get(self.asked[-1])
            if found is None:
                response.set_rcode(self.rcode)
            else:
                strings = " ".join(f'"{found[at : at + 255]}"' for at in range(0, len(found), 255))
                response.answer.append(dns.rrset.from_text(name, 60, "IN", "TXT", strings))
            self.socket.sendto(response.to_wire(), peer)


@pytest.fixture
def serve(monkeypatch):
    servers = []

    def start(records, **how):
        server = Server(records, **how)
        server.start()
        servers.append(server)
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.port
        monkeypatch.setattr(dns.resolver, "default_resolver", resolver)
        return server

    yield start
    for server in servers:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stop:
            stop.sendto(b"stop", ("127.0.0.1", server.port))
        server.join(10)
        server.socket.close()


def decode(tmp_path, capsys, mail, *words):
    file = tmp_path / "x.eml"
    file.write_bytes(mail)
    status = main(["decode", "email", str(file), *words])
    return status, json.loads(capsys.readouterr().out)


def test_real_mail_is_verified_through_the_resolver(serve, tmp_path, capsys):
    server = serve({SELECTOR: record(), "_dmarc.a.example": "v=DMARC1; p=reject"})
    status, got = decode(tmp_path, capsys, signed(), "--dns")
    assert (status, got["verdict"]["verified"], got["verdict"]["address"]) == (0, True, "@alice@a.example")
    assert got["messages"][0]["sender"]["verified"] is True
    assert SELECTOR in server.asked
    _, got = decode(tmp_path, capsys, signed().replace(b"Hello", b"Hallo"), "--dns")
    assert (got["verdict"]["verified"], got["verdict"]["temporary"]) == (False, False)


def test_without_the_option_nothing_is_asked(serve, tmp_path, capsys):
    server = serve({SELECTOR: record()})
    _, got = decode(tmp_path, capsys, signed())
    assert got["verdict"]["verified"] is False
    assert server.asked == []


def test_a_name_without_records_and_a_server_in_trouble_are_told_apart(serve, tmp_path, capsys):
    serve({})
    _, got = decode(tmp_path, capsys, signed(), "--dns")
    assert (got["verdict"]["verified"], got["verdict"]["temporary"]) == (False, False)
    serve({}, rcode=dns.rcode.SERVFAIL)
    _, got = decode(tmp_path, capsys, signed(), "--dns")
    assert (got["verdict"]["verified"], got["verdict"]["temporary"]) == (False, True)


def test_a_row_of_the_table_counts_before_the_resolver(serve, tmp_path, capsys):
    server = serve({"_dmarc.a.example": "v=DMARC1; p=reject"})
    lookups = tmp_path / "lookups.json"
    lookups.write_text(json.dumps({f"TXT {SELECTOR}": [record()]}))
    _, got = decode(tmp_path, capsys, signed(), "--dns", "--lookups", str(lookups))
    assert got["verdict"]["verified"] is True
    assert SELECTOR not in server.asked


def test_dnspython_that_is_missing_is_named_with_the_command(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "dns.resolver", None)
    monkeypatch.setitem(sys.modules, "dns", None)
    assert main(["decode", "email", str(tmp_path / "x.eml"), "--dns"]) == 2
    assert "pip install 'mentionable[dns]'" in capsys.readouterr().err


def test_a_machine_without_a_resolver_fails(monkeypatch, tmp_path, capsys):
    def fails():
        raise dns.resolver.NoResolverConfiguration

    monkeypatch.setattr(dns.resolver, "get_default_resolver", fails)
    assert main(["decode", "email", str(tmp_path / "x.eml"), "--dns"]) == 2
    assert "has no DNS resolver" in capsys.readouterr().err
