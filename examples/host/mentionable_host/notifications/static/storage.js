// @ts-check
/** What this browser keeps for the page, by name: whether there is a sound, and what waits to be sent. */

/**
 * What this browser keeps under a name; null where it keeps nothing.
 * @param {string} key
 */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps it, where the browser lets a page keep anything.
 * @param {string} key
 * @param {string} value
 */
export function write(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // a private window, or a full one: it lasts as long as the page
  }
}
