/**
 * The policy: who may reach what. The engine that all of it stands on is the package `policy`; here its document is
 * read, replaced, compared and kept. `policy-trials.ts` tries one out, and `explain-reach.ts` explains why a node can
 * or cannot reach something. `probe-reach.ts` has nodes try it, and `self-check/` compares the two all the time.
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
import { ProbeReach } from './probe-reach.ts';
import { replacePolicy, restorePolicy } from './replace-policy.ts';
import { CheckOutcomes } from './self-check/check-outcomes.ts';
import { SelfChecks } from './self-check/self-checks.ts';
import { validatePolicy } from './validate-policy.ts';
import { listVersions, versionNumbered } from './versions.ts';

export const acls: Area<'acls'> = {
  open: () => ({
    serve: (runtime) => {
      const { mesh } = runtime;
      const trials = new PolicyTrials(mesh, runtime.routes);
      const outcomes = new CheckOutcomes();
      const checks = new SelfChecks(runtime, { counted: (verdict, reality) => outcomes.count(verdict, reality) });
      return {
        handlers: handlersOf(runtime, trials, checks),
        duties: [lapseGrantsDuty(mesh), checks],
        overview: policySummary(checks),
        gauges: (metrics) => outcomes.countIn(metrics),
        close: () => trials.close(),
      };
    },
  }),
};

function handlersOf(runtime: Runtime, trials: PolicyTrials, checks: SelfChecks): AreaHandlers<'acls'> {
  const { mesh } = runtime;
  const probes = new ProbeReach(runtime);
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
    'acls.explain': (call) => {
      const answer = explainReach(runtime, call);
      return answer instanceof Promise ? answer.then((body) => ({ body })) : { body: answer };
    },
    'acls.probe': async (call) => ({ body: await probes.probe(call) }),
    'acls.self_check': () => ({ body: checks.all }),
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
