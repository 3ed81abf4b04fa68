import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuditEntry, ChangedFirewallRule, FirewallRule, Problem } from '@meshwork/contract';
import { type AgentNeeds, type FirewallRule as AnyRule, guardAgent, hostRules } from '@meshwork/policy';
import fc from 'fast-check';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';
import type { View } from '../../mesh/model.ts';
import { agentNeeds, NodeNeeds } from '../../node-status/agent-needs.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import { concernsAgents } from './agent-guard.ts';

const RULES = '/v1/firewall/rules';
const OUT = { nodes: ['*'], direction: 'out', interface: 'any', protocol: 'any', action: 'drop' };
const KEEP = { ...OUT, protocol: 'tcp', ports: ['7400'], action: 'accept' };
const DNS = { ...OUT, protocol: 'udp', ports: ['53', '51820'], action: 'accept' };

describe('rules that would cut agents off', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await TestNode.enroll(mesh, { name: 'git-2', tags: ['role:git'] });
    await TestNode.enroll(mesh, { name: 'git-1', tags: ['role:git'] });
    await TestNode.enroll(mesh, { name: 'web-1', tags: ['role:web'] });
  });
  after(() => mesh.close());
  beforeEach(async () => {
    for (const { id } of await all()) await mesh.ask('DELETE', `${RULES}/${id}`);
    for (const { id } of await all()) await mesh.ask('DELETE', `${RULES}/${id}?force=true`);
  });

  const all = async () =>
    (await mesh.ask<{ items: FirewallRule[] }>('GET', `${RULES}?limit=200`)).body.items.toReversed();
  const create = (body: object) => mesh.ask<ChangedFirewallRule & Problem>('POST', RULES, { body });
  const made = async (body: object): Promise<string> => {
    const got = await create(body);
    assert.equal(got.status, 201, got.text);
    return got.body.id;
  };
  const patch = (id: string, body: object) =>
    mesh.ask<ChangedFirewallRule & Problem>('PATCH', `${RULES}/${id}`, { body });
  const assertCut = (got: { readonly status: number; readonly body: Problem }, ...words: readonly RegExp[]) => {
    assert.deepEqual([got.status, got.body.code], [409, 'firewall_cuts_off']);
    for (const word of words) assert.match(got.body.detail, word);
  };

  it('are refused, with the rule, what is lost and where', async () => {
    const got = await create(OUT);
    assertCut(
      got,
      /new-rule drops .*coordinator, port 7400/,
      /port 53/,
      /port 51820/,
      /on git-1 and 2 more\./,
      /force/,
    );
    const git = await create({ ...OUT, nodes: ['tag:role:git'], protocol: 'tcp' });
    assertCut(git, /coordinator/, /on git-1 and 1 more\./);
    assertCut(await create({ ...OUT, nodes: ['node:web-1'], direction: 'in', protocol: 'udp' }), /on web-1\./);
    assert.deepEqual(await all(), []);
  });

  it('are not refused when an earlier rule keeps what agents need, they hold for no node or only may cut', async () => {
    await made({ ...OUT, interface: 'eth0' });
    await made(KEEP);
    await made(DNS);
    await made(OUT);
    await made({ ...OUT, nodes: ['tag:role:unused'] });
    await made({ ...OUT, enabled: false });
  });

  it('are in the answer when they only may cut, or were forced, and not again when nothing changes', async () => {
    const got = await create({ ...OUT, nodes: ['tag:role:git'], interface: 'eth0', protocol: 'tcp' });
    const { id, findings } = got.body;
    const detail = `Rule ${id} may drop what the agent sends to the coordinator, port 7400: the node would go offline until its agent rolls the rules back.`;
    assert.deepEqual([got.status, findings], [201, [{ kind: 'may_cut_off', rule: id, by: null, detail, nodes: 2 }]]);
    assert.deepEqual((await patch(id, { note: 'careful' })).body.findings, []);
    const wider = await patch(id, { nodes: ['*'] });
    assert.deepEqual(
      wider.body.findings.map(({ kind, nodes }) => [kind, nodes]),
      [['may_cut_off', 1]],
    );
    const forced = await patch(id, { interface: 'any', force: true });
    assert.deepEqual(
      forced.body.findings.map(({ kind, nodes }) => [kind, nodes]),
      [['cuts_off', 3]],
    );
    assert.deepEqual((await create({ ...OUT, direction: 'in', protocol: 'tcp', ports: ['22'] })).body.findings, []);
  });

  it('are refused when they cut nodes off from every relay there is', async () => {
    const relay = { node: 'web-1', host: '192.0.2.9', capacity: 10 };
    for (const [name, port] of [
      ['fra-1', 3478],
      ['fra-2', 3479],
    ] as const) {
      const made = await mesh.ask('POST', '/v1/relays', { body: { ...relay, name, port, node: `git-${name.at(-1)}` } });
      assert.equal(made.status, 201, made.text);
    }
    const one = await create({ ...OUT, protocol: 'udp', ports: ['3478'] });
    assert.deepEqual([one.status, one.body.findings], [201, []]);
    assertCut(await create({ ...OUT, protocol: 'udp', ports: ['3479'] }), /sends to relays, port 3478 and 3479/);
    for (const name of ['fra-1', 'fra-2']) await mesh.ask('DELETE', `/v1/relays/${name}`);
  });

  it('are judged by the family by which a node is seen to come', () => {
    const seen = { four: '198.51.100.4', six: '2001:db8::6', proxied: '::1', unseen: undefined };
    const statuses = { of: (node: string) => ({ address: seen[node as keyof typeof seen] }) };
    const needs = new NodeNeeds(
      agentNeeds(),
      { all: () => [] } as unknown as View,
      statuses as unknown as Pick<NodeStatuses, 'of'>,
    );
    const cuts = (node: string, to: string) => {
      const rules = hostRules([{ ...OUT, id: 'r', protocol: 'tcp', to: [to], enabled: true } as AnyRule], 'mesh0');
      return guardAgent(rules, needs.of(node)).map(({ need, certainty }) => `${need} ${certainty}`);
    };
    for (const node of ['four', 'proxied', 'unseen']) {
      assert.deepEqual([cuts(node, '0.0.0.0/0'), cuts(node, '::/0')], [['coordinator cuts'], []], node);
    }
    assert.deepEqual([cuts('six', '0.0.0.0/0'), cuts('six', '::/0')], [[], ['coordinator cuts']]);
  });

  it('are judged by what the agent calls the coordinator, behind whatever proxy that is', () => {
    const judged = (requested_host: string | undefined, rule: object) => {
      const statuses = { of: () => ({ requested_host }) } as unknown as Pick<NodeStatuses, 'of'>;
      const needs = new NodeNeeds(agentNeeds(7400), { all: () => [] } as unknown as View, statuses).of('node_x');
      const rules = hostRules([{ ...OUT, id: 'r', enabled: true, ...rule } as AnyRule], 'mesh0');
      return guardAgent(rules, needs).map(({ need, certainty }) => `${need} ${certainty}`);
    };
    const port = (...ports: string[]) => ({ protocol: 'tcp', ports });
    const cut = ['coordinator cuts'];
    for (const unknown of [undefined, '', '127.0.0.1:9', 'localhost:9', '[::1]:9', 'no host']) {
      assert.deepEqual([judged(unknown, port('7400')), judged(unknown, port('9', '443'))], [cut, []], `${unknown}`);
    }
    assert.deepEqual([judged('mesh.example.org', port('443')), judged('mesh.example.org', port('7400'))], [cut, []]);
    assert.deepEqual(judged('mesh.example.org:7443', port('7443')), cut);
    const elsewhere = { protocol: 'any', to: ['192.0.2.8/32'] };
    assert.deepEqual(judged('192.0.2.9:7400', { ...elsewhere, to: ['192.0.2.9/32'] }), cut);
    assert.deepEqual(
      [judged('192.0.2.9:7400', elsewhere), judged('mesh.example.org:7400', elsewhere)],
      [[], ['coordinator may_cut', 'names may_cut']],
    );
    assert.deepEqual(judged('[2001:db8::9]:7400', { protocol: 'any', to: ['2001:db8::/32'] }), cut);
    const dns = { protocol: 'udp', ports: ['53'] };
    assert.deepEqual([judged('mesh.example.org', dns), judged('192.0.2.9', dns)], [['names cuts'], []]);
  });

  it('are taken when that is meant, and the trail says so', async () => {
    const id = await made({ ...OUT, force: true });
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${id}`);
    assert.match(trail.body.items[0]?.detail ?? '', new RegExp(`^forced: Rule ${id} drops .*on git-1 and 2 more`));
    const calm = await made({ ...KEEP, force: true });
    const other = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${calm}`);
    assert.equal(other.body.items[0]?.detail, null, 'nothing had to be forced');
  });

  it('are refused also when it takes a change, a move or the end of another rule', async () => {
    const keep = await made(KEEP);
    await made(DNS);
    const drop = await made(OUT);
    assertCut(await patch(keep, { before: null }), new RegExp(`Rule ${drop} drops`), /port 7400/);
    assertCut(await patch(keep, { enabled: false }), /port 7400/);
    assertCut(await patch(keep, { nodes: ['tag:role:git'] }), /on web-1\./);
    assertCut(await mesh.ask('DELETE', `${RULES}/${keep}`), new RegExp(`Rule ${drop} drops`));
    assertCut(await mesh.ask('DELETE', `${RULES}/${keep}?force=false`));
    assert.equal((await all()).length, 3);
    assert.equal((await patch(keep, { before: null, force: true })).body.position, 2);
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${keep}&limit=1`);
    assert.match(trail.body.items[0]?.detail ?? '', /^moved from place 0 to 2; forced: /);
  });

  it('can be what a deletion leaves, when that is meant', async () => {
    const keep = await made(KEEP);
    await made(DNS);
    await made(OUT);
    const gone = await mesh.ask('DELETE', `${RULES}/${keep}?force=true`);
    assert.equal(gone.status, 204, gone.text);
  });

  it('stand in the way of nothing else once they were forced', async () => {
    const git = await made({ ...OUT, nodes: ['tag:role:git'], protocol: 'tcp', force: true });
    const other = await made({ ...OUT, direction: 'in', protocol: 'tcp', ports: ['22'] });
    assert.equal((await patch(other, { ports: ['23'] })).status, 200);
    assert.equal((await patch(git, { note: 'for the night' })).status, 200);
    assert.equal((await create({ ...OUT, nodes: ['tag:role:git'], protocol: 'tcp' })).status, 201);
    const more = await create({ ...OUT, protocol: 'tcp' });
    assertCut(more, /new-rule|Rule/, /on web-1\./);
    assertCut(await create({ ...OUT, nodes: ['tag:role:git'], protocol: 'udp' }), /port 53/, /on git-1 and 1 more/);
    assert.equal((await mesh.ask('DELETE', `${RULES}/${other}`)).status, 204);
  });

  it('can be several that do it together, each for one address', () => {
    const addresses = ['192.0.2.1', '198.51.100.1'];
    const needs = { coordinator: { addresses, port: 7400 }, resolvers: addresses, listenPort: 51_820 };
    const rules = addresses.map((address, place) => ({
      ...OUT,
      id: `r-${place}`,
      to: [`${address}/32`],
      enabled: true,
    }));
    assert.equal(guardAgent(hostRules(rules as AnyRule[], 'mesh0'), needs).length, 2);
    for (const rule of rules) assert.ok(concernsAgents(rule as AnyRule, needs), rule.id);
  });

  it('are judged by those rules alone that can matter', () => {
    const rule = fc.record({
      id: fc.stringMatching(/^[a-z]{8}$/),
      enabled: fc.boolean(),
      nodes: fc.constant(['*']),
      direction: fc.constantFrom('in', 'out', 'out', 'out', 'forward'),
      interface: fc.constantFrom('any', 'any', 'mesh', 'mesh0', 'eth0', 'eth1'),
      from: fc.constantFrom(undefined, ['10.0.0.0/8'], ['0.0.0.0/0'], ['::/0']),
      to: fc.constantFrom(undefined, ['192.0.2.0/25'], ['192.0.2.1/32'], ['0.0.0.0/0', '::/0'], ['2001:db8::/32']),
      protocol: fc.constantFrom('any', 'tcp', 'udp', 'icmp'),
      ports: fc.constantFrom(undefined, undefined, ['7400'], ['1-65535'], ['53'], ['51000-52000'], ['22']),
      action: fc.constantFrom('accept', 'drop', 'log'),
      rate: fc.constantFrom(undefined, { count: 1, per: 'second' }),
    });
    const needs = fc.record(
      {
        coordinator: fc.record({
          addresses: fc.subarray(['192.0.2.1', '192.0.2.200', '2001:db8::1']),
          port: fc.constant(7400),
        }),
        resolvers: fc.subarray(['192.0.2.1', '198.51.100.1']),
        relays: fc.subarray([
          { port: 3478 },
          { address: '192.0.2.1', port: 3479 },
          { address: '2001:db8::1', port: 22 },
        ]),
        listenPort: fc.constant(51_820),
        interfaces: fc.constantFrom(['eth0'], ['eth0', 'eth1']),
      },
      { requiredKeys: ['coordinator', 'listenPort'] },
    );
    let cuts = 0;
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), needs, (some, wanted) => {
        const rules = some as unknown as AnyRule[];
        const judge = (list: readonly AnyRule[]) => guardAgent(hostRules(list, 'mesh0'), wanted as AgentNeeds);
        const judged = judge(rules);
        cuts += judged.length;
        assert.deepEqual(judge(rules.filter((one) => concernsAgents(one, wanted as AgentNeeds))), judged);
      }),
      // Half as many runs find 150 of them on average, and once in a few hundred times fewer than a hundred.
      { numRuns: 4000 },
    );
    assert.ok(cuts > 100, `only ${cuts} things to judge`);
  });
});
