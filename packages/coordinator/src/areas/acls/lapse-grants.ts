import { WHOLE_MESH } from '@meshwork/contract';
import type { Duty } from '../../duties/duty.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import { lapsedGrants } from '../../mesh/lapsed-grants.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import { POLICY_ID, policyInEffect } from '../../mesh/policy-in-effect.ts';

const cause = { actor: COORDINATOR, action: 'policy.lapse' };

/** Runs when the next grant expires. */
export function lapseGrantsDuty(mesh: Mesh): Duty {
  return {
    name: 'policy.lapse',
    get next_at() {
      const { document, lapsed } = policyInEffect(mesh.model);
      const open = document.grants.filter(({ expires }, place) => expires !== undefined && !lapsed.has(place));
      return open.length === 0 ? undefined : Math.min(...open.map(({ expires = '' }) => Date.parse(expires)));
    },
    run: () => lapseGrants(mesh),
  };
}

/**
 * Takes grants out of effect that have expired. That is a commit of its own, so that it has a revision which nodes are
 * sent and can prove, and so that every coordinator has it at the same moment of the mesh.
 */
async function lapseGrants(mesh: Mesh): Promise<void> {
  if (expired(mesh.model, mesh.clock.now()).length === 0) return;
  await mesh.transact(cause, (tx) => {
    const { stored, document, lapsed } = policyInEffect(tx);
    const places = expired(tx, tx.now_ms);
    if (stored === undefined || places.length === 0) return;
    const names = places.map((place) => `${document.grants[place]?.from} -> ${document.grants[place]?.to}`);
    tx.put('policy', POLICY_ID, { ...stored, lapsed: [...lapsed, ...places].sort((a, b) => a - b) });
    tx.record({ target: { kind: 'policy', id: POLICY_ID }, detail: `expired: ${names.join(', ')}` });
    const subject = { kind: 'policy', id: POLICY_ID } as const;
    for (const grant of names) {
      tx.emit({ type: 'policy.grant_expired', subject, scope: WHOLE_MESH, data: { grant } });
    }
  });
}

/** Places of the grants that are past their time and still in effect. */
function expired(view: View, now_ms: number): number[] {
  const { document, lapsed } = policyInEffect(view);
  return lapsedGrants(document, now_ms).filter((place) => !lapsed.has(place));
}
