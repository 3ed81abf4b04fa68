import assert from 'node:assert/strict';
import { once } from 'node:events';
import { link, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ingressId } from '../../../test/ingress-section.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { GatewayControl } from './control.ts';
import type { LiveState } from './live-state.ts';

const LIVE: LiveState = { routes: {}, draining: { [ingressId(1)]: 1_800_000_000 }, ended: {}, certificates: {} };

describe('the private socket of nginx', () => {
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let path: string;
  let listener: RequestListener;
  let server: ReturnType<typeof createServer>;

  beforeEach(async () => {
    folder = await newFolder();
    path = join(folder.path, 'control.sock');
    server = createServer((request, response) => listener(request, response)).listen(path);
    await once(server, 'listening');
  });

  afterEach(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    await folder[Symbol.asyncDispose]();
  });

  const says = (text: string, status = 200) => {
    listener = (_, response) => response.writeHead(status).end(text);
    return new GatewayControl(path);
  };

  it('says which generation serves, and what is open', async () => {
    listener = (request, response) => {
      const answers: Readonly<Record<string, unknown>> = {
        '/generation': { generation: 'g-12' },
        '/open': { [ingressId(1)]: 3, [ingressId(2)]: 0 },
      };
      response.end(JSON.stringify(answers[`${request.url}`]));
    };
    const control = new GatewayControl(path);
    assert.equal(await control.generation(), 'g-12');
    const open = [
      [ingressId(1), 3],
      [ingressId(2), 0],
    ];
    assert.deepEqual([...(await control.open())], open);
    assert.equal((await says('{}').open()).size, 0);
  });

  it('takes the live state whole, one after the other', async () => {
    const received: string[] = [];
    let running = 0;
    listener = async (request, response) => {
      running += 1;
      assert.equal(running, 1, 'two at once');
      const text = await textOf(request);
      received.push(`${request.method} ${request.url} ${text}`);
      running -= 1;
      response.writeHead(204).end();
    };
    const control = new GatewayControl(path);
    const later = { ...LIVE, draining: {} };
    await Promise.all([control.put(LIVE), control.put(later)]);
    assert.deepEqual(received, [`PUT /live ${JSON.stringify(LIVE)}`, `PUT /live ${JSON.stringify(later)}`]);
  });

  it('has to take it with the status for that, and a failure holds up no later one', async () => {
    await assert.rejects(says('', 200).put(LIVE), /^Error: nginx answers PUT \/live with status 200$/);
    const control = says('', 507);
    await assert.rejects(control.put(LIVE), /PUT \/live with status 507/);
    says('', 204);
    await control.put(LIVE);
  });

  it('is not believed what has another shape', async () => {
    for (const text of ['', 'no JSON', '{"generation":', '[]', 'null', '"g-1"', '{}']) {
      await assert.rejects(says(text).generation(), /nginx answers GET \/generation with something else than expected/);
    }
    for (const generation of [1, null, '', 'x'.repeat(201)]) {
      await assert.rejects(says(JSON.stringify({ generation })).generation(), /there is no generation in it/);
    }
    const counts = [-1, 1.5, '3', null, 1e300].map((count) => JSON.stringify({ [ingressId(1)]: count }));
    for (const text of counts) await assert.rejects(says(text).open(), /ingress_0+1 has no count/);
    for (const text of ['{"__proto__":1}', '{"node_1":1}', '{"ingress_1":1}']) {
      await assert.rejects(says(text).open(), /is no id of an ingress/);
    }
    await assert.rejects(says('{"generation":"g-1"}', 500).generation(), /GET \/generation with status 500/);
  });

  it('is given up when it takes too long, before the answer and in the middle of it', { timeout: 20_000 }, async () => {
    const slow = /^Error: nginx does not answer on its private socket: GET \/open took more than 2 s$/;
    let ended = 0;
    const count = (response: ServerResponse) => response.on('close', () => ++ended);
    const begins: readonly RequestListener[] = [
      (_, response) => count(response),
      (_, response) => count(response.writeHead(200)).write('{'),
    ];
    for (const begin of begins) {
      listener = begin;
      await assert.rejects(new GatewayControl(path).open(), slow);
    }
    while (ended < begins.length) await new Promise(setImmediate); // the connections are closed
  });

  it('has to answer in full', async () => {
    const control = new GatewayControl(path);
    const cut = /nginx does not answer on its private socket: .*(cut short|closed without an answer)/;
    listener = ({ socket }) => socket.destroy();
    await assert.rejects(control.generation(), cut);
    listener = (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"generation":"g-1"}');
      setImmediate(() => response.destroy());
    };
    await assert.rejects(control.generation(), cut);
    listener = ({ socket }) => socket.end('220 mail.example.com ready\r\n');
    await assert.rejects(control.generation(), /private socket: the answer is no HTTP/);
    listener = ({ socket }) => socket.end('HTTP/1.1 101 Upgrade\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
    await assert.rejects(control.generation(), cut);
  });

  it('is cut off when it answers without end', async () => {
    let sent = 0;
    listener = (_, response) => {
      const piece = Buffer.alloc(256 * 1024, ' ');
      const more = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    };
    await assert.rejects(new GatewayControl(path).open(), /the answer is larger than 4 MiB/);
    assert.ok(sent < 64 * 1024 * 1024);
  });

  it('is missed in words', async () => {
    const missing = new GatewayControl(join(folder.path, 'none.sock'));
    await assert.rejects(missing.generation(), /does not answer on its private socket: there is no socket$/);
    says('{}');
    const left = join(folder.path, 'left.sock');
    const child = createServer().listen(left);
    await once(child, 'listening');
    // What a process leaves that is killed: a socket without one that listens.
    await link(left, `${left}.kept`);
    child.close();
    await once(child, 'close');
    await rename(`${left}.kept`, left);
    await assert.rejects(new GatewayControl(left).put(LIVE), /private socket: no process listens there$/);
  });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece;
  return text;
}
