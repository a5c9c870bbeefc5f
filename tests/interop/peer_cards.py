"""What the A2A SDK for Python makes of cards and their signatures: a JSON object a line each way.

It runs in the environment of `tests/setup_interop.py`. The folder of its argument has PyJWT: the SDK signs with it.
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings

sys.path.append(sys.argv[1])
warnings.simplefilter("ignore")


def parsed(card, *, strictly=False):
    """A card as the SDK has it."""
    from a2a.types import a2a_pb2
    from google.protobuf.json_format import ParseDict

    return ParseDict(card, a2a_pb2.AgentCard(), ignore_unknown_fields=not strictly)


def canonical(cards):
    """What it would sign."""
    from a2a.utils.signing import _canonicalize_agent_card

    return [_canonicalize_agent_card(parsed(card)) for card in cards]


def sign(card, pem, header):
    """The card with a signature, as a server of the SDK gives it: for clients of both versions."""
    from a2a.server.request_handlers.response_helpers import agent_card_to_dict
    from a2a.utils.signing import create_agent_card_signer

    found = parsed(card)
    create_agent_card_signer(pem, header)(found)
    return agent_card_to_dict(found)


def verify(cards, jwk, algorithms):
    """What its verifier says of each card: the ids that it asked keys for, or why not."""
    import jwt
    from a2a.utils.signing import create_signature_verifier

    said = []
    for card in cards:
        asked = []

        def key(kid, jku, asked=asked):
            asked.append(kid)
            return jwt.PyJWK.from_dict(jwk)

        try:
            create_signature_verifier(key, algorithms)(parsed(card))
            said.append(asked)
        except Exception as error:
            said.append(type(error).__name__)
    return said


def read(cards):
    """Cards read strictly, and written again."""
    from google.protobuf.json_format import MessageToDict

    return [MessageToDict(parsed(card, strictly=True)) for card in cards]


def read_old(cards):
    """Cards of v0.3 read by the types of the SDK, and written again."""
    from a2a.compat.v0_3.types import AgentCard

    return [AgentCard.model_validate(card).model_dump(mode="json", by_alias=True, exclude_none=True) for card in cards]


DOES = {"canonical": canonical, "sign": sign, "verify": verify, "read": read, "read_old": read_old}


def main() -> None:
    for line in sys.stdin:
        given = json.loads(line)
        try:
            answer = {"answer": DOES[given.pop("op")](**given)}
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
