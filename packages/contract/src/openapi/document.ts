/**
 * The OpenAPI 3.1 document, which is the table of operations in the form that other tools read.
 * Start with `openApiDocument`. `requests.ts` and `responses.ts` write the halves of an operation, `schema.ts` the
 * records, `generate.ts` the files that are kept in the repository. `panel-document.ts` is the same for the panel.
 */
import packageJson from '../../package.json' with { type: 'json' };
import type { OpenApi } from '../areas/meta/index.ts';
import { errorsOf, type Operation } from '../operation.ts';
import { AREAS, areaOf, OPERATION_IDS, OPERATIONS, type OperationId } from '../operations.ts';
import { exampleProblems, pathsOf } from './paths.ts';
import { parametersOf, REQUEST_HEADERS, requestBodyOf } from './requests.ts';
import { ANSWER_HEADERS, responsesOf } from './responses.ts';
import { type SchemaWriter, schemaWriter } from './schema.ts';

const ABOUT = `The control plane of a private WireGuard mesh.

**Credentials.** Send \`Authorization: Bearer <token>\`. A token has a role, which says what it may do, and a scope,
which says where. What lies outside the scope is not found.

**Requests** are JSON with snake_case names; a field that is not known is refused. Moments are ISO 8601, and answers
give them in UTC. **Lists** come in pages: give \`next_cursor\` as \`cursor\` until it is null.

**Writes.** An \`Idempotency-Key\` makes any POST safe to repeat. \`If-Match\` with the \`ETag\` of what you read makes
sure that you change nothing that others changed meanwhile.

**Errors** are \`application/problem+json\` (RFC 9457). Decide by \`code\` and \`retryable\`, never by the text. A path that
is not listed here answers \`route_not_found\` (404), a method that is not listed \`method_not_allowed\` (405).`;

export function openApiDocument(): OpenApi {
  const schemas = schemaWriter();
  const paths = pathsOf(OPERATIONS, (id) => describe(id, schemas)); // first, because the walk meets the schemas that components list
  const info = {
    title: 'Meshwork',
    version: packageJson.version,
    description: ABOUT,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  const document = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The coordinator that serves this document.' }],
    tags: Object.entries(AREAS).map(([name, { title, description }]) => ({
      name,
      description,
      'x-displayName': title,
    })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A scoped token, `mesh_…`.' },
        node: { type: 'http', scheme: 'bearer', description: 'The session of a node, `meshnode_…`.' },
      },
      parameters: REQUEST_HEADERS,
      headers: ANSWER_HEADERS,
      examples: exampleProblems(OPERATION_IDS.flatMap((id) => errorsOf(OPERATIONS[id]))),
      schemas: schemas.components(),
    },
  };
  return document;
}

function describe(id: OperationId, schemas: SchemaWriter): object {
  const operation: Operation = OPERATIONS[id];
  const parameters = parametersOf(operation, schemas);
  const requestBody = requestBodyOf(operation, schemas);
  return {
    operationId: id,
    summary: operation.summary,
    description: [operation.description, accessInWords(operation)].filter(Boolean).join('\n\n'),
    tags: [areaOf(id)],
    'x-permission': operation.permission,
    'x-reach': operation.reach,
    ...(operation.confirmed === true ? { 'x-confirmed': true } : {}),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, errorsOf(operation), schemas),
  };
}

const CONFIRMED =
  'A person who asks through the panel must have proven who they are within the last ten minutes (`confirmation_required`).';

function securityOf({ permission, caller }: Operation): object[] {
  if (caller === 'node') return [{ node: [] }];
  return permission === null ? [] : [{ bearer: [] }];
}

function accessInWords({ permission, reach, caller, confirmed }: Operation): string {
  if (caller === 'node') return 'Needs the session of the node itself.';
  if (permission === null) return 'Needs no credentials.';
  const where =
    reach === 'mesh'
      ? 'and a scope that is `*` for team, surface and environment'
      : 'within the scope of the credential';
  const needed = `Needs the permission \`${permission}\`, ${where}.`;
  return confirmed === true ? `${needed} ${CONFIRMED}` : needed;
}
