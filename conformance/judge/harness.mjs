// A program that speaks JSON lines, started with a command. One that hangs, dies or talks nonsense is ended and started
// again, so that one bad case does not hide the others.

import { PROTOCOL } from "./cases.mjs";
import { Child } from "./child.mjs";
import { misshapen } from "./compare.mjs";
import { Broken } from "./line.mjs";
import { problems } from "./schema.mjs";
import { byCharacter, distinct, isObject, isText, object, repr, same } from "./values.mjs";

/** @typedef {import("./cases.mjs").Case} Case */
/**
 * What a harness says about itself when it starts.
 * @typedef {{name: string, version: string, language: string, more: Map<string, any>, ops: Set<string>, title: string}} Implementation
 */

const START_SECONDS = 30;
const STOP_SECONDS = 2;
const ABOUT = ["name", "version", "language"];

/** The harness cannot be started, or does not speak this protocol: nothing can be judged. */
export class BadHarness extends Error {}

/** From the answer to `start`. @param {Map<string, any>} line @returns {Implementation} */
function implementation(line) {
  const [protocol, about, ops] = ["protocol", "implementation", "ops"].map((name) => line.get(name) ?? null);
  if (typeof protocol === "boolean" || !same(protocol, BigInt(PROTOCOL))) {
    throw new BadHarness(`the harness speaks protocol ${repr(protocol)}, this runner ${PROTOCOL}`);
  }
  if (!isObject(about) || !isText(about.get("name"))) {
    throw new BadHarness("the answer to start lacks implementation.name");
  }
  if (!Array.isArray(ops) || !ops.every(isText)) throw new BadHarness("the answer to start lacks ops, a list of names");
  const [version, language] = ["version", "language"].map((name) => said(about.has(name) ? about.get(name) : ""));
  const name = about.get("name");
  return {
    name,
    version,
    language,
    more: new Map([...about].filter(([member]) => !ABOUT.includes(member))),
    ops: new Set(distinct(ops).sort(byCharacter)),
    title: [name, version].filter(Boolean).join(" "),
  };
}

/** A text as it is, anything else as details show it. @param {any} value */
export const said = (value) => (isText(value) ? value : repr(value));

/** The answer that says: this case could not be performed. @param {string} message */
const errored = (message) => object({ errored: object({ message }) });

/** A program that can be asked to perform cases. */
export class ProcessHarness {
  /** `timeout` is in seconds for each case. @param {string[]} command @param {{timeout?: number, validate?: boolean}} [how] */
  constructor(command, { timeout = 10, validate = false } = {}) {
    this.command = command;
    this.timeout = timeout;
    this.validate = validate;
    /** @type {Child | null} */
    this.child = null;
  }

  /** Start the program and shake hands. @returns {Promise<Implementation>} */
  async start() {
    this.child = await Child.start(this.command).catch((error) => {
      throw new BadHarness(error.message);
    });
    try {
      const line = await this.child.exchange(object({ cmd: "start", protocol: BigInt(PROTOCOL) }), START_SECONDS, "start");
      const wrong = this.validate ? problems("harness", line, "started") : [];
      if (wrong.length) throw new BadHarness(`the answer to start breaks harness.schema.json: ${wrong[0]}`);
      return implementation(line);
    } catch (error) {
      await this.end(0);
      if (error instanceof Broken) throw new BadHarness(`${this.command.join(" ")}: ${error.message}`);
      throw error;
    }
  }

  /** The answer to one case; a fault of the program is an answer, too. @param {number} seq @param {Case} one @returns {Promise<Map<string, any>>} */
  async perform(seq, { op, given, input }) {
    if (this.child === null) await this.start();
    const child = /** @type {Child} */ (this.child);
    let answer;
    try {
      answer = await child.exchange(object({ cmd: "run", seq: BigInt(seq), op, given, input }), this.timeout, "this case");
      if (!answer.has("seq")) throw new Broken(`the answer lacks seq, which must be ${seq}`);
      const back = answer.get("seq");
      if (!same(back, BigInt(seq))) throw new Broken(`answered seq ${repr(back)} instead of ${seq}`);
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      await this.end(0);
      return errored(error.message);
    }
    // whoever judges says in plain words that an answer is no answer, or two: the schema says no more about it
    const wrong = this.validate && !misshapen(answer) ? problems("harness", answer, "answered") : [];
    return wrong.length ? errored(`the line breaks harness.schema.json: ${wrong.slice(0, 3).join("; ")}`) : answer;
  }

  /** Say stop, and end the program if it does not. */
  async stop() {
    this.child?.say(object({ cmd: "stop" }));
    await this.end(STOP_SECONDS);
  }

  /** End the program and everything it started. @param {number} grace */
  async end(grace) {
    const child = this.child;
    this.child = null;
    await child?.end(grace);
  }
}
