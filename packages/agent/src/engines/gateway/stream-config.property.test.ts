/** Whatever a record of the kinds `tls`, `tcp` and `udp` says, it is refused in clear words or means itself and nothing else to nginx. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import fc from 'fast-check';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { type Parsed, parseNginx } from '../../../test/nginx-parser.ts';
import { CommandError, runCommand } from '../../host/run-command.ts';
import { GATEWAY_FILES, luaFile, njsFile } from './gateway-files.ts';
import { GatewayFolder } from './gateway-folder.ts';
import { LUA_FILES } from './lua/program.ts';
import { nginxConfig } from './nginx-config.ts';
import { NJS_FILES } from './njs/program.ts';

const BREAKERS = [
  '"',
  "'",
  '\\',
  ';',
  '{',
  '}',
  '#',
  ' ',
  '(',
  ')',
  '~',
  '*',
  '@',
  '=',
  '\n',
  '\0',
  '$',
  '${',
  '/',
  '.',
  'a',
];
const anything = fc.string({ unit: fc.constantFrom(...BREAKERS) });
const mostly = <T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: good }, bad);
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
/** Words that mean something where names are listed, and names that begin like a character that is meant by a backslash. */
const special = fc.constantFrom('default', 'hostnames', 'include', 'volatile', 'news', 'tea', 'root');
const hostname = mostly(
  fc.oneof(
    fc.array(label, { minLength: 1, maxLength: 4 }).map((all) => all.join('.')),
    special,
  ),
  anything,
);
const port = mostly(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom(0, -1, 65_536, 1.5, Number.NaN));
const network = mostly(fc.constantFrom('10.0.0.0/8', '192.0.2.1/32', '2001:db8::/32', '::/0', '0.0.0.0/0'), anything);
const networks = fc.record({ allow: fc.array(network, { maxLength: 3 }), deny: fc.array(network, { maxLength: 3 }) });
const target = fc
  .record({ node: anything, name: anything, address: mostly(fc.ipV4(), anything), port, weight: fc.nat(100) })
  .map((over) => targetOf(1, over));
const ingress: fc.Arbitrary<IngressAssignment> = fc
  .record({
    id: mostly(fc.nat(99).map(ingressId), anything),
    kind: fc.constantFrom('tls', 'tcp', 'udp'),
    hostname,
    port,
    networks,
    connections: fc.option(mostly(fc.integer({ min: 1, max: 65_535 }), fc.constantFrom(0, 1.5))),
    idle_timeout_s: mostly(fc.integer({ min: 1, max: 86_400 }), fc.constantFrom(0, -1)),
    proxy_protocol: fc.boolean(),
    balance: anything,
    targets: fc.array(target, { maxLength: 4 }),
  })
  .map(({ id, kind, hostname: name, port: at, networks: lists, connections, idle_timeout_s, ...route }) => {
    const traffic = { ...DEFAULT_TRAFFIC, networks: lists, limits: { requests: null, connections }, idle_timeout_s };
    return ingressOf(1, {
      id,
      kind,
      hostname: name,
      port: at,
      routes: [routeOf({ protocol: 'tcp', ...route, traffic })],
    });
  });

/** Ours alone: nginx binds them for a moment when it tries a configuration. */
const FIRST_PORT = 10_000 + ((process.pid * 16 + 14) % 20_000);
const INPUT = { ca: undefined, ipv6: true, open_files: 1024, http_port: FIRST_PORT, https_port: FIRST_PORT + 1 };

/** Undefined: it was refused, in clear words. */
function configured(section: readonly IngressAssignment[], folder = '/run/mesh-gateway') {
  try {
    return nginxConfig({ ...INPUT, folder, section, certified: new Set() });
  } catch (error) {
    assert.ok(error instanceof Error);
    assert.match(error.message, /^ingress .* cannot be served: /s);
    return undefined;
  }
}

/** The same ingress with words that are known to be harmless, and what each of them stands for. */
function harmless({ kind, ...ingress }: IngressAssignment) {
  const means = new Map<string, string>([
    [ingressId(7), ingress.id],
    ['twin.example', ingress.hostname],
  ]);
  const [route] = ingress.routes;
  if (route === undefined) return assert.fail();
  const listed = (list: readonly string[], first: number) =>
    list.map((text, index) => {
      means.set(`203.0.${first + index}.0/24`, text);
      return `203.0.${first + index}.0/24`;
    });
  const { allow, deny } = route.traffic.networks;
  const traffic = { ...route.traffic, networks: { allow: listed(allow, 10), deny: listed(deny, 20) } };
  const twin = { ...ingress, kind, id: ingressId(7), hostname: 'twin.example', routes: [{ ...route, traffic }] };
  return { twin, means };
}

