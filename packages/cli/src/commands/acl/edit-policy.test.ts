import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { json, loopbackServer, problem, problemOf } from '@meshwork/client/testing';
import { OPERATIONS, type Policy } from '@meshwork/contract';
import { editPolicy } from './edit-policy.ts';

const before: Policy = OPERATIONS['acls.show'].example.answer;

/** A coordinator that takes every text without "wrong" in it, and a person who types these texts and answers. */
async function editing(texts: string[], answers: string[] | undefined, refuse = false) {
  const server = await loopbackServer(({ method, url, body }, response) => {
    const valid = !body.includes('wrong');
    const problems = valid ? [] : [{ pointer: '', detail: 'It is wrong.', line: 1, column: 3 }];
    if (url.endsWith('/validate')) return json(response, { valid, problems, failed_tests: [] });
    if (url.endsWith('/preview')) return json(response, OPERATIONS['acls.preview'].example.answer);
    if (refuse) return problem(response, problemOf('revision_mismatch'));
    return json(response, { ...before, version: 4, text: body, sha256: method });
  });
  const said: string[] = [];
  const left = { texts: [...texts], answers: [...(answers ?? [])] };
  const done = editPolicy({
    client: createClient({ url: server.url }),
    draft: { edit: async () => left.texts.shift() ?? assert.fail('edited once too often') },
    ask:
      answers === undefined
        ? undefined
        : async (question) => {
            said.push(question);
            return left.answers.shift() ?? assert.fail('asked once too often');
          },
    tell: (text) => void said.push(text),
    note: 'why',
    before,
    if_match: '"7"',
  });
  return { server, said, done, left, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('a text that did not change is nothing, and no question is asked', async () => {
  await using it = await editing([before.text], []);
  assert.equal(await it.done, undefined);
  assert.equal(it.server.seen.length, 0);
});

test('what is wrong is shown, edited again, previewed, edited once more and put into effect', async () => {
  await using it = await editing(['{ wrong', '{ }', '{  }'], ['', 'e', 'y']);
  assert.equal((await it.done)?.text, '{  }');
  assert.match(it.said[0] ?? '', /^policy\.jsonc:1:3 {2}It is wrong\.\n {4}\{ wrong\n {6}\^\n/);
  assert.equal(it.said[1], 'Edit it again? [Y/n] ');
  assert.match(it.said[2] ?? '', /^opens {2}developers -> git-servers {2}tcp:22 {2}12 pairs\n/);
  const write = it.server.seen.at(-1);
  assert.deepEqual(
    [write?.method, write?.url, write?.headers['if-match'], write?.body],
    ['PUT', '/v1/acls?note=why', '"7"', '{  }'],
  );
  assert.equal(it.server.seen.filter(({ method }) => method === 'PUT').length, 1);
});

test('giving up changes nothing, and that is a failure', async () => {
  await using wrong = await editing(['{ wrong'], ['n']);
  await assert.rejects(wrong.done, { name: 'Failure', exit: 'usage' });
  for (const answer of ['', 'n', 'what?']) {
    await using it = await editing(['{ }'], [answer]);
    await assert.rejects(it.done, { name: 'Failure', exit: 'failed' });
    assert.ok(it.server.seen.every(({ method }) => method === 'POST'));
  }
});

test('without a terminal, what is valid is put into effect and what is not is a failure', async () => {
  await using good = await editing(['{ }'], undefined);
  assert.equal((await good.done)?.version, 4);
  await using bad = await editing(['{ wrong'], undefined);
  await assert.rejects(bad.done, { name: 'Failure', exit: 'usage' });
});

test('a change after another one is refused', async () => {
  await using it = await editing(['{ }'], ['y'], true);
  await assert.rejects(it.done, { code: 'revision_mismatch' });
});
