/** An attack gets to no service because of how its body is written, and what cannot be read is refused. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import type { WafReport } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { until } from '../../../../test/namespaces.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';
import { CHECKS } from './rule-numbers.ts';

const [FORM, JSON_TYPE, XML] = ['application/x-www-form-urlencoded', 'application/json', 'application/xml'];
const X = '<script>alert(1)</script>';
const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;';
const utf16 = (text: string) => Buffer.from(text, 'utf16le').toString('latin1');
const deep = (levels: number, value: string) => '['.repeat(levels) + JSON.stringify(value) + ']'.repeat(levels);
const multipart = (text: string) => ['multipart/form-data; boundary=B', text.replaceAll(/\r?\n/g, '\r\n')] as const;
const part = (headers: string, body: string) =>
  multipart(`--B\nContent-Disposition: form-data; ${headers}\n\n${body}\n--B--\n`);

type Body = readonly [type: string, body: string, headers?: Readonly<Record<string, string>>];

/** Rules of the rule set find it. */
const FOUND: Readonly<Record<string, Body>> = {
  'in percent encoding': [FORM, `a=${encodeURIComponent(X)}`],
  'encoded twice': [FORM, `a=${encodeURIComponent(encodeURIComponent(X))}`],
  'in the encoding of JavaScript': [FORM, 'a=%u003cscript%u003ealert(1)'],
  'in entities of HTML': [FORM, `a=${encodeURIComponent(ESCAPED)}`],
  'in overlong UTF-8': [FORM, 'a=%c0%bcscript%c0%bealert(1)%c0%bc/script%c0%be'],
  'in wide characters': [FORM, 'a=%EF%BC%9Cscript%EF%BC%9Ealert(1)'],
  'with a NUL in it': [FORM, 'a=<scr%00ipt>alert(1)</script>'],
  'behind a semicolon': [FORM, `x=1;a=${X}`],
  'in a form that says it is UTF-7': [`${FORM}; charset=utf-7`, 'a=+ADw-script+AD4-alert(1)'],
  'in a form that says it is EBCDIC': [`${FORM}; charset=ibm037`, '%81=%4c%a2%83%99'],
  'in text of UTF-16': ['text/plain', utf16(X)],
  'in JSON': [JSON_TYPE, JSON.stringify({ a: X })],
  'in JSON, escaped': [JSON_TYPE, '{"a":"\\u003cscript\\u003ealert(1)\\u003c/script\\u003e"}'],
  'in JSON, under a name that is there again': [JSON_TYPE, `{"a":"${X}","a":"x"}`],
  'in JSON, as the second of its name': [JSON_TYPE, `{"a":"x","a":"${X}"}`],
  'in JSON, as a name': [JSON_TYPE, JSON.stringify({ [X]: 1 })],
  'in JSON, a hundred levels deep': [JSON_TYPE, deep(100, X)],
  'in JSON of another kind': ['application/ld+json', JSON.stringify({ a: X })],
  'in JSON whose type is in capitals': ['APPLICATION/JSON', JSON.stringify({ a: X })],
  'in JSON that says it is text': ['text/plain', JSON.stringify({ a: X })],
  'in JSON that says it is a form': [FORM, JSON.stringify({ a: X })],
  'in a type that there is not': ['foo/bar', X],
  'in two types': ['text/plain, application/json', JSON.stringify({ a: X })],
  'in the text of XML': [XML, `<a>${ESCAPED}</a>`],
  'in an attribute of XML': [XML, `<a b="${ESCAPED}"/>`],
  'in a section of XML': [XML, `<a><![CDATA[${X}]]></a>`],
  'in SOAP': ['application/soap+xml', `<a>${ESCAPED}</a>`],
  'in a part of a form': part('name="a"', X),
  'in a part of a form whose type is in capitals': ['Multipart/Form-Data; boundary=B', part('name="a"', X)[1]],
  'in a part within a part': part('name="a"\nContent-Type: multipart/mixed; boundary=C', `--C\n\n${X}\n--C--`),
  'in parts of another kind': ['multipart/related; boundary=B', `--B\r\n\r\n${X}\r\n--B--\r\n`],
  'in a part in base64': part('name="a"\nContent-Transfer-Encoding: base64', 'PHNjcmlwdD4='),
  'in a part of UTF-7': part('name="a"\nContent-Type: text/plain; charset=utf-7', '+ADw-script+AD4-'),
  'in a form that says so in a part': part('name="_charset_"', 'utf-7'),
};

