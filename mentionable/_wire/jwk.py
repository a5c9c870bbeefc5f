"""Which members of a JSON Web Key only its owner may have.

Spec: RFC 7518 §6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_PRIVATE: Final = ("d", "p", "q", "dp", "dq", "qi", "oth", "k")
"""Those of RSA, EC and OKP keys, and the key that two sides share."""


def private_members(jwk: Mapping[str, Any]) -> list[str]:
    """The members of a JWK with which whoever sees them can sign or decrypt; of a public key, none."""
    return [name for name in _PRIVATE if name in jwk]
