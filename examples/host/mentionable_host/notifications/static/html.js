// @ts-check
/** HTML of an agent, which the host has sanitised: what is not on these lists is left out once more. */

const ELEMENTS = new Set(
  ("a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul").split(" "),
);
const WITHOUT_TEXT = new Set(["script", "style", "template", "title", "iframe", "object", "svg", "math"]);
const HEADING = /^h[1-6]$/;
const MAX_DEPTH = 50;
const MAX_NODES = 5_000;

// Browsers without Trusted Types take the text itself.
const types = /** @type {any} */ (globalThis).trustedTypes;
const policy = types?.createPolicy("notifications", { createHTML: (/** @type {string} */ html) => html });

/**
 * The nodes of HTML, made anew.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function nodesOf(html) {
  // A document of its own: nothing in it runs or loads.
  const found = new DOMParser().parseFromString(policy ? policy.createHTML(html) : html, "text/html");
  const fragment = document.createDocumentFragment();
  copy(found.body, fragment, { nodes: 0 }, 0);
  return fragment;
}

/**
 * @param {Node} from
 * @param {Node} to
 * @param {{nodes: number}} count
 * @param {number} depth
 */
function copy(from, to, count, depth) {
  for (const node of from.childNodes) {
    if (++count.nodes > MAX_NODES || depth > MAX_DEPTH) return;
    if (node instanceof Text) to.appendChild(document.createTextNode(node.data));
    if (!(node instanceof Element) || WITHOUT_TEXT.has(node.localName)) continue;
    const name = HEADING.test(node.localName) ? "h4" : node.localName; // the page has the levels above
    const made = ELEMENTS.has(node.localName) ? document.createElement(name) : null;
    if (made) to.appendChild(made);
    if (made instanceof HTMLAnchorElement) lead(made, node.getAttribute("href") ?? "");
    copy(node, made ?? to, count, depth + 1);
  }
}

/**
 * Lets a link lead somewhere, where it is one to the web or to a mailbox.
 * @param {HTMLAnchorElement} link
 * @param {string} href
 */
function lead(link, href) {
  if (!/^(https?:|mailto:)/i.test(href)) return;
  link.href = href;
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}
