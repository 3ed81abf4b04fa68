import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { json, problem, problemOf } from '@meshwork/client/testing';
import { OPERATIONS, type Operation, type OperationId } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh, tempFolder } from './run-mesh.ts';

const policy = OPERATIONS['acls.show'].example.answer;
const explanation = OPERATIONS['acls.explain'].example.answer;
const report = OPERATIONS['acls.probe'].example.answer;
const rule = OPERATIONS['firewall.show'].example.answer;
const compiled = OPERATIONS['firewall.node'].example.answer;
const node = OPERATIONS['nodes.show'].example.answer;
const RULES = '/v1/firewall/rules';
const connected = (url: string) => ({ MESH_URL: url, MESH_TOKEN: 'mesh_test-token' });

/** Every command that is one operation, with the last request that reaches the coordinator. */
const COMMANDS: readonly (readonly [command: string, id: OperationId, path: string, body?: unknown])[] = [
  ['acl show', 'acls.show', '/v1/acls'],
  ['acl versions --limit 5', 'acls.versions', '/v1/acls/versions?limit=5'],
  ['acl version 3', 'acls.version', '/v1/acls/versions/3'],
  ['acl self-check', 'acls.self_check', '/v1/acls/self-check'],
  ['acl restore 3 --note back', 'acls.restore', '/v1/acls/versions/3/restore?note=back'],
  ['firewall list', 'firewall.list', RULES],
  [`firewall show ${rule.id}`, 'firewall.show', `${RULES}/${rule.id}`],
  [
    `firewall create --node tag:role:git node:x --direction in --action accept --protocol tcp --port 22 8000-8999 --rate 10/minute:3 --disabled --before ${rule.id} --force`,
    'firewall.create',
    RULES,
    {
      nodes: ['tag:role:git', 'node:x'],
      direction: 'in',
      interface: 'any',
      protocol: 'tcp',
      ports: ['22', '8000-8999'],
      action: 'accept',
      rate: { count: 10, per: 'minute', burst: 3 },
      enabled: false,
      before: rule.id,
      force: true,
    },
  ],
  [
    'firewall create --node * --direction out --action drop --interface eth0 --from 10.0.0.0/8 --to fd00::/8 --note no',
    'firewall.create',
    RULES,
    {
      nodes: ['*'],
      direction: 'out',
      interface: 'eth0',
      protocol: 'any',
      action: 'drop',
      from: ['10.0.0.0/8'],
      to: ['fd00::/8'],
      note: 'no',
    },
  ],
  [
    `firewall set ${rule.id} --port 23 --no-from --no-rate --no-note --disabled`,
    'firewall.update',
    `${RULES}/${rule.id}`,
    { ports: ['23'], from: null, rate: null, note: null, enabled: false },
  ],
  [
    `firewall set ${rule.id} --enabled --force`,
    'firewall.update',
    `${RULES}/${rule.id}`,
    { enabled: true, force: true },
  ],
  [`firewall move ${rule.id} --last`, 'firewall.update', `${RULES}/${rule.id}`, { before: null }],
  [`firewall move ${rule.id} --before ${rule.id}`, 'firewall.update', `${RULES}/${rule.id}`, { before: rule.id }],
  [`firewall node ${node.id}`, 'firewall.node', `/v1/firewall/nodes/${node.id}`],
];

