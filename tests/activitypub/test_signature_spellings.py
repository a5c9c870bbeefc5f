"""RFC 9421: every legal spelling of what was signed verifies, and what is signed is the one form."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mentionable import HttpRequest
from mentionable._crypto.keys import public_key_of_raw
from mentionable.activitypub._auth import signature as signatures
from mentionable.activitypub._auth.signature import check_rfc9421, read_signatures, signature_base, signed_request
from tests.activitypub.servers import EDDSA
from tests.activitypub.signing import SECONDS, changed, signed
from tests.test_structured_fields import BLANKS, dictionaries, parameters

KEY = public_key_of_raw(EDDSA.public_raw)
BARE = changed(signed(key=EDDSA, form="rfc9421"), signature=None, signature_input=None)
USUAL = {"@method": "POST", "@target-uri": BARE.url, "content-digest": BARE.header("content-digest")}
KNOWN = {"keyid", "alg", "created", "expires", "nonce", "tag"}


def is_free(written: str) -> bool:
    """Whether parameters hold none that RFC 9421 defines."""
    return not any(f";{name}" in written for name in KNOWN)


@st.composite
def spelled(draw: Any) -> HttpRequest:
    """A delivery whose signature is over the one form, and whose headers are spelled otherwise."""
    names = draw(st.permutations(list(USUAL)))
    own = [f"created={SECONDS}", f'keyid="{EDDSA.key_id}"', *draw(st.sampled_from([[], ['alg="ed25519"']]))]
    own = draw(st.permutations(own))
    more, more_written = draw(parameters().filter(lambda pair: is_free(pair[1])))
    one = "(" + " ".join(f'"{name}"' for name in names) + ")" + "".join(f";{part}" for part in own) + more_written
    lines = [f'"{name}": {USUAL[name]}' for name in names]
    text = "\n".join([*lines, f'"@signature-params": {one}']).encode()
    inner = draw(BLANKS) + "".join(f'"{name}"{draw(BLANKS)} ' for name in names).rstrip(" ") + draw(BLANKS)
    parts = [part.replace("created=", "created=" + draw(st.sampled_from(["", "0", "000"]))) for part in own]
    declared = f"({inner})" + "".join(f";{draw(BLANKS)}{part}" for part in parts) + more
    value = f":{b64encode(EDDSA.sign(text)).decode()}:{draw(parameters())[0]}"
    label = draw(st.sampled_from(["sig1", "*a.b-c_d", "s" * 70]))
    others, more_others = draw(dictionaries()), draw(dictionaries())
    first = [f"{label}={declared}"] + ([others[0].strip()] if others[0].strip() else [])
    second = ([more_others[0].strip()] if more_others[0].strip() else []) + [f"{label}={value}"]
    comma = draw(st.sampled_from([",", ", ", " ,\t"]))
    return changed(BARE, signature_input=comma.join(first), signature=comma.join(second))


@pytest.mark.uncounted
@given(spelled())
def test_every_legal_spelling_verifies(request: HttpRequest) -> None:
    declared = read_signatures(request, {}).http[0]
    found = check_rfc9421(declared, signed_request(request), now=SECONDS)
    assert KEY.fits(found.signature, found.signature_bases[0])


@pytest.mark.uncounted
@given(
    spelled(), st.integers(0, 500), st.sampled_from(['"', ";", "=", " ", ":", ",", "(", ")", "a", "0", "\\", "?", "A"])
)
def test_a_change_of_a_spelling_is_refused_or_the_same_signature(request: HttpRequest, place: int, new: str) -> None:
    header = request.header("signature-input") or ""
    place %= len(header)
    changed_ = changed(request, signature_input=header[:place] + new + header[place + 1 :])
    before = read_signatures(request, {}).http[0]
    for declared in read_signatures(changed_, {}).http:
        try:
            found = check_rfc9421(declared, signed_request(changed_), now=SECONDS)
        except signatures.VerificationFailed:
            continue
        if KEY.fits(found.signature, found.signature_bases[0]):
            assert declared._replace(label=None) == before._replace(label=None)


HEADERS = st.tuples(
    st.sampled_from(['sig1=("@method" "content-digest")', 'sig1=("date")', "sig1=()", 'sig1=("x";bs)', 'a=("@@")']),
    st.lists(
        st.sampled_from(
            (
                *(";created=1", ";created=01", ";created=1.0", ";created=1234567890123456", ";expires=22", ";a"),
                *(';keyid="a"', ';keyid="a;tag=x"', ';alg="x"', ";alg=x", ';tag=""', ';x="1"', ';nonce="\\""'),
            )
        ),
        max_size=4,
    ).map("".join),
    st.sampled_from(
        ["sig1=:AAAA:", "sig1=::", "sig1=:", "sig1=:AA:", "sig1=:AAAA:;x", "a=:AAAA:", "sig1=:A , b=:", ""]
    ),
)


@given(HEADERS)
def test_the_usual_form_is_read_as_every_other(headers: tuple[str, str, str]) -> None:
    declared, signature = headers[0] + headers[1], headers[2]
    usual = signatures._read_usual(declared, signature)
    [other] = signatures._read_rfc9421(" " + declared, signature)  # a blank is enough to be unusual
    if usual is not None and other.fault is None:
        assert usual == other
    elif usual is not None:  # what is no base64 is refused later
        assert signature in ("sig1=:AA:", "sig1=:A , b=:")


def test_the_usual_form_is_what_signers_write() -> None:
    made = signed(form="rfc9421")
    assert signatures._read_usual(made.header("signature-input") or "", made.header("signature") or "") is not None


@pytest.mark.parametrize("name", ["@method", "content-digest;sf", 'x-dict;key="a"'])
def test_a_header_that_is_named_like_a_component_is_not_it(name: str) -> None:
    request = HttpRequest(
        method="POST", url="https://a.example/", headers={name: "evil", "content-digest": "a=1", "x-dict": "a=2"}
    )
    base = signature_base([name], "()", signed_request(request))
    assert b"evil" not in base


@pytest.mark.uncounted
def test_many_members_of_one_header_are_covered_in_linear_time() -> None:
    from tests.linearity import time_grows_linearly

    def base(size: int) -> object:
        header = ", ".join(f"a{n}=1" for n in range(size))
        request = HttpRequest(method="POST", url="https://a.example/", headers={"x": header})
        return signature_base([f'x;key="a{n}"' for n in range(size)], "()", signed_request(request))

    time_grows_linearly(base, lambda size: size, size=50, largest=400)
