import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { ManualClock } from '../../../test/manual-clock.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { httpUpstream, tcpUpstream, type UpstreamServer } from '../../../test/upstream-server.ts';
import { UpstreamChecks } from './upstream-checks.ts';

const LOOPBACK = ['127.0.0.0/8'];
const INTERVAL_MS = 5000;
type Check = Partial<AssignedRoute['check']>;

/** An ingress that leads to this server, as node 1. */
function ingressTo({ address, port }: Pick<UpstreamServer, 'address' | 'port'>, check: Check = {}): IngressAssignment {
  return ingressOf(1, { routes: [routeOf({ targets: [targetOf(1, { address, port })], check })] });
}

describe('checks of upstreams', () => {
  let clock: ManualClock;
  let checks: UpstreamChecks;
  let networks: readonly string[];
  let trust: string | undefined;
  let changes: number;

  beforeEach(() => {
    clock = new ManualClock();
    networks = LOOPBACK;
    trust = undefined;
    changes = 0;
    checks = new UpstreamChecks({
      now: () => clock.now(),
      trust: () => trust,
      networks: () => networks,
      changed: () => {
        changes += 1;
      },
      sleep: (ms, signal) => clock.sleep(ms, signal),
      random: () => 0.5,
    });
  });
  afterEach(() => checks.stop());

  /** All that is followed and checked was, and waits for the next time. */
  const settled = async (count = 1) => {
    while (clock.waiting < count) await new Promise(setImmediate);
  };
  const nextRound = async (count = 1) => {
    await clock.pass(INTERVAL_MS);
    await settled(count);
  };
  const only = () => {
    const all = [...checks.health().values()];
    assert.equal(all.length, 1);
    return all[0];
  };

  it('begin at once: until the first result nothing is known, and that decides', async () => {
    const answers: (() => void)[] = [];
    await using server = await httpUpstream((_, response) => answers.push(() => response.end()));
    checks.follow([ingressTo(server, { kind: 'http' })]);
    const unknown = { service: 'web', node: targetOf(1).node, since: '2026-11-15T09:30:00Z', why: null };
    assert.deepEqual(only(), { ...unknown, state: 'unknown' });
    let isDone = false;
    const round = checks.firstRound().then(() => {
      isDone = true;
    });
    while (answers.length === 0) await new Promise(setImmediate);
    assert.equal(isDone, false);
    answers[0]?.();
    await round;
    assert.deepEqual(only(), { ...unknown, state: 'up' });
    assert.equal(changes, 1);
  });

  it('take a node out after as many failures, and bring it back after as many passes', async () => {
    let status = 200;
    await using server = await httpUpstream((_, response) => response.writeHead(status).end());
    checks.follow([ingressTo(server, { kind: 'http', rise: 2, fall: 3 })]);
    await settled();
    const seen: unknown[] = [];
    for (const next of [503, 503, 200, 503, 503, 503, 200, 503, 200, 200]) {
      status = next;
      await nextRound();
      seen.push([next, only()?.state, only()?.why]);
    }
    const why = 'status 503 instead of 200-399';
    assert.deepEqual(seen, [
      [503, 'up', why],
      [503, 'up', why],
      [200, 'up', null],
      [503, 'up', why],
      [503, 'up', why],
      [503, 'down', why],
      [200, 'down', why],
      [503, 'down', why],
      [200, 'down', why],
      [200, 'up', null],
    ]);
    assert.equal(only()?.since, '2026-11-15T09:30:50Z');
    assert.equal(changes, 3, 'up, down, up');
    assert.equal(server.opened, 11, 'each on a connection of its own');
  });

  it('find a server that goes away, and the same one when it is back', async () => {
    const server = await tcpUpstream(() => undefined);
    checks.follow([ingressTo(server, { fall: 1, rise: 1 })]);
    await settled();
    assert.equal(only()?.state, 'up');
    await server[Symbol.asyncDispose]();
    await nextRound();
    assert.deepEqual([only()?.state, only()?.why], ['down', 'connection refused']);
    await using _back = await httpUpstream(() => undefined, server.address, server.port);
    await nextRound();
    assert.deepEqual([only()?.state, only()?.why], ['up', null]);
  });

  it('never run twice at once for one upstream, however slow it is', async () => {
    let running = 0;
    let most = 0;
    const answers: (() => void)[] = [];
    const slow: RequestListener = (_, response) => {
      running += 1;
      most = Math.max(most, running);
      answers.push(() => {
        running -= 1;
        response.end();
      });
    };
    await using server = await httpUpstream(slow);
    const ingress = ingressTo(server, { kind: 'http', interval_s: 1, timeout_s: 60 });
    checks.follow([ingress]);
    while (answers.length === 0) await new Promise(setImmediate);
    for (let round = 0; round < 5; round++) {
      checks.follow([ingress]);
      await clock.pass(INTERVAL_MS);
    }
    assert.equal(server.opened, 1);
    answers[0]?.();
    await settled();
    assert.equal(most, 1);
  });

  it('share one upstream among routes that check it in the same way, as the first ingress', async () => {
    const hosts: unknown[] = [];
    await using server = await httpUpstream(({ headers }, response) => {
      hosts.push(headers.host);
      response.end();
    });
    const { address, port } = server;
    const route = (check: Check) => routeOf({ targets: [targetOf(1, { address, port })], check });
    const http = route({ kind: 'http' });
    const section = [
      ingressOf(1, { routes: [http, { ...http, path: '/api' }] }),
      ingressOf(2, { routes: [http, { ...route({ kind: 'http', status: '500' }), path: '/api' }] }),
    ];
    checks.follow(section);
    await settled(2);
    assert.deepEqual(hosts, ['www-1.example.com', 'www-2.example.com']);
    assert.equal(checks.health().size, 2);
    const states = section.map((ingress) => checks.ofIngress(ingress).map(({ state, why }) => [state, why]));
    assert.deepEqual(states, [[['up', null]], [['down', 'status 200 instead of 500']]], 'each node once, the worst');
  });

  it('keep what they know of an upstream that is followed again, and forget the others and end their checks', async () => {
    await using silent = await httpUpstream(() => undefined);
    await using quick = await tcpUpstream(() => undefined);
    const [one, two] = [ingressTo(quick), { ...ingressTo(silent, { kind: 'http', timeout_s: 60 }), id: 'other' }];
    checks.follow([one, two]);
    while (silent.open === 0) await new Promise(setImmediate);
    await settled();
    const before = checks.ofIngress(one);
    const waiting = checks.firstRound();
    await clock.pass(1);
    checks.follow([{ ...one, hostname: 'new.example.com' }]);
    await waiting; // it is not waited for what is not followed any more
    while (silent.open > 0) await new Promise(setImmediate);
    assert.deepEqual([...checks.health().values()], before);
    assert.equal(quick.opened, 1, 'it was not checked anew');
    assert.equal(checks.ofIngress(two).length, 0);
    assert.equal(changes, 1);
  });

  it('go on with the state of a node while only its check becomes another one', async () => {
    let status = 200;
    await using server = await httpUpstream((_, response) => response.writeHead(status).end());
    checks.follow([ingressTo(server, { kind: 'http' })]);
    await settled();
    const before = only();
    checks.follow([ingressTo(server, { kind: 'http', fall: 9 })]);
    assert.deepEqual(only(), before, 'an ingress stays up while an operator changes it');
    await checks.firstRound();
    await settled();
    assert.deepEqual(only(), before);
    status = 500;
    const [older, newer] = [ingressTo(server, { kind: 'http', fall: 9 }), ingressTo(server, { kind: 'http', fall: 8 })];
    checks.follow([older, newer]); // as while nginx goes over from one to the other
    assert.deepEqual(checks.ofIngress(newer), [before]);
    checks.follow([newer]);
    await settled();
    assert.equal(only()?.state, 'down', 'the first result of the new check decides');
    checks.follow([ingressTo(server, { kind: 'none' })]);
    assert.deepEqual([only()?.state, only()?.why], ['up', null]);
    checks.follow([ingressTo(server, { kind: 'http' })]);
    assert.equal(only()?.state, 'unknown', 'what was not checked is not known to be up');
  });

  it('make no connection where none are wanted', async () => {
    await using server = await tcpUpstream(() => undefined);
    checks.follow([ingressTo(server, { kind: 'none' })]);
    await checks.firstRound();
    assert.deepEqual([only()?.state, only()?.why, server.opened, clock.waiting], ['up', null, 0, 0]);
  });

  it('never connect to an address outside the mesh, and let none have requests', async () => {
    await using server = await tcpUpstream(() => undefined);
    networks = ['100.64.0.0/10', 'fd00::/8'];
    for (const address of ['127.0.0.1', '169.254.169.254', '0.0.0.0', 'localhost', '::ffff:127.0.0.1', '[::1]']) {
      for (const kind of ['tcp', 'http', 'none'] as const) {
        checks.follow([ingressTo({ address, port: server.port }, { kind })]);
        await checks.firstRound();
        assert.deepEqual([only()?.state, only()?.why], ['down', `${address} is no address of the mesh`]);
      }
    }
    assert.equal(server.opened, 0);
    const why = 'it could not be checked: the networks of the mesh are not known yet';
    for (const kind of ['tcp', 'none'] as const) {
      const ingress = ingressTo({ address: '127.0.0.2', port: server.port }, { kind });
      networks = [];
      checks.follow([ingress]);
      await checks.firstRound();
      assert.deepEqual([only()?.state, only()?.why], ['unknown', why]);
      assert.equal(server.opened, 0);
    }
    networks = LOOPBACK;
    checks.follow([ingressTo({ address: '127.0.0.2', port: server.port }, { kind: 'none' })]);
    assert.deepEqual([only()?.state, only()?.why], ['up', null]);
  });

  it('by HTTPS wait for the roots, and say nothing of a node before they are known', async () => {
    await using plain = await httpUpstream((_, response) => response.end());
    const { address, port } = plain;
    const secure = routeOf({ protocol: 'https', check: { kind: 'http' }, targets: [targetOf(1, { address, port })] });
    checks.follow([ingressOf(1, { routes: [secure] })]);
    await settled();
    const why = 'it could not be checked: the roots of the mesh are not known yet';
    assert.deepEqual([only()?.state, only()?.why], ['unknown', why]);
    trust = 'no PEM';
    await nextRound();
    assert.equal(only()?.state, 'unknown');
    assert.equal(plain.opened, 0);
    trust = (await meshCa()).root;
    await nextRound();
    assert.deepEqual([only()?.state, only()?.why], ['down', 'it does not speak TLS as it should']);
    checks.follow([ingressOf(1, { routes: [{ ...secure, check: { ...secure.check, kind: 'tcp' } }] })]);
    await settled();
    assert.equal(only()?.state, 'up', 'a connection is all that is asked for');
  });

  it('by gRPC over TLS wait for them too', async () => {
    await using plain = await httpUpstream((_, response) => response.end());
    const { address, port } = plain;
    const secure = routeOf({ protocol: 'grpcs', check: { kind: 'grpc' }, targets: [targetOf(1, { address, port })] });
    checks.follow([ingressOf(1, { routes: [secure] })]);
    await settled();
    assert.equal(only()?.why, 'it could not be checked: the roots of the mesh are not known yet');
    trust = (await meshCa()).root;
    await nextRound();
    assert.deepEqual([only()?.state, only()?.why], ['down', 'it does not speak TLS as it should']);
  });

  it('of 300 upstreams run 64 at once, and new ones do not wait for those that are slow', async () => {
    const waiting: (() => void)[] = [];
    await using slow = await httpUpstream((_, response) => waiting.push(() => response.end()), '0.0.0.0');
    const targets = Array.from({ length: 300 }, (_, index) =>
      targetOf(index, { address: `127.0.1.${index % 250}`, port: slow.port }),
    );
    const many = ingressOf(1, { routes: [routeOf({ targets, check: { kind: 'http', timeout_s: 60 } })] });
    checks.follow([many]);
    let done = 0;
    while (done < 300) {
      const expected = Math.min(64, 300 - done);
      while (waiting.length < expected) await new Promise(setImmediate);
      assert.equal(waiting.length, expected);
      for (const answer of waiting.splice(0)) answer();
      done += expected;
    }
    await settled(300);
    assert.deepEqual(new Set([...checks.health().values()].map(({ state }) => state)), new Set(['up']));
    assert.equal(checks.ofIngress(many).length, 300);

    await clock.pass(INTERVAL_MS * 2); // all are due again, and none of the first 64 answers
    while (waiting.length < 64) await new Promise(setImmediate);
    await using quick = await tcpUpstream(() => undefined);
    const fresh = { ...ingressTo(quick), id: 'fresh' };
    checks.follow([many, fresh]);
    waiting.splice(0, 1)[0]?.();
    while (checks.ofIngress(fresh)[0]?.state !== 'up') await new Promise(setImmediate);
    while (slow.opened < 300 + 65) await new Promise(setImmediate); // the slot goes on to the next one
  });

  it('end with all that they had under way', async () => {
    await using server = await httpUpstream(() => undefined);
    checks.follow([ingressTo(server, { kind: 'http', timeout_s: 60 })]);
    const round = checks.firstRound();
    while (server.open === 0) await new Promise(setImmediate);
    checks.stop();
    await round;
    while (server.open > 0) await new Promise(setImmediate);
    assert.deepEqual([checks.health().size, clock.waiting, changes], [0, 0, 0]);
  });
});
