/** Real agents in a site of each kind. What two nodes owe each other, whatever is between them, is tested on this scene. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { atATime } from '../../src/at-a-time.ts';
import { untilHeard } from '../../src/namespaces/settle-in.ts';
import { endpointOf } from '../real-mesh/wireguard.ts';
import { until } from '../until.ts';
import { MeshOfSites } from './mesh-of-sites.ts';
import { type TriedPair, tryPair } from './try-pair.ts';

/**
 * Ours: WireGuard knocks every 5 s, an agent tries one place after the other, and both may do so at the wrong time once. A port
 * is guessed once the NAT has forgotten the one before, which it had from when there was no relay.
 */
const WITHIN_MS = 60_000;
/** Ours: pairs that are tried at the same time. */
const AT_ONCE = 30;
/** No datagram leaves these sites, so without a relay they have heartbeats and nothing else. */
const BLOCKED = ['tcp-only-1', 'tcp-443-only-1'];

describe('a mesh with a node in a site of each kind', () => {
  let mesh: MeshOfSites;
  before(async () => {
    mesh = await MeshOfSites.start();
  });
  after(() => mesh?.[Symbol.asyncDispose]());

  const endpointsOf = async (name: string) => (await mesh.scene.node(name)).endpoints;
  const routerOf = (site: string) => mesh.scene.lab.plan.sites.find(({ name }) => name === site)?.four?.seen_at;

  async function assertPasses(pairs: readonly (readonly [from: string, to: string])[]): Promise<void> {
    const passages = await Promise.all(
      pairs.map(async ([from, to]) => ({ pair: `${from} to ${to}`, ...(await mesh.passes(from, to, WITHIN_MS)) })),
    );
    assert.deepEqual(
      passages.filter(({ passed }) => !passed).map(({ pair }) => pair),
      [],
    );
  }

  test('every node has a way to the coordinator', async () => {
    const { lab, client } = mesh.scene;
    const heard = await untilHeard(lab, { client });
    assert.deepEqual(
      heard.map(({ name, state }) => [name, state]),
      mesh.names.map((name) => [name, 'active']),
    );
  });

  test('a node learns its address outside from a relay, if a datagram gets there', async () => {
    for (const site of ['full-cone', 'symmetric', 'double', 'dual-stack']) {
      const outside = routerOf(site);
      let endpoints: readonly string[] = [];
      await until(
        async () => {
          endpoints = await endpointsOf(`${site}-1`);
          return endpoints.some((endpoint) => endpoint.startsWith(`${outside}:`));
        },
        () => `${site}-1 is at ${outside}, and not only at ${endpoints.join(', ')}`,
      );
    }
    for (const name of BLOCKED) {
      const { inner_address } = mesh.scene.lab.node(name).planned;
      assert.deepEqual(await endpointsOf(name), [`${inner_address}:51820`]);
    }
  });

  test('any two talk: directly where that can be, through relays where it must be', async (context) => {
    const pairs = mesh.names.flatMap((a, index) => mesh.names.slice(index + 1).map((b) => [a, b] as const));
    const found: TriedPair[] = [];
    await atATime(AT_ONCE, pairs, async (pair) => void found.push(await tryPair(mesh, pair, WITHIN_MS)));
    const wrong = found.filter(({ expected, path, passed }) => !passed || path !== expected);
    assert.deepEqual(wrong, []);
    for (const path of ['direct', 'relay'] as const) {
      const those = found.filter((one) => one.path === path);
      const shown = (times: readonly number[]) => `${median(times)} ms in the middle, ${Math.max(...times)} at most`;
      context.diagnostic(
        `${those.length} pairs ${path}: the first packet took ${shown(those.map(({ first_ms }) => first_ms))}`,
      );
      context.diagnostic(`that path took ${shown(those.map(({ settled_ms }) => settled_ms))}`);
    }
  });

  test('a node that moves to another site goes on, with the agent that it has', async () => {
    const { lab } = mesh.scene;
    await lab.move('masquerade-1', 'dual-stack');
    await assertPasses([
      ['masquerade-1', 'pub-1'],
      ['pub-1', 'masquerade-1'],
    ]);
    const { wireguard_key } = await mesh.scene.node('masquerade-1');
    const { address, address6 } = lab.node('masquerade-1').planned;
    const seen = (await endpointOf(lab.node('pub-1'), wireguard_key)) ?? '';
    assert.ok(
      [`${address}:`, `[${address6}]:`].some((place) => seen.startsWith(place)),
      `${seen} is in the new site`,
    );
    assert.ok(await lab.node('masquerade-1').agent.isRunning());
  });
});

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
