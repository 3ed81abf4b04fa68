/** What an agent holds after any history of changes, lost answers and restarts is what it would be sent anew. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HeartbeatReply, type NodeId, type PeerTerms, WHOLE_MESH } from '@meshwork/contract';
import { digestOf, digestOfTerms, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import fc from 'fast-check';
import { testVault } from '../../test/test-vault.ts';
import { openAreas } from '../areas/open-areas.ts';
import type { NodeDocument, ReportDocument } from '../kinds/nodes.ts';
import { Model, type Put, type Stored } from '../mesh/model.ts';
import type { NodeViews } from './node-views.ts';
import { PolicyReach } from './policy-reach.ts';

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
  readonly terms = new Map<string, PeerTerms>();

  takeIn(reply: HeartbeatReply): void {
    const { revision, peers, acl, next_s: _, ...sections } = reply;
    this.revision = revision;
    this.sections = { ...this.sections, ...sections };
    if (peers?.full !== undefined) this.peers.clear();
    for (const peer of [...(peers?.full ?? []), ...(peers?.upsert ?? [])]) this.peers.set(peer.id, peer);
    for (const id of peers?.remove ?? []) this.peers.delete(id);
    if (acl?.full !== undefined) this.terms.clear();
    for (const terms of [...(acl?.full ?? []), ...(acl?.upsert ?? [])]) this.terms.set(terms.peer, terms);
    for (const id of acl?.remove ?? []) this.terms.delete(id);
  }

  held() {
    const inOrder = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
    return { ...this.sections, peers: inOrder(this.peers), acl: inOrder(this.terms) };
  }

  peersDigest(): string {
    return sumOf([...this.peers.values()].map(digestOf));
  }

  aclDigest(): string {
    return sumOf([...this.terms.values()].map(digestOfTerms));
  }
}

function sumOf(digests: readonly number[]): string {
  return digestText(digests.reduce<number>((sum, one) => withItem(sum, one), EMPTY_DIGEST));
}

/**
 * Policies between which everything that can change does: peers, ports, directions, networks, staleness, no peers at
 * all.
 */
const POLICIES: readonly object[] = [
  {},
  {
    groups: { everyone: ['*'] },
    grants: [{ from: 'everyone', to: 'everyone', allow: ['icmp'], within: 'boundary' }],
  },
  {
    groups: { a: ['tag:team:a'], b: ['tag:team:b'], first: ['node:node-0'] },
    grants: [
      { from: 'a', to: 'b', allow: ['tcp:22'] },
      { from: 'first', to: 'a', allow: ['*'] },
      { from: 'b', to: '10.20.0.0/16', allow: ['tcp:443'] },
    ],
  },
  {
    groups: { a: ['tag:team:a'], b: ['tag:team:b'] },
    grants: [
      { from: 'a', to: 'b', allow: ['tcp:22', 'tcp:80'], when: { fresh: true } },
      { from: 'b', to: 'b', allow: ['udp:53'], when: { agent_version: '2' } },
    ],
    stale: 'drop',
  },
];

/** How changes reach a coordinator: it made them itself, in one transaction or in several, or another one made them. */
type How = 'made here' | 'made here one by one' | 'made elsewhere';

class World {
  readonly model = new Model();
  readonly woken = new Set<NodeId>();
  readonly agents = new Map(IDS.map((id) => [id, new Agent()]));
  readonly #logLines: number;
  views: NodeViews;

  constructor(log_lines = 2000) {
    this.#logLines = log_lines;
    this.views = this.#newViews();
  }

