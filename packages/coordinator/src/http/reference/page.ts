/**
 * The reference page at `/docs`: the table of operations for people. One page without scripts, that needs nothing from
 * anywhere else. Start here; each part of the page has a file, `html.ts` is what keeps every text in it harmless.
 */
import { AREAS, areaOf, OPERATION_IDS, OPERATIONS, type OperationId } from '@meshwork/contract';
import { errorSection } from './error-section.ts';
import { Html, html } from './html.ts';
import { intro } from './intro.ts';
import { methodBadge, operationSection } from './operation-section.ts';
import { permissionSection } from './permission-section.ts';
import { referenceStyle } from './style.ts';

export { referenceStyle };

/** The style stands in the page exactly as in `referenceStyle`, so that a policy can allow it by its hash. */
export function referencePage(): string {
  const areas = Object.entries(AREAS).map(([area, about]) => ({
    area,
    ...about,
    ids: OPERATION_IDS.filter((id) => areaOf(id) === area),
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Meshwork API reference</title>
<style>${new Html(referenceStyle)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="#start">${LOGO}Meshwork</a>
<nav aria-label="Contents">
<ul>
<li><a href="#start">Start</a></li>
${areas.map(contents)}
<li><a href="#errors">Errors</a></li>
<li><a href="#permissions">Permissions</a></li>
</ul>
</nav>
</header>
<main id="content" tabindex="-1">
${intro()}
${areas.map(areaSection)}
${errorSection()}
${permissionSection()}
</main>
</body>
</html>
`;
  return page.text;
}

interface Area {
  readonly area: string;
  readonly title: string;
  readonly description: string;
  readonly ids: readonly OperationId[];
}

function contents({ area, title, ids }: Area): Html {
  return html`<li><a href="#${area}">${title}</a>
<ul>
${ids.map(
  (id) => html`<li><a href="#${id}">${methodBadge(OPERATIONS[id].method)} ${OPERATIONS[id].summary}</a></li>
`,
)}</ul></li>
`;
}

function areaSection({ area, title, description, ids }: Area): Html {
  return html`<section class="area" id="${area}" aria-labelledby="${area}-title">
<h2 id="${area}-title"><a href="#${area}">${title}</a></h2>
<p>${description}</p>
<ul class="index">
${ids.map(
  (
    id,
  ) => html`<li><a href="#${id}">${methodBadge(OPERATIONS[id].method)} <code>${OPERATIONS[id].path}</code> <span>${OPERATIONS[id].summary}</span></a></li>
`,
)}</ul>
${ids.map(operationSection)}
</section>
`;
}

const LOGO = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
<g fill="none" stroke="currentColor" stroke-width="1.4"><path d="M5 5 19 8 16 19 5 16Z M5 5 16 19 M19 8 5 16"/></g>
<g fill="currentColor"><circle cx="5" cy="5" r="2.6"/><circle cx="19" cy="8" r="2.6"/><circle cx="16" cy="19" r="2.6"/><circle cx="5" cy="16" r="2.6"/></g>
</svg>`;
