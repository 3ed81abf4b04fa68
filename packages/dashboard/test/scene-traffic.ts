/** A gateway that counts requests to an ingress: a busy route with some errors, a quiet one, and redirects. */
import type { TrafficCount } from '@meshwork/contract';
import { TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';
import type { Scene } from './scene.ts';
import { until } from './until.ts';

const STEP_S = 15;
/** Requests in each step, as a day has its ups and downs. */
const STEPS = [40, 44, 61, 75, 70, 92, 120, 88, 64, 71, 50, 45] as const;

/** Answers how many requests there were. */
export async function aTraffic(scene: Scene, ingress: string, gateway: string): Promise<number> {
  const node = scene.node(gateway);
  const observes = (requests: number) => {
    const counts = countsOf(ingress, requests);
    const traffic = { epoch: 'scene-epoch', since: new Date(scene.panel.clock.now()).toISOString(), counts };
    node.plane.setObserved((observed) => ({ ...observed, traffic }));
    return counts.flatMap(({ classes }) => classes).reduce((sum, one) => sum + one, 0);
  };
  const known = async () => (await scene.client.call('ingress.traffic', { params: { id: ingress } })).body;
  await node.stop();
  observes(0);
  node.start(); // a new boot reports everything, and counts are known from then on
  await until('it has reported counts', async () =>
    (await known()).gateways.some(({ name, reported_at }) => name === gateway && reported_at !== null),
  );
  let all = 0;
  let total = 0;
  for (const requests of STEPS) {
    scene.panel.clock.advance(STEP_S);
    all += requests;
    total = observes(all);
    await until('they are known', async () => (await known()).total.requests === total);
  }
  return total;
}

function countsOf(ingress: string, requests: number): TrafficCount[] {
  const part = (share: number) => Math.round(requests * share);
  const count = (route: string | null, classes: number[], place: number): TrafficCount => {
    const sum = classes.reduce((all, one) => all + one, 0);
    const failed = classes[4] ?? 0;
    return {
      ...{ ingress, route, classes },
      statuses: failed === 0 ? [] : [{ status: 503, count: failed }],
      times: [...TIME_BOUNDS_S.map((_, index) => (index === place ? sum : 0)), 0],
      ...{ bytes_in: sum * 600, bytes_out: sum * 42_000, upstream_requests: sum, upstream_ms: sum * 18 },
    };
  };
  return [
    count('/', [0, part(0.8), part(0.05), part(0.1), part(0.04), 0], 3),
    count('/runs', [0, part(0.2), 0, part(0.01), 0, 0], 6),
    count(null, [0, 0, part(0.02), 0, 0, 0], 0),
  ];
}
