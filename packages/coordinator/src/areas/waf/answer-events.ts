/** What is answered about recorded events beyond themselves: what would let one pass, and what else that would let pass. */
import { MeshError } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Call, Reply } from '../handler.ts';
import { rulesOf } from './exclusions.ts';
import { findPolicy, mayRead } from './find-policy.ts';
import { findEvent } from './list-events.ts';
import { type JudgedPolicy, proposeExclusions } from './propose-exclusions.ts';
import { replayEvents } from './replay-events.ts';
import { faultsOfExclusion } from './sound-exclusion.ts';
import { refuse } from './sound-policy.ts';
import { assignmentOf } from './waf-section.ts';

export async function proposeFor(mesh: Mesh, call: Call<'waf.propose'>): Promise<Reply<'waf.propose'>> {
  const event = await findEvent(mesh, call);
  const { actor } = call;
  const stored = mesh.model.get('waf', event.policy);
  if (stored === undefined || !mayRead(actor.scope, stored.body.scope)) {
    throw new MeshError('not_found', 'The WAF policy of the event is gone.');
  }
  const policy = judged(stored);
  const { exclusions, why_none } = proposeExclusions(policy, event);
  const sets = [exclusions, ...exclusions.map((one) => [one])];
  const [all, ...each] = await replayEvents(mesh, { actor, id: stored.id, policy }, sets);
  if (all === undefined) throw new Error('No replay was made.');
  const withReplays = exclusions.flatMap((exclusion, index) => {
    const replay = each[index];
    return replay === undefined ? [] : [{ ...exclusion, replay }];
  });
  return { body: { event: event.id, policy: stored.id, exclusions: withReplays, replay: all, why_none } };
}

export async function replayFor(mesh: Mesh, call: Call<'waf.replay'>): Promise<Reply<'waf.replay'>> {
  const { actor } = call;
  const stored = findPolicy(mesh.model, call.params.id, actor);
  const tried = rulesOf(call.body);
  refuse(faultsOfExclusion('', tried));
  const [replay] = await replayEvents(mesh, { actor, id: stored.id, policy: judged(stored) }, [[tried]]);
  if (replay === undefined) throw new Error('No replay was made.');
  return { body: replay };
}

function judged(policy: Stored<'waf'>): JudgedPolicy {
  const { rules, exclusions } = assignmentOf(policy);
  return { ...rules, exclusions };
}