function translated(parsed: readonly Parsed[], means: ReadonlyMap<string, string>): readonly Parsed[] {
  const word = (one: string) => [...means].reduce((text, [from, to]) => text.replaceAll(from, to), one);
  return parsed.map(({ name, words, block: inside, ...rest }) => ({
    ...rest,
    name: word(name),
    words: words.map(word),
    ...(inside === undefined ? {} : { block: translated(inside, means) }),
  }));
}

const streamOf = (text: string) => parseNginx(text).filter(({ name }) => name === 'stream');

describe('a section of connections that are passed on, of any content', () => {
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
        const { twin, means } = harmless(one);
        const expected = translated(streamOf((configured([twin]) ?? assert.fail()).text), means);
        assert.deepEqual(streamOf(rendered.text), expected);
      }),
      { numRuns: 600 },
    );
    assert.ok(served > 50 && refused > 50, `${served} served and ${refused} refused`);
  });

  it('says nothing of nodes, or of how they are checked and chosen: they are no reason to load it', () => {
    const section = (word: string, ...targets: ReturnType<typeof targetOf>[]) => [
      ingressOf(1, {
        kind: 'tcp',
        port: 5432,
        routes: [routeOf({ protocol: 'tcp', balance: word, check: { path: word }, targets })],
      }),
    ];
    const one = configured(section('x;}', targetOf(1), targetOf(2))) ?? assert.fail();
    const other = configured(section('y', targetOf(3, { name: 'z' }))) ?? assert.fail();
    assert.deepEqual([one.text, one.generation], [other.text, other.generation]);
    assert.notEqual(one.groups, other.groups);
  });

  it('groups nodes by their addresses, and has nothing else of them', () => {
    fc.assert(
      fc.property(fc.array(target, { maxLength: 5 }), (targets) => {
        const rendered = configured([
          ingressOf(1, { kind: 'tcp', port: 5432, routes: [routeOf({ protocol: 'tcp', targets })] }),
        ]);
        const [known, ...groups] = parseNginx(rendered?.groups ?? '');
        const place = /^(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}$/;
        assert.equal(known?.name, 'map');
        for (const { name, block = [] } of groups) {
          assert.equal(name, 'upstream');
          assert.ok(block.every((server) => server.name === 'server' && place.test(server.words[0] ?? '')));
        }
      }),
    );
  });

  it('passes the test of nginx itself, when it is not refused', { timeout: 120_000 }, async () => {
    await using outside = await newFolder();
    await chmod(outside.path, 0o755);
    const folder = new GatewayFolder(join(outside.path, 'gateway'));
    await folder.prepare();
    for (const [name, text] of Object.entries(LUA_FILES)) await folder.write(luaFile(name), text);
    for (const [name, text] of Object.entries(NJS_FILES)) await folder.write(njsFile(name), text);
    const sections = fc.sample(fc.array(ingress, { minLength: 1, maxLength: 3 }), { numRuns: 600, seed: 23 });
    const names = ['default', 'hostnames', 'include', 'volatile', 'news', 'tea', 'root'];
    const reserved = names.map((name, index) =>
      ingressOf(index, { kind: 'tls', hostname: name, routes: [routeOf({ protocol: 'tcp' })] }),
    );
    const configs = [reserved, ...sections].flatMap((section) => configured(section, folder.path) ?? []).slice(0, 25);
    assert.equal(configs.length, 25);
    for (const { text, groups } of configs) {
      await folder.write(GATEWAY_FILES.candidate, text);
      await folder.write(GATEWAY_FILES.groups, groups);
      const candidate = folder.file(GATEWAY_FILES.candidate);
      const tried = runCommand('nginx', ['-t', '-q', '-e', 'stderr', '-p', `${folder.path}/`, '-c', candidate]);
      await tried.catch((error: unknown) =>
        assert.fail(`${error instanceof CommandError ? error.stderr : error}\n${text}\n${groups}`),
      );
    }
  });
});
