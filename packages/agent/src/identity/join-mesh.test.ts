import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ApiError, UnreachableError } from '@meshwork/client';
import { loopbackServer, problem, problemOf, type SeenRequest } from '@meshwork/client/testing';
import { joinRequest } from '../../test/join-request.ts';
import { newFolder } from '../../test/new-folder.ts';
import { scriptedCoordinator } from '../../test/scripted-coordinator.ts';
import { UNUSED_URL } from '../../test/unused-port.ts';
import { StateError } from '../host/state-error.ts';
import { joinMesh, OtherMeshError } from './join-mesh.ts';
import { loadIdentity, saveIdentity } from './saved-identity.ts';
import { openStateFolder } from './state-folder.ts';
import { WireguardKey } from './wireguard-key.ts';

const CHILD = fileURLToPath(new URL('../../test/joining-child.ts', import.meta.url));

async function inFolder<T>(
  path: string,
  act: (folder: Awaited<ReturnType<typeof openStateFolder>>) => Promise<T>,
): Promise<T> {
  const folder = await openStateFolder(path);
  try {
    return await act(folder);
  } finally {
    folder.close();
  }
}

test('an enrolled machine stays the node it is, without another request', async () => {
  await using coordinator = await scriptedCoordinator();
  await using state = await newFolder();
  const first = await inFolder(state.path, (folder) => joinMesh(folder, joinRequest(coordinator.url)));
  assert.equal(first.how, 'new');
  assert.deepEqual(await loadIdentity(state.path), first.identity);
  const again = await inFolder(state.path, (folder) => joinMesh(folder, joinRequest(coordinator.url)));
  assert.deepEqual([again.how, again.identity, coordinator.enrolments.size], ['already', first.identity, 1]);
  const elsewhere = inFolder(state.path, (folder) => joinMesh(folder, joinRequest('https://mesh.example.org')));
  await assert.rejects(elsewhere, OtherMeshError);
  const sent = JSON.stringify([...coordinator.enrolments.values()]);
  const wireguard = await WireguardKey.load(state.path);
  assert.ok(wireguard !== undefined && sent.includes(wireguard.current.public));
  assert.ok(!sent.includes(wireguard.private_key) && !sent.includes(first.identity.private_key));
});

test('a refusal is final, an unreachable coordinator is passed over for the next one', async () => {
  await using coordinator = await scriptedCoordinator();
  await using refusing = await loopbackServer((_, response) => problem(response, problemOf('token_expired')));
  await using state = await newFolder();
  const at = (...coordinators: [string, ...string[]]) =>
    inFolder(state.path, (folder) => joinMesh(folder, joinRequest('', { coordinators })));
  await assert.rejects(
    at(refusing.url, coordinator.url),
    (error) => error instanceof ApiError && error.code === 'token_expired',
  );
  await assert.rejects(at(UNUSED_URL), UnreachableError);
  const { how, identity } = await at(UNUSED_URL, coordinator.url);
  assert.equal(how, 'resumed');
  assert.deepEqual(identity.coordinators, [UNUSED_URL, coordinator.url]);
});

test('other wishes are another request of the same identity', async () => {
  await using refusing = await loopbackServer((_, response) => problem(response, problemOf('token_expired')));
  await using state = await newFolder();
  const wishing = async (name: string) => {
    const wish = { name, tags: [], services: [], routes: [] };
    const request = joinRequest(refusing.url, { wish });
    await assert.rejects(
      inFolder(state.path, (folder) => joinMesh(folder, request)),
      ApiError,
    );
    return (await loadIdentity(state.path)) ?? assert.fail('nothing was kept');
  };
  const [one, same, other] = [await wishing('a'), await wishing('a'), await wishing('b')];
  assert.deepEqual(same, one);
  assert.notEqual(other.idempotency_key, one.idempotency_key);
  assert.equal(other.private_key, one.private_key);
});

test('a damaged identity is an error that names the file, never a new identity', async () => {
  await using coordinator = await scriptedCoordinator();
  await using state = await newFolder();
  const { identity } = await inFolder(state.path, (folder) => joinMesh(folder, joinRequest(coordinator.url)));
  const file = join(state.path, 'identity.json');
  const text = await readFile(file, 'utf8');
  const key = identity.private_key;
  for (const damaged of [
    '',
    text.slice(0, -20),
    text.replace(key, key.slice(8)),
    text.replace('"version": 1', '"version": 9'),
  ]) {
    await writeFile(file, damaged);
    const named = (error: unknown) =>
      error instanceof StateError && error.message.includes(file) && !error.message.includes(key.slice(8, 30));
    await assert.rejects(
      inFolder(state.path, (folder) => joinMesh(folder, joinRequest(coordinator.url))),
      named,
    );
    assert.equal(await readFile(file, 'utf8'), damaged);
  }
  assert.equal(coordinator.enrolments.size, 1);
  await saveIdentity(state.path, identity);
  assert.deepEqual(await loadIdentity(state.path), identity);
});

/** Where a child is killed in the middle of its enrolment. */
const MOMENTS = [
  'as soon as the keys are on disk',
  'before the coordinator hears of it',
  'once it has heard',
  'as it answers',
] as const;

describe('killed in the middle, it goes on as the same node:', () => {
  for (const moment of MOMENTS) {
    test(moment, async () => {
      await using coordinator = await scriptedCoordinator();
      await using state = await newFolder();
      const identityFile = join(state.path, 'identity.json');
      const kill = () => child.kill('SIGKILL');
      await using proxy = await loopbackServer(async (request, response) => {
        if (moment === 'before the coordinator hears of it') return void kill();
        const answer = await passOn(request, coordinator.url);
        if (moment === 'once it has heard') return void kill();
        response.writeHead(201, { 'content-type': 'application/json' }).end(answer, kill);
      });
      const child = spawn(process.execPath, [CHILD, state.path, proxy.url], { stdio: 'inherit' });
      const ended = once(child, 'exit');
      if (moment === 'as soon as the keys are on disk') {
        while (!existsSync(identityFile) && child.exitCode === null) await delay(1);
        kill();
      }
      await ended;
      const before = await loadIdentity(state.path);
      const request = joinRequest('', { coordinators: [coordinator.url, proxy.url] });
      const { identity } = await inFolder(state.path, (folder) => joinMesh(folder, request));
      assert.equal(identity.private_key, before?.private_key);
      assert.equal(identity.idempotency_key, before?.idempotency_key);
      assert.equal(coordinator.enrolments.size, 1);
      assert.ok(
        [...coordinator.enrolments.values()].some((node) => (node as { id: string }).id === identity.enrolled.node),
      );
    });
  }
});

function passOn({ body, headers, url }: SeenRequest, to: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const passed = httpRequest(new URL(url, to), { method: 'POST', headers }, (answer) => {
    let text = '';
    answer.setEncoding('utf8');
    answer.on('data', (piece: string) => {
      text += piece;
    });
    answer.on('end', () => resolve(text));
  });
  passed.on('error', reject);
  passed.end(body);
  return promise;
}
