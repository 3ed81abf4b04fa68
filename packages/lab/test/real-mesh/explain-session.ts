import { MESH_INTERFACE } from '@meshwork/contract';
import type { World } from './explain-world.ts';

/** WireGuard's own. */
const SESSION_S = 180;

/** Whether both nodes have keys in use with each other, as WireGuard itself says on each. */
export async function haveSession(world: World, one: string, other: string): Promise<boolean> {
  const both = await Promise.all([hasSessionWith(world, one, other), hasSessionWith(world, other, one)]);
  return both.every((has) => has);
}

async function hasSessionWith(world: World, one: string, other: string): Promise<boolean> {
  const peer = world.nodes.find(({ name }) => name === other);
  if (peer === undefined) return false;
  const text = await world.scene.lab.node(one).exec('wg', ['show', MESH_INTERFACE, 'latest-handshakes']);
  const line = text.split('\n').find((each) => each.startsWith(peer.wireguard_key));
  const at_s = Number(line?.split('\t')[1] ?? 0);
  return Date.now() / 1000 - at_s < SESSION_S;
}
