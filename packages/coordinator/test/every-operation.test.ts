/** Walks the table of operations: each is tried in every way that must be refused, and once as its example says. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  areaOf,
  DEFAULT_BODY_LIMIT,
  ERRORS,
  type ErrorCode,
  errorsOf,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  type Problem,
  type Validation,
} from '@meshwork/contract';
import { givenAuthority, requestOf } from '@meshwork/pki/testing';
import { Compile } from 'typebox/compile';
import { AcmeClient } from './acme-client.ts';
import { failingOrder } from './failing-order.ts';
import { type Ask, type Got, PLATFORM, TestCoordinator } from './harness.ts';
import { ProbedNode } from './probed-node.ts';
import { RootCeremony } from './root-ceremony.ts';
import { EVERYTHING, newKeys, publicHalves, TestNode } from './test-node.ts';
import { WafScene } from './waf-scene.ts';

/**
 * Answers that go on until the client ends them: their areas have tests of their own, here their refusals are tried.
 */
const ENDLESS = 'text/event-stream';

const OTHERS = { ...PLATFORM, team: 'other' };

/** What a gateway says of the request of the example. */
const { node: _, gateway: __, ...tested } = OPERATIONS['waf.test'].example.answer;

/** What a node sees of an ingress that DNS does not know. */
const seenOutside = {
  resolvers: ['192.0.2.53'],
  addresses: [],
  left_out: 0,
  dns_fault: 'no_record' as const,
  places: [],
};

