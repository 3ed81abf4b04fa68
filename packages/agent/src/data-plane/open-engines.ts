import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abilities } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { NftFirewall } from '../engines/firewall/nft-firewall.ts';
import { claimInterface } from '../host/interface-claim.ts';
import { StateError } from '../identity/state-error.ts';
import { HostsFile } from '../engines/names/hosts-file.ts';
import { IpNetwork } from '../engines/network/ip-network.ts';
import { chooseDriver, type Engine, NoWireguardError, strangerAt } from '../engines/wireguard/choose-driver.ts';
import { sweepConfigurations } from '../engines/wireguard/kernel-driver.ts';
import { WireguardTunnel } from '../engines/wireguard/wireguard-tunnel.ts';
import { hostAbilities } from './abilities.ts';
import type { Engines } from './engines.ts';

export interface OpenEngines {
  readonly engines: Engines;
  /** Which WireGuard it is. */
  readonly wireguard: Engine;
  readonly abilities: Abilities;
}

interface OpenOptions {
  /** A private folder for what the engines have to remember. */
  readonly folder: string;
  /** Names of the coordinators: no node of the mesh is called so on this host. */
  readonly outside: readonly string[];
  /** WireGuard is gone, and has to be set up anew. */
  readonly lost: () => void;
}

/** Those of this host. Nothing is changed yet, except that a kernel with WireGuard makes an interface, which is down. */
export async function openEngines({ folder, outside, lost }: OpenOptions): Promise<OpenEngines> {
  const run_folder = await runFolder(folder);
  const { driver, engine } = await chooseDriver({ interface: MESH_INTERFACE, run_folder, onLost: lost });
  const engines = { tunnel: new WireguardTunnel({ driver }), ...othersIn(run_folder, outside) };
  return { engines, wireguard: engine, abilities: await hostAbilities(engine) };
}

/**
 * Takes away all that agents ever made on this host, also when WireGuard was taken away before: its interface went with it.
 * An interface of somebody else that has its name is a reason to touch nothing.
 */
export async function removeDataPlane(folder: string): Promise<void> {
  const claim = await claimInterface(MESH_INTERFACE);
  try {
    await removeAll(await runFolder(folder));
  } finally {
    await claim.release();
  }
}

/** The packet filter goes last: nothing is open without it. */
async function removeAll(run_folder: string): Promise<void> {
  const stranger = await strangerAt({ interface: MESH_INTERFACE, run_folder });
  if (stranger !== null) {
    const message = `there is an interface ${MESH_INTERFACE} that no agent made (${stranger}), and nothing was touched: rename it or take it away first`;
    throw new StateError('unfit', message);
  }
  const { names, network, firewall } = othersIn(run_folder, []);
  const chosen = await chooseDriver({ interface: MESH_INTERFACE, run_folder }).catch((error: unknown) => {
    if (error instanceof NoWireguardError) return undefined;
    throw error;
  });
  await names.remove();
  await network.remove();
  await chosen?.driver.remove();
  await firewall.remove();
}

/** With nothing in it that an agent left there when it was killed. Nobody else uses it now: we have its lock. */
async function runFolder(folder: string): Promise<string> {
  const run_folder = join(folder, 'run');
  await mkdir(run_folder, { recursive: true, mode: 0o700 });
  await sweepConfigurations(run_folder, MESH_INTERFACE);
  return run_folder;
}

function othersIn(run_folder: string, outside: readonly string[]) {
  return {
    network: new IpNetwork({ folder: run_folder }),
    firewall: new NftFirewall(),
    names: new HostsFile({ outside }),
  };
}
