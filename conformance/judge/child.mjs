// One running program: lines go in, lines come out, in time, and nothing of it is left behind.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import process, { env, kill, platform } from "node:process";

import { errorText } from "./files.mjs";
import { dumps } from "./json.mjs";
import { Broken, answerOn } from "./line.mjs";
import { numberText, repr } from "./values.mjs";

const LINE_LIMIT = 16 * 1024 * 1024;
/** So many bytes has the answer to `start` at most: it names a harness and its operations. */
const START_LIMIT = 64 * 1024;
const EXIT_SECONDS = 2;
const AT_LEAST_SECONDS = 0.01;
const NEWLINE = 10;

/** A running program. */
export class Child {
  /** Start it. @param {string[]} command @returns {Promise<Child>} */
  static start(command) {
    const [program, ...words] = command;
    const isLeader = platform !== "win32"; // of a group of its own, which ends with it
    const started = spawn(program, words, {
      stdio: ["pipe", "pipe", "inherit"],
      detached: isLeader,
      env: { ...env, PYTHONIOENCODING: "utf-8" },
    });
    return new Promise((resolve, reject) => {
      started.once("spawn", () => resolve(new Child(started)));
      started.once("error", (error) => {
        reject(new Error(`cannot start ${repr(program)}: ${errorText(error)}`));
      });
    });
  }

  /** @param {import("node:child_process").ChildProcessByStdio<import("node:stream").Writable, import("node:stream").Readable, null>} started */
  constructor(started) {
    this.process = started;
    /** What was read and is not a whole line yet. @type {Buffer[]} */
    this.pieces = [];
    this.isAtEnd = false;
    this.kill = this.kill.bind(this);
    process.once("exit", this.kill); // it leads a group of its own, which would go on without us
    /** How it ended. @type {number | null} */
    this.status = null;
    this.exited = new Promise((resolve) => {
      started.once("exit", (code, signal) => {
        this.status = code ?? -constants.signals[/** @type {NodeJS.Signals} */ (signal)];
        resolve(undefined);
      });
    });
    started.on("error", () => {});
    started.stdin.on("error", () => {}); // it is gone, as its output will tell
    started.stdout.on("error", () => {});
    started.stdout.on("end", () => (this.isAtEnd = true));
    started.stdout.on("close", () => (this.isAtEnd = true));
  }

  /** Send one line. @param {Map<string, any>} line */
  say(line) {
    this.process.stdin.write(`${dumps(line, { ascii: true, compact: true })}\n`);
  }

  /** Send one line and read one, in time. @param {Map<string, any>} line @param {number} seconds @param {string} what @returns {Promise<Map<string, any>>} */
  async exchange(line, seconds, what) {
    this.say(line);
    let answered = await this.line(seconds);
    if (answered === null) {
      if (this.status === null) throw new Broken(`no answer to ${what} within ${general(seconds)} s`);
      answered = Buffer.alloc(0); // what it left behind holds its output open
    }
    if (!answered.length) throw new Broken(`ended${await this.exit()} before it answered ${what}`);
    if (what === "start" && answered.length > START_LIMIT) {
      throw new Broken(`answered start with more than ${START_LIMIT} bytes`);
    }
    if (answered.at(-1) !== NEWLINE) {
      const isCut = answered.length >= LINE_LIMIT;
      throw new Broken(isCut ? `answered with more than ${LINE_LIMIT} bytes` : "ended in the middle of a line");
    }
    return answerOn(answered);
  }

  /**
   * The next line with its end; what is left when nothing more comes, perhaps nothing; null when it does not come in time.
   * No more is read than it takes: whoever talks without end fills its own pipe.
   * @param {number} seconds @returns {Promise<Buffer | null>}
   */
  line(seconds) {
    const { stdout } = this.process;
    let length = this.pieces.reduce((sum, one) => sum + one.length, 0);
    return new Promise((resolve) => {
      /** @param {Buffer | null} found */
      const finish = (found) => {
        clearTimeout(timer);
        stdout.off("readable", look).off("end", look).off("close", look);
        resolve(found);
      };
      const whole = (/** @type {number} */ end) => {
        const all = Buffer.concat(this.pieces);
        this.pieces = end < all.length ? [all.subarray(end)] : [];
        finish(all.subarray(0, end));
      };
      const look = () => {
        for (;;) {
          const last = this.pieces.at(-1);
          const place = last ? last.indexOf(NEWLINE) : -1;
          if (last && place >= 0) return whole(length - last.length + place + 1);
          if (length >= LINE_LIMIT) return whole(length);
          const piece = stdout.read();
          if (piece === null) return this.isAtEnd ? whole(length) : undefined;
          this.pieces.push(piece);
          length += piece.length;
        }
      };
      const timer = setTimeout(finish, seconds * 1000, null);
      stdout.on("readable", look).on("end", look).on("close", look);
      look();
    });
  }

  /** How the program ended, for a message. */
  async exit() {
    await this.ended(EXIT_SECONDS);
    return this.status === null ? "" : ` with status ${this.status}`;
  }

  /** Wait until it has ended, but not for long. @param {number} seconds */
  async ended(seconds) {
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, seconds * 1000)));
    await Promise.race([this.exited, late]);
    clearTimeout(timer);
  }

  /** Wait a moment, then end the program with its children, and close the pipes. @param {number} grace */
  async end(grace) {
    this.process.stdin.end();
    await this.ended(grace || AT_LEAST_SECONDS);
    this.kill();
    process.off("exit", this.kill);
    await this.exited;
    this.process.stdin.destroy();
    this.process.stdout.destroy();
  }

  /** End the whole group that the program leads. */
  kill() {
    try {
      if (platform === "win32") this.process.kill("SIGKILL");
      else kill(-Number(this.process.pid), "SIGKILL");
    } catch {
      // nothing of it is left
    }
  }
}

/** A number of seconds without needless digits. @param {number} seconds */
const general = (seconds) => numberText(Number(seconds.toPrecision(6))).replace(/\.0$/, "");
