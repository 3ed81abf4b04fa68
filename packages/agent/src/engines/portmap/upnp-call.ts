/** HTTP with a UPnP router: its description, and what it is asked to do (UPnP Device Architecture, 3). */
import { http } from '../../host/http.ts';
import type { Gateway } from './gateway.ts';
import type { UpnpControl } from './mapping-protocol.ts';
import { type Element, elementsIn, escaped, readXml, textIn } from './small-xml.ts';
import { urlAt } from './ssdp.ts';

/** Ours: a router answers in a fraction of a second, and its description has some 10 KB. */
const TIMEOUT_MS = 3000;
const MAX_BYTES = 128 * 1024;
/** Best first. */
const SERVICES = [
  'urn:schemas-upnp-org:service:WANIPConnection:2',
  'urn:schemas-upnp-org:service:WANIPConnection:1',
  'urn:schemas-upnp-org:service:WANPPPConnection:1',
] as const;

/** What a router answers instead of doing it: see the documents of its service. */
export class UpnpFault extends Error {
  override readonly name = 'UpnpFault';
  readonly code: number;

  constructor(code: number) {
    super(`it answered with error ${code}`);
    this.code = code;
  }
}

/** The services of a router that map ports, best first. */
export async function readServices(gateway: Gateway, location: string): Promise<readonly UpnpControl[]> {
  const { status, text } = await exchange({ gateway, url: location });
  if (status !== 200) throw new Error(`it answered with status ${status}`);
  return servicesIn(readXml(text), gateway, location);
}

function servicesIn(description: Element, gateway: Gateway, location: string): UpnpControl[] {
  const all = elementsIn(description, 'service').flatMap((element) => {
    const service = textIn(element, 'serviceType') ?? '';
    const url = urlAt(gateway, textIn(element, 'controlURL') ?? '', location);
    return url === undefined ? [] : [{ service, url }];
  });
  return SERVICES.flatMap((wanted) => all.filter(({ service }) => service === wanted));
}

type Arguments = Readonly<Record<string, string | number>>;

/** Answers with what the router answers. Rejects with `UpnpFault` when it refuses. */
export async function callRouter(
  gateway: Gateway,
  { url, service }: UpnpControl,
  action: string,
  given: Arguments = {},
): Promise<Element> {
  const target = urlAt(gateway, url);
  if (target === undefined) throw new Error('its service is not at its own address');
  const values = Object.entries(given).map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`);
  const body = `<?xml version="1.0"?>\r\n<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body><u:${action} xmlns:u="${service}">${values.join('')}</u:${action}></s:Body></s:Envelope>\r\n`;
  const { status, text } = await exchange({
    gateway,
    url: target,
    body,
    headers: { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${service}#${action}"` },
  });
  const answer = readXml(text);
  const [response] = elementsIn(answer, `${action}Response`);
  if (status === 200 && response !== undefined) return response;
  const code = Number(textIn(answer, 'errorCode'));
  throw Number.isInteger(code) && code > 0 ? new UpnpFault(code) : new Error(`it answered with status ${status}`);
}

interface Exchange {
  readonly gateway: Gateway;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: it is only read. */
  readonly body?: string;
}

/** Never follows to another place. */
async function exchange({ gateway, url, headers = {}, body }: Exchange): Promise<{ status: number; text: string }> {
  const answered = Promise.withResolvers<{ status: number; text: string }>();
  const request = http.request(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, connection: 'close', ...(body === undefined ? {} : { 'content-length': body.length }) },
    agent: false,
    localAddress: gateway.from,
  });
  const timer = setTimeout(() => request.destroy(new Error('it does not answer in time')), TIMEOUT_MS);
  request.on('error', answered.reject);
  request.on('response', (response) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_BYTES) request.destroy(new Error(`it answers with more than ${MAX_BYTES} bytes`));
    });
    response.on('error', answered.reject);
    response.on('end', () =>
      answered.resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') }),
    );
  });
  request.end(body);
  try {
    return await answered.promise;
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}
