"""What the x402 package for Python reads and pays; `peer.py` calls it. Nothing is signed and no chain is asked."""

from __future__ import annotations


def _dumped(model):
    """As it goes onto a wire: once without null, and once as its types print themselves."""
    return [model.model_dump(mode="json", by_alias=True, exclude_none=bare) for bare in (True, False)]


def read(units):
    """Each unit as the types of the package write it after they read it; or `{"refused": why}`."""
    return [_one(*unit) for unit in units]


def _one(name, document):
    from x402 import schemas

    parse = {"required": schemas.parse_payment_required, "payload": schemas.parse_payment_payload}.get(name)
    try:
        return _dumped(parse(document) if parse else getattr(schemas, name).model_validate(document))
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}


class Wallet:
    """Pays whatever is demanded, by a form of its own choice, with a signature that nobody made."""

    def __init__(self, scheme, payer, permit):
        self.scheme, self._payer, self._permit = scheme, payer, permit

    def create_payment_payload(self, requirements):
        signature = "0x" + "2d" * 65
        to, value, nonce = requirements.pay_to, requirements.get_amount(), "77"
        if self._permit:
            permit = {
                "from": self._payer,
                "permitted": {"token": requirements.asset, "amount": value},
                "spender": "0x" + "4" * 40,
                "nonce": nonce,
                "deadline": "1740672154",
                "witness": {"to": to, "validAfter": "0"},
            }
            return {"permit2Authorization": permit, "signature": signature}
        authorization = {
            "from": self._payer,
            "to": to,
            "value": value,
            "validAfter": "1740672089",
            "validBefore": "1740672154",
            "nonce": "0x" + nonce.rjust(64, "0"),
        }
        return {"authorization": authorization, "signature": signature}


def pay(demands, payer, permit=False):
    """What its client pays for each demand, the first way to pay that is listed."""
    return [_paid(demand, payer, permit) for demand in demands]


def _paid(demand, payer, permit):
    from x402.client import x402ClientSync
    from x402.schemas import parse_payment_required

    required = parse_payment_required(demand)
    client = x402ClientSync()
    client.set_spend_controls(False)
    first = required.accepts[0]
    wallet = Wallet(first.scheme, payer, permit)
    (client.register_v1 if required.x402_version == 1 else client.register)(first.network, wallet)
    return _dumped(client.create_payment_payload(required))


def matches(pairs):
    """Whether it finds that a payment pays a requirement."""
    from x402.schemas import match_payload_to_requirements

    return [match_payload_to_requirements(version, payload, requirement) for version, payload, requirement in pairs]


def headers(demands):
    """Each demand as a header of HTTP 402."""
    from x402.http.utils import encode_payment_required_header
    from x402.schemas import parse_payment_required

    return [encode_payment_required_header(parse_payment_required(demand)) for demand in demands]


DOES = {"x402.read": read, "x402.pay": pay, "x402.matches": matches, "x402.headers": headers}
