/** Whatever a record says, it is refused in clear words or means itself and nothing else to nginx. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import fc from 'fast-check';
import { ingressId, ingressOf, routeOf, targetOf, trafficOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { type Parsed, parseNginx } from '../../../test/nginx-parser.ts';
import { CommandError, runCommand } from '../../host/run-command.ts';
import { GATEWAY_FILES, luaFile, njsFile } from './gateway-files.ts';
import { GatewayFolder } from './gateway-folder.ts';
import { namedByContent } from './ingress-files.ts';
import { LUA_FILES } from './lua/program.ts';
import { nginxConfig } from './nginx-config.ts';
import { block, type Directive, directive, nginxText } from './nginx-text.ts';
import { NJS_FILES } from './njs/program.ts';
import { groupsText } from './stream-groups.ts';

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const BREAKERS = ['"', "'", '\\', ';', '{', '}', '#', ' ', '(', ')', '~', '*', '@', '=', '\\"', '\\\\"', '";', '\\n'];
/** Words that nginx can be sent. */
const printable = fc.string({ unit: fc.constantFrom(...PRINTABLE.filter((one) => one !== '$'), ...BREAKERS) });
/** And those that it cannot. */
const anything = fc.string({
  unit: fc.constantFrom(...BREAKERS, '$', '${', 'host', '\n', '\0', '\r', 'ä', '\u2028', 'a', '/', '.'),
});

