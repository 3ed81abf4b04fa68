/** Whatever a record says, it is refused in clear words or means itself and nothing else to nginx. */
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import fc from 'fast-check';
import { ingressId, ingressOf, routeOf, targetOf } from '../../../test/ingress-section.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { type Parsed, parseNginx } from '../../../test/nginx-parser.ts';
import { CommandError, runCommand } from '../../host/run-command.ts';
import { GATEWAY_FILES, luaFile } from './gateway-files.ts';
import { GatewayFolder } from './gateway-folder.ts';
import { LUA_FILES } from './lua/program.ts';
import { nginxConfig } from './nginx-config.ts';
import { block, type Directive, directive, nginxText } from './nginx-text.ts';

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
const mostly = (good: fc.Arbitrary<string>) => fc.oneof({ weight: 6, arbitrary: good }, anything, printable);
const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?$/);
const hostname = mostly(fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')));
const path = mostly(
  fc
    .array(fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,12}$/), { maxLength: 3 })
    .map((parts) => `/${parts.join('/')}`),
);
const text = fc.oneof(anything, printable);
const target = fc
  .record({ node: text, name: text, address: text, port: fc.nat(), weight: fc.nat(100) })
  .map((over) => targetOf(1, over));
const route: fc.Arbitrary<AssignedRoute> = fc
  .record({
    path,
    service: mostly(label),
    balance: text,
    protocol: fc.constantFrom('http', 'https'),
    target,
    check: text,
  })
  .map(({ path, service, balance, protocol, target, check }) =>
    routeOf({
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
    tls: fc.option(fc.record({ chain: text, redirect: fc.boolean() })),
  })
  .map((over) => ingressOf(1, over));

/** Ours alone: nginx binds them for a moment when it tries a configuration. */
const FIRST_PORT = 10_000 + ((process.pid * 16 + 14) % 20_000);
const PORTS = { http_port: FIRST_PORT, https_port: FIRST_PORT + 1 };
const INPUT = { folder: '/run/mesh-gateway', ca: 'PEM', ipv6: true, open_files: 1024, ...PORTS };

/** The configuration of a section. Undefined: it was refused, in clear words. */
function configured(section: readonly IngressAssignment[], folder = INPUT.folder): string | undefined {
  const certified = new Set(section.flatMap(({ id, tls }) => (tls === null ? [] : [id])));
  try {
    return nginxConfig({ ...INPUT, folder, section, certified }).text;
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
  const routes = ingress.routes.map((route, index) => {
    const [service, path] = [`service-${index}`, route.path === '/' ? '/' : `/path-${index}`];
    means.set(service, route.pools[0]?.service ?? '').set(path, route.path);
    return { ...route, path, pools: [{ service, percent: 100, targets: [] }] };
  });
  return { twin: { ...ingress, id: ingressId(7), hostname: 'twin.example', routes }, means };
}

function translated(parsed: readonly Parsed[], means: ReadonlyMap<string, string>): readonly Parsed[] {
  const word = (one: string) =>
    [...means].reduce((text, [from, to]) => (from === '/' ? text : text.replaceAll(from, to)), one);
  return parsed.map(({ words, block: inside, ...rest }) => ({
    ...rest,
    words: words.map(word),
    ...(inside === undefined ? {} : { block: translated(inside, means) }),
  }));
}

/** Names the text, which is another one. */
function withoutGeneration(parsed: readonly Parsed[]): unknown {
  return JSON.parse(JSON.stringify(parsed).replaceAll(/start\(\\"[0-9a-f]{32}\\"\)/g, 'start()'));
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
        const { twin, means } = harmless(one);
        const expected = translated(parseNginx(configured([twin]) ?? assert.fail()), means);
        assert.deepEqual(withoutGeneration(parseNginx(rendered)), withoutGeneration(expected));
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
    // nginx would look for roots in it, and that has its own test.
    const plain = ingress.map((one) => ({
      ...one,
      routes: one.routes.map((route) => ({ ...route, protocol: 'http' as const })),
    }));
    const sections = fc.sample(fc.array(plain, { minLength: 1, maxLength: 3 }), { numRuns: 400, seed: 17 });
    const texts = sections.flatMap((section) => configured(section, folder.path) ?? []).slice(0, 25);
    assert.equal(texts.length, 25);
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
