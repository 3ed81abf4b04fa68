import type { Change, EnginePeer, PeerUpsert, Reading } from './driver.ts';

/** What the program `wg` reads and writes. */

/** Reads as no key: WireGuard has no other way to say that one is gone. */
const NO_KEY = Buffer.alloc(32).toString('base64');

/** A file for `wg addconf`: what it does not name stays as it is. Undefined: there is nothing to say. */
export function writeConfiguration({ private_key, mark, upsert }: Change): string | undefined {
  const lines: string[] = [];
  if (private_key !== undefined || mark !== undefined) lines.push('[Interface]');
  if (private_key !== undefined) lines.push(`PrivateKey = ${private_key}`);
  if (mark !== undefined) lines.push(`FwMark = ${mark}`);
  for (const peer of upsert) writePeer(peer, lines);
  return lines.length === 0 ? undefined : `${lines.join('\n')}\n`;
}

function writePeer({ key, networks, endpoint, keepalive_s }: PeerUpsert, lines: string[]): void {
  lines.push('[Peer]', `PublicKey = ${key}`, `PresharedKey = ${NO_KEY}`, `PersistentKeepalive = ${keepalive_s}`);
  if (endpoint !== undefined) lines.push(`Endpoint = ${endpoint}`);
  // A peer that is named gets the networks of the file in place of those it has, also when the file names none.
  if (networks.length > 0) lines.push(`AllowedIPs = ${networks.join(',')}`);
}

/** `wg show <interface> dump`: the interface in the first line, a peer in every other, columns between tabs. */
export function readDump(text: string, only?: ReadonlySet<string>): Reading {
  const [first = '', ...rest] = text.trimEnd().split('\n');
  const [, public_key = '(none)', port = '0', mark = 'off'] = first.split('\t');
  const peers = new Map<string, EnginePeer>();
  for (const line of rest) {
    if (only !== undefined && !only.has(line.slice(0, line.indexOf('\t')))) continue;
    const peer = readPeer(line);
    peers.set(peer.key, peer);
  }
  return {
    public_key: public_key === '(none)' ? null : public_key,
    port: Number(port),
    mark: mark === 'off' ? 0 : Number(mark),
    peers,
  };
}

function readPeer(line: string): EnginePeer {
  const [key = '', preshared, endpoint = '(none)', networks = '(none)', handshake, rx, tx, keepalive] =
    line.split('\t');
  return {
    key,
    networks: networks === '(none)' ? [] : networks.split(','),
    endpoint: endpoint === '(none)' ? null : endpoint,
    handshake_ms: Number(handshake) === 0 ? null : Number(handshake) * 1000,
    rx_bytes: Number(rx),
    tx_bytes: Number(tx),
    keepalive_s: keepalive === 'off' ? 0 : Number(keepalive),
    preshared: preshared !== '(none)',
  };
}
