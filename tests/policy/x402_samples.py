"""Demands and payments as the specifications of x402 show them, in both versions."""

import copy

from hypothesis import strategies as st

from mentionable import policy
from mentionable.policy._x402 import CODE
from mentionable.testing import strategies

PAY_TO = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
PAYER = "0x857b06519E91e3A54538791bDbb0E22373e36b66"
NONCE = "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480"
RESOURCE = {"url": "https://shop.example/report", "description": "A report", "mimeType": "application/json"}

REQUIREMENTS = {
    1: {
        "scheme": "exact",
        "network": "base-sepolia",
        "maxAmountRequired": "10000",
        "resource": "https://shop.example/report",
        "description": "A report",
        "mimeType": "application/json",
        "outputSchema": None,
        "payTo": PAY_TO,
        "maxTimeoutSeconds": 300,
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "extra": {"name": "USDC", "version": "2"},
    },
    2: {
        "scheme": "exact",
        "network": "eip155:84532",
        "amount": "10000",
        "asset": "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        "payTo": PAY_TO,
        "maxTimeoutSeconds": 300,
        "extra": {"name": "USDC", "version": "2"},
    },
}
DEMANDS = {
    1: {"x402Version": 1, "error": "Pay first", "accepts": [REQUIREMENTS[1]]},
    2: {"x402Version": 2, "error": "Pay first", "resource": RESOURCE, "accepts": [REQUIREMENTS[2]]},
}
OFFERED = {
    1: {"x402Version": 1, "requirement": REQUIREMENTS[1]},
    2: {"x402Version": 2, "resource": RESOURCE, "requirement": REQUIREMENTS[2]},
}
SIGNED = {
    "signature": "0x" + "2d" * 65,
    "authorization": {
        "from": PAYER,
        "to": PAY_TO,
        "value": "10000",
        "validAfter": "1740672089",
        "validBefore": "1740672154",
        "nonce": NONCE,
    },
}
PERMITTED = {
    "signature": "0x" + "2d" * 65,
    "permit2Authorization": {
        "from": PAYER,
        "permitted": {"token": REQUIREMENTS[2]["asset"], "amount": "10000"},
        "spender": "0x" + "4" * 40,
        "nonce": "77",
        "deadline": "1740672154",
        "witness": {"to": PAY_TO, "validAfter": "0"},
    },
}
PAYLOADS = {
    1: {"x402Version": 1, "scheme": "exact", "network": "base-sepolia", "payload": SIGNED},
    2: {"x402Version": 2, "resource": RESOURCE, "accepted": REQUIREMENTS[2], "payload": SIGNED},
}


def demand(version=2, **changes):
    """The metadata of a status message that demands a payment, some of its members changed."""
    return {"x402.payment.status": "payment-required", "x402.payment.required": {**DEMANDS[version], **changes}}


def submitted(payload):
    """The metadata of a message that pays."""
    return {"x402.payment.status": "payment-submitted", "x402.payment.payload": payload}


def way(version=2, scheme="x402.exact", **changes):
    """A way to pay that is one of x402, some members of its payload changed."""
    return policy.AcceptedPayment(scheme=scheme, payload={**OFFERED[version], **changes}, description="A report")


def required(*ways, message="Pay first", **members):
    """A demand with these ways to pay."""
    return policy.PaymentRequired(message=message, accepted_payments=ways, **members)


def changed(document, place, value):
    """A copy of a document with one member changed, or without it when the value is `...`."""
    document = copy.deepcopy(document)
    *way_to, name = place.split("/")
    target = document
    for step in way_to:
        target = target[step]
    if value is ...:
        del target[name]
    else:
        target[name] = value
    return document


def floated(document):
    """A document after a hop through protobuf, which keeps every number as a double."""
    if isinstance(document, dict):
        return {name: floated(member) for name, member in document.items()}
    if isinstance(document, list):
        return [floated(item) for item in document]
    return float(document) if type(document) is int else document


def cart(*demands, nested=False):
    """A data part with a cart of AP2 that demands these."""
    methods = [{"supported_methods": "basic-card", "data": {"brands": []}}]
    methods += [{"supported_methods": "https://www.x402.org/", "data": demanded} for demanded in demands]
    request = {"payment_request": {"method_data": methods, "details": {"id": "order-1"}}}
    mandate = {"contents": {"id": "cart-1", **request}} if nested else {"id": "cart-1", **request}
    return {"data": {"ap2.mandates.CartMandate": mandate, "merchant_signature": "sig"}}


def mandate(payload, *, nested=False, method="https://www.x402.org/"):
    """A data part with a payment mandate of AP2 that pays with this."""
    if nested:
        response = {"request_id": "order-1", "method_name": method, "details": payload}
        found = {"payment_mandate_contents": {"payment_response": response}}
    else:
        found = {"payment_details": {"payment_method": {"supported_methods": method, "data": payload}}}
    return {"data": {"ap2.mandates.PaymentMandate": found}}


def demands():
    """Any demand whose ways to pay are all of one version of x402, as it reads."""
    names, canonical = strategies.names(), strategies.json_objects(is_canonical=True)
    terms = {"scheme": names, "network": names, "payTo": names, "asset": names}
    timeouts = st.integers(0, 2**53 - 1)
    first = st.fixed_dictionaries(
        {
            **terms,
            "maxAmountRequired": st.integers(0, 2**256 - 1).map(str),
            "resource": names,
            "maxTimeoutSeconds": timeouts,
        },
        optional={"description": names, "outputSchema": canonical, "extra": canonical | st.none()},
    )
    second = st.fixed_dictionaries(
        {**terms, "amount": st.integers(0, 2**256 - 1).map(str), "maxTimeoutSeconds": timeouts},
        optional={"extra": canonical},
    )
    resources = st.none() | st.fixed_dictionaries({"url": names}, optional={"description": names, "mimeType": names})

    @st.composite
    def made(draw):
        version = draw(st.sampled_from((1, 2)))
        resource = draw(resources) if version == 2 else None
        ways = []
        for requirement in draw(st.lists(first if version == 1 else second, min_size=1, max_size=4)):
            shared = {} if resource is None else {"resource": resource}
            payload = {"x402Version": version, **shared, "requirement": requirement}
            description = (requirement if version == 1 else shared.get("resource", {})).get("description")
            scheme = "x402." + requirement["scheme"]
            ways.append(policy.AcceptedPayment(scheme=scheme, payload=payload, description=description))
        message, error = draw(names), draw(st.none() | names)
        extensions = draw(st.none() | canonical) if version == 2 else None
        data = {}
        if error not in (None, message):
            data["org.x402.error"] = error
        if extensions is not None:
            data["org.x402.extensions"] = extensions
        state = draw(st.none() | names)
        return required(*ways, message=message, code=CODE, state=state, data=data or None)

    return made()
