// Where x402 stands inside the mandates of AP2, the embedded flow of the A2A x402 extension: that of the extension's
// own text, and that of AP2 0.1. Nothing is verified here, and nothing changed.

import { isObject, type Json } from "./shape.ts";

const CART = "ap2.mandates.CartMandate";
const PAYMENT = "ap2.mandates.PaymentMandate";
const X402 = "https://www.x402.org/"; // the payment method that stands for x402
const CARTS = [["payment_request"], ["contents", "payment_request"]];
/** The way to a payment, and the names of its method and of its content there. */
const PAYMENTS = [
  { way: ["payment_details", "payment_method"], name: "supported_methods", content: "data" },
  { way: ["payment_mandate_contents", "payment_response"], name: "method_name", content: "details" },
] as const;

/** The member at the end of a way through objects; undefined where the way ends earlier. */
const memberAt = (value: Json, way: readonly string[]): Json =>
  way.reduce((found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined), value);

/** Every mandate of a kind in data parts; version 0.3 of A2A over REST has the data one level further down. */
const mandates = (parts: Json[], kind: string): Json[] =>
  parts
    .flatMap((part) => [["data"], ["data", "data"]].map((way) => memberAt(part, way)))
    .filter((data) => isObject(data) && Object.hasOwn(data, kind))
    .map((data) => data[kind]);

/** What carts in data parts demand by x402. */
export function cartsIn(parts: Json[]): Json[] {
  const methodsOf = (cart: Json) => CARTS.map((way) => memberAt(cart, [...way, "method_data"])).filter(Array.isArray);
  return mandates(parts, CART)
    .flatMap((cart) => methodsOf(cart).flat())
    .filter((method) => memberAt(method, ["supported_methods"]) === X402 && Object.hasOwn(method, "data"))
    .map((method) => method.data);
}

/** What payment mandates in data parts pay by x402. */
export function paymentsIn(parts: Json[]): Json[] {
  return mandates(parts, PAYMENT).flatMap((mandate) =>
    PAYMENTS.flatMap(({ way, name, content }) => {
      const method = memberAt(mandate, way);
      return memberAt(method, [name]) === X402 && Object.hasOwn(method, content) ? [method[content]] : [];
    }),
  );
}
