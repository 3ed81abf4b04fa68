import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RELAY_CAPABILITIES } from '../src/namespaces/node/agent-process.ts';
import type { LabNode } from '../src/namespaces/node/lab-node.ts';

export interface RelayNode extends AsyncDisposable {
  /** Shared with coturn. */
  readonly folder: string;
  /** Its agent, which was stopped. */
  start(): Promise<void>;
}

/** Starts the agent of a node anew as one that may run a relay, as `relay.conf` has it. */
export async function mayRunRelay(node: LabNode): Promise<RelayNode> {
  const made = await mkdtempDisposable(join(tmpdir(), 'meshwork-relay-'));
  await chmod(made.path, 0o711); // coturn has to get to its own folder in it
  const folder = join(made.path, 'relay');
  const start = () => node.agent.start({ MESH_RELAY_DIR: folder }, RELAY_CAPABILITIES);
  await node.agent.stop();
  await start();
  return { folder, start, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() };
}
