import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json } from '@meshwork/client/testing';
import { type EventRecord, type NodeOperation, OPERATIONS } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh, Run } from './run-mesh.ts';

const operation = OPERATIONS['operations.show'].example.answer;
const ended: NodeOperation = { ...operation, ended_at: '2026-11-15T09:31:00Z', waits_for: null };
const verified: NodeOperation = { ...ended, state: 'verified', verified_at: '2026-11-15T09:31:00Z' };
const connected = (url: string) => ({ MESH_URL: url, MESH_TOKEN: 'mesh_test-token' });

describe('mesh follows', { concurrency: 3 }, () => {
  it('an operation until it is verified, and says what it waits for', async () => {
    const answers: NodeOperation[] = [{ ...operation, state: 'delivered' }, verified];
    await using server = await exampleServer({
      'operations.show': (response) => json(response, answers.shift() ?? verified),
    });
    const env = connected(server.url);
    const { code, stdout, stderr } = await mesh(['node', 'rekey', operation.node, '--wait'], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^state +verified$/m);
    assert.match(stderr, /^rekey of git-1: requested, until the node reports .*\nrekey of git-1: delivered, until/);
    assert.equal(server.seen[1]?.url, `/v1/operations/${operation.id}?wait=5`);
    answers.push({ ...operation, state: 'delivered' }, verified);
    const machine = await mesh(['node', 'rekey', operation.node, '--json', '--wait', '5m'], { env });
    assert.deepEqual([machine.stderr, JSON.parse(machine.stdout)], ['', verified]);
  });

  it('an operation to an end that is no success, and ends with 8', async () => {
    const failed = { ...ended, state: 'timed_out', reason: 'no heartbeat proved it in time' };
    await using server = await exampleServer({ 'operations.show': (response) => json(response, failed) });
    const { code, stdout } = await mesh(['operation', 'wait', operation.id], { env: connected(server.url) });
    assert.equal(code, 8);
    assert.match(stdout, /^reason +no heartbeat proved it in time$/m);
  });

  it('an operation for the time given, and ends with 9 when it is still in progress', async () => {
    await using server = await exampleServer();
    const { code, stdout } = await mesh(['operation', 'wait', operation.id, '--timeout', '1', '--json'], {
      env: connected(server.url),
    });
    assert.deepEqual([code, JSON.parse(stdout)], [9, operation]);
    assert.ok(server.seen.length < 6, 'it does not ask without pause');
  });

  it('an operation no longer after Ctrl-C, and says that it continues', async () => {
    const asked = Promise.withResolvers<void>();
    await using server = await exampleServer({ 'operations.show': () => asked.resolve() });
    await using run = new Run(['node', 'drain', operation.node, '--wait'], { env: connected(server.url) });
    await asked.promise;
    run.child.kill('SIGINT');
    const { code, stdout, stderr } = await run.ended;
    assert.deepEqual([code, stdout], [130, '']);
    assert.match(stderr, /continues; to follow it: mesh operation wait operation_\w+\n$/);
  });

  it('events, a line each, across a broken connection', async () => {
    const record = (seq: number): EventRecord => ({
      seq,
      type: 'node.retagged',
      at: '2026-11-15T09:30:00.000Z',
      subject: { kind: 'node', id: 'node_x' },
      revision: seq,
      data: { name: 'git-1\u001b[2J', tags: ['role:git'] },
    });
    const frame = (seq: number) => `id: ${seq}\nevent: node.retagged\ndata: ${JSON.stringify(record(seq))}\n\n`;
    await using server = await exampleServer({
      'events.stream': (response, { headers }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (headers['last-event-id'] === undefined) response.end(`retry: 10\n\n${frame(7)}`);
        else response.write(`event: reset\ndata: {"oldest":9}\n\n${frame(9)}`);
      },
    });
    const env = connected(server.url);
    await using human = new Run(['events', '--type', 'node.*', '--after', '6'], { env });
    await human.said('stdout', / 9 .*\n/);
    await human.said('stderr', /no longer kept\n/); // it was said before, and may be read after
    assert.match(
      human.stdout,
      /^2026-11-15T09:30:00\.000Z {2}7 {2}node\.retagged {7}node_x {2}name=git-1 {2}tags=\["role:git"\]\n/,
    );
    assert.equal(
      human.stderr,
      'the coordinator ended the stream; trying again\nevents before 9 were missed and are no longer kept\n',
    );
    assert.equal(server.seen[0]?.url, '/v1/events?type=node.*&after=6');
    human.child.kill('SIGINT');
    assert.equal((await human.ended).code, 130);

    await using machine = new Run(['events', '--json'], { env });
    await machine.said('stdout', /"seq":9.*\n/);
    const lines = machine.stdout.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      [record(7), { type: 'reset', oldest: 9 }, record(9)],
    );
    assert.equal(machine.stderr, '');
  });
});
