/** The golden cases of `fixtures/tests`: a policy with tests, a mesh, and which of the tests fail and why. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ShortNode, shortNode, tagged } from '../../test/short-node.ts';
import { readPolicy } from '../document/read-policy.ts';
import { Engine } from '../engine/engine.ts';
import type { PolicyNode } from '../policy-node.ts';
import type { Directory } from './directory.ts';
import { type FailedTest, runTests } from './run-tests.ts';

interface Golden {
  readonly about: string;
  readonly policy: object;
  readonly lapsed?: readonly number[];
  /** The first has the address 100.64.0.1, and so on. */
  readonly nodes: readonly ShortNode[];
  /** Names of nodes that are known and not let in. */
  readonly outside?: readonly string[];
  readonly expect: readonly FailedTest[];
}

const folder = new URL('../../fixtures/tests/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

test('there are golden cases', () => assert.ok(files.length >= 12, `only ${files.length}`));

for (const file of files) {
  const golden: Golden = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  test(`${file.replace('.json', '')}: ${golden.about}`, () => {
    const nodes = golden.nodes.map(shortNode);
    const engine = compile(golden.policy, nodes, golden.lapsed);
    assert.deepEqual(runTests(engine, directoryOf(nodes, golden.outside)), golden.expect);
  });
}

test('all pairs that do not hold are counted, but those of a node with itself', () => {
  const names = Array.from({ length: 2000 }, (_, index) => `n${index}`);
  const nodes = [...tagged('a', ...names), ...tagged('b', 'other')];
  const policy = {
    groups: { everyone: ['*'], a: ['tag:a'] },
    grants: [{ from: 'a', to: 'everyone', allow: ['tcp:1'] }],
  };
  const denied = compile({ ...policy, tests: [{ from: 'group:everyone', deny: ['group:everyone:tcp:1'] }] }, nodes);
  const allowed = compile({ ...policy, tests: [{ from: 'group:everyone', allow: ['group:everyone:tcp:1'] }] }, nodes);
  const [{ detail: open } = { detail: '' }] = runTests(denied, directoryOf(nodes));
  assert.match(open, / and for 3,999,997 more pairs\.$/);
  const [{ detail: shut } = { detail: '' }] = runTests(allowed, directoryOf(nodes));
  assert.match(
    shut,
    /^Nothing allows tcp:1 from other to n0, from other to n1, from other to n2 and for 1,997 more pairs\.$/,
  );
});

test('suggestions are made only for the first few unknown names', () => {
  const nodes = tagged('a', 'laptop-3');
  const tests = Array.from({ length: 30 }, (_, index) => ({ from: `laptop-${10 + index}`, deny: ['laptop-3:icmp'] }));
  const failed = runTests(compile({ tests: [...tests, ...tests] }, nodes), directoryOf(nodes));
  assert.equal(failed.length, 60);
  const hinted = failed.filter(({ detail }) => detail.endsWith('Did you mean laptop-3?'));
  assert.equal(hinted.length, 40, 'the first twenty, each as often as it comes');
});

function compile(policy: object, nodes: readonly PolicyNode[], lapsed: readonly number[] = []): Engine {
  const reading = readPolicy(JSON.stringify(policy));
  if (!reading.ok) throw new Error(reading.problems.map(({ detail }) => detail).join(' '));
  return Engine.compile({ document: reading.document, nodes, lapsed: new Set(lapsed) });
}

function directoryOf(nodes: readonly PolicyNode[], outside: readonly string[] = []): Directory {
  const ids = new Map([
    ...nodes.map(({ name, id }) => [name, id] as const),
    ...outside.map((name) => [name, name] as const),
  ]);
  const addresses = new Map(nodes.map(({ id }, index) => [`100.64.0.${index + 1}`, id]));
  return {
    byName: (name) => ids.get(name),
    byAddress: (address) => addresses.get(address),
    names: () => ids.keys(),
  };
}
