/** Finds the description of the router's UPnP device (UPnP Device Architecture, 1.3). */
import { createSocket } from 'node:dgram';
import type { Gateway } from './gateway.ts';

const [GROUP, PORT] = ['239.255.255.250', 1900];
const DEVICES = [
  'urn:schemas-upnp-org:device:InternetGatewayDevice:2',
  'urn:schemas-upnp-org:device:InternetGatewayDevice:1',
] as const;
/** Ours: a device answers within a second, as it is asked to; a datagram may be lost. */
const ASK_AT_MS = [0, 700] as const;
const GIVE_UP_MS = 2500;
const MAX_ANSWER_BYTES = 4096;
const MAX_URL_LENGTH = 500;

/**
 * Asks the router, and all on its network, for there are routers that answer only one of these. Only what comes from the
 * router's own address and leads to it is believed.
 */
export async function findDescription(gateway: Gateway): Promise<string> {
  const found = Promise.withResolvers<string>();
  const socket = createSocket('udp4');
  const timers: NodeJS.Timeout[] = [];
  const ask = () => {
    for (const device of DEVICES) {
      for (const address of [gateway.address, GROUP]) {
        socket.send(searchFor(device), PORT, address, () => undefined); // one of them is enough
      }
    }
  };
  socket.on('error', found.reject);
  socket.on('message', (message, { address }) => {
    const location = address === gateway.address ? locationIn(message) : undefined;
    const url = location === undefined ? undefined : urlAt(gateway, location);
    if (url !== undefined) found.resolve(url);
  });
  socket.bind(0, gateway.from, () => {
    socket.setMulticastInterface(gateway.from);
    for (const at_ms of ASK_AT_MS) timers.push(setTimeout(ask, at_ms));
    timers.push(setTimeout(() => found.reject(new Error('it does not answer')), GIVE_UP_MS));
  });
  try {
    return await found.promise;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    socket.close();
  }
}

function searchFor(device: string): string {
  return [
    'M-SEARCH * HTTP/1.1',
    `HOST: ${GROUP}:${PORT}`,
    'MAN: "ssdp:discover"',
    'MX: 1',
    `ST: ${device}`,
    '',
    '',
  ].join('\r\n');
}

/** Undefined: it is no answer to a search, or says nothing of it. */
export function locationIn(message: Buffer): string | undefined {
  if (message.length > MAX_ANSWER_BYTES) return undefined;
  const [status = '', ...lines] = message.toString('latin1').split(/\r?\n/);
  if (!/^HTTP\/1\.[01] 200\b/.test(status)) return undefined;
  return lines.map((line) => /^location:\s*(\S+)\s*$/i.exec(line)?.[1]).find((one) => one !== undefined);
}

/** An address of the router's choosing is followed only to the router itself. Undefined: it leads elsewhere. */
export function urlAt({ address }: Pick<Gateway, 'address'>, text: string, base?: string): string | undefined {
  const url = text.length > MAX_URL_LENGTH ? null : URL.parse(text, base);
  if (url === null || url.protocol !== 'http:' || url.hostname !== address) return undefined;
  return url.username === '' && url.password === '' ? url.href : undefined;
}
