/** A coordinator that is killed between finalize and download: it goes on with the same order, and the key that it kept. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { CertificateOrder, Ingress } from '@meshwork/contract';
import { askAt } from '../../../test/harness.ts';
import { Pebble } from '../../../test/pebble.ts';
import { pebbleFront } from '../../../test/pebble-front.ts';
import { Service } from '../../../test/service.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const HOST = 'shop.example.net';

it('a coordinator that is killed before it has the certificate gets it with the same order and key', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-order-'));
  const env = {
    MESH_DATA_DIR: folder.path,
    MESH_COORDINATOR_LISTEN: '127.0.0.1:0',
    MESH_LOG_LEVEL: 'trace',
    MESH_OUTBOUND_NETWORKS: '127.0.0.0/8',
  };
  const pebble = await Pebble.start({ bad_nonces: 20 });
  const front = await pebbleFront(pebble);
  let service = await Service.start(env);
  const owner = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
  const mesh = {
    get url() {
      return service.url;
    },
    owner,
    clock: { now: () => Date.now() },
    ask: <T>(method: string, path: string, ask: { token?: string | null; body?: unknown } = {}) =>
      askAt<T>(service.url, method, path, { token: owner, ...ask }),
  };
  const node = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['role:gateway'] });
  const stopped = new AbortController();
  const gateway = answering(node, pebble, stopped.signal);
  try {
    const authority = { name: 'pebble', directory: front.directory, roots: pebble.roots, agree_terms: true };
    const made = await mesh.ask('POST', '/v1/outside-authorities', { body: authority });
    assert.equal(made.status, 201, made.text);
    front.holds = (path) => path.startsWith('/certZ/');
    const body = {
      name: 'shop',
      hostname: HOST,
      service: 'web',
      gateways: ['node:gw-1'],
      tls: { certificate: 'pebble' },
    };
    const web = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    assert.equal(web.status, 201, web.text);
    const count = (path: string) => front.asked.filter((one) => one.startsWith(`POST ${path}`)).length;
    while (count('/certZ/') === 0) await pause(10);
    const printed = service.printed;
    await service.end('SIGKILL');
    front.holds = () => false;
    const finalized = front.asked.filter((one) => one.startsWith('POST /finalize-order/'));

    service = await Service.start(env);
    const order = async () => (await mesh.ask<CertificateOrder>('GET', `/v1/certificate-orders/${HOST}`)).body;
    while ((await order()).state !== 'issued') await pause(20);
    assert.equal(new Set(front.asked.filter((one) => one.includes('/finalize-order/'))).size, 1, 'one order');
    assert.ok(finalized.length > 0 && count('/finalize-order/') === finalized.length, 'it was not finalized again');
    assert.equal((await order()).attempts, 0);
    while (node.held.given_certificates.length === 0) await pause(10);
    const [held] = node.held.given_certificates;
    assert.ok(held !== undefined);
    assert.ok(new X509Certificate(held.chain).checkPrivateKey(createPrivateKey(held.private_key)));
    const secret = held.private_key.split('\n')[1]?.slice(0, 40) ?? '';
    for (const text of [printed, service.printed]) assert.ok(!text.includes(secret) && !text.includes('PRIVATE KEY'));
  } finally {
    stopped.abort();
    await service.end('SIGKILL');
    await gateway;
    front.close();
    await pebble.stop();
  }
});

/** A gateway that outlives its coordinators, as an agent does. */
async function answering(node: TestNode, pebble: Pebble, stopped: AbortSignal): Promise<void> {
  const report = { abilities: { ...EVERYTHING, probes: ['show_challenge'] } };
  let next: Parameters<TestNode['beat']>[0] = { report };
  while (!stopped.aborted) {
    try {
      const { status, body } = await node.beat(next);
      if (status === 200) {
        const probe_results = (body.probes ?? []).map((probe) => ({ id: probe.id, ...pebble.shows(probe) }));
        next = { wait: 1, applied: node.applied(), ...(probe_results.length === 0 ? {} : { probe_results }) };
      } else await node.prove();
    } catch (error) {
      if (!(error instanceof TypeError && error.message === 'fetch failed')) throw error;
      await pause(20); // no coordinator is there
    }
  }
}
