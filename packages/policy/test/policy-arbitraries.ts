/** Policies and meshes that are small enough to meet in every way. */
import fc from 'fast-check';
import type { Conditions, Grant, PolicyDocument } from '../src/document/document.ts';
import type { PolicyNode } from '../src/policy-node.ts';

const GROUPS = ['a', 'b', 'c', 'd', 'e', 'constructor'];
const TAGS = ['role:x', 'role:y', 'red', 'blue'];
const NAMES = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'];
const VERSIONS = ['1.9.0', '1.10.0', '1.10.0-rc.1', '1.10.0-rc.2', 'dev', '2'];
const NETWORKS = [
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.0/24',
  '10.2.0.0/16',
  '0.0.0.0/0',
  'fd00::/8',
  'fd00:1::/32',
  '::/0',
];
/** Ports above this are all or nothing, which lets a reference count them as one. */
export const LAST_OWN_PORT = 9;

const part = fc.constantFrom('p', 'q', '*');
const scope = fc.tuple(part, part, part).map((parts) => `scope:${parts.join('/')}`);

/** A group may only have later ones inside, so there is no circle. */
function selectors(position: number): fc.Arbitrary<readonly string[]> {
  const inner = GROUPS.slice(position + 1).map((name) => `group:${name}`);
  const plain = [
    { weight: 4, arbitrary: fc.constantFrom(...TAGS).map((tag) => `tag:${tag}`) },
    { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => `node:${name}`) },
    { weight: 2, arbitrary: scope },
    { weight: 1, arbitrary: fc.constant('*') },
  ];
  const nested = inner.length === 0 ? [] : [{ weight: 4, arbitrary: fc.constantFrom(...inner) }];
  return fc.uniqueArray(fc.oneof(...plain, ...nested), { maxLength: 3 });
}

const groups = fc
  .tuple(...GROUPS.map((_, position) => selectors(position)))
  .map((all) => Object.fromEntries(all.map((list, index) => [GROUPS[index] ?? '', list])));

const port = fc.integer({ min: 1, max: LAST_OWN_PORT });
const ports = fc.oneof(
  port.map(String),
  fc.tuple(port, port).map(([a, b]) => (a === b ? `${a}` : `${Math.min(a, b)}-${Math.max(a, b)}`)),
  fc.constant('*'),
);
const allow = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('tcp', 'udp'), ports).map((parts) => parts.join(':')) },
  { weight: 1, arbitrary: fc.constant('icmp') },
  { weight: 1, arbitrary: fc.constant('*') },
);

const when: fc.Arbitrary<Conditions> = fc.record(
  { fresh: fc.constant(true as const), agent_version: fc.constantFrom('1.9', '1.10.0'), tag: fc.constantFrom(...TAGS) },
  { requiredKeys: [] },
);

const group = fc.constantFrom(...GROUPS);
const common = {
  from: group,
  allow: fc.uniqueArray(allow, { minLength: 1, maxLength: 3 }),
  within: fc.constant('boundary' as const),
  when,
};
const toGroup = fc.record({ ...common, to: group }, { requiredKeys: ['from', 'to', 'allow'] });
const toNetwork = fc.record(
  { ...common, to: fc.constantFrom(...NETWORKS), via: group },
  { requiredKeys: ['from', 'to', 'allow'] },
);
const grant: fc.Arbitrary<Grant> = fc.oneof({ weight: 3, arbitrary: toGroup }, { weight: 2, arbitrary: toNetwork });

export const someDocument: fc.Arbitrary<PolicyDocument> = fc.record({
  groups,
  grants: fc.array(grant, { maxLength: 10, size: 'max' }),
  tests: fc.constant([]),
  stale: fc.constantFrom('keep' as const, 'drop' as const),
});

export const someLapsed: fc.Arbitrary<ReadonlySet<number>> = fc
  .uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 3 })
  .map((indices) => new Set(indices));

const provided = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...NETWORKS), fc.boolean()), { maxLength: 3, selector: ([network]) => network })
  .map((networks) => ({
    provides: networks.map(([network]) => network),
    shares: networks.filter(([, isShared]) => isShared).map(([network]) => network),
  }));

const known = fc.record({
  name: fc.constantFrom(...NAMES),
  tags: fc.subarray(TAGS),
  boundary: fc.record({ team: part, surface: fc.constantFrom('p', '*'), environment: fc.constantFrom('q', '*') }),
  fresh: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  agent_version: fc.option(fc.constantFrom(...VERSIONS)),
});
const node: fc.Arbitrary<Omit<PolicyNode, 'id'>> = fc
  .tuple(known, fc.oneof(fc.constant({ provides: [], shares: [] }), provided))
  .map(([rest, networks]) => ({ ...rest, ...networks }));

export const someId: fc.Arbitrary<string> = fc.integer({ min: 0, max: 15 }).map((number) => `node_${number}`);

export const someNode: fc.Arbitrary<PolicyNode> = fc.tuple(someId, node).map(([id, rest]) => ({ id, ...rest }));

export const someNodes: fc.Arbitrary<readonly PolicyNode[]> = fc.uniqueArray(someNode, {
  selector: ({ id }) => id,
  maxLength: 14,
  size: 'max',
});
