import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { readRequest } from '@meshwork/pki';
import { makeRequest } from './make-request.ts';

test('a request is of a new key each time, and its thread ends with it', async () => {
  let running = 0;
  const count = (thread: Worker) => {
    running += 1;
    thread.once('exit', () => {
      running -= 1;
    });
  };
  process.on('worker', count);
  const [one, other] = await Promise.all([makeRequest(), makeRequest()]);
  assert.equal(running, 0);
  process.off('worker', count);
  assert.notEqual(one.private_key, other.private_key);
  const read = await readRequest(one.request);
  assert.ok('public_key' in read);
  const own = createPublicKey(createPrivateKey(one.private_key)).export({ type: 'spki', format: 'der' });
  assert.deepEqual(read.public_key, own);
});

test('a thread that fails, or ends without a request, is an error that says so', async () => {
  const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  await assert.rejects(
    makeRequest(script('throw new Error("no memory")')),
    /no certificate request could be made: no memory/,
  );
  await assert.rejects(makeRequest(script('process.exit(3)')), /could be made: the thread ended \(3\)/);
});
