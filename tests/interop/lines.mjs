// A JSON object a line says what to do, a JSON object a line answers.

import { createInterface } from "node:readline";

/** Does what each line of stdin asks for, until there is none; `does` has a function for each operation. */
export async function serve(does) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { op, ...given } = JSON.parse(line);
    let answer;
    try {
      answer = { answer: (await does[op](given)) ?? null };
    } catch (error) {
      answer = { failed: `${error?.stack ?? error}` };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
