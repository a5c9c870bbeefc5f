"""Signed requests that ship inside packages of others: read from there, byte for byte.

They have no actor, so they are taken through the steps that need none, and the key they come with fits.
"""

from __future__ import annotations

import ast
import json
import re
from datetime import UTC, datetime

import pytest

from mentionable import HttpRequest
from mentionable._crypto.keys import public_key_of_pem
from mentionable._crypto.verification import VerificationFailed
from mentionable._wire.base64 import base64_decode
from mentionable._wire.time import http_seconds
from mentionable.activitypub._auth.signature import (
    check_cavage,
    check_rfc9421,
    read_signatures,
    signature_base,
    signed_request,
    signing_string,
)
from tests import setup_interop
from tests.interop import foreign

FLOOR = 15
STEPS = ("parse", "coverage", "time", "digest", "host")


def tree_of(path):
    return ast.parse(path.read_text("utf-8"))


def texts_in(tree):
    """Every string that is written in a program; what is written in several pieces is one."""
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def one_that_starts_with(start, texts):
    """The only such string, or the same one several times."""
    (found,) = {text for text in texts if text.startswith(start)}
    return found


def fits(pem, signature, text):
    """The key fits, and not when one byte is another one."""
    key = public_key_of_pem(pem)
    return key.fits(signature, text) and not key.fits(signature, text[:-1] + bytes([text[-1] ^ 1]))


# -- bovine: requests as they arrived


def bovine_requests():
    """Each request of its tests that carries a draft-cavage signature."""
    (home,) = setup_interop.PYTHON_HOME.glob("**/site-packages/bovine/crypto")
    for call in ast.walk(tree_of(home / "test_crypto.py")):
        if isinstance(call, ast.Call) and {keyword.arg for keyword in call.keywords} >= {"method", "url", "headers"}:
            given = {keyword.arg: keyword.value for keyword in call.keywords}
            headers = ast.literal_eval(given["headers"])
            body = given.get("get_data")
            if "signature" in headers:
                yield HttpRequest(
                    method=ast.literal_eval(given["method"]).upper(),
                    url=ast.literal_eval(given["url"]),
                    headers=headers,
                    body=b"" if body is None else ast.literal_eval(body.keywords[0].value),
                )


def test_the_fixed_requests_of_bovine_fit(count):
    foreign.needs(setup_interop.PYTHON_HOME)
    (config,) = setup_interop.PYTHON_HOME.glob("**/site-packages/bovine/testing/config.py")
    pem = one_that_starts_with("-----BEGIN PUBLIC KEY", texts_in(tree_of(config)))
    requests = list(bovine_requests())
    for request in requests:
        seen = signed_request(request)
        (found,) = read_signatures(request, {}).http
        signed = check_cavage(found, seen, now=http_seconds(request.header("date")))
        assert signed.steps == STEPS
        assert fits(pem, signed.signature, signed.signature_bases[0])
        count()
    assert len(requests) == 3


# -- httpsig: the vectors of draft-cavage App. C


