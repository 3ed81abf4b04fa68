/**
 * Reads what the coordinator sent about certificates, before any of it comes into use: services would fail to start with what
 * does not parse or does not belong together. When a certificate begins and ends is not looked at: the clock of this host may
 * be wrong, and the coordinator decides.
 */
import { X509Certificate } from 'node:crypto';
import type { TrustSection } from '@meshwork/contract';
import { derOf, pemBlocks } from '@meshwork/pki/text';
import { messageOf } from '../message-of.ts';

interface Chain {
  readonly leaf: X509Certificate;
  /** What signed it, and what signed that. */
  readonly issuers: readonly X509Certificate[];
  /** As services read it: the certificates, and nothing that stood between them. */
  readonly text: string;
}

export function readChain(pem: string): Chain {
  const blocks = pemBlocks('CERTIFICATE', pem);
  const [leaf, ...issuers] = blocks.map((block) => certificateIn(block, 'the chain'));
  if (leaf === undefined) throw new Error('the chain has no certificate in it');
  return { leaf, issuers, text: blocks.join('') };
}

/** Throws when a certificate is not signed by the one after it, or the last by none of the roots. Without roots none is known yet. */
export function checkChain({ leaf, issuers }: Chain, roots: readonly X509Certificate[]): void {
  if (leaf.ca) throw new Error('the first certificate of the chain is an authority');
  if (issuers.length === 0) throw new Error('the chain has no intermediate in it');
  let signed = leaf;
  for (const issuer of issuers) {
    if (!isSignedBy(signed, issuer))
      throw new Error(`the chain is not one: ${nameOf(issuer)} did not sign ${nameOf(signed)}`);
    signed = issuer;
  }
  if (roots.length > 0 && !roots.some((root) => isSignedBy(signed, root))) {
    throw new Error(`the chain ends at ${nameOf(signed)}, which no trusted root has signed`);
  }
}

/** The roots in a text that was sound when it was written. */
export function rootsIn(pem: string | undefined): readonly X509Certificate[] {
  return pemBlocks('CERTIFICATE', pem ?? '').map((block) => certificateIn(block, 'the list of roots'));
}

/** Throws when something in it is no root, or no revocation list. */
export function trustTexts({ roots, revocation_lists }: TrustSection): { readonly ca: string; readonly crl: string } {
  const ca = roots.map((pem) => {
    const root = certificateIn(onlyBlock('CERTIFICATE', pem, 'a root'), 'a root');
    if (!isSignedBy(root, root)) throw new Error(`${nameOf(root)} is among the roots, and is none`);
    return onlyBlock('CERTIFICATE', pem, 'a root');
  });
  const crl = revocation_lists.map((pem) => onlyBlock('X509 CRL', pem, 'a revocation list'));
  return { ca: ca.join(''), crl: crl.join('') };
}

function onlyBlock(label: 'CERTIFICATE' | 'X509 CRL', pem: string, what: string): string {
  const [block] = pemBlocks(label, pem);
  if (block === undefined || derOf([label], pem) === undefined)
    throw new Error(`${what} is not PEM with one ${label} in it`);
  return block;
}

function certificateIn(pem: string, where: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new Error(`${where} has a certificate that cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function isSignedBy(one: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);
}

/** On one line: it stands in a report. */
function nameOf({ subject, serialNumber }: X509Certificate): string {
  return (subject ?? '').replaceAll('\n', ', ') || `certificate ${serialNumber}`;
}
