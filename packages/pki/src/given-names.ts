/** What a certificate is for, by its extensions. */
import type { X509Certificate } from 'node:crypto';
import { plainAddress } from '@meshwork/addresses';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import { bytes } from './signed.ts';
import { x509 } from './x509.ts';

/** As many names as are read: public authorities give no more than 100. */
const MAX_NAMES = 250;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^(?=.{1,253}$)(?:\\*\\.)?${LABEL}(?:\\.${LABEL})*$`);

/** Host names, wildcards of one label, and addresses. What is none of these no client asks for. */
export function givenNames(certificate: X509Certificate): readonly string[] {
  const value = extensionOf(certificate, id_ce_subjectAltName);
  if (value === undefined) return [];
  try {
    const names = new Set<string>();
    for (const { dNSName, iPAddress } of [...AsnConvert.parse(value, SubjectAlternativeName)].slice(0, MAX_NAMES)) {
      const name = dNSName?.toLowerCase();
      if (name !== undefined && NAME.test(name)) names.add(name);
      const address = iPAddress === undefined ? null : plainAddress(iPAddress);
      if (address !== null) names.add(address);
    }
    return [...names];
  } catch {
    return [];
  }
}

/** Whether its key may sign what TLS has it sign. One that does not say what its key is for may. */
export function signsHandshakes(certificate: X509Certificate): boolean {
  const value = extensionOf(certificate, id_ce_keyUsage);
  if (value === undefined) return true;
  try {
    return (AsnConvert.parse(value, KeyUsage).toNumber() & KeyUsageFlags.digitalSignature) !== 0;
  } catch {
    return false;
  }
}

export function extensionOf({ raw }: X509Certificate, id: string): ArrayBuffer | undefined {
  try {
    return new x509.X509Certificate(bytes(raw)).getExtension(id)?.value;
  } catch {
    return undefined;
  }
}
