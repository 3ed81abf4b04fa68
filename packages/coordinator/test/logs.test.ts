import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenWithSecret } from '@meshwork/contract';
import { PLATFORM } from './harness.ts';
import { Service } from './service.ts';

describe('the log', () => {
  it('is a JSON object a line, names changes and refusals by request id, and never holds a secret', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-logs-'));
    const service = await Service.start({
      MESH_DATA_DIR: folder,
      MESH_COORDINATOR_LISTEN: '127.0.0.1:0',
      MESH_LOG_LEVEL: 'trace',
    });
    try {
      const owner = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
      const ask = (method: string, path: string, token: string, body?: object) =>
        fetch(service.url + path, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': 'key-of-the-caller',
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      const request = { name: 'logged', scope: PLATFORM, expires: new Date(Date.now() + 3_600_000).toISOString() };
      const made = await ask('POST', '/v1/auth/tokens', owner, request);
      const { id, secret } = (await made.json()) as TokenWithSecret;
      const refused = await ask('GET', '/v1/auth/tokens?q=searched-for', secret);
      await ask('POST', '/v1/auth/tokens', owner, { ...request, secret: 'misplaced-secret' });
      await ask('GET', '/v1/auth/whoami', 'mesh_not-a-token');
      const exported = () => ask('POST', '/v1/ca/root/export', owner, { passphrase: 'a-passphrase-to-hide' });
      while ((await exported()).status === 503) await pause(20); // until there is an authority
      assert.equal(
        (await ask('POST', '/v1/ca/root/export', owner, { passphrase: ['a-passphrase-to-hide'] })).status,
        422,
      );
      await ask('DELETE', `/v1/auth/tokens/${id}`, owner);
      await service.end('SIGTERM');
      const lines = service.printed
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const find = (answer: Response) =>
        lines.find(({ request_id }) => request_id === answer.headers.get('x-request-id'));
      assert.deepEqual([find(made)?.operation, find(made)?.status], ['tokens.create', 201]);
      assert.deepEqual([find(refused)?.status, find(refused)?.token_id], [403, id]);
      for (const hidden of [
        owner,
        secret,
        'misplaced-secret',
        'a-passphrase-to-hide',
        'PRIVATE KEY',
        'mesh_',
        'key-of-the-caller',
        'searched-for',
        'Bearer',
      ]) {
        assert.ok(!service.printed.includes(hidden), hidden);
      }
    } finally {
      await service.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
