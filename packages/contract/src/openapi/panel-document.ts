/** The OpenAPI document of the panel: what it serves by itself. What it passes on stands in the coordinator's own. */
import packageJson from '../../package.json' with { type: 'json' };
import type { OpenApi } from '../areas/meta/index.ts';
import { isMutation } from '../operation.ts';
import { type PanelAccess, type PanelOperation, panelErrorsOf, tokenPermissionOf } from '../panel/panel-operation.ts';
import { PANEL_OPERATION_IDS, PANEL_OPERATIONS, type PanelOperationId } from '../panel/panel-operations.ts';
import { COORDINATOR_PREFIX } from '../panel/vocabulary.ts';
import { exampleProblems, pathsOf } from './paths.ts';
import { parametersOf, REQUEST_HEADERS, requestBodyOf } from './requests.ts';
import { ANSWER_HEADERS, responsesOf } from './responses.ts';
import { type SchemaWriter, schemaWriter } from './schema.ts';

const ABOUT = `Where people sign in to Meshwork, and what its dashboard is made of.

**Sessions.** Signing in sets the cookie \`mesh_session\` (\`__Host-mesh_session\` over TLS). Everything but GET and HEAD then
needs the header \`X-CSRF-Token\` with what \`GET /api/v1/auth/session\` gives, and is refused from pages of another origin.

**Automation.** Operations that list \`bearer\` also take a scoped token of the coordinator as \`Authorization: Bearer <token>\`,
without a cookie and without \`X-CSRF-Token\`. The token needs the permission that the operation names and sees only its own scope; it is
never asked for a fresh proof. A request that brings a session's cookie as well still needs \`X-CSRF-Token\`.

**The mesh.** Everything that the coordinator offers below \`/v1\` is at \`${COORDINATOR_PREFIX}\` too, in the name of the person who is
signed in and with their permissions: \`/v1/nodes\` is \`${COORDINATOR_PREFIX}/nodes\`. The coordinator's own document describes it.
What it marks with \`x-confirmed\` needs a fresh proof here (\`POST /api/v1/auth/confirm\`) or answers \`confirmation_required\`.

**Requests**, **lists** and **errors** are as there: JSON with snake_case names, pages with \`next_cursor\`, and
\`application/problem+json\` (RFC 9457) to decide by \`code\`.`;

const CSRF = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: false,
  description: 'What `GET /api/v1/auth/session` gives as `csrf_token`. Needed whenever a session’s cookie comes along.',
  schema: { type: 'string' },
  example: 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA',
} as const;

const TAGS: Readonly<Record<string, string>> = {
  setup: 'Creating the first owner.',
  auth: 'Signing in and out.',
  invitation: 'Invitations to sign in.',
  profile: 'Your account.',
  totp: 'Codes of an authenticator as the second factor.',
  passkeys: 'Passkeys that people sign in with.',
  sessions: 'Browsers that are signed in.',
  users: 'The people who can sign in.',
  trail: 'What happened at the panel itself.',
  meta: 'Health, metrics and this description itself.',
};

export function panelOpenApiDocument(): OpenApi {
  const schemas = schemaWriter();
  const paths = pathsOf(PANEL_OPERATIONS, (id) => describe(id, schemas)); // first, because the walk meets the schemas that components list
  const info = {
    title: 'Meshwork panel',
    version: packageJson.version,
    description: ABOUT,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  };
  const document = {
    openapi: '3.1.0',
    info,
    servers: [{ url: '/', description: 'The panel that serves this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'mesh_session', description: 'Set by signing in.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'A scoped token of the coordinator, `mesh_…`.' },
      },
      parameters: { IfMatch: REQUEST_HEADERS.IfMatch, CsrfToken: CSRF },
      headers: ANSWER_HEADERS,
      examples: exampleProblems(PANEL_OPERATION_IDS.flatMap((id) => panelErrorsOf(PANEL_OPERATIONS[id]))),
      schemas: schemas.components(),
    },
  };
  return document;
}

function describe(id: PanelOperationId, schemas: SchemaWriter): object {
  const operation: PanelOperation = PANEL_OPERATIONS[id];
  const csrf = isMutation(operation) ? [{ $ref: '#/components/parameters/CsrfToken' }] : [];
  const parameters = [...parametersOf(operation, schemas), ...csrf];
  const requestBody = requestBodyOf(operation, schemas);
  return {
    operationId: id,
    summary: operation.summary,
    description: [operation.description, accessInWords(operation)].filter(Boolean).join('\n\n'),
    tags: [id.split('.', 1)[0]],
    'x-access': operation.access,
    ...(operation.confirmed === true ? { 'x-confirmed': true } : {}),
    'x-permission': tokenPermissionOf(operation) ?? null,
    ...(operation.reach === undefined ? {} : { 'x-reach': operation.reach }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, panelErrorsOf(operation), schemas),
  };
}

function securityOf(operation: PanelOperation): object[] {
  if (operation.access === 'anyone') return [];
  return tokenPermissionOf(operation) === undefined ? [{ session: [] }] : [{ session: [] }, { bearer: [] }];
}

const ACCESS: Partial<Record<PanelAccess, string>> = {
  anyone: 'Needs no session.',
  halfway: 'Needs a session with a correct password that still lacks the second factor.',
  signed_in: 'Needs a session.',
};

function accessInWords({ access, token, confirmed, reach }: PanelOperation): string {
  const who = ACCESS[access] ?? `Needs a session or a scoped token, and the permission \`${access}\`.`;
  return [
    who,
    ...(token === undefined ? [] : [`A scoped token needs the permission \`${token}\`.`]),
    ...(reach === 'mesh' ? ['The scope must be `*` for team, surface and environment.'] : []),
    ...(confirmed === true ? ['A person must have proven who they are within the last ten minutes.'] : []),
  ].join(' ');
}
