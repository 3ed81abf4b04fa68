import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Allow, covers, formatAllow, mergeAllows, parseAllow } from './allow.ts';

const ports = fc
  .tuple(fc.integer({ min: 1, max: 65_535 }), fc.nat(40))
  .map(([from, more]) => ({ from, to: Math.min(from + more, 65_535) }));
const someAllow: fc.Arbitrary<Allow> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Allow>({ protocol: 'icmp', from: 0, to: 0 }) },
  { weight: 9, arbitrary: fc.record({ protocol: fc.constantFrom('tcp', 'udp'), range: ports }).map(flat) },
);

function flat({ protocol, range }: { protocol: 'tcp' | 'udp'; range: { from: number; to: number } }): Allow {
  return { protocol, ...range };
}

function read(texts: readonly string[]): readonly Allow[] {
  return texts.map((text) => {
    const allow = parseAllow(text);
    assert.ok(allow !== undefined, text);
    return allow;
  });
}

describe('what is allowed', () => {
  it('is written in one way', () => {
    for (const text of ['*', 'icmp', 'tcp:22', 'udp:53', 'tcp:8000-8999', 'udp:*', 'tcp:1', 'tcp:65535']) {
      assert.deepEqual(read([text]).map(formatAllow), [text]);
    }
    assert.deepEqual(read(['tcp:1-65535', 'udp:7-7']).map(formatAllow), ['tcp:*', 'udp:7']);
    const unreadable = ['', 'tcp', 'tcp:', 'tcp:0', 'tcp:65536', 'tcp:022', 'tcp:9-8', 'tcp:1-', 'tcp:-1', 'TCP:22'];
    for (const text of [
      ...unreadable,
      'icmp:*',
      'icmp:8',
      '**',
      'sctp:1',
      'tcp:1-2-3',
      ' tcp:1',
      'tcp:1\n',
      'tcp:1e3',
    ]) {
      assert.equal(parseAllow(text), undefined, text);
    }
  });

  it('is merged: one thing swallows what it covers, and ranges that touch become one', () => {
    const merged = (...texts: readonly string[]) => mergeAllows(read(texts));
    assert.deepEqual(merged(), []);
    assert.deepEqual(merged('tcp:22', '*', 'icmp'), ['*']);
    assert.deepEqual(merged('udp:53', 'tcp:443', 'icmp', 'tcp:22', 'udp:53'), ['icmp', 'tcp:22', 'tcp:443', 'udp:53']);
    assert.deepEqual(merged('tcp:22', 'tcp:*', 'udp:1'), ['tcp:*', 'udp:1']);
    assert.deepEqual(merged('tcp:20-30', 'tcp:31-40', 'tcp:25', 'tcp:42'), ['tcp:20-40', 'tcp:42']);
    assert.deepEqual(merged('tcp:1-30000', 'tcp:30001-65535'), ['tcp:*']);
    assert.deepEqual(merged('tcp:100', 'tcp:20'), ['tcp:20', 'tcp:100']);
  });

  it('stays the same when merged, in whatever order, and when merged again', () => {
    fc.assert(
      fc.property(fc.array(someAllow, { maxLength: 12 }), ports, (list, { from: port }) => {
        const once = mergeAllows(list);
        assert.deepEqual(mergeAllows(list.toReversed()), once);
        assert.deepEqual(mergeAllows(read(once)), once);
        for (const probe of [port, ...list.flatMap(({ from, to }) => [from - 1, from, to, to + 1])]) {
          for (const protocol of ['icmp', 'tcp', 'udp'] as const) {
            assert.equal(covers(read(once), protocol, probe), covers(list, protocol, probe));
          }
        }
      }),
    );
  });

  it('covers what lies within it, and nothing of another protocol', () => {
    assert.ok(covers(read(['tcp:20-30']), 'tcp', 20) && covers(read(['tcp:20-30']), 'tcp', 30));
    assert.ok(!covers(read(['tcp:20-30']), 'tcp', 31) && !covers(read(['tcp:20-30']), 'udp', 25));
    assert.ok(covers(read(['*']), 'icmp') && covers(read(['*']), 'udp', 1) && covers(read(['icmp']), 'icmp'));
    assert.ok(!covers(read(['tcp:*', 'udp:*']), 'icmp') && !covers([], 'tcp', 22));
  });
});
