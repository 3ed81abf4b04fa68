import type { HealthSnapshot } from '../src/health/health-source.ts';

/** Of a node that does well. */
export function healthSnapshot(now: number, changes: Partial<HealthSnapshot> = {}): HealthSnapshot {
  return {
    node: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n',
    name: 'git-1',
    version: '0.1.0',
    addresses: ['100.64.0.7'],
    status: { state: 'connected' },
    status_since_ms: now - 60_000,
    answered_ms: now - 3000,
    heartbeats: { answered: 12, superseded: 3, failed: 1 },
    revision: 41,
    sections: new Map([
      ['self', { wanted: 7, in_effect: 7 }],
      ['peers', { wanted: 41, in_effect: 41 }],
    ]),
    engine: { ok: true, detail: 'mesh0 is up' },
    links: [
      { path: 'direct', handshake_at: new Date(now - 10_000).toISOString() },
      { path: 'direct', handshake_at: new Date(now - 30_000).toISOString() },
      { path: 'relay', handshake_at: new Date(now - 90_000).toISOString() },
      { path: 'none', handshake_at: null },
    ],
    rx_bytes: 1000,
    tx_bytes: 2000,
    relays: [{ name: 'fra-1', rtt_ms: 12 }],
    denied: { in: 4, forward: 0 },
    certificate_ends_ms: now + 3_600_000,
    requests: [],
    ...changes,
  };
}
