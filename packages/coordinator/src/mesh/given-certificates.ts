/** Which ingresses show a certificate that an operator brought or an outside authority issued, and whether it is for them. */
import { createHash } from 'node:crypto';
import { encodeBase32, isId, type OutsideAuthorityId, OWN_INGRESS_CERTIFICATES } from '@meshwork/contract';
import type { IngressDocument } from '../kinds/ingress.ts';
import type { View } from './model.ts';
import { wholeIngress } from './whole-ingress.ts';

const ID_BYTES = 16;

/** Id of the given certificate that an ingress shows. Undefined: it shows another one, or none. */
export function givenBy(ingress: IngressDocument): string | undefined {
  const { certificate } = wholeIngress(ingress).tls;
  if (isId('outside', certificate)) return orderedId(certificate, ingress.hostname);
  return OWN_INGRESS_CERTIFICATES.some((own) => own === certificate) ? undefined : certificate;
}

/** The outside authority that an ingress has its certificate from. Undefined: from none. */
export function authorityOf(ingress: IngressDocument): OutsideAuthorityId | undefined {
  const { certificate } = wholeIngress(ingress).tls;
  return isId('outside', certificate) ? certificate : undefined;
}

/** The id that the certificate of an authority for a host name has, and its order: known before there is either. */
export function orderedId(authority: string, hostname: string): string {
  const digest = createHash('sha256').update(`${authority}/${hostname}`).digest();
  return `given_${encodeBase32(Uint8Array.from(digest.subarray(0, ID_BYTES)))}`;
}

/** Why the given certificate that an ingress names is not there, in a sentence. Undefined: it is there, or the ingress names none. */
export function whyNotGiven(view: View, ingress: IngressDocument): string | undefined {
  const id = givenBy(ingress);
  if (id === undefined || view.get('given_certificate', id) !== undefined) return undefined;
  const authority = authorityOf(ingress);
  if (authority === undefined) return 'The given certificate that it names is gone.';
  const name = view.get('outside_authority', authority)?.body.name;
  if (name === undefined) return 'The outside authority that it names is gone.';
  const problem = view.get('certificate_order', id)?.body.problem ?? null;
  return problem === null ? `It has not come from ${name} yet.` : `It has not come from ${name} yet: ${problem}`;
}

/** Whether clients accept a certificate with these names for a host name. A wildcard stands for exactly one label. */
export function isFor(names: readonly string[], hostname: string): boolean {
  const dot = hostname.indexOf('.');
  const wildcard = dot > 0 ? `*${hostname.slice(dot)}` : undefined;
  return names.some((name) => name === hostname || name === wildcard);
}
