/**
 * The policy: who may reach what. The engine that all of it stands on is the package `policy`; here its document is
 * read, replaced, compared and kept. `policy-trials.ts` tries one out, and `explain-reach.ts` explains why a node can
 * or cannot reach something.
 */
import { JSONC_TYPE } from '@meshwork/contract';
import type { Area } from '../area.ts';
import type { AreaHandlers, Stream } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { checkOwnership } from './check-ownership.ts';
import { explainReach } from './explain-reach.ts';
import { lapseGrantsDuty } from './lapse-grants.ts';
import { policyRecord } from './policy-record.ts';
import { policySummary } from './policy-summary.ts';
import { PolicyTrials } from './policy-trials.ts';
import { previewPolicy } from './preview-policy.ts';
import { replacePolicy, restorePolicy } from './replace-policy.ts';
import { validatePolicy } from './validate-policy.ts';
import { listVersions, versionNumbered } from './versions.ts';

export const acls: Area<'acls'> = {
  open: () => ({
    serve: (runtime) => {
      const { mesh } = runtime;
      const trials = new PolicyTrials(mesh, runtime.routes);
      return {
        handlers: handlersOf(runtime, trials),
        duties: [lapseGrantsDuty(mesh)],
        overview: policySummary,
        close: () => trials.close(),
      };
    },
  }),
};

function handlersOf(runtime: Runtime, trials: PolicyTrials): AreaHandlers<'acls'> {
  const { mesh } = runtime;
  return {
    'acls.show': (call) => {
      const body = policyRecord(mesh.model);
      return call.wants === JSONC_TYPE
        ? asText(body.text, { revision: body.revision })
        : { body, revision: body.revision };
    },
    'acls.replace': (call) => replacePolicy(trials, call),
    'acls.validate': async (call) => ({ body: await validatePolicy(trials, call.body, call.now_ms) }),
    'acls.preview': async (call) => ({ body: await previewPolicy(trials, call.body, call.now_ms) }),
    'acls.check': () => ({ body: checkOwnership(mesh.model) }),
    'acls.explain': (call) => ({ body: explainReach(runtime, call) }),
    'acls.versions': (call) => listVersions(mesh.journal, call),
    'acls.version': async (call) => {
      const body = await versionNumbered(mesh.journal, call.params.n);
      return call.wants === JSONC_TYPE ? asText(body.text) : { body };
    },
    'acls.restore': (call) => restorePolicy(mesh, trials, call),
  };
}

function asText(text: string, about: Pick<Stream, 'revision'> = {}): Stream {
  async function* whole() {
    yield text;
  }
  return { type: `${JSONC_TYPE}; charset=utf-8`, lines: whole(), ...about };
}
