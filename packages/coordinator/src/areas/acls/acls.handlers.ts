/**
 * The policy: who may reach what. The engine that all of it stands on is the package `policy`; here its document is read,
 * replaced, compared and kept. `policy-trials.ts` tries one out, and `explain-reach.ts` asks why somebody cannot reach
 * something.
 */
import { JSONC_TYPE } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Fleet } from '../fleet.ts';
import type { AreaHandlers, Stream } from '../handler.ts';
import { checkOwnership } from './check-ownership.ts';
import { explainReach } from './explain-reach.ts';
import { policyRecord } from './policy-record.ts';
import type { PolicyTrials } from './policy-trials.ts';
import { previewPolicy } from './preview-policy.ts';
import { replacePolicy, restorePolicy } from './replace-policy.ts';
import { validatePolicy } from './validate-policy.ts';
import { listVersions, versionNumbered } from './versions.ts';

export function aclHandlers(mesh: Mesh, fleet: Fleet, trials: PolicyTrials): AreaHandlers<'acls'> {
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
    'acls.explain': (call) => ({ body: explainReach(mesh, fleet, call) }),
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
