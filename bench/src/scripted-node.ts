import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newWireguardKey } from '@meshwork/agent';
import { LONE_NODE_REPLY, type ScriptedCoordinator, scriptedCoordinator } from '@meshwork/agent/testing';
import type { AppliedSection, HeartbeatReply, Peer, PeerTerms } from '@meshwork/contract';
import type { Lab, LabNode } from '@meshwork/lab';
import { networkAlone } from './bench-lab.ts';
import { now } from './traffic.ts';
import { until } from './until.ts';

/** Of `LONE_NODE_REPLY`. */
export const OWN_ADDRESS = '100.64.0.1';

/** A real node with real engines and a scripted coordinator, which sends what the bench chooses and receives the reports. */
export class ScriptedNode implements AsyncDisposable {
  readonly lab: Lab;
  readonly #coordinator: ScriptedCoordinator;
  readonly #id: string;
  #revision = LONE_NODE_REPLY.revision;

  private constructor(lab: Lab, coordinator: ScriptedCoordinator, id: string) {
    this.lab = lab;
    this.#coordinator = coordinator;
    this.#id = id;
  }

  /** Resolves when the node has an empty mesh in effect. `others`: further hosts in its network. */
  static async start(others: readonly string[]): Promise<ScriptedNode> {
    await using started = new AsyncDisposableStack();
    const heartbeat = ({ body }: { readonly body: { readonly revision: number } }) =>
      body.revision === 0 ? LONE_NODE_REPLY : ('hold' as const);
    const coordinator = started.use(await scriptedCoordinator({ heartbeat }));
    const lab = started.use(await networkAlone(coordinator.url, ['a', ...others]));
    const scripted = new ScriptedNode(lab, coordinator, await enrolled(lab.node('a')));
    await lab.node('a').agent.start();
    await scripted.#untilApplied(['self', 'peers', 'acl'], 0);
    started.move();
    return scripted;
  }

  get node(): LabNode {
    return this.lab.node('a');
  }

  /** Answers the heartbeat that waits. Resolves when the node reports these sections as applied. */
  async send(
    news: Pick<HeartbeatReply, 'peers' | 'acl'>,
  ): Promise<{ readonly from: number; readonly took_ms: number }> {
    await until(() => this.#coordinator.isHeld(this.#id), 'the agent waits for news');
    this.#revision += 1;
    const since = this.#coordinator.beats.length;
    const from = now();
    this.#coordinator.release(this.#id, { revision: this.#revision, next_s: 0, ...news });
    await this.#untilApplied(Object.keys(news) as AppliedSection[], since);
    return { from, took_ms: now() - from };
  }

  async #untilApplied(sections: readonly AppliedSection[], since: number): Promise<void> {
    const isIn = (section: AppliedSection) =>
      this.#coordinator.beats.slice(since).some(({ body }) => {
        const applied = body.applied?.[section];
        if (applied?.error !== undefined) throw new Error(`the agent says of ${section}: ${applied.error}`);
        return applied?.revision === this.#revision;
      });
    await this.#coordinator.until(() => sections.every(isIn));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.down();
    await this.#coordinator[Symbol.asyncDispose]();
  }
}

/** Enrols as a real node does. The scripted coordinator does not check the token. */
async function enrolled(node: LabNode): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
  try {
    await writeFile(join(folder, 'token'), 'mesh_anything', { mode: 0o600 });
    return await node.enrol(join(folder, 'token'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What different kinds of peers may do here: a few of them, as in a mesh that people write policies for. */
const KINDS = [
  ['icmp', 'tcp:22'],
  ['icmp', 'tcp:443', 'tcp:8080'],
  ['icmp', 'tcp:22', 'udp:53'],
  ['tcp:22', 'tcp:8000-8999'],
] as const;
export const PINGS = 0;
export const DOES_NOT_PING = 3;

/** With a new key, unless it is given. */
export function peerOf(index: number, more: Partial<Peer> = {}): Peer {
  const number = index + 2;
  return {
    id: peerId(index),
    name: `peer-${index}`,
    wireguard_key: newWireguardKey().public,
    address: `100.64.${number >> 8}.${number & 255}/32`,
    address6: `fd6d::${number.toString(16)}/128`,
    endpoints: [],
    relay: null,
    ...more,
  };
}

/** `kind`: another one than the usual of this peer. */
export function termsOf(index: number, kind = index): PeerTerms {
  return { peer: peerId(index), allow: [...(KINDS[kind % KINDS.length] ?? [])], forward: [], routes: [] };
}

function peerId(index: number): string {
  return `node_${String(index).padStart(26, '0')}`;
}
