"""What pages are asked in the browser: names, contrast, width."""

UNNAMED = """() => [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a[href]')]
    .filter((one) => !(one.labels && one.labels.length) && !one.innerText.trim() && !one.getAttribute('aria-label'))
    .map((one) => one.outerHTML)"""
IDS = """() => [...document.querySelectorAll('[id]')].map((one) => one.id)"""
LEVELS = """() => [...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]))"""
WIDER = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""
CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((c) => c / 255)
      .map((c) => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$|transparent/.test(color)) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const found = [];
  for (const one of document.querySelectorAll('body *')) {
    const has = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!has || !one.checkVisibility()) continue;
    const [a, b] = [light(getComputedStyle(one).color), light(ground(one))].sort((x, y) => y - x);
    const ratio = (a + .05) / (b + .05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${one.outerHTML.slice(0, 120)}`);
  }
  return found;
}"""
