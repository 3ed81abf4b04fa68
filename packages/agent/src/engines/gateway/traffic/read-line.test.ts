import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TRAFFIC_COUNTS, TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';
import { ingressId } from '../../../../test/ingress-section.ts';
import { readLine } from './read-line.ts';
import { TrafficCounts } from './traffic-counts.ts';

const ID = ingressId(1);
const HOSTS = new Map([['www.example.com', ID]]);
const line = (
  over: Partial<Record<'counted' | 'server' | 'status' | 'took' | 'upstream' | 'in' | 'out', string>> = {},
) => {
  const at = {
    counted: `${ID}/api`,
    server: 'www.example.com',
    status: '200',
    took: '0.004',
    upstream: '0.003',
    in: '80',
    out: '90',
    ...over,
  };
  return [at.counted, at.server, at.status, at.took, at.upstream, at.in, at.out, 'HTTP/2.0'].join('|');
};

describe('a line of the log of requests', () => {
  it('says which route it was, and how it went', () => {
    const read = { ingress: ID, route: '/api', status: 200, time: 0, bytes_in: 80, bytes_out: 90, upstream_ms: 3 };
    assert.deepEqual(readLine(line(), HOSTS), read);
    assert.deepEqual(readLine(line({ counted: ID, upstream: '-' }), HOSTS), {
      ...read,
      route: null,
      upstream_ms: undefined,
    });
    assert.deepEqual(
      readLine(line({ counted: '' }), HOSTS),
      { ...read, route: null },
      'one that could not be read far enough',
    );
    assert.equal(readLine(line({ upstream: '0.100, 0.020 : -' }), HOSTS)?.upstream_ms, 120);
  });

  it('falls into the bucket of its time: up to the bound, and no further', () => {
    const place = (took: string) => readLine(line({ took }), HOSTS)?.time;
    for (const [index, bound] of TIME_BOUNDS_S.entries()) {
      assert.equal(place(bound.toFixed(3)), index);
      assert.equal(place((bound + 0.001).toFixed(3)), index + 1);
    }
    assert.deepEqual([place('0.000'), place('86400.000')], [0, TIME_BOUNDS_S.length]);
  });

  it('is left out when it is none of ours', () => {
    for (const bad of [
      '',
      '|||||||',
      'x'.repeat(5000),
      line({ counted: 'ingress_x/api' }),
      line({ counted: '../../etc/passwd' }),
      line({ counted: '', server: 'other.example.com' }),
      line({ status: '-1' }),
      line({ status: '2e2' }),
      line({ took: 'NaN' }),
      line({ took: '-0.001' }),
      line({ in: '99999999999999999' }),
      line({ out: '1|2' }),
      `${line()}|more`,
    ]) {
      assert.equal(readLine(bad, HOSTS), undefined, bad.slice(0, 80));
    }
  });

  it('counts by class, some statuses one by one, and only so many routes', () => {
    const counts = new TrafficCounts(0);
    const add = (over: Parameters<typeof line>[0]) => counts.add(readLine(line(over), HOSTS) ?? assert.fail());
    for (const status of ['101', '200', '204', '304', '404', '404', '499', '503', '0', '777']) add({ status });
    const [one] = counts.observed('changes').counts;
    assert.deepEqual(one?.classes, [1, 2, 1, 3, 1, 2]);
    assert.deepEqual(one?.statuses, [
      { status: 404, count: 2 },
      { status: 499, count: 1 },
      { status: 503, count: 1 },
    ]);
    assert.deepEqual([one?.bytes_in, one?.upstream_requests, one?.upstream_ms], [800, 10, 30]);
    for (let number = 1; number < MAX_TRAFFIC_COUNTS; number++) assert.ok(add({ counted: `${ID}/r${number}` }));
    assert.ok(!add({ counted: `${ID}/one-more` }));
  });

  it('is reported until the coordinator has it, and then again when it changes', () => {
    const counts = new TrafficCounts(0);
    const add = (path: string) => counts.add(readLine(line({ counted: `${ID}${path}` }), HOSTS) ?? assert.fail());
    const routes = (extent: 'changes' | 'everything' = 'changes') =>
      counts.observed(extent).counts.map(({ route }) => route);
    add('/a');
    add('/b');
    const sent = counts.observed('changes');
    add('/b');
    assert.deepEqual(routes(), ['/a', '/b']);
    counts.reported(sent);
    assert.deepEqual(routes(), ['/b'], 'a request that came meanwhile');
    counts.reported(counts.observed('changes'));
    assert.deepEqual([routes(), routes('everything')], [[], ['/a', '/b']]);
    const { epoch } = counts.observed('changes');
    counts.restart(1000);
    counts.reported(sent);
    assert.notEqual(counts.observed('changes').epoch, epoch);
    assert.deepEqual(routes('everything'), []);
  });
});
