/** A team of two nodes with their real agents, for one operation to happen to. */
import assert from 'node:assert/strict';
import { type Client, createClient } from '@meshwork/client';
import type { Node, NodeState } from '@meshwork/contract';
import { Fleet, type SimulatedNode } from '../src/index.ts';
import { until } from './until.ts';

export interface Tokens {
  /** Who asks for operations. */
  readonly operator: { readonly id: string; readonly secret: string };
  /** Who brings nodes in. */
  readonly enroller: { readonly id: string; readonly secret: string };
}

let scenes = 0;

export class OperationScene implements AsyncDisposable {
  readonly name: string;
  readonly team: string;
  readonly fleet: Fleet;
  readonly client: Client;
  readonly enroller: Client;
  /** What operations are asked to take at most; absent: as the settings say. */
  readonly timeout_s: number | undefined;
  /** The one that is asked. */
  node: SimulatedNode;
  readonly peer: SimulatedNode;
  /** Whether the nodes that have to prove the operation are silent. */
  isSilent = false;
  /** What was so before, for a case to compare with. */
  before = '';

  private constructor(
    given: Pick<OperationScene, 'name' | 'team' | 'fleet' | 'client' | 'enroller' | 'timeout_s' | 'node' | 'peer'>,
  ) {
    this.name = given.name;
    this.team = given.team;
    this.fleet = given.fleet;
    this.client = given.client;
    this.enroller = given.enroller;
    this.timeout_s = given.timeout_s;
    this.node = given.node;
    this.peer = given.peer;
  }

  static async open(url: string, tokens: Tokens, timeout_s: number | undefined): Promise<OperationScene> {
    const name = `scene-${++scenes}`;
    const team = `team:${name}`;
    const fleet = new Fleet({
      urls: [url],
      token: tokens.enroller.secret,
      name: (index) => `${name}-${index + 1}`,
      tags: () => [team],
      keep: 'records',
    });
    const [node, peer] = await fleet.join(2);
    assert.ok(node !== undefined && peer !== undefined);
    const client = createClient({ url, token: tokens.operator.secret });
    const enroller = createClient({ url, token: tokens.enroller.secret });
    const scene = new OperationScene({ name, team, fleet, client, enroller, timeout_s, node, peer });
    await scene.#letIn();
    return scene;
  }

  get params(): { readonly id: string } {
    return { id: this.node.id };
  }

  async record(): Promise<Node> {
    return (await this.client.call('nodes.show', { params: this.params })).body;
  }

  /** A third node, which is the one that is asked from now on. */
  async joinAnother(): Promise<void> {
    const [node] = await this.fleet.join(1);
    assert.ok(node !== undefined);
    this.node = node;
  }

  /** The node knows it, and has said that it is in effect. */
  async untilReported(state: NodeState): Promise<void> {
    await this.until(async () => {
      if (this.node.self?.state !== state) return false;
      const { sections } = (await this.client.call('nodes.posture', { params: this.params })).body;
      return sections.self.in_sync && sections.peers.in_sync;
    }, `the node receives the state ${state}`);
  }

  /** Both know each other. In a mesh that asks for approval, both are approved first. */
  async #letIn(): Promise<void> {
    for (const { id } of [this.node, this.peer]) {
      const { state } = (await this.client.call('nodes.show', { params: { id } })).body;
      if (state === 'pending') await this.client.call('nodes.approve', { params: { id }, body: {} });
    }
    await this.until(() => this.node.peers === 1 && this.peer.peers === 1, 'both know each other');
  }

  async openOperations(): Promise<number> {
    const { items } = (await this.client.call('operations.list', { query: { node: this.node.id, limit: 200 } })).body;
    return items.filter(({ ended_at }) => ended_at === null).length;
  }

  async assertPeers(count: number): Promise<void> {
    await this.until(() => this.node.peers === count, `the node has ${count} peers`);
    await this.until(
      () => this.peer.view?.peers.has(this.node.id) === count > 0,
      `the peer ${count > 0 ? 'knows' : 'forgets'} the node`,
    );
  }

  until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    return until(isSo, () => `${this.name}: ${what}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.fleet.close();
  }
}