def test_the_vectors_of_the_draft_in_httpsig_fit(count):
    foreign.needs(setup_interop.SOURCES_HOME)
    home = setup_interop.SOURCES_HOME / "httpsig"
    (tests,) = [node for node in tree_of(home / "test_signature.py").body if isinstance(node, ast.ClassDef)]
    facts = {node.targets[0].id: ast.literal_eval(node.value) for node in tests.body if isinstance(node, ast.Assign)}
    headers = {
        name.removeprefix("header_").replace("_", "-"): value
        for name, value in facts.items()
        if name.startswith("header_")
    }
    url = "https://" + facts["header_host"] + facts["test_path"]
    seen = signed_request(HttpRequest(method=facts["test_method"], url=url, headers=headers))
    pem = (home / "rsa_public.pem").read_text()
    vectors = [node for node in tests.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    for vector in vectors:
        texts = texts_in(vector)
        (signature,) = [text for text in texts if re.fullmatch(r"[A-Za-z0-9+/]{170}[A-Za-z0-9+/=]{2}", text)]
        lists = [ast.literal_eval(node) for node in ast.walk(vector) if isinstance(node, ast.List)]
        covered = lists[0] if lists else ["date"]
        (found,) = read_signatures(
            HttpRequest(method="GET", url=url, headers={"signature": f'keyId="Test",signature="{signature}"'}), {}
        ).http
        text = signing_string(covered, found, seen, seen.target.path_and_query)
        assert fits(pem, base64_decode(signature), text), vector.name
        count()
    assert [vector.name for vector in vectors] == ["test_default", "test_basic", "test_all"]


# -- http-message-signatures: the vectors of RFC 9421


def rfc9421_request(url, **more):
    """The request of RFC 9421 B.2, with the header fields that the tests give it."""
    text = (setup_interop.SOURCES_HOME / "http-message-signatures" / "test.py").read_text()
    date = re.search(r'test_request\.headers\["Date"\] = "([^"]+)"', text)[1]
    digest = re.search(r'test_request\.headers\["Content-Digest"\] = \(\s*"([^"]+)"', text)[1]
    headers = {"date": date, "content-digest": digest, "content-type": "application/json", "content-length": "18"}
    return HttpRequest(method="POST", url=url, headers={**headers, **more}, body=b'{"hello": "world"}')


EXAMPLE = "https://example.com/foo?param=Value&Pet=dog"
RFC9421 = [
    ("sig-b26", "sig-b26=(", "sig-b26=:wq", "test-key-ed25519", EXAMPLE, {}),
    ("sig-b27", "sig-b27=(", "sig-b27=:pD", "test-key-ed25519", EXAMPLE, {}),
    (
        "proxy_sig",
        'sig1=("@method" "@authority" "@path" "content-digest" "content-type" "content-length");created=1618884475;'
        'keyid="test-key-ecc-p256", proxy_sig',
        "sig1=:X5spyd6CFnAG5QnDyHfqoSNICd+BUP4LYMz2Q0JXlb//4Ijpzp+kve2w4NIyqeAuM7jTDX+sNalzA8ESSaHD3A==:, proxy_sig",
        "test-key-rsa",
        "https://origin.host.internal.example/foo?param=Value&Pet=dog",
        {"forwarded": "for=192.0.2.123;host=example.com;proto=https"},
    ),
]


@pytest.mark.parametrize(("label", "declared", "signature", "key", "url", "more"), RFC9421)
def test_the_vectors_of_rfc_9421_in_http_message_signatures_fit(count, label, declared, signature, key, url, more):
    foreign.needs(setup_interop.SOURCES_HOME)
    home = setup_interop.SOURCES_HOME / "http-message-signatures"
    texts = texts_in(tree_of(home / "test.py"))
    headers = {
        "signature-input": one_that_starts_with(declared, texts),
        "signature": one_that_starts_with(signature, texts),
    }
    request = rfc9421_request(url, **headers, **more)
    seen = signed_request(request)
    found = read_signatures(request, {}).http[-1]
    base = signature_base(found.covered, found.parameters, seen)
    assert fits((home / f"{key}.pem").read_text(), base64_decode(found.signature), base), label
    count()
    # B.2.6 and B.2.7 say nothing of the body, and proxy_sig comes with SHA-512 alone: no inbox can rest on those.
    with pytest.raises(VerificationFailed) as fault:
        check_rfc9421(found, seen, now=1618884490)
    assert fault.value.code == "coverage-missing"


@pytest.mark.parametrize("label", ["sig-b21", "sig-b25"])
def test_signatures_by_algorithms_that_nobody_uses_there_are_not_taken(count, label):
    foreign.needs(setup_interop.SOURCES_HOME)
    texts = texts_in(tree_of(setup_interop.SOURCES_HOME / "http-message-signatures" / "test.py"))
    declared = one_that_starts_with(f"{label}=(", texts)
    signature = one_that_starts_with(f"{label}=:", texts)
    request = rfc9421_request(EXAMPLE, **{"signature-input": declared, "signature": signature})
    (found,) = read_signatures(request, {}).http
    with pytest.raises(VerificationFailed):
        check_rfc9421(found, signed_request(request), now=1618884490)
    count()


# -- Fedify: what Mastodon and a server with bare times sent


def fedify_requests():
    """URL → the request, of those of its tests that came from elsewhere. They are JavaScript: read out by pattern."""
    text = (setup_interop.NODE_HOME / "node_modules/@fedify/fedify/dist/sig/http.test.mjs").read_text()
    pattern = re.compile(
        r'new Request\("(?P<url>[^"]+)", \{\s*method: "(?P<method>\w+)",\s*'
        r'(?:body: (?P<body>"(?:[^"\\]|\\.)*"),\s*)?headers: \{(?P<headers>[^{}`]+)\}'
    )
    for found in pattern.finditer(text):
        fields = re.findall(r'"?([A-Za-z-]+)"?: ("(?:[^"\\]|\\.)*")', found["headers"])
        headers = {name: json.loads(value) for name, value in fields}
        body = json.loads(found["body"]).encode() if found["body"] else b""
        yield found["url"], HttpRequest(method=found["method"], url=found["url"], headers=headers, body=body)


def test_the_request_of_mastodon_in_fedify_fits(count):
    foreign.needs(setup_interop.NODE_HOME)
    (request,) = [
        request for url, request in fedify_requests() if url.startswith("https://www.example.com/activitypub")
    ]
    (keys,) = (setup_interop.NODE_HOME / "node_modules/@fedify/fedify/dist").glob("keys-*.mjs")
    pem = re.search(r'remote\.domain/users/bob"\),\s*publicKey: await importSpki\("([^"]+)"', keys.read_text())[1]
    (found,) = read_signatures(request, {}).http
    now = int(datetime(2023, 12, 20, 10, tzinfo=UTC).timestamp())
    signed = check_rfc9421(found, signed_request(request), now=now)
    assert (signed.steps, signed.key_id) == (STEPS, "https://remote.domain/users/bob#main-key")
    assert fits(pem.replace("\\n", "\n"), signed.signature, signed.signature_bases[0])
    count(2)


def test_the_request_with_times_in_fedify_passes_every_step_before_the_key(count):
    foreign.needs(setup_interop.NODE_HOME)
    (request,) = [request for url, request in fedify_requests() if url.endswith("ngrok.app/i/inbox")]
    (found,) = read_signatures(request, {}).http
    seen = signed_request(request)
    signed = check_cavage(found, seen, now=1756126694)  # its key is not in the package
    assert signed.steps == STEPS
    assert signed.key_id == json.loads(request.body)["actor"] + "#main-key"
    with pytest.raises(VerificationFailed) as fault:
        check_cavage(found, seen, now=1756126694 + 86_400 * 2)
    assert fault.value.code == "expired"
    count(2)
