/** Both documents: whatever body an answer can have is shown, and a redirect says where it leads. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApiDocument } from './document.ts';
import { panelOpenApiDocument } from './panel-document.ts';

interface Described {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: Readonly<Record<string, object>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly securitySchemes: object };
}

const DOCUMENTS: Readonly<Record<string, Document>> = {
  coordinator: JSON.parse(JSON.stringify(openApiDocument())),
  panel: JSON.parse(JSON.stringify(panelOpenApiDocument())),
};

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

for (const [name, document] of Object.entries(DOCUMENTS)) {
  describe(`the document of the ${name}`, () => {
    test('has an example for every media type that an answer can have', () => {
      for (const { operationId, responses } of operationsOf(document)) {
        for (const [status, { content = {} }] of Object.entries(responses)) {
          for (const [type, shown] of Object.entries(content)) {
            assert.ok('example' in shown || 'examples' in shown, `${operationId} ${status} ${type}`);
          }
        }
      }
    });

    test('says of a redirect where it leads, and gives it no body', () => {
      for (const { operationId, responses } of operationsOf(document)) {
        const redirect = responses[302];
        if (redirect === undefined) continue;
        assert.ok(redirect.headers !== undefined && 'Location' in redirect.headers, operationId);
        assert.equal(redirect.content, undefined, operationId);
      }
    });

    test('describes every way to authenticate that an operation names', () => {
      const used = new Set(
        operationsOf(document).flatMap(({ security }) => security.flatMap((one) => Object.keys(one))),
      );
      assert.deepEqual([...used].toSorted(), Object.keys(document.components.securitySchemes).toSorted());
    });
  });
}

test('people and sessions are open to a session and to a scoped token, the account of the caller to a session alone', () => {
  const panel = operationsOf(DOCUMENTS.panel as Document);
  const securityOf = (id: string) => panel.find(({ operationId }) => operationId === id)?.security;
  for (const id of ['users.create', 'sessions.list', 'trail.list']) {
    assert.deepEqual(securityOf(id), [{ session: [] }, { bearer: [] }], id);
  }
  for (const id of ['profile.show', 'passkeys.add', 'auth.confirm'])
    assert.deepEqual(securityOf(id), [{ session: [] }], id);
  assert.deepEqual(securityOf('auth.login'), []);
});
