/** An ingress on two gateways, and a node that looks at it from outside. The three are a test's to play. */
import type { CheckedPlace, Ingress, IngressCheckResult, OutsideCheck, Probe, Problem } from '@meshwork/contract';
import { PLATFORM, type TestCoordinator } from './harness.ts';
import { ProbedNode } from './probed-node.ts';
import { TestNode } from './test-node.ts';

type Said = ReturnType<ProbedNode['answers']>;

export const OUTSIDE = { a: '198.51.100.1', b: '198.51.100.2', eye: '203.0.113.50' } as const;

let made = 0;

export class OutsideScene {
  readonly mesh: TestCoordinator;
  readonly ingress: Ingress;
  /** May do everything inside of the scope, and nothing outside. */
  readonly token: string;
  readonly gateways: readonly [a: ProbedNode, b: ProbedNode];
  readonly eye: ProbedNode;
  readonly names: readonly [a: string, b: string, eye: string];
  /** What each gateway was asked to show, by name. */
  readonly shown = new Map<string, string>();

  private constructor(parts: Pick<OutsideScene, 'mesh' | 'ingress' | 'token' | 'gateways' | 'eye' | 'names'>) {
    this.mesh = parts.mesh;
    this.ingress = parts.ingress;
    this.token = parts.token;
    this.gateways = parts.gateways;
    this.eye = parts.eye;
    this.names = parts.names;
  }

  /** In a team of its own. `over`: of the ingress. */
  static async open(mesh: TestCoordinator, over: object = {}): Promise<OutsideScene> {
    const team = `out${++made}`;
    const scope = { ...PLATFORM, team };
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const names = [`gw-a-${team}`, `gw-b-${team}`, `eye-${team}`] as const;
    const enrolled = async (name: string, tags: readonly string[], address: string, kind: string) => {
      const node = await TestNode.enroll(mesh, { name, tags: [...tags], token, endpoints: [`${address}:51820`] });
      return new ProbedNode(node).start([kind]);
    };
    const a = await enrolled(names[0], ['role:gateway'], OUTSIDE.a, 'ingress_proof');
    const b = await enrolled(names[1], ['role:gateway'], OUTSIDE.b, 'ingress_proof');
    const eye = await enrolled(names[2], [], OUTSIDE.eye, 'ingress_check');
    const body = {
      name: 'shop',
      hostname: `${team}.example.net`,
      service: 'web',
      gateways: ['tag:role:gateway'],
      replicas: 2,
      scope,
      ...over,
    };
    const got = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    if (got.status !== 201) throw new Error(got.text);
    const scene = new OutsideScene({ mesh, ingress: got.body, token, gateways: [a, b], eye, names });
    await mesh.until(async () => {
      const { body: now } = await mesh.ask<Ingress>('GET', `/v1/ingress/${got.body.id}`);
      return now.assigned_to.length === 2;
    });
    await mesh.ask('PUT', '/v1/acls', {
      body: { groups: {}, grants: [], domain_owners: { '*.example.net': ['scope:*/*/*'] } },
    });
    for (const gateway of [a, b]) gateway.answers = (probe) => scene.#show(gateway, probe);
    return scene;
  }

  #show(gateway: ProbedNode, { ingress_proof: proof }: Probe): Said {
    if (proof === undefined) return { error: 'not here' };
    this.shown.set(gateway === this.gateways[0] ? 'a' : 'b', proof.answer);
    return { ingress_proof: { generation: gateway === this.gateways[0] ? 'aaaa1111' : 'bbbb2222' } };
  }

  /** What the node sees: these addresses in DNS, and this of each place that it was asked to try. */
  sees(
    addresses: readonly string[],
    at: (place: Pick<CheckedPlace, 'address' | 'port' | 'protocol'>) => Partial<CheckedPlace>,
    more: Partial<IngressCheckResult> = {},
  ): void {
    this.eye.answers = ({ ingress_check: asked }) => {
      if (asked === undefined) return { error: 'not here' };
      const led = addresses.flatMap((address) => asked.checks.map((check) => ({ address, ...check, in_dns: true })));
      const known = new Set(addresses);
      const direct = asked.gateways
        .filter(({ address }) => !known.has(address))
        .flatMap(({ address, checks }) => checks.map((check) => ({ address, ...check, in_dns: false })));
      const places = [...led, ...direct].map((place) => ({ ...place, outcome: 'refused' as const, ...at(place) }));
      return { ingress_check: { resolvers: ['192.0.2.53'], addresses: [...addresses], left_out: 0, places, ...more } };
    };
  }

  /** A gateway that proves itself, as a check sees it. */
  proven(which: 'a' | 'b', over: Partial<CheckedPlace> = {}): Partial<CheckedPlace> {
    const answer = this.shown.get(which);
    return {
      outcome: 'answered',
      status: 200,
      ...(answer === undefined ? {} : { answer }),
      generation: 'aaaa1111',
      ...over,
    };
  }

  async check(body: object = {}, token: string | undefined = this.token) {
    this.mesh.clock.advance(10); // so that no limit is reached by the number of checks
    return await this.mesh.ask<OutsideCheck & Problem>('POST', `/v1/ingress/${this.ingress.id}/check`, { body, token });
  }

  async stop(): Promise<void> {
    for (const node of [...this.gateways, this.eye]) await node.stop();
  }
}