describe('commands about the policy and the host rules', { concurrency: 4 }, () => {
  for (const [command, id, path, body] of COMMANDS) {
    it(`mesh ${command}`, async () => {
      await using server = await exampleServer();
      const env = connected(server.url);
      const row: Operation = OPERATIONS[id];
      const machine = await mesh([...command.split(' '), '--json'], { env });
      const seen = server.seen.at(-1);
      const human = await mesh(command.split(' '), { env });
      assert.deepEqual([machine.code, machine.stderr, JSON.parse(machine.stdout)], [0, '', row.example.answer]);
      assert.equal(human.code, 0, human.stderr);
      assert.notEqual(human.stdout, '');
      assert.deepEqual([seen?.method, seen?.url], [row.method, path]);
      assert.deepEqual(seen?.body === '' ? undefined : JSON.parse(seen?.body ?? ''), body);
    });
  }

  it('print a text as it was written, and its details on standard error', async () => {
    await using server = await exampleServer({
      'acls.show': (response) => json(response, { ...policy, lapsed: [0], text: '{\r\n\t// \u001b[1mä\n}' }),
    });
    const env = connected(server.url);
    const shown = await mesh(['acl', 'show'], { env });
    assert.equal(shown.stdout, '{\r\n\t// \u001b[1mä\n}', 'this is no terminal: not a byte is changed');
    assert.match(
      shown.stderr,
      /^version 3, by ops, .*: developers may reach git\nexpired, without effect: grants\[0\]/,
    );
    const filter = await mesh(['firewall', 'node', node.id], { env });
    assert.equal(filter.stdout, `${compiled.text}\n`);
    assert.equal(filter.stderr, 'git-1: 1 host rule, mesh revision 1184\n');
  });

  it('send a file to the byte, with the version that it replaces, and only if that is the one that was meant', async () => {
    await using folder = await tempFolder();
    const file = join(folder.path, 'p.jsonc');
    const text = '\ufeff{\r\n// ä\n}';
    await writeFile(file, text);
    await using server = await exampleServer({
      'acls.show': (response) => json(response, policy, 200, { etag: '"1184"' }),
      'acls.replace': (response) => json(response, { ...policy, version: 4 }),
    });
    const env = connected(server.url);
    const set = await mesh(['acl', 'set', file, '--note', 'why not', '--if-version', '3'], { env });
    assert.deepEqual([set.code, set.stdout], [0, 'version 4 is in effect: 3 groups, 1 grant\n']);
    const [, put] = server.seen;
    assert.deepEqual([put?.method, put?.url, put?.body], ['PUT', '/v1/acls?note=why+not', text]);
    assert.deepEqual([put?.headers['if-match'], put?.headers['content-type']], ['"1184"', 'application/jsonc']);
    await mesh(['acl', 'set', '-'], { env, input: text });
    assert.deepEqual([server.seen.at(-1)?.url, server.seen.at(-1)?.body], ['/v1/acls', text]);
    const late = await mesh(['acl', 'set', file, '--if-version', '2'], { env });
    assert.equal(late.code, 5);
    assert.match(late.stderr, /^mesh: version 3 of the policy is in effect, not version 2\ntry: `mesh acl diff 2`/);
    assert.equal(server.seen.filter(({ method }) => method === 'PUT').length, 2);
  });

  it('show where a text was refused, and the problem document to programs', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'p.jsonc'), '{\n  "grants": 1\n}\n');
    const errors = [{ pointer: '/grants', detail: 'It must be a list.', line: 2, column: 13 }];
    const refusal = problemOf('policy_invalid', 'Line 2, column 13: It must be a list.', { errors });
    await using server = await exampleServer({
      'acls.replace': (response) => problem(response, refusal),
      'acls.preview': (response) => problem(response, refusal),
      'acls.validate': (response) => json(response, { valid: false, problems: errors, failed_tests: [] }),
    });
    const options = { env: connected(server.url), cwd: folder.path };
    const place = 'p.jsonc:2:13  It must be a list.\n      "grants": 1\n                ^\n';
    for (const verb of ['set', 'preview']) {
      const { code, stdout, stderr } = await mesh(['acl', verb, 'p.jsonc'], options);
      assert.deepEqual([code, stdout], [2, '']);
      assert.ok(
        stderr.startsWith(`mesh: p.jsonc was refused: the policy cannot be read\n${place}request id: req_`),
        stderr,
      );
      const machine = await mesh(['acl', verb, 'p.jsonc', '--json'], options);
      assert.deepEqual([machine.code, JSON.parse(machine.stderr)], [2, refusal]);
    }
    const looked = await mesh(['acl', 'validate', 'p.jsonc'], options);
    const words = 'p.jsonc is not valid: 1 problem\n';
    assert.deepEqual([looked.code, looked.stdout, looked.stderr], [2, place + words, '']);
  });

  it('refuse a file that cannot be read before a request is sent', async () => {
    await using server = await exampleServer();
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'latin1'), Buffer.from([0x7b, 0xe4, 0x7d]));
    const options = { env: connected(server.url), cwd: folder.path };
    const wrong: [string, RegExp][] = [
      ['acl set latin1', /latin1 is not UTF-8/],
      ['acl validate none', /cannot read none: there is no such file/],
      ['acl preview .', /cannot read \.: it is a folder/],
      ['firewall preview latin1', /latin1 is not UTF-8/],
      ['acl version x', /Give a whole number/],
      ['acl edit', /there is no terminal\ntry: mesh acl set FILE, or --yes/],
      ['explain a b:ssh', /git-1:22, git-1:udp:53/],
      ['explain a b ssh', /git-1:22, git-1:udp:53/],
      ['explain a b:22 tcp:22', /the port is given twice/],
      [`firewall move ${rule.id}`, /missing --before <rule> or --last/],
      [`firewall move ${rule.id} --last --before ${rule.id}`, /cannot be used with/],
      [`firewall set ${rule.id} --force`, /say what to change/],
      ['firewall show 1', /An id looks like firewall_.*`mesh firewall list`/],
      ['firewall create --node *', /missing --direction <direction> and --action <action>\n/],
      ['firewall create --node * --direction in --action drop --rate 10', /10\/minute/],
    ];
    for (const [command, message] of wrong) {
      const { code, stderr } = await mesh(command.split(' '), options);
      assert.equal(code, 2, command);
      assert.match(stderr, message, command);
    }
    assert.equal(server.seen.length, 0);
  });

  it('explain in words, and end with what the verdict is', async () => {
    const families = (verdict: string) => explanation.families.map((one) => ({ ...one, verdict }));
    const unknown = { ...explanation, verdict: 'unknown', families: families('unknown') };
    const allowed = { ...explanation, verdict: 'allowed', families: families('allowed'), fix: [] };
    for (const [answer, code] of [
      [explanation, 10],
      [unknown, 11],
      [allowed, 0],
    ] as const) {
      await using server = await exampleServer({ 'acls.explain': (response) => json(response, answer) });
      const env = connected(server.url);
      const human = await mesh(['explain', 'laptop-3', 'git-1:22'], { env });
      const machine = await mesh(['explain', 'laptop-3', '[fd00::1]:443', '--json'], { env });
      assert.deepEqual([human.code, machine.code, human.stderr, machine.stderr], [code, code, '', '']);
      assert.match(human.stdout, new RegExp(`^${answer.verdict.toUpperCase()}  No grant lets .*\n\n  ✓ source `));
      assert.deepEqual(JSON.parse(machine.stdout), answer);
      assert.deepEqual(
        server.seen.map(({ url }) => url),
        ['?from=laptop-3&to=git-1&port=tcp%3A22', '?from=laptop-3&to=fd00%3A%3A1&port=tcp%3A443'].map(
          (query) => `/v1/acls/explain${query}`,
        ),
      );
    }
  });

  it('try what they explain, and end with what happened', async () => {
    const explained = (verdict: 'allowed' | 'denied' | 'unknown') => ({ ...explanation, verdict });
    for (const [answer, code] of [
      [report, 10],
      [{ ...report, reality: 'passed', agrees: false }, 0],
      [{ ...report, reality: 'blocked', agrees: false, explanation: explained('allowed') }, 10],
      [{ ...report, reality: 'unknown', agrees: null, explanation: explained('allowed') }, 0],
      [{ ...report, reality: 'unknown', agrees: null, explanation: explained('unknown') }, 11],
    ] as const) {
      await using server = await exampleServer({ 'acls.probe': (response) => json(response, answer) });
      const env = connected(server.url);
      const human = await mesh(['explain', 'laptop-3', 'git-1:22', '--live'], { env });
      const machine = await mesh(['explain', 'laptop-3', 'fd00::1', 'tcp:443', '--live', '--json'], { env });
      assert.deepEqual([human.code, machine.code, human.stderr, machine.stderr], [code, code, '', '']);
      assert.match(human.stdout, /^explained {2}[A-Z]+ +No grant lets .*\ntried {6}[A-Z]+ +The packet of /);
      assert.equal(/^DISAGREEMENT {2}/m.test(human.stdout), answer.agrees === false);
      assert.deepEqual(JSON.parse(machine.stdout), answer);
      assert.deepEqual(
        server.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]),
        [
          ['POST', '/v1/acls/probe', { from: 'laptop-3', to: 'git-1', port: 'tcp:22' }],
          ['POST', '/v1/acls/probe', { from: 'laptop-3', to: 'fd00::1', port: 'tcp:443' }],
        ],
      );
    }
  });

  it('try a list of rules for a node', async () => {
    await using folder = await tempFolder();
    await writeFile(join(folder.path, 'rules.json'), JSON.stringify({ items: [rule], next_cursor: null }));
    await using server = await exampleServer({
      'firewall.preview': (response) =>
        json(response, { ...OPERATIONS['firewall.preview'].example.answer, compiled: 'table inet mesh {\n\tx\n}\n' }),
      'firewall.delete': (response) => response.writeHead(204).end(),
    });
    const options = { env: connected(server.url), cwd: folder.path };
    const { code, stdout } = await mesh(['firewall', 'preview', 'rules.json', '--node', 'git-1'], options);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `shadowed (3 nodes): Rule rule-1 is never evaluated: rule rule-0 before it drops all that it matches.
3 nodes would change: git-1 and 2 more

table inet mesh {
\tx
}
`,
    );
    const sent = JSON.parse(server.seen[0]?.body ?? '');
    assert.deepEqual([sent.node, 'id' in sent.rules[0], sent.rules[0].ports], ['git-1', false, ['22']]);
    const gone = await mesh(['firewall', 'remove', rule.id, '--force', '--yes'], options);
    assert.deepEqual(
      [gone.stdout, server.seen.at(-1)?.url],
      [`removed rule ${rule.id}\n`, `${RULES}/${rule.id}?force=true`],
    );
  });

  it('edit a policy with any command, and keep what could not be put into effect', async () => {
    await using folder = await tempFolder();
    await using server = await exampleServer({
      'acls.show': (response) => json(response, policy, 200, { etag: '"1184"' }),
      'acls.validate': (response, { body }) =>
        json(response, { valid: !body.includes('wrong'), problems: [], failed_tests: [] }),
      'acls.replace': (response, { body }) => json(response, { ...policy, version: 4, text: body }),
    });
    const script = join(folder.path, 'type.mjs');
    await writeFile(
      script,
      `import { appendFileSync, statSync } from 'node:fs';
const [, , what, file] = process.argv;
if ((statSync(file).mode & 0o777) !== 0o600) throw new Error('everybody can read it');
appendFileSync(file, what === 'nothing' ? '' : '// ' + what + '\\n');
if (what === 'crash') process.exit(3);\n`,
    );
    const edit = (what: string, editor = `${process.execPath}  ${script} ${what}`) =>
      mesh(['acl', 'edit', '--yes', '--note', 'n'], {
        env: { ...connected(server.url), EDITOR: editor, TMPDIR: folder.path },
      });
    const left = async () => (await readdir(folder.path)).filter((name) => name.startsWith('mesh-'));

    const same = await edit('nothing');
    assert.deepEqual([same.code, same.stdout], [0, 'nothing changed: version 3 has this text already\n']);
    const good = await edit('good');
    assert.deepEqual([good.code, good.stdout], [0, 'version 4 is in effect: 3 groups, 1 grant\n']);
    assert.match(good.stderr, /^opens {2}developers -> git-servers/);
    const put = server.seen.at(-1);
    assert.deepEqual([put?.method, put?.headers['if-match'], put?.body], ['PUT', '"1184"', `${policy.text}// good\n`]);
    const absent = await edit('', '/nowhere/editor --wait');
    assert.equal(absent.code, 1);
    assert.match(
      absent.stderr,
      /the editor \/nowhere\/editor cannot be started: there is no such file.*\ntry: set VISUAL/,
    );
    assert.deepEqual(await left(), []);

    for (const [what, code] of [
      ['wrong', 2],
      ['crash', 1],
    ] as const) {
      const failed = await edit(what);
      assert.equal(failed.code, code, failed.stderr);
      const [, kept = ''] = /^Your text is kept in (.*)$/m.exec(failed.stderr) ?? [];
      assert.equal(await readFile(kept, 'utf8'), `${policy.text}// ${what}\n`);
    }
  });

  it('compare two versions, or one with what is in effect', async () => {
    const jsonc = { 'content-type': 'application/jsonc; charset=utf-8' };
    await using server = await exampleServer({
      'acls.show': (response) => response.writeHead(200, jsonc).end('{\n  "b": 1\n}\n'),
      'acls.version': (response) => response.writeHead(200, jsonc).end('{\n  "a": 1\n}\n'),
    });
    const env = connected(server.url);
    const { stdout } = await mesh(['acl', 'diff', '2'], { env });
    assert.equal(stdout, '--- version 2\n+++ in effect\n@@ -1 +1 @@\n {\n-  "a": 1\n+  "b": 1\n }\n');
    assert.equal((await mesh(['acl', 'diff', '2', '3'], { env })).stdout, 'version 2 has the same text\n');
  });
});
