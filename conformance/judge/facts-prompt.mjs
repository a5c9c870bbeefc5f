// Facts about a prompt: who says what under which name, what is asked now, and what only a system says.

import { OtherForm, each, get, holds, isObject, isText, item, lines, partition } from "./values.mjs";

/** @typedef {(value: any) => any} Fact */
/** A role, and a text or a block of another kind. @typedef {[any, any]} Block */

const SYSTEM = ["system", "developer"];
const HEADED = /^\[[^[\]\r\n]+\]:(?: |$)/;
const LIKE_A_HEADER = /^[ \t]*\[([^\]]+)\]:/;

/** @param {any} message */
const roleOf = (message) => (item(message, "role") === "model" ? "assistant" : message.get("role"));

/** Every text and block in order, whatever the provider calls them. @param {any} value @returns {Block[]} */
function blocks(value) {
  /** @type {Block[]} */
  const found = item(value, "system") === null ? [] : [["system", value.get("system")]];
  for (const message of each(item(value, "messages"))) {
    const role = roleOf(message);
    const content = get(message, "content", get(message, "parts"));
    for (const block of isText(content) ? [content] : each(content)) {
      found.push([role, isObject(block) && block.has("text") ? block.get("text") : block]);
    }
  }
  return found;
}

/** @param {any} value @param {string[]} roles @returns {string[]} */
const texts = (value, roles) => blocks(value).filter(([role, text]) => roles.includes(role) && isText(text)).map(([, text]) => text);

/** Whether somebody begins to speak: the agent, or a person under a header. @param {Block} message */
const isTurn = ([role, text]) => isText(text) && (role === "assistant" || (role === "user" && HEADED.test(text)));

/** Where the last one begins to speak. @param {Block[]} messages */
function request(messages) {
  const place = messages.findLastIndex(isTurn);
  if (place < 0) throw new OtherForm();
  return place;
}

/** Whether words of no participant stand between the history and what is asked. @param {any} value */
function isApart(value) {
  const messages = blocks(value);
  const [role, text] = /** @type {Block} */ (messages.at(request(messages) - 1));
  return holds(SYSTEM, role) || (role === "user" && isText(text) && !HEADED.test(text));
}

/** Whose header begins a line of what users say, wherever it stands. @param {any} value */
function headers(value) {
  const found = texts(value, ["user"]).flatMap(lines).map((line) => LIKE_A_HEADER.exec(line));
  return found.filter((one) => one !== null).map(([, name]) => name);
}

/** @type {{[name: string]: Fact}} */
export const PROMPT = {
  system: (value) => texts(value, SYSTEM).join("\n\n"),
  opening: (value) => {
    const [first] = texts(value, SYSTEM);
    if (first === undefined) throw new OtherForm();
    return partition(first, "\n")[0];
  },
  systems: (value) => BigInt(texts(value, SYSTEM).length),
  roles: (value) => each(item(value, "messages")).map(roleOf).filter((role) => !holds(SYSTEM, role)),
  turns: (value) => blocks(value).filter(isTurn),
  headers,
  asked: (value) => {
    const messages = blocks(value);
    return messages.slice(request(messages)).map(([, block]) => block);
  },
  apart: isApart,
  said: (value) => texts(value, ["user", "assistant"]).join("\n"),
};
