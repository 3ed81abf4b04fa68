import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LinkView } from '@meshwork/contract';
import { type ReasonSide, whyRelayed } from './why-relayed.ts';

const VIEW: LinkView = {
  path: 'relay',
  endpoint: '198.51.100.9:49160',
  relay: 'ams-1',
  via: { relay: 'fra-1', transport: 'udp' },
  why: null,
  tried: [],
  handshake_age_s: 10,
  rtt_ms: 30,
  mtu: null,
  rx_bytes: 0,
  tx_bytes: 0,
  observed_at: '2026-11-15T09:30:00Z',
};
const A: ReasonSide = { name: 'git-1', nat: undefined, endpoints: 1, view: VIEW, relays: ['fra-1', 'ams-1'] };
const B: ReasonSide = { ...A, name: 'laptop-3', relays: ['ams-1', 'fra-1'] };
const RELAYED = 'relayed by fra-1 and ams-1, both over UDP.';
const silent = (count: number): LinkView['tried'] =>
  Array.from({ length: count }, (_, at) => ({ endpoint: `192.0.2.${at + 1}:51820`, outcome: 'silent' }));

describe('why a link is relayed', () => {
  const cases: Readonly<Record<string, readonly [Partial<ReasonSide>, Partial<ReasonSide>, string | null]>> = {
    'two NATs that do not meet': [
      { nat: 'address-dependent' },
      { nat: 'endpoint-independent' },
      `git-1 is behind a NAT that shows another port to each peer (address-dependent), and laptop-3's NAT lets in only what it sent to first; ${RELAYED}`,
    ],
    'one network lets no UDP through, whatever the other is': [
      { nat: 'none' },
      { nat: 'udp-blocked', view: { ...VIEW, via: { relay: 'ams-1', transport: 'tls' } } },
      'The network of laptop-3 lets no UDP through; relayed by fra-1 and ams-1, git-1 over UDP and laptop-3 over TLS.',
    ],
    'NATs that explain nothing, and endpoints that did not answer': [
      { nat: 'endpoint-independent', view: { ...VIEW, tried: silent(2) } },
      { nat: 'endpoint-independent', view: { ...VIEW, tried: silent(1) } },
      `The 2 endpoints of laptop-3 that git-1 tried did not answer, and the one endpoint of git-1 that laptop-3 tried did not answer; ${RELAYED}`,
    ],
    'an end that is nowhere': [{}, { endpoints: 0 }, `laptop-3 has no endpoint that git-1 could try; ${RELAYED}`],
    'no route': [
      { view: { ...VIEW, tried: [{ endpoint: '[2001:db8::1]:51820', outcome: 'unreachable' }] } },
      {},
      `git-1 has no route to the one endpoint of laptop-3; ${RELAYED}`,
    ],
    'nothing known': [{}, {}, `No direct path between git-1 and laptop-3 has been found; ${RELAYED}`],
    'the words of the agents, beside the rest': [
      { nat: 'address-dependent', view: { ...VIEW, why: 'The direct path went silent.' } },
      {},
      `git-1 is behind a NAT that shows another port to each peer (address-dependent), and git-1 says: The direct path went silent; ${RELAYED}`,
    ],
    'one end relayed, the other direct': [
      { nat: 'udp-blocked' },
      { view: { ...VIEW, path: 'direct' } },
      'The network of git-1 lets no UDP through; relayed by fra-1 and ams-1, git-1 over UDP.',
    ],
    'one relay for both, of which the caller may not know': [
      { view: { ...VIEW, via: null }, relays: [null] },
      { view: { ...VIEW, via: null }, relays: [null] },
      'No direct path between git-1 and laptop-3 has been found; relayed by a relay that you may not see.',
    ],
    'direct both ways': [{ view: { ...VIEW, path: 'direct' } }, { view: { ...VIEW, path: 'direct' } }, null],
    'not reported': [{ view: null }, { view: null }, null],
  };
  for (const [name, [a, b, sentence]] of Object.entries(cases)) {
    it(name, () => assert.equal(whyRelayed({ ...A, ...a }, { ...B, ...b }), sentence));
  }
});
