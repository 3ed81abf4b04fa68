/** Beside many other policies a request is judged by its own, and walks past the others in few tests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayScene } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { policyOf, ruleOf, wafId } from '../../../../test/waf-section.ts';
import { CHECKING, dispatched } from './policy-dispatch.ts';

const WWW = 'www-1.example.com';
/** No power of two: halves differ. */
const COUNT = 7;

test('each of many policies judges its own requests, in both phases, and none of another', {
  timeout: 100_000,
}, async () => {
  await using scene = await gatewayScene();
  const web = await scene.service('web');
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
  const routes = numbers.map((number) =>
    routeOf({ path: `/of-${number}`, targets: [web.target(1)], waf: wafId(number) }),
  );
  // Before the body is read, and after it. Every other one only detects: what is skipped then is skipped as well.
  const policies = numbers.map((number) =>
    policyOf(number, {
      mode: number % 2 === 0 ? 'detect' : 'block',
      rules: [
        ruleOf({
          name: 'Early',
          when: [{ part: 'header', name: 'x-early', test: 'equals', values: [String(number)] }],
        }),
        ruleOf({ name: 'Late', when: [{ part: 'argument', name: 'late', test: 'equals', values: [String(number)] }] }),
      ],
    }),
  );
  await scene.server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies });
  const status = async (number: number, early: number, late: number) => {
    const path = `/of-${number}?late=${late}`;
    return (await scene.ask(WWW, { path, headers: { 'x-early': String(early) } })).status;
  };
  for (const number of numbers) {
    const refused = number % 2 === 0 ? 200 : 403;
    assert.equal(await status(number, number, 0), refused, `${number}: by what is known before the body`);
    assert.equal(await status(number, 0, number), refused, `${number}: by its arguments`);
    for (const other of numbers.filter((one) => one !== number)) {
      assert.equal(await status(number, other, other), 200, `${number}: by no rule of ${other}`);
    }
  }
});

test('beside 127 other policies a request meets 8 halves and its own policy, and not 128', () => {
  const policies = Array.from({ length: 128 }, (_, index) => ({ id: wafId(index + 1) }));
  const lines = dispatched(CHECKING, policies, (_, place) => [`own ${place}`]).flatMap((text) => text.split('\n'));
  for (const [place, { id }] of policies.entries()) {
    const { met, tests } = walk(lines, `${id}|1|||`);
    assert.deepEqual(met, [`own ${place}`]);
    assert.ok(tests <= 8 + 1, `${place}: ${tests} tests`);
  }
  assert.deepEqual(walk(lines, `${wafId(129)}|1|||`).met, [], 'one of a policy that is not there meets none');
});

test('one policy alone costs a request what it did: no halves, and nothing that leaves', () => {
  const lines = dispatched(CHECKING, [{ id: wafId(1) }], () => ['own 0']);
  assert.deepEqual(walk(lines, `${wafId(1)}|1|||`), { met: ['own 0'], tests: 1 });
});

/** As the engine goes through rules in phase 1: a rule that matches skips to the marker it names. */
function walk(lines: readonly string[], id: string): { readonly met: readonly string[]; readonly tests: number } {
  const met: string[] = [];
  let tests = 0;
  let sought: string | undefined;
  for (const line of lines) {
    if (line.startsWith('SecMarker ')) {
      if (line === `SecMarker ${sought}`) sought = undefined;
      continue;
    }
    if (sought !== undefined) continue;
    if (line.startsWith('own ')) met.push(line);
    if (!line.includes('phase:1')) continue;
    tests += 1;
    const [, pattern] = /"!@rx (\S+)"/.exec(line) ?? [];
    const matches = pattern === undefined || !new RegExp(pattern.replace('\\A', '^')).test(id);
    if (matches) sought = /skipAfter:(\w+)/.exec(line)?.[1];
  }
  assert.equal(sought, undefined, 'what is skipped to is there');
  return { met, tests };
}
