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

/** Refuse unless `fits`; without a code it is a misuse. */
export function must(fits: unknown, code?: string): asserts fits {
  if (!fits) throw code === undefined ? new Misuse() : new Rejected(code);
}
