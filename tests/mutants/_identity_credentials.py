"""Mutants of what a connector refuses to sign: credentials in what it says of somebody."""

from __future__ import annotations

from typing import Any

from mentionable import _secrets
from mentionable.identity import _attest
from tests.mutants._answers import swapped, written

AREA, ATTEST = "identity", ("identity.attest",)


def _blind_to(name: str, rule: str, helper: str, wrong: Any) -> None:
    swapped(AREA, ATTEST, name, rule, _secrets, helper, wrong)


_blind_to("signs-tokens", "Signs tokens of platforms.", "_TOKEN", lambda text: None)
for _name, _prefix in (
    ("slack", "xox"),
    ("github", "ghp_"),
    ("aws", "AKIA"),
    ("discord", "MTk4"),
    ("pem", "-----"),
):
    _blind_to(
        f"signs-{_name}",
        f"Signs {_name}.",
        "_TOKEN",
        lambda text, prefix=_prefix, right=_secrets._TOKEN: None if text.startswith(prefix) else right(text),
    )
_blind_to("signs-bearer", "Signs `Bearer …`.", "is_secret_text", lambda text: False)
_blind_to("signs-basic", "Signs `Basic …`.", "_is_user_and_password", lambda found: False)
_blind_to("signs-jwts", "Signs JWTs.", "_is_jose_header", lambda found: False)
written(
    AREA,
    ATTEST,
    "wants-three-segments",
    "Signs tokens of five segments.",
    (
        _secrets.looks_like_credential,
        "map(_is_jose_header, _COMPACT(text))",
        "map(_is_jose_header, _COMPACT(text) if text.count('.') == 2 else ())",
    ),
)
written(
    AREA,
    ATTEST,
    "any-three-segments",
    "Takes any three words between dots for a token.",
    (_secrets._is_jose_header, "return header.__class__ is dict or", "return True or"),
)
written(
    AREA,
    ATTEST,
    "any-basic",
    "Takes any words behind Basic for a credential.",
    (_secrets._is_user_and_password, 'return ":" in decoded', "return True"),
    (_secrets._is_user_and_password, ".decode()", '.decode("latin-1")'),
)
written(
    AREA,
    ATTEST,
    "names-unseen",
    "Signs a token that is a name.",
    (_secrets.credential_in, "if looks_like_credential(name):", "if False:"),
)
written(
    AREA,
    ATTEST,
    "what-names-mean-unseen",
    "Signs what is called a token.",
    (_secrets.credential_in, "_says_something(member) and is_secret_name(name)", "False"),
)
_blind_to("signs-private-keys", "Signs private keys.", "_private_members", lambda value: [])
_blind_to("signs-header-pairs", "Signs a header as a pair.", "_is_header", lambda items: False)
_blind_to("signs-jwts-behind-words", "Signs a JWT behind a word.", "_ends_in_header", lambda segment: False)
_blind_to(
    "signs-named-numbers",
    "Signs anything but text under the name of a secret.",
    "_says_something",
    lambda member: member.__class__ is str,
)
_blind_to(
    "signs-webhooks",
    "Signs webhooks.",
    "_TOKEN",
    lambda text, right=_secrets._TOKEN: None if "hooks" in text else right(text),
)
_blind_to(
    "signs-tokens-behind-words",
    "Signs a token behind a word.",
    "_TOKEN",
    lambda text, right=_secrets._TOKEN: None if text.startswith("canary") else right(text),
)
written(
    AREA,
    ATTEST,
    "basic-in-ascii",
    "Signs `Basic …` of another script.",
    (_secrets._is_user_and_password, 'return ":" in decoded', 'return ":" in decoded and decoded.isascii()'),
)
written(
    AREA,
    ATTEST,
    "blanks-alone",
    "Signs `Bearer …` behind a blank of another kind.",
    (_secrets.looks_like_credential, "_IN_WORDS(text)", '(one for one in _IN_WORDS(text) if one[0][6] in " \\t")'),
)
for _name in ("id", "subject", "method"):
    written(
        AREA,
        ATTEST,
        f"{_name}-unseen",
        f"Signs a token in {_name}.",
        (_attest._check_no_credentials, f'"{_name}"', '"claims"'),
    )
written(
    AREA,
    ATTEST,
    "principals-unseen",
    "Signs a token in the name of who is acted for.",
    (_attest._check_no_credentials, 'draft.get("on_behalf_of", ())', "()"),
)
written(
    AREA,
    ATTEST,
    "claims-alone",
    "Looks at claims alone.",
    (_attest._check_no_credentials, '("claims", "source", ', '("claims", '),
)
written(
    AREA,
    ATTEST,
    "source-alone",
    "Looks at the source alone.",
    (_attest._check_no_credentials, '("claims", "source", "id", "subject", "method")', '("source",)'),
)
