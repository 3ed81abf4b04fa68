import { defineArea } from '../../area.ts';
import { named } from '../../named.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';
import { metaVocabulary } from './vocabulary.ts';

export const Readiness = named(
  'Readiness',
  Strict({
    ready: Type.Boolean({ description: 'Whether every check is ok.' }),
    checks: Type.Array(
      Strict({
        name: Type.String({ description: 'What was checked.' }),
        ok: Type.Boolean({ description: 'Whether it is as it should be.' }),
        detail: Type.Union([Type.String(), Type.Null()], { description: 'The reason when it is not ok.' }),
      }),
      { description: 'The checks that readiness depends on.' },
    ),
  }),
);
export type Readiness = Static<typeof Readiness>;

/** As much of an OpenAPI document as we promise here; the rest is the standard's. */
export const OpenApi = Type.Object(
  {
    openapi: Type.String({ description: 'The version of the standard.' }),
    info: Type.Object(
      {
        title: Type.String({ description: 'Whose API it is.' }),
        version: Type.String({ description: 'Of Meshwork.' }),
      },
      { additionalProperties: true, description: 'About the API.' },
    ),
    paths: Type.Object({}, { additionalProperties: true, description: 'Every operation.' }),
  },
  { additionalProperties: true },
);
export type OpenApi = Static<typeof OpenApi>;

/** For programs that monitor the coordinator rather than the mesh. */
const metaOperations = defineOperations({
  'meta.openapi': {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Describe this API',
    description: 'The OpenAPI 3.1 document of everything here.',
    permission: null,
    reach: 'scoped',
    answer: { status: 200, description: 'The document.', schema: OpenApi },
    errors: [],
    example: { answer: { openapi: '3.1.0', info: { title: 'Meshwork', version: '0.1.0' }, paths: {} } },
  },
  'meta.docs': {
    method: 'GET',
    path: '/docs',
    summary: 'Read the reference of this API',
    description: 'The same as a page for people.',
    permission: null,
    reach: 'scoped',
    answer: { status: 200, description: 'The page.', schema: Type.String(), type: 'text/html' },
    errors: [],
    example: { answer: '<!doctype html>…' },
  },
  'meta.health': {
    method: 'GET',
    path: '/healthz',
    summary: 'Check liveness',
    permission: null,
    reach: 'scoped',
    answer: {
      status: 200,
      description: 'It runs.',
      schema: Strict({
        status: Type.Literal('ok', { description: 'Always this; no answer means that it does not run.' }),
      }),
    },
    errors: [],
    example: { answer: { status: 'ok' } },
  },
  'meta.ready': {
    method: 'GET',
    path: '/readyz',
    summary: 'Check readiness',
    description: 'Answers 503 with the same body, and the reasons, when it cannot.',
    permission: null,
    reach: 'scoped',
    answer: {
      status: 200,
      description: 'It can.',
      schema: Readiness,
      otherwise: {
        status: 503,
        description: 'It cannot, and here is why.',
        example: { ready: false, checks: [{ name: 'store', ok: false, detail: 'The store cannot be reached.' }] },
      },
    },
    errors: [],
    example: { answer: { ready: true, checks: [{ name: 'store', ok: true, detail: null }] } },
  },
  'meta.metrics': {
    method: 'GET',
    path: '/metrics',
    summary: 'Scrape the metrics of the coordinator',
    description:
      'Prometheus text format. Needs no credentials on the separate address that `MESH_METRICS_LISTEN` opens.',
    permission: 'metrics:read',
    reach: 'mesh',
    answer: { status: 200, description: 'The series.', schema: Type.String(), type: 'text/plain' },
    errors: [],
    example: { answer: '# HELP mesh_coordinator_revision Newest revision of the mesh in memory.\n' },
  },
});

export const metaArea = defineArea({
  name: 'meta',
  title: 'Meta',
  description: 'Health, metrics and this description itself.',
  ...metaVocabulary,
  operations: metaOperations,
});
