import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MESH_INTERFACE } from '@meshwork/contract';
import { NftFirewall } from '../firewall/nft-firewall.ts';
import { HostsFile } from '../names/hosts-file.ts';
import { IpNetwork } from '../network/ip-network.ts';
import { chooseDriver } from '../wireguard/choose-driver.ts';
import { WireguardTunnel } from '../wireguard/wireguard-tunnel.ts';
import type { Engines } from './engines.ts';

export interface OpenEngines {
  readonly engines: Engines;
  /** Which WireGuard it is, for people. */
  readonly wireguard: string;
}

interface OpenOptions {
  /** A private folder for what the engines have to remember. */
  readonly folder: string;
  /** WireGuard is gone, and has to be set up anew. */
  readonly lost: () => void;
}

/** Those of this host. Nothing is changed yet, except that a kernel with WireGuard makes an interface, which is down. */
export async function openEngines({ folder, lost }: OpenOptions): Promise<OpenEngines> {
  const run_folder = join(folder, 'run');
  await mkdir(run_folder, { recursive: true, mode: 0o700 });
  const { driver, engine } = await chooseDriver({ interface: MESH_INTERFACE, run_folder, onLost: lost });
  const engines = {
    tunnel: new WireguardTunnel({ driver }),
    network: new IpNetwork({ folder: run_folder }),
    firewall: new NftFirewall(),
    names: new HostsFile(),
  };
  return { engines, wireguard: engine };
}

/** Takes away all that agents ever made on this host. The packet filter goes last: nothing is open without it. */
export async function removeDataPlane(folder: string): Promise<void> {
  const { engines } = await openEngines({ folder, lost: () => undefined });
  for (const name of ['names', 'network', 'tunnel', 'firewall'] as const) await engines[name].remove();
}
