/** What workers keep of the requests they have, and of the connections of clients: exact, however a request ends. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rename } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { until } from '../../../test/namespaces.ts';

const [WWW, OTHER] = ['www-1.example.com', 'www-2.example.com'];
const AT_ONCE = { draining: true, deadline: { at: '2026-11-15T10:00:00Z', after_s: 0 } } as const;
const MANY = 20;

describe('what workers keep of requests', { timeout: 160_000 }, () => {
  let scene: GatewayScene;
  let one: Service;
  let two: Service;
  before(async () => {
    scene = await gatewayScene();
    const holding = (name: string) =>
      scene.service(name, (asked, answer) => {
        if (asked.url === '/hold') return;
        asked.resume().on('end', () => answer.end(name));
      });
    [one, two] = [await holding('one'), await holding('two')];
  });
  after(() => scene[Symbol.asyncDispose]());

  const to = (balance: string) => [routeOf({ targets: [one.target(1), two.target(2)], balance })];
  const www = (over: Parameters<typeof ingressOf>[1] = {}) =>
    ingressOf(1, { routes: to('least_connections'), ...over });
  const other = () => ingressOf(2, { routes: to('round_robin') });
  const serve = (...section: readonly ReturnType<typeof ingressOf>[]) => scene.server.serve({ section, ca: undefined });
  const isOpen = (count: number, number = 1) =>
    until(`${count} are open`, async () => ((await scene.control.open()).get(ingressId(number)) ?? 0) === count);

  /** Says what comes back, each answer once. */
  async function dial() {
    const socket = connect(scene.http_port, '127.0.0.1').on('error', () => undefined);
    let text = '';
    socket.setEncoding('latin1').on('data', (piece) => {
      text += piece;
    });
    await once(socket, 'connect');
    const send = (host: string, path = '/') => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const ask = async (host: string) => {
      text = '';
      send(host);
      await until('it is answered', async () => /\r\n\r\n./s.test(text));
      return text;
    };
    return { socket, send, ask };
  }
  const dialMany = () => Promise.all(Array.from({ length: MANY }, dial));
  const hold = async () => {
    const all = await dialMany();
    for (const { send } of all) send(WWW, '/hold');
    return all;
  };
  const close = (all: readonly { readonly socket: Socket }[]) => {
    for (const { socket } of all) socket.destroy();
  };

  it('requests that clients give up leave nothing behind, for counts and for what is chosen by them', async () => {
    await serve(www(), other());
    const held = await hold();
    await isOpen(MANY);
    close(held);
    await isOpen(0);
    for (let round = 0; round < 5; round += 1) {
      // One that was still counted would have its node left out.
      assert.deepEqual(await scene.tally(WWW, 10), { one: 5, two: 5 });
    }
  });

  it('workers of every configuration count together, and what one had is gone with it', async () => {
    await serve(www(), other());
    const before = await hold();
    await isOpen(MANY);
    await serve(www(), other(), ingressOf(3, { routes: to('round_robin') }));
    const later = await hold();
    await isOpen(2 * MANY);
    close(before);
    await isOpen(MANY);
    const [worker] = await scene.workers();
    process.kill(worker ?? assert.fail(), 'SIGKILL');
    close(later);
    await isOpen(0);
    const again = await hold();
    await isOpen(MANY);
    close(again);
    await isOpen(0);
  });

  it('the number of a connection is where workers look for it: the kernel is not asked for each request', async () => {
    await serve(www(), other());
    const kept = await dialMany();
    for (const { ask } of kept) assert.match(await ask(WWW), /200 OK/);
    close(kept);
    const complaints = scene.nginx_log.complaints.filter((said) => said.includes('number of a connection'));
    assert.deepEqual(complaints, []);
  });

  it('a connection in the place of one that is gone is not taken for it', async () => {
    await serve(www(), other());
    const gone = await dialMany();
    for (const { ask } of gone) await ask(WWW);
    close(gone);
    await isOpen(0);
    const kept = await dialMany();
    for (const { ask } of kept) assert.match(await ask(OTHER), /200 OK/);
    const silent = await dialMany();
    const own = await dial();
    await own.ask(WWW);
    await serve(www(AT_ONCE), other());
    await until('its own connection ends', async () => own.socket.closed);
    for (const { ask } of [...silent, ...kept]) assert.match(await ask(OTHER), /200 OK/);
    close([...silent, ...kept]);
  });

  it('after the deadline every request is refused from the first one on, however it came', async () => {
    await serve(www(), other());
    const kept = await dialMany();
    for (const { ask } of kept) await ask(OTHER);
    await serve(www(AT_ONCE), other());
    for (const { ask } of kept) assert.match(await ask(WWW), /503 .*Retry-After: 1\r\n.*takes no new connections/s);
    close(kept);
    assert.equal((await scene.ask(WWW)).status, 503);
    await serve(www(), other());
    assert.equal((await scene.ask(WWW)).status, 200, 'undrained, it serves again');
  });

  it('a certificate is read once, and again when the agent has sent something', async () => {
    const { chain } = await scene.certificate(WWW);
    const secure = www({ tls: { chain, redirect: false } });
    await serve(secure);
    const shown = await scene.shownTo(WWW);
    for (let number = 0; number < MANY; number += 1) await scene.shownTo(WWW); // each worker has read it
    const file = join(scene.path, 'tls', `${ingressId(1)}.pem`);
    await rename(file, `${file}.away`);
    for (let number = 0; number < MANY; number += 1) assert.deepEqual(await scene.shownTo(WWW.toUpperCase()), shown);
    await rename(`${file}.away`, file);
    const renewed = await scene.certificate(WWW);
    await serve(www({ tls: { chain: renewed.chain, redirect: false } }));
    assert.notDeepEqual(await scene.shownTo(WWW), shown);
  });
});
