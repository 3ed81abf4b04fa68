/** No body, an empty one and `{}` are the same to every operation that needs nothing in it. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { OPERATION_IDS, OPERATIONS, type Operation } from '@meshwork/contract';
import { TestCoordinator } from './harness.ts';

const WAYS: Readonly<Record<string, readonly string[]>> = {
  'no body': ['', ''],
  'no body, with a type': ['Content-Type: application/json\r\n', ''],
  'an empty body': ['Content-Length: 0\r\n', ''],
  'an empty body, with a type': ['Content-Type: application/json\r\nContent-Length: 0\r\n', ''],
  '{}': ['Content-Length: 2\r\n', '{}'],
  '{}, with a type': ['Content-Type: application/json\r\nContent-Length: 2\r\n', '{}'],
  '{} in chunks': ['Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'],
};

function needsNothing({ method, body, text }: Operation): boolean {
  if (method === 'GET' || text !== undefined) return false;
  const { required = [] } = (body ?? {}) as { required?: readonly string[] };
  return required.length === 0;
}

function send(url: string, token: string, line: string, [headers = '', body = '']: readonly string[]): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n${headers}\r\n${body}`,
      );
    });
    socket.setEncoding('utf8').on('data', (piece) => {
      answer += piece;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

describe('an empty body', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());

  const status = (answer: string) => answer.slice(9, 12);
  for (const id of OPERATION_IDS) {
    const operation: Operation = OPERATIONS[id];
    if (!needsNothing(operation)) continue;
    it(`is the same to ${id} however it comes`, async () => {
      // Of something that is not there: what matters is how far it got.
      const line = `${operation.method} ${operation.path.replaceAll(/\{\w+\}/g, 'no-such-name')}`;
      const answers = new Map<string, string>();
      for (const [way, sent] of Object.entries(WAYS))
        answers.set(way, status(await send(mesh.url, mesh.owner, line, sent)));
      assert.equal(new Set(answers.values()).size, 1, JSON.stringify([...answers]));
      const refused = ['400', '411', '413', '415'];
      assert.ok(!refused.includes([...answers.values()][0] ?? ''), JSON.stringify([...answers]));
    });
  }

  it('is the only one that an operation without a body takes', async () => {
    for (const body of ['{"a":1}', '[]', 'null', '1']) {
      const sent = [`Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`, body];
      const answer = await send(mesh.url, mesh.owner, 'POST /v1/relays/no-such-name/drain', sent);
      assert.match(answer, /^HTTP\/1\.1 400 [\s\S]*unexpected_body/, body);
    }
  });
});
