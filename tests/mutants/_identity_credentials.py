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
    (_secrets._is_jose_header, "return header.__class__ is dict", "return True"),
    (_secrets._is_jose_header, "return False", "return True"),
)
written(
    AREA,
    ATTEST,
    "any-basic",
    "Takes any words behind Basic for a credential.",
    (_secrets._is_user_and_password, 'return b":" in decoded and decoded.isascii()', "return True"),
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
    (_secrets.credential_in, "member.__class__ is str and member and is_secret_name(name)", "False"),
)
written(
    AREA,
    ATTEST,
    "claims-alone",
    "Looks at claims alone.",
    (_attest._check_no_credentials, '("claims", "source")', '("claims",)'),
)
written(
    AREA,
    ATTEST,
    "source-alone",
    "Looks at the source alone.",
    (_attest._check_no_credentials, '("claims", "source")', '("source",)'),
)
