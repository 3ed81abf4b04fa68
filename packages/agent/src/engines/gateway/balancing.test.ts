/** Which node of a service gets a request, as a real nginx decides it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AssignedTarget } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

const WWW = 'www-1.example.com';

describe('requests are spread over the nodes of a service', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let services: Service[];
  before(async () => {
    scene = await gatewayScene();
    services = await Promise.all(['a', 'b', 'c', 'd'].map((name) => scene.service(name)));
  });
  after(() => scene[Symbol.asyncDispose]());

  const targets = (...weights: readonly number[]): AssignedTarget[] =>
    weights.map((weight, index) => services[index]?.target(index + 1, { weight }) ?? assert.fail());
  const serve = (route: Parameters<typeof routeOf>[0]) =>
    scene.server.serve({ section: [ingressOf(1, { routes: [routeOf(route)] })], ca: undefined });

  it('in turn, and by weight', async () => {
    await serve({ targets: targets(1, 1, 1) });
    assert.deepEqual(await scene.tally(WWW, 9), { a: 3, b: 3, c: 3 });
    await serve({ targets: targets(5, 1, 2) });
    assert.deepEqual(await scene.tally(WWW, 40), { a: 25, b: 5, c: 10 });
  });

  it('to the one with the fewest requests open', async () => {
    const held: (() => void)[] = [];
    const slow = await scene.service('slow', (request, response) => {
      if (request.url === '/hold') held.push(() => response.end('slow'));
      else response.end('slow');
    });
    const both = [slow.target(9), ...targets(1)];
    await serve({ targets: [slow.target(9)], balance: 'least_connections' });
    const first = scene.ask(WWW, { path: '/hold' });
    await until('it is held', async () => held.length === 1);
    // Each worker counts its own: those of the one that holds the request leave the slow node alone.
    await serve({ targets: both, balance: 'least_connections' });
    await until('the worker that holds it is met', async () => {
      const counts = await scene.tally(WWW, 10);
      if (counts.a !== 10) assert.deepEqual(Object.entries(counts).sort(), Object.entries({ a: 5, slow: 5 }));
      return counts.a === 10;
    });
    for (const end of held) end();
    assert.equal((await first).body, 'slow');
    await until('it gets requests again', async () => {
      const after = [await scene.tally(WWW, 10), await scene.tally(WWW, 10), await scene.tally(WWW, 10)];
      return after.every(({ slow: times }) => times === 5);
    });
  });

  for (const [balance, asked] of [
    ['hash:header:X-Tenant', (value: string) => ({ headers: { 'x-tenant': value } })],
    ['hash:cookie:session', (value: string) => ({ headers: { cookie: `other=1; session=${value}` } })],
    ['hash:path', (value: string) => ({ path: `/${value}?at=${Math.random()}` })],
  ] as const) {
    it(`by ${balance}: the same value leads to the same node, and a node that goes moves its own values only`, async () => {
      const values = Array.from({ length: 60 }, (_, index) => `value-${index}`);
      const placed = async () => {
        const found = new Map<string, string>();
        for (const value of values) found.set(value, (await scene.ask(WWW, asked(value))).body);
        return found;
      };
      await serve({ targets: targets(1, 1, 1, 1), balance });
      const before = await placed();
      assert.deepEqual(await placed(), before, 'from whichever worker');
      assert.equal(new Set(before.values()).size, 4);
      await serve({ targets: targets(1, 1, 1), balance });
      const after = await placed();
      for (const [value, node] of before) {
        if (node !== 'd') assert.equal(after.get(value), node, value);
        else assert.notEqual(after.get(value), 'd');
      }
      await serve({ targets: targets(1, 1, 1, 0), balance });
      assert.deepEqual(await placed(), after);
    });
  }

  it('by the address of the client, and in turn where there is nothing to go by', async () => {
    await serve({ targets: targets(1, 1, 1), balance: 'hash:address' });
    assert.equal(Object.keys(await scene.tally(WWW, 12)).length, 1);
    await serve({ targets: targets(1, 1, 1), balance: 'hash:header:X-Tenant' });
    assert.deepEqual(await scene.tally(WWW, 12), { a: 4, b: 4, c: 4 });
  });

  it('whatever they are called: a name is data, and never code', async () => {
    const names = [
      '"',
      '\\',
      '\\"',
      'a\nb',
      '\0',
      '{}[]',
      ']]',
      'ä€𝄞',
      '\u2028',
      '");os.exit()--',
      '%s%n',
      '',
      '0'.repeat(5000),
    ];
    const [a] = services;
    const nodes = names.map((name, index) => a?.target(index + 20, { name }) ?? assert.fail());
    await serve({ targets: nodes, check: { kind: 'none' } });
    assert.deepEqual(await scene.tally(WWW, 2 * names.length), { a: 2 * names.length });
    assert.equal(await scene.server.fault(), null);
  });

  it('with exactly its share for a canary, and none while it has no node', async () => {
    const [a, b, c] = targets(1, 1, 1);
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    const pools = (canary: AssignedTarget[]) => [
      { service: 'web', percent: 90, targets: [a, b] },
      { service: 'web-next', percent: 10, targets: canary },
    ];
    await serve({ pools: pools([c]) });
    assert.deepEqual(await scene.tally(WWW, 100), { a: 45, b: 45, c: 10 });
    await serve({ pools: pools([]) });
    assert.deepEqual(await scene.tally(WWW, 20), { a: 10, b: 10 });
    await serve({ pools: pools([c]), balance: 'hash:cookie:user' });
    const asked = (number: number) => ({ headers: { cookie: `user=u${number % 50}` } });
    const once = await scene.tally(WWW, 50, asked);
    const twice = await scene.tally(WWW, 100, asked);
    assert.deepEqual(
      Object.entries(twice).sort(),
      Object.entries(once)
        .map(([name, times]) => [name, 2 * times])
        .sort(),
    );
  });

  it('and leaves out one that just failed, while others are up', async () => {
    let isBroken = true;
    const flaky = await scene.service('flaky', (request, response) => {
      if (isBroken) request.socket.destroy();
      else response.end('flaky');
    });
    await serve({ targets: [flaky.target(9), ...targets(1)], check: { kind: 'none' } });
    assert.deepEqual(await scene.tally(WWW, 20), { a: 20 }, 'no request fails');
    const tries = flaky.requests.length;
    assert.ok(tries <= 4, `${tries} requests went there first`);
    isBroken = false;
    await until('it is tried again', async () => (await scene.tally(WWW, 2)).flaky === 1, 15_000);
  });

  it('and gets no request any more when its check fails, until it passes again', async () => {
    const check = { interval_s: 1, rise: 1, fall: 1 };
    await serve({ targets: targets(1, 1), check });
    assert.deepEqual(await scene.tally(WWW, 4), { a: 2, b: 2 });
    const workers = await scene.workers();
    const service = services[1] ?? assert.fail();
    const { port } = service.target(2);
    await service.stop();
    await until('it is out', onlyA, 10_000);
    service.server.listen(port, '127.0.0.1');
    await until('it is in again', async () => (await scene.tally(WWW, 4)).b === 2, 10_000);
    assert.deepEqual(await scene.workers(), workers);
  });

  const onlyA = async () => {
    const [observed] = scene.server.observed();
    const down = observed?.upstreams?.find(({ state }) => state === 'down');
    return down !== undefined && (await scene.tally(WWW, 4)).a === 4;
  };
});
