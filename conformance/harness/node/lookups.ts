// The look-ups of a case: a closed table that answers what an implementation asks, and the list of what it asked.

import type { Json } from "./shape.ts";

export class Lookups {
  table: Record<string, Json>;
  asked: string[] = [];

  constructor(table: Record<string, Json>) {
    this.table = table;
  }

  /** The answer to a question such as `GET https://…`; undefined when it is not listed, or fails. */
  ask(question: string): Json {
    const answer = this.listed(question);
    return answer?.failed === undefined ? answer : undefined;
  }

  /** What the table has for a question, a failure maybe; undefined when it is not listed. */
  listed(question: string): Json {
    this.asked.push(question);
    const kind = question.split(" ", 1)[0] as string;
    const answer = this.table[Object.hasOwn(this.table, question) ? question : `${kind} *`];
    return Array.isArray(answer) && kind === "GET" ? answer[0] : answer;
  }
}
