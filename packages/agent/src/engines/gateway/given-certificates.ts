/**
 * Certificates that operators brought, as the coordinator sends them with their keys. They are looked at once more before nginx has them: one
 * that it cannot use would end TLS for its host names, so what was shown before stays.
 */
import { createPrivateKey } from 'node:crypto';
import type { SectionContent } from '@meshwork/contract';
import { readChain } from '../../certificate-requests/sound-chain.ts';

export type GivenSection = SectionContent<'given_certificates'>;

/** By id of the certificate. */
export interface GivenPems {
  /** The chain with its key, as nginx reads them. A secret. */
  readonly pems: ReadonlyMap<string, string>;
  /** Why one cannot be used, in words. */
  readonly faults: ReadonlyMap<string, string>;
}

export function givenPems(section: GivenSection): GivenPems {
  const pems = new Map<string, string>();
  const faults = new Map<string, string>();
  for (const { id, chain, private_key } of section) {
    const read = pemOf(chain, private_key);
    if ('pem' in read) pems.set(id, read.pem);
    else faults.set(id, read.fault);
  }
  return { pems, faults };
}

/** The words of the library are not repeated: they may have a part of the key in them. */
function pemOf(chain: string, private_key: string): { readonly pem: string } | { readonly fault: string } {
  try {
    const { leaf, text } = readChain(chain);
    const key = createPrivateKey(private_key);
    if (!leaf.checkPrivateKey(key)) return { fault: 'its key is for another certificate' };
    return { pem: text + key.export({ type: 'pkcs8', format: 'pem' }) };
  } catch {
    return { fault: 'it or its key cannot be read' };
  }
}
