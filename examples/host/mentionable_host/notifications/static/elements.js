// @ts-check
/** Elements of the page. */

/**
 * An element that the page has.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * A new element with a class and what is in it; text is never read as HTML.
 * @param {string} name
 * @param {string} className
 * @param {...(Node | string)} content
 * @returns {HTMLElement}
 */
export function make(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

/**
 * A button that does something.
 * @param {string} label
 * @param {() => void} act
 * @returns {HTMLElement}
 */
export function button(label, act) {
  const made = make("button", "", label);
  made.setAttribute("type", "button");
  made.addEventListener("click", act);
  return made;
}

/**
 * The beginning of a text, in one line.
 * @param {string} text
 * @param {number} length
 */
export function excerpt(text, length) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
