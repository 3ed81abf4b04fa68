import { checkOf, type MasterKey } from './master-key.ts';
import { seal, unseal } from './sealing.ts';

const VERSION = 'v1';

/**
 * Seals a secret for as long as the installation lives. The envelope says how it was sealed and by which master key, so that one
 * that cannot be opened says why, and so that all of them can be sealed anew by another key. `bound_to`: what it belongs to,
 * such as `authority/ID`; it opens nowhere else.
 */
export function sealEnvelope(key: MasterKey, secret: Uint8Array, bound_to: string): string {
  const sealed = seal(key, Buffer.from(secret).toString('base64'), contextOf(bound_to));
  return [VERSION, checkOf(key), sealed].join('.');
}

/** Which master key an envelope was sealed by, as `checkOf` names it. */
export function sealedBy(envelope: string): string {
  return envelope.split('.')[1] ?? '';
}

export function openEnvelope(key: MasterKey, envelope: string, bound_to: string): Buffer<ArrayBuffer> {
  const [version, sealed_by, sealed, ...rest] = envelope.split('.');
  if (version !== VERSION || sealed === undefined || rest.length > 0) {
    throw new Error(`What is sealed for ${bound_to} is not an envelope of this version of Meshwork.`);
  }
  if (sealed_by !== checkOf(key)) {
    throw new Error(`What is sealed for ${bound_to} needs the master key ${sealed_by}, and this is ${checkOf(key)}.`);
  }
  try {
    return Buffer.from(unseal(key, sealed, contextOf(bound_to)), 'base64');
  } catch (error) {
    throw new Error(`What is sealed for ${bound_to} was changed, or was sealed for something else.`, { cause: error });
  }
}

function contextOf(bound_to: string): string {
  return `${VERSION} ${bound_to}`;
}
