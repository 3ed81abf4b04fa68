/** Whatever is asked of whatever mesh, an answer keeps its promises. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Built, build, FRESH, isIn, someSituation } from '../../test/explain-situations.ts';
import { allowedBetween } from '../../test/reference-engine.ts';
import { covers, parseAllow } from '../document/allow.ts';
import { readPolicy } from '../document/read-policy.ts';
import { Engine } from '../engine/engine.ts';
import { explain } from './explain.ts';
import type { ExplainCheck, Explanation } from './explanation.ts';
import type { ForeignFacts, NodeFacts } from './facts.ts';

const ORDER: readonly ExplainCheck[] = [
  'source',
  'destination',
  'name',
  'boundary',
  'grant',
  'route',
  'firewall',
  'underlay',
  'host',
  'service',
  'applied',
  'path',
  'relay',
  'link',
  'certificate',
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
    checkFamilies(answer);
    if (answer.verdict === 'denied') checkDenied(answer, { facts, mesh, all });
    assert.ok(!JSON.stringify(answer).includes('secret'), 'a hidden node is named');
  });
  // How many are allowed is chance, 45 or so of 3000; where they are few, there are more situations.
  for (let round = 1; round === 1 || (!isEnough() && round <= 5); round++) fc.assert(property, { numRuns: 3000 });
  assert.ok(isEnough(), JSON.stringify(seen));
});

test('a certificate changes no verdict and no advice, and adds one step at most', () => {
  const someCertificate = fc.record({
    state: fc.constantFrom('valid', 'expired', 'none', 'revoked', 'unproven' as const),
    issuer: fc.constantFrom('old', 'new', null),
    unproven_authorities: fc.constantFrom([], ['new']),
  });
  let noted = 0;
  const property = fc.property(someSituation, someCertificate, someCertificate, (given, near, far) => {
    const { facts } = build(given);
    const { source, destination } = facts;
    if (source.kind === 'missing' || destination.kind !== 'node') return;
    const certified = {
      ...facts,
      source: { ...source, certificate: near },
      destination: { ...destination, node: { ...destination.node, certificate: far } },
    };
    const { steps, ...answer } = explain(certified);
    const { steps: before, ...bare } = explain(facts);
    assert.deepEqual(answer, bare);
    const own = steps.filter(({ check }) => check === 'certificate');
    assert.deepEqual(
      steps.filter(({ check }) => check !== 'certificate'),
      before,
    );
    assert.ok(own.length <= 1 && own.every(({ outcome }) => outcome === 'note'));
    noted += own.length;
    if (answer.port.startsWith('tcp') && answer.from.id !== answer.to.id) {
      const isSound = (one: typeof near, other: typeof near) =>
        one.state === 'valid' && !(one.issuer === 'new' && other.unproven_authorities.length > 0);
      assert.equal(own.length === 0, isSound(near, far) && isSound(far, near));
    }
  });
  fc.assert(property, { numRuns: 1500 });
  assert.ok(noted > 50, `${noted}`);
});

const reading = readPolicy('{"groups":{"all":["*"]},"grants":[{"from":"all","to":"all","allow":["*"]}]}');
const EVERYTHING = reading.ok ? reading.document : assert.fail();

test('names, endpoints and what else is known of relays change no verdict and no advice', () => {
  const tried = fc.array(
    fc.record(
      {
        endpoint: fc.constantFrom('192.0.2.1:51820', '[fd00:9::1]:51820'),
        outcome: fc.constantFrom('answered', 'silent', 'unreachable' as const),
        rtt_ms: fc.constantFrom(0.4, 31),
      },
      { requiredKeys: ['endpoint', 'outcome'] },
    ),
    { maxLength: 2 },
  );
  const said = fc.record({ tried, transport: fc.constantFrom('udp', 'tcp', 'tls' as const), rtt_ms: fc.constant(7.5) });
  const extra = fc.record({
    near: said,
    far: said,
    relay: fc.record({ draining: fc.constantFrom(true as const, undefined), rtt_ms: fc.constantFrom(12, undefined) }),
    why_relayed: fc.constantFrom('Because.', undefined),
    names: fc.record({
      resolver: fc.constantFrom('resolvconf', '/etc/hosts'),
      problem: fc.constantFrom('taken', undefined),
    }),
    byName: fc.boolean(),
  });
  const seen = { name: 0, path: 0, relay: 0 };
  const property = fc.property(someSituation, extra, (given, more) => {
    // All of them are members and peers, or hardly any has a link.
    const { facts: found, mesh } = build({ ...given, asides: given.asides.map((one) => ({ ...one, outside: null })) });
    const facts = { ...found, engine: Engine.compile({ ...mesh, document: EVERYTHING }) };
    const { source, destination } = facts;
    if (source.kind === 'missing' || destination.kind !== 'node') return;
    const { near, far, near_relay, far_relay } = destination.link;
    const link = {
      near: near && { ...near, ...more.near },
      far: far && { ...far, ...more.far },
      near_relay: near_relay && { ...near_relay, ...more.relay },
      far_relay: far_relay && { ...far_relay, ...more.relay },
      why_relayed: more.why_relayed,
    };
    const to = more.byName ? destination.node.name : facts.question.to;
    const { steps, ...answer } = explain({
      ...facts,
      question: { ...facts.question, to },
      source: { ...source, names: more.names },
      destination: { ...destination, link },
    });
    checkForm({ ...answer, steps });
    const { steps: before, ...bare } = explain(facts);
    assert.deepEqual(answer, bare);
    const isNew = ({ check }: { readonly check: ExplainCheck }) => check in seen;
    assert.deepEqual(
      steps.filter((step) => !isNew(step)),
      before.filter((step) => !isNew(step)),
    );
    // They agree with the link, which decides.
    const decides = steps.find(({ check }) => check === 'link')?.outcome;
    for (const { check, outcome } of steps.filter(isNew)) {
      if (check in seen) seen[check as keyof typeof seen] += 1;
      if (check === 'name') assert.ok(outcome === 'pass' || outcome === 'note');
      else assert.ok(outcome === 'pass' || outcome === 'note' || outcome === decides, `${check} ${outcome} ${decides}`);
    }
  });
  fc.assert(property, { numRuns: 1500 });
  assert.ok(
    Object.values(seen).every((count) => count > 50),
    JSON.stringify(seen),
  );
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
  assert.ok(answer.steps.every(({ outcome }) => outcome === 'pass' || outcome === 'note'));
  for (const { id } of [answer.from, answer.to]) {
    const state = id === null ? 'active' : all.get(id)?.state;
    assert.ok(state !== undefined && FRESH.includes(state), `allowed with an end that is ${state}`);
  }
  checkFresh(answer, { facts, mesh, all });
  if (answer.from.id !== answer.to.id) assert.ok(isAllowed(answer, { facts, mesh, all }), 'no grant allows it');
}

/** No more than five seconds old, by all that is known; an older agent is believed until its heartbeats are overdue. */
function isKnownNow({ looked, connection_lost_s_ago: lost, last_seen_s_ago: seen }: NodeFacts): boolean {
  const isLost = lost !== null && lost >= 2 && (seen === null || seen >= lost);
  return !isLost && (looked === null || (looked.answered && looked.s_ago <= 5));
}

