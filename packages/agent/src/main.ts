/** Wires an agent of this host: its engines, its conversation, and what looks after both. `mesh agent run` calls it. */
import packageJson from '../package.json' with { type: 'json' };
import type { AgentConfig } from './config.ts';
import type { Ending } from './conversation/status.ts';
import { openEngines } from './data-plane/open-engines.ts';
import { serveHealth } from './health/health-server.ts';
import type { AgentLog } from './host/log.ts';
import { LastView } from './identity/last-view.ts';
import type { EnrolledIdentity } from './identity/saved-identity.ts';
import { StateError } from './identity/state-error.ts';
import type { StateFolder } from './identity/state-folder.ts';
import { WireguardKey } from './identity/wireguard-key.ts';
import { hostOf } from './network/outside-addresses.ts';
import { NodeAgent } from './node-agent.ts';

export const AGENT_VERSION = packageJson.version;

export interface RunOptions {
  readonly config: AgentConfig;
  readonly folder: StateFolder;
  readonly identity: EnrolledIdentity;
  readonly log: AgentLog;
  /** Ends the agent. What it made on the host stays, and so does the traffic: the next start takes it over. */
  readonly signal: AbortSignal;
}

export async function runAgent({ config, folder, identity, log, signal }: RunOptions): Promise<Ending> {
  const warn = (problem: string) => log.warn(problem);
  const key = await WireguardKey.load(folder.path);
  if (key === undefined) {
    throw new StateError('corrupt', `${folder.path} has an identity and no WireGuard key: enrol this machine anew`);
  }
  const lastView = new LastView({ folder: folder.path, node: identity.enrolled.node, warn });
  const restored = await lastView.load();
  const outside = identity.coordinators.map(hostOf);
  const opened = await openEngines({ folder: folder.path, outside, lost: () => node.lostTunnel() });
  const node: NodeAgent = new NodeAgent({
    ...opened,
    identity,
    key,
    restored,
    port: config.wireguard_port,
    version: AGENT_VERSION,
    log,
    save: (snapshot) => lastView.save(snapshot),
  });
  const { health_listen: listen } = config;
  const server = listen && (await serveHealth({ listen, source: node.health, metrics: node.metrics, warn }));
  try {
    const ending = await node.run(signal);
    await lastView.close(); // not after a failure: an answer that made no sense may have been taken in by half
    return ending;
  } finally {
    await server?.close();
  }
}
