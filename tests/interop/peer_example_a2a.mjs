// Asks agents on loopback with the client of the A2A SDK for JavaScript: a JSON object a line comes in, one goes out.
// The libraries are looked up from the folder in the first argument. The agent is found by its card. The older of the
// two versions of the SDK speaks A2A 0.3.

import { createRequire } from "node:module";
import { serve } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
const VERSIONS = { "1.0": "@a2a-js/sdk", 0.3: "@a2a-js/sdk-0.3" };
const { Message, SendMessageRequest, StreamResponse, Task } = require("@a2a-js/sdk");

const written = (error) => ({ error: [error.constructor.name, `${error.message}`] });

// The result of one call has no wrapper that says what it is.
const oneOf = (result) => ("messageId" in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) });

const MEANS = {
  "1.0": { request: (message) => SendMessageRequest.fromJSON({ message }), one: oneOf, event: StreamResponse.toJSON },
  0.3: { request: (message) => ({ message }), one: (result) => result, event: (event) => event },
};

async function ask({ url, message, token, version = "1.0", binding = "JSONRPC", stream = false }) {
  const fetchImpl = (where, how = {}) => {
    const headers = new Headers(how.headers);
    if (token) headers.set("authorization", `Bearer ${token}`);
    return fetch(where, { ...how, headers });
  };
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } =
    require(`${VERSIONS[version]}/client`);
  const Transport = binding === "JSONRPC" ? JsonRpcTransportFactory : RestTransportFactory;
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl });
  const factory = new ClientFactory({ transports: [new Transport({ fetchImpl })], cardResolver });
  const client = await factory.createFromUrl(url);
  const { request, one, event } = MEANS[version];
  const said = [];
  try {
    if (stream) for await (const told of client.sendMessageStream(request(message))) said.push(event(told));
    else said.push(one(await client.sendMessage(request(message))));
  } catch (error) {
    said.push(written(error));
  }
  return said;
}

const DOES = { ask };

await serve(DOES);
