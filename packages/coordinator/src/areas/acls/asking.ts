import type { Scope } from '@meshwork/contract';
import { agentNeeds, NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Runtime } from '../runtime.ts';

/** Who requests an explanation, and when. */
export interface Asking {
  readonly runtime: Runtime;
  readonly scope: Scope;
  readonly now_ms: number;
  /** What host rules must leave to the agent of a node. */
  readonly needs: NodeNeeds;
}

export function askingOf(runtime: Runtime, { scope, now_ms }: Pick<Asking, 'scope' | 'now_ms'>): Asking {
  const needs = new NodeNeeds(agentNeeds(runtime.api_port), runtime.mesh.model, runtime.statuses);
  return { runtime, scope, now_ms, needs };
}
