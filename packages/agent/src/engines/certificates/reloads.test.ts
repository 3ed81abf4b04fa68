import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { type CertifiedNode, certifiedNode, requestOf } from '../../../test/certified-node.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { CommandError, type RunCommand } from '../../host/run-command.ts';
import { Reloads } from './reloads.ts';

const NGINX = 'systemctl try-reload-or-restart -- nginx.service';
const HAPROXY = 'systemctl try-reload-or-restart -- haproxy.service';
const UNITS = ['nginx.service', 'haproxy.service'];

describe('services that use the certificate', () => {
  let ca: Awaited<ReturnType<typeof meshCa>>;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let commands: string[];
  let fails: (command: string) => boolean;
  const run: RunCommand = async (command, args) => {
    const line = [command, ...args].join(' ');
    commands.push(line);
    if (fails(line)) throw new CommandError(command, 1, 'Job for nginx.service failed.');
    return '';
  };

  before(async () => {
    ca = await meshCa();
  });
  beforeEach(async () => {
    folder = await newFolder();
    commands = [];
    fails = () => false;
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const start = (saved?: ReturnType<CertifiedNode['saved']>) =>
    certifiedNode(folder.path, { run, reload: UNITS }, saved);
  const certify = async (node: CertifiedNode) => {
    await node.tell({ certificate: { chain: null, request: true } });
    await node.tell({ certificate: { chain: await ca.sign(requestOf(node)), request: false } });
    await node.engine.reloaded();
  };
  const taken = () => commands.splice(0);

  it('are reloaded when its files changed, each once, and not otherwise', async () => {
    let node = await start();
    await node.tell({ certificate: { chain: null, request: true } });
    assert.deepEqual(taken(), [], 'there is nothing to read yet');
    const chain = await ca.sign(requestOf(node));
    await node.tell({ certificate: { chain, request: false } });
    await node.engine.reloaded();
    assert.deepEqual(taken(), [NGINX, HAPROXY]);
    await node.tell({ certificate: { chain, request: true } });
    await node.mend();
    await node.engine.look(node.view);
    await node.engine.reloaded();
    assert.deepEqual(taken(), [], 'what they read is the same');
    node = await start(node.saved());
    await node.engine.reloaded();
    assert.deepEqual(taken(), [], 'also after a restart of the agent');
    await node.tell({ trust: { roots: [ca.root], revocation_lists: [] } });
    await node.engine.reloaded();
    assert.deepEqual(taken(), [NGINX, HAPROXY]);
    await writeFile(join(node.tls, 'current/cert.pem'), 'x');
    await node.mend();
    await node.engine.reloaded();
    assert.deepEqual(taken(), [NGINX, HAPROXY], 'they may have read what another program wrote');
    await node.tell({ certificate: null, trust: null });
    await node.engine.reloaded();
    assert.ok(taken().includes(NGINX));
  });

  it('do not make the certificate an error when they cannot be reloaded, and are tried again less and less often', async () => {
    const node = await start();
    fails = (line) => line === NGINX;
    await certify(node);
    assert.deepEqual(taken(), [NGINX, HAPROXY]);
    assert.equal(node.applied.certificate?.error, undefined);
    const failure = 'systemctl failed (1): Job for nginx.service failed.';
    assert.deepEqual(node.warnings, [`a service could not be reloaded after its certificate changed: ${failure}`]);
    assert.deepEqual(JSON.parse(await node.plane.diagnose()).certificates.reloads, {
      'nginx.service': failure,
      'haproxy.service': 'reloaded',
    });
    for (const [wait_s, expected] of [
      [59, []],
      [1, [NGINX]],
      [119, []],
      [1, [NGINX]],
    ] as const) {
      node.pass(wait_s * 1000);
      await node.engine.look(node.view);
      await node.engine.reloaded();
      assert.deepEqual(taken(), expected);
    }
    fails = () => false;
    node.pass(4 * 60_000);
    await node.engine.look(node.view);
    await node.engine.reloaded();
    assert.deepEqual(taken(), [NGINX]);
    node.pass(3_600_000);
    await node.engine.look(node.view);
    await node.engine.reloaded();
    assert.deepEqual(taken(), []);
  });

  it('are reloaded with the next change at once, although they failed before', async () => {
    const node = await start();
    fails = () => true;
    await certify(node);
    taken();
    await node.tell({ trust: { roots: [ca.root], revocation_lists: [] } });
    await node.engine.reloaded();
    assert.deepEqual(taken(), [NGINX, HAPROXY]);
  });

  it('are reloaded by the next agent when this one was killed before, or could not', async () => {
    const node = await start();
    fails = (line) => line === HAPROXY;
    await certify(node);
    taken();
    fails = () => false;
    const next = await start(node.saved());
    await next.engine.reloaded();
    assert.deepEqual(taken(), [HAPROXY]);
  });

  it('are reloaded once more for what changed while they were being reloaded', async () => {
    const first = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const log = { info: () => undefined, warn: () => undefined };
    const slow: RunCommand = async (_command, [, , unit = '']) => {
      commands.push(unit);
      started.resolve();
      await first.promise;
      return '';
    };
    const units = ['nginx.service'];
    const reloads = await Reloads.open({ folder: folder.path, units, run: slow, now: () => 0, log });
    reloads.follow('g-1');
    await started.promise;
    reloads.follow('g-2');
    reloads.follow('g-3');
    first.resolve();
    await reloads.settled();
    assert.deepEqual(commands, ['nginx.service', 'nginx.service']);
    reloads.follow('g-3');
    await reloads.settled();
    assert.equal(commands.length, 2);
  });
});
