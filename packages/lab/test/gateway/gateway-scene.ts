import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BodyOf, Ingress, Operations } from '@meshwork/contract';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { Scene } from '../lab-scene.ts';
import { setGrants } from '../real-mesh/grants.ts';
import { until } from '../until.ts';
import { type GatewayNode, mayBeGateway } from './gateway-node.ts';
import { commandsOfPage, runAsOperator } from './ingress-page.ts';
import { OTHER_PORTS, OTHER_SERVICES, startOtherServices } from './other-services.ts';
import { PublicNames } from './public-names.ts';
import type { Entrance } from './visitor-calls.ts';
import { Visitors } from './visitors.ts';
import { WebService } from './web-service.ts';

export const HOST = 'shop.example.net';
export const WEB_PORT = 8081;
export const API_PORT = 8082;
const GATEWAYS = ['gw-1', 'gw-2'] as const;

/**
 * Two gateways, two nodes with the service `web` and one with `api`, and visitors on a node that reaches the gateways at their
 * addresses outside of the mesh. The root of the mesh certifies `example.net`.
 */
export class GatewayScene implements AsyncDisposable {
  readonly scene: Scene;
  readonly gateways: readonly GatewayNode[];
  readonly services: ReadonlyMap<string, WebService>;
  /** Services that are no websites, on `web-1` and `web-2`. */
  readonly others: AsyncDisposable;
  readonly visitors: Visitors;
  /** What DNS says outside of the mesh. */
  readonly names: PublicNames;

  #granted = { from: 'gateway', to: 'web', allow: [] as readonly string[] };

  private constructor(
    scene: Scene,
    made: Pick<GatewayScene, 'gateways' | 'services' | 'others' | 'visitors' | 'names'>,
  ) {
    this.scene = scene;
    this.gateways = made.gateways;
    this.services = made.services;
    this.others = made.others;
    this.visitors = made.visitors;
    this.names = made.names;
  }

  static async start(): Promise<GatewayScene> {
    await using started = new AsyncDisposableStack();
    const scene = started.use(
      await Scene.start({
        nodes: [
          ...GATEWAYS.map((name) => ({ name, tags: ['role:gateway'] })),
          ...['web-1', 'web-2'].map((name) => ({
            name,
            tags: ['role:web'],
            services: [`web:tcp:${WEB_PORT}`, ...OTHER_SERVICES],
          })),
          { name: 'api-1', tags: ['role:web'], services: [`api:tcp:${API_PORT}`] },
          { name: 'outside' },
        ],
      }),
    );
    await certifyDomains(scene);
    const gateways: GatewayNode[] = [];
    for (const name of GATEWAYS) gateways.push(started.use(await mayBeGateway(scene.lab.node(name))));
    const services = new Map<string, WebService>();
    for (const [name, port] of [
      ['web-1', WEB_PORT],
      ['web-2', WEB_PORT],
      ['api-1', API_PORT],
    ] as const) {
      services.set(name, started.use(await WebService.start(scene.lab.node(name), port)));
    }
    const others = new AsyncDisposableStack();
    started.use(others);
    for (const name of ['web-1', 'web-2']) {
      others.use(await startOtherServices(scene.lab.plan.name, scene.lab.node(name)));
    }
    const visitors = started.use(new Visitors(scene.lab.place('outside')));
    const askers = ['outside', 'api-1'].map((name) => scene.lab.node(name));
    const names = started.use(await PublicNames.start(scene.lab.node('outside'), askers));
    const made = new GatewayScene(scene, { gateways, services, others, visitors, names });
    await made.grant([WEB_PORT, API_PORT]);
    started.move();
    return made;
  }

  /** Gateways may reach these ports of nodes with services, and the services that are no websites. Nothing else is allowed. */
  async grant(ports: readonly number[]): Promise<void> {
    const { udp, ...others } = OTHER_PORTS;
    const allow = [...[...ports, ...Object.values(others)].map((port) => `tcp:${port}`), `udp:${udp}`];
    this.#granted = { from: 'gateway', to: 'web', allow };
    await setGrants(this.scene, [this.#granted], ['gateway', 'web']);
  }

  /** Whether nodes with services may reach gateways for HTTPS as well. */
  async grantInside(may: boolean): Promise<void> {
    const inside = may ? [{ from: 'web', to: 'gateway', allow: ['tcp:443'] }] : [];
    await setGrants(this.scene, [this.#granted, ...inside], ['gateway', 'web']);
  }

  gateway(name: string): GatewayNode {
    const found = this.gateways.find(({ node }) => node.name === name);
    if (found === undefined) throw new Error(`there is no gateway ${name}`);
    return found;
  }

  service(name: string): WebService {
    const found = this.services.get(name);
    if (found === undefined) throw new Error(`there is no service on ${name}`);
    return found;
  }

  /** Makes an ingress, and waits until as many gateways prove that they serve it, and every node of its services is up there. */
  async serve(body: BodyOf<Operations['ingress.create']>): Promise<Ingress> {
    await this.scene.client.call('ingress.create', { body });
    const isUp = ({ upstreams }: Ingress['served_by'][number]) =>
      upstreams?.every(({ state }) => state === 'up') ?? false;
    return await this.untilIngress(
      body.name,
      ({ served_by, targets }) =>
        served_by.length === (body.replicas ?? 1) &&
        targets.every(({ problem }) => problem === null) &&
        served_by.every((gateway) => gateway.upstreams?.length === targets.length && isUp(gateway)),
      `${body.name} is served`,
    );
  }

  async ingress(name: string): Promise<Ingress> {
    return (await this.scene.client.call('ingress.show', { params: { id: name } })).body;
  }

  async untilIngress(name: string, isSo: (ingress: Ingress) => boolean, what: string): Promise<Ingress> {
    let last: Ingress | undefined;
    await until(
      async () => {
        last = await this.ingress(name);
        return isSo(last);
      },
      () => `${what}: ${JSON.stringify(last)}`,
    );
    return last as Ingress;
  }

  /** By these gateways, outside of the mesh. */
  async entrance(host = HOST, names: readonly string[] = GATEWAYS): Promise<Entrance> {
    const folder = join(nodeFolder(this.scene.lab.plan.name, 'outside'), 'state', 'tls', 'current');
    const addresses = names.map((name) => this.scene.lab.node(name).address);
    return { addresses, port: 443, host, ca: await readFile(join(folder, 'ca.pem'), 'utf8') };
  }

  /** The certificate of a node, with its key. */
  async certificateOf(name: string): Promise<NonNullable<Entrance['client']>> {
    const folder = join(nodeFolder(this.scene.lab.plan.name, name), 'state', 'tls', 'current');
    const [cert, key] = await Promise.all(['cert.pem', 'key.pem'].map((file) => readFile(join(folder, file), 'utf8')));
    return { cert: cert ?? '', key: key ?? '' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.visitors[Symbol.asyncDispose]();
    await this.others[Symbol.asyncDispose]();
    for (const service of this.services.values()) await service[Symbol.asyncDispose]();
    for (const gateway of this.gateways) await gateway[Symbol.asyncDispose]();
    await this.scene[Symbol.asyncDispose]();
  }
}

/** As the page says. */
async function certifyDomains({ client, mesh }: Scene): Promise<void> {
  await runAsOperator(mesh, await commandsOfPage('once'));
  await until(
    async () => (await client.call('ca.show')).body.rotation?.switched_at !== null,
    () => 'the switch to a root that certifies the domain',
  );
}
