// What every operation throws when it refuses what it was given. Of a refusal only the code is compared.

export class Rejected extends Error {
  code: string;

  constructor(code = "malformed") {
    super(code);
    this.code = code;
  }
}

/** The one who asks has asked for what makes no sense: a fault of a program, and no answer to anybody. */
export class Misuse extends Rejected {}

/** What is read, or the refusal of this kind. */
export function attempt<T, R extends Rejected>(read: () => T, kind: abstract new (...given: never[]) => R): T | R {
  try {
    return read();
  } catch (error) {
    if (error instanceof kind) return error;
    throw error;
  }
}

/** What a step of a story gives, or its refusal; a misuse is a fault of the case. */
export function attemptStep<T>(step: () => T): T | Rejected {
  const found = attempt(step, Rejected);
  if (found instanceof Misuse) throw found;
  return found;
}

/** What is read; undefined for what is refused. */
export function readOrNone<T>(read: () => T): T | undefined {
  const found = attempt(read, Rejected);
  return found instanceof Rejected ? undefined : found;
}

/** Refuse unless `fits`; without a code it is a misuse. */
export function must(fits: unknown, code?: string): asserts fits {
  if (!fits) throw code === undefined ? new Misuse() : new Rejected(code);
}
