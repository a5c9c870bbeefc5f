// What the A2A SDK for JavaScript reads, asks and answers, in its versions 1 and 0.3; `peer.mjs` calls it.

const AGENT = { name: "Helper", description: "Helps", version: "1", skills: [] };
const MODES = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] };

const written = (error) => ({ error: [error.constructor.name, `${error.message}`, error.code ?? error.errorCode ?? null] });

// -- reading what was written elsewhere

const READERS = {
  "1.0": (require, name, document) => {
    const type = require("@a2a-js/sdk")[name];
    return type.toJSON(type.fromJSON(document));
  },
  // It reads an event of v0.3 and gives it as one of v1.0.
  "0.3": (require, name, document) => {
    const { legacyPushNotificationToV1StreamResponse: read } = require("@a2a-js/sdk/compat/v0_3");
    return require("@a2a-js/sdk").StreamResponse.toJSON(read(document));
  },
};

const readOne = (require, [version, name, document]) => {
  try {
    return READERS[version](require, name, document);
  } catch (error) {
    return { refused: `${error}` };
  }
};

// -- the clients

const newer = (require, { url, version, binding }) => {
  const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = require("@a2a-js/sdk/client");
  const { AgentCard } = require("@a2a-js/sdk");
  const options = { legacyCompat: { enabled: true } };
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  const card = AgentCard.fromJSON({
    ...AGENT,
    ...MODES,
    capabilities: { streaming: true },
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }],
  });
  return new ClientFactory({ transports }).createFromAgentCard(card);
};

const older = (require, { url, binding }) => {
  const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = require("@a2a-js/sdk-0.3/client");
  const card = { ...AGENT, ...MODES, capabilities: { streaming: true }, protocolVersion: "0.3.0", url, preferredTransport: binding };
  return new ClientFactory({ transports: [new JsonRpcTransportFactory(), new RestTransportFactory()] }).createFromAgentCard(card);
};

// The result of one call has no wrapper that says what it is.
const oneOfNewer = (require, result) => {
  const { Message, Task } = require("@a2a-js/sdk");
  return "messageId" in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) };
};

async function ask(require, { sdk, stream, message, seen, ...where }) {
  const said = [];
  const take = async (event) => {
    said.push(event);
    if (seen !== undefined) await fetch(seen);
  };
  try {
    if (sdk === "0.3") {
      const client = await older(require, where);
      if (stream) for await (const event of client.sendMessageStream({ message })) await take(event);
      else said.push(await client.sendMessage({ message }));
    } else {
      const { SendMessageRequest, StreamResponse } = require("@a2a-js/sdk");
      const client = await newer(require, where);
      const request = SendMessageRequest.fromJSON({ message });
      if (stream) for await (const event of client.sendMessageStream(request)) await take(StreamResponse.toJSON(event));
      else said.push(oneOfNewer(require, await client.sendMessage(request)));
    }
  } catch (error) {
    said.push(written(error));
  }
  return said;
}

// -- the server: its handler of JSON-RPC without HTTP around it

// Says again what it was asked, in a message or in the artifact of a task, as the first words of the question say.
// The versions differ in how they name an event.
const agentOf = (tell, state, agentRole) => ({
  async execute({ userMessage, taskId, contextId }, bus) {
    const place = { taskId, contextId };
    const { parts } = userMessage;
    if ((parts[0].text ?? parts[0].content.value) === "message") {
      tell(bus, "message", { ...userMessage, messageId: "a1", role: agentRole });
      bus.finished();
      return;
    }
    tell(bus, "task", { id: taskId, contextId, status: { state: state("submitted") }, history: [], artifacts: [] });
    const artifact = { artifactId: "a1", parts };
    tell(bus, "artifact-update", { ...place, artifact, append: false, lastChunk: true });
    tell(bus, "status-update", { ...place, status: { state: state("completed") }, final: true });
    bus.finished();
  },
  async cancelTask() {},
});

const MAKERS = { message: "message", task: "task", "artifact-update": "artifactUpdate", "status-update": "statusUpdate" };

const handlers = {
  "1.0": (require) => {
    const { JsonRpcTransportHandler, DefaultRequestHandler, InMemoryTaskStore, AgentEvent, ServerCallContext } =
      require("@a2a-js/sdk/server");
    const { AgentCard, Role, taskStateFromJSON } = require("@a2a-js/sdk");
    const name = (state) => taskStateFromJSON(`TASK_STATE_${state.toUpperCase()}`);
    const agent = agentOf((bus, kind, data) => bus.publish(AgentEvent[MAKERS[kind]](data)), name, Role.ROLE_AGENT);
    const card = AgentCard.fromJSON({
      ...AGENT,
      ...MODES,
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: "http://127.0.0.1/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    });
    const handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), agent));
    return (body) => handler.handle(body, new ServerCallContext({ requestedVersion: "1.0" }));
  },
  "0.3": (require) => {
    const { JsonRpcTransportHandler, DefaultRequestHandler, InMemoryTaskStore } = require("@a2a-js/sdk-0.3/server");
    const agent = agentOf((bus, kind, data) => bus.publish({ kind, ...data }), (state) => state, "agent");
    const card = { ...AGENT, ...MODES, capabilities: { streaming: true }, protocolVersion: "0.3.0", url: "http://127.0.0.1/" };
    const handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), agent));
    return (body) => handler.handle(body);
  },
};

// The response bodies to a request body: one, or those of a stream.
async function answer(require, { version, body }) {
  const found = await handlers[version](require)(body);
  if (found[Symbol.asyncIterator] === undefined) return [found];
  const bodies = [];
  for await (const event of found) bodies.push(event);
  return bodies;
}

export const does = (require) => ({
  "a2ajs.read": ({ units }) => units.map((unit) => readOne(require, unit)),
  "a2ajs.ask": async ({ calls }) => {
    const all = [];
    for (const call of calls) all.push(await ask(require, call));
    return all;
  },
  "a2ajs.answer": ({ calls }) => Promise.all(calls.map((call) => answer(require, call))),
});
