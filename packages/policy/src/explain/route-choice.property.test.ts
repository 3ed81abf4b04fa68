/** The gateway that an answer names is the one that the agent of the source sends the packet through, on any mesh. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress, parseNetwork } from '@meshwork/addresses';
import fc from 'fast-check';
import { engineView } from '../../test/engine-view.ts';
import { build, isIn, someSituation } from '../../test/explain-situations.ts';
import type { PolicyNode } from '../policy-node.ts';
import { chooseRoutes, routeOptions, routeTo } from '../routes/choose-route.ts';
import { explain } from './explain.ts';
import type { NodeFacts } from './facts.ts';

const common = { from: fc.constantFrom('all', 'all', 'red'), allow: fc.constant(['*']) };
const to = fc.constantFrom('10.0.0.0/8', '10.0.0.0/8', '10.1.0.0/16', '0.0.0.0/0');
/** Grants to networks only, most of them from all nodes, so that most questions have several answers. */
const someGrants = fc.array(
  fc.oneof(
    fc.record({ ...common, to }),
    fc.record({ ...common, to, via: fc.constantFrom('red', 'blue') }),
    fc.record({ ...common, to, within: fc.constant('boundary' as const) }),
  ),
  { minLength: 2, maxLength: 6, size: 'max' },
);
const groups = { all: ['*'], red: ['tag:red'], blue: ['tag:blue'] };
/** Few boundaries, and one network that all providers have, shared or not: most questions then have to be decided. */
function contesting(node: PolicyNode): PolicyNode {
  const boundary = { ...node.boundary, surface: '*', environment: '*' };
  if (node.provides.length === 0) return { ...node, boundary };
  const provides = [...new Set(['10.0.0.0/8', ...node.provides])];
  return { ...node, boundary, provides, shares: node.fresh ? provides : node.shares };
}

const someQuestion = fc
  .tuple(someSituation, someGrants, fc.constantFrom('10.1.2.3', '10.2.0.1', '192.0.2.1'))
  .map(([given, grants, address]) => ({
    ...given,
    nodes: given.nodes.map(contesting),
    document: { groups, grants, tests: [], stale: 'keep' as const },
    lapsed: new Set<number>(),
    to: { kind: 'address' as const, address },
  }));

test('an answer names the gateway that the agent takes, and it is never one of another boundary before one’s own', () => {
  const seen = { taken: 0, foreign: 0, refused: 0, contested: 0 };
  fc.assert(
    fc.property(someQuestion, (given) => {
      const asides = given.asides.map((one) => ({ ...one, hidden: false, outside: null }));
      const { facts, mesh } = build({ ...given, asides });
      const { source, destination, engine } = facts;
      assert.ok(source.kind === 'node' && destination.kind === 'address');
      if (destination.providers.some(({ node }) => node.id === source.id)) return;
      const expected = takenByAgent(source, destination.address, engineView(engine, source.id));
      const explanation = explain(facts);
      const route = explanation.steps.find(({ check }) => check === 'route');
      if (expected === undefined) {
        assert.ok(route?.outcome !== 'pass' || !route.detail.includes(' reaches '), route?.detail ?? '');
        if (route?.detail.includes('does not accept')) seen.refused++;
        return;
      }
      seen.taken++;
      if (expected.isContested) seen.contested++;
      assert.equal(explanation.to.id, expected.provider);
      const own = mesh.nodes.find(({ id }) => id === source.id);
      const provider = mesh.nodes.find(({ id }) => id === expected.provider);
      assert.ok(own !== undefined && provider !== undefined);
      if (isSame(own, provider)) return;
      seen.foreign++;
      const sent = engineView(engine, source.id).terms;
      const nearer = mesh.nodes.filter(
        (node) => isSame(node, own) && sent.get(node.id)?.routes.includes(expected.network) === true,
      );
      assert.deepEqual(nearer, [], 'a provider of the own boundary has the same network');
    }),
    { numRuns: 1500 },
  );
  assert.ok(Math.min(...Object.values(seen)) > 20, JSON.stringify(seen));
});

/** From all that the node is sent, as its agent does it; the choice among equals once more, in the slowest way. */
function takenByAgent(source: NodeFacts, address: string, { terms }: ReturnType<typeof engineView>) {
  const options = [...terms].flatMap(([peer, sent]) => [...routeOptions(peer, sent)]);
  const parsed = parseAddress(address);
  assert.ok(parsed !== undefined);
  const taken = routeTo(chooseRoutes(options, source.accept_routes), parsed);
  const fitting = options
    .filter(({ network }) => isIn(address, network))
    .filter(() => source.accept_routes !== 'none')
    .filter(({ network }) => source.accept_routes !== 'subnets' || !network.endsWith('/0'));
  const order = ['own', 'via', 'shared'];
  const [best] = fitting.toSorted(
    (a, b) =>
      (parseNetwork(b.network)?.prefix ?? 0) - (parseNetwork(a.network)?.prefix ?? 0) ||
      order.indexOf(a.source) - order.indexOf(b.source) ||
      (a.provider < b.provider ? -1 : 1),
  );
  assert.deepEqual(taken, best);
  const rivals = new Set(fitting.filter(({ network }) => network === best?.network).map(({ source: why }) => why));
  return taken && { ...taken, isContested: rivals.size > 1 };
}

function isSame({ boundary: a }: PolicyNode, { boundary: b }: PolicyNode): boolean {
  return a.team === b.team && a.surface === b.surface && a.environment === b.environment;
}
