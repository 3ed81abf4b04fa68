/** Counts of the WAF are exact from a moment on that it says: also after what killed a process, filled a disk, or left a log unread. */
import assert from 'node:assert/strict';
import { appendFile, stat } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type GatewayScene, gatewayScene } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { blockingCats, OTHER_RECORD } from '../../../../test/waf-events.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';
import { runCommand } from '../../../host/run-command.ts';
import { MAX_LINE_BYTES, MAX_UNREAD_BYTES } from '../followed-log.ts';

const FULL_DISK_CHILD = join(import.meta.dirname, '../../../../test/full-waf-disk-child.ts');
const WWW = 'www-1.example.com';

describe('events that a gateway lost', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let cats: ReturnType<typeof blockingCats>;
  let held: { readonly answer: () => void }[];
  let target: ReturnType<Awaited<ReturnType<GatewayScene['service']>>['target']>;
  before(async () => {
    scene = await gatewayScene({ max_old_workers: 0 });
    held = [];
    const web = await scene.service('web', (_, answer) => held.push({ answer: () => answer.end('web') }));
    target = web.target(1);
    cats = blockingCats(scene, web);
  });
  after(() => scene[Symbol.asyncDispose]());

  const countedFrom = (waf = scene.waf) => waf.observed()?.counted_from ?? '';
  const path = async () => {
    const log = (await scene.folder.names('waf')).find((name) => name.startsWith('audit-')) ?? '';
    return join(scene.path, 'waf', log);
  };

  /** A worker writes a record right after its answer, and may not have come to it yet. */
  const untilWritten = async () => {
    const sizeOf = async () => (await stat(await path())).size;
    for (let [before, now] = [-1, await sizeOf()]; now !== before; [before, now] = [now, await sizeOf()])
      await pause(500);
  };

  it('are known when workers are killed under load, and counts are exact again from then on', async () => {
    await cats.serve();
    for (let round = 0; round < 4; round += 1) {
      const [worker = 0] = await scene.workers();
      const agent = new Agent({ keepAlive: true });
      let answered = 0;
      const load = Promise.all(
        Array.from({ length: 6 }, async () => {
          for (let sent = 0; sent < 20; sent += 1) {
            await cats.block(agent);
            answered += 1;
          }
        }),
      );
      await until('some answers', async () => answered > 10 + 7 * round); // at another moment in each round
      const before = countedFrom();
      process.kill(worker, 'SIGKILL');
      await load;
      agent.destroy();
      await until('the loss to be known', async () => countedFrom() > before);
      await scene.workers();
      await untilWritten();
      const { sum } = await cats.collected(answered - 6); // of six connections at most one each was in its hands
      assert.ok(sum >= answered - 6 && sum <= answered + 6, `${sum} of ${answered}`);
      const since = countedFrom();
      for (let sent = 0; sent < 10; sent += 1) await cats.block();
      assert.equal((await cats.collected(10)).sum, 10);
      assert.equal(countedFrom(), since);
    }
  });

  it('are known when workers of an earlier configuration are ended with requests that something was found in', async () => {
    const serve = (inbound: number) =>
      scene.server.serve({
        section: [ingressOf(1, { routes: [routeOf({ targets: [target], waf: wafId(1) })] })],
        ca: undefined,
        policies: [policyOf(1, { mode: 'detect', thresholds: { inbound } })],
      });
    await serve(5);
    await scene.server.look();
    const since = countedFrom();
    held.length = 0;
    const ended: Promise<void>[] = [];
    // One that waits for the service in each of more configurations than may be left.
    for (const inbound of [6, 7, 8, 9]) {
      const asked = scene.ask(WWW, { path: "/?q=1'+OR+'1'='1" });
      ended.push(assert.rejects(asked, /ECONNRESET|hang up/));
      await until('it waits for the service', async () => held.length === ended.length);
      await serve(inbound);
    }
    await until('the oldest end', async () => {
      await scene.server.look();
      return countedFrom() > since;
    });
    await ended[0];
    for (const { answer } of held) answer();
    await Promise.allSettled(ended); // the newer ones were answered
  });

  it('are known when a log was emptied that no agent read, and it never grew without an end', async () => {
    await cats.serve();
    await cats.block();
    await cats.collected(1);
    const since = countedFrom();
    scene.waf.stop(); // the agent is gone
    const log = await path();
    await appendFile(log, OTHER_RECORD.repeat(Math.ceil(MAX_UNREAD_BYTES / 10_000)));
    for (let sent = 0; sent < 5; sent += 1) await cats.block();
    await until('the records', async () => (await stat(log)).size < 100_000);
    scene.setAhead(1000);
    const { server, waf } = scene.another();
    await cats.serve({}, server);
    assert.equal((await cats.collected(5, waf)).sum, 5, 'what came since is there');
    assert.ok(countedFrom(waf) > since);
    scene.setAhead(0);
  });

  it('are none where a record is longer than any that is read as a whole', async () => {
    const { server, waf } = scene.another();
    await cats.serve({ requests: { arguments_most: null, argument_bytes: null } }, server);
    await cats.collected(0, waf);
    const since = countedFrom(waf);
    const many = Math.ceil(MAX_LINE_BYTES / 290);
    const body = Array.from({ length: many }, (_, index) => `a${index}=<script>alert(1)</script>`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { status } = await scene.ask(WWW, { path: '/', method: 'POST', headers, body });
    assert.equal(status, 403);
    await cats.block();
    const { events, sum } = await cats.collected(2, waf);
    assert.equal(sum, 2);
    assert.ok((await stat(await path())).size > MAX_LINE_BYTES);
    const [long] = events.filter(({ method }) => method === 'POST');
    assert.equal(long?.verdict, 'blocked');
    assert.ok((long?.score_in ?? 0) > 1000, 'its end says what it added up to');
    assert.match(String(long?.matches[0]?.parameter?.name), /^a\d+$/);
    assert.equal(countedFrom(waf), since);
  });

  it('are none on a disk that is full, as far as space was reserved, and are known beyond that', async () => {
    const said = await runCommand('unshare', ['-m', process.execPath, FULL_DISK_CHILD]);
    assert.deepEqual(said.trim().split('\n'), [
      'the disk is full',
      '300 of 300 events, counted from the beginning',
      'beyond what was reserved: counted from later',
      '10 of 10 events once there is room, counted on',
    ]);
  });
});
