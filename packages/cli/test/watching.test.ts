/** `--watch`, against a real server with a real stream of events. */
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { json, type LoopbackServer, problem, problemOf } from '@meshwork/client/testing';
import { OPERATIONS, type Relay } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { MAIN, Run } from './run-mesh.ts';

const relay: Relay = OPERATIONS['relays.show'].example.answer;
const connected = (url: string) => ({ MESH_URL: url, MESH_TOKEN: 'mesh_test-token' });

/** A coordinator with one relay, whose streams of events the test speaks on. */
class Watched implements AsyncDisposable {
  relay = relay;
  #reads = 0;
  readonly #readers = new EventEmitter();
  readonly streams: ServerResponse[] = [];
  readonly asked: string[] = [];
  #server: LoopbackServer | undefined;
  #opened = Promise.withResolvers<void>();

  static async start(): Promise<Watched> {
    const watched = new Watched();
    watched.#server = await exampleServer({
      'relays.show': (response) => watched.#answer(response, watched.relay),
      'relays.list': (response) => watched.#answer(response, { items: [watched.relay], next_cursor: null }),
      'events.stream': (response, { url, headers }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 10\n\n');
        watched.streams.push(response);
        watched.asked.push(`${url} ${headers['last-event-id'] ?? '-'}`);
        watched.#opened.resolve();
        watched.#opened = Promise.withResolvers();
      },
    });
    return watched;
  }

  get env() {
    return connected(this.#server?.url ?? '');
  }

  /** When the next stream is opened. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  event(seq: number): void {
    const record = { seq, type: 'relay.changed', at: '2026-11-15T09:30:00Z', subject: { kind: 'relay', id: 'fra-1' } };
    const data = JSON.stringify({ ...record, revision: seq, data: {} });
    this.streams.at(-1)?.write(`id: ${seq}\nevent: relay.changed\ndata: ${data}\n\n`);
  }

  #answer(response: ServerResponse, body: unknown): void {
    json(response, body);
    this.#reads += 1;
    this.#readers.emit('read');
  }

  /** When it has been read so often. */
  async read(times: number): Promise<void> {
    while (this.#reads < times) await once(this.#readers, 'read');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stream of this.streams) stream.destroy();
    await this.#server?.[Symbol.asyncDispose]();
  }
}

describe('mesh … --watch', { concurrency: 2 }, () => {
  it('prints a list again when it changed, and not when it did not', async () => {
    await using mesh = await Watched.start();
    await using run = new Run(['relay', 'list', '--watch'], { env: mesh.env });
    await run.said('stdout', /fra-1 +healthy +.*12 of 500|fra-1 +healthy.*\n/);
    assert.deepEqual(mesh.asked, ['/v1/events?type=relay.* -']);
    mesh.event(1); // nothing changed: it is read, and not printed
    await mesh.read(2);
    mesh.relay = { ...relay, draining: true };
    mesh.event(2);
    await run.said('stdout', /healthy, draining/);
    mesh.relay = { ...relay, nodes: 77 };
    mesh.event(3);
    await run.said('stdout', /77 of/);
    assert.equal(run.stdout.match(/^NAME /gm)?.length, 3, run.stdout);
    assert.match(run.stdout, /\n\nNAME /, 'in a file they stand apart');
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    assert.deepEqual([code, stderr], [130, '']);
  });

  it('prints a record as one JSON document a change', async () => {
    await using mesh = await Watched.start();
    await using run = new Run(['relay', 'show', 'fra-1', '--watch', '--json'], { env: mesh.env });
    await run.said('stdout', /\n/);
    mesh.relay = { ...relay, draining: true };
    mesh.event(5);
    await run.said('stdout', /\n.*\n/);
    const documents = run.stdout.trimEnd().split('\n');
    assert.deepEqual(
      documents.map((line) => JSON.parse(line)),
      [relay, mesh.relay],
    );
  });

  it('goes on after a broken stream, and has what changed meanwhile', async () => {
    await using mesh = await Watched.start();
    await using run = new Run(['relay', 'show', 'fra-1', '--watch'], { env: mesh.env });
    await run.said('stdout', /^nodes /m);
    mesh.event(7);
    mesh.relay = { ...relay, nodes: 88 };
    const again = mesh.opened;
    mesh.streams[0]?.end();
    await again;
    await run.said('stdout', /88 of/);
    assert.match(run.stderr, /^the coordinator ended the stream; trying again\n/);
    assert.deepEqual(mesh.asked, ['/v1/events?type=relay.* -', '/v1/events?type=relay.* 7']);
  });

  it('redraws on a terminal', async () => {
    await using mesh = await Watched.start();
    const command = `${process.execPath} ${MAIN} relay list --watch`;
    await using run = new Run([], { program: ['script', '-qec', command, '/dev/null'], env: mesh.env, group: true });
    await run.said('stdout', /NAME[\s\S]* healthy /);
    mesh.relay = { ...relay, draining: true };
    mesh.event(1);
    await run.said('stdout', /healthy, draining/);
    const screens = run.stdout.split('\u001b[H\u001b[2J');
    assert.equal(screens.length, 3, 'each begins with a clear screen');
    assert.ok(screens.slice(1).every((screen) => screen.includes('NAME')));
  });

  it('ends with what went wrong when it cannot be read any more', async () => {
    await using server = await exampleServer({
      'relays.show': (response) => problem(response, problemOf('not_found', 'There is no relay "gone".')),
      'events.stream': (response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 10\n\n'),
    });
    await using run = new Run(['relay', 'show', 'gone', '--watch'], { env: connected(server.url) });
    const { code, stdout, stderr } = await run.ended;
    assert.deepEqual([code, stdout], [4, '']);
    assert.match(stderr, /^mesh: There is no relay "gone"\./);
  });
});
