/** Quarantine cuts a node off from all others, whether its agent takes part in that or not. */
import { after, before, describe, test } from 'node:test';
import type { LiveFlow } from '../lab-prober.ts';
import { Scene } from '../lab-scene.ts';
import { assertGoesOn, untilStopped } from './flows.ts';
import { setGrants } from './grants.ts';
import { assertDropped, untilReached } from './reach.ts';
import { untilCoordinator } from './standing.ts';

const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];
/** Those that have the node b at one end, and then one that has not. */
const TO_B: readonly [Name, Name][] = [
  ['a', 'b'],
  ['b', 'a'],
  ['c', 'b'],
  ['b', 'c'],
];
const BESIDE: [Name, Name] = ['a', 'c'];

describe('a node in quarantine', () => {
  let scene: Scene;
  let id = '';
  const address = { a: '', b: '', c: '' };
  const reached = ([from, to]: readonly [Name, Name]) =>
    untilReached(scene.prober(from), { host: address[to], port: 80 });
  const dropped = ([from, to]: readonly [Name, Name]) =>
    assertDropped(scene.prober(from), { host: address[to], port: 80 });
  const flowOf = ([from, to]: readonly [Name, Name]): Promise<LiveFlow> => scene.prober(from).flow(address[to], 80);

  before(async () => {
    scene = await Scene.start({ nodes: NAMES.map((name) => ({ name })) });
    const pairs = NAMES.flatMap((from) => NAMES.filter((to) => to !== from).map((to) => ({ from, to })));
    await setGrants(
      scene,
      pairs.map((pair) => ({ ...pair, allow: ['tcp:80'] })),
    );
    for (const name of NAMES) {
      address[name] = await scene.addressOf(name);
      await scene.prober(name).listen(80);
    }
    id = (await scene.lab.node('b').id()) ?? '';
    await Promise.all([...TO_B, BESIDE].map(reached));
  });
  after(() => scene?.[Symbol.asyncDispose]());

  async function quarantineCuts(): Promise<LiveFlow[]> {
    const cut = await Promise.all(TO_B.map(flowOf));
    const beside = await flowOf(BESIDE);
    await scene.client.call('nodes.quarantine', { params: { id }, body: { reason: 'a test' } });
    await Promise.all(cut.map((flow, index) => untilStopped(flow, TO_B[index]?.join(' to ') ?? '')));
    await Promise.all(TO_B.map(dropped));
    await assertGoesOn(beside, 'of two others');
    await beside.end();
    return cut;
  }

  async function releaseBringsBack(cut: readonly LiveFlow[]): Promise<void> {
    await scene.client.call('nodes.release', { params: { id }, body: {} });
    await Promise.all(TO_B.map(reached));
    await Promise.all(cut.map((flow) => flow.end()));
  }

  test('it is cut off from all its peers, both ways, and comes back when it is released', async () => {
    await releaseBringsBack(await quarantineCuts());
  });

  test('so is one whose agent does not run: its peers let go of it, and take it back', async () => {
    const node = scene.lab.node('b');
    await node.agent.stop('SIGKILL');
    const cut = await quarantineCuts();
    await releaseBringsBack(cut);
    await node.agent.start();
    await untilCoordinator(node, 'there');
    await Promise.all(TO_B.map(reached));
  });

  test('one whose agent is started again in quarantine stays cut off, until it is released', async () => {
    const cut = await quarantineCuts();
    const node = scene.lab.node('b');
    await node.agent.stop('SIGKILL');
    await node.agent.start();
    await untilCoordinator(node, 'there');
    await Promise.all(TO_B.map(dropped));
    await releaseBringsBack(cut);
  });
});
