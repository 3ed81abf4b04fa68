/** Certificates of an authority outside of the mesh, on two gateways: Debian's pebble looks at one of them, and both show what it issues. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CertificateOrder, GivenCertificate } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { type GatewayNode, mayBeGateway } from './gateway-node.ts';
import { commandsOfPage, runAsOperator } from './ingress-page.ts';
import { LabPebble } from './lab-pebble.ts';
import { PublicNames } from './public-names.ts';

const HOST = 'shop.example.net';
/** As the page calls it. Here it is pebble, which no browser knows. */
const AUTHORITY = 'letsencrypt';
const DIRECTORY = '--directory letsencrypt';
const ROOTS = 'roots.pem';

describe('an outside authority', () => {
  const started = new AsyncDisposableStack();
  let scene: Scene;
  let gateways: readonly [GatewayNode, GatewayNode];
  let names: PublicNames;
  let pebble: LabPebble;
  before(async () => {
    scene = started.use(
      await Scene.start({
        nodes: [...['gw-1', 'gw-2'].map((name) => ({ name, tags: ['role:gateway'] })), { name: 'outside' }],
        env: () => ({ MESH_OUTBOUND_NETWORKS: '127.0.0.0/8' }),
      }),
    );
    const started_on = async (name: string) => started.use(await mayBeGateway(scene.lab.node(name)));
    gateways = [await started_on('gw-1'), await started_on('gw-2')];
    const outside = scene.lab.node('outside');
    names = started.use(await PublicNames.start(outside, []));
    pebble = started.use(await LabPebble.start(outside, outside.address));
  });
  after(() => started[Symbol.asyncDispose]());

  /** The authority looks at this gateway alone. */
  const looksAt = ({ node }: GatewayNode) => names.say(HOST, [node.address]);
  const order = async (): Promise<CertificateOrder | undefined> => {
    const { items } = (await scene.client.call('certificate_orders.list')).body;
    return items.find(({ hostname }) => hostname === HOST);
  };
  /** The certificate that is issued, and proven by both gateways to be shown. */
  const issued = async (before?: GivenCertificate): Promise<GivenCertificate> => {
    let [last, given]: [CertificateOrder | undefined, GivenCertificate | undefined] = [undefined, undefined];
    await until(
      async () => {
        last = await order();
        if (last?.state !== 'issued') return false;
        given = (await scene.client.call('given_certificates.show', { params: { id: last.id } })).body;
        const isNew = given.fingerprint !== before?.fingerprint;
        return isNew && given.shown_by.length === 2 && given.shown_by.every(({ current }) => current);
      },
      () => `a certificate: ${JSON.stringify(last)} ${JSON.stringify(given?.shown_by)}`,
    );
    return given ?? assert.fail();
  };
  /** What people get at each gateway, by its SHA-256. */
  const shown = () =>
    Promise.all(
      gateways.map(async ({ node }) => {
        const dial = `openssl s_client -connect ${node.address}:443 -servername ${HOST} -alpn h2 </dev/null 2>/dev/null`;
        const text = await scene.lab
          .node('outside')
          .exec('sh', ['-c', `${dial} | openssl x509 -noout -fingerprint -sha256`]);
        return text.trim().replace(/^.*=/, '').replaceAll(':', '').toLowerCase();
      }),
    );
  const workers = () => Promise.all(gateways.map((gateway) => gateway.nginx()));
  /** As its page has it, with a directory that may be asked here. */
  const followPage = async (commands: readonly string[]) => {
    const here = commands.map((line) => line.replace(DIRECTORY, `--directory ${pebble.directory} --roots ${ROOTS}`));
    return await runAsOperator(scene.mesh, here, { [ROOTS]: pebble.roots });
  };
  const renew = () => scene.client.call('certificate_orders.retry', { params: { id: HOST } });

  for (const challenge of ['http-01', 'tls-alpn-01'] as const) {
    test(`finds the answer to ${challenge} at either gateway, and both show what it issues, without a reload`, async () => {
      await looksAt(gateways[0]);
      let before: GivenCertificate | undefined;
      if (challenge === 'http-01') {
        const body = { name: 'shop', hostname: HOST, service: 'web', gateways: ['tag:role:gateway'], replicas: 2 };
        await scene.client.call('ingress.create', { body });
        const commands = await commandsOfPage('ordered');
        const toFail = commands.findIndex((line) => line.includes('--state failing'));
        assert.equal(commands.filter((line) => line.includes(DIRECTORY)).length, 1);
        await followPage(commands.slice(0, toFail));
        const first = await issued();
        const printed = await followPage(commands.slice(toFail));
        assert.ok(printed.at(-1)?.includes(HOST), printed.at(-1));
        before = first;
      } else {
        before = await issued();
        await scene.client.call('outside_authorities.update', { params: { id: AUTHORITY }, body: { challenge } });
        await renew();
      }
      const first = await issued(before);
      assert.deepEqual(await shown(), [first.fingerprint, first.fingerprint]);
      const running = await workers();
      assert.ok(running.every((pids) => pids.length > 1));
      await looksAt(gateways[1]);
      await renew();
      const second = await issued(first);
      assert.deepEqual(await shown(), [second.fingerprint, second.fingerprint]);
      assert.deepEqual(await workers(), running);
    });
  }
});
