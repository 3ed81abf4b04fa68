/**
 * What an authority signs, written by the schemas of X.509 themselves. The generators of the library read all that they have written
 * back, several times over, and look through all entries of a list for each: for what is made by the thousand that is most of the work.
 */
import { type KeyObject, sign } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { AlgorithmIdentifier, Extension } from '@peculiar/asn1-x509';
import type { x509 } from './x509.ts';

/** ECDSA with SHA-256 (RFC 5758): what all our authorities sign with. */
export const SIGNATURE = new AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' });

export function signatureOf(key: KeyObject, content: ArrayBuffer): ArrayBuffer {
  return bytes(sign('sha256', new Uint8Array(content), { key, dsaEncoding: 'der' }));
}

export function extensionOf(id: string, value: object, critical = false): Extension {
  return new Extension({ extnID: id, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

/** One that the library made. */
export function asSchema(extension: x509.Extension): Extension {
  return AsnConvert.parse(extension.rawData, Extension);
}

/** A serial number as DER writes it: without leading zeros, but for one before a high bit. */
export function integerOf(hexadecimal: string): ArrayBuffer {
  const plain = hexadecimal.replace(/^(?:00)+(?=[0-9a-fA-F]{2})/, '');
  return bytes(Buffer.from(/^[89a-fA-F]/.test(plain) ? `00${plain}` : plain, 'hex'));
}

/** A copy: a buffer of Node may be a window on a larger one. */
export function bytes(buffer: Uint8Array): ArrayBuffer {
  return new Uint8Array(buffer).buffer;
}