function hasFilter({ looked }: NodeFacts): boolean {
  return looked === null || (looked.answered && looked.filter === null);
}

/** What no packet can have got through is allowed by no one: each end has heard the other, and no stranger stands between. */
function checkFresh({ from, to }: Explanation, { facts: { destination }, all }: Built): void {
  const ends = [from, to].flatMap(({ id }) => all.get(id ?? '') ?? []);
  for (const node of ends) assert.ok(isKnownNow(node), `${node.name} is not known to be as it was`);
  // What a node sends to itself, it does not filter.
  if (from.id === to.id && destination.kind !== 'address') return;
  assert.ok(ends.every(hasFilter), 'a filter is not as it was');
  if (from.id === to.id || destination.kind === 'missing' || ends.length < 2) return;
  const [source, target] = ends;
  assert.ok(source !== undefined && target !== undefined);
  const link =
    destination.kind === 'node'
      ? destination.link
      : (destination.kind === 'service' ? destination.candidates : destination.providers).find(
          ({ node }) => node.id === to.id,
        )?.link;
  for (const [node, report] of [
    [source, link?.near],
    [target, link?.far],
  ] as const) {
    if (node.looked !== null) assert.ok(report?.heard?.came === true && report.heard.s_ago <= 5, 'it heard nothing');
  }
  const isBlunt = ({ direction, kind, text, ...matches }: ForeignFacts, wanted: ForeignFacts['direction']) =>
    direction === wanted && Object.keys(matches).length === 0;
  assert.ok(!source.foreign.some((rule) => isBlunt(rule, 'out') || isBlunt(rule, 'in')));
  const inward = destination.kind === 'address' ? 'forward' : 'in';
  assert.ok(!target.foreign.some((rule) => isBlunt(rule, inward)));
}

/** What peers are denied, the filter of an end denies: it is known to be in place. */
function checkDenied({ from, to }: Explanation, { facts: { engine }, all }: Built): void {
  const ends = [from, to].flatMap(({ id }) => all.get(id ?? '') ?? []);
  const [near, far] = ends.map(({ id }) => engine.cohortOf(id));
  if (near === undefined || far === undefined || !engine.arePeers(near, far)) return;
  for (const node of ends) {
    const isWithout = engine.document.stale === 'drop' && !FRESH.includes(node.state);
    assert.ok(isWithout || (isKnownNow(node) && hasFilter(node)), `${node.name} may have lost its filter`);
  }
}

function checkFamilies({ verdict, families, conditions }: Explanation): void {
  const verdicts = new Set(families.map((one) => one.verdict));
  assert.ok(families.length === 0 || families.length === 2);
  if (verdicts.size === 1) assert.ok(verdicts.has(verdict));
  if (verdicts.size > 1) assert.equal(verdict, 'unknown');
  if (conditions.length > 0) assert.equal(verdict, 'allowed');
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
