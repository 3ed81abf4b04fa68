/** A node that always has a heartbeat waiting, as an agent has, and answers probes as a test wants it to. */
import type { HeartbeatRequest, Probe, ProbeResult } from '@meshwork/contract';
import type { TestCoordinator } from './harness.ts';
import { EVERYTHING, TestNode } from './test-node.ts';

type Said = Omit<ProbeResult, 'id'>;

/** Undefined: the probe is not answered. Several: a watch says when it has begun, and what it saw. */
export type Answers = (probe: Probe) => Said | readonly Said[] | undefined;

export class ProbedNode {
  readonly node: TestNode;
  /** What it was asked. */
  readonly probes: Probe[] = [];
  answers: Answers;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(node: TestNode, answers: Answers = heard) {
    this.node = node;
    this.answers = answers;
  }

  /** `kinds`: the probes that it says it answers. */
  async start(kinds: readonly string[] = ['look', 'watch', 'attempt']): Promise<this> {
    const { body } = await this.node.beat({ report: { abilities: { ...EVERYTHING, probes: [...kinds] } } });
    this.#stopped = false;
    this.#running = this.#run(this.#answer(body.probes));
    return this;
  }

  /** Its last heartbeat is overtaken by one that does not wait. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.node.beat();
    await this.#running;
  }

  /** Reports what is in effect, as an agent does that has applied everything it was sent. */
  async #run(first: readonly ProbeResult[]): Promise<void> {
    let results = first;
    while (!this.#stopped) {
      const more: Pick<HeartbeatRequest, 'probe_results'> = results.length === 0 ? {} : { probe_results: [...results] };
      const { body, status, text } = await this.node.beat({ wait: 2, applied: this.node.applied(), ...more });
      if (status !== 200) throw new Error(text);
      results = this.#answer(body.probes);
    }
  }

  #answer(probes: readonly Probe[] = []): readonly ProbeResult[] {
    this.probes.push(...probes);
    return probes.flatMap((probe) => [this.answers(probe) ?? []].flat().map((one) => ({ id: probe.id, ...one })));
  }
}

interface PairOptions {
  readonly names: readonly [near: string, far: string];
  readonly policy: object;
  readonly tags?: readonly string[];
  /** Absent: all of them. The mesh checks itself by nodes that make attempts, whenever the clock is set forward. */
  readonly kinds?: readonly string[];
}

/** Two nodes that have applied a policy, and wait for probes. */
export async function probedPair(
  mesh: TestCoordinator,
  { names, policy, tags = [], kinds }: PairOptions,
): Promise<readonly [near: ProbedNode, far: ProbedNode]> {
  await mesh.ask('PUT', '/v1/acls', { body: policy });
  const near = new ProbedNode(await TestNode.enroll(mesh, { name: names[0], tags }));
  const far = new ProbedNode(await TestNode.enroll(mesh, { name: names[1], tags }));
  for (const { node } of [near, far]) await node.settle();
  return [await near.start(kinds), await far.start(kinds)];
}

/** All is well. */
export function heard({ look }: Probe): Said {
  if (look === undefined) return { error: 'not here' };
  const at = new Date().toISOString();
  const links = look.peers.map((peer) => ({
    peer,
    heard: true,
    took_ms: 1,
    link: { peer, path: 'direct' as const, endpoint: '192.0.2.7:51820', handshake_at: at, rx_bytes: 1, tx_bytes: 1 },
  }));
  return { look: { links, rules: [] } };
}