  #newViews(): NodeViews {
    const wake = (node: NodeId) => void this.woken.add(node);
    return openAreas({
      model: this.model,
      vault: testVault(this.model),
      reach: new PolicyReach(),
      wake,
      log_lines: this.#logLines,
    }).views;
  }

  commit(...puts: Put[]): void {
    this.model.apply(this.model.revision + 1, puts);
  }

  /** As one commit of its own, or as news of several that others made. */
  take(how: How, puts: readonly Put[]): void {
    if (how === 'made here') {
      this.commit(...puts);
      return;
    }
    if (how === 'made here one by one') {
      const { revision } = this.model;
      this.model.applyAll(puts.map((put, index) => ({ revision: revision + 1 + index, puts: [put] })));
      return;
    }
    const documents = puts.map(({ kind, id, body }, index) => ({
      kind,
      id,
      revision: this.model.revision + 1 + index,
      body: body === null ? null : JSON.stringify(body),
    }));
    const latest = new Map(documents.map((document) => [`${document.kind} ${document.id}`, document]));
    this.model.catchUp({
      revision: this.model.revision + puts.length,
      whole: false,
      documents: [...latest.values()].sort((a, b) => a.revision - b.revision),
    });
  }

  policy(document: object): void {
    this.commit(policyPut(document));
  }

  firewall(...nodes: string[]): void {
    this.commit(firewallPut(...nodes));
  }

  /** The one that watched before goes on watching, as a coordinator that no agent asks. */
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
    const view = this.views.of(id);
    this.views.holds(view, agent.revision);
    const [hasNews, before] = [this.views.hasChangedSince(view, agent.revision), JSON.stringify(agent.held())];
    const reply = this.ask(node, agent.revision);
    if (isAnswerLost) return;
    agent.takeIn(reply);
    if (!hasNews) assert.equal(JSON.stringify(agent.held()), before, `${id} was answered that there is nothing new`);
    const anew = new Agent();
    anew.takeIn(this.ask(node, 0));
    assert.deepEqual(agent.held(), anew.held(), `${id} holds something else than it would be sent`);
    assert.equal(this.views.desired(id, 'peers').digest, agent.peersDigest(), `the digest of the peers of ${id}`);
    assert.equal(this.views.desired(id, 'acl').digest, agent.aclDigest(), `the digest of what is allowed with ${id}`);
    for (const section of ['self', 'firewall', 'relay'] as const) {
      assert.equal(this.views.desired(id, section).digest, digestText(digestOf(agent.sections[section])));
    }
    this.woken.delete(id);
  }

  /** Its agent ends; one that comes under the same id is another one. */
  forgetDeleted(puts: readonly Put[]): void {
    for (const { kind, id, body } of puts) {
      if (kind === 'node' && body === null) this.agents.set(id as NodeId, new Agent());
    }
  }

  /** An agent that holds what it was last answered, and has news, must have been woken. */
  assertWoken(): void {
    for (const [id, { revision }] of this.agents) {
      if (this.model.get('node', id) === undefined || revision === 0) continue;
      const hasNews = this.views.hasChangedSince(this.views.of(id), revision);
      assert.ok(!hasNews || this.woken.has(id), `${id} has something to hear and was not woken`);
    }
  }
}

const BY = { kind: 'system', id: null, name: 'test' } as const;

function policyPut(document: object): Put {
  const meta = { version: 1, sha256: '', created_at: '', created_by: BY, note: null, restored_from: null };
  return { kind: 'policy', id: 'mesh', body: { ...meta, text: JSON.stringify(document), lapsed: [] } };
}

function firewallPut(...nodes: string[]): Put {
  const meta = { id: 'firewall_1', note: null, enabled: true, created_at: '', created_by: BY, revision: 1 };
  const meaning = { direction: 'in', interface: 'any', protocol: 'tcp', action: 'drop' } as const;
  return { kind: 'firewall', id: 'mesh', body: { rules: [{ ...meta, ...meaning, ports: ['22'], nodes }] } };
}

const id = fc.constantFrom(...IDS);
const port = fc.integer({ min: 1, max: 9 });
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ of: fc.constant('node' as const), id, team: fc.constantFrom('a', 'b') }) },
  { weight: 2, arbitrary: fc.record({ of: fc.constant('endpoint' as const), id, port }) },
  { weight: 2, arbitrary: fc.record({ of: fc.constant('route' as const), id, gone: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ of: fc.constant('relay' as const), id, port }) },
  {
    weight: 1,
    arbitrary: fc.record({ of: fc.constant('out' as const), id, how: fc.constantFrom('cut', 'gone', 'deleted') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ of: fc.constant('policy' as const), which: fc.nat({ max: POLICIES.length - 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ of: fc.constant('silent' as const), id, isOver: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ of: fc.constant('version' as const), id, agent: fc.constantFrom('1.9', '2.0') }),
  },
  { weight: 1, arbitrary: fc.record({ of: fc.constant('firewall' as const), id }) },
);
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('beat' as const), id, lost: fc.boolean() }) },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('commit' as const),
      how: fc.constantFrom<How>('made here', 'made here one by one', 'made elsewhere'),
      changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function take(world: World, one: Step): void {
  switch (one.do) {
    case 'beat':
      world.beat(one.id, one.lost);
      break;
    case 'commit': {
      const puts: Put[] = [];
      for (const each of one.changes) puts.push(...putsOf(world, puts, each));
      world.take(one.how, puts);
      world.forgetDeleted(puts);
      world.assertWoken();
      break;
    }
    case 'restart':
      world.restart();
      // Agents that waited have to come back, and are sent everything.
      for (const node of IDS) world.woken.add(node);
  }
}

