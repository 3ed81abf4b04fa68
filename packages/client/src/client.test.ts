import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type Operation, type Token } from '@meshwork/contract';
import { collect } from '../test/collect.ts';
import { json, loopbackServer } from '../test/loopback-server.ts';
import { createClient } from './client.ts';

const token = 'mesh_test-secret';

test('a call sends what the operation table says and gives back the typed answer', async () => {
  const example = OPERATIONS['tokens.create'].example;
  await using server = await loopbackServer((_, response) =>
    json(response, example.answer, 201, {
      etag: '"7"',
      location: '/v1/auth/tokens/token_x',
      'x-request-id': 'req_1',
    }),
  );
  const client = createClient({ url: server.url, token, user_agent: 'test/1' });

  const reply = await client.call('tokens.create', { body: example.body });

  assert.equal(reply.status, 201);
  assert.equal(reply.body.secret satisfies string, example.answer.secret);
  assert.equal(reply.etag, '"7"');
  assert.equal(reply.location, '/v1/auth/tokens/token_x');
  assert.equal(reply.request_id, 'req_1');
  const [request] = server.seen;
  assert.equal(`${request?.method} ${request?.url}`, 'POST /v1/auth/tokens');
  assert.equal(request?.headers.authorization, `Bearer ${token}`);
  assert.equal(request?.headers['content-type'], 'application/json');
  assert.equal(request?.headers['user-agent'], 'test/1');
  assert.match(String(request?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  assert.deepEqual(JSON.parse(request?.body ?? ''), example.body);
});

test('every operation of the table can be called with its own example', async () => {
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const { answer, example, text }: Operation = operation;
    const { params, query, body, answer: expected } = example;
    await using server = await loopbackServer((_, response) => {
      if (answer.status === 204) response.writeHead(204).end();
      else if (answer.type === undefined) json(response, expected, answer.status);
      else {
        // Of what is bytes, a client asks for the form that is text.
        const type = answer.binary === true ? answer.also?.[0]?.type : answer.type;
        response.writeHead(200, { 'content-type': `${type}; version=1` }).end(expected);
      }
    });
    const call = createClient({ url: server.url }).call as (id: string, request: unknown) => Promise<{ body: unknown }>;
    const reply = await call(id, { params, query, body: text === undefined ? body : JSON.stringify(body) });
    assert.deepEqual(reply.body, expected, id);
    assert.equal(server.seen[0]?.method, operation.method, id);
    assert.doesNotMatch(server.seen[0]?.url ?? '', /[{}]/, id);
  }
});

test('text is sent unchanged, and can be read back unchanged', async () => {
  const written = '\ufeff{\r\n\t// Bäume 🌲\n "grants": [],,';
  await using server = await loopbackServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/jsonc; charset=utf-8', etag: '"4"' }).end(written),
  );
  const client = createClient({ url: server.url });

  await assert.rejects(client.call('acls.replace', { body: written, if_match: '"3"' }), /not application\/json/);
  const version = await client.text('acls.version', { params: { n: '3' } });

  assert.equal(version.body satisfies string, written.slice(1), 'all but the mark that the platform takes away');
  assert.equal(version.etag, '"4"');
  const [put, get] = server.seen;
  assert.deepEqual([put?.headers['content-type'], put?.body], ['application/jsonc', written]);
  assert.deepEqual([put?.headers.accept, put?.headers['if-match']], ['application/json', '"3"']);
  assert.deepEqual([get?.headers.accept, get?.headers['content-type']], ['application/jsonc', undefined]);
});

test('path parameters are encoded, and those that a URL would swallow are refused', async () => {
  await using server = await loopbackServer((_, response) => json(response, {}));
  const client = createClient({ url: `${server.url}/behind/proxy/` });

  await client.call('tokens.show', { params: { id: 'a/../b?c#d %é' } });
  assert.equal(server.seen[0]?.url, '/behind/proxy/v1/auth/tokens/a%2F..%2Fb%3Fc%23d%20%25%C3%A9');

  for (const id of ['.', '..', '']) {
    await assert.rejects(client.call('tokens.revoke', { params: { id } }), /params\.id cannot be/);
  }
  assert.equal(server.seen.length, 1);
});

