/** What the WAF found gets to the coordinator: all of it, or counted, whatever happens meanwhile. */
import assert from 'node:assert/strict';
import { appendFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene } from '../../../../test/gateway-scene.ts';
import { until } from '../../../../test/namespaces.ts';
import { blockingCats, OTHER_RECORD } from '../../../../test/waf-events.ts';
import { MAX_UNREAD_BYTES } from '../followed-log.ts';

describe('events of the WAF', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let cats: ReturnType<typeof blockingCats>;
  const block: typeof cats.block = (agent) => cats.block(agent);
  const serve: typeof cats.serve = (...how) => cats.serve(...how);
  const collected: typeof cats.collected = (...how) => cats.collected(...how);
  before(async () => {
    scene = await gatewayScene();
    cats = blockingCats(scene, await scene.service('web'));
  });
  after(() => scene[Symbol.asyncDispose]());

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

  it('are whole lines, also where several workers write long ones at the same time', async () => {
    await serve({ requests: { arguments_most: null } });
    const since = scene.waf.observed()?.counted_from;
    const many = (number: number) => Array.from({ length: 40 * number }, (_, index) => `a${index}=<script>`).join('&');
    const agents = Array.from({ length: 6 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    const statuses = await Promise.all(
      agents.map(async (agent) => {
        const found: number[] = [];
        for (const number of [1, 2, 3, 4, 5, 6]) {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' };
          const asked = { path: '/', method: 'POST', headers, body: many(number), agent };
          found.push((await scene.ask('www-1.example.com', asked)).status);
        }
        return found;
      }),
    );
    for (const agent of agents) agent.destroy();
    assert.deepEqual(new Set(statuses.flat()), new Set([403]));
    assert.equal((await collected(36)).sum, 36);
    assert.equal(scene.waf.observed()?.counted_from, since);
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
    await appendFile(path, OTHER_RECORD.repeat(1000));
    await block();
    assert.equal((await collected(1, waf)).sum, 1);
    const { blocks, size } = await stat(path);
    assert.ok(size > 10_000_000);
    assert.ok(blocks * 512 < MAX_UNREAD_BYTES + 8_000_000, `${blocks * 512} bytes are left, with what is reserved`);
    await block();
    assert.equal((await collected(1, waf)).sum, 1, 'and it is followed on');
  });
});