function putsOf(world: World, earlier: readonly Put[], one: Change): Put[] {
  switch (one.of) {
    case 'node':
      return [{ kind: 'node', id: one.id, body: nodeDocument(one.id, { tags: [`team:${one.team}`] }) }];
    case 'endpoint':
      return [{ kind: 'report', id: one.id, body: { ...NO_REPORT, endpoints: [`192.0.2.1:${one.port}`] } }];
    case 'version':
      return [{ kind: 'report', id: one.id, body: { ...NO_REPORT, agent_version: one.agent } }];
    case 'route': {
      const body = one.gone ? null : { boundary: WHOLE_MESH, cidr: '10.20.0.0/16', provider: one.id };
      return [{ kind: 'route', id: 'here 10.20.0.0/16', body }];
    }
    case 'relay': {
      const relay = { node: one.id, host: 'x', port: one.port, capacity: 9, draining: false, created_at: '' };
      return [
        { kind: 'assignment', id: one.id, body: { relay: 'fra-1', measured: true } },
        { kind: 'relay', id: 'fra-1', body: relay },
      ];
    }
    case 'out': {
      const written = earlier.findLast(({ kind, id: of }) => kind === 'node' && of === one.id);
      const old = (written === undefined ? world.model.get('node', one.id)?.body : written.body) as NodeDocument | null;
      if (old == null) return [];
      const at = '2026-11-15T10:00:00Z';
      const cut = one.how === 'cut' ? { quarantined: { at, reason: null } } : { removed_at: at };
      return [{ kind: 'node', id: one.id, body: one.how === 'deleted' ? null : { ...old, ...cut } }];
    }
    case 'policy':
      return [policyPut(POLICIES[one.which] as object)];
    case 'silent': {
      const body = one.isOver ? null : { state: 'stale' as const, since: '2026-11-15T10:00:00Z' };
      return [{ kind: 'liveness', id: one.id, body }];
    }
    case 'firewall':
      return [firewallPut(`node:${one.id.replace('_', '-')}`)];
  }
}

describe('what nodes are sent', () => {
  for (const log_lines of [2, 6, 2000]) {
    it(`leaves an agent with what it would be sent anew, whatever came before, with ${log_lines} lines a log`, () => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 5, maxLength: 80 }), (steps) => {
          const world = new World(log_lines);
          for (const one of steps) take(world, one);
          for (const node of IDS) world.beat(node, false);
        }),
        { numRuns: 600 },
      );
    });
  }

  it('wakes a node whose own changes filled its log, because it is sent everything then', () => {
    const world = new World(2);
    world.commit({ kind: 'node', id: 'node_3', body: nodeDocument('node_3' as NodeId, {}) });
    world.beat('node_3' as NodeId, false);
    for (const port of [1, 2, 3]) {
      const body = { ...NO_REPORT, endpoints: [`192.0.2.1:${port}`] };
      world.commit({ kind: 'report', id: 'node_3', body });
      world.assertWoken();
    }
  });

  it('wakes the peers of a node that changed, and no other node', () => {
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
    assert.deepEqual([...world.woken], [], 'what peers do not see wakes no node');
  });

  it('wakes the nodes for which a new policy changes something, and no other node', () => {
    const world = new World();
    const grants = (...allow: string[]) => [
      { from: 'pair', to: 'pair', allow },
      { from: 'rest', to: 'rest', allow: ['icmp'] },
    ];
    const groups = { pair: ['node:node-0', 'node:node-1'], rest: ['node:node-2', 'node:node-3', 'node:node-4'] };
    world.policy({ groups, grants: grants('icmp') });
    for (const node of IDS) world.commit({ kind: 'node', id: node, body: nodeDocument(node, {}) });
    for (const node of IDS) world.beat(node, false);
    world.woken.clear();
    world.policy({ groups, grants: grants('icmp', 'tcp:22') });
    assert.deepEqual([...world.woken].sort(), [IDS[0], IDS[1]]);
    const answer = world.ask(world.model.get('node', IDS[0] as string) as Stored<'node'>, world.model.revision - 1);
    assert.equal(answer.peers, undefined, 'who its peers are has not changed');
    assert.deepEqual(answer.acl, {
      upsert: [{ peer: IDS[1], allow: ['icmp', 'tcp:22'], forward: [], routes: [] }],
    });
    world.woken.clear();
    world.policy({ groups: { ...groups, unused: ['*'] }, grants: grants('icmp', 'tcp:22') });
    assert.deepEqual([...world.woken], [], 'what changes nothing wakes no node');
  });

  it('wakes the nodes that a host rule holds for, and no other node', () => {
    const world = new World();
    for (const node of IDS) world.commit({ kind: 'node', id: node, body: nodeDocument(node, {}) });
    for (const node of IDS) world.beat(node, false);
    world.woken.clear();
    world.firewall('node:node-3');
    assert.deepEqual([...world.woken], [IDS[3]]);
  });
});
