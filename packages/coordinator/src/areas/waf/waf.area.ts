/**
 * WAF policies: what requests to ingresses have to pass. `sound-policy.ts` says which policies are taken, `waf-section.ts` what
 * gateways are sent of them. What gateways find comes with their heartbeats (`keep-events.ts`) and is read in `list-events.ts` and
 * `summarize-events.ts`. A false positive becomes an exclusion: `propose-exclusions.ts` finds the narrowest, `replay-events.ts`
 * shows what else it would let pass.
 */
import { WAF_VERDICTS } from '@meshwork/contract';
import { periodic } from '../../duties/duty.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { proposeFor, replayFor } from './answer-events.ts';
import { updatePolicy } from './change-policy.ts';
import { createPolicy } from './create-policy.ts';
import { deletePolicy } from './delete-policy.ts';
import { addExclusion, enforceExclusion, removeExclusion } from './exclusions.ts';
import { findPolicy } from './find-policy.ts';
import { KeepEvents } from './keep-events.ts';
import { findEvent, listEvents } from './list-events.ts';
import { listPolicies } from './list-policies.ts';
import { policyRecord, type RecordSources } from './policy-record.ts';
import { pruneEvents } from './prune-events.ts';
import { summarizeEvents } from './summarize-events.ts';
import { TryRequest } from './try-request.ts';
import { wafSummary } from './waf-attention.ts';
import { wafSection } from './waf-section.ts';

const PRUNES_EVERY_S = 600;

export const waf: Area<'waf'> = {
  open: ({ model, served, guarded }) => ({
    sections: { waf: wafSection({ view: model, served, guarded }) },
    serve: (runtime) => {
      const { mesh, views, statuses } = runtime;
      const { journal, clock } = mesh;
      const totals = new Map<string, number>(WAF_VERDICTS.map((verdict) => [verdict, 0]));
      const counted = (counts: Readonly<Record<string, number>>, disbelieved: number) => {
        for (const verdict of WAF_VERDICTS) totals.set(verdict, (totals.get(verdict) ?? 0) + (counts[verdict] ?? 0));
        if (disbelieved > 0) totals.set('disbelieved', (totals.get('disbelieved') ?? 0) + disbelieved);
      };
      const keep = new KeepEvents({ journal, model, clock, counted });
      return {
        handlers: handlersOf(runtime, { views, statuses, guarded }),
        duties: [periodic('waf.prune', PRUNES_EVERY_S, () => pruneEvents(mesh))],
        keep: (node, { observed }) => (observed?.waf === undefined ? undefined : keep.keep(node, observed.waf)),
        overview: wafSummary({ views, statuses }),
        gauges: (metrics) =>
          metrics.gauges(
            {
              name: 'mesh_coordinator_waf_requests',
              help: 'Requests that gateways reported to this coordinator since it started, by verdict.',
              label: 'verdict',
            },
            () => totals,
          ),
      };
    },
  }),
};

function handlersOf(runtime: Runtime, sources: RecordSources): AreaHandlers<'waf'> {
  const { mesh } = runtime;
  const tries = new TryRequest(runtime);
  return {
    'waf.create': (call) => createPolicy(call, sources),
    'waf.list': (call) => listPolicies(mesh.model, call, sources),
    'waf.show': (call) => {
      const policy = findPolicy(mesh.model, call.params.id, call.actor);
      const body = policyRecord(mesh.model, policy, { ...sources, viewer: call.actor.scope });
      return { body, revision: policy.revision };
    },
    'waf.update': (call) => updatePolicy(call, sources),
    'waf.delete': deletePolicy,
    'waf.test': (call) => tries.run(call),
    'waf.replay': (call) => replayFor(mesh, call),
    'waf.exclude': (call) => addExclusion(call, sources),
    'waf.enforce': (call) => enforceExclusion(call, sources),
    'waf.include': (call) => removeExclusion(call, sources),
    'waf.events': (call) => listEvents(mesh, call),
    'waf.event': async (call) => ({ body: await findEvent(mesh, call) }),
    'waf.propose': (call) => proposeFor(mesh, call),
    'waf.summary': (call) => summarizeEvents(mesh, call),
  };
}
