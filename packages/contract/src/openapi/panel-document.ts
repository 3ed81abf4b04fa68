/** The OpenAPI document of the panel: what it serves by itself. What it passes on stands in the coordinator's own. */
import packageJson from '../../package.json' with { type: 'json' };
import type { OpenApi } from '../areas/meta.ts';
import { isMutation } from '../operation.ts';
import { type PanelAccess, type PanelOperation, panelErrorsOf } from '../panel/panel-operation.ts';
import {
  COORDINATOR_PREFIX,
  PANEL_OPERATION_IDS,
  PANEL_OPERATIONS,
  type PanelOperationId,
} from '../panel/panel-operations.ts';
import { exampleProblems, pathsOf } from './paths.ts';
import { parametersOf, REQUEST_HEADERS, requestBodyOf } from './requests.ts';
import { ANSWER_HEADERS, responsesOf } from './responses.ts';
import { type SchemaWriter, schemaWriter } from './schema.ts';

const ABOUT = `Where people sign in to Meshwork, and what its dashboard is made of.

**Sessions.** Signing in sets the cookie \`mesh_session\` (\`__Host-mesh_session\` over TLS). Everything but GET and HEAD then
needs the header \`X-CSRF-Token\` with what \`GET /api/v1/auth/session\` gives, and is refused from pages of another origin.

**The mesh.** Everything that the coordinator offers below \`/v1\` is at \`${COORDINATOR_PREFIX}\` too, in the name of who is
signed in and with what they may do: \`/v1/nodes\` is \`${COORDINATOR_PREFIX}/nodes\`. The coordinator's own document describes it.
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
  setup: 'Making the first owner.',
  auth: 'Signing in and out.',
  invitation: 'Coming in by invitation.',
  profile: 'The own account.',
  totp: 'Codes of an authenticator as the second factor.',
  passkeys: 'Signing in by what a device keeps.',
  sessions: 'Browsers that are signed in.',
  users: 'The people who can sign in.',
  trail: 'What happened at the panel itself.',
  meta: 'What the panel says about itself.',
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
    security: operation.access === 'anyone' ? [] : [{ session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: responsesOf(operation, panelErrorsOf(operation), schemas),
  };
}

const ACCESS: Partial<Record<PanelAccess, string>> = {
  anyone: 'Needs no session.',
  halfway: 'Needs the session of somebody who has given the password and still owes the second factor.',
  signed_in: 'Needs a session.',
};

function accessInWords({ access, confirmed }: PanelOperation): string {
  const who = ACCESS[access] ?? `Needs a session, and the permission \`${access}\`.`;
  return confirmed === true ? `${who} The person must have proven who they are within the last ten minutes.` : who;
}
