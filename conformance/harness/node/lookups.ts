// The look-ups of a case: a closed table that answers what an implementation asks, and the list of what it asked.

export class Lookups {
  constructor(table) {
    this.table = table;
    this.asked = [];
  }

  /** The answer to a question such as `GET https://…`; undefined when it is not listed, or fails. */
  ask(question) {
    this.asked.push(question);
    const kind = question.split(" ", 1)[0];
    let answer = this.table[Object.hasOwn(this.table, question) ? question : `${kind} *`];
    if (Array.isArray(answer) && kind === "GET") answer = answer[0];
    return answer?.failed === undefined ? answer : undefined;
  }
}
