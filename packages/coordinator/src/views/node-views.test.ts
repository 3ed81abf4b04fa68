/** What an agent holds after any history of changes, lost answers and restarts is what it would be told anew. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HeartbeatReply, type NodeId, WHOLE_MESH } from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import fc from 'fast-check';
import type { NodeDocument, ReportDocument } from '../mesh/kinds.ts';
import { Model, type Put, type Stored } from '../mesh/model.ts';
import { BoundaryReach } from './boundary-reach.ts';
import { NodeViews } from './node-views.ts';

const IDS = Array.from({ length: 6 }, (_, index) => `node_${index}` as NodeId);

function nodeDocument(id: NodeId, given: Partial<NodeDocument>): NodeDocument {
  return {
    name: id.replace('_', '-'),
    identity_key: id,
    wireguard_key: id,
    tags: ['team:a'],
    address: `100.64.0.${id.at(-1)}`,
    address6: `fd00::${id.at(-1)}`,
    routes_approved: [],
    pinned_relay: null,
    created_at: '2026-11-15T09:00:00Z',
    created_by: { kind: 'system', id: null, name: 'test' },
    approved_at: '2026-11-15T09:00:00Z',
    quarantined: null,
    draining_since: null,
    removed_at: null,
    session_epoch: 1,
    ...given,
  };
}

const NO_REPORT: ReportDocument = { endpoints: [], services: [], routes_offered: [], agent_version: null, boots: [] };

/** An agent as far as it matters here: what it holds, and as of when. */
class Agent {
  revision = 0;
  sections: Record<string, unknown> = {};
  readonly peers = new Map<string, unknown>();

  takeIn(reply: HeartbeatReply): void {
    const { revision, peers, next_s: _, ...sections } = reply;
    this.revision = revision;
    this.sections = { ...this.sections, ...sections };
    if (peers?.full !== undefined) this.peers.clear();
    for (const peer of [...(peers?.full ?? []), ...(peers?.upsert ?? [])]) this.peers.set(peer.id, peer);
    for (const id of peers?.remove ?? []) this.peers.delete(id);
  }

  held() {
    return { ...this.sections, peers: [...this.peers].sort(([a], [b]) => (a < b ? -1 : 1)) };
  }

  peersDigest(): string {
    return digestText(
      [...this.peers.values()].reduce<number>((sum, one) => withItem(sum, digestOf(one)), EMPTY_DIGEST),
    );
  }
}

class World {
  readonly model = new Model();
  views = this.#newViews();
  readonly agents = new Map(IDS.map((id) => [id, new Agent()]));
  readonly woken = new Set<NodeId>();

  #newViews(): NodeViews {
    return new NodeViews({ model: this.model, reach: new BoundaryReach(), wake: (node) => this.woken.add(node) });
  }

  commit(...puts: Put[]): void {
    this.model.apply(this.model.revision + 1, puts);
  }

  /** The one that watched before goes on watching, as a coordinator that nobody asks. */
  restart(): void {
    this.views = this.#newViews();
  }

  ask(node: Stored<'node'>, held: number): HeartbeatReply {
    const changes = this.views.changesSince(node, held);
    return JSON.parse(`{"revision":${this.model.revision},"next_s":0${changes === '' ? '' : `,${changes}`}}`);
  }

  beat(id: NodeId, isAnswerLost: boolean): void {
    const node = this.model.get('node', id);
    const agent = this.agents.get(id);
    if (node === undefined || agent === undefined) return;
    this.views.holds(this.views.of(id), agent.revision);
    const reply = this.ask(node, agent.revision);
    if (isAnswerLost) return;
    agent.takeIn(reply);
    const anew = new Agent();
    anew.takeIn(this.ask(node, 0));
    assert.deepEqual(agent.held(), anew.held(), `${id} holds something else than it would be told`);
    assert.equal(this.views.desired(id, 'peers').digest, agent.peersDigest(), `the digest of the peers of ${id}`);
    for (const section of ['self', 'relay'] as const) {
      assert.equal(this.views.desired(id, section).digest, digestText(digestOf(agent.sections[section])));
    }
  }
}

const id = fc.constantFrom(...IDS);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('beat' as const), id, lost: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('node' as const), id, team: fc.constantFrom('a', 'b') }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('endpoint' as const), id, port: fc.integer({ min: 1, max: 9 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('route' as const), id, gone: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('relay' as const), id, port: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('out' as const), id, how: fc.constantFrom('cut', 'gone', 'deleted') }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(world: World, one: Step): void {
  switch (one.do) {
    case 'beat':
      world.beat(one.id, one.lost);
      break;
    case 'node':
      world.commit({ kind: 'node', id: one.id, body: nodeDocument(one.id, { tags: [`team:${one.team}`] }) });
      break;
    case 'endpoint':
      world.commit({ kind: 'report', id: one.id, body: { ...NO_REPORT, endpoints: [`192.0.2.1:${one.port}`] } });
      break;
    case 'route':
      world.commit({
        kind: 'route',
        id: 'here 10.20.0.0/16',
        body: one.gone ? null : { boundary: WHOLE_MESH, cidr: '10.20.0.0/16', provider: one.id },
      });
      break;
    case 'relay':
      world.commit(
        { kind: 'assignment', id: one.id, body: { relay: 'fra-1', measured: true } },
        {
          kind: 'relay',
          id: 'fra-1',
          body: { node: one.id, host: 'x', port: one.port, capacity: 9, draining: false, created_at: '' },
        },
      );
      break;
    case 'out': {
      const old = world.model.get('node', one.id);
      if (old === undefined) return;
      const at = '2026-11-15T10:00:00Z';
      const body =
        one.how === 'deleted'
          ? null
          : { ...old.body, ...(one.how === 'cut' ? { quarantined: { at, reason: null } } : { removed_at: at }) };
      world.commit({ kind: 'node', id: one.id, body });
      break;
    }
    case 'restart':
      world.restart();
  }
}

describe('what nodes are told', () => {
  it('leaves an agent with what it would be told anew, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 120 }), (steps) => {
        const world = new World();
        for (const one of steps) take(world, one);
        for (const node of IDS) world.beat(node, false);
      }),
      { numRuns: 300 },
    );
  });

  it('wakes the peers of a node that changed, and nobody else', () => {
    const world = new World();
    for (const [index, node] of IDS.entries()) {
      const tags = [`team:${index < 3 ? 'a' : 'b'}`];
      world.commit({ kind: 'node', id: node, body: nodeDocument(node, { tags }) });
    }
    for (const node of IDS) world.beat(node, false);
    world.woken.clear();
    world.commit({ kind: 'report', id: IDS[0] as string, body: { ...NO_REPORT, endpoints: ['192.0.2.1:1'] } });
    assert.deepEqual([...world.woken].sort(), [IDS[1], IDS[2]]);
    world.woken.clear();
    world.commit({
      kind: 'report',
      id: IDS[0] as string,
      body: { ...NO_REPORT, endpoints: ['192.0.2.1:1'], agent_version: '2' },
    });
    assert.deepEqual([...world.woken], [], 'what others do not see wakes nobody');
  });
});
