import { MESH_INTERFACE } from '@meshwork/contract';
import type { LabNode } from '../../src/namespaces/index.ts';

/** What WireGuard itself says on a node. */
export async function keyInUse(node: LabNode): Promise<string> {
  return (await node.exec('wg', ['show', MESH_INTERFACE, 'public-key'])).trim();
}

export async function peerKeys(node: LabNode): Promise<string[]> {
  return (await node.exec('wg', ['show', MESH_INTERFACE, 'peers'])).split('\n').filter((line) => line !== '');
}

/** Where it sends what is for a peer. */
export async function endpointOf(node: LabNode, key: string): Promise<string | undefined> {
  const lines = (await node.exec('wg', ['show', MESH_INTERFACE, 'endpoints'])).split('\n');
  return lines.map((line) => line.split('\t')).find(([peer]) => peer === key)?.[1];
}
