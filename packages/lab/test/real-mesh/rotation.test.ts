/** Both authorities are replaced while a node calls another all the time, with real nginx: no call fails. */
import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { TlsNodes } from './tls-nodes.ts';

/** Each call is a process: without a pause they would keep a core busy for the whole rotation. */
const BETWEEN_CALLS_MS = 100;

describe('the authorities of a mesh', () => {
  let nodes: TlsNodes;
  let scene: Scene;

  before(async () => {
    // The shortest life there is: everything that follows from it comes soon.
    nodes = await TlsNodes.start({ settings: { ca: { node_lifetime_s: 300 } } });
    scene = nodes.scene;
  });
  after(() => nodes?.[Symbol.asyncDispose]());

  /** Reloads nginx when what it reads has changed, as the unit would be. */
  async function reloading(signal: AbortSignal): Promise<void> {
    for (let read = await realpath(nodes.current('git-1')); !signal.aborted; await pause(20)) {
      const now = await realpath(nodes.current('git-1'));
      if (now !== read) nodes.reloadNginx();
      read = now;
    }
  }

  /** Calls `git-1` from `a` again and again. Each call reads the files anew, from one generation. */
  async function calling(signal: AbortSignal): Promise<{ readonly calls: number; readonly failures: string[] }> {
    let calls = 0;
    const failures: string[] = [];
    for (; !signal.aborted; calls++, await pause(BETWEEN_CALLS_MS)) {
      const own = await realpath(nodes.current('a'));
      const files = ['--cacert', `${own}/ca.pem`, '--cert', `${own}/cert.pem`, '--key', `${own}/key.pem`];
      const args = ['--silent', '--show-error', '--fail', '--max-time', '10', ...files, 'https://git-1.mesh:8443/'];
      const answer = await scene.lab
        .node('a')
        .exec('curl', args)
        .catch((error: Error) => error.message);
      if (answer !== 'hello CN=a.mesh\n') failures.push(answer);
    }
    return { calls, failures };
  }

  for (const what of ['intermediate', 'root'] as const) {
    test(`are replaced without a failed handshake: the ${what}`, async () => {
      const before = (await scene.client.call('ca.show')).body.authorities;
      const end = new AbortController();
      const work = Promise.all([calling(end.signal), reloading(end.signal)]);
      try {
        const { body: started } = await scene.client.call('ca.rotate', { body: { what } });
        const show = async () => (await scene.client.call('ca.show')).body;
        await until(
          async () => (await show()).rotation === null,
          () => `the end of the rotation of the ${what}`,
          180_000,
        );
        const { authorities } = await show();
        const stateOf = (id: string) => authorities.find((one) => one.id === id)?.state;
        assert.deepEqual(
          started.to.map(stateOf),
          started.to.map(() => 'active'),
        );
        assert.deepEqual(
          started.from.map(stateOf),
          started.from.map(() => 'retired'),
        );
        assert.ok(authorities.length > before.length);
      } finally {
        end.abort();
      }
      const [{ calls, failures }] = await work;
      assert.deepEqual(failures, []);
      assert.ok(calls > 100, `only ${calls} calls: the test proves too little`);
    });
  }
});
