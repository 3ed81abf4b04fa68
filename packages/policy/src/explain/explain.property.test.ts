/** Whatever is asked of whatever mesh, an answer keeps its promises. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Built, build, FRESH, isIn, someSituation } from '../../test/explain-situations.ts';
import { allowedBetween } from '../../test/reference-engine.ts';
import { covers, parseAllow } from '../document/allow.ts';
import { explain } from './explain.ts';
import type { ExplainCheck, Explanation } from './explanation.ts';

const ORDER: readonly ExplainCheck[] = [
  'source',
  'destination',
  'boundary',
  'grant',
  'route',
  'firewall',
  'underlay',
  'host',
  'service',
  'applied',
  'link',
];
test('an answer never says more than is known, and always says what to do', () => {
  const seen = { allowed: 0, denied: 0, unknown: 0 };
  const isEnough = () => seen.allowed > 20 && seen.denied > 100 && seen.unknown > 100;
  const property = fc.property(someSituation, (given) => {
    const { facts, mesh, all } = build(given);
    const answer = explain(facts);
    seen[answer.verdict]++;
    checkForm(answer);
    if (answer.verdict === 'allowed') checkAllowed(answer, { facts, mesh, all });
    checkGrantStep(answer, { facts, mesh, all });
    assert.ok(!JSON.stringify(answer).includes('secret'), 'a hidden node is named');
  });
  // How many are allowed is chance, 45 or so of 3000; where they are few, there are more situations.
  for (let round = 1; round === 1 || (!isEnough() && round <= 5); round++) fc.assert(property, { numRuns: 3000 });
  assert.ok(isEnough(), JSON.stringify(seen));
});

function checkForm({ steps, fix, verdict, reason }: Explanation): void {
  const places = steps.map(({ check }) => ORDER.indexOf(check));
  assert.deepEqual(
    places,
    [...new Set(places)].sort((a, b) => a - b),
    'the order of the steps',
  );
  assert.ok(steps.length > 0 && steps.every(({ detail }) => detail.endsWith('.') && !detail.includes('undefined')));
  assert.match(reason, /^[^\n]+\.$/);
  assert.ok(!reason.includes('undefined') && !fix.join().includes('undefined'));
  assert.equal(fix.length === 0, verdict === 'allowed', 'a fix, unless there is nothing to fix');
}

function checkAllowed(answer: Explanation, { facts, mesh, all }: Built): void {
  assert.ok(answer.steps.every(({ outcome }) => outcome === 'pass'));
  for (const { id } of [answer.from, answer.to]) {
    const state = id === null ? 'active' : all.get(id)?.state;
    assert.ok(state !== undefined && FRESH.includes(state), `allowed with an end that is ${state}`);
  }
  if (answer.from.id !== answer.to.id) assert.ok(isAllowed(answer, { facts, mesh, all }), 'no grant allows it');
}

/** Between members, the grant passes if and only if the rules in their slowest form say so. */
function checkGrantStep(answer: Explanation, built: Built): void {
  const step = answer.steps.find(({ check }) => check === 'grant');
  const ends = [answer.from.id, answer.to.id].map((id) => built.facts.engine.cohortOf(id ?? ''));
  if (step === undefined || ends.includes(undefined)) return;
  assert.equal(step.outcome === 'pass', isAllowed(answer, built), `${answer.port} ${step.detail}`);
}

function isAllowed({ from, to, port }: Explanation, { facts, mesh, all }: Built): boolean {
  const [source] = mesh.nodes.filter(({ id }) => id === from.id);
  const target = mesh.nodes.filter(({ id }) => to.id === null || id === to.id);
  const { destination } = facts;
  const address = destination.kind === 'address' ? destination.address : undefined;
  const [protocol, digits] = port.split(':');
  assert.ok(all.size > 0 && (protocol === 'icmp' || protocol === 'tcp' || protocol === 'udp'));
  return target.some((node) =>
    (source === undefined ? [] : allowedBetween(mesh, source, node)).some(({ grant, behind }) => {
      const leads = address === undefined ? behind === undefined : behind?.some((network) => isIn(address, network));
      const allows = grant.allow.flatMap((text) => parseAllow(text) ?? []);
      return leads === true && covers(allows, protocol, Number(digits ?? 0));
    }),
  );
}
