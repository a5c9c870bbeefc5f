// The style sheet of the page: the same text as in `_html.py`, for its digest stands in the policy of the page.

export const STYLE = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --sunk: #f6f8fa;
  --good: #116329; --bad: #a40e26; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e6edf3; --soft: #9da7b3; --line: #30363d;
  --sunk: #161b22; --good: #56d364; --bad: #ff7b72; --link: #79c0ff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { margin: .5rem 0 0; padding: .5rem .75rem; background: var(--sunk); white-space: pre-wrap; }
article { margin: .75rem 0; padding: .75rem; border: 1px solid var(--line); border-left: .25rem solid var(--bad); }
article.mild { border-left-color: var(--line); }
p { margin: .25rem 0; }
.soft { color: var(--soft); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: start; color: var(--soft); padding: .25rem 0; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: end; }
th:first-child { text-align: start; }
td.bad, tfoot { font-weight: 600; }
details { border-bottom: 1px solid var(--line); padding: .25rem 0; }
summary { cursor: pointer; }
details ul { columns: 22rem; margin: .5rem 0; padding-left: 1.25rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
`;
