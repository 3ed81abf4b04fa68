import { readFile } from 'node:fs/promises';
import { Agent, fetch } from 'undici';

/** TLS options for the coordinator. Empty: the trust store of the system. */
export interface Trust {
  readonly ca?: string;
  readonly allowPartialTrustChain?: boolean;
  readonly checkServerIdentity?: () => undefined;
}

/**
 * Trusts only this certificate, under any name: the configuration names the coordinator's certificate, and the panel may reach it at an
 * address that no certificate has, such as 127.0.0.1.
 */
export async function trustOf(cert_file: string | undefined): Promise<Trust> {
  if (cert_file === undefined) return {};
  // Only the first one, as in TLS: the rest of a chain are issuers, which sign certificates of others too.
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
