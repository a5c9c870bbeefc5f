import type { Answer, Given, Inputs, Operation } from "./contract.js";

export type { Answer };

export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };

/** How strongly a case demands something: a MAY never fails an implementation. */
export type Level = "MUST" | "SHOULD" | "MAY";

/**
 * What a case rests on. `published`: a sentence of one of the five documents implies it; `project`: a decision where they
 * are silent; `hardening`: a decision about hostile input.
 */
export type Tier = "published" | "project" | "hardening";

/** A case of one operation. `given` is complete, and bytes stand in place as `{ $base64: … }`. */
export interface CaseOf<Name extends Operation> {
  /** Permanent name: area, behaviour, variant. */
  id: string;
  /** Path of its file below `root`, with forward slashes. */
  file: string;
  /** The specification and version that it belongs to. */
  spec: string;
  /** The neutral operation, such as `email.receive`. */
  op: Name;
  /** Where the demand is written. */
  section: string;
  level: Level;
  tier: Tier;
  /** What goes wrong for people when this is done otherwise. */
  why: string;
  flags: string[];
  /** Time, entropy, look-ups and settings. */
  given: Given;
  /** What the operation works on. */
  input: Inputs[Name];
  /** The outcome, and what is compared beside it. */
  expect: { [member: string]: Json };
}

/** One case. Its `op` says which `input` there is. */
export type Case = { [Name in Operation]: CaseOf<Name> }[Operation];

/** A document that cases come from, and how many come from it. */
export interface Document {
  label: string;
  title: string;
  version?: string;
  url?: string;
  cases: number;
}

export interface Manifest {
  suite: string;
  protocol: 1;
  specs: string[];
  documents: Document[];
  ops: string[];
  count: number;
  cases: { [id: string]: { file: string; level: Level; tier: Tier; sha256: string } };
}

/** The folder that holds `v0.1/`, `schema/`, `keys/` and `harness/`. */
export declare const root: string;

/** Every case with its file and the digest of its meaning; the versions of suite, line protocol and documents. */
export declare const manifest: Manifest;

/** Every case, ready to be given to an implementation, in the order of files and of places in them. */
export declare function cases(): Generator<Case, void, undefined>;

/** What is wrong with an answer to a case, one sentence each; empty when the case passes. */
export declare function judge(one: Pick<Case, "op" | "expect">, answer: Answer): string[];
