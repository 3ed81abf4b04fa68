import type { AuditBody, AuditTarget } from '@meshwork/contract';

/** A place in the chain, and the hash of the entry there. */
export interface ChainPoint {
  readonly seq: number;
  readonly hash: string;
}

/** What the coordinator calls a removal by retention. */
export const TRIM = 'audit.trim';
const KIND = 'chain_point';

/** The last entry to go is what a removal is about; written as `mesh audit verify` prints a head. */
export function trimTarget({ seq, hash }: ChainPoint): AuditTarget {
  return { kind: KIND, id: `${seq}:${hash}` };
}

/** Up to where an entry says that retention removes. Undefined: it is about something else. */
export function trimPointOf({ action, actor, target }: AuditBody): ChainPoint | undefined {
  if (action !== TRIM || actor.kind !== 'system' || target?.kind !== KIND) return undefined;
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(target.id) ?? [];
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
}
