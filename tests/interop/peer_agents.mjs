// An agent that counts the turns of a conversation, and clients that have one, of the A2A SDK for JavaScript, in its
// versions 1 and 0.3. A JSON object a line comes in, one goes out; connections are of loopback alone.
// The libraries are looked up from the folder in the first argument.

import { createRequire } from "node:module";
import { serve as lines } from "./lines.mjs";

const require = createRequire(`${process.argv[2]}/package.json`);
const newer = { ...require("@a2a-js/sdk"), ...require("@a2a-js/sdk/server"), ...require("@a2a-js/sdk/client") };
const older = { ...require("@a2a-js/sdk-0.3/server"), ...require("@a2a-js/sdk-0.3/client") };
const AGENT = {
  name: "Counter",
  description: "Counts turns",
  version: "1",
  skills: [{ id: "count", name: "Count", description: "Counts turns", tags: ["count"] }],
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
};
const PIECES = ["This is ", "answer ", "."];

// -- the server

// The first word of the question says how: `task`, `slow`, `message`, `asks` (for more) or `ends` (what asked).
// The versions differ in how they name an event, a state and a role.
const agentOf = (tell, { state, role, text }) => {
  const turns = new Map();
  const contexts = new Map();
  return {
    async execute({ userMessage, taskId, contextId, task }, bus) {
      const number = (turns.get(contextId) ?? 0) + 1;
      turns.set(contextId, number);
      contexts.set(taskId, contextId);
      const pieces = [PIECES[0], PIECES[1], `${number}.`];
      const [how] = (userMessage.parts[0].text ?? userMessage.parts[0].content.value).split(" ");
      const place = { taskId, contextId };
      const message = { messageId: `a${number}`, role, parts: [text(pieces.join(""))], contextId };
      if (how === "message") {
        tell(bus, "message", message);
        return bus.finished();
      }
      const status = (name, facts = {}) => ({ state: state(name), timestamp: new Date().toISOString(), ...facts });
      const opened = { id: taskId, contextId, history: [userMessage], artifacts: [] };
      tell(bus, "task", { ...(task ?? opened), status: status(task ? "working" : "submitted") });
      if (how === "slow") await new Promise((done) => setTimeout(done, 300));
      if (how === "asks") {
        const asked = { ...message, taskId };
        tell(bus, "status-update", { ...place, status: status("input-required", { message: asked }), final: true });
        return bus.finished();
      }
      pieces.forEach((piece, at) => {
        const artifact = { artifactId: `a${number}`, parts: [text(piece)] };
        tell(bus, "artifact-update", { ...place, artifact, append: at > 0, lastChunk: at === 2 });
      });
      tell(bus, "status-update", { ...place, status: status("completed"), final: true });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const status = { state: state("canceled"), timestamp: new Date().toISOString() };
      tell(bus, "status-update", { taskId, contextId: contexts.get(taskId), status, final: true });
      bus.finished();
    },
  };
};

const MAKERS = { message: "message", task: "task", "artifact-update": "artifactUpdate", "status-update": "statusUpdate" };

function newerApp(express, port) {
  const { jsonRpcHandler, restHandler, UserBuilder } = require("@a2a-js/sdk/server/express");
  const { AgentCard, AgentEvent, DefaultRequestHandler, InMemoryTaskStore, Role, taskStateFromJSON } = newer;
  const agent = agentOf((bus, kind, data) => bus.publish(AgentEvent[MAKERS[kind]](data)), {
    state: (name) => taskStateFromJSON(`TASK_STATE_${name.toUpperCase().replace("-", "_")}`),
    role: Role.ROLE_AGENT,
    text: (value) => ({ content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "" }),
  });
  const supportedInterfaces = ["1.0", "0.3"].flatMap((protocolVersion) => [
    { url: `http://127.0.0.1:${port}/rpc`, protocolBinding: "JSONRPC", protocolVersion },
    { url: `http://127.0.0.1:${port}/rest`, protocolBinding: "HTTP+JSON", protocolVersion },
  ]);
  const requestHandler = new DefaultRequestHandler(
    AgentCard.fromJSON({ ...AGENT, supportedInterfaces }), new InMemoryTaskStore(), agent);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat: { enabled: true } };
  return express().use("/rpc", jsonRpcHandler(options)).use("/rest", restHandler(options));
}

