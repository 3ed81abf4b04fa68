/** Questions of every kind about small meshes in every state, and the facts that a coordinator would gather for them. */
import assert from 'node:assert/strict';
import { containsAddress, parseNetwork } from '@meshwork/addresses';
import fc from 'fast-check';
import { Engine } from '../src/engine/engine.ts';
import type {
  AppliedFacts,
  DestinationFacts,
  ExplainFacts,
  ForeignFacts,
  LinkFacts,
  LinkReport,
  NodeFacts,
} from '../src/explain/facts.ts';
import type { Wanted } from '../src/explain/wanted.ts';
import type { FirewallRule } from '../src/firewall/rule.ts';
import { someDocument, someLapsed, someNodes } from './policy-arbitraries.ts';
import type { ReferenceMesh } from './reference-engine.ts';

export const FRESH: readonly NodeFacts['state'][] = ['active', 'draining'];
const SILENT: readonly NodeFacts['state'][] = ['stale', 'unreachable'];
const OUTSIDE: readonly NodeFacts['state'][] = ['pending', 'quarantined', 'removed'];
const ADDRESSES = ['10.1.2.3', '10.2.0.1', '192.0.2.1', 'fd00:1::1', 'fe00::1'];

const wanted: fc.Arbitrary<Wanted> = fc.oneof(
  fc.constant({ protocol: 'icmp', port: 0 } as const),
  fc.record({ protocol: fc.constantFrom('tcp' as const, 'udp' as const), port: fc.integer({ min: 1, max: 9 }) }),
);
const age = fc.option(fc.constantFrom(5, 100, 400));
const HEARD = { s_ago: 1, came: true };
const heard = fc.constantFrom<LinkReport['heard']>(
  HEARD,
  HEARD,
  HEARD,
  HEARD,
  null,
  { s_ago: 2, came: false },
  {
    s_ago: 9,
    came: true,
  },
);
const report = fc.option(
  fc.record({
    path: fc.constantFrom('direct' as const, 'relay' as const, 'none' as const),
    handshake_age_s: age,
    heard,
    endpoint: fc.constantFrom(null, '192.0.2.1:51820', '[fd00:9::1]:51820'),
  }),
);
const relay = fc.option(fc.record({ name: fc.constantFrom('fra-1', null), healthy: fc.boolean() }));
const link: fc.Arbitrary<LinkFacts> = fc.record({ near: report, far: report, near_relay: relay, far_relay: relay });
const applied: fc.Arbitrary<AppliedFacts> = fc
  .record({
    in_sync: fc.oneof({ weight: 8, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    error: fc.constantFrom('secret: no', null),
    reason: fc.constantFrom('secret', null),
    applied_revision: fc.constantFrom(7, 8, null),
    desired_revision: fc.constant(8),
  })
  .map((facts) => (facts.in_sync ? { ...facts, error: null, reason: null } : facts));
const rule: fc.Arbitrary<FirewallRule> = fc.record({
  id: fc.constantFrom('r1', 'r2'),
  note: fc.constant('for secret-1'),
  enabled: fc.boolean(),
  nodes: fc.constant(['*']),
  direction: fc.constantFrom('in' as const, 'out' as const, 'forward' as const),
  interface: fc.constantFrom('mesh', 'any', 'eth0', 'mesh0'),
  protocol: fc.constantFrom('any' as const, 'tcp' as const),
  action: fc.constantFrom('accept' as const, 'drop' as const, 'log' as const),
});
const limited: fc.Arbitrary<FirewallRule> = fc
  .tuple(rule, fc.record({ count: fc.constantFrom(1, 5), per: fc.constantFrom('second' as const, 'minute' as const) }))
  .map(([one, rate]) => ({ ...one, action: 'accept', rate }));

/** Most of the time there is nothing of the kind, so that enough is allowed. */
const seldom = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { freq: 8 });
const look = fc.record({
  s_ago: fc.constantFrom(1, 1, 1, 9),
  answered: fc.constantFrom(true, true, true, false),
  filter: seldom(fc.constant('secret: the table is dormant')),
  dropped: fc.constantFrom(0, 412),
});
const foreign: fc.Arbitrary<ForeignFacts> = fc.record(
  {
    kind: fc.constantFrom('filter' as const, 'filter' as const, 'route' as const, 'address' as const),
    direction: fc.constantFrom('in' as const, 'out' as const, 'forward' as const),
    text: fc.constantFrom('secret drop', 'secret tcp dport 2 redirect to :3'),
    interface: fc.constantFrom('mesh0', 'eth0'),
    protocol: fc.constantFrom('tcp' as const, 'udp' as const),
    ports: fc.constantFrom(['2'], ['5-9', '51820']),
    to: fc.constantFrom(['100.64.0.0/10'], ['10.0.0.0/8', '192.0.2.1']),
  },
  { requiredKeys: ['kind', 'direction', 'text'] },
);

/** What is known of a node beside what the policy knows. */
const aside = fc.record({
  fresh: fc.constantFrom(...FRESH),
  silent: fc.constantFrom(...SILENT),
  outside: fc.option(fc.constantFrom(...OUTSIDE), { freq: 5 }),
  last_seen_s_ago: fc.option(fc.nat(10_000)),
  applied: fc.record({ self: applied, peers: applied, acl: applied, firewall: applied }),
  firewall: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.oneof(rule, rule, limited), { maxLength: 3 }) },
  ),
  services: fc.subarray([
    { name: 'web', protocol: 'tcp' as const, port: 2 },
    { name: 'dns', protocol: 'udp' as const, port: 5 },
  ]),
  denied: fc.option(fc.constant({ in: 3, forward: 4 })),
  accept_routes: fc.constantFrom('all' as const, 'subnets' as const, 'none' as const, null),
  hasSix: fc.boolean(),
  look: fc.option(look, { freq: 2 }),
  connection_lost_s_ago: seldom(fc.constantFrom(1, 4)),
  foreign: seldom(fc.array(foreign, { minLength: 1, maxLength: 2 })),
  underlay: fc.option(fc.constantFrom(['192.0.2.1'], ['192.0.2.1', 'fd00:9::1'], []), { freq: 2 }),
  hidden: fc.boolean(),
});

