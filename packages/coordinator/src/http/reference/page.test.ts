import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  ALL_PERMISSIONS,
  AREAS,
  BUILT_IN_ROLES,
  ERROR_CODES,
  ERRORS,
  errorsOf,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  problemType,
} from '@meshwork/contract';
import { escapeHtml } from './html.ts';
import { referencePage, referenceStyle } from './page.ts';

const page = referencePage();
const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '');
const links = [...page.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link ?? '');

/** From the opening of the element with this id to the next one of its kind. */
function sectionOf(id: string): string {
  const start = page.indexOf(`<section class="operation" id="${id}"`);
  assert.notEqual(start, -1, id);
  return page.slice(start, page.indexOf('</section>', start));
}

const rowOf = (id: string) => page.match(new RegExp(`<tr role="row" id="${id}"[\\s\\S]*?</tr>`))?.[0] ?? '';

for (const id of OPERATION_IDS) {
  const operation: Operation = OPERATIONS[id];
  test(`the page describes ${id}: its endpoint, its permission, its parameters and every error`, () => {
    const section = sectionOf(id);
    assert.ok(section.includes(escapeHtml(operation.summary)));
    assert.ok(section.replaceAll('<wbr>', '').includes(`<code>${operation.path}</code>`));
    assert.ok(section.includes(`>${operation.method}</span>`));
    const access = operation.permission === null ? 'no token needed' : `href="#permission-${operation.permission}"`;
    assert.ok(section.includes(access));
    const fields = [operation.params, operation.query, operation.body].flatMap((schema) =>
      Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
    );
    for (const field of fields) assert.ok(section.includes(`<code>${field}</code>`), field);
    for (const code of errorsOf(operation)) assert.ok(section.includes(`href="#problem-${code}"`), code);
  });
}

test('the type of every problem leads to its row in the table of errors', () => {
  for (const code of ERROR_CODES) {
    const anchor = problemType(code).replace('/docs#', '');
    assert.ok(rowOf(anchor).includes(escapeHtml(`${ERRORS[code].title}.`)), code);
    assert.ok(rowOf(anchor).includes(String(ERRORS[code].status)), code);
  }
});

test('every permission says which roles have it', () => {
  const roles = Object.entries<{ readonly permissions: readonly string[] }>(BUILT_IN_ROLES);
  for (const permission of ALL_PERMISSIONS) {
    const granted = [...rowOf(`permission-${permission}`).matchAll(/class="role">(\w+)</g)].map(([, role]) => role);
    const expected = roles.filter(([, { permissions }]) => permissions.includes(permission)).map(([name]) => name);
    assert.deepEqual(granted, expected, permission);
  }
});

test('the contents lead to every area and every operation', () => {
  const contents = page.slice(page.indexOf('<nav'), page.indexOf('</nav>'));
  for (const id of [...Object.keys(AREAS), ...OPERATION_IDS, 'errors', 'permissions']) {
    assert.ok(contents.includes(`href="#${id}"`), id);
  }
});

test('every link within the page has its target, and no two places share a name', () => {
  assert.equal(new Set(ids).size, ids.length);
  for (const link of links.filter((each) => each.startsWith('#'))) assert.ok(ids.includes(link.slice(1)), link);
});

test('the page needs nothing from elsewhere and runs nothing', () => {
  assert.deepEqual(new Set(links.filter((link) => !link.startsWith('#'))), new Set(['/v1/openapi.json']));
  const addresses = [...page.matchAll(/https?:\/\/[^\s"<&]*/g)].map(([address]) => address);
  const isExample = (address: string) =>
    /^example\.(com|net)$/.test(new URL(address).hostname.split('.').slice(-2).join('.'));
  assert.deepEqual(new Set(addresses.filter((address) => !isExample(address))), new Set(['http://127.0.0.1:7400']));
  assert.doesNotMatch(page, /<(script|link|img|iframe|object|embed|base|form)\b/i);
  assert.doesNotMatch(page, /<[^>]+\s(src|srcset|style|on\w+)=/i);
  assert.doesNotMatch(referenceStyle, /url\(|@import|image-set|</i);
});

test('a policy can allow the style by its hash', () => {
  const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style ?? '');
  const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');
  assert.deepEqual(styles.map(sha256), [sha256(referenceStyle)]);
});

test('every element is closed where it should be', () => {
  const open: string[] = [];
  for (const [, end, name = ''] of page.replace(/<style>.*<\/style>/s, '').matchAll(/<(\/?)([a-z][a-z0-9]*)\b/g)) {
    if (['meta', 'wbr', 'path', 'circle'].includes(name)) continue;
    if (end === '') open.push(name);
    else assert.equal(name, open.pop());
  }
  assert.deepEqual(open, []);
});

test('nothing is left unsaid or half said', () => {
  assert.doesNotMatch(page, /undefined|\[object|NaN|\$\{/);
});
