import { readFile } from 'node:fs/promises';
import { Agent, fetch } from 'undici';

/** What TLS towards the coordinator goes by. Empty: whom the system trusts. */
export interface Trust {
  readonly ca?: string;
  readonly allowPartialTrustChain?: boolean;
  readonly checkServerIdentity?: () => undefined;
}

/**
 * Trusts whoever has this very certificate, and nobody else, under whatever name: the panel is told which coordinator is its
 * own, and reaches it by an address that is in no certificate, such as 127.0.0.1.
 */
export async function trustOf(cert_file: string | undefined): Promise<Trust> {
  if (cert_file === undefined) return {};
  // The first counts, as it does in TLS: what follows in a chain is whoever signed for it, and for others too.
  const [cert] =
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.exec(await readFile(cert_file, 'utf8')) ?? [];
  if (cert === undefined) throw new Error(`${cert_file} holds no certificate in PEM.`);
  return { ca: cert, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

export function fetchTrusting(trust: Trust): typeof globalThis.fetch {
  if (trust.ca === undefined) return globalThis.fetch;
  const dispatcher = new Agent({ connect: trust });
  // The same function as the global one, of the version that this dispatcher belongs to.
  return ((url: string, options: object) =>
    fetch(url, { ...options, dispatcher })) as unknown as typeof globalThis.fetch;
}
