/** The promise of durability, tried the hard way: the process is killed at random moments while many write at once. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditEntry, ChainReport, Token, TokenWithSecret } from '@meshwork/contract';
import { PLATFORM } from './harness.ts';
import { Service } from './service.ts';

/** In each of two meshes: a busy machine needs minutes for so many starts. */
const KILLS = 15;
const WRITERS = 8;
/** Between two kills. Sometimes there is none at all. */
const MOST_ANSWERS = 24;

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

describe('a coordinator that is killed', () => {
  for (const mesh of ['first', 'second']) {
    it(`${KILLS} times under load has every answered write, no half of another, and an unbroken trail (${mesh} mesh)`, () =>
      survivesKills());
  }

  async function survivesKills(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-killed-'));
    const env = { MESH_DATA_DIR: folder, MESH_COORDINATOR_LISTEN: '127.0.0.1:0', MESH_LOG_LEVEL: 'silent' };
    const answered = new Map<string, { name: string; isRevoked: boolean }>();
    let service = await Service.start(env);
    try {
      const owner = (await readFile(join(folder, 'bootstrap-token'), 'utf8')).trim();
      await patchLimits(service.url, owner);
      for (let kill = 0; kill < KILLS; kill++) {
        const writers = Array.from({ length: WRITERS }, (_, writer) =>
          write(service.url, owner, `${kill}-${writer}`, answered),
        );
        // By what was answered and not by the clock alone: a busy machine would be killed before it has done anything.
        const enough = answered.size + Math.floor(Math.random() * MOST_ANSWERS);
        while (answered.size < enough) await pause(1);
        await pause(Math.random() * 10);
        await service.end('SIGKILL');
        await Promise.all(writers);
        service = await Service.start(env);
        if (kill % 8 === 0) await assertNothingLost(service.url, owner, answered);
      }
      assert.ok(answered.size > KILLS, `only ${answered.size} writes were answered; the test proves too little`);
      await service.end('SIGTERM');
    } finally {
      await service.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  }
});

async function patchLimits(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ api: { rate_per_s: 1_000_000, burst: 1_000_000 } });
  assert.equal((await fetch(`${url}/v1/settings`, { method: 'PATCH', headers, body })).status, 200);
}

/** Writes until the connection breaks, and remembers only what was answered. */
async function write(
  url: string,
  token: string,
  writer: string,
  answered: Map<string, { name: string; isRevoked: boolean }>,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  for (let count = 0; ; count++) {
    const name = `${writer}-${count}`;
    try {
      const made = await fetch(`${url}/v1/auth/tokens`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name, scope: PLATFORM, expires }),
      });
      const { id } = (await made.json()) as TokenWithSecret;
      assert.equal(made.status, 201);
      answered.set(id, { name, isRevoked: false });
      if (count % 2 === 0) continue;
      const revoked = await fetch(`${url}/v1/auth/tokens/${id}`, {
        method: 'DELETE',
        headers: { authorization: headers.authorization },
      });
      await revoked.json();
      assert.equal(revoked.status, 200);
      answered.set(id, { name, isRevoked: true });
    } catch (error) {
      if (error instanceof TypeError) return; // the connection broke: the coordinator was killed
      throw error;
    }
  }
}

async function assertNothingLost(
  url: string,
  owner: string,
  answered: ReadonlyMap<string, { name: string; isRevoked: boolean }>,
): Promise<void> {
  const ask = async <T>(path: string): Promise<T> => {
    const got = await fetch(url + path, { headers: { authorization: `Bearer ${owner}` } });
    assert.equal(got.status, 200);
    return (await got.json()) as T;
  };
  const all = async <T>(path: string): Promise<T[]> => {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page<T> = await ask<Page<T>>(`${path}&limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    return items;
  };
  const tokens = new Map((await all<Token>('/v1/auth/tokens?q=')).map((token) => [token.id, token]));
  for (const [id, { name, isRevoked }] of answered) {
    assert.equal(tokens.get(id)?.name, name, 'an answered write is there');
    if (isRevoked) assert.equal(tokens.get(id)?.state, 'revoked', 'an answered revocation holds');
  }
  // Nothing is there by half: each token has the entry of its creation, each revoked one that of its revocation.
  const trail = await all<AuditEntry>('/v1/audit?outcome=done');
  const entries = (action: string) =>
    trail
      .filter((entry) => entry.action === action)
      .map(({ target }) => target?.id ?? '')
      .sort();
  const made = [...tokens.values()].filter(({ name }) => name !== 'bootstrap').map(({ id }) => id);
  assert.deepEqual(entries('tokens.create'), made.sort());
  const revoked = [...tokens.values()].filter(({ state }) => state === 'revoked').map(({ id }) => id);
  assert.deepEqual(entries('tokens.revoke'), revoked.sort());
  const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
  const verified = await fetch(`${url}/v1/audit/verify`, { method: 'POST', headers, body: '{}' });
  const report = (await verified.json()) as ChainReport;
  assert.deepEqual([report.intact, report.faults], [true, []]);
}
