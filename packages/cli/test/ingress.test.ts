/** What `mesh ingress` asks for: the flags of rules that are objects, and of those that can be taken away. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { json } from '@meshwork/client/testing';
import { OPERATIONS, type OutsideCheck } from '@meshwork/contract';
import { EXIT_CODES } from '../src/exit-codes.ts';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

const example = OPERATIONS['ingress.show'].example.answer;
const NEW = ['ingress', 'create', 'app', '--hostname', 'app.example.net', '--gateway', 'tag:role:gateway'];
const CREATED = { name: 'app', hostname: 'app.example.net', gateways: ['tag:role:gateway'] };

describe('the flags of an ingress', { concurrency: 2 }, () => {
  const sent = async (...args: string[]): Promise<unknown> => {
    await using server = await exampleServer();
    const { code, stderr } = await mesh(args, { env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' } });
    assert.equal(code, 0, stderr);
    return JSON.parse(server.seen.at(-1)?.body ?? '');
  };
  const refused = async (...args: string[]): Promise<string> => {
    await using server = await exampleServer();
    const { code, stderr } = await mesh(args, { env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' } });
    assert.deepEqual([code, server.seen.length], [2, 0], stderr);
    return stderr;
  };

  it('say what passes, with what is left unsaid filled in', async () => {
    const args = `--service app --allow-network 10.0.0.0/8 2001:db8::/32 --deny-network 10.1.0.0/16 --limit-requests 20/s --limit-connections 10 --max-body 50MB --connect-timeout 5s --idle-timeout 1h --compress --trust-proxy 198.51.100.0/24`;
    const headers = ['--request-header', 'X-Env: prod', '--request-header', 'X-Powered-By:'];
    const response = ['--response-header', 'Cache-Control: no-store'];
    const paths = ['--redirect-path', '/old=/new', '--maintenance', 'Back at 10.'];
    assert.deepEqual(await sent(...NEW, ...args.split(' '), ...headers, ...response, ...paths), {
      ...CREATED,
      service: 'app',
      traffic: {
        networks: { allow: ['10.0.0.0/8', '2001:db8::/32'], deny: ['10.1.0.0/16'] },
        limits: { requests: { rate: '20/s', burst: 20 }, connections: 10 },
        request_headers: [
          { name: 'X-Env', value: 'prod' },
          { name: 'X-Powered-By', value: null },
        ],
        response_headers: [{ name: 'Cache-Control', value: 'no-store' }],
        max_body_bytes: 50_000_000,
        connect_timeout_s: 5,
        idle_timeout_s: 3600,
        compress: true,
      },
      redirects: [{ path: '/old', to: '/new', status: 308, keep: true }],
      maintenance: { message: 'Back at 10.', retry_after_s: 300, allow: [] },
      proxies: { networks: ['198.51.100.0/24'], header: 'X-Forwarded-For' },
    });
  });

  it('say who may enter, and leave the rest of that as it is', async () => {
    const set = ['ingress', 'set', 'app'];
    assert.deepEqual(await sent(...NEW, '--service', 'app', '--sign-in-group', 'staff', '--sign-in-group', 'ops'), {
      ...{ ...CREATED, service: 'app' },
      sign_in: { groups: ['staff', 'ops'] },
    });
    assert.deepEqual(await sent(...set, '--sign-in', '12h', '--sign-in-person', 'ada', '--sign-in-open', '/hooks'), {
      sign_in: { session_s: 43_200, people: ['ada'], open: ['/hooks'] },
    });
    assert.deepEqual(await sent(...set, '--no-sign-in-nodes', '--no-sign-in-group'), {
      sign_in: { nodes: false, groups: [] },
    });
    assert.deepEqual(await sent(...set, '--no-sign-in'), { sign_in: null });
  });

  it('say all of a rule, where that is wanted', async () => {
    const args = `--limit-requests 100/m --limit-burst 5 --maintenance-retry-after 1h --maintenance-allow 10.0.0.0/8 --trust-proxy 198.51.100.0/24 --trust-header CF-Connecting-IP`;
    assert.deepEqual(await sent('ingress', 'set', 'app', '--maintenance', 'Later', ...args.split(' ')), {
      traffic: { limits: { requests: { rate: '100/m', burst: 5 } } },
      maintenance: { message: 'Later', retry_after_s: 3600, allow: ['10.0.0.0/8'] },
      proxies: { networks: ['198.51.100.0/24'], header: 'CF-Connecting-IP' },
    });
  });

  it('take each rule away again', async () => {
    const args = `--no-service --no-allow-network --no-deny-network --no-limit-requests --no-limit-connections --no-request-header --no-response-header --no-max-body --no-compress --no-redirect-path --no-maintenance --no-trust-proxy --no-proxy-protocol --no-check-grpc-service`;
    assert.deepEqual(await sent('ingress', 'set', 'app', ...args.split(' ')), {
      service: null,
      upstream: { proxy_protocol: false, check: { grpc_service: null } },
      traffic: {
        networks: { allow: [], deny: [] },
        limits: { requests: null, connections: null },
        request_headers: [],
        response_headers: [],
        max_body_bytes: null,
        compress: false,
      },
      redirects: [],
      maintenance: null,
      proxies: null,
    });
  });

  it('make one of another kind, or one that leads to no service', async () => {
    const tcp = '--kind tcp --port 5432 --service db --proxy-protocol --balance hash:address'.split(' ');
    assert.deepEqual(await sent(...NEW, ...tcp), {
      ...CREATED,
      kind: 'tcp',
      port: 5432,
      service: 'db',
      upstream: { proxy_protocol: true, balance: 'hash:address' },
    });
    const grpc = '--service cart --protocol grpc --check-kind grpc --check-grpc-service shop.v1.Cart'.split(' ');
    assert.deepEqual(await sent(...NEW, ...grpc), {
      ...CREATED,
      service: 'cart',
      upstream: { protocol: 'grpc', check: { kind: 'grpc', grpc_service: 'shop.v1.Cart' } },
    });
    assert.deepEqual(await sent(...NEW, '--redirect-path', '/=https://new.example.net'), {
      ...CREATED,
      redirects: [{ path: '/', to: 'https://new.example.net', status: 308, keep: true }],
    });
  });

  it('belong together where half of a rule means nothing, and exclude each other where it is taken away', async () => {
    const set = ['ingress', 'set', 'app'];
    assert.match(
      await refused(...set, '--maintenance-allow', '10.0.0.0/8'),
      /--maintenance and --maintenance-allow belong together/,
    );
    assert.match(await refused(...set, '--limit-burst', '5'), /--limit-requests and --limit-burst belong together/);
    assert.match(
      await refused(...set, '--no-maintenance', '--maintenance-retry-after', '5m'),
      /--no-maintenance and --maintenance-retry-after exclude each other/,
    );
    assert.match(await refused(...set, '--max-body', 'much'), /Give an amount such as 50MB/);
    assert.match(await refused(...set, '--request-header', 'X-Env'), /Give it as 'X-Env: prod'/);
  });

  it('are what a refusal names', async () => {
    await using server = await exampleServer({
      'ingress.update': (response) => {
        const errors = [
          { pointer: '/traffic/networks/allow/0', detail: '"10.0.0.1/8" has a bit set behind its prefix' },
          { pointer: '/traffic/limits/requests', detail: 'must be null' },
          { pointer: '/maintenance', detail: 'must be null' },
        ];
        const detail = `${errors.map((error) => `${error.pointer} ${error.detail}`).join('; ')}.`;
        const problem = { type: 'about:blank', title: 'Invalid', status: 422, code: 'invalid', retryable: false };
        json(response, { ...problem, detail, errors, request_id: 'req_1' }, 422);
      },
    });
    const { stderr } = await mesh(['ingress', 'set', 'app', '--replicas', '2'], {
      env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' },
    });
    assert.match(stderr, /--allow-network "10\.0\.0\.1\/8" has a bit set behind its prefix/);
    assert.match(stderr, /--limit-requests must be null; --maintenance must be null/);
  });

  it('show in a list what programs connect to', async () => {
    const items = [
      example,
      { ...example, name: 'db', kind: 'tcp' as const, port: 5432, service: 'db' },
      { ...example, name: 'old', service: null },
    ];
    await using server = await exampleServer({
      'ingress.list': (response) => json(response, { items, next_cursor: null }),
    });
    const { stdout } = await mesh(['ingress', 'list'], {
      env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' },
    });
    assert.match(stdout, / git +serving +https:\/\/git\.example\.net +git-http /);
    assert.match(stdout, / db +serving +tcp:\/\/git\.example\.net:5432 +db /);
    assert.match(stdout, / old +serving +https:\/\/git\.example\.net +redirects /);
  });
});

describe('the traffic of an ingress', () => {
  it('is shown by route, with what is missing of each gateway', async () => {
    const traffic = OPERATIONS['ingress.traffic'].example.answer;
    const [gateway] = traffic.gateways;
    assert.ok(gateway !== undefined);
    const silent = { ...gateway, name: 'gw-2', since: null, reported_at: null, problem: 'The node is stale.' };
    await using server = await exampleServer({
      'ingress.traffic': (response) => json(response, { ...traffic, gateways: [gateway, silent] }),
    });
    const { stdout, code } = await mesh(['ingress', 'traffic', 'git', '--minutes', '1'], {
      env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' },
    });
    assert.equal(code, 0);
    assert.equal(server.seen.at(-1)?.url, '/v1/ingress/git/traffic?minutes=1');
    assert.match(stdout, /\/ +900 +15 +880 +10 +8 +2 +12 ms +80 ms +240 ms/);
    assert.match(stdout, /404: 8, 503: 2/);
    assert.match(stdout, /gw-2 +- +- +The node is stale\./);
  });
});

describe('a check from outside', () => {
  const check = OPERATIONS['ingress.check'].example.answer;
  async function ran(over: Partial<OutsideCheck>, ...args: readonly string[]) {
    await using server = await exampleServer({ 'ingress.check': (response) => json(response, { ...check, ...over }) });
    const done = await mesh(['ingress', 'check', 'git', ...args], {
      env: { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' },
    });
    return { ...done, sent: server.seen.at(-1) };
  }

  it('says finding by finding what is wrong, and what to do', async () => {
    const { stdout, code, sent } = await ran({}, '--node', 'laptop-3');
    assert.equal(code, EXIT_CODES.outside_faults.code);
    assert.deepEqual([sent?.method, JSON.parse(sent?.body ?? '')], ['POST', { node: 'laptop-3' }]);
    assert.match(stdout, /at some addresses, and not at others/);
    assert.match(stdout, /checked by +laptop-3, by 192\.0\.2\.53/);
    assert.match(stdout, /problem: 203\.0\.113\.9 port 443 does not answer.*\n {2}Remove the record/);
    assert.match(stdout, /good: 198\.51\.100\.4 port 443 is gateway gw-1/);
  });

  it('ends with a code for scripts, and what it found for programs', async () => {
    for (const [verdict, code] of [
      ['reached', 0],
      ['partly', 16],
      ['unreached', 16],
      ['unproven', 17],
    ] as const) {
      const done = await ran({ verdict }, '--json');
      assert.deepEqual([done.code, JSON.parse(done.stdout)], [code, { ...check, verdict }]);
    }
  });
});
