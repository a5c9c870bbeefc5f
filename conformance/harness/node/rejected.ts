// What every operation throws when it refuses what it was given. Of a refusal only the code is compared.

export class Rejected extends Error {
  code: string;

  constructor(code = "malformed") {
    super(code);
    this.code = code;
  }
}

/** Refuse unless `fits`. */
export function must(fits: unknown, code?: string): asserts fits {
  if (!fits) throw new Rejected(code);
}
