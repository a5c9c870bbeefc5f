// The bytes of files as text, and what is wrong with a file or a program.

import { NotJson } from "./json.mjs";

/** @type {{[code: string]: string}} */
const REASONS = {
  EACCES: "Permission denied",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOEXEC: "Exec format error",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
};

/** What is wrong with a file or a program, in the words of the system. @param {unknown} error @returns {string} */
export function errorText(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  return REASONS[code ?? ""] ?? code ?? message;
}

/** The text of bytes that must be UTF-8. @param {Uint8Array} data */
export function utf8(data) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw new NotJson("not UTF-8");
  }
}
