import { chmod, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATEWAY_CAPABILITIES } from '../../src/namespaces/node/agent-process.ts';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';

/** A node of a lab that may be a gateway. */
export interface GatewayNode extends AsyncDisposable {
  readonly node: LabNode;
  /** Shared with nginx. */
  readonly folder: string;
  /** Its agent, which was stopped. */
  start(): Promise<void>;
  /** The processes of nginx: the master first. Empty: it does not run. */
  nginx(): Promise<readonly number[]>;
}

/** Starts the agent of a node anew as one that may be a gateway, as `gateway.conf` has it. */
export async function mayBeGateway(node: LabNode): Promise<GatewayNode> {
  const made = await mkdtempDisposable(join(tmpdir(), 'meshwork-gateway-'));
  await chmod(made.path, 0o711); // nginx has to get to its own folder in it
  const folder = join(made.path, 'gateway');
  const start = () => node.agent.start({ MESH_GATEWAY_DIR: folder }, GATEWAY_CAPABILITIES);
  await node.agent.stop();
  await start();
  const nginx = async () => {
    const master = await pids(node, ['-f', `^nginx: master process .*${folder}`]);
    const workers = await Promise.all(master.map((pid) => pids(node, ['-P', String(pid)])));
    return [...master, ...workers.flat()];
  };
  return {
    node,
    folder,
    start,
    nginx,
    [Symbol.asyncDispose]: async () => {
      await node.agent.stop('SIGKILL');
      for (const pid of await nginx()) process.kill(pid, 'SIGKILL'); // it outlives its agent
      await made[Symbol.asyncDispose]();
    },
  };
}

async function pids(node: LabNode, args: readonly string[]): Promise<number[]> {
  const found = await node.exec('pgrep', args).catch(() => ''); // it exits with 1 when it finds none
  return found.split('\n').filter(Boolean).map(Number);
}
