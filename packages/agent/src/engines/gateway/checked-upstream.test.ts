import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { makeRequest } from '@meshwork/pki/request';
import { ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { httpsUpstream, tcpUpstream, type UpstreamServer } from '../../../test/upstream-server.ts';
import { UpstreamChecks } from './upstream-checks.ts';

const LOOPBACK = ['127.0.0.0/8'];

/** An ingress that leads to this server. */
function ingressTo({ address, port }: UpstreamServer, interval_s = 5): IngressAssignment {
  return ingressOf(1, { routes: [routeOf({ targets: [targetOf(1, { address, port })], check: { interval_s } })] });
}

test('the pauses between checks differ, so that those of many upstreams do not fall together', async () => {
  await using server = await tcpUpstream(() => undefined);
  for (const [random, expected_ms] of [
    [0, 4000],
    [0.5, 5000],
    [1, 6000],
  ] as const) {
    const { promise: slept, resolve } = Promise.withResolvers<number>();
    const checks = new UpstreamChecks({
      now: Date.now,
      trust: () => undefined,
      networks: () => LOOPBACK,
      changed: () => undefined,
      random: () => random,
      sleep: (ms) => {
        resolve(ms);
        return new Promise(() => undefined);
      },
    });
    checks.follow([ingressTo(server)]);
    const pause_ms = await slept;
    checks.stop();
    // Less what the check itself took.
    assert.ok(pause_ms <= expected_ms && pause_ms > expected_ms - 2000, `${pause_ms} ms`);
  }
});

test('checks go on by a real timer', async () => {
  await using server = await tcpUpstream(() => undefined);
  const checks = new UpstreamChecks({
    now: Date.now,
    trust: () => undefined,
    networks: () => LOOPBACK,
    changed: () => undefined,
  });
  try {
    checks.follow([ingressTo(server, 0.02)]);
    while (server.opened < 5) await new Promise(setImmediate);
  } finally {
    checks.stop();
  }
});

test('a node is checked by HTTPS under its name in the mesh, with the roots as they are then', async () => {
  const [mesh, next] = [await meshCa(), await meshCa('next')];
  const { private_key: key, request } = await makeRequest();
  await using server = await httpsUpstream({ cert: await mesh.sign(request), key }, (_, response) => response.end());
  const { address, port } = server;
  const to = (name: string) => {
    const targets = [targetOf(name.length, { name, address, port })];
    return routeOf({ protocol: 'https', targets, check: { kind: 'http', interval_s: 0.02, rise: 1, fall: 1 } });
  };
  let trust = mesh.root;
  let changed = Promise.withResolvers<void>();
  const checks = new UpstreamChecks({
    now: Date.now,
    trust: () => trust,
    networks: () => LOOPBACK,
    changed: () => changed.resolve(),
  });
  const section = ingressOf(1, { routes: [to('git-1'), { ...to('another'), path: '/other' }] });
  const found = () => checks.ofIngress(section).map(({ state, why }) => [state, why]);
  try {
    checks.follow([section]);
    await checks.firstRound();
    const other = ['down', 'the certificate is not for another.mesh'];
    assert.deepEqual(found(), [['up', null], other]);
    for (const [root, expected] of [
      [next.root, ['down', 'the certificate is not from the CA of the mesh']],
      [next.root + mesh.root, ['up', null]],
    ] as const) {
      changed = Promise.withResolvers<void>();
      trust = root;
      await changed.promise;
      assert.deepEqual(found()[0], expected);
    }
  } finally {
    checks.stop();
  }
});