/** The policy itself refuses it, by the number of its check. */
const REFUSED: Readonly<Record<string, readonly [check: number, ...Body]>> = {
  compressed: [CHECKS.content_encoding, FORM, gzipSync(`a=${X}`).toString('latin1'), { 'content-encoding': 'gzip' }],
  deflated: [
    CHECKS.content_encoding,
    FORM,
    deflateSync(`a=${X}`).toString('latin1'),
    { 'content-encoding': 'deflate' },
  ],
  'in several encodings': [CHECKS.content_encoding, FORM, 'a=1', { 'content-encoding': 'identity, gzip' }],
  'in JSON of UTF-16': [CHECKS.body_not_understood, JSON_TYPE, utf16(JSON.stringify({ a: X }))],
  'in JSON that ends too early': [CHECKS.body_not_understood, JSON_TYPE, '{"a":'],
  'behind JSON': [CHECKS.body_not_understood, JSON_TYPE, `{"a":1} ${X}`],
  'in JSON with comments': [CHECKS.body_not_understood, JSON_TYPE, `/*x*/{"a":"${X}"}`],
  'in JSON with single quotes': [CHECKS.body_not_understood, JSON_TYPE, `{'a':'${X}'}`],
  'in JSON that is too deep': [CHECKS.body_not_understood, JSON_TYPE, deep(5000, 'ok')],
  'in XML that ends too early': [CHECKS.body_not_understood, XML, '<a>'],
  'in XML with a file as an entity': [
    CHECKS.xml_document_type,
    XML,
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
  ],
  'in XML with an entity': [CHECKS.xml_document_type, XML, '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  'in XML with a document type elsewhere': [
    CHECKS.xml_document_type,
    XML,
    '<!doctype a SYSTEM "http://192.0.2.1/a.dtd"><a/>'.replace('doctype', 'DOCTYPE'),
  ],
  'in XML of UTF-16': [CHECKS.xml_encoding, XML, `\xff\xfe${utf16(`<a>${ESCAPED}</a>`)}`],
  'in XML of another encoding': [CHECKS.xml_encoding, XML, '<?xml version="1.0" encoding="ISO-2022-JP"?><a>b</a>'],
  'in parts without an end': [
    CHECKS.body_not_understood,
    ...multipart('--B\nContent-Disposition: form-data; name="a"\n\nx\n'),
  ],
  'in parts with line feeds alone': [
    CHECKS.multipart,
    'multipart/form-data; boundary=B',
    `--B\nContent-Disposition: form-data; name="a"\n\n${X}\n--B--\n`,
  ],
  'in parts without a boundary': [CHECKS.body_not_understood, 'multipart/form-data', part('name="a"', X)[1]],
  'in parts with two boundaries': [
    CHECKS.body_not_understood,
    'multipart/form-data; boundary=A; boundary=B',
    part('name="a"', X)[1],
  ],
  'in a part with two names': [CHECKS.body_not_understood, ...part('name="b"; name="a"', X)],
  'in a part with an encoded file name': [
    CHECKS.body_not_understood,
    ...part('name="a"; filename*=utf-8\'\'x.php', 'x'),
  ],
  'before the parts': [
    CHECKS.multipart,
    ...multipart(`${X}\n--B\nContent-Disposition: form-data; name="a"\n\nok\n--B--\n`),
  ],
  'behind the parts': [
    CHECKS.multipart,
    ...multipart(`${part('name="a"', 'ok')[1]}--B\nContent-Disposition: form-data; name="a"\n\n${X}\n--B--\n`),
  ],
  'in a header of a part that is folded': [
    CHECKS.multipart,
    ...multipart(`--B\nContent-Disposition: form-data;\n name="a"\n\n${X}\n--B--\n`),
  ],
  'in an argument that is too long': [CHECKS.argument_length, FORM, `a=<script>${'<x onload=a '.repeat(50_000)}`],
  'in a name that is too long': [CHECKS.argument_length, FORM, `<script>${'x'.repeat(70_000)}=1`],
  'in XML with text that is too long': [CHECKS.argument_length, XML, `<a>${'x onload=a '.repeat(50_000)}</a>`],
  'in too many arguments': [
    CHECKS.arguments,
    FORM,
    Array.from({ length: 1001 }, (_, index) => `a${index}=${X}`).join('&'),
  ],
};

