// The file of expected failures: one id or glob a line, and always a reason. A listed case that passes fails the run, as
// does an unlisted one that fails; so the list can only shrink with the truth.

import { fits, isGlob } from "./glob.mjs";
import { lines, partition, strip } from "./values.mjs";

/** @typedef {{pattern: string, why: string, text: string}} Line */

/** The file of expected failures cannot be used. */
export class ExpectedFailuresError extends Error {}

/** @param {Line} line @param {string} id */
const names = (line, id) => line.pattern !== "" && (id === line.pattern || fits(id, line.pattern));

/** Which cases are known to fail, and why. */
export class ExpectedFailures {
  /** @param {Line[]} [listed] */
  constructor(listed = []) {
    this.lines = listed;
  }

  /** From the text of a file. @param {string} text */
  static read(text) {
    const listed = lines(text).map((raw, index) => {
      const [pattern, , why] = partition(raw, "#").map(strip);
      if (pattern && !why) throw new ExpectedFailuresError(`line ${index + 1}: ${pattern} has no \`# why\``);
      return { pattern, why, text: raw };
    });
    return new ExpectedFailures(listed);
  }

  /** The reason a case is expected to fail, or null. @param {string} id */
  why(id) {
    const line = this.lines.find((one) => names(one, id));
    if (line === undefined) return null;
    return line.pattern === id ? line.why : `${line.pattern}: ${line.why}`;
  }

  /** Lines that name no case of the suite. @param {string[]} known */
  stale(known) {
    return this.lines.filter((line) => line.pattern && !known.some((id) => names(line, id))).map((line) => line.pattern);
  }

  /**
   * The text of the file as it should be after a run, where `failed` gives a short reason for each id: lines of cases that
   * passed go, a glob of which some passed becomes the ids that still fail, new failures are added.
   * @param {Map<string, string>} failed @param {string[]} passed @param {string[]} known
   */
  fixed(failed, passed, known) {
    const [gone, listed] = [new Set(passed), new Set()];
    /** @type {string[]} */
    const out = [];
    for (const line of this.lines) {
      const named = known.filter((id) => names(line, id));
      if (!line.pattern || (named.length && !named.some((id) => gone.has(id)))) {
        out.push(line.text);
        for (const id of named) listed.add(id);
      } else if (isGlob(line.pattern)) {
        for (const id of named.filter((one) => !gone.has(one) && !listed.has(one))) {
          out.push(`${id} # ${line.why}`);
          listed.add(id);
        }
      }
    }
    for (const [id, why] of failed) if (!listed.has(id)) out.push(`${id} # ${why}`);
    return out.length ? `${out.join("\n")}\n` : "";
  }

  /** How many lines name cases. */
  get size() {
    return this.lines.filter((line) => line.pattern).length;
  }
}
