"""What connectors are checked with: PyNaCl, and Slack's SDK. `peer.py` runs it in the environment of the set-up."""

from __future__ import annotations

import base64


def _bytes(text):
    return base64.b64decode(text)


def _text(data):
    return base64.b64encode(data).decode()


def nacl_sign(pairs):
    """The public key and the signature, of each secret of 32 bytes and what it signs."""
    from nacl.signing import SigningKey

    found = []
    for seed, data in pairs:
        key = SigningKey(_bytes(seed))
        found.append([_text(bytes(key.verify_key)), _text(key.sign(_bytes(data)).signature)])
    return found


def nacl_verify(triples):
    """Whether each signature is one of a key over what it signs."""
    from nacl.exceptions import BadSignatureError
    from nacl.exceptions import ValueError as WrongLength
    from nacl.signing import VerifyKey

    def fits(public, signature, data):
        try:
            VerifyKey(_bytes(public)).verify(_bytes(data), _bytes(signature))
        except (BadSignatureError, WrongLength):
            return False
        return True

    return [fits(*triple) for triple in triples]


class _Clock:
    """A clock that stands."""

    def __init__(self, now):
        self._now = now

    def now(self):
        return self._now


def slack_sign(secret, requests):
    """The signature of each timestamp and body."""
    from slack_sdk.signature import SignatureVerifier

    verifier = SignatureVerifier(secret)
    return [verifier.generate_signature(timestamp=timestamp, body=body) for timestamp, body in requests]


def slack_verify(secret, now, requests):
    """Whether each request is one of Slack; None where the verifier breaks over it."""
    from slack_sdk.signature import SignatureVerifier

    verifier = SignatureVerifier(secret, _Clock(now))

    def fits(headers, body):
        try:
            return verifier.is_valid_request(body, headers)
        except (ValueError, TypeError):
            return None

    return [fits(*request) for request in requests]


def slack_blocks(messages):
    """Each list of blocks, read strictly and written again; the words of the SDK where it refuses one."""
    from slack_sdk.errors import SlackObjectFormationError
    from slack_sdk.models.blocks import Block

    found = []
    for blocks in messages:
        read = [Block.parse(block) for block in blocks]
        try:
            found.append([None if block is None else block.to_dict() for block in read])
        except SlackObjectFormationError as error:
            found.append(str(error))
    return found


DOES = {
    "nacl.sign": nacl_sign,
    "nacl.verify": nacl_verify,
    "slack.sign": slack_sign,
    "slack.verify": slack_verify,
    "slack.blocks": slack_blocks,
}
