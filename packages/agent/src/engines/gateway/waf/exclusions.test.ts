/** Exclusions, by real requests: exactly as wide as they say, for every spelling of a path. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { exclusionOf, policyOf, wafId } from '../../../../test/waf-section.ts';

const WWW = 'www-1.example.com';
const SQLI = encodeURIComponent("1' or '1'='1");
const XSS = encodeURIComponent('<script>alert(1)</script>');

/** What a service may take a path for, however it decodes it: pessimistic, and written apart from what is tested. */
function takenFor(path: string): string {
  let text = path.split(/[?#]/, 1)[0] ?? '';
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
  const segments: string[] = [];
  for (const raw of text.replaceAll('\\', '/').split('/')) {
    const segment = raw.replace(/[;?#\0].*$/, '');
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

describe('an exclusion', { timeout: 100_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (...exclusions: readonly ReturnType<typeof exclusionOf>[]) => {
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    const section = [ingressOf(1, { routes }), ingressOf(2, { routes })];
    return scene.server.serve({ section, ca: undefined, policies: [policyOf(1, { exclusions: [...exclusions] })] });
  };
  const passes = async (path: string, asked = {}, host = WWW) =>
    (await scene.ask(host, { path, ...asked })).status === 200;

  it('holds for its host, its path and its parameter, and for nothing beside them', async () => {
    const q = { part: 'argument', name: 'q' } as const;
    await serve(
      exclusionOf({ rule: 942100, path: '/a', parameter: q }),
      exclusionOf({ tag: 'attack-xss', path: '/b', below: true }),
      exclusionOf({ tag: 'attack-sqli', path: '/h', parameter: { part: 'header', name: 'X-Text' } }),
      exclusionOf({ rule: 942100, path: '/j', parameter: { part: 'argument', name: 'json.user.name' } }),
    );
    assert.ok(await passes(`/a?q=${SQLI}`));
    assert.ok(
      await passes(`/a?q=${SQLI}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `q=${SQLI}`,
      }),
    );
    assert.ok(!(await passes(`/a?p=${SQLI}`)), 'another parameter');
    assert.ok(!(await passes(`/a?q=${XSS}`)), 'another rule');
    assert.ok(!(await passes(`/a/b?q=${SQLI}`)), 'below it');
    assert.ok(!(await passes(`/a?q=${SQLI}`, {}, 'www-2.example.com')), 'another host');
    assert.ok(!(await passes(`/a?q=${SQLI}`, { headers: { host: 'www-2.example.com' } })), 'another host');
    assert.ok(await passes(`/b?q=${XSS}`));
    assert.ok(await passes(`/b/c?q=${XSS}`));
    assert.ok(!(await passes(`/bc?q=${XSS}`)), 'beside it');
    assert.ok(!(await passes(`/b?q=${SQLI}`)), 'another tag');
    const json = (body: object) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(await passes('/j', json({ user: { name: "1' or '1'='1" } })));
    assert.ok(!(await passes('/j', json({ user: { nick: "1' or '1'='1" } }))));
  });

  it('never takes away the rules that judge', async () => {
    await serve(
      exclusionOf({ tag: 'attack-generic', path: '/', below: true }),
      exclusionOf({ rule: 949110, path: '/', below: true }),
      exclusionOf({ tag: 'meshwork/rule', path: '/', below: true }),
    );
    assert.ok(!(await passes(`/?q=${SQLI}`)));
  });

  it('is not reached by another spelling of a path', async () => {
    await serve(exclusionOf({ tag: 'attack-sqli', path: '/open', below: true }));
    const clean = [
      '/open',
      '/open/',
      '/open/x',
      '/open/x/',
      '/open/x.html',
      '/open/a%20b',
      '/open/~x/(1),2:3@4',
      '/open/.x',
    ];
    for (const path of clean) assert.ok(await passes(`${path}?q=${SQLI}`), path);
    const pieces = [
      'open',
      'x',
      '..',
      '.',
      '%2e%2e',
      '%2E.',
      '..;',
      '..%00',
      '',
      '%2f',
      '%5c',
      '%5C..',
      '%252e%252e',
      '..%2fx',
      '%c0%ae%c0%ae',
      'OPEN',
      'op%65n',
      'open;x',
      '...',
      '%ef%bc%8e%ef%bc%8e',
      'x%3b',
      'x%23',
    ];
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const spelled = new Set(pieces.map((piece) => `/open/${piece}/x`));
    for (let count = 0; count < 200; count += 1) {
      const length = 1 + next(4);
      const picked = Array.from({ length }, () => pieces[next(pieces.length)] ?? '');
      spelled.add(`/${next(2) === 0 ? 'open/' : ''}${picked.join('/')}`);
    }
    const wrong: string[] = [];
    for (const path of spelled) {
      const isOpen = takenFor(path) === '/open' || takenFor(path).startsWith('/open/');
      if (!isOpen && (await passes(`${path}?q=${SQLI}`))) wrong.push(path);
    }
    assert.deepEqual(wrong, []);
  });
});
