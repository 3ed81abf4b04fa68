import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LinkWay } from '@meshwork/contract';
import { beginOf, spansOf, wayWords } from './way-words.ts';

const direct = { path: 'direct', endpoint: '192.0.2.8:51820', relay: null, via: null, why: null } as const;
const relayed = {
  ...({ path: 'relay', endpoint: '198.51.100.4:49160', relay: 'fra-1', why: null } as const),
  via: { relay: 'ams-1', transport: 'tls' } as const,
};
const at = (minute: number, way: Omit<LinkWay, 'since'>): LinkWay => ({
  since: `2026-11-15T09:${String(minute).padStart(2, '0')}:00Z`,
  ...way,
});
const NOW = Date.parse('2026-11-15T09:20:00Z');

test('a way says where packets go and by which relays', () => {
  assert.equal(wayWords(direct), 'Direct to 192.0.2.8:51820');
  assert.equal(wayWords(relayed), 'Relayed by ams-1 over TLS to fra-1');
  assert.equal(wayWords({ ...relayed, via: null }), 'Relayed to fra-1');
  assert.match(wayWords({ ...relayed, relay: null }), /to a relay that you may not see$/);
  assert.equal(wayWords({ ...direct, path: 'none' }), 'No path');
});

describe('ways over time', () => {
  const history = [at(15, direct), at(5, relayed), at(0, { ...direct, path: 'idle' })];

  test('follow each other until now', () => {
    const spans = spansOf(history, beginOf(history) ?? 0, NOW);
    assert.deepEqual(
      spans.map(({ left, width }) => [left, width]),
      [
        [75, 25],
        [25, 50],
        [0, 25],
      ],
    );
  });

  test('begin with the older of both ends', () => {
    assert.equal(beginOf(history, [at(3, direct)]), Date.parse(at(0, direct).since));
    assert.equal(beginOf([], []), null);
  });

  test('stay inside the drawing when a clock is off', () => {
    const [span] = spansOf([at(30, direct)], Date.parse(at(10, direct).since), NOW);
    assert.deepEqual([span?.left, span?.width], [100, 0]);
  });
});
