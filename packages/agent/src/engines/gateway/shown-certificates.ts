/**
 * Which certificate clients get: asked of nginx itself, by handshakes over a socket of ours. What is in a file proves nothing of what nginx
 * makes of it.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { connect as connectSocket, isIP } from 'node:net';
import { connect } from 'node:tls';
import type { IngressAssignment } from '@meshwork/contract';
import { messageOf } from '../../message-of.ts';
import { served } from './server-blocks.ts';

/** Ours: nginx answers within milliseconds. */
const WITHIN_MS = 2000;
const AT_ONCE = 8;
/** The sockets behind a port that is shared take it before every connection. This says nothing of where it came from. */
const PROXY_PROTOCOL = 'PROXY UNKNOWN\r\n';

/** What was found for one ingress. */
export type Shown = { readonly fingerprint: string } | { readonly fault: string };

/** Of all ingresses that show a given certificate and are served, by id. `socket`: where nginx takes connections for HTTPS from us. */
export async function shownCertificates(
  section: readonly IngressAssignment[],
  certified: { has(id: string): boolean },
  socket: string,
): Promise<ReadonlyMap<string, Shown>> {
  const asked = served(section.filter(({ kind }) => kind === 'http')).filter(
    ({ id, tls }) => tls?.given !== undefined && certified.has(id),
  );
  const shown = new Map<string, Shown>();
  const waiting = [...asked];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      shown.set(next.id, await shownFor(next.hostname, socket));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return shown;
}

function shownFor(hostname: string, path: string): Promise<Shown> {
  const { promise, resolve } = Promise.withResolvers<Shown>();
  const connection = connectSocket({ path });
  connection.write(PROXY_PROTOCOL);
  // Whether it is to be believed is for clients to say.
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
  const secure = connect({ socket: connection, rejectUnauthorized: false, ...servername });
  const failed = (error: unknown) => resolve({ fault: messageOf(error) });
  connection.on('error', failed);
  secure.on('error', failed);
  secure.on('close', () => failed(new Error('nginx ended the handshake')));
  secure.setTimeout(WITHIN_MS, () => failed(new Error(`nginx did not answer within ${WITHIN_MS / 1000} s`)));
  secure.on('secureConnect', () => {
    const { raw } = secure.getPeerCertificate();
    resolve(raw === undefined ? { fault: 'nginx shows none' } : { fingerprint: sha256(raw) });
  });
  return promise.finally(() => {
    secure.destroy();
    connection.destroy();
  });
}

export function fingerprintOf(shown: Shown | undefined): string | undefined {
  return shown !== undefined && 'fingerprint' in shown ? shown.fingerprint : undefined;
}

/** What has to be taken back by ingress, because nginx shows nothing with it. `before`: what it had, in PEM. */
export function takenBack(
  pems: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, Shown>,
  before: ReadonlyMap<string, string>,
) {
  const back = { pems: new Map<string, string>(), problems: new Map<string, string>(), faults: [] as string[] };
  for (const [id, shown] of found) {
    const pem = pems.get(id) ?? '';
    if (fingerprintOf(shown) === sha256(new X509Certificate(pem).raw)) continue;
    const why = 'fault' in shown ? shown.fault : 'it shows another one';
    const problem = `nginx cannot show the certificate that was brought for it: ${why}`;
    back.problems.set(id, problem);
    back.faults.push(`${id}: ${problem}`);
    const last = before.get(id);
    if (last !== undefined && last !== pem) back.pems.set(id, last);
  }
  return back;
}

function sha256(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}
