import { wireguardKeyOf } from '../../identity/keys.ts';
import type { Change, EnginePeer, PeerUpsert, Reading } from './driver.ts';

/**
 * WireGuard's cross-platform configuration protocol, as text: lines of `key=value`, a blank line at the end. Keys are hex
 * in it, and base64 everywhere else.
 */

export const GET = 'get=1\n\n';

const NO_KEY = '0'.repeat(64);

/**
 * All but the port, which has a request of its own: it is the one value that can be refused for reasons of its own, and
 * what stands behind a refused line is not done. Undefined: there is nothing to send.
 */
export function writeChange({ private_key, mark, upsert, remove }: Change): string | undefined {
  const lines: string[] = [];
  if (private_key !== undefined) lines.push(`private_key=${hexOf(private_key)}`);
  if (mark !== undefined) lines.push(`fwmark=${mark}`);
  for (const peer of upsert) writePeer(peer, lines);
  for (const key of remove) lines.push(`public_key=${hexOf(key)}`, 'update_only=true', 'remove=true');
  return lines.length === 0 ? undefined : writeSet(lines);
}

export function writePort(port: number): string {
  return writeSet([`listen_port=${port}`]);
}

/**
 * WireGuard sends a keepalive at once when it is switched on. Both lines are in one request, so that no reading comes in between
 * and finds it switched off.
 */
export function writeNudge(keys: readonly string[], keepalive_s: number, rests = (_: string) => false): string {
  const [off, on] = [0, keepalive_s].map((seconds) => `persistent_keepalive_interval=${seconds}`) as [string, string];
  return writeSet(
    keys.flatMap((key) => {
      const peer = [`public_key=${hexOf(key)}`, 'update_only=true'];
      return [...peer, off, on, ...(rests(key) ? [...peer, off] : [])]; // it sends when it comes to the next peer
    }),
  );
}

/** Never `replace_peers`: it would end every session. */
function writeSet(lines: readonly string[]): string {
  return `set=1\n${lines.join('\n')}\n\n`;
}

function writePeer({ key, networks, endpoint, keepalive_s }: PeerUpsert, lines: string[]): void {
  lines.push(`public_key=${hexOf(key)}`, `preshared_key=${NO_KEY}`);
  if (endpoint !== undefined) lines.push(`endpoint=${endpoint}`);
  lines.push(`persistent_keepalive_interval=${keepalive_s}`, 'replace_allowed_ips=true');
  for (const network of networks) lines.push(`allowed_ip=${network}`);
}

/** A peer while its lines are read. */
interface PeerLines {
  readonly key: string;
  readonly networks: string[];
  endpoint: string | null;
  handshake_s: number;
  handshake_ns: number;
  rx_bytes: number;
  tx_bytes: number;
  keepalive_s: number;
  preshared: boolean;
}

/** Everything about one peer, as it was last written, and what it means. */
interface KnownPeer {
  readonly lines: string;
  readonly peer: EnginePeer;
}

/**
 * Reads one reply after the other. A peer whose lines are as they were is the same object as before: that is nearly all of
 * them, and taking lines apart is most of what a reply of thousands of peers costs.
 */
export class ReplyReader {
  /** By their key, in hex. */
  #known: ReadonlyMap<string, KnownPeer> = new Map();

  /** `only`: the peers with these keys, and no others. */
  read(text: string, only?: ReadonlySet<string>): Reading {
    const [device = '', ...peers] = (only === undefined ? text : linesAbout(text, only)).split(PEER);
    const known = new Map(peers.map((lines) => this.#read(lines)));
    if (only === undefined) this.#known = known;
    return { ...readDevice(device), peers: new Map(known.values().map(({ peer }) => [peer.key, peer])) };
  }

  /** The newest text is kept: a piece of an old one would keep all of it in memory. */
  #read(lines: string): [key: string, KnownPeer] {
    const key = lines.slice(0, lines.indexOf('\n'));
    const before = this.#known.get(key);
    return [key, { lines, peer: before?.lines === lines ? before.peer : readPeer(key, lines) }];
  }
}

const PEER = 'public_key=';

/** The lines about the interface and about these peers. Looking for them is far cheaper than reading all. */
function linesAbout(text: string, keys: ReadonlySet<string>): string {
  const first = text.indexOf(PEER);
  if (first === -1) return text;
  const parts = [text.slice(0, first)];
  for (const key of keys) {
    const from = text.indexOf(`${PEER}${hexOf(key)}\n`, first);
    if (from === -1) continue;
    const end = text.indexOf(PEER, from + 1);
    parts.push(text.slice(from, end === -1 ? undefined : end));
  }
  return parts.join('');
}

function readDevice(text: string): Omit<Reading, 'peers'> {
  const device = { public_key: null as string | null, port: 0, mark: 0 };
  for (const [name, value] of pairsOf(text)) {
    if (name === 'private_key') device.public_key = wireguardKeyOf(base64Of(value)).public;
    else if (name === 'listen_port') device.port = Number(value);
    else if (name === 'fwmark') device.mark = Number(value);
  }
  return device;
}

function readPeer(key: string, lines: string): EnginePeer {
  const peer = newPeer(base64Of(key));
  for (const [name, value] of pairsOf(lines)) takePeerLine(peer, name, value);
  return seenPeer(peer);
}

function* pairsOf(text: string): Generator<readonly [name: string, value: string]> {
  for (const line of text.split('\n')) {
    const cut = line.indexOf('=');
    if (cut !== -1) yield [line.slice(0, cut), line.slice(cut + 1)];
  }
}

function newPeer(key: string): PeerLines {
  const none = { handshake_s: 0, handshake_ns: 0, rx_bytes: 0, tx_bytes: 0, keepalive_s: 0 };
  return { key, networks: [], endpoint: null, ...none, preshared: false };
}

/** Names that we do not know are from a newer engine, and none of our business. */
function takePeerLine(peer: PeerLines, name: string, value: string): void {
  if (name === 'allowed_ip') peer.networks.push(value);
  else if (name === 'endpoint') peer.endpoint = value;
  else if (name === 'last_handshake_time_sec') peer.handshake_s = Number(value);
  else if (name === 'last_handshake_time_nsec') peer.handshake_ns = Number(value);
  else if (name === 'rx_bytes') peer.rx_bytes = Number(value);
  else if (name === 'tx_bytes') peer.tx_bytes = Number(value);
  else if (name === 'persistent_keepalive_interval') peer.keepalive_s = Number(value);
  else if (name === 'preshared_key') peer.preshared = value !== NO_KEY;
}

function seenPeer({ handshake_s, handshake_ns, ...peer }: PeerLines): EnginePeer {
  const handshake_ms = handshake_s === 0 ? null : handshake_s * 1000 + Math.floor(handshake_ns / 1e6);
  return { ...peer, handshake_ms };
}

function hexOf(key: string): string {
  return Buffer.from(key, 'base64').toString('hex');
}

function base64Of(key: string): string {
  return Buffer.from(key, 'hex').toString('base64');
}
