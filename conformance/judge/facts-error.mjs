// What is said of an answer in which a fact cannot be found.

/** An answer contradicts itself, or is not of the form that its operation has. */
export class FactError extends Error {}
