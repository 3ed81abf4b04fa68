import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Gateway } from '../src/engines/portmap/gateway.ts';

type Given = Readonly<Record<string, string>>;
/** What it answers with, or the number of the error. */
export type ScriptedAnswer = Given | number;

interface Script {
  /** By the action. One that is not there is an error. */
  readonly actions: Readonly<Record<string, (given: Given) => ScriptedAnswer>>;
  /** Absent: it leads to the router itself. */
  readonly location?: ((own: string) => string) | undefined;
  /** Instead of the description. */
  readonly describe?: ((response: ServerResponse) => void) | undefined;
}

interface ScriptedRouter extends AsyncDisposable {
  readonly gateway: Gateway;
  /** The actions that it was asked for, with what was given. */
  readonly asked: readonly (readonly [string, Given])[];
  /** The paths that were read. */
  readonly read: readonly string[];
}

const SERVICE = 'urn:schemas-upnp-org:service:WANIPConnection:1';
const DESCRIPTION = `<root><device><serviceList>
  <service><serviceType>urn:x:Other:1</serviceType><controlURL>/other</controlURL></service>
  <service><serviceType>${SERVICE}</serviceType><controlURL>/control</controlURL></service>
</serviceList></device></root>`;

/** A UPnP router that does what a test needs of one that is broken or lies. A real one is in the tests of the lab. */
export async function scriptedRouter({ actions, location, describe }: Script): Promise<ScriptedRouter> {
  // On a loopback address of its own, for the port of SSDP is fixed.
  const address = `127.${randomInt(100, 200)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const asked: (readonly [string, Given])[] = [];
  const read: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      read.push(request.url ?? '');
      if (request.method === 'GET') return describe === undefined ? response.end(DESCRIPTION) : describe(response);
      const action = /#(\w+)"/.exec(String(request.headers.soapaction))?.[1] ?? '';
      const given = Object.fromEntries(
        [...body.matchAll(/<(New\w+)>([^<]*)</g)].map(([, name, value]) => [name, value]),
      );
      asked.push([action, given]);
      const answer = actions[action]?.(given) ?? 401;
      if (typeof answer === 'number') response.statusCode = 500;
      response.end(typeof answer === 'number' ? fault(answer) : done(action, answer));
    });
  });
  server.listen(0, address);
  await once(server, 'listening');
  const own = `http://${address}:${(server.address() as AddressInfo).port}/description.xml`;
  const ssdp = createSocket('udp4');
  ssdp.on('message', (_, { port, address: to }) => {
    ssdp.send(`HTTP/1.1 200 OK\r\nST: x\r\nLocation: ${location?.(own) ?? own}\r\n\r\n`, port, to);
  });
  ssdp.bind(1900, address);
  await once(ssdp, 'listening');
  return {
    gateway: { address, from: '127.0.0.1' },
    asked,
    read,
    [Symbol.asyncDispose]: async () => {
      ssdp.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function done(action: string, answer: Given): string {
  const values = Object.entries(answer).map(([name, value]) => `<${name}>${value}</${name}>`);
  return envelope(`<u:${action}Response xmlns:u="${SERVICE}">${values.join('')}</u:${action}Response>`);
}

function fault(code: number): string {
  return envelope(`<s:Fault><detail><UPnPError><errorCode>${code}</errorCode></UPnPError></detail></s:Fault>`);
}

function envelope(body: string): string {
  return `<?xml version="1.0"?><s:Envelope xmlns:s="x"><s:Body>${body}</s:Body></s:Envelope>`;
}