function olderApp(express, port) {
  const { jsonRpcHandler, restHandler, UserBuilder } = require("@a2a-js/sdk-0.3/server/express");
  const { DefaultRequestHandler, InMemoryTaskStore } = older;
  const agent = agentOf((bus, kind, data) => bus.publish({ kind, ...data }), {
    state: (name) => name,
    role: "agent",
    text: (text) => ({ kind: "text", text }),
  });
  const card = { ...AGENT, protocolVersion: "0.3.0", url: `http://127.0.0.1:${port}/rpc`, preferredTransport: "JSONRPC" };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), agent);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  return express().use("/rpc", jsonRpcHandler(options)).use("/rest", restHandler(options));
}

const servers = new Map();

async function serve({ framework }) {
  const { createServer } = await import("node:http");
  const server = createServer();
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  server.on("request", (framework === "javascript" ? newerApp : olderApp)(require("express"), port));
  servers.set(port, server);
  return port;
}

async function stop({ port }) {
  servers.get(port).closeAllConnections();
  await new Promise((done) => servers.get(port).close(done));
  return servers.delete(port);
}

// -- the clients

function newerClient({ url, version, binding }) {
  const { AgentCard, ClientFactory, JsonRpcTransportFactory, Message, RestTransportFactory, SendMessageRequest, StreamResponse, Task } = newer;
  const options = { legacyCompat: { enabled: true } };
  const transports = [new JsonRpcTransportFactory(options), new RestTransportFactory(options)];
  const supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: version }];
  return {
    made: new ClientFactory({ transports }).createFromAgentCard(AgentCard.fromJSON({ ...AGENT, supportedInterfaces })),
    request: (words, facts) => SendMessageRequest.fromJSON({ message: { role: "ROLE_USER", parts: [{ text: words }], ...facts } }),
    // The result of one call has no wrapper that says what it is.
    one: (result) => ("messageId" in result ? { message: Message.toJSON(result) } : { task: Task.toJSON(result) }),
    event: StreamResponse.toJSON,
  };
}

const KINDS = { message: "message", task: "task", "status-update": "statusUpdate", "artifact-update": "artifactUpdate" };

function olderClient({ url, binding }) {
  const { ClientFactory, JsonRpcTransportFactory, RestTransportFactory } = older;
  const card = { ...AGENT, protocolVersion: "0.3.0", url, preferredTransport: binding };
  const transports = [new JsonRpcTransportFactory(), new RestTransportFactory()];
  const wrapped = (result) => ({ [KINDS[result.kind]]: result });
  return {
    made: new ClientFactory({ transports }).createFromAgentCard(card),
    request: (words, facts) => ({ message: { kind: "message", role: "user", parts: [{ kind: "text", text: words }], ...facts } }),
    one: wrapped,
    event: wrapped,
  };
}

const WAITS = /input.required|auth.required/i;

// What a client has of each answer; it goes on with the context of the last one, and with a task that waits.
async function talk({ client, questions, stream, ...where }) {
  const { made, request, one, event } = (client === "javascript" ? newerClient : olderClient)(where);
  const speaker = await made;
  const answers = [];
  let place = {};
  for (const [at, words] of questions.entries()) {
    const asked = request(words, { messageId: `q${at + 1}`, ...place });
    const events = [];
    if (stream) for await (const told of speaker.sendMessageStream(asked)) events.push(event(told));
    else events.push(one(await speaker.sendMessage(asked)));
    answers.push(events);
    const inner = events.map((told) => Object.values(told)[0]);
    const { contextId, taskId, id } = inner.at(-1);
    const state = inner.map((told) => told.status?.state).findLast((name) => name !== undefined);
    place = WAITS.test(state ?? "") ? { contextId, taskId: taskId ?? id } : { contextId };
  }
  return answers;
}

// -- task operations

// Method of the clients → the newer types of what it is asked, and of what it gives.
const TYPES = {
  getTask: ["GetTaskRequest", "Task"],
  listTasks: ["ListTasksRequest", "ListTasksResponse"],
  cancelTask: ["CancelTaskRequest", "Task"],
  resubscribeTask: ["SubscribeToTaskRequest", "StreamResponse"],
};

async function operate({ client, operations, ...where }) {
  const isNewer = client === "javascript";
  const speaker = await (isNewer ? newerClient : olderClient)(where).made;
  const answers = [];
  for (const [name, params] of operations) {
    const [asked, given] = isNewer ? TYPES[name].map((type) => newer[type]) : [];
    const written = (answer) => (isNewer ? given.toJSON(answer) : answer);
    try {
      const answer = speaker[name](isNewer ? asked.fromJSON(params) : params);
      if (name === "resubscribeTask") {
        const events = [];
        for await (const event of answer) events.push(written(event));
        answers.push(events);
      } else answers.push(written(await answer));
    } catch (error) {
      answers.push({ error: [error.constructor.name, `${error.message}`] });
    }
  }
  return answers;
}

await lines({ serve, stop, talk, operate });