export const someSituation = fc.record({
  document: someDocument,
  lapsed: someLapsed,
  nodes: someNodes.filter(({ length }) => length > 1),
  asides: fc.array(aside, { minLength: 16, maxLength: 16 }),
  from: fc.nat(15),
  to: fc.oneof(
    fc.record({
      kind: fc.constant('node' as const),
      index: fc.nat(15),
      /** Null: by name. */
      family: fc.constantFrom(4 as const, 6 as const, null),
    }),
    fc.record({ kind: fc.constant('service' as const), name: fc.constantFrom('web', 'dns', 'none') }),
    fc.record({ kind: fc.constant('address' as const), address: fc.constantFrom(...ADDRESSES) }),
  ),
  wanted: fc.option(wanted),
  link,
  isWhole: fc.boolean(),
});
type Situation = typeof someSituation extends fc.Arbitrary<infer Value> ? Value : never;

export interface Built {
  readonly facts: ExplainFacts;
  readonly mesh: ReferenceMesh;
  /** By id. */
  readonly all: ReadonlyMap<string, NodeFacts>;
}

export function isIn(address: string, text: string): boolean {
  const network = parseNetwork(text);
  return network !== undefined && containsAddress(network, address);
}

export function build(given: Situation): Built {
  const isForwarder = ({ provides }: { readonly provides: readonly string[] }) => provides.length > 0;
  const named = given.nodes.map((node, index) => {
    const isSecret =
      given.asides[index]?.hidden === true && isForwarder(node) && index !== given.from % given.nodes.length;
    return { ...node, name: isSecret ? `secret-${index}` : node.name };
  });
  const facts = named.map((node, index) => nodeFacts(given, node, index));
  const members = named.filter((_, index) => !OUTSIDE.includes(facts[index]?.state ?? 'removed'));
  const mesh = { document: given.document, nodes: members, lapsed: given.lapsed };
  const source = facts[given.from % facts.length];
  assert.ok(source !== undefined);
  const question = { from: source.name, to: 'asked', port: given.wanted };
  const destination = destinationOf(given, source, facts, members);
  return {
    facts: { question, engine: Engine.compile(mesh), whole_policy: given.isWhole, source, destination },
    mesh,
    all: new Map(facts.map((node) => [node.id, node])),
  };
}

function nodeFacts({ asides }: Situation, node: Situation['nodes'][number], index: number): NodeFacts {
  const given = asides[index];
  assert.ok(given !== undefined);
  // What hidden nodes report may not be shown either.
  const own: typeof given = node.name.startsWith('secret')
    ? given
    : JSON.parse(JSON.stringify(given).replaceAll('secret', 'plain'));
  const { id, name, boundary, tags, agent_version } = node;
  return {
    ...own,
    ...{ kind: 'node', id, name, boundary, tags, agent_version },
    address: `100.64.0.${index + 1}`,
    address6: own.hasSix ? `fd64::${index + 1}` : null,
    state: own.outside ?? (node.fresh ? own.fresh : own.silent),
    interface: 'mesh0',
    // An agent that just answered is not silent.
    looked: lookFacts(node.fresh || own.look === null ? own.look : { ...own.look, answered: false }),
    foreign: own.foreign ?? [],
    underlay: own.underlay === null ? null : { port: 51_820, addresses: own.underlay, needs: NEEDS },
  };
}

const NEEDS = { coordinator: { addresses: ['192.0.2.200'], port: 443 }, listenPort: 51_820 };

function lookFacts(given: Situation['asides'][number]['look']): NodeFacts['looked'] {
  if (given === null) return null;
  const { s_ago, answered, filter, dropped } = given;
  if (!answered) return { s_ago, answered };
  return { s_ago, answered, filter, dropped: new Map(['r1', 'r2'].map((id) => [id, dropped])) };
}

function destinationOf(
  { to, link }: Situation,
  source: NodeFacts,
  facts: readonly NodeFacts[],
  members: Situation['nodes'],
): DestinationFacts {
  const seen = facts.filter(({ name }) => !name.startsWith('secret'));
  if (to.kind === 'service') {
    const candidates = seen.filter(({ services }) => services.some(({ name }) => name === to.name));
    return { ...to, near: [], candidates: candidates.map((node) => ({ node, link })) };
  }
  if (to.kind === 'node') {
    const node = seen[to.index % seen.length];
    assert.ok(node !== undefined);
    const six = node.address6 === null ? [] : [6 as const];
    const [asked] = to.family === 6 ? six : to.family === 4 ? [4 as const] : [];
    const both = source.address6 === null ? [4 as const] : [4 as const, ...six];
    return { kind: 'node', node, families: asked === undefined ? both : [asked], link };
  }
  const providers = members.flatMap(({ id, provides }) =>
    provides
      .filter((network) => isIn(to.address, network))
      .flatMap((network) => {
        const node = facts.find((candidate) => candidate.id === id);
        return node === undefined ? [] : [{ node, network, link, hidden: node.name.startsWith('secret') }];
      }),
  );
  return { ...to, in_mesh: false, providers, offers: [] };
}
