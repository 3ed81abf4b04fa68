import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reporter } from './reporter.ts';

const result = { id: 'operation_1', outcome: 'done' } as const;
const link = (peer: string, rtt_ms = 1) => ({ peer, path: 'direct' as const, rtt_ms, rx_bytes: 0, tx_bytes: 0 });

test('nothing counts as received before a heartbeat with it was answered', () => {
  const reporter = new Reporter();
  reporter.report({ endpoints: ['192.0.2.1:1'] });
  reporter.result(result);
  reporter.observed({ links: [link('a')], relay: null });
  const first = reporter.pack();
  assert.deepEqual(reporter.pack().payload, first.payload);
  assert.deepEqual(first.payload, {
    complete: true,
    report: { endpoints: ['192.0.2.1:1'] },
    observed: { relay: null, links: [link('a')] },
    results: [result],
  });
  reporter.answered(first);
  assert.equal(reporter.pending, false);
  assert.deepEqual(reporter.pack().payload, {});
});

test('what changed after it was packed goes out with the next heartbeat', () => {
  const reporter = new Reporter();
  reporter.report({ endpoints: ['192.0.2.1:1'] });
  reporter.observed({ links: [link('a', 1), link('b')] });
  const first = reporter.pack();
  reporter.report({ endpoints: [] });
  reporter.observed({ links: [link('a', 2)] });
  reporter.answered(first);
  assert.deepEqual(reporter.pack().payload, { report: { endpoints: [] }, observed: { links: [link('a', 2)] } });
});

test('the same again is no news', () => {
  const reporter = new Reporter();
  assert.equal(reporter.report({ endpoints: ['192.0.2.1:1'] }), true);
  reporter.answered(reporter.pack());
  assert.equal(reporter.report({ endpoints: ['192.0.2.1:1'], services: undefined as never }), false);
  assert.equal(reporter.applied('self', { revision: 1, digest: '0' }), true);
  assert.equal(reporter.applied('self', { revision: 1, digest: '0' }), false);
  assert.equal(reporter.applied('self', { revision: 1, digest: '0', error: 'no' }), true);
});

test('what the coordinator lost is reported again, with the current values', () => {
  const reporter = new Reporter();
  reporter.report({ agent_version: '1', endpoints: ['192.0.2.1:1'] });
  reporter.applied('peers', { revision: 3, digest: 'd' });
  reporter.answered(reporter.pack());
  reporter.report({ endpoints: [] });
  reporter.answered(reporter.pack());
  reporter.forgotten();
  assert.deepEqual(reporter.pack().payload, {
    complete: true,
    report: { agent_version: '1', endpoints: [] },
    applied: { peers: { revision: 3, digest: 'd' } },
  });
});

test('what the data plane says of the node is sent until it does not say it any more', () => {
  const reporter = new Reporter();
  reporter.report({ endpoints: [] });
  reporter.standing({ certificate_request: 'one' });
  const first = reporter.pack();
  assert.deepEqual(first.payload.report, { endpoints: [], certificate_request: 'one' });
  reporter.answered(first);
  reporter.standing({ certificate_request: 'one' });
  assert.equal(reporter.pending, false, 'it was received');
  reporter.forgotten();
  assert.equal(reporter.pack().payload.report?.certificate_request, 'one', 'and lost');
  reporter.standing({ certificate_request: 'two' });
  const second = reporter.pack();
  assert.equal(second.payload.report?.certificate_request, 'two');
  reporter.standing({});
  assert.deepEqual(reporter.pack().payload.report, { endpoints: [] });
  reporter.answered(second);
  reporter.forgotten();
  assert.deepEqual(
    reporter.pack().payload.report,
    { endpoints: [] },
    'one that was signed is not sent to be signed again',
  );
});

test('more than a heartbeat can take is sent in parts', () => {
  const reporter = new Reporter();
  reporter.observed({ links: Array.from({ length: 1001 }, (_, index) => link(`node_${index}`)) });
  const first = reporter.pack();
  assert.equal(first.payload.observed?.links?.length, 1000);
  assert.equal(first.more, true);
  reporter.answered(first);
  const second = reporter.pack();
  assert.deepEqual(second.payload.observed?.links, [link('node_1000')]);
  assert.equal(second.more, false);
});

const repair = (at: number) => ({ section: 'firewall' as const, at: `2026-11-15T09:30:${at}Z`, found: 'another' });

test('a repair is reported until a heartbeat with it is answered, and never again', () => {
  const reporter = new Reporter();
  reporter.answered(reporter.pack());
  assert.equal(reporter.observed({ repairs: [repair(10)] }), true);
  assert.equal(reporter.pending, true);
  const first = reporter.pack();
  assert.deepEqual(first.payload, { observed: { repairs: [repair(10)] } });
  reporter.observed({ repairs: [repair(11)] });
  assert.deepEqual(reporter.pack().payload.observed?.repairs, [repair(10), repair(11)]);
  reporter.answered(first);
  assert.deepEqual(reporter.pack().payload.observed?.repairs, [repair(11)]);
  reporter.answered(reporter.pack());
  reporter.forgotten();
  assert.deepEqual(reporter.pack().payload, { complete: true });
});

test('of too many repairs, only the newest are reported, a few at a time', () => {
  const reporter = new Reporter();
  reporter.observed({ repairs: Array.from({ length: 150 }, (_, index) => repair(index)) });
  const reported: unknown[] = [];
  for (let more = true; more; ) {
    const shipment = reporter.pack();
    assert.ok((shipment.payload.observed?.repairs?.length ?? 0) <= 20);
    reported.push(...(shipment.payload.observed?.repairs ?? []));
    reporter.answered(shipment);
    more = shipment.more;
  }
  assert.deepEqual(
    reported,
    Array.from({ length: 100 }, (_, index) => repair(index + 50)),
  );
});

test('an answer goes out one at a time, and links wait for it: a heartbeat may weigh only so much', () => {
  const reporter = new Reporter();
  const long = (id: string) => ({ id, outcome: 'done' as const, data: '{}' });
  reporter.observed({ links: [link('a')] });
  for (const one of [long('operation_2'), result, long('operation_3')]) reporter.result(one);
  const first = reporter.pack();
  assert.deepEqual(
    [first.payload.results, first.payload.observed, first.more],
    [[long('operation_2'), result], undefined, true],
  );
  reporter.answered(first);
  const second = reporter.pack();
  assert.deepEqual([second.payload.results, second.payload.observed], [[long('operation_3')], undefined]);
  reporter.answered(second);
  assert.deepEqual(reporter.pack().payload, { observed: { links: [link('a')] } });
});
