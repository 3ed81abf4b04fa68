import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId, type WafEvent, type WafReplay, type WafSummary } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { type List, sqlMatch, WafScene } from '../../../test/waf-scene.ts';

const ids = ({ items }: List<WafEvent>) => items.map(({ id }) => id);

describe('WAF events', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
  });
  after(() => mesh.close());

  it('are there when the heartbeat that brought them is answered, once, and after a restart', async () => {
    const scene = await WafScene.open(mesh);
    const event = scene.report();
    await scene.send(event);
    const { body } = await scene.ask<WafEvent>('GET', `/v1/waf/events/${event.id}`);
    const { id, ...report } = event;
    const { at, ...recorded } = body;
    assert.deepEqual(recorded, { id, node: scene.gateway.id, gateway: `gw-${scene.scope.team}`, ...report });
    assert.ok(Math.abs(Date.parse(at) - mesh.clock.now()) < 60_000, at);
    await scene.send(event, event);
    assert.deepEqual(ids(await scene.events()), [id]);
    await mesh.down();
    await mesh.up();
    await scene.gateway.prove();
    await scene.send(event);
    assert.deepEqual(ids(await scene.events()), [id]);
  });

  it('are listed the newest first, page by page, also where nothing on a page is meant', async () => {
    const scene = await WafScene.open(mesh);
    const sent = Array.from({ length: 7 }, (_, index) => scene.report({ path: `/${index}` }, index));
    await scene.send(...sent);
    const wanted = sent.map(({ id }) => id);
    const seen: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 9; pages++) {
      const page = await scene.events(`&limit=3${cursor}`);
      seen.push(...ids(page));
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
      await scene.send(scene.report({ path: '/new' })); // what comes meanwhile moves nothing
    }
    assert.deepEqual(seen, wanted);
    const wrong = await scene.ask('GET', '/v1/waf/events?cursor=bm90');
    assert.equal(wrong.status, 422);
  });

  it('are chosen by policy, route, rule, client, verdict and time', async () => {
    const scene = await WafScene.open(mesh);
    const plain = scene.report({}, 60);
    const other = scene.report(
      { route: '/api', address: '2001:db8::7', verdict: 'detected', matches: [sqlMatch({ rule: 941100 })] },
      10,
    );
    await scene.send(plain, other);
    const { id: policy, name } = scene.policy;
    const between = new Date(mesh.clock.now() - 30_000).toISOString();
    for (const [query, wanted] of [
      [`&policy=${policy}`, [other.id, plain.id]],
      [`&policy=${name}`, [other.id, plain.id]],
      ['&policy=none', []],
      ['&route=/api', [other.id]],
      ['&rule=942100', [plain.id]],
      ['&rule=941100', [other.id]],
      ['&address=192.0.2.7', [plain.id]],
      ['&address=192.0.2.0/24', [plain.id]],
      ['&address=2001:db8::/32', [other.id]],
      ['&verdict=detected', [other.id]],
      [`&from=${between}`, [other.id]],
      [`&to=${between}`, [plain.id]],
    ] as const) {
      assert.deepEqual(ids(await scene.events(query)), wanted, query);
    }
    for (const query of ['address=192.0.2.1/24', 'address=here', 'from=2026-13-40T00:00:00Z']) {
      assert.equal((await scene.ask('GET', `/v1/waf/events?${query}`)).status, 422, query);
    }
  });

  it('are those of ingresses inside the scope of the caller, also when the ingress is gone', async () => {
    const [scene, other] = [await WafScene.open(mesh), await WafScene.open(mesh)];
    const event = scene.report();
    await scene.send(event);
    const gone = async () => {
      assert.deepEqual(ids(await scene.events()), [event.id]);
      assert.deepEqual(ids(await scene.events('', mesh.owner)), [event.id]);
      assert.deepEqual(ids(await scene.events('', other.token)), []);
      const got = await other.ask<{ code: string }>('GET', `/v1/waf/events/${event.id}`);
      assert.deepEqual([got.status, got.body.code], [404, 'not_found']);
      const { body } = await other.ask<WafSummary>('GET', '/v1/waf/summary');
      assert.equal(body.blocked, 0);
    };
    await gone();
    assert.equal((await mesh.ask('DELETE', `/v1/ingress/${scene.ingress.id}`)).status, 204);
    await gone();
    const late = scene.report();
    await scene.send(late);
    assert.deepEqual(ids(await scene.events()), [late.id, event.id], 'what was on its way is still believed');
  });

  it('are not believed of what the node does not serve', async () => {
    const [scene, other] = [await WafScene.open(mesh), await WafScene.open(mesh)];
    await scene.send(
      scene.report({ ingress: other.ingress.id }),
      scene.report({ ingress: other.ingress.id, policy: other.policy.id }),
      scene.report({ policy: other.policy.id }),
      scene.report({ ingress: newId('ingress', 1) }),
    );
    assert.deepEqual(ids(await other.events('', mesh.owner)), []);
    assert.deepEqual(ids(await scene.events('', mesh.owner)), []);
    const { text } = await mesh.ask('GET', '/metrics');
    assert.match(text, /mesh_coordinator_waf_requests\{verdict="disbelieved"\} [4-9]/);
  });

  it('of a wrong clock are of the moment at which they came, and no other is above them for long', async () => {
    const scene = await WafScene.open(mesh);
    const [ahead, before] = [scene.report({ path: '/ahead' }, -3600), scene.report({ path: '/before' }, 40 * 86_400)];
    await scene.send(ahead, before);
    await scene.send(ahead, before);
    const { items } = await scene.events();
    assert.deepEqual(items.map(({ path }) => path).toSorted(), ['/ahead', '/before']);
    for (const { id, at } of items) {
      assert.ok(Math.abs(Date.parse(at) - mesh.clock.now()) < 60_000, at);
      assert.equal((await scene.ask('GET', `/v1/waf/events/${id}`)).status, 200);
    }
  });

  it('have no more than fits, and count the rest', async () => {
    const scene = await WafScene.open(mesh);
    const match = sqlMatch({
      message: '"'.repeat(200),
      fragment: '"'.repeat(200),
      tags: Array.from({ length: 20 }, (_, index) => `${index}`.padEnd(100, '"')),
    });
    const event = scene.report({ matches: Array.from({ length: 20 }, () => match) });
    await scene.send(event);
    const { body } = await scene.ask<WafEvent>('GET', `/v1/waf/events/${event.id}`);
    assert.ok(body.matches.length > 0 && body.matches.length < 20);
    assert.equal(body.matches.length + body.matches_left_out, 20);
  });

  it('of one gateway are counted beyond what it may have recorded', async () => {
    const scene = await WafScene.open(mesh);
    using _ = mesh.clock.holdStill();
    for (let beats = 0; beats < 22; beats++) {
      await scene.send(...Array.from({ length: 50 }, () => scene.report({ matches: [] })));
    }
    const { body } = await scene.ask<WafSummary>('GET', `/v1/waf/summary?ingress=${scene.ingress.id}`);
    assert.deepEqual([body.blocked, body.left_out.blocked], [1100, 100]);
  });

  it('are summed up over time, with those that were only counted', async () => {
    const scene = await WafScene.open(mesh);
    const left = {
      id: newId('wafevent', mesh.clock.now() - 7200_000),
      policy: scene.policy.id,
      ingress: scene.ingress.id,
      from: '2026-11-15T09:30:30Z',
      to: '2026-11-15T09:30:40Z',
      blocked: 7,
      detected: 0,
      scored: 2,
    };
    const events = [scene.report(), scene.report({ address: '192.0.2.8' }, 7200), scene.report({ verdict: 'scored' })];
    const got = await scene.gateway.beat({ observed: { waf: { events, left_out: [left] } } });
    assert.equal(got.status, 200);
    const sum = async (query: string) =>
      (await scene.ask<WafSummary>('GET', `/v1/waf/summary?ingress=${scene.ingress.id}${query}`)).body;
    const body = await sum('');
    assert.deepEqual([body.blocked, body.detected, body.scored, body.whole], [9, 0, 3, true]);
    assert.deepEqual(body.left_out, { blocked: 7, detected: 0, scored: 2 });
    assert.equal(body.step_s, 900);
    assert.ok(body.steps.length <= 100);
    assert.equal(
      body.steps.reduce((total, { blocked }) => total + blocked, 0),
      9,
    );
    assert.deepEqual(body.rules, [{ value: '942100', label: sqlMatch().message, blocked: 2, detected: 0, scored: 1 }]);
    assert.deepEqual(
      body.addresses.map(({ value }) => value),
      ['192.0.2.7', '192.0.2.8'],
    );
    assert.deepEqual(
      body.places.map(({ value }) => value),
      [`${scene.ingress.hostname}/search`],
    );
    const only = await sum('&verdict=blocked');
    assert.deepEqual([only.blocked, only.scored, only.left_out.scored], [9, 0, 0]);
    assert.equal((await sum('&rule=942100')).left_out.blocked, 0, 'of which rules they were is not known');
    const year = await sum(`&from=${new Date(mesh.clock.now() - 366 * 86_400_000).toISOString()}`);
    assert.deepEqual([year.steps.length <= 100, year.blocked], [true, 9]);
    const wrong = await scene.ask('GET', '/v1/waf/summary?from=2026-11-16T00:00:00Z&to=2026-11-15T00:00:00Z');
    assert.equal(wrong.status, 422);
  });

  it('are shown with what would let them pass, and with what else that would let pass', async () => {
    const scene = await WafScene.open(mesh);
    const elsewhere = scene.report({ path: '/login' });
    const [event, twin] = [
      scene.report(),
      scene.report({ matches: [sqlMatch(), sqlMatch({ rule: 941100 })], score_in: 10 }),
    ];
    await scene.send(elsewhere, event, twin);
    const got = await scene.ask<{ exclusions: object[]; replay: WafReplay; why_none: string | null }>(
      'GET',
      `/v1/waf/events/${event.id}/exclusions`,
    );
    const rules = {
      rule: 942100,
      tag: null,
      host: scene.ingress.hostname,
      path: '/search',
      below: false,
      parameter: { part: 'argument', name: 'q' },
    };
    const { replay } = got.body;
    assert.deepEqual(got.body.exclusions, [{ ...rules, replay }]);
    assert.deepEqual([replay.events, replay.concerned, replay.let_through, replay.whole], [3, 2, 1, true]);
    assert.deepEqual(
      replay.examples.map(({ id }) => id),
      [event.id],
    );
    const tried = await scene.ask<WafReplay>('POST', `/v1/waf/policies/${scene.policy.id}/replay`, { body: rules });
    assert.deepEqual(tried.body, replay);
    const draft = { ...rules, event: event.id };
    await scene.ask('POST', `/v1/waf/policies/${scene.policy.id}/exclusions`, { body: { ...draft, draft: false } });
    const again = await scene.ask<{ why_none: string }>('GET', `/v1/waf/events/${event.id}/exclusions`);
    assert.match(again.body.why_none, /as it is now/);
  });

  it('are kept as long as the settings say, and no more of them', async () => {
    const scene = await WafScene.open(mesh);
    const [old, young] = [scene.report({ path: '/old' }, 3 * 86_400), scene.report({ path: '/young' })];
    await scene.send(old, young);
    await mesh.ask('PATCH', '/v1/settings', { body: { waf: { events_days: 2 } } });
    await mesh.down();
    await mesh.up();
    await mesh.until(async () => !ids(await scene.events()).includes(old.id));
    assert.deepEqual(ids(await scene.events()), [young.id]);
  });
});
