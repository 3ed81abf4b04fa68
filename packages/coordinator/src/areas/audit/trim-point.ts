import type { AuditBody, AuditTarget } from '@meshwork/contract';
import { type ChainPoint, chainPointText, parseChainPoint } from '@meshwork/contract/chain';

/** What the coordinator calls a removal by retention. */
export const TRIM = 'audit.trim';
const KIND = 'chain_point';

/** The last entry to go is what a removal is about; written as `mesh audit verify` prints a head. */
export function trimTarget(point: ChainPoint): AuditTarget {
  return { kind: KIND, id: chainPointText(point) };
}

/** Up to where an entry says that retention removes. Undefined: it is about something else. */
export function trimPointOf({ action, actor, target }: AuditBody): ChainPoint | undefined {
  if (action !== TRIM || actor.kind !== 'system' || target?.kind !== KIND) return undefined;
  return parseChainPoint(target.id);
}
