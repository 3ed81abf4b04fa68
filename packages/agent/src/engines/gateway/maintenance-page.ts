/** What people see while an ingress is under maintenance. It loads nothing, and runs nothing. */
import { createHash } from 'node:crypto';
import type { IngressAssignment } from '@meshwork/contract';
import { pageFile } from './gateway-files.ts';

const STYLE = `:root { color-scheme: light dark; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center;
  font: 1.125rem/1.6 system-ui, sans-serif; background: #f6f7f9; color: #1c2430;
}
main { box-sizing: border-box; max-width: 40rem; padding: 2rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1rem; font-weight: 600; color: #5a6675; }
p { margin: 0; white-space: pre-line; }
@media (prefers-color-scheme: dark) {
  body { background: #12161c; color: #e6eaf0; }
  h1 { color: #9aa7b8; }
}`;

/** Only this style counts, and nothing else is loaded, whatever the message is taken for. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** By name of the file. */
export function maintenancePages(section: readonly IngressAssignment[]): ReadonlyMap<string, string> {
  return new Map(
    section.flatMap(({ id, hostname, kind, maintenance }) => {
      if (kind !== 'http' || maintenance === null) return [];
      const message = maintenance.message.toWellFormed();
      return [
        [pageFile(id, 'html'), pageOf(hostname, message)] as const,
        [pageFile(id, 'txt'), `${message}\n`] as const,
      ];
    }),
  );
}

function pageOf(hostname: string, message: string): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(hostname)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(hostname)}</h1>
<p dir="auto">${escaped(message)}</p>
</main>
</body>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}