test('a word is read as it was written, or refused', () => {
  const name = fc.constantFrom('server_name', 'location', 'return', 'set');
  const leaf = fc.tuple(name, fc.array(printable, { maxLength: 4 }));
  const tree = fc.array(fc.tuple(name, fc.array(printable, { maxLength: 3 }), fc.array(leaf, { maxLength: 3 })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(tree, (wanted) => {
      const inside = (leaves: (typeof wanted)[number][2]) => leaves.map(([one, words]) => directive(one, ...words));
      const directives: Directive[] = wanted.map(([one, words, leaves]) => block(one, words, inside(leaves)));
      assert.deepEqual(parseNginx(nginxText(directives)), directives);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(anything, (word) => {
      const isSound = /^[\x20-\x7e]*$/.test(word) && !word.includes('$');
      if (isSound) assert.deepEqual(parseNginx(nginxText([directive('set', word)])), [directive('set', word)]);
      else assert.throws(() => nginxText([directive('set', word)]), /cannot be written for nginx: it has/);
    }),
    { numRuns: 500 },
  );
});

/** Mostly as it should be: a record with one bad field says more than one with none that is good. */
const mostly = (good: fc.Arbitrary<string>) => fc.oneof({ weight: 20, arbitrary: good }, anything, printable);
/** And of those, a record has many. */
const nearly = (good: fc.Arbitrary<string>) => fc.oneof({ weight: 80, arbitrary: good }, anything, printable);
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const hostname = mostly(fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')));
const path = mostly(
  fc
    .array(fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,12}$/), { maxLength: 3 })
    .map((parts) => `/${parts.join('/')}`),
);
const text = fc.oneof(anything, printable);
const network = nearly(
  fc.oneof(
    fc.ipV4().map((one) => `${one}/32`),
    fc.constantFrom('10.0.0.0/8', '::/0', 'fd00::/8'),
  ),
);
const networks = fc.array(network, { maxLength: 3 });
/** Mostly in its range. */
const number = (most: number) =>
  fc.oneof({ weight: 200, arbitrary: fc.nat(most) }, fc.constantFrom(-1, 1.5, 1e21, NaN));
const headerName = nearly(fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/).map((name) => `X-${name}`));
const headerValue = nearly(
  fc
    .string({ unit: fc.constantFrom(...BREAKERS, '$', '$host', '$' + '{', '}', 'a'), maxLength: 40 })
    .map((one) => one.trim()),
);
const headerRules = fc.array(fc.record({ name: headerName, value: fc.option(headerValue) }), { maxLength: 2 });
const traffic: fc.Arbitrary<AssignedRoute['traffic']> = fc.record({
  networks: fc.record({ allow: networks, deny: networks }),
  limits: fc.record({
    requests: fc.option(
      fc.record({ rate: nearly(fc.stringMatching(/^[1-9][0-9]{0,5}\/[sm]$/)), burst: number(10_000) }),
    ),
    connections: fc.option(number(65_534).map((one) => one + 1)),
    by: fc.constantFrom('address', 'identity'),
  }),
  request_headers: headerRules,
  response_headers: headerRules,
  max_body_bytes: fc.option(number(2 ** 30)),
  connect_timeout_s: number(59).map((one) => one + 1),
  idle_timeout_s: number(86_399).map((one) => one + 1),
  compress: fc.boolean(),
});
const PLACES = [
  '/',
  '/new',
  'https://new.example.net',
  'http://a.b:80/c?d=e',
  '//evil',
  'https://a@b',
  '/$host',
  'x',
  '/;',
];
const redirect = fc.record({
  path: path.map((one) => (one === '/' ? one : `/from${one}`)),
  to: nearly(fc.constantFrom(...PLACES)),
  status: fc.constantFrom(301 as const, 302 as const, 307 as const, 308 as const),
  keep: fc.boolean(),
});
const maintenance = fc.record({ message: text, retry_after_s: number(86_400), allow: networks });
const proxies = fc.record({ networks, header: headerName });
const clientName = nearly(
  fc.oneof(
    label.map((one) => `${one}.mesh`),
    fc.stringMatching(/^[A-Za-z0-9._-]{1,9}$/).map((one) => `spiffe://mesh/node/${one}`),
  ),
);
const target = fc
  .record({ node: text, name: text, address: text, port: fc.nat(), weight: fc.nat(100) })
  .map((over) => targetOf(1, over));
const route: fc.Arbitrary<AssignedRoute> = fc
  .record({
    path,
    service: mostly(label),
    balance: text,
    protocol: fc.constantFrom('http', 'https', 'grpc', 'grpcs'),
    target,
    check: text,
    traffic: fc.oneof(fc.constant(trafficOf({})), traffic),
  })
  .map(({ path, service, balance, protocol, target, check, traffic }) =>
    routeOf({
      traffic,
      path,
      balance,
      protocol,
      check: { path: check, body: check },
      pools: [{ service, percent: 100, targets: [target] }],
    }),
  );
const ingress: fc.Arbitrary<IngressAssignment> = fc
  .record({
    id: mostly(fc.nat(99).map(ingressId)),
    hostname,
    draining: fc.boolean(),
    routes: fc.array(route, { minLength: 1, maxLength: 3 }),
    redirects: fc.array(redirect, { maxLength: 2 }),
    maintenance: fc.option(maintenance),
    proxies: fc.option(proxies),
    tls: fc.option(
      fc.record(
        {
          chain: fc.option(text),
          redirect: fc.boolean(),
          challenge: fc.constantFrom('http-01', 'tls-alpn-01'),
          clients: fc.constantFrom('none', 'optional', 'required'),
          client_names: fc.array(clientName, { maxLength: 3 }),
        },
        { requiredKeys: ['chain', 'redirect'] },
      ),
    ),
  })
  .chain((over) =>
    fc
      .constantFrom(
        {},
        { mesh_identity: { spiffe_prefix: null } },
        { mesh_identity: { spiffe_prefix: 'spiffe://mesh/node/' } },
      )
      .map((identity) => ingressOf(1, { ...over, ...identity })),
  );

/** Ours alone: nginx binds them for a moment when it tries a configuration. */
const FIRST_PORT = 10_000 + ((process.pid * 16 + 14) % 20_000);
const PORTS = { http_port: FIRST_PORT, https_port: FIRST_PORT + 1 };
const INPUT = { folder: '/run/mesh-gateway', ca: 'PEM', lists: 'PEM', ipv6: true, open_files: 1024, ...PORTS };

/** The configuration of a section. Undefined: it was refused, in clear words. */
function configured(section: readonly IngressAssignment[], over: Partial<typeof INPUT> = {}): string | undefined {
  const certified = new Set(section.flatMap(({ id, tls }) => (tls === null || tls.chain === null ? [] : [id])));
  try {
    return nginxConfig({ ...INPUT, ...over, section, certified }).text;
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.match(error.message, /^ingress .* cannot be served: /s);
    return undefined;
  }
}

/** The same ingress with words that are known to be harmless, and what each of them stands for. */
function harmless(ingress: IngressAssignment): {
  readonly twin: IngressAssignment;
  readonly means: Map<string, string>;
} {
  const means = new Map([
    [ingressId(7), ingress.id],
    ['twin.example', ingress.hostname.includes(':') ? `[${ingress.hostname}]` : ingress.hostname],
  ]);
  /** What is empty stands for itself: it means that something is not there. */
  const valueFor = (value: string | null, place: string) => {
    if (value === null || value === '') return value;
    means.set(`value-${place}.`, value.replaceAll('$', DOLLAR));
    return `value-${place}.`;
  };
  const routes = ingress.routes.map((route, index) => {
    const [service, path] = [`service-${index}`, route.path === '/' ? '/' : `/path-${index}`];
    means.set(service, route.pools[0]?.service ?? '').set(path, route.path);
    const rules = (kind: string, all: AssignedRoute['traffic']['request_headers']) =>
      all.map(({ name, value }, at) => ({ name, value: valueFor(value, `${index}-${kind}-${at}`) }));
    const { request_headers, response_headers } = route.traffic;
    const traffic = {
      ...route.traffic,
      request_headers: rules('request', request_headers),
      response_headers: rules('response', response_headers),
    };
    return { ...route, path, traffic, pools: [{ service, percent: 100, targets: [] }] };
  });
  const { maintenance } = ingress;
  const message = encodeURIComponent(maintenance?.message.toWellFormed() ?? '').replaceAll('%20', ' ');
  if (message !== '') means.set('MESSAGE', message);
  const page = maintenance === null ? null : { ...maintenance, message: message === '' ? '' : 'MESSAGE' };
  const { tls } = ingress;
  const client_names = (tls?.client_names ?? []).map((name, index) => {
    means.set(`client-${index}.mesh`, name);
    return `client-${index}.mesh`;
  });
  const shown = tls?.client_names === undefined ? tls : { ...tls, client_names };
  const twin = { ...ingress, id: ingressId(7), hostname: 'twin.example', routes, maintenance: page, tls: shown };
  return { twin, means };
}

/** Stands for one that means itself, and begins no variable. */
const DOLLAR = '\ue000';
const CONSTANT = /^\$mesh_text_[0-9a-f]+$/;

/** With the texts in the places of the variables that hold them, which are no more than that. */
function withTexts(parsed: readonly Parsed[]): readonly Parsed[] {
  const texts = new Map<string, string>();
  const http = parsed.find(({ name }) => name === 'http')?.block ?? [];
  for (const { name, words, block } of http) {
    const [variable = '', ...more] = words;
    if (name !== 'geo' || !CONSTANT.test(variable)) continue;
    assert.deepEqual([more, block?.length, block?.[0]?.name, block?.[0]?.words.length], [[], 1, 'default', 1]);
    texts.set(`$\{${variable.slice(1)}}`, (block?.[0]?.words[0] ?? '').replaceAll('$', DOLLAR));
  }
  const isText = ({ name, words }: Parsed) => name === 'geo' && CONSTANT.test(words[0] ?? '');
  const word = (one: string) => one.replaceAll(/\$\{mesh_text_[0-9a-f]+\}/g, (found) => texts.get(found) ?? found);
  const inside = (all: readonly Parsed[]): readonly Parsed[] =>
    all
      .filter((one) => !isText(one))
      .map(({ words, block: within, ...rest }) => ({
        ...rest,
        words: words.map(word),
        ...(within === undefined ? {} : { block: inside(within) }),
      }));
  return inside(parsed);
}

/** What is the same in its twin, by a grammar in which nothing has a meaning for nginx. */
function assertHarmless({ routes, redirects, maintenance, proxies, tls }: IngressAssignment): void {
  assert.ok(tls?.clients !== 'required' || tls.redirect, 'no way around a certificate');
  for (const name of tls?.client_names ?? []) assert.match(name, /^[A-Za-z0-9.:/_-]+$/);
  const rules = routes.map(({ traffic }) => traffic);
  const lists = rules.flatMap(({ networks }) => [...networks.allow, ...networks.deny]);
  for (const one of [...lists, ...(maintenance?.allow ?? []), ...(proxies?.networks ?? [])]) {
    assert.match(one, /^[0-9a-f.:]+\/\d+$/);
    assert.ok(isIP(one.replace(/\/.*/, '')) > 0, one);
  }
  const names = rules.flatMap((one) => [...one.request_headers, ...one.response_headers].map(({ name }) => name));
  for (const name of [...names, ...(proxies === null ? [] : [proxies.header])]) assert.match(name, /^[A-Za-z0-9-]+$/);
  for (const { limits } of rules) if (limits.requests !== null) assert.match(limits.requests.rate, /^\d+\/[sm]$/);
  const numbers = rules.flatMap((one) => [
    one.limits.requests?.burst ?? 0,
    one.limits.connections ?? 0,
    one.max_body_bytes ?? 0,
    one.connect_timeout_s,
    one.idle_timeout_s,
  ]);
  for (const one of [...numbers, maintenance?.retry_after_s ?? 0]) assert.match(String(one), /^\d+$/);
  for (const { path, to } of redirects) {
    assert.match(path, /^\/[A-Za-z0-9._~/-]*$/);
    assert.match(to, /^(?:https?:\/\/[A-Za-z0-9.:-]+)?(?:\/(?!\/)[A-Za-z0-9._~!&'()*+,;=:@%/?-]*)?$/);
  }
}

function translated(parsed: readonly Parsed[], means: ReadonlyMap<string, string>): readonly Parsed[] {
  const word = (one: string) =>
    [...means].reduce((text, [from, to]) => (from === '/' ? text : text.replaceAll(from, to)), one);
  return parsed.map(({ name, words, block: inside, ...rest }) => ({
    ...rest,
    name: word(name),
    words: words.map(word),
    ...(inside === undefined ? {} : { block: translated(inside, means) }),
  }));
}

/** What names the text, or a route of it, is another one. */
function withoutGeneration(parsed: readonly Parsed[]): unknown {
  const text = JSON.stringify(parsed).replaceAll(/start\(\\"[0-9a-f]{32}\\"\)/g, 'start()');
  return JSON.parse(text.replaceAll(/"\$mesh_limited","[0-9a-f]{16}"/g, '"$mesh_limited","its route"'));
}

function withoutTls({ protocol }: AssignedRoute): 'grpc' | 'http' {
  return protocol === 'grpc' || protocol === 'grpcs' ? 'grpc' : 'http';
}

describe('a section of any content', () => {
  it('has the directives of a harmless one, with its own words in them, or is refused', () => {
    let [served, refused] = [0, 0];
    fc.assert(
      fc.property(ingress, (one) => {
        const rendered = configured([one]);
        if (rendered === undefined) {
          refused += 1;
          return;
        }
        served += 1;
        assertHarmless(one);
        const { twin, means } = harmless(one);
        const expected = translated(withTexts(parseNginx(configured([twin]) ?? assert.fail())), means);
        assert.deepEqual(withoutGeneration(withTexts(parseNginx(rendered))), withoutGeneration(expected));
      }),
      { numRuns: 600 },
    );
    assert.ok(served > 50 && refused > 50, `${served} served and ${refused} refused`);
  });

  it('says nothing of nodes, or of how they are checked and chosen', () => {
    const routes = (word: string) => [
      routeOf({
        balance: word,
        check: { path: word, body: word },
        targets: [targetOf(1, { name: word, address: word, node: word })],
      }),
    ];
    assert.equal(
      configured([ingressOf(1, { routes: routes('x;}') })]),
      configured([ingressOf(1, { routes: routes('y') })]),
    );
  });

  it('passes the test of nginx itself, when it is not refused', { timeout: 120_000 }, async () => {
    await using outside = await newFolder();
    await chmod(outside.path, 0o755);
    const folder = new GatewayFolder(join(outside.path, 'gateway'));
    await folder.prepare();
    for (const [name, text] of Object.entries(LUA_FILES)) await folder.write(luaFile(name), text);
    for (const [name, text] of Object.entries(NJS_FILES)) await folder.write(njsFile(name), text);
    await folder.write(GATEWAY_FILES.groups, groupsText([]));
    const authority = await meshCa();
    const trust = { ca: authority.root, lists: authority.lists().join('') };
    for (const [name, text] of namedByContent(trust)) await folder.write(name, text);
    // nginx would look for roots in it, and that has its own test.
    const plain = ingress.map((one) => ({
      ...one,
      routes: one.routes.map((route) => ({ ...route, protocol: withoutTls(route) })),
    }));
    const sections = fc.sample(fc.array(plain, { minLength: 1, maxLength: 3 }), { numRuns: 800, seed: 17 });
    const texts = sections
      .flatMap((section) => configured(section, { ...trust, folder: folder.path }) ?? [])
      .slice(0, 40);
    assert.equal(texts.length, 40);
    for (const word of ['ssl_verify_client', 'say_challenge', 'mesh_challenged:']) {
      assert.ok(texts.filter((text) => text.includes(word)).length > 3, word);
    }
    for (const text of texts) {
      await folder.write(GATEWAY_FILES.candidate, text);
      const tried = runCommand('nginx', [
        '-t',
        '-q',
        '-e',
        'stderr',
        '-p',
        `${folder.path}/`,
        '-c',
        folder.file(GATEWAY_FILES.candidate),
      ]);
      await tried.catch((error: unknown) =>
        assert.fail(`${error instanceof CommandError ? error.stderr : error}\n${text}`),
      );
    }
  });
});
