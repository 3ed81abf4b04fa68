import { type ClientOptions, createClient } from '@meshwork/client';
import type { Report } from '@meshwork/contract';
import { newId } from '@meshwork/contract';
import { Agent, type AgentOptions } from '../src/conversation/agent.ts';
import { DryRunDataPlane } from '../src/data-plane/dry-run-data-plane.ts';
import { newNodeKeys } from '../src/identity/keys.ts';
import { HeldView } from '../src/view/held-view.ts';
import { QuickClock } from './quick-clock.ts';
import { scriptedCoordinator } from './scripted-coordinator.ts';

type Coordinator = Parameters<typeof scriptedCoordinator>[0];
type Changes = Partial<Omit<AgentOptions, 'identity' | 'coordinators'>> & {
  readonly script?: Coordinator;
  /** Addresses before the scripted coordinator's. */
  readonly urls?: readonly string[];
  /** How those are asked. */
  readonly client?: Omit<ClientOptions, 'url'>;
};

export const INITIAL: Report = { agent_version: '0.1.0', endpoints: ['192.0.2.7:51820'] };

/** An agent with a coordinator of its own, running until the test ends. */
export async function agentWith({ script, client = {}, urls = [], ...changes }: Changes = {}) {
  const node = newId('node', Date.now());
  const key = newNodeKeys().identity;
  const coordinator = await scriptedCoordinator({ nodes: new Map([[node, key.public]]), ...script });
  const clock = new QuickClock();
  const plane = new DryRunDataPlane({ node, now: () => clock.now() });
  const coordinators = [...urls.map((url) => createClient({ url, ...client })), createClient({ url: coordinator.url })];
  const agent = new Agent({
    identity: { node, key },
    coordinators: coordinators as [(typeof coordinators)[0]],
    view: new HeldView(),
    data_plane: plane,
    report: INITIAL,
    clock,
    random: () => 0.5,
    ...changes,
  });
  const stopping = new AbortController();
  const ended = agent.run(stopping.signal);
  return {
    node,
    agent,
    plane,
    clock,
    coordinator,
    ended,
    stop: () => stopping.abort(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended.catch(() => undefined); // a test that expects a failure has looked at it
      await coordinator[Symbol.asyncDispose]();
    },
  };
}
