// The harness of our implementation: it reads one JSON object a line, and writes one answer a line.
// The two operations below are complete. Replace them by calls of your library, then add the next to `operations`.
import { randomBytes } from "node:crypto";
import { createInterface } from "node:readline";
import type { Answered, Given, Inputs, Operation, Run, Start, Started, Stop } from "mentionable-conformance/contract";

type Operations = { [Name in Operation]?: (input: Inputs[Name], given: Given) => unknown };

/** The input is none of its kind: an outcome of the case, not a fault of this program. */
class Malformed extends Error {}

const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** A time of RFC 3339 in UTC, to the microsecond, without zeros at the end. */
function parseTime({ text }: Inputs["time.parse"]): string {
  const [whole, date, hour, minute, second, fraction = "", offset = ""] = TIME.exec(text) ?? [];
  if (whole === undefined) throw new Malformed();
  const clock = `${date}T${hour}:${minute}:${second}`;
  const local = new Date(`${clock}Z`); // JavaScript takes 30 February for 2 March: it must come out as it went in
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== clock) throw new Malformed();
  const time = new Date(`${clock}${offset.toUpperCase()}`);
  if (Number.isNaN(time.getTime())) throw new Malformed();
  const digits = fraction.slice(0, 6).replace(/0+$/, "");
  return `${time.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** An id whose first 48 bits are the milliseconds of the time of the case. */
function uuid7(_input: unknown, { now }: Given): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.parse(now), 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

const operations: Operations = { "time.parse": parseTime, "id.uuid7": uuid7 };

/** What an operation makes of a case: a value, a rejection, or a fault of this program. */
function answered({ seq, op, input, given }: Run): Answered {
  try {
    return { seq, value: operations[op]!(input as never, given) };
  } catch (error) {
    if (error instanceof Malformed) return { seq, rejected: { code: "malformed" } };
    return { seq, errored: { message: String(error) } };
  }
}

const implementation = { name: "my-implementation", version: "0.1.0", language: "TypeScript" };
for await (const line of createInterface({ input: process.stdin })) {
  const ask: Start | Run | Stop = JSON.parse(line);
  if (ask.cmd === "stop") break;
  const started: Started = { protocol: 1, implementation, ops: Object.keys(operations) as Operation[] };
  console.log(JSON.stringify(ask.cmd === "start" ? started : answered(ask)));
}
