import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json, problem, problemOf } from '@meshwork/client/testing';
import { OPERATIONS, type Operation, type OperationId } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

const node = OPERATIONS['nodes.show'].example.answer;
const other = OPERATIONS['peers.show'].example.answer.b;
const ingress = OPERATIONS['ingress.show'].example.answer;
const operation = OPERATIONS['operations.show'].example.answer;
const connected = (url: string) => ({ MESH_URL: url, MESH_TOKEN: 'mesh_test-token' });

/** Every command that is one operation: how it is called, and what reaches the coordinator. */
const COMMANDS: readonly (readonly [command: string, id: OperationId, path: string, body?: unknown])[] = [
  ['node list --tag role:git --state active --relay fra-1 --service git-ssh --query git', 'nodes.list', '/v1/nodes?'],
  [`node show ${node.id}`, 'nodes.show', `/v1/nodes/${node.id}`],
  [`node posture ${node.id}`, 'nodes.posture', `/v1/nodes/${node.id}/posture`],
  [`node approve ${node.id}`, 'nodes.approve', `/v1/nodes/${node.id}/approve`, {}],
  [`node rekey ${node.id}`, 'nodes.rekey', `/v1/nodes/${node.id}/rekey`, {}],
  [`node retag ${node.id} role:git env:x`, 'nodes.retag', `/v1/nodes/${node.id}/tags`, { tags: ['role:git', 'env:x'] }],
  [`node retag ${node.id} --none`, 'nodes.retag', `/v1/nodes/${node.id}/tags`, { tags: [] }],
  [`node relay ${node.id} fra-1`, 'nodes.move_relay', `/v1/nodes/${node.id}/relay`, { relay: 'fra-1' }],
  [`node relay ${node.id} --auto`, 'nodes.move_relay', `/v1/nodes/${node.id}/relay`, { relay: null }],
  [
    `node routes ${node.id} 10.20.0.0/16`,
    'nodes.approve_routes',
    `/v1/nodes/${node.id}/routes`,
    { approved: ['10.20.0.0/16'] },
  ],
  [
    `node routes ${node.id} 10.20.0.0/16 10.30.0.0/16 --share 10.20.0.0/16`,
    'nodes.approve_routes',
    `/v1/nodes/${node.id}/routes`,
    { approved: ['10.20.0.0/16', '10.30.0.0/16'], shared: ['10.20.0.0/16'] },
  ],
  [
    `node routes ${node.id} 10.20.0.0/16 --no-share`,
    'nodes.approve_routes',
    `/v1/nodes/${node.id}/routes`,
    { approved: ['10.20.0.0/16'], shared: [] },
  ],
  [`node routes ${node.id} --none`, 'nodes.approve_routes', `/v1/nodes/${node.id}/routes`, { approved: [] }],
  [`node drain ${node.id} --deadline 10m`, 'nodes.drain', `/v1/nodes/${node.id}/drain`, { deadline_s: 600 }],
  [`node undrain ${node.id}`, 'nodes.undrain', `/v1/nodes/${node.id}/undrain`, {}],
  [`node quarantine ${node.id} --reason odd`, 'nodes.quarantine', `/v1/nodes/${node.id}/quarantine`, { reason: 'odd' }],
  [`node release ${node.id}`, 'nodes.release', `/v1/nodes/${node.id}/release`, {}],
  [`node remove ${node.id} --yes`, 'nodes.remove', `/v1/nodes/${node.id}`],
  [`operation list --node ${node.id} --kind rekey --state requested`, 'operations.list', '/v1/operations?'],
  [`operation show ${operation.id}`, 'operations.show', `/v1/operations/${operation.id}`],
  [`operation cancel ${operation.id}`, 'operations.cancel', `/v1/operations/${operation.id}`],
  [
    'relay create fra-1 --node git-1 --host fra-1.example.net --capacity 100',
    'relays.create',
    '/v1/relays',
    { name: 'fra-1', node: 'git-1', host: 'fra-1.example.net', capacity: 100 },
  ],
  ['relay list', 'relays.list', '/v1/relays'],
  ['relay show fra-1', 'relays.show', '/v1/relays/fra-1'],
  ['relay set fra-1 --port 3479', 'relays.update', '/v1/relays/fra-1', { port: 3479 }],
  ['relay drain fra-1', 'relays.drain', '/v1/relays/fra-1/drain'],
  ['relay undrain fra-1', 'relays.undrain', '/v1/relays/fra-1/undrain'],
  [
    'ingress create git --hostname git.example.net --service git-http --gateway tag:role:gateway node:gw-1',
    'ingress.create',
    '/v1/ingress',
    { name: 'git', hostname: 'git.example.net', service: 'git-http', gateways: ['tag:role:gateway', 'node:gw-1'] },
  ],
  [
    'ingress create web --hostname web.example.net --service web --gateway node:gw-1 --route /api=api /img=files --balance hash:cookie:session --weight node:web-3=5 --canary web-next=5 --check-kind http --check-path /healthz --check-interval 10s --no-redirect',
    'ingress.create',
    '/v1/ingress',
    {
      name: 'web',
      hostname: 'web.example.net',
      service: 'web',
      gateways: ['node:gw-1'],
      routes: [
        { path: '/api', service: 'api' },
        { path: '/img', service: 'files' },
      ],
      upstream: {
        balance: 'hash:cookie:session',
        weights: [{ nodes: 'node:web-3', weight: 5 }],
        canary: { service: 'web-next', percent: 5 },
        check: { kind: 'http', path: '/healthz', interval_s: 10 },
      },
      tls: { redirect: false },
    },
  ],
  [
    `ingress set ${ingress.id} --no-canary --no-weight --no-route --no-check-body --protocol https --certificate none`,
    'ingress.update',
    `/v1/ingress/${ingress.id}`,
    {
      upstream: { canary: null, weights: [], check: { body: null }, protocol: 'https' },
      routes: [],
      tls: { certificate: 'none' },
    },
  ],
  [`ingress list --service git-http --gateway ${node.id}`, 'ingress.list', '/v1/ingress?'],
  [`ingress show ${ingress.id}`, 'ingress.show', `/v1/ingress/${ingress.id}`],
  [`ingress set ${ingress.id} --replicas 2`, 'ingress.update', `/v1/ingress/${ingress.id}`, { replicas: 2 }],
  [`ingress drain ${ingress.id}`, 'ingress.drain', `/v1/ingress/${ingress.id}/drain`, {}],
  [`ingress undrain ${ingress.id}`, 'ingress.undrain', `/v1/ingress/${ingress.id}/undrain`],
  [`peer list ${node.id} --state up`, 'peers.list', '/v1/peers?'],
  [`peer show ${node.id} ${other.id}`, 'peers.show', `/v1/peers/${node.id}/${other.id}`],
  ['settings show', 'settings.show', '/v1/settings'],
  [
    'settings set nodes.stale_after_s=60 nodes.require_approval=true tokens.surface_roles.git=null nodes.address_pool=10.0.0.0/8',
    'settings.update',
    '/v1/settings',
    {
      nodes: { stale_after_s: 60, require_approval: true, address_pool: '10.0.0.0/8' },
      tokens: { surface_roles: { git: null } },
    },
  ],
];

