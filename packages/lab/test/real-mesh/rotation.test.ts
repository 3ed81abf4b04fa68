/** Both authorities are replaced while a node calls another all the time, with real nginx: no call fails. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { untilReached } from './reach.ts';

describe('the authorities of a mesh', () => {
  let scene: Scene;
  let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;
  let nginx: ChildProcess | undefined;

  const link = (node: string) => join(nodeFolder(scene.lab.plan.name, node), 'state', 'tls', 'current');
  const shared = (name: string) => join(folder.path, name);

  before(async () => {
    // The shortest life there is: everything that follows from it comes soon.
    scene = await Scene.start({ nodes: [{ name: 'a' }, { name: 'b' }], settings: { ca: { node_lifetime_s: 300 } } });
    folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-rotation-'));
    await setGrants(scene, [{ from: 'a', to: 'b', allow: ['tcp:8443'] }]);
    for (const node of ['a', 'b']) {
      for (const file of ['cert.pem', 'crl.pem']) {
        const isThere = () =>
          readFile(join(link(node), file)).then(
            () => true,
            () => false,
          );
        await until(isThere, () => `${file} of ${node}`);
      }
    }
    await startNginx();
  });
  after(async () => {
    if (nginx !== undefined && nginx.exitCode === null) {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
    }
    await folder?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  async function startNginx(): Promise<void> {
    const site = [
      'listen 8443 ssl;',
      `ssl_certificate ${link('b')}/cert.pem;`,
      `ssl_certificate_key ${link('b')}/key.pem;`,
      `ssl_client_certificate ${link('b')}/ca.pem;`,
      `ssl_crl ${link('b')}/crl.pem;`,
      'ssl_verify_client on;',
      'ssl_verify_depth 2;',
      'location / { return 200 "hello\\n"; }',
    ];
    const text = [
      `user root; pid ${shared('nginx.pid')}; error_log ${shared('error.log')}; daemon off;`,
      'events {}',
      `http { access_log off; server { ${site.join('\n')} } }`,
    ];
    await writeFile(shared('nginx.conf'), text.join('\n'));
    nginx = scene.lab.node('b').spawn('nginx', ['-c', shared('nginx.conf')], { stdio: 'ignore' });
    await untilReached(scene.prober('a'), { host: await scene.addressOf('b'), port: 8443 });
  }

  /** Reloads nginx when what it reads has changed, as the unit would be. */
  async function reloading(signal: AbortSignal): Promise<void> {
    for (let read = await realpath(link('b')); !signal.aborted; await pause(20)) {
      const now = await realpath(link('b'));
      if (now !== read) nginx?.kill('SIGHUP');
      read = now;
    }
  }

  /** Calls `b` from `a` as often as it can. Each call reads the files anew, from one generation. */
  async function calling(signal: AbortSignal): Promise<{ readonly calls: number; readonly failures: string[] }> {
    let calls = 0;
    const failures: string[] = [];
    for (; !signal.aborted; calls++) {
      const own = await realpath(link('a'));
      const files = ['--cacert', `${own}/ca.pem`, '--cert', `${own}/cert.pem`, '--key', `${own}/key.pem`];
      const args = ['--silent', '--show-error', '--fail', '--max-time', '10', ...files, 'https://b.mesh:8443/'];
      const answer = await scene.lab
        .node('a')
        .exec('curl', args)
        .catch((error: Error) => error.message);
      if (answer !== 'hello\n') failures.push(answer);
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
      assert.ok(calls > 20, `only ${calls} calls: the test proves too little`);
    });
  }
});
