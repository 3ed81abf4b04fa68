/**
 * What the panel serves by itself, below `/api/v1`: signing in, people, sessions and its own trail. Everything of the mesh is
 * the coordinator's, and is passed on from `/api/v1/coordinator/…` to `/v1/…` in the name of the person who is signed in.
 */

import { OpenApi, Readiness } from '../areas/meta/index.ts';
import { Type } from '../type.ts';
import { definePanelOperations, type PanelOperation } from './panel-operation.ts';
import { profileOperations } from './profile.ts';
import { sessionOperations } from './sessions.ts';
import { signInOperations } from './sign-in.ts';
import { trailOperations } from './trail.ts';
import { userOperations } from './users.ts';
import { COORDINATOR_PREFIX } from './vocabulary.ts';

const panelMetaOperations = definePanelOperations({
  'meta.openapi': {
    method: 'GET',
    path: '/api/v1/openapi.json',
    summary: 'Describe this API',
    access: 'anyone',
    answer: { status: 200, description: 'OpenAPI 3.1.', schema: OpenApi },
    errors: [],
    example: { answer: { openapi: '3.1.0', info: { title: 'Meshwork panel', version: '0.1.0' }, paths: {} } },
  },
  'meta.health': {
    method: 'GET',
    path: '/healthz',
    summary: 'Check liveness',
    access: 'anyone',
    answer: { status: 200, description: 'It runs.', schema: Type.Object({ status: Type.Literal('ok') }) },
    errors: [],
    example: { answer: { status: 'ok' } },
  },
  'meta.ready': {
    method: 'GET',
    path: '/readyz',
    summary: 'Check readiness',
    access: 'anyone',
    answer: {
      status: 200,
      description: 'It can.',
      schema: Readiness,
      otherwise: {
        status: 503,
        description: 'It cannot, for these reasons.',
        example: { ready: false, checks: [{ name: 'coordinator', ok: false, detail: 'no answer within 2000 ms' }] },
      },
    },
    errors: [],
    example: { answer: { ready: true, checks: [{ name: 'store', ok: true, detail: null }] } },
  },
  'meta.metrics': {
    method: 'GET',
    path: '/metrics',
    summary: 'Scrape the metrics of the panel',
    description: 'For a person who is signed in, or with a token of the coordinator as `Authorization: Bearer`.',
    access: 'metrics:read',
    reach: 'mesh',
    answer: { status: 200, description: 'As Prometheus reads them.', schema: Type.String(), type: 'text/plain' },
    errors: [],
    example: { answer: '# HELP …' },
  },
});

export const PANEL_OPERATIONS = {
  ...signInOperations,
  ...profileOperations,
  ...sessionOperations,
  ...userOperations,
  ...trailOperations,
  ...panelMetaOperations,
} as const satisfies Record<`${string}.${string}`, PanelOperation>;

export type PanelOperations = typeof PANEL_OPERATIONS;
export type PanelOperationId = keyof PanelOperations;
export const PANEL_OPERATION_IDS = Object.keys(PANEL_OPERATIONS) as readonly PanelOperationId[];

/** The path of a coordinator's operation at the panel. Undefined for what is not below `/v1`: health, metrics, the reference. */
export function proxiedPath(path: string): string | undefined {
  return path.startsWith('/v1/') ? `${COORDINATOR_PREFIX}${path.slice('/v1'.length)}` : undefined;
}