test('query parameters that are undefined are left out', async () => {
  await using server = await loopbackServer((_, response) => json(response, { items: [], next_cursor: null }));
  await createClient({ url: server.url }).call('tokens.list', { query: { q: 'a&b', limit: 5, role: undefined } });
  assert.equal(server.seen[0]?.url, '/v1/auth/tokens?q=a%26b&limit=5');
});

test('an etag comes back as If-Match on the write that was decided on it', async () => {
  await using server = await loopbackServer((_, response) => json(response, {}, 200, { etag: '"3"' }));
  const client = createClient({ url: server.url });
  const { etag } = await client.call('tokens.show', { params: { id: 'x' } });
  await client.call('tokens.revoke', { params: { id: 'x' }, if_match: etag ?? undefined });
  assert.equal(server.seen[1]?.headers['if-match'], '"3"');
});

test('a call can carry a token of its own, and the next one has the client’s again', async () => {
  await using server = await loopbackServer((_, response) => json(response, {}));
  const client = createClient({ url: server.url, token });
  await client.call('self.whoami', { token: 'meshnode_session' });
  await client.call('self.whoami');
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ['Bearer meshnode_session', `Bearer ${token}`],
  );
  await assert.rejects(client.call('self.whoami', { token: 'two words' }), TypeError);
});

test('pages follow the cursor to its end, across pages that are empty', async () => {
  const pages = {
    first: { items: [{ name: 'one' }], next_cursor: 'second' },
    second: { items: [], next_cursor: 'third' },
    third: { items: [{ name: 'two' }, { name: 'three' }], next_cursor: null },
  };
  await using server = await loopbackServer((request, response) => {
    const cursor = new URL(request.url, 'http://x').searchParams.get('cursor') ?? 'first';
    json(response, pages[cursor as keyof typeof pages]);
  });
  const names: string[] = [];
  for await (const item of createClient({ url: server.url }).pages('tokens.list', { query: { role: 'owner' } })) {
    names.push((item satisfies Token).name);
  }
  assert.deepEqual(names, ['one', 'two', 'three']);
  assert.deepEqual(
    server.seen.map((request) => request.url),
    ['', '&cursor=second', '&cursor=third'].map((end) => `/v1/auth/tokens?role=owner${end}`),
  );
});

test('a list whose cursor does not advance is not followed forever', async () => {
  await using server = await loopbackServer((_, response) => json(response, { items: [], next_cursor: 'same' }));
  const pages = createClient({ url: server.url }).pages('roles.list');
  await assert.rejects(collect(pages), /does not move on/);
});

test('an address that is no plain http address is refused without being repeated', () => {
  for (const url of ['not a url', 'ftp://host', 'http://user:hunter2@host', 'http://host/?a=1', 'http://host/#x']) {
    assert.throws(
      () => createClient({ url }),
      (error: Error) => error instanceof TypeError && !error.message.includes('hunter2'),
      url,
    );
  }
});

// Never run: the compiler is the test. Each line marked would otherwise be accepted, or the ones around it refused.
void function theCompilerAsksForExactlyWhatAnOperationNeeds(client: ReturnType<typeof createClient>): unknown[] {
  return [
    client.call('self.whoami'),
    client.call('tokens.list'),
    client.call('audit.verify', { body: {} }),
    // @ts-expect-error the id is needed
    client.call('tokens.show'),
    // @ts-expect-error the body is needed
    client.call('audit.verify', {}),
    // @ts-expect-error a whoami takes no query
    client.call('self.whoami', { query: {} }),
    // @ts-expect-error there is no such state
    client.call('tokens.list', { query: { state: 'gone' } }),
    // @ts-expect-error only a POST has an idempotency key
    client.call('tokens.revoke', { params: { id: 'x' }, idempotency_key: 'k' }),
    // @ts-expect-error what is read is not guarded by a version
    client.call('tokens.show', { params: { id: 'x' }, if_match: '"1"' }),
    // @ts-expect-error tokens are not streamed
    client.lines('tokens.list'),
    // @ts-expect-error a policy goes as the text that it is
    client.call('acls.validate', { body: { groups: {} } }),
    // @ts-expect-error a token was never written by anybody
    client.text('tokens.show', { params: { id: 'x' } }),
    // @ts-expect-error a single thing has no pages
    client.pages('self.whoami'),
    // @ts-expect-error pages follow the cursor themselves
    client.pages('tokens.list', { query: { cursor: 'x' } }),
  ];
};
