"""CloudEvents with their SDK, and Web Push with http-ece. `peer.py` runs it in the environment of the set-up."""

from __future__ import annotations

import base64


def _read(headers, body):
    from cloudevents.core.bindings.http import HTTPMessage, from_http_event

    event = from_http_event(HTTPMessage(headers, body.encode()))
    attributes = {name: member for name, member in event.get_attributes().items() if member is not None}
    if "time" in attributes:
        attributes["time"] = attributes["time"].isoformat()
    return {**attributes, "data": event.get_data()}


def cloudevents_read(messages):
    """The attributes and the data of each message; None where it is no event."""
    from cloudevents.core.exceptions import BaseCloudEventException

    found = []
    for message in messages:
        try:
            found.append(_read(**message))
        except (BaseCloudEventException, ValueError, KeyError, TypeError):
            found.append(None)
    return found


def cloudevents_write(events):
    """Each event in structured and in binary mode."""
    from cloudevents.core.bindings.http import to_binary_event, to_structured_event
    from cloudevents.core.v1.event import CloudEvent
    from dateutil.parser import isoparse

    found = []
    for event in events:
        attributes = {name: member for name, member in event.items() if name != "data"}
        if "time" in attributes:
            attributes["time"] = isoparse(attributes["time"])
        made = [write(CloudEvent(dict(attributes), event["data"])) for write in (to_structured_event, to_binary_event)]
        found.append([{"headers": dict(one.headers), "body": one.body.decode()} for one in made])
    return found


def _device(seed):
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(base64.b64decode(seed), "big"), ec.SECP256R1())


def webpush_keys(seed):
    """The public key of the device with this private one."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    point = _device(seed).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode().rstrip("=")


def webpush_decrypt(seed, auth, bodies):
    """What the device reads."""
    from http_ece import decrypt

    secret = base64.urlsafe_b64decode(auth + "==")
    found = [
        decrypt(base64.b64decode(body), private_key=_device(seed), auth_secret=secret, version="aes128gcm")
        for body in bodies
    ]
    return [base64.b64encode(data).decode() for data in found]


DOES = {
    "cloudevents.read": cloudevents_read,
    "cloudevents.write": cloudevents_write,
    "webpush.keys": webpush_keys,
    "webpush.decrypt": webpush_decrypt,
}
