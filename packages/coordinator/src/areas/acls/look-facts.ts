import type { NodeId } from '@meshwork/contract';
import type { LookFacts } from '@meshwork/policy';
import { answersProbes } from '../../mesh/abilities.ts';
import type { Runtime } from '../runtime.ts';

/** Null: its agent does not answer looks. One that does and was not asked lately counts as not having answered. */
export function lookFacts(runtime: Runtime, node: NodeId): LookFacts | null {
  if (!answersProbes(runtime.mesh.model, node, 'look')) return null;
  const look = runtime.looks.of(node);
  if (look?.said === undefined)
    return { s_ago: look === undefined ? 0 : secondsSince(runtime, look.at), answered: false };
  return {
    s_ago: secondsSince(runtime, look.at),
    answered: true,
    filter: look.said.filter,
    dropped: look.said.dropped,
  };
}

/** `at` in listening time. */
export function secondsSince({ statuses }: Pick<Runtime, 'statuses'>, at: number): number {
  return Math.max(0, Math.round((statuses.now() - at) / 1000));
}
