/** Wires an agent of this host: its engines, its conversation, and what looks after both. `mesh agent run` calls it. */

import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { DEFAULT_ACCEPT_ROUTES } from '@meshwork/policy/routes';
import { systemClock } from '@meshwork/time';
import packageJson from '../package.json' with { type: 'json' };
import type { AgentConfig } from './config.ts';
import type { Ending } from './conversation/status.ts';
import { openEngines } from './data-plane/open-engines.ts';
import { GUARDED_PARTS } from './engines/engines.ts';
import { HealthPlaces } from './health/health-places.ts';
import { serveHealth } from './health/health-server.ts';
import { claimInterface } from './host/interface-claim.ts';
import type { AgentLog } from './host/log.ts';
import { hostOf } from './host/outside-addresses.ts';
import { PeerPlaces } from './host/peer-places.ts';
import { StateError } from './host/state-error.ts';
import { LastView } from './identity/last-view.ts';
import { type EnrolledIdentity, saveIdentity } from './identity/saved-identity.ts';
import type { StateFolder } from './identity/state-folder.ts';
import { WireguardKey } from './identity/wireguard-key.ts';
import { NodeAgent } from './node-agent.ts';
import { rollbackFile } from './rollback/rollback-file.ts';
import { nothingProven } from './rollback/rollback-state.ts';

export const AGENT_VERSION = packageJson.version;

export interface RunOptions {
  readonly config: AgentConfig;
  readonly folder: StateFolder;
  readonly identity: EnrolledIdentity;
  readonly log: AgentLog;
  /** Ends the agent. What it made on the host stays, and so does the traffic: the next start takes it over. */
  readonly signal: AbortSignal;
}

export async function runAgent(options: RunOptions): Promise<Ending> {
  const claim = await claimInterface(MESH_INTERFACE);
  try {
    return await runAlone(options);
  } finally {
    await claim.release();
  }
}

async function runAlone({ config, folder, identity, log, signal }: RunOptions): Promise<Ending> {
  const warn = (problem: string) => log.warn(problem);
  const key = await WireguardKey.load(folder.path);
  if (key === undefined) {
    throw new StateError('corrupt', `${folder.path} has an identity and no WireGuard key: enrol this machine anew`);
  }
  const lastView = new LastView({ folder: folder.path, node: identity.enrolled.node, warn });
  const restored = await lastView.load();
  const rollbacks = rollbackFile({ folder: folder.path, node: identity.enrolled.node, warn }, GUARDED_PARTS);
  let loaded = await rollbacks.load();
  if (loaded === undefined && restored === undefined) {
    // On disk before the first heartbeat: an agent that is killed under its first configuration finds that it was never proven.
    loaded = { proven: nothingProven(GUARDED_PARTS), refused: {} };
    await rollbacks.save(loaded);
  }
  const accept_routes = config.accept_routes ?? identity.wish.accept_routes ?? DEFAULT_ACCEPT_ROUTES;
  const port = config.wireguard_port;
  const places = new PeerPlaces();
  const opened = await openEngines({
    node: identity.enrolled.node,
    places,
    folder: folder.path,
    key,
    port,
    offered: identity.wish.routes,
    accept_routes,
    coordinators: identity.coordinators.map(hostOf),
    tls: config.tls,
    relay: config.relay,
    gateway: config.gateway,
    names: config.names,
    log,
    now: () => systemClock.now(),
    lost: ({ name }, found) => node.lost(name, found),
    reapply: (sections) => node.reapply(sections),
    news: () => node.news(),
    mapped: (endpoints) => node.mapped(endpoints),
    forwarded: (endpoint) => node.forwarded(endpoint),
  });
  const node: NodeAgent = new NodeAgent({
    ...opened,
    identity,
    key,
    restored,
    rollbacks: { loaded, save: (state) => void rollbacks.save(state) },
    rollback_after_s: config.rollback_after_s,
    probe_flows: config.probes,
    port,
    accept_routes,
    places,
    version: AGENT_VERSION,
    addressed: (addresses) => health?.follow(addresses),
    log,
    keepAudience: (audience) =>
      saveIdentity(folder.path, { ...identity, enrolled: { ...identity.enrolled, audience } }),
    save: (snapshot) => lastView.save(snapshot),
  });
  const { health_listen } = config;
  const health =
    health_listen &&
    (await HealthPlaces.open({
      listen: health_listen,
      serve: (listen) => serveHealth({ listen, source: node.health, metrics: node.metrics, warn }),
      clock: systemClock,
      warn,
    }));
  try {
    return await node.run(signal);
  } finally {
    await rollbacks.close();
    await lastView.close(); // also after a failure: what is held is whole at all times
    await health?.close();
  }
}
