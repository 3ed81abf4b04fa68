import { peerFault } from './difference.ts';
import type { Change, Reading } from './driver.ts';
import type { TunnelSettings } from './tunnel.ts';
import type { WantedPeer } from './wanted-peers.ts';

/** Enough to know a key again, as people compare them. */
const SHOWN_OF_KEY = 8;
/** Ours: a heartbeat is no place for ten thousand peers. */
const MAX_NAMED = 5;

/** What should be: the settings with the public half of the key, and the peers by their keys. */
export interface Wanted {
  readonly settings: TunnelSettings;
  readonly public_key: string;
  /** Undefined: not known yet. */
  readonly peers: ReadonlyMap<string, WantedPeer> | undefined;
}

/** How what is there differs from what should be, in words, or null. */
export function driftBetween(wanted: Wanted, reading: Reading): string | null {
  const found = [...settingsDrift(wanted, reading), ...peersDrift(wanted.peers, reading)];
  if (found.length === 0) return null;
  const more = found.length - MAX_NAMED;
  return found.slice(0, MAX_NAMED).join('; ') + (more > 0 ? `; and ${more} more` : '');
}

export function settingsDifference({ settings, public_key }: Wanted, reading: Reading): Change {
  return {
    private_key: reading.public_key === public_key ? undefined : settings.private_key,
    port: reading.port === settings.port ? undefined : settings.port,
    mark: reading.mark === settings.mark ? undefined : settings.mark,
    upsert: [],
    remove: [],
  };
}

export function settingsDrift({ settings, public_key }: Wanted, reading: Reading): string[] {
  const found: string[] = [];
  if (reading.public_key !== public_key)
    found.push(`the interface has ${reading.public_key === null ? 'no key' : `the key ${short(reading.public_key)}`}`);
  // An engine forgets a port that it did not get.
  if (reading.port === 0) found.push(`it listens nowhere: UDP port ${settings.port} is taken, or was`);
  else if (reading.port !== settings.port) found.push(`it listens at UDP port ${reading.port}, not ${settings.port}`);
  if (reading.mark !== settings.mark) found.push(`its mark is ${reading.mark}, not ${settings.mark}`);
  return found;
}

function peersDrift(wanted: ReadonlyMap<string, WantedPeer> | undefined, { peers }: Reading): string[] {
  if (wanted === undefined) return [];
  const found: string[] = [];
  for (const key of peers.keys()) if (!wanted.has(key)) found.push(`peer ${short(key)} is unknown`);
  for (const [key, peer] of wanted) {
    const seen = peers.get(key);
    const fault = seen === undefined ? 'is missing' : peerFault(peer, seen);
    if (fault !== null) found.push(`peer ${short(key)} ${fault}`);
  }
  return found;
}

function short(key: string): string {
  return key.slice(0, SHOWN_OF_KEY);
}
