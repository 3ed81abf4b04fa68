/** What the WAF found gets to the coordinator: all of it, or counted, whatever happens meanwhile. */
import assert from 'node:assert/strict';
import { appendFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { WafObserved, WafReport } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { policyOf, ruleOf, wafId } from '../../../../test/waf-section.ts';

const WWW = 'www-1.example.com';
const RULES = [ruleOf({ name: 'No cats', when: [{ name: 'pet', test: 'equals', values: ['cat'] }] })];

describe('events of the WAF', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (over = {}, by = scene.server) => {
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    return by.serve({
      section: [ingressOf(1, { routes })],
      ca: undefined,
      policies: [policyOf(1, { rules: RULES, ...over })],
    });
  };
  const block = async (agent?: Agent) => {
    const { status } = await scene.ask(WWW, { path: '/?pet=cat', ...(agent === undefined ? {} : { agent }) });
    assert.equal(status, 403);
  };
  /** What a coordinator adds up, until it has so many. */
  const collected = async (count: number, waf = scene.waf) => {
    const events = new Map<string, WafReport>();
    const left_out = new Map<string, NonNullable<WafObserved['left_out']>[number]>();
    const sum = () => events.size + [...left_out.values()].reduce((all, { blocked }) => all + blocked, 0);
    await until(`${count} events`, async () => {
      await waf.read();
      const observed = waf.observed() ?? {};
      for (const event of observed.events ?? []) events.set(event.id, event);
      for (const one of observed.left_out ?? []) left_out.set(one.id, one);
      await waf.reported(observed);
      return sum() >= count && !waf.observed()?.events;
    });
    return { events: [...events.values()], left_out: [...left_out.values()], sum: sum() };
  };

  it('are exactly as many as were blocked, under load, by several workers, across reloads', async () => {
    await serve();
    const count = 400;
    const agents = Array.from({ length: 8 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const load = Promise.all(
      agents.map(async (agent) => {
        for (let sent = 0; sent < count / agents.length; sent += 1) await block(agent);
      }),
    );
    for (const inbound of [6, 7]) await serve({ thresholds: { inbound } });
    await load;
    for (const agent of agents) agent.destroy();
    const { events, left_out, sum } = await collected(count);
    assert.equal(sum, count);
    assert.ok(left_out.length > 0, 'not all of them one by one');
    assert.equal(new Set(events.map(({ request_id }) => request_id)).size, events.length);
    assert.ok(events.every(({ verdict, matches }) => verdict === 'blocked' && matches[0]?.name === 'No cats'));
  });

  it('are sent until they were answered for, also by an agent that was started anew', async () => {
    await serve();
    await block();
    await until('an event', async () => {
      await scene.waf.read();
      return scene.waf.observed()?.events?.length === 1;
    });
    const [first] = scene.waf.observed()?.events ?? [];
    assert.deepEqual(scene.waf.observed()?.events?.[0], first, 'repeated');
    await block(); // and one that no agent has read
    const another = scene.another();
    await serve({}, another.server);
    const { events, sum } = await collected(2, another.waf);
    assert.equal(sum, 2);
    assert.equal(events[0]?.id, first?.id, 'the same event');
    await collected(0, scene.waf); // the one before is done
  });

  it('are missed by name, and never silently, when their log is damaged', async () => {
    const { server, waf } = scene.another();
    await serve({}, server);
    const log = (await scene.folder.names('waf')).find((name) => name.startsWith('audit-')) ?? '';
    const path = join(scene.path, 'waf', log);
    const since = waf.observed()?.counted_from ?? '';
    await block();
    await collected(1, waf);
    assert.equal(waf.observed()?.counted_from, since);
    scene.setAhead(1000);
    await appendFile(path, '{"transaction":{"client_ip":"127.0'); // a worker was killed here
    await block();
    assert.equal((await collected(1, waf)).sum, 1, 'the next one is there');
    const later = waf.observed()?.counted_from ?? '';
    assert.ok(later > since, 'and it says that one was lost');
    scene.setAhead(2000);
    await truncate(path, 0);
    await waf.read();
    const cut = waf.observed()?.counted_from ?? '';
    assert.ok(cut > later);
    await block();
    assert.equal((await collected(1, waf)).sum, 1);
    await rename(path, `${path}.old`);
    await writeFile(path, '');
    assert.match((await server.fault()) ?? '', /was taken away/);
    scene.setAhead(3000);
    await serve({}, server);
    assert.equal(await server.fault(), null);
    assert.ok((waf.observed()?.counted_from ?? '') > cut);
    await block();
    assert.equal((await collected(1, waf)).sum, 1, 'nginx writes into the new one');
    scene.setAhead(0);
  });

  it('give back the place on the disk of what was read', async () => {
    const { server, waf } = scene.another();
    await serve({}, server);
    const log = (await scene.folder.names('waf')).find((name) => name.startsWith('audit-')) ?? '';
    const path = join(scene.path, 'waf', log);
    await appendFile(path, `${JSON.stringify({ filler: 'x'.repeat(1000) })}\n`.repeat(3000));
    await block();
    assert.equal((await collected(1, waf)).sum, 1);
    const { blocks, size } = await stat(path);
    assert.ok(size > 3_000_000);
    assert.ok(blocks * 512 < 1_000_000, `${blocks * 512} bytes are left`);
    await block();
    assert.equal((await collected(1, waf)).sum, 1, 'and it is followed on');
  });
});
