import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Check, Errors } from 'typebox/value';
import { AREA_LIST } from './areas/areas.ts';
import { ERROR_CODES } from './error-table.ts';
import { errorsOf, isMutation, type Operation, takesIfMatch } from './operation.ts';
import { AREAS, areaOf, OPERATION_IDS, OPERATIONS } from './operations.ts';
import { isPermission } from './permissions.ts';
import type { TSchema } from './type.ts';

const WITHIN_A_BOUNDARY = new Set<string>(AREA_LIST.flatMap((area) => ('bounded' in area ? [area.name] : [])));

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

function* within(schema: Shape, at: string): Generator<{ readonly schema: Shape; readonly at: string }> {
  yield { schema, at };
  const named = { ...schema.properties, ...schema.patternProperties };
  for (const [name, inner] of Object.entries(named)) yield* within(inner, `${at}/${name}`);
  if (schema.items !== undefined) yield* within(schema.items, `${at}/items`);
  for (const inner of schema.anyOf ?? []) yield* within(inner, at);
}

function assertFits(schema: TSchema | undefined, value: unknown, what: string): void {
  if (schema === undefined) assert.equal(value, undefined, `there is no schema for the example of ${what}`);
  else assert.ok(Check(schema, value), `${what}: ${JSON.stringify(Errors(schema, value))}`);
}

for (const id of OPERATION_IDS) {
  const operation: Operation = OPERATIONS[id];
  describe(id, () => {
    test('needs one permission of the catalogue, or openly none', () => {
      assert.ok(operation.permission === null || isPermission(operation.permission), String(operation.permission));
    });

    test('belongs to an area that the reference shows, and says in one line what it does', () => {
      assert.ok(areaOf(id) in AREAS, areaOf(id));
      assert.match(operation.summary, /^[A-Z][^\n]{3,79}[^.\n]$/);
    });

    test('has the parameters in its path that its schema describes', () => {
      const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(inPath, Object.keys(operation.params?.properties ?? {}));
      assert.deepEqual(inPath, operation.params?.required ?? []);
    });

    test('reaches the whole mesh when it changes what no boundary owns', () => {
      if (id === 'acls.probe') return; // it changes nothing, and asks only nodes that the caller may see
      if (isMutation(operation) && !WITHIN_A_BOUNDARY.has(areaOf(id))) assert.equal(operation.reach, 'mesh');
    });

    test('shows an example that its own schemas accept', () => {
      const { params, query, body, answer } = operation.example;
      assertFits(operation.params, params, 'params');
      assertFits(operation.query, query ?? (operation.query && {}), 'query');
      assertFits(operation.body, body, 'body');
      assertFits(operation.answer.schema, answer, 'answer');
      const { otherwise } = operation.answer;
      if (otherwise !== undefined) assertFits(operation.answer.schema, otherwise.example, String(otherwise.status));
    });

    test('refuses unknown fields at every level of a request', () => {
      for (const part of ['query', 'body'] as const) {
        for (const { schema, at } of within((operation[part] ?? {}) as Shape, part)) {
          if (schema.type === 'object') assert.equal(schema.additionalProperties, false, at);
        }
      }
      const strange = { ...(operation.example.body as object), surprise: true };
      if (operation.body !== undefined) assert.equal(Check(operation.body, strange), false);
    });

    test('says of every parameter and field what it means', () => {
      for (const part of ['params', 'query', 'body'] as const) assertMeaning(operation[part], part);
      assertMeaning(operation.answer.schema, 'answer');
    });

    test('fails only with codes that exist, each named once', () => {
      for (const code of errorsOf(operation)) assert.ok(ERROR_CODES.includes(code), code);
      assert.equal(new Set(operation.errors).size, operation.errors.length);
    });

    test('refuses anonymous callers exactly when it needs a permission', () => {
      const isKnown = operation.permission !== null || operation.caller !== undefined;
      assert.equal(errorsOf(operation).includes('credentials_missing'), isKnown);
      assert.equal(errorsOf(operation).includes('permission_denied'), operation.permission !== null);
    });
  });
}

function assertMeaning(schema: TSchema | undefined, part: string): void {
  for (const { schema: inner, at } of within((schema ?? {}) as Shape, part)) {
    for (const [name, field] of Object.entries(inner.properties ?? {})) {
      const meaning = field.description ?? field.anyOf?.find((choice) => choice.description)?.description;
      assert.match(meaning ?? '', /\S/, `${at}/${name}`);
    }
  }
}

test('no two operations share a method and a path', () => {
  const endpoints = OPERATION_IDS.map(
    (id) => `${OPERATIONS[id].method} ${OPERATIONS[id].path.replace(/\{\w+\}/g, '{}')}`,
  );
  assert.deepEqual(
    endpoints.filter((endpoint, index) => endpoints.indexOf(endpoint) !== index),
    [],
  );
});

test('every area has an operation', () => {
  assert.deepEqual(new Set(OPERATION_IDS.map(areaOf)), new Set(Object.keys(AREAS)));
});

test('a write honours If-Match only where there is a version to match', () => {
  const honouring = OPERATION_IDS.filter((id) => takesIfMatch(OPERATIONS[id]));
  assert.ok(honouring.includes('tokens.revoke'));
  assert.ok(honouring.includes('settings.update'));
  assert.ok(!honouring.includes('tokens.create'), 'nothing is there yet');
  assert.ok(!honouring.includes('tokens.show'), 'a read changes nothing');
});
