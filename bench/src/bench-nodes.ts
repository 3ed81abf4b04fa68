import { randomUUID } from 'node:crypto';
import { newNodeKeys, signProof } from '@meshwork/agent';
import {
  APPLIED_SECTIONS,
  type EnrolledNode,
  type HeartbeatReply,
  type HeartbeatRequest,
  isPeerSection,
  type NodeSession,
} from '@meshwork/contract';
import { digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import { digestOfPeerRecord, digestOfSection } from '@meshwork/contract/section-digest';
import type { BenchCoordinator } from './bench-coordinator.ts';

const AT_A_TIME = 32;

/** A scripted node: sends the heartbeats that the bench asks for, and costs this process next to nothing. */
export class BenchNode {
  readonly id: string;
  readonly bearer: string;
  readonly #boot_id = randomUUID();
  #seq = 0;
  revision = 0;

  constructor(id: string, bearer: string) {
    this.id = id;
    this.bearer = bearer;
  }

  get path(): string {
    return `/v1/nodes/${this.id}/heartbeat`;
  }

  heartbeat(more: Partial<HeartbeatRequest> = {}): HeartbeatRequest {
    return { node: this.id, boot_id: this.#boot_id, seq: ++this.#seq, revision: this.revision, ...more };
  }

  /** Sends a full report, gets the full view and reports it as applied: the heartbeats after it are the usual ones. */
  async greet(coordinator: BenchCoordinator): Promise<void> {
    this.revision = 0;
    const reply = await this.send(coordinator, { complete: true });
    await this.send(coordinator, { applied: appliedOf(reply) });
    await this.send(coordinator, {});
  }

  async send(coordinator: BenchCoordinator, more: Partial<HeartbeatRequest>): Promise<HeartbeatReply> {
    const text = await coordinator.ask('POST', this.path, this.heartbeat(more), this.bearer);
    const reply = JSON.parse(text) as HeartbeatReply;
    this.revision = reply.revision;
    return reply;
  }
}

function appliedOf(reply: HeartbeatReply): NonNullable<HeartbeatRequest['applied']> {
  const entries = APPLIED_SECTIONS.map((section) => {
    const digest = isPeerSection(section)
      ? (reply[section]?.full ?? []).reduce((sum, one) => withItem(sum, digestOfPeerRecord(section, one)), EMPTY_DIGEST)
      : digestOfSection(section, reply[section]);
    return [section, { revision: reply.revision, digest: digestText(digest) }];
  });
  return Object.fromEntries(entries);
}

interface NodesToEnroll {
  readonly count: number;
  /** The number of the first, where others were enrolled before. */
  readonly first?: number;
  readonly tags?: (index: number) => readonly string[];
  /** Where nodes say they can be reached. Absent: each at an address without a listener. */
  readonly endpoints?: (index: number) => readonly string[];
}

/** Enrols so many nodes, each with a session. */
export async function enrollNodes(coordinator: BenchCoordinator, given: NodesToEnroll): Promise<BenchNode[]> {
  const { count, first = 0, tags = () => [], endpoints = somewhere } = given;
  const nodes: BenchNode[] = [];
  await manyAtOnce(count, async (offset) => {
    const index = first + offset;
    const claims = { name: `bench-${index}`, tags: tags(index), endpoints: endpoints(index) };
    nodes[offset] = await enrollNode(coordinator, claims);
  });
  return nodes;
}

/** In 198.18.0.0/15, which is reserved for benchmarks (RFC 2544). */
function somewhere(index: number): readonly string[] {
  return [`198.18.${(index >> 8) & 255}.${index & 255}:51820`];
}

/** Lets each node greet, so that all of them are in the state that a heartbeat usually finds them in. */
export async function greetAll(coordinator: BenchCoordinator, nodes: readonly BenchNode[]): Promise<void> {
  await manyAtOnce(nodes.length, async (index) => nodes[index]?.greet(coordinator));
}

export async function manyAtOnce(count: number, act: (index: number) => Promise<void> | undefined): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) await act(index);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function enrollNode(coordinator: BenchCoordinator, claims: object): Promise<BenchNode> {
  const keys = newNodeKeys();
  const enrolled = JSON.parse(
    await coordinator.ask('POST', '/v1/nodes', {
      ...claims,
      identity_key: keys.identity.public,
      wireguard_key: keys.wireguard.public,
    }),
  ) as EnrolledNode;
  const proof = await signProof(enrolled.id, keys.identity, Date.now());
  const session = JSON.parse(await coordinator.ask('POST', '/v1/auth/node-sessions', { proof }, null)) as NodeSession;
  return new BenchNode(enrolled.id, session.bearer);
}
