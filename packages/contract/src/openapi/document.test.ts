import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERRORS, type ErrorCode } from '../error-table.ts';
import { errorsOf, type Operation, takesIfMatch } from '../operation.ts';
import { AREAS, areaOf, OPERATION_IDS, OPERATIONS } from '../operations.ts';
import { isRepeatable } from '../wire/wire-operation.ts';
import { openApiDocument } from './document.ts';
import { exampleProblem } from './example-problem.ts';

interface Content {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly 'x-permission': string | null;
  readonly 'x-reach': string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

// Through JSON, because that is what clients receive.
const document = JSON.parse(JSON.stringify(openApiDocument()));
const documented = new Map<string, Described>();
for (const methods of Object.values<Record<string, Described>>(document.paths)) {
  for (const operation of Object.values(methods)) documented.set(operation.operationId, operation);
}

function lookUp(ref: string): unknown {
  assert.ok(ref.startsWith('#/'), ref);
  return ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

function assertDocuments(described: Described, code: ErrorCode): void {
  const { description, content } = described.responses[ERRORS[code].status] ?? {};
  assert.match(description ?? '', new RegExp(`\`${code}\`: ${ERRORS[code].title}\\.`));
  const example = content?.['application/problem+json']?.examples?.[code];
  assert.deepEqual(lookUp(example?.$ref ?? ''), { value: exampleProblem(code) });
}

function* everything(value: unknown): Generator<[key: string, value: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield [key, inner];
    yield* everything(inner);
  }
}

test('the document holds exactly the operations of the table, under their methods and paths', () => {
  assert.deepEqual([...documented.keys()].toSorted(), OPERATION_IDS.toSorted());
  for (const id of OPERATION_IDS) {
    const { method, path } = OPERATIONS[id];
    assert.equal(document.paths[path]?.[method.toLowerCase()]?.operationId, id);
  }
});

for (const id of OPERATION_IDS) {
  const operation: Operation = OPERATIONS[id];
  describe(`${id} in the document`, () => {
    const described = documented.get(id);
    assert.ok(described);

    test('says which permission and reach it needs, to programs and to people', () => {
      assert.equal(described['x-permission'], operation.permission);
      assert.equal(described['x-reach'], operation.reach);
      const isNodes = operation.caller === 'node';
      const isOpen = operation.permission === null && !isNodes;
      assert.deepEqual(described.security, isOpen ? [] : [{ [isNodes ? 'node' : 'bearer']: [] }]);
      const needed = isNodes ? 'Needs the session of the node itself.' : 'Needs no credentials.';
      assert.ok(described.description.includes(operation.permission ?? needed));
      assert.deepEqual(described.tags, [areaOf(id)]);
    });

    test('has an example of what is sent and of what comes back', () => {
      assert.deepEqual(described.requestBody?.content['application/json']?.example, operation.example.body);
      const { status, schema, type = 'application/json', also = [], binary } = operation.answer;
      const content = described.responses[status]?.content;
      if (schema === undefined) assert.equal(content, undefined);
      else assert.deepEqual(content?.[type]?.example, binary === true ? '(bytes)' : operation.example.answer);
      for (const other of also) assert.ok(content?.[other.type], other.type);
    });

    test('lists every error it can end with, by status, with an example of each', () => {
      for (const code of errorsOf(operation)) {
        assertDocuments(described, code);
      }
      const statuses = errorsOf(operation).map((code) => ERRORS[code].status);
      const listed = Object.keys(described.responses).map(Number);
      assert.deepEqual(new Set(listed), new Set([operation.answer.status, ...statuses]));
    });

    test('names its parameters and the headers that it honours', () => {
      const parameters = (described.parameters ?? []).map(
        (parameter) =>
          (parameter.$ref === undefined ? parameter : lookUp(parameter.$ref)) as { name: string; in: string },
      );
      const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
      assert.deepEqual(namesIn('path'), Object.keys(operation.params?.properties ?? {}));
      assert.deepEqual(namesIn('query'), Object.keys(operation.query?.properties ?? {}));
      assert.equal(namesIn('header').includes('If-Match'), takesIfMatch(operation));
      assert.equal(namesIn('header').includes('Idempotency-Key'), isRepeatable(operation));
    });

    test('says which headers come back', () => {
      const { status, schema } = operation.answer;
      const headers = Object.keys(described.responses[status]?.headers ?? {});
      assert.equal(headers.includes('ETag'), operation.versioned === true && schema !== undefined);
      assert.equal(headers.includes('Location'), status === 201);
      for (const response of Object.values(described.responses)) assert.ok('X-Request-Id' in response.headers);
    });
  });
}

test('a body may be left out when none of its fields is needed', () => {
  assert.equal(documented.get('tokens.create')?.requestBody?.required, true);
  assert.equal(documented.get('tokens.rotate')?.requestBody?.required, false);
});

test('a coordinator that is not ready answers 503 with its reasons, as documented', () => {
  const content = documented.get('meta.ready')?.responses[503]?.content;
  assert.deepEqual(content?.['application/json']?.schema, { $ref: '#/components/schemas/Readiness' });
  assert.ok(content?.['application/problem+json']);
});

test('every reference leads somewhere, and every component is used', () => {
  const used = new Set<string>();
  for (const [key, value] of everything(document)) {
    if (key !== '$ref') continue;
    used.add(value as string);
    assert.ok(lookUp(value as string), value as string);
  }
  for (const kind of ['schemas', 'parameters', 'headers', 'examples']) {
    for (const name of Object.keys(document.components[kind])) {
      assert.ok(used.has(`#/components/${kind}/${name}`), `${kind}/${name}`);
    }
  }
});

test('nothing of the schema library shows', () => {
  for (const [key] of everything(document)) assert.ok(!key.startsWith('~'), key);
});

test('the areas are its tags, each with a description', () => {
  assert.deepEqual(
    document.tags.map((tag: { name: string; description: string }) => [tag.name, tag.description]),
    Object.entries(AREAS).map(([name, { description }]) => [name, description]),
  );
});

test('the document is the same every time, to the letter', () => {
  assert.equal(JSON.stringify(openApiDocument()), JSON.stringify(openApiDocument()));
});
