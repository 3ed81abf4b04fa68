/**
 * Certificates that operators bring for ingresses. `bring.ts` has them read and judged, `given-section.ts` sends them with their keys to
 * the gateways that show them, and `given-record.ts` says what those prove.
 */
import { pageById } from '@meshwork/service';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { createGiven, replaceGiven } from './bring.ts';
import { deleteGiven } from './delete-given.ts';
import { findGiven, mayRead } from './find-given.ts';
import { givenAttention } from './given-attention.ts';
import { givenRecord, type RecordSources } from './given-record.ts';
import { givenSection } from './given-section.ts';

export const givenCertificates: Area<'given_certificates'> = {
  open: ({ model, vault, served, showing }) => ({
    sections: { given_certificates: givenSection({ view: model, vault, served, showing }) },
    serve: (runtime) => {
      const { views, statuses } = runtime;
      const sources = { views, statuses, showing };
      return { handlers: handlersOf(runtime, sources), overview: givenAttention() };
    },
  }),
};

function handlersOf(runtime: Runtime, sources: RecordSources): AreaHandlers<'given_certificates'> {
  const { mesh } = runtime;
  const asked = (viewer: { readonly scope: RecordAsked['viewer'] }, now_ms: number) => ({
    ...sources,
    viewer: viewer.scope,
    now_ms,
  });
  return {
    'given_certificates.create': (call) => createGiven(runtime, call, sources),
    'given_certificates.list': (call) => ({
      body: pageById('given_certificates.list', call.query, {
        walk: (after) => mesh.model.after('given_certificate', after),
        keep: ({ body }) => mayRead(call.actor.scope, body.scope),
        show: (given) => givenRecord(mesh.model, given, asked(call.actor, call.now_ms)),
      }),
    }),
    'given_certificates.show': (call) => {
      const given = findGiven(mesh.model, call.params.id, call.actor);
      return { body: givenRecord(mesh.model, given, asked(call.actor, call.now_ms)), revision: given.revision };
    },
    'given_certificates.replace': (call) => replaceGiven(runtime, call, sources),
    'given_certificates.delete': deleteGiven,
  };
}

type RecordAsked = Parameters<typeof givenRecord>[2];