describe('every operation', () => {
  let mesh: TestCoordinator;
  const tokens = { expired: '', revoked: '', powerless: '', narrow: '' };
  /** Things that exist, to try operations on. */
  let existing: Readonly<Record<string, string>> = {};
  /** A node that a rotation of the authorities waits for. */
  let trusting: TestNode;
  /** For a certificate of a node that every caller of these may speak for. */
  let request = '';
  /** A certificate with its key. */
  let brought = { chain: '', private_key: '' };
  /** Where a gateway found something, and can try requests. */
  let guarded: WafScene;
  /** Looks at ingresses from outside. */
  let outside: ProbedNode;
  let bench: ProbedNode;
  /** What calls an operation that only nodes call. */
  let node: TestNode;

  before(async () => {
    mesh = await TestCoordinator.startWithPanel('with authorities');
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    await mesh.ask('POST', '/v1/auth/roles', { body: { name: 'powerless', permissions: [] } });
    await mesh.ask('POST', '/v1/auth/roles', { body: { name: 'example', permissions: [] } });
    const short = await mesh.ask<{ secret: string }>('POST', '/v1/auth/tokens', {
      body: {
        name: 'short',
        scope: PLATFORM,
        expires: new Date(mesh.clock.now() + 60_000).toISOString(),
        role: 'owner',
      },
    });
    mesh.clock.advance(61);
    tokens.expired = short.body.secret;
    const revoked = await mesh.token({ role: 'owner' });
    await mesh.ask('DELETE', `/v1/auth/tokens/${revoked.id}`);
    tokens.revoked = revoked.secret;
    tokens.powerless = (await mesh.token({ role: 'powerless' })).secret;
    tokens.narrow = (await mesh.token({ role: 'owner', scope: PLATFORM })).secret;
    const outside = await mesh.token({ scope: OTHERS });
    const entry = await mesh.ask<{ items: { id: string }[] }>('GET', `/v1/audit?target=${outside.id}`);
    node = await TestNode.enroll(mesh, { name: 'the-node', tags: ['team:other', 'role:gateway'] });
    const delegated = await mesh.ask<{ id: string }>('POST', '/v1/auth/delegations', {
      token: mesh.panel,
      body: OPERATIONS['delegations.create'].example.body,
    });
    const inside = ['team:platform', 'surface:git', 'env:production'];
    trusting = await TestNode.enroll(mesh, { name: 'inside', tags: inside });
    request = await requestOf({ extensions: ['subjectAltName=DNS:inside.mesh'] });
    const { chain, private_key } = await (await givenAuthority()).issue({ names: ['DNS:shop.example.net'] });
    brought = { chain, private_key };
    const theirs = await requestOf({ extensions: ['subjectAltName=DNS:the-node.mesh'] });
    const issued = await mesh.ask<{ id: string }>('POST', '/v1/ca/certificates', { body: { request: theirs } });
    const bound = await mesh.token({ scope: OTHERS, role: 'operator' });
    const client = await AcmeClient.register(mesh, bound.secret);
    const ca = await mesh.ask<{ authorities: { serial: string }[] }>('GET', '/v1/ca');
    existing = {
      accounts: client.kid?.split('/').at(-1) ?? '',
      crl: ca.body.authorities[0]?.serial ?? '',
      certificates: issued.body.id,
      delegations: delegated.body.id,
      tokens: outside.id,
      roles: 'example',
      audit: entry.body.items[0]?.id ?? '',
      nodes: node.id,
      agents: node.id,
      operations: node.enrolled.enrollment.operation,
      peers: node.id,
      acls: '0',
    };
    for (const id of OPERATION_IDS.filter((one) => one.endsWith('.create') && existing[areaOf(one)] === undefined)) {
      existing = { ...existing, [areaOf(id)]: await made(id) };
    }
    existing = { ...existing, certificate_orders: await failingOrder(mesh, OTHERS) };
    guarded = await WafScene.open(mesh, { team: OTHERS.team });
    const event = guarded.report();
    await guarded.send(event);
    const exclusion = { ...OPERATIONS['waf.replay'].example.body, path: '/other' };
    const added = await mesh.ask<{ exclusions: { id: string }[] }>(
      'POST',
      `/v1/waf/policies/${existing.waf}/exclusions`,
      { body: exclusion },
    );
    existing = { ...existing, events: event.id, exclusions: added.body.exclusions[0]?.id ?? '' };
  });
  after(() => mesh.close());

  /** Makes what the example of an area says, in the boundary of others where it lies in one. */
  const made = async (id: OperationId): Promise<string> => {
    const operation: Operation = OPERATIONS[id];
    const scope = Object.hasOwn((operation.body as { properties?: object } | undefined)?.properties ?? {}, 'scope')
      ? { scope: OTHERS }
      : {};
    const body = { ...(bodyOf(id, operation) as object), ...scope };
    const got = await mesh.ask<{ id?: string; name?: string }>(operation.method, operation.path, { body });
    assert.equal(got.status, operation.answer.status, `${id}: ${got.text}`);
    return got.body.id ?? got.body.name ?? '';
  };
  /** What is named before a parameter says of which area it is: `/v1/firewall/nodes/{id}` is about a node. */
  const pathOf = (id: OperationId, operation: Operation) =>
    operation.path.replaceAll(
      /(?<=(?:^|\/)(?<of>[\w{}-]*)\/)\{\w+\}/g,
      (...match) => existing[match.at(-1).of] ?? existing[areaOf(id)] ?? 'nothing',
    );
  /** What the table shows is true of things that are not there; here they are. */
  const bodyOf = (id: OperationId, operation: Operation): unknown => {
    const body = operation.example.body as Record<string, unknown> | undefined;
    if (id === 'agents.heartbeat') return { ...body, node: node.id, boot_id: node.boot_id, seq: ++node.seq };
    if (id === 'nodes.enroll') return { ...body, ...publicHalves(newKeys()), name: `node-x${++node.seq}` };
    if (id === 'ca.issue') return { ...body, request };
    if (id === 'ca.revoke_all') return { ...body, node: 'inside' };
    if (areaOf(id) === 'given_certificates' && body !== undefined) {
      return { ...(id.endsWith('.create') ? another(body) : body), ...brought };
    }
    if (operation.text !== undefined) return { ...body, tests: [] }; // the nodes that they name are not there
    return id.endsWith('.create') ? another(body) : body;
  };
  /** Of the node that is there, and with names that nothing else has. */
  const another = (body: Record<string, unknown> = {}) => {
    const place = ++node.seq;
    const member = ([name, value]: [string, unknown]): [string, unknown] => {
      if (value === 'git-1') return [name, node.id];
      return [name, name === 'name' || name === 'hostname' ? String(value).replace(/^[\w-]+/, `$&-${place}`) : value];
    };
    return Object.fromEntries(Object.entries(body).map(member));
  };
  const queryOf = (operation: Operation): string => {
    const { required = [] } = (operation.query ?? {}) as { required?: readonly string[] };
    return required.length === 0 ? '' : `?${required.map((name) => `${name}=${existing[name] ?? node.id}`).join('&')}`;
  };
  /** Only the panel acts for people, and only a node for a node. */
  const callerOf = ({ caller, permission }: Operation): Ask =>
    caller === 'node' ? { token: node.bearer } : permission === 'tokens:delegate' ? { token: mesh.panel } : {};
  const send = (id: OperationId, operation: Operation, ask: Ask = {}) => {
    const body = ask.raw === undefined && ask.body === undefined ? { body: bodyOf(id, operation) } : {};
    return mesh.ask(operation.method, pathOf(id, operation) + queryOf(operation), {
      ...callerOf(operation),
      ...body,
      ...ask,
    });
  };
  /** Whether the existing thing lies in another boundary. What only mesh-wide callers make lies in none. */
  const isOfOthers = (id: OperationId, operation: Operation) => {
    const creation: Operation | undefined = OPERATIONS[`${areaOf(id)}.create` as OperationId];
    return id === 'peers.list' || (operation.params !== undefined && creation?.reach !== 'mesh');
  };
  /** Strangers may ask 20 times a second. The time that this many take is let pass, however fast the machine is. */
  const letStrangersAsk = (times: number) => mesh.clock.advance(times / 20);
  const assertProblem = (operation: Operation, got: Got<Problem>, ...codes: ErrorCode[]) => {
    assert.ok(codes.includes(got.body?.code as ErrorCode), `${got.status} ${got.text}, not ${codes.join(' or ')}`);
    const code = got.body.code as ErrorCode;
    assert.equal(got.status, ERRORS[code].status);
    assert.match(got.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.deepEqual(
      [got.body.status, got.body.title, got.body.type],
      [got.status, ERRORS[code].title, `/docs#problem-${code}`],
    );
    assert.equal(got.body.request_id, got.headers.get('x-request-id'));
    assert.ok(errorsOf(operation).includes(code), `the contract does not say that ${code} can be answered`);
    if (got.status === 401) assert.match(got.headers.get('www-authenticate') ?? '', /^Bearer/);
  };

  for (const id of OPERATION_IDS) {
    const operation: Operation = OPERATIONS[id];
    const title = `${operation.method} ${operation.path}`;

    if (operation.caller === 'node') {
      it(`${title} refuses who has no session of a node`, async () => {
        letStrangersAsk(4);
        assertProblem(operation, await send(id, operation, { token: null }), 'credentials_missing');
        assertProblem(operation, await send(id, operation, { token: mesh.owner }), 'credentials_invalid');
        assertProblem(operation, await send(id, operation, { token: `${node.bearer}x` }), 'credentials_invalid');
        const garbage = await send(id, operation, { token: mesh.owner, raw: '{"' });
        assertProblem(operation, garbage, 'credentials_invalid');
      });
    }

    if (operation.permission !== null) {
      it(`${title} refuses who has no credentials, or wrong, expired or revoked ones`, async () => {
        letStrangersAsk(2);
        assertProblem(operation, await send(id, operation, { token: null }), 'credentials_missing');
        assertProblem(operation, await send(id, operation, { token: `${mesh.owner}x` }), 'credentials_invalid');
        assertProblem(operation, await send(id, operation, { token: tokens.expired }), 'token_expired');
        assertProblem(operation, await send(id, operation, { token: tokens.revoked }), 'token_revoked');
      });
    }

    if (operation.permission !== null && operation.permission !== 'self:read') {
      it(`${title} refuses a role without ${operation.permission}, before it looks at the body`, async () => {
        assertProblem(operation, await send(id, operation, { token: tokens.powerless }), 'permission_denied');
        if (operation.body === undefined) return;
        const garbage = await send(id, operation, { token: tokens.powerless, raw: '{"' });
        assertProblem(operation, garbage, 'permission_denied');
        const huge = await send(id, operation, { token: tokens.powerless, raw: 'x'.repeat(10_000_000) });
        assertProblem(operation, huge, 'permission_denied');
      });

      it(`${title} keeps to the scope of the caller`, async () => {
        if (operation.answer.type === ENDLESS) return;
        const got = await send(id, operation, { token: tokens.narrow });
        // A token of the panel is never narrow, and an owner's, however wide, does not speak for people.
        if (operation.permission === 'tokens:delegate') assertProblem(operation, got, 'permission_denied');
        else if (operation.reach === 'mesh') assertProblem(operation, got, 'mesh_scope_required');
        else if (isOfOthers(id, operation)) assertProblem(operation, got, 'not_found');
        // The policy names no owner of what it would take, so that it is the whole mesh's.
        else if (operation.errors.includes('not_owner') && got.status !== 201)
          assertProblem(operation, got, 'not_owner');
        else assert.ok(got.status < 300, got.text);
      });
    }

    if (operation.text !== undefined) {
      it(`${title} refuses a text that is too large or of another type, and says what is wrong with any other`, async () => {
        const large = 'x'.repeat((operation.body_limit ?? DEFAULT_BODY_LIMIT) + 1);
        assertProblem(operation, await send(id, operation, { raw: large }), 'body_too_large');
        const text = { raw: '{}', headers: { 'content-type': 'text/plain' } };
        assertProblem(operation, await send(id, operation, text), 'unsupported_media_type');
        for (const raw of ['{"a":', 'nonsense', '{"__proto__":{}}', '\u0000', '[]', '5', 'null', '{"surprise":1}']) {
          const got = await send(id, operation, { raw });
          if (id === 'acls.validate') assert.equal((got.body as unknown as Validation).valid, false, raw);
          else assertProblem(operation, got, 'policy_invalid');
        }
      });
    } else if (operation.body !== undefined) {
      it(`${title} refuses a body that is too large, malformed, of another type or with a field too many`, async () => {
        const large = JSON.stringify({ x: 'x'.repeat(operation.body_limit ?? DEFAULT_BODY_LIMIT) });
        assertProblem(operation, await send(id, operation, { raw: large }), 'body_too_large');
        for (const raw of ['{"a":', 'nonsense', '{"__proto__":{}}', '\u0000']) {
          assertProblem(operation, await send(id, operation, { raw }), 'malformed_json');
        }
        const text = { raw: '{}', headers: { 'content-type': 'text/plain' } };
        assertProblem(operation, await send(id, operation, text), 'unsupported_media_type');
        for (const body of [[], 5, 'text', null]) {
          if (body !== null) assertProblem(operation, await send(id, operation, { body }), 'invalid');
        }
        const extra = await send(id, operation, { body: { ...(bodyOf(id, operation) as object), surprise: 1 } });
        const names = extra.body.errors?.map(({ pointer }) => pointer) ?? [];
        // Agents of a newer version say more than this one knows: what they say beside it still counts.
        if (operation.unknown_members === 'ignored') return assert.ok(!names.includes('/surprise'), extra.text);
        assertProblem(operation, extra, 'invalid');
        assert.ok(names.includes('/surprise'), extra.text);
      });
    } else {
      it(`${title} refuses a body, having no use for one`, async () => {
        if (operation.method === 'GET') return; // the client at hand cannot send one; http/edge.test.ts does
        assertProblem(operation, await send(id, operation, { body: { a: 1 } }), 'unexpected_body');
      });
    }

    it(`${title} refuses a query parameter it does not have`, async () => {
      const required = queryOf(operation);
      const path = `${pathOf(id, operation)}${required}${required === '' ? '?' : '&'}surprise=1`;
      const body = operation.body === undefined ? {} : { body: bodyOf(id, operation) };
      const got = await mesh.ask(operation.method, path, { ...body, ...callerOf(operation) });
      assertProblem(operation, got, 'invalid');
      assert.equal(got.body.errors?.[0]?.pointer, 'query/surprise');
    });

    if (operation.params !== undefined) {
      it(`${title} does not find what is not there, however odd its name`, async () => {
        for (const odd of [
          'token_01jcqv5s3ee3xv9k7d0w8m2b4n',
          'constructor',
          '__proto__',
          '%00',
          '%F0%9F%92%A9',
          'a'.repeat(90),
        ]) {
          const path = operation.path.replaceAll(/\{\w+\}/g, odd);
          const body = operation.body === undefined ? {} : { body: bodyOf(id, operation) };
          const got = await mesh.ask(operation.method, path, { ...body, ...callerOf(operation) });
          // A node that names another one is refused as such, whether or not there is such a node.
          assert.equal(got.status, operation.caller === 'node' ? 403 : 404, `${odd}: ${got.text}`);
        }
      });
    }
  }

  it('answers what its schema promises, and no field more', async () => {
    const made = await mesh.token({ scope: PLATFORM });
    existing = { ...existing, tokens: made.id };
    const peer = await TestNode.enroll(mesh, { name: 'the-peer', tags: ['team:platform', 'env:production'] });
    /** What stands in the way of an example, because it depends on what was done before. */
    const first: Readonly<Record<string, () => Promise<unknown>>> = {
      'nodes.approve': () => mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } }),
      'nodes.rekey': () => mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } }),
      'operations.cancel': async () => {
        const drained = await mesh.ask<{ id: string }>('POST', `/v1/nodes/${peer.id}/drain`, { body: {} });
        existing = { ...existing, operations: drained.body.id };
      },
      'agents.session': () => node.prove(),
      'ca.rotate': async () => {
        await trusting.prove();
        await trusting.beat({ report: { abilities: EVERYTHING } });
      },
      'ca.take_intermediate': () => mesh.ask('DELETE', '/v1/ca/rotate'), // that of `ca.rotate`
      'delegations.pass': () =>
        mesh.ask('POST', '/v1/ingress', {
          body: {
            ...{ name: 'entered', hostname: 'wiki.example.net', service: 'wiki', gateways: ['tag:role:gateway'] },
            sign_in: { people: ['ada'] },
          },
        }),
      'ingress.check': async () => {
        const eye = await TestNode.enroll(mesh, { name: 'an-eye', tags: ['team:platform', 'env:production'] });
        outside = await new ProbedNode(eye, () => ({ ingress_check: seenOutside })).start(['ingress_check']);
      },
      'waf.test': async () => {
        await outside.stop();
        bench = await new ProbedNode(guarded.gateway, () => ({ waf: tested })).start(['waf']);
      },
      'waf.replay': () => bench.stop(),
    };
    const ceremony = new RootCeremony(mesh);
    const ids = [
      ...OPERATION_IDS.filter((id) => OPERATIONS[id].method !== 'DELETE'),
      ...OPERATION_IDS.filter((id) => OPERATIONS[id].method === 'DELETE').toReversed(),
    ];
    for (const id of ids) {
      const operation: Operation = OPERATIONS[id];
      if (operation.answer.type === ENDLESS) continue;
      await first[id]?.();
      if (id === 'nodes.approve') {
        const pending = await TestNode.enroll(mesh, { name: 'a-pending-one', tags: ['team:other'] });
        existing = { ...existing, nodes: pending.id };
      }
      if (id === 'nodes.rekey') existing = { ...existing, nodes: node.id };
      const bodies: Readonly<Record<string, () => Promise<object>>> = {
        'audit.verify': async () => ({}),
        'agents.session': async () => ({ proof: await node.proof() }),
        'ca.drop_root_key': () => ceremony.proof(),
        // The node of the example runs one already, and an agent runs one.
        'relays.create': async () => ({ name: 'turn-1', secret: 'shared-with-the-mesh', host: 'turn.example.net' }),
        'ca.take_intermediate': () => ceremony.signed(),
      };
      const own: Ask = bodies[id] === undefined ? {} : { body: await bodies[id]() };
      const path = id === 'peers.show' ? { path: `/v1/peers/${node.id}/${peer.id}` } : {};
      const got = path.path === undefined ? await send(id, operation, own) : await mesh.ask('GET', path.path);
      assert.equal(got.status, operation.answer.status, `${id}: ${got.text}`);
      if (operation.answer.schema === undefined) assert.equal(got.text, '');
      else if (operation.answer.type === undefined) {
        const validator = Compile(operation.answer.schema);
        assert.ok(validator.Check(got.body), `${id}: ${JSON.stringify(validator.Errors(got.body))}`);
      }
      if (operation.versioned === true && operation.answer.schema !== undefined) assert.ok(got.headers.has('etag'), id);
      if (operation.answer.status === 201) assert.ok(got.headers.has('location'), id);
      assert.equal(got.headers.get('access-control-allow-origin'), null);
    }
  });
});