const HARMLESS: Readonly<Record<string, Body>> = {
  'a form': [FORM, 'name=J%C3%BCrgen&text=caf%C3%A9+%26+bar'],
  JSON: [JSON_TYPE, JSON.stringify({ name: 'J\xc3\xbcrgen', tags: ['a', 'b'], nested: { deep: [1, 2, { x: null }] } })],
  XML: [XML, '<?xml version="1.0" encoding="UTF-8"?><order id="7"><item count="2">tea</item></order>'],
  'XML of Latin-1': [XML, '<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>'],
  'a file': part('name="f"; filename="notes.txt"\nContent-Type: text/plain', 'hello'),
  'a long argument': [FORM, `a=${'word '.repeat(12_000)}`],
};

describe('bodies that the WAF reads', { timeout: 120_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  before(async () => {
    scene = await gatewayScene();
    web = await scene.service('web');
    const [blocking, detecting] = [1, 2].map((number) => [routeOf({ targets: [web.target(1)], waf: wafId(number) })]);
    const section = [ingressOf(1, { routes: blocking ?? [] }), ingressOf(2, { routes: detecting ?? [] })];
    const policies = [policyOf(1), policyOf(2, { mode: 'detect' })];
    await scene.server.serve({ section, ca: undefined, policies });
  });
  after(() => scene[Symbol.asyncDispose]());

  const ask = async (number: number, [type, body, headers]: Body) => {
    web.requests.length = 0;
    const asked = { path: '/', method: 'POST', headers: { 'content-type': type, ...headers } };
    const { status } = await scene.ask(`www-${number}.example.com`, { ...asked, body: Buffer.from(body, 'latin1') });
    return { status, reached: web.requests.length };
  };
  const event = async (): Promise<WafReport | undefined> => {
    let found: WafReport | undefined;
    await until('its event', async () => {
      await scene.waf.read();
      const observed = scene.waf.observed() ?? {};
      await scene.waf.reported(observed);
      [found] = observed.events ?? [];
      return found !== undefined;
    });
    return found;
  };

  for (const [name, body] of Object.entries(FOUND)) {
    it(`finds an attack ${name}`, async () => {
      assert.deepEqual(await ask(1, body), { status: 403, reached: 0 });
      assert.equal((await event())?.verdict, 'blocked');
      assert.deepEqual(await ask(2, body), { status: 200, reached: 1 });
      assert.equal((await event())?.verdict, 'detected');
    });
  }

  for (const [name, [check, ...body]] of Object.entries(REFUSED)) {
    it(`refuses what is ${name}, and records why`, async () => {
      assert.deepEqual(await ask(1, body), { status: 403, reached: 0 });
      const blocked = await event();
      assert.deepEqual([blocked?.verdict, blocked?.matches.some(({ rule }) => rule === check)], ['blocked', true]);
      assert.deepEqual(await ask(2, body), { status: 200, reached: 1 });
      const detected = await event();
      assert.deepEqual([detected?.verdict, detected?.matches.some(({ rule }) => rule === check)], ['detected', true]);
    });
  }

  for (const [name, body] of Object.entries(HARMLESS)) {
    it(`lets ${name} pass, and records nothing`, async () => {
      for (const number of [1, 2]) assert.deepEqual(await ask(number, body), { status: 200, reached: 1 });
      await scene.waf.read();
      assert.deepEqual(scene.waf.observed()?.events ?? [], []);
    });
  }
});
