/** Every filter of every operation refuses what it cannot mean, and says what it takes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HttpOperation, MeshError, OPERATIONS, PANEL_OPERATIONS } from '@meshwork/contract';
import { validationOf } from './validation.ts';

/** Not filters: a part of a text, a note, and what only the use case can read. A cursor is read by the list that gave it. */
const ANY_TEXT: ReadonlySet<string> = new Set([
  'nodes.list q',
  'peers.graph q',
  'tokens.list q',
  'users.list q',
  'ca.certificates q',
  'audit.list target',
  'trail.list target',
  'acls.replace note',
  'acls.restore note',
  'acls.explain from',
  'acls.explain to',
  'acls.explain port',
]);
/** What a provider of identities adds to its answer is its own affair. */
const TAKES_MORE = 'auth.oidc_callback';
const NONSENSE = '!none-such!';

interface Filter {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly { readonly const?: unknown }[];
}

function refusal(check: () => unknown): MeshError {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof MeshError && error.code === 'invalid', String(error));
    return error;
  }
  throw new Error('It was taken.');
}

const operations: readonly (readonly [string, HttpOperation])[] = [
  ...Object.entries<HttpOperation>(OPERATIONS),
  ...Object.entries<HttpOperation>(PANEL_OPERATIONS),
];

describe('the query of', () => {
  for (const [id, operation] of operations) {
    const { query } = validationOf(operation);
    const example = { ...(operation.example.query as object | undefined) };
    const names = Object.keys(operation.query?.properties ?? {});

    if (id !== TAKES_MORE)
      it(`${id} takes no parameter that it does not know, and names those it does`, () => {
        const { errors = [] } = refusal(() => query({ ...example, surprise: 'x' }));
        assert.equal(errors[0]?.pointer, 'query/surprise');
        for (const name of names.length === 0 ? ['none'] : names)
          assert.match(errors[0]?.detail ?? '', new RegExp(`\\b${name}\\b`));
      });

    for (const name of names) {
      if (name === 'cursor' || ANY_TEXT.has(`${id} ${name}`)) continue;
      it(`${id} takes no nonsense as ${name}`, () => {
        const { errors = [] } = refusal(() => query({ ...example, [name]: NONSENSE }));
        assert.equal(errors[0]?.pointer, `query/${name}`);
        const filter = operation.query?.properties[name] as Filter;
        const allowed =
          filter.enum ?? filter.anyOf?.flatMap((one) => (one.const === undefined ? [] : [one.const])) ?? [];
        for (const value of allowed) assert.ok(errors[0]?.detail.includes(String(value)), errors[0]?.detail);
      });
    }
  }
});
