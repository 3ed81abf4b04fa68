import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type {
  AuditEntry,
  Policy,
  PolicyVersion,
  PolicyVersionWithText,
  Preview,
  Problem,
  Validation,
} from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const GROUPS = { developers: ['tag:role:dev'], 'git-servers': ['tag:role:git'] };
const grant = (...allow: string[]) => ({ from: 'developers', to: 'git-servers', allow });
const SSH = { groups: GROUPS, grants: [grant('tcp:22')] };
const CLOSED = { groups: GROUPS };

describe('the policy', () => {
  let mesh: TestCoordinator;
  let laptop: TestNode;
  let git: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    laptop = await TestNode.enroll(mesh, { name: 'laptop-3', tags: ['role:dev', 'team:a'] });
    git = await TestNode.enroll(mesh, { name: 'git-1', tags: ['role:git', 'team:b'] });
  });
  after(() => mesh.close());
  beforeEach(async () => {
    await put(CLOSED);
  });

  const put = (body: object, ask: object = {}) => mesh.ask<Policy & Problem>('PUT', '/v1/acls', { body, ...ask });
  const write = (raw: string, more: { query?: string; headers?: Record<string, string> } = {}) =>
    mesh.ask<Policy & Problem>('PUT', `/v1/acls${more.query ?? ''}`, {
      raw,
      headers: { 'content-type': 'application/jsonc', ...more.headers },
    });
  const show = async () => (await mesh.ask<Policy>('GET', '/v1/acls')).body;

  it('of a new mesh lets nodes of one boundary ping each other, and nothing else', async () => {
    const fresh = await TestCoordinator.start();
    try {
      const { body, headers } = await fresh.ask<Policy>('GET', '/v1/acls');
      assert.deepEqual([body.version, body.created_by, body.note, headers.get('etag')], [0, null, null, '"0"']);
      const [a, b, other] = [
        await TestNode.enroll(fresh, { tags: ['team:a'] }),
        await TestNode.enroll(fresh, { tags: ['team:a'] }),
        await TestNode.enroll(fresh, { tags: ['team:b'] }),
      ];
      for (const node of [a, b, other]) await node.beat();
      assert.deepEqual([...a.terms.values()], [{ peer: b.id, allow: ['icmp'], forward: [], routes: [] }]);
      assert.equal(other.peers.size, 0);
    } finally {
      await fresh.close();
    }
  });

  it('is kept as it was written, with its comments, and sent to the nodes that it concerns', async () => {
    await laptop.beat();
    await git.beat();
    const text = `{ // until the move\n  "groups": ${JSON.stringify(GROUPS)},\n  "grants": [${JSON.stringify(grant('tcp:22'))}],\n}\n`;
    const got = await write(text, { query: '?note=for%20the%20move' });
    assert.equal(got.status, 200, got.text);
    assert.deepEqual([got.body.text, got.body.note, got.body.grants], [text, 'for the move', 1]);
    assert.equal(got.headers.get('etag'), `"${got.body.revision}"`);
    const plain = await mesh.ask('GET', '/v1/acls', { headers: { accept: 'application/jsonc' } });
    assert.equal(plain.text, text);
    assert.match(plain.headers.get('content-type') ?? '', /^application\/jsonc/);
    assert.equal(plain.headers.get('etag'), got.headers.get('etag'), 'to be edited and put back');
    const either = await mesh.ask('GET', '/v1/acls', {
      headers: { accept: 'application/jsonc;q=0.1, application/json' },
    });
    assert.match(either.headers.get('content-type') ?? '', /^application\/json;/);
    await laptop.beat();
    await git.beat();
    assert.ok(laptop.peers.has(git.id));
    assert.deepEqual(git.terms.get(laptop.id)?.allow, ['tcp:22']);
    assert.equal(laptop.terms.size, 0, 'nothing is allowed in the other direction');
  });

  it('is refused when it was written for another version', async () => {
    const { revision } = await show();
    assert.equal((await write('{}', { headers: { 'if-match': `"${revision}"` } })).status, 200);
    const late = await write(JSON.stringify(SSH), { headers: { 'if-match': `"${revision}"` } });
    assert.deepEqual([late.status, late.body.code], [412, 'revision_mismatch']);
    assert.equal((await show()).text, '{}');
  });

  it('of two people at once is that of one of them, and the other gets an error', async () => {
    const { revision } = await show();
    const texts = Array.from({ length: 8 }, (_, index) => `{ /* ${index} */ }`);
    const all = await Promise.all(texts.map((text) => write(text, { headers: { 'if-match': `"${revision}"` } })));
    assert.deepEqual(all.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
    const winner = all.findIndex(({ status }) => status === 200);
    assert.equal((await show()).text, texts[winner]);
  });

  it('with the same text once more is no new version', async () => {
    const first = await put(SSH);
    const second = await put(SSH);
    assert.deepEqual([second.body.version, second.body.revision], [first.body.version, first.body.revision]);
  });

  it('whose tests fail is refused, with the tests that do', async () => {
    const tests = [
      { from: 'laptop-3', allow: ['git-1:tcp:22'], deny: ['git-1:tcp:5432'] },
      { from: 'git-1', allow: ['laptop-3:tcp:22'] },
      { from: 'lptop-3', deny: ['git-1:tcp:1'] },
    ];
    const before = await show();
    const got = await put({ ...SSH, tests });
    assert.deepEqual([got.status, got.body.code], [422, 'policy_tests_failed'], got.text);
    assert.deepEqual(
      got.body.errors?.map(({ pointer }) => pointer),
      ['/tests/1', '/tests/2'],
    );
    assert.match(got.text, /laptop-3/);
    assert.deepEqual(await show(), before);
    const good = await put({ ...SSH, tests: tests.slice(0, 1) });
    assert.equal(good.status, 200, good.text);
  });

  it('has tests that do not mind who is asleep', async () => {
    const clocked = await TestCoordinator.start();
    try {
      await TestNode.enroll(clocked, { name: 'laptop-3', tags: ['role:dev'] });
      await TestNode.enroll(clocked, { name: 'git-1', tags: ['role:git'] });
      clocked.clock.advance(3600);
      await clocked.until(async () => {
        const { body } = await clocked.ask<{ items: unknown[] }>('GET', '/v1/nodes?state=unreachable');
        return body.items.length === 2;
      });
      const tests = [{ from: 'laptop-3', allow: ['git-1:tcp:22'] }];
      const grants = [{ ...grant('tcp:22'), when: { fresh: true } }];
      const got = await clocked.ask('PUT', '/v1/acls', { body: { groups: GROUPS, grants, tests, stale: 'drop' } });
      assert.equal(got.status, 200, got.text);
    } finally {
      await clocked.close();
    }
  });

  it('can be looked at before it is written', async () => {
    const before = await show();
    const got = await mesh.ask<Preview>('POST', '/v1/acls/preview', {
      body: { ...SSH, grants: [grant('tcp:22', 'icmp')] },
    });
    assert.deepEqual(got.body.opened, [
      { from: 'developers', to: 'git-servers', allow: 'icmp', pairs: 1 },
      { from: 'developers', to: 'git-servers', allow: 'tcp:22', pairs: 1 },
    ]);
    assert.deepEqual([got.body.closed, got.body.nodes_touched], [[], 2]);
    assert.deepEqual(
      got.body.nodes.map(({ name }) => name),
      ['git-1', 'laptop-3'],
    );
    const valid = await mesh.ask<Validation>('POST', '/v1/acls/validate', { body: SSH });
    assert.deepEqual(valid.body, { valid: true, problems: [], failed_tests: [] });
    const wrong = await mesh.ask<Validation>('POST', '/v1/acls/validate', {
      body: { ...SSH, grants: [{ ...grant('tcp:22'), from: 'develpers' }] },
    });
    assert.equal(wrong.body.valid, false);
    assert.match(wrong.body.problems[0]?.detail ?? '', /Did you mean "developers"/);
    assert.ok((wrong.body.problems[0]?.column ?? 0) > 1);
    const failing = await mesh.ask<Validation>('POST', '/v1/acls/validate', {
      body: { ...SSH, tests: [{ from: 'git-1', allow: ['laptop-3:icmp'] }] },
    });
    assert.deepEqual([failing.body.valid, failing.body.failed_tests.length], [false, 1]);
    assert.deepEqual(await show(), before, 'nothing was written');
  });

  it('keeps every version with who and why, and brings one back as a new one', async () => {
    const first = (await write(JSON.stringify(SSH), { query: '?note=ssh' })).body;
    const second = (await write('{}', { query: '?note=nothing%20at%20all' })).body;
    const list = (await mesh.ask<{ items: PolicyVersion[] }>('GET', '/v1/acls/versions?limit=2')).body;
    assert.deepEqual(
      list.items.map(({ version, note, created_by }) => [version, note, created_by?.name]),
      [
        [second.version, 'nothing at all', 'bootstrap'],
        [first.version, 'ssh', 'bootstrap'],
      ],
    );
    const kept = await mesh.ask<PolicyVersionWithText>('GET', `/v1/acls/versions/${first.version}`);
    assert.deepEqual([kept.body.text, kept.body.sha256], [JSON.stringify(SSH), first.sha256]);
    const back = await mesh.ask<Policy>('POST', `/v1/acls/versions/${first.version}/restore?note=back`);
    assert.deepEqual(
      [back.body.version, back.body.restored_from, back.body.text, back.body.note],
      [second.version + 1, first.version, JSON.stringify(SSH), 'back'],
    );
    for (const n of ['99999', '-1', 'x', '01', '1e3']) {
      assert.equal((await mesh.ask('GET', `/v1/acls/versions/${n}`)).status, 404, n);
    }
  });

  it('lists its versions page by page down to the default', async () => {
    const seen: number[] = [];
    let cursor = '';
    do {
      const { body } = await mesh.ask<{ items: PolicyVersion[]; next_cursor: string | null }>(
        'GET',
        `/v1/acls/versions?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...body.items.map(({ version }) => version));
      cursor = body.next_cursor ?? '';
    } while (cursor !== '');
    const { version } = await show();
    assert.deepEqual(
      seen,
      Array.from({ length: version + 1 }, (_, index) => version - index),
    );
    const first = await mesh.ask<Policy>('POST', '/v1/acls/versions/0/restore');
    assert.equal(first.body.restored_from, 0);
  });

  it('loses a grant when it expires, and is sent to the nodes', async () => {
    const expires = new Date(mesh.clock.now() + 60_000).toISOString().replace(/\.\d+Z$/, 'Z');
    await put({ ...SSH, grants: [{ ...grant('tcp:22'), expires }] });
    await git.beat();
    assert.equal(git.terms.size, 1);
    mesh.clock.advance(61);
    await mesh.until(async () => (await show()).lapsed.length === 1);
    await git.beat();
    assert.equal(git.terms.size, 0);
    const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=policy.lapse');
    assert.match(body.items[0]?.detail ?? '', /developers -> git-servers/);
    assert.equal(body.items[0]?.actor.kind, 'system');
    const late = await put({ ...SSH, grants: [{ ...grant('tcp:23'), expires }] });
    assert.deepEqual(late.body.lapsed, [0], 'one that was over before it was written never counts');
  });

  it('that lapsed because a clock was wrong can be put into effect again with its own text', async () => {
    const expires = new Date(mesh.clock.now() + 600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const text = JSON.stringify({ ...SSH, grants: [{ ...grant('tcp:24'), expires }] });
    const { body } = await write(text);
    mesh.clock.advance(3600);
    await mesh.until(async () => (await show()).lapsed.length === 1);
    mesh.clock.advance(-3600);
    const again = await write(text);
    assert.deepEqual([again.body.lapsed, again.body.version], [[], body.version + 1], again.text);
  });

  it('is kept without the mark that some editors put before it', async () => {
    const { body } = await write('\uFEFF{ /* marked */ }');
    assert.equal(body.text, '{ /* marked */ }');
  });

  it('is written down in the trail with who did it, and without its whole text', async () => {
    const token = await mesh.token({ name: 'the author', role: 'operator' });
    await put({ ...SSH, grants: [grant('tcp:2222')] }, { token: token.secret });
    const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?token=${token.id}&action=acls.replace`);
    assert.deepEqual([body.items.length, body.items[0]?.target?.kind], [1, 'policy']);
    assert.ok(!JSON.stringify(body.items).includes('tcp:2222'));
  });

  it('is not for monitoring to write, nor for a pipeline, and a pipeline enrols no node', async () => {
    const writes = [
      ['PUT', '/v1/acls', SSH],
      ['POST', '/v1/acls/versions/0/restore', undefined],
    ] as const;
    for (const role of ['monitoring', 'pipeline', 'viewer', 'auditor', 'enroller']) {
      const { secret } = await mesh.token({ role });
      for (const [method, path, body] of writes) {
        const got = await mesh.ask<Problem>(method, path, { token: secret, ...(body === undefined ? {} : { body }) });
        assert.deepEqual([got.status, got.body.code], [403, 'permission_denied'], `${role} ${path}`);
      }
    }
    const pipeline = await mesh.token({ role: 'pipeline' });
    const enrolled = await mesh.ask<Problem>('POST', '/v1/nodes', { token: pipeline.secret, body: { name: 'x' } });
    assert.deepEqual([enrolled.status, enrolled.body.code], [403, 'permission_denied']);
    const narrow = await mesh.token({ role: 'operator', scope: PLATFORM });
    const got = await put(SSH, { token: narrow.secret });
    assert.equal(got.body.code, 'mesh_scope_required');
  });

  it('survives a restart as it is', async () => {
    await put({ ...SSH, stale: 'keep' });
    const before = await show();
    await mesh.down();
    await mesh.up();
    assert.deepEqual(await show(), before);
    await git.prove();
    git.revision = 0;
    await git.beat();
    assert.deepEqual(git.terms.get(laptop.id)?.allow, ['tcp:22']);
  });

  for (const [what, raw, status, code] of [
    ['nothing', '', 422, 'policy_invalid'],
    ['deep nesting', '['.repeat(100_000), 422, 'policy_invalid'],
    ['10 MB', `{"groups":{"a":["${'x'.repeat(10_000_000)}"]}}`, 413, 'body_too_large'],
    ['a megabyte of brackets', '{"a":'.repeat(200_000), 422, 'policy_invalid'],
    ['a key twice', '{"groups":{"a":["*"],"a":["*"]}}', 422, 'policy_invalid'],
    ['a lone surrogate', '{"groups":{"a":["tag:\\ud800"]}}', 422, 'policy_invalid'],
    ['a circle', '{"groups":{"a":["group:b"],"b":["group:a"]}}', 422, 'policy_invalid'],
    ['an unknown name', '{"grants":[{"from":"a","to":"b","allow":["*"]}]}', 422, 'policy_invalid'],
    [
      'overlapping ranges',
      '{"groups":{"a":["*"]},"grants":[{"from":"a","to":"a","allow":["tcp:1-9","tcp:5"]}]}',
      422,
      'policy_invalid',
    ],
    ['another language', '<policy/>', 422, 'policy_invalid'],
  ] as const) {
    it(`made of ${what} is refused, precisely and at once`, async () => {
      const before = await show();
      const got = await write(raw);
      assert.deepEqual([got.status, got.body.code], [status, code], got.text.slice(0, 300));
      if (code === 'policy_invalid') {
        for (const { line, column, detail } of got.body.errors ?? []) {
          assert.ok((line ?? 0) >= 1 && (column ?? 0) >= 1 && detail.length > 5, got.text.slice(0, 300));
        }
      }
      assert.deepEqual(await show(), before);
    });
  }
});
