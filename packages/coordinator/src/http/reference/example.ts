import type { Operation } from '@meshwork/contract';
import { type Html, html } from './html.ts';

/** The example of an operation as a command that can be pasted, once `MESH_URL` and `MESH_TOKEN` are set. */
export function curlOf(operation: Operation): string {
  const { method, permission, example } = operation;
  // What curl does by itself: GET, and POST where there is a body.
  const usual = example.body === undefined ? 'GET' : 'POST';
  const lines = [`curl ${method === usual ? '' : `-X ${method} `}"$MESH_URL${exampleUrl(operation)}"`];
  if (permission !== null) lines.push(`-H "Authorization: Bearer $MESH_TOKEN"`);
  if (example.body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`);
    lines.push(`-d ${inSingleQuotes(JSON.stringify(example.body, null, 2))}`);
  }
  return lines.join(' \\\n  ');
}

function exampleUrl({ path, example }: Operation): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? name));
  const query = new URLSearchParams(
    Object.entries(example.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

function inSingleQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON as people indent it, with its keys set apart from its values. */
export function jsonHtml(value: unknown, indent = ''): Html {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => html`${inner}${jsonHtml(item, inner)}${comma(index, value)}\n`);
    return items.length === 0 ? html`[]` : html`[\n${items}${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    const lines = entries.map(
      ([key, item], index) =>
        html`${inner}<span class="key">${JSON.stringify(key)}</span>: ${jsonHtml(item, inner)}${comma(index, entries)}\n`,
    );
    return lines.length === 0 ? html`{}` : html`{\n${lines}${indent}}`;
  }
  return html`<span class="value">${JSON.stringify(value)}</span>`;
}

function comma(index: number, all: readonly unknown[]): string {
  return index < all.length - 1 ? ',' : '';
}
