/** The request of the test bench, as bytes. Its parts cannot end their line or begin another request. */
import { formatAddress, parseAddress } from '@meshwork/addresses';
import type { Probe } from '@meshwork/contract';

type TestRequest = NonNullable<Probe['waf']>['request'];

const METHOD = /^[A-Z][A-Z-]{0,19}$/;
const HOST = /^[a-z0-9:](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/;
const URI = /^\/[\x21-\x7e]*$/;
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const VALUE = /^[\x20-\x7e]*$/;
/** They say where the request ends, and are made here. */
const OURS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'];

export function requestText({ method, host, uri, headers, body, address }: TestRequest): Buffer {
  const named = host.includes(':') ? `[${host}]` : host;
  const given = headers.filter(({ name }) => !OURS.includes(name.toLowerCase()));
  const isSound =
    METHOD.test(method) &&
    HOST.test(host) &&
    URI.test(uri) &&
    given.every(({ name, value }) => NAME.test(name) && VALUE.test(value));
  if (!isSound) throw new Error('the request is none that could be sent');
  const content = Buffer.from(body ?? '');
  const lines = [
    `${method} ${uri} HTTP/1.1`,
    `Host: ${named}`,
    ...given.map(({ name, value }) => `${name}: ${value}`),
    ...(body === null ? [] : [`Content-Length: ${content.length}`]),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${proxyLine(address)}${lines.join('\r\n')}\r\n\r\n`), content]);
}

/** As the PROXY protocol has it. */
function proxyLine(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error(`${JSON.stringify(address)} is no address`);
  const text = formatAddress(parsed);
  return text.includes(':') ? `PROXY TCP6 ${text} ::1 1024 443\r\n` : `PROXY TCP4 ${text} 127.0.0.1 1024 443\r\n`;
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
