export class FactError extends Error {}
export const facts = () => { throw new FactError("none yet"); };
