import { createHash, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';

/** `sha256:` and the SHA-256 of the key of a certificate (its SubjectPublicKeyInfo), in base64url. */
export const PIN_PATTERN = /^sha256:[A-Za-z0-9_-]{43}$/;

export function pinOf(certificate: X509Certificate): string {
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return `sha256:${createHash('sha256').update(key).digest('base64url')}`;
}

/** The other side has a key that is none of those it should have. Nothing was sent to it. */
export class PinMismatchError extends Error {
  override readonly name = 'PinMismatchError';
  readonly code = 'ERR_TLS_PIN_MISMATCH';
  /** Null: it showed no certificate. */
  readonly presented: string | null;

  constructor(presented: string | null) {
    super(`the certificate has the key ${presented ?? '(none)'}, which is not the one that was pinned`);
    this.presented = presented;
  }
}

export function checkPin(socket: TLSSocket, pins: readonly string[]): PinMismatchError | undefined {
  const certificate = socket.getPeerX509Certificate();
  const presented = certificate === undefined ? null : pinOf(certificate);
  return presented !== null && pins.includes(presented) ? undefined : new PinMismatchError(presented);
}

/** Ours: a server that answers at all does so by then. */
const LOOK_MS = 5000;

/**
 * The pin of the server at an address, trusted or not, for a person to compare. Nothing is sent but a TLS greeting.
 * Absent: no server answers in TLS.
 */
export function presentedPin(address: string): Promise<string | undefined> {
  const { hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  // This connection carries nothing, so the server need not be trusted.
  const greeting = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: LOOK_MS, ...greeting });
  const done = (pin?: string) => {
    resolve(pin);
    socket.destroy();
  };
  socket.once('secureConnect', () => {
    const certificate = socket.getPeerX509Certificate();
    done(certificate === undefined ? undefined : pinOf(certificate));
  });
  socket.once('timeout', () => done());
  socket.once('error', () => done()); // why it cannot be reached has been said
  return promise;
}
