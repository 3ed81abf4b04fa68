/** An ingress with two gateways and three targets: one is up, one is down, and one no grant lets gateways reach. */
import type { Observed, UpstreamHealth } from '@meshwork/contract';
import type { Scene } from './scene.ts';
import { until } from './until.ts';

export const INGRESS = 'code';
export const GATEWAYS = ['gw-1', 'edge-1'] as const;
export const TARGETS = { up: 'git-1', down: 'git-2', barred: 'ci-1' } as const;
export const WHY = 'connect 443: connection refused';

const SINCE_MS = 42 * 60_000;
const GRANT = `{ "from": "gateways", "to": "git", "allow": ["tcp:443"] },`;
const GROUP = `"gateways": ["tag:role:gateway", "node:edge-1"],`;

/** Each is made once in a scene, though several visits want it at once. The answer is its id. */
function once(make: (scene: Scene) => Promise<string>): (scene: Scene) => Promise<string> {
  const made = new WeakMap<Scene, Promise<string>>();
  return (scene) => {
    const there = made.get(scene) ?? make(scene);
    made.set(scene, there);
    return there;
  };
}

export const anIngress = once(makeIngress);
/** One with rules on traffic of every sort, overridden on a path, with redirects and a maintenance page. */
export const anIngressWithRules = once(makeIngressWithRules);
/** Of the kinds that have no requests, and one that only redirects. Two want the same port, and only the first has it. */
export const ingressesOfOtherKinds = once(makeOtherKinds);

async function makeIngress(scene: Scene): Promise<string> {
  const { client } = scene;
  await letGatewaysIn(scene);
  scene.node(TARGETS.barred).report({
    services: [
      { name: 'runner', protocol: 'tcp', port: 8093, health: 'passing' },
      { name: 'git-http', protocol: 'tcp', port: 8443, health: 'passing' },
    ],
  });
  const { id } = (
    await client.call('ingress.create', {
      body: {
        ...{ name: INGRESS, hostname: 'code.example.net', service: 'git-http' },
        ...{ gateways: ['tag:role:gateway', 'node:edge-1'], replicas: 2 },
        scope: { team: 'platform', surface: '*', environment: 'production' },
        // The root of a test certifies no other domain than the mesh's own.
        tls: { certificate: 'none' },
        upstream: {
          balance: 'hash:cookie:session',
          weights: [{ nodes: `node:${TARGETS.up}`, weight: 3 }],
          check: { kind: 'http', path: '/healthz' },
        },
        routes: [{ path: '/runs', service: 'runner', upstream: { balance: 'least_connections' } }],
      },
    })
  ).body;
  for (const name of GATEWAYS) finds(scene, name);
  await until('both gateways report what they found', async () => {
    const { body } = await client.call('ingress.show', { params: { id } });
    const { served_by, targets } = body;
    return (
      targets.length === 4 && served_by.length === 2 && served_by.every(({ upstreams }) => upstreams?.length === 2)
    );
  });
  return id;
}

/** From now on a gateway reports the upstreams of every ingress that it serves. `why`: what it says of the one that is down. */
export function finds(scene: Scene, gateway: string, why: string = WHY): void {
  const since = new Date(scene.panel.clock.now() - SINCE_MS).toISOString();
  const upstream = (name: string, isUp: boolean): UpstreamHealth => ({
    ...{ service: 'git-http', node: scene.node(name).id, since },
    ...(isUp ? { state: 'up', why: null } : { state: 'down', why }),
  });
  const upstreams = [upstream(TARGETS.up, true), upstream(TARGETS.down, false)];
  const plane = scene.node(gateway).plane;
  plane.setObserved((observed: Observed) =>
    observed.ingress === undefined
      ? observed
      : { ...observed, ingress: observed.ingress.map((one) => ({ ...one, upstreams })) },
  );
  plane.setConnections(gateway === GATEWAYS[0] ? 17 : 9);
}

async function letGatewaysIn({ client }: Scene): Promise<void> {
  const { text } = (await client.call('acls.show')).body;
  const body = text
    .replace('"groups": {', `"groups": {\n    ${GROUP}`)
    .replace('"grants": [', `"grants": [\n    ${GRANT}`);
  await client.call('acls.replace', { body, query: { note: 'gateways reach git' } });
}

const OWN = { gateways: ['tag:role:gateway'], scope: { team: 'platform', surface: '*', environment: 'production' } };
/** A new host name for each, and none that the CA of a test would have to certify. */
const PLAIN = { ...OWN, tls: { certificate: 'none' } } as const;

async function makeIngressWithRules({ client }: Scene): Promise<string> {
  const { body } = await client.call('ingress.create', {
    body: {
      ...{ ...PLAIN, name: 'shop-front', hostname: 'shop.example.net', service: 'git-http', replicas: 2 },
      traffic: {
        networks: { allow: ['203.0.113.0/24', '2001:db8:7::/48'], deny: ['203.0.113.66/32'] },
        limits: { requests: { rate: '20/s', burst: 40 }, connections: 32 },
        request_headers: [{ name: 'X-Tenant', value: 'shop' }],
        response_headers: [
          { name: 'Strict-Transport-Security', value: 'max-age=63072000; includeSubDomains' },
          { name: 'Server', value: null },
        ],
        max_body_bytes: 50_000_000,
        idle_timeout_s: 300,
        compress: true,
      },
      routes: [
        {
          ...{ path: '/upload', service: 'runner' },
          traffic: { networks: { allow: [] }, max_body_bytes: 2 * 2 ** 30, idle_timeout_s: 7200 },
        },
      ],
      redirects: [
        { path: '/old', to: '/new', status: 308, keep: true },
        { path: '/help', to: 'https://help.example.net/shop', status: 302, keep: false },
      ],
      maintenance: { message: 'We move house, and are back at ten.', retry_after_s: 1800, allow: ['10.0.0.0/8'] },
      proxies: { networks: ['198.51.100.0/24'], header: 'CF-Connecting-IP' },
    },
  });
  return body.id;
}

async function makeOtherKinds({ client }: Scene): Promise<string> {
  const create = (kind: 'tls' | 'tcp', name: string, port?: number) =>
    client.call('ingress.create', {
      body: {
        ...{ ...OWN, kind, name, hostname: `${name}.example.net`, service: 'git-ssh' },
        ...(port === undefined ? {} : { port }),
        upstream: { proxy_protocol: true },
        traffic: { limits: { connections: 16 }, idle_timeout_s: 900 },
      },
    });
  await create('tls', 'vault');
  const { id } = (await create('tcp', 'git-ssh', 2222)).body;
  await until('it has its gateway', async () => {
    const { assigned_to } = (await client.call('ingress.show', { params: { id } })).body;
    return assigned_to.length > 0;
  });
  await create('tcp', 'other-ssh', 2222);
  await client.call('ingress.create', {
    body: {
      ...{ ...PLAIN, name: 'moved', hostname: 'moved.example.net' },
      redirects: [{ path: '/', to: 'https://new.example.net', status: 308, keep: true }],
    },
  });
  return id;
}
