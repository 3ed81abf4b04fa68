/** The whole style of the page. Colours are pairs for light and dark, each at least 4.5 : 1 on what it stands on. */
export const referenceStyle = `
:root {
  color-scheme: light dark;
  --page: #fbfaf7; --panel: #ffffff; --sunk: #f2f0ea; --line: #e0dcd2;
  --text: #22262e; --soft: #5b6270; --accent: #0b6b62; --focus: #0b6b62; --marked: #fdf3cf;
  --get: #0b6b62; --post: #1d55b8; --put: #8a5300; --patch: #7a3fb0; --delete: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14171c; --panel: #1a1e25; --sunk: #20252d; --line: #303742;
    --text: #e3e6ea; --soft: #a0a8b5; --accent: #5fd0c0; --focus: #5fd0c0; --marked: #3a3413;
    --get: #5fd0c0; --post: #8ab6ff; --put: #e9b566; --patch: #cda4f5; --delete: #ff9d94;
  }
}
* { box-sizing: border-box; }
html { font-size: clamp(100%, 0.5vw + 8px, 125%); scroll-padding-top: 1.5rem; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
  overflow-wrap: break-word;
}
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; font-size: 0.875em; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
p { margin: 0.6rem 0; max-width: 46rem; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 2.25rem; letter-spacing: -0.02em; margin: 0; }
h2 { font-size: 1.6rem; letter-spacing: -0.01em; margin: 0 0 0.5rem; }
h3 { font-size: 1.2rem; margin: 0; }
h4 { font-size: 0.95rem; margin: 1.75rem 0 0.25rem; }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; text-decoration-thickness: 1px; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; background: var(--panel); z-index: 2; }
.skip:focus { top: 1rem; }

header { padding: 1rem 1.25rem; border-bottom: 1px solid var(--line); }
.brand {
  display: inline-flex; align-items: center; gap: 0.6rem;
  color: var(--text); font-weight: 650; font-size: 1.1rem; text-decoration: none;
}
.brand svg { color: var(--accent); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; margin-top: 0.6rem; }
nav a { display: inline-block; padding: 0.2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav ul ul { display: none; }
main { padding: 1.75rem 1.25rem 5rem; container: content / inline-size; }

.lead { font-size: 1.15rem; color: var(--soft); }
.lesson { margin-top: 2rem; }
.intro h2 { font-size: 1.25rem; }
.intro dl { margin-top: 1rem; }
.rules div { padding: 0.65rem 0; border-top: 1px solid var(--line); }
.rules dt { font-weight: 600; }
.rules dd { margin: 0; max-width: 46rem; }

.area { margin-top: 4rem; padding-top: 2.25rem; border-top: 2px solid var(--text); }
.area > p { color: var(--soft); font-size: 1.05rem; margin-top: 0; }
.index { list-style: none; margin: 1rem 0 0; padding: 0; }
.index a { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.75rem; padding: 0.35rem 0; text-decoration: none; }
.index a code { color: var(--text); min-width: 17rem; }
.index a span:last-child { color: var(--soft); }
.index a:hover span:last-child { text-decoration: underline; }

.operation { margin-top: 2.5rem; padding-top: 2rem; border-top: 1px solid var(--line); }
.operation:target > .prose > h3 { background: var(--marked); box-shadow: 0 0 0 0.35rem var(--marked); border-radius: 2px; }
.endpoint { margin: 0.5rem 0 0.75rem; display: flex; align-items: baseline; gap: 0.6rem; }
.endpoint code { font-size: 0.95rem; overflow-wrap: anywhere; }
.method {
  display: inline-block; font: 600 0.72rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
  letter-spacing: 0.03em; color: var(--soft); flex: none;
}
.endpoint .method, .index .method { min-width: 3.9rem; text-align: center; border: 1px solid; border-radius: 4px; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); }
.patch { color: var(--patch); } .delete { color: var(--delete); }
.facts { margin: 1rem 0; font-size: 0.925rem; }
.facts div { display: flex; gap: 0.75rem; padding: 0.15rem 0; }
.facts dt { flex: 0 0 6rem; color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }

table { width: 100%; border-collapse: collapse; margin: 0.4rem 0 0.9rem; font-size: 0.925rem; line-height: 1.5; }
caption:not(.unseen) { text-align: left; color: var(--soft); font-size: 0.85rem; padding: 0.25rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; font-weight: inherit; }
tr > :last-child { padding-right: 0; }
thead th { color: var(--soft); font-size: 0.8rem; padding-block: 0.2rem; }
tbody tr { border-top: 1px solid var(--line); }
tbody tr:target { background: var(--marked); }
.fields th:first-child { width: 32%; }
.fields th:nth-child(2) { width: 26%; }
.fields th code { overflow-wrap: anywhere; }
.within, .aside { color: var(--soft); }
.aside { display: block; font-size: 0.85em; overflow-wrap: anywhere; }
.needed { color: var(--accent); font-size: 0.85em; }
.depth-1 > th { padding-left: 0.9rem; } .depth-2 > th { padding-left: 1.8rem; } .depth-3 > th { padding-left: 2.7rem; }
details { margin: 0.75rem 0; }
summary { cursor: pointer; color: var(--accent); width: fit-content; padding: 0.2rem 0; }
.codes { columns: 17rem; column-gap: 1.5rem; list-style: none; padding: 0; margin: 0.5rem 0; font-size: 0.925rem; }
.codes li { break-inside: avoid; }
.codes a { display: inline-block; padding: 0.15rem 0; text-decoration: none; }
.codes a:hover { text-decoration: underline; }
.status { color: var(--soft); font-variant-numeric: tabular-nums; }
.mark { display: inline-block; border: 1px solid var(--line); border-radius: 4px; padding: 0 0.4rem; font-size: 0.8rem; color: var(--soft); }
.errors th code { white-space: nowrap; }

figure { margin: 0 0 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
figcaption { padding: 0.45rem 0.9rem; font-size: 0.85rem; color: var(--soft); background: var(--sunk); }
figcaption b { float: right; font-weight: 600; font-variant-numeric: tabular-nums; }
pre { margin: 0; padding: 0.8rem 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.55; border-top: 1px solid var(--line); }
pre code { font-size: 0.82rem; }
.key { color: var(--post); } .value { color: var(--get); }

.permissions td:nth-child(n + 3) { text-align: center; }
.permissions thead th:nth-child(n + 3) { text-align: center; }
.tick { color: var(--accent); font-weight: 700; }
.opens { display: block; font-size: 0.9em; }
.opens a { margin-right: 0.4rem; }
.role, .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 79.99rem) { .prose { margin-bottom: 1.5rem; } .shown + .prose { margin-top: 2.5rem; } }

/* Where a table has no room it becomes blocks; how much it needs depends on its columns. */
@container content (max-width: 44rem) {
  .fields, .roles, .fields caption:not(.unseen) { display: block; }
  :is(.fields, .roles) :is(tbody, tr, th, td) { display: block; padding: 0; width: auto; }
  :is(.fields, .roles) tbody tr { padding: 0.55rem 0; }
  :is(.fields, .roles) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .fields tbody .depth-1 { padding-left: 1rem; } .fields tbody .depth-2 { padding-left: 2rem; }
  .fields tbody .depth-3 { padding-left: 3rem; }
  .fields tbody th, .fields tbody td:nth-child(2), .fields .aside { display: inline; }
  .fields td:nth-child(2) { color: var(--soft); margin-left: 0.4rem; }
}
@container content (max-width: 60rem) {
  .errors, .permissions, .permissions caption { display: block; }
  :is(.errors, .permissions) :is(tbody, tr, th, td) { display: block; padding: 0; }
  :is(.errors, .permissions) tbody tr { padding: 0.55rem 0; }
  :is(.errors, .permissions) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .errors tbody tr > :nth-child(-n + 3) { display: inline-block; margin-right: 0.6rem; }
  .errors td:last-child { color: var(--soft); }
  .permissions td:nth-child(n + 3) { display: inline-block; }
  .permissions td:has(.no) { display: none; }
  .tick { display: none; }
  .role {
    position: static; display: inline-block; width: auto; height: auto; clip-path: none; margin: 0.3rem 0.3rem 0 0;
    border: 1px solid var(--line); border-radius: 4px; padding: 0 0.4rem; font-size: 0.8rem; color: var(--soft);
  }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 1fr); max-width: 118rem; margin: 0 auto; }
  header { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1.25rem 2rem 1.75rem; border: 0; border-right: 1px solid var(--line); }
  nav > ul { display: block; margin-top: 1.5rem; }
  nav > ul > li { margin-bottom: 0.9rem; }
  nav > ul > li > a { color: var(--text); font-weight: 600; }
  nav ul ul { display: block; margin-top: 0.15rem; }
  nav ul ul a { display: flex; gap: 0.6rem; align-items: baseline; color: var(--soft); font-size: 0.88rem; line-height: 1.35; padding: 0.22rem 0; }
  nav ul ul a:hover { color: var(--text); }
  nav .method { flex: 0 0 3.1rem; font-size: 0.65rem; }
  main { padding: 3rem 3rem 6rem; }
}
@media (min-width: 80rem) {
  .operation, .lesson { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); gap: 3rem; }
  .lesson { row-gap: 0; }
  .lesson .prose + .shown { grid-row: 1 / span 2; grid-column: 2; }
  .lesson .shown + .prose { grid-row: 2 / span 2; grid-column: 1; margin-top: 2rem; }
  .lesson .shown:last-child { grid-row: 3; }
}
`;
