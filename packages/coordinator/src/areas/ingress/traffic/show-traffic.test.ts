import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ingress, IngressRates, IngressTraffic, TrafficCount, TrafficObserved } from '@meshwork/contract';
import { TIME_BOUNDS_S } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../../test/test-node.ts';

const EPOCH = 'epoch-one';
let made = 0;

describe('the traffic of an ingress', { timeout: 60_000 }, () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh?.close());

  async function open() {
    const team = `traffic${++made}`;
    const scope = { ...PLATFORM, team };
    const { secret: token } = await mesh.token({ role: 'owner', scope });
    const gateway = await TestNode.enroll(mesh, { name: `gw-${team}`, tags: ['role:gateway'], token });
    await gateway.beat({ complete: true, report: { abilities: EVERYTHING } });
    const body = {
      name: 'shop',
      hostname: `${team}.example.net`,
      service: 'web',
      gateways: ['tag:role:gateway'],
      scope,
    };
    const { body: ingress } = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    await mesh.until(async () => {
      const { body: now } = await mesh.ask<Ingress>('GET', `/v1/ingress/${ingress.id}`);
      return now.assigned_to.length === 1;
    });
    const count = (requests: number, over: Partial<TrafficCount> = {}): TrafficCount => ({
      ingress: ingress.id,
      route: '/',
      classes: [0, requests, 0, 0, 0, 0],
      statuses: [],
      times: [...TIME_BOUNDS_S.map((_, place) => (place === 3 ? requests : 0)), 0],
      bytes_in: requests * 10,
      bytes_out: requests * 100,
      upstream_requests: requests,
      upstream_ms: requests * 20,
      ...over,
    });
    const report = async (counts: TrafficCount[], more: { complete?: true; epoch?: string } = {}) => {
      const { epoch = EPOCH, complete } = more;
      const traffic: TrafficObserved = { epoch, since: '2026-11-15T09:40:00Z', counts };
      const got = await gateway.beat({ ...(complete === undefined ? {} : { complete }), observed: { traffic } });
      assert.equal(got.status, 200, got.text);
    };
    const shown = async (minutes = 5, as = token) => {
      const path = `/v1/ingress/${ingress.id}/traffic?minutes=${minutes}`;
      const got = await mesh.ask<IngressTraffic>('GET', path, { token: as });
      assert.equal(got.status, 200, got.text);
      return got.body;
    };
    const rates = async (query = '', as = token) => {
      const got = await mesh.ask<{ items: IngressRates[]; next_cursor: string | null }>(
        'GET',
        `/v1/ingress-rates${query}`,
        { token: as },
      );
      assert.equal(got.status, 200, got.text);
      return got.body;
    };
    return { gateway, ingress, token, count, report, shown, rates };
  }

  it('is what came since the gateway was first heard, and counts nothing twice', async () => {
    const { gateway, count, report, shown } = await open();
    assert.match((await shown()).gateways[0]?.problem ?? '', /has not reported counts/);
    await report([count(1000)], { complete: true });
    assert.equal((await shown()).total.requests, 0, 'what was counted before may be of any time');
    mesh.clock.advance(15);
    await report([count(1030)]);
    await report([count(1030)]);
    mesh.clock.advance(15);
    await report([]);
    await report([
      count(1060),
      count(6, { route: null, classes: [0, 0, 4, 0, 2, 0], statuses: [{ status: 503, count: 2 }] }),
    ]);
    const { total, routes, points, gateways } = await shown();
    assert.equal(total.requests, 66);
    assert.deepEqual(total.classes, { '1xx': 0, '2xx': 60, '3xx': 4, '4xx': 0, '5xx': 2, other: 0 });
    assert.deepEqual(total.statuses, [{ status: 503, requests: 2 }]);
    assert.deepEqual(
      routes.map(({ route, traffic }) => [route, traffic.requests]),
      [
        ['/', 60],
        [null, 6],
      ],
    );
    assert.equal(points.length, 20);
    assert.ok(Math.abs(points.reduce((all, { requests }) => all + requests, 0) - 66) <= 3);
    assert.deepEqual([gateways[0]?.name.startsWith('gw-'), gateways[0]?.node], [true, gateway.id]);
    assert.match(gateways[0]?.problem ?? '', /before `since`/);
    const [first] = routes;
    assert.ok((first?.traffic.p50_ms ?? 0) > 25 && (first?.traffic.p99_ms ?? 0) <= 50, JSON.stringify(first));
    assert.deepEqual([first?.traffic.upstream_ms, first?.traffic.bytes_in, first?.traffic.bytes_out], [20, 600, 6000]);
  });

  it('takes no counts that go back, and goes on with those of another epoch', async () => {
    const { count, report, shown } = await open();
    await report([count(500)], { complete: true });
    mesh.clock.advance(15);
    await report([count(100)]);
    assert.equal((await shown()).total.requests, 0);
    await report([count(120)]);
    const known = await shown();
    assert.equal(known.total.requests, 20);
    const since = known.gateways[0]?.since;
    mesh.clock.advance(15);
    await report([count(7)], { epoch: 'epoch-two' });
    const { total, gateways } = await shown();
    assert.equal(total.requests, 27);
    assert.notEqual(gateways[0]?.since, since, 'some of before may be missing');
  });

  it('forgets what is older than an hour, and names a gateway that is silent', async () => {
    const { count, report, shown } = await open();
    await report([count(0)], { complete: true });
    mesh.clock.advance(15);
    await report([count(10)]);
    mesh.clock.advance(40);
    await report([count(20)]);
    assert.equal((await shown(60)).total.requests, 20);
    mesh.clock.advance(3700);
    assert.equal((await shown(60)).total.requests, 0);
    assert.match((await shown()).gateways[0]?.problem ?? '', /stale|unreachable|no counts for a minute/);
  });

  it('is listed in short for all that one may read, page by page, with what is missing', async () => {
    const { ingress, count, report, shown, rates } = await open();
    assert.match((await rates()).items[0]?.problem ?? '', /^gw-\w+: It has not reported counts to this coordinator\.$/);
    await report([count(0)], { complete: true });
    mesh.clock.advance(15);
    await report([count(80, { classes: [0, 60, 0, 0, 20, 0] })]);
    const { total, points } = await shown();
    const { items, next_cursor } = await rates();
    assert.equal(next_cursor, null);
    assert.deepEqual([items.length, items[0]?.ingress], [1, ingress.id], 'those of other teams are not there');
    assert.deepEqual([items[0]?.requests, items[0]?.errors, items[0]?.per_s], [80, 20, total.per_s]);
    assert.deepEqual(
      items[0]?.points,
      points.map(({ requests, errors }) => ({ requests, errors })),
    );
    assert.equal(
      points.reduce((sum, { classes }) => sum + classes['2xx'], 0),
      60,
    );
    assert.match(items[0]?.problem ?? '', /: Requests before 20.* are not known here\.$/);
    const { scope, gateways } = ingress;
    const more = {
      name: 'more',
      hostname: `more-${made}.example.net`,
      service: 'web',
      gateways,
      scope,
    };
    const another = await mesh.ask('POST', '/v1/ingress', { body: more });
    assert.equal(another.status, 201, another.text);
    const first = await rates('?limit=1');
    const second = await rates(`?limit=1&cursor=${first.next_cursor}`);
    assert.deepEqual([first.items.length, second.items.length], [1, 1]);
    assert.notEqual(first.items[0]?.ingress, second.items[0]?.ingress);
    assert.equal((await mesh.ask('GET', '/v1/ingress-rates?minutes=0')).status, 422);
  });

  it('is counted unless its record says otherwise, and only of requests', async () => {
    const { ingress, token, gateway, shown, rates } = await open();
    const counted = async () => {
      await gateway.beat({ complete: true });
      return gateway.held.ingress?.map((one) => one.counted);
    };
    assert.equal(ingress.counted, true);
    assert.deepEqual(await counted(), [true]);
    const path = `/v1/ingress/${ingress.id}`;
    const off = await mesh.ask<Ingress>('PATCH', path, { body: { counted: false }, token });
    assert.deepEqual([off.status, off.body.counted], [200, false]);
    assert.deepEqual(await counted(), [undefined]);
    assert.match((await shown()).gateways[0]?.problem ?? '', /`counted` is false/);
    assert.match((await rates()).items[0]?.problem ?? '', /`counted` is false/);
    const tcp = { name: 'db', hostname: 'db.example.net', kind: 'tcp', port: 5432, service: 'db', gateways: ['tag:a'] };
    const refused = await mesh.ask('POST', '/v1/ingress', { body: { ...tcp, counted: true } });
    assert.deepEqual([refused.status, /\/counted must be false/.test(refused.text)], [422, true]);
  });

  it('is for those who may read the ingress, and only of its own gateways', async () => {
    const { count, report, shown, ingress } = await open();
    const other = await open();
    await report([count(0)], { complete: true });
    await other.report([other.count(0), { ...other.count(0), ingress: ingress.id }], { complete: true });
    mesh.clock.advance(15);
    await other.report([{ ...other.count(99), ingress: ingress.id }]);
    assert.equal((await shown()).total.requests, 0, 'another gateway says nothing of it');
    const path = `/v1/ingress/${ingress.id}/traffic`;
    assert.equal((await mesh.ask('GET', path, { token: other.token })).status, 404);
    assert.equal((await mesh.ask('GET', `${path}?minutes=61`)).status, 422);
  });
});