describe('commands about nodes', { concurrency: 4 }, () => {
  for (const [command, id, path, body] of COMMANDS) {
    it(`mesh ${command}`, async () => {
      await using server = await exampleServer();
      const env = connected(server.url);
      const row: Operation = OPERATIONS[id];
      const [machine, human] = [
        await mesh([...command.split(' '), '--json'], { env }),
        await mesh(command.split(' '), { env }),
      ];
      assert.deepEqual([machine.code, machine.stderr, JSON.parse(machine.stdout)], [0, '', row.example.answer]);
      assert.equal(human.code, 0, human.stderr);
      assert.match(human.stdout, /^\S+( +\S+)+\n/);
      const [seen] = server.seen;
      assert.equal(seen?.method, row.method);
      assert.ok(path.endsWith('?') ? seen?.url.startsWith(path) : seen?.url === path, seen?.url);
      assert.deepEqual(seen?.body === '' ? undefined : JSON.parse(seen?.body ?? ''), body);
    });
  }

  it('narrow a list by everything that was asked for', async () => {
    await using server = await exampleServer();
    const flags = ['--tag', 'role:git', '--state', 'stale', '--relay', 'fra-1', '--service', 'ssh', '--query', 'git'];
    await mesh(['node', 'list', ...flags, '--limit', '5', '--json'], { env: connected(server.url) });
    assert.equal(server.seen[0]?.url, '/v1/nodes?tag=role%3Agit&state=stale&relay=fra-1&service=ssh&q=git&limit=5');
  });

  it('show the ways that a link took', async () => {
    await using server = await exampleServer();
    const { stdout } = await mesh(['peer', 'show', node.id, other.id], { env: connected(server.url) });
    assert.match(stdout, /^git-1 +2026-11-15T09:12:04Z +direct +192\.0\.2\.8:51820 +- +-$/m);
    assert.match(stdout, /^git-1 +2026-11-15T09:12:01Z +relay +\S+ +ams-1 \(udp\) → fra-1 +no endpoint/m);
  });

  it('take the name of a node or of an ingress as well as its id', async () => {
    await using server = await exampleServer({
      'nodes.show': (response) => problem(response, problemOf('not_found', 'There is no node "git".')),
    });
    const env = connected(server.url);
    assert.equal((await mesh(['node', 'rekey', 'git-1'], { env })).code, 0);
    assert.equal((await mesh(['ingress', 'drain', 'git'], { env })).code, 0);
    assert.deepEqual(
      server.seen.map(({ method, url }) => `${method} ${url}`),
      ['POST /v1/nodes/git-1/rekey', 'POST /v1/ingress/git/drain'],
    );
    const missing = await mesh(['node', 'show', 'git'], { env });
    assert.deepEqual([missing.code, missing.stdout], [4, '']);
    assert.match(missing.stderr, /^mesh: There is no node "git"\.\nrequest id: .*\ntry: resources outside the scope/);
  });

  it('show a node so that a person sees what matters', async () => {
    const drifting = { ...node, state: 'stale', drift_since: '2026-11-15T09:40:00Z', pinned_relay: 'fra-1' };
    await using server = await exampleServer({
      'nodes.show': (response) => json(response, drifting),
      'nodes.list': (response) => json(response, { items: [drifting], next_cursor: null }),
    });
    const env = connected(server.url);
    const { stdout } = await mesh(['node', 'show', node.id], { env });
    assert.match(stdout, /^state +stale since 2026-11-15T09:00:00Z \(/m);
    assert.match(stdout, /^drifts +since .*`mesh node posture git-1` says how$/m);
    assert.match(stdout, /^services +git-ssh \(tcp:22\) passing$/m);
    assert.match(stdout, /^relay +fra-1 \(pinned\)$/m);
    const list = await mesh(['node', 'list'], { env });
    assert.match(
      list.stdout,
      /^ID +NAME +STATE +ADDRESS +NAT +RELAY +STANDBY +HEARTBEAT +TAGS\n\S+ +git-1 +stale, drifts +100\.64\.0\.7 /,
    );
  });

  it('list the networks of a node, for whom they are, and which another boundary has too', async () => {
    const gateway = {
      ...node,
      routes_offered: ['10.20.0.0/16', '10.30.0.0/16', '10.40.0.0/16'],
      routes_approved: ['10.20.0.0/16', '10.30.0.0/16'],
      routes_provided: ['10.20.0.0/16'],
      routes_shared: ['10.30.0.0/16'],
      routes_overlapping: ['10.20.0.0/16'],
      routes_refused: [{ cidr: '127.0.0.0/8', reason: 'it is loopback' }],
      accept_routes: 'none',
    };
    await using server = await exampleServer({ 'nodes.show': (response) => json(response, gateway) });
    const env = connected(server.url);
    const { stdout, code } = await mesh(['node', 'routes', node.id], { env });
    assert.equal(code, 0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    assert.deepEqual(lines, [
      ['NETWORK', 'STATUS', 'FOR', 'NOTE'],
      ['10.20.0.0/16', 'in use', 'own boundary', 'overlaps a network of another boundary'],
      ['10.30.0.0/16', 'standby', 'whole mesh'],
      ['10.40.0.0/16', 'not approved', '-'],
      ['127.0.0.0/8', 'refused', '-', 'it is loopback'],
    ]);
    const machine = JSON.parse((await mesh(['node', 'routes', node.id, '--json'], { env })).stdout);
    assert.deepEqual(machine.routes_overlapping, ['10.20.0.0/16']);
    const shown = (await mesh(['node', 'show', node.id], { env })).stdout;
    assert.match(shown, /^overlaps +10\.20\.0\.0\/16 \(a network of another boundary\)$/m);
    assert.match(shown, /^accepts routes +none$/m);
    assert.ok(server.seen.every(({ method }) => method === 'GET'));
  });

  it('ask a node how it stands, wait for the answer, and print it', async () => {
    const result = '{"host":{"name":"git-1"},"odd":"\\u001b[31mred\\u009b"}';
    const ended = { ...operation, kind: 'diagnose', state: 'verified', waits_for: null, ended_at: operation.deadline };
    const answers = [{ ...operation, state: 'delivered' }];
    await using server = await exampleServer({
      'operations.show': (response) => json(response, answers.shift() ?? { ...ended, result, result_bytes: 60 }),
    });
    const env = connected(server.url);
    const human = await mesh(['node', 'diagnose', node.id], { env });
    assert.equal(human.code, 0, human.stderr);
    assert.deepEqual(JSON.parse(human.stdout), { host: { name: 'git-1' }, odd: '\u001b[31mred' });
    assert.match(human.stdout, /^ {4}"name": "git-1"$/m);
    const urls = server.seen.map(({ method, url }) => `${method} ${url}`);
    assert.equal(urls[0], `POST /v1/nodes/${node.id}/diagnose`);
    assert.deepEqual(urls.slice(1), new Array(2).fill(`GET /v1/operations/${operation.id}?wait=5`));
    const machine = await mesh(['node', 'diagnose', node.id, '--json'], { env });
    assert.equal(JSON.parse(machine.stdout).result, result);
    assert.match((await mesh(['operation', 'show', operation.id], { env })).stdout, /^answer +60 bytes/m);
  });

  it('say why a node has no answer', async () => {
    const failed = { ...operation, kind: 'diagnose', state: 'failed', reason: 'it cannot', result: null };
    await using server = await exampleServer({ 'operations.show': (response) => json(response, failed) });
    const { code, stdout } = await mesh(['node', 'diagnose', node.id], { env: connected(server.url) });
    assert.equal(code, 8);
    assert.match(stdout, /^reason +it cannot$/m);
  });

  it('show what an agent put back after another program had changed it', async () => {
    const posture = OPERATIONS['nodes.posture'].example.answer;
    const repaired = {
      at: '2026-11-15T09:40:00Z',
      sections: ['firewall', 'acl'],
      found: 'a table "mesh" without rules',
    };
    await using server = await exampleServer({
      'nodes.posture': (response) => json(response, { ...posture, repaired }),
    });
    const { stdout } = await mesh(['node', 'posture', node.id], { env: connected(server.url) });
    assert.match(stdout, /^repaired +firewall, acl on 2026-11-15T09:40:00Z .*: a table "mesh" without rules$/m);
  });

  it('say what is gone, and refuse what is half said', async () => {
    await using server = await exampleServer({
      'relays.delete': (response) => response.writeHead(204).end(),
      'ingress.delete': (response) => response.writeHead(204).end(),
    });
    const env = connected(server.url);
    assert.equal((await mesh(['relay', 'remove', 'fra-1', '--yes'], { env })).stdout, 'removed relay fra-1\n');
    const gone = await mesh(['ingress', 'remove', 'git', '--yes', '--json'], { env });
    assert.deepEqual(JSON.parse(gone.stdout), { id: 'git', removed: true });
    const asked = server.seen.length;
    const removals = [
      `node remove ${node.id}`,
      'relay remove fra-1',
      `ingress remove ${ingress.id}`,
      'role remove dba',
    ];
    for (const words of removals) {
      const unasked = await mesh(words.split(' '), { env });
      assert.deepEqual([unasked.code, unasked.stdout], [2, ''], words);
      assert.match(
        unasked.stderr,
        /cannot be undone, and there is no terminal to confirm it on\ntry: add --yes to confirm/,
      );
    }
    const wrong: [string, RegExp][] = [
      [`node retag ${node.id}`, /name the tags, or say --none/],
      [`node retag ${node.id} a --none`, /--none and tags exclude each other/],
      [`node relay ${node.id}`, /missing <relay> or --auto/],
      ['relay set fra-1', /say what to change/],
      ['settings set stale=60', /Give it as KEY=VALUE/],
      ['operation show x', /An id looks like operation_/],
      [`node rekey --wait ${node.id}`, /Give seconds, or a duration/],
      ['ingress create g --hostname h --service s --gateway node:g --team a', /belong together/],
      ['ingress set git --route api', /invalid --route "api": Give it as PATH=SERVICE/],
      ['ingress set git --weight node:web-1=200', /Give it as SELECTOR=WEIGHT/],
      ['ingress set git --canary web-next', /Give it as SERVICE=PERCENT/],
      ['ingress set git --check-fall 0', /Give a whole number from 1 to 20/],
    ];
    for (const [command, message] of wrong) {
      const { code, stderr } = await mesh(command.split(' '), { env });
      assert.equal(code, 2, command);
      assert.match(stderr, message);
    }
    assert.equal(server.seen.length, asked);
  });

  it('name the flag that a refusal is about, however deep its field lies', async () => {
    const errors = [{ pointer: '/upstream/check/timeout_s', detail: 'must be at most interval_s, which is 5' }];
    const refusal = problemOf('invalid', '/upstream/check/timeout_s must be at most interval_s, which is 5.', {
      errors,
    });
    await using server = await exampleServer({ 'ingress.update': (response) => problem(response, refusal) });
    const args = ['ingress', 'set', 'git', '--check-timeout', '9s'];
    const { code, stderr } = await mesh(args, { env: connected(server.url) });
    assert.notEqual(code, 0);
    assert.match(stderr, /--check-timeout must be at most/);
    assert.doesNotMatch(stderr, /upstream/);
  });

  it('make and show tokens that enrol a number of nodes', async () => {
    const limited = { ...OPERATIONS['tokens.show'].example.answer, uses_left: 3 };
    await using server = await exampleServer({ 'tokens.show': (response) => json(response, limited) });
    const env = connected(server.url);
    const scope = ['--team', 'a', '--surface', 'b', '--environment', 'c', '--expires', '1d'];
    assert.equal((await mesh(['token', 'create', 'x', ...scope, '--uses', '5'], { env })).code, 0);
    assert.equal(JSON.parse(server.seen[0]?.body ?? '').uses, 5);
    assert.match((await mesh(['token', 'show', limited.id], { env })).stdout, /^uses left +3$/m);
  });
});
